//! Device authorization: how a program without a browser gets a token
//! (`docs/rules/identity-and-system.md#device-authorization`, and RFC 8628).
//!
//! The client gets a secret, the device code, and a person confirms the user code that belongs to it. The token is
//! derived from the device code and a salt that is stored only in the request's record; only the hash of the token is
//! stored. So the client can be given its token each time that it polls, although the token is not stored. It is given
//! no longer than [`HANDOVER`] after the confirmation, and cannot be derived any more once the record is removed.

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    device::{
        DeviceAccessTokenGrant, DeviceAccessTokenRequest, DeviceAuthRequest, DeviceAuthResponse,
        DeviceRefusal, TokenType,
    },
    scalar::Label,
};
use croft_store::{
    ListBy, Sort, StoreError, Tx,
    records::{AccessToken, ConfirmedRequest, DeviceRequest},
};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{AfterError, Caller, Cx, Declaration, Resource, SiloDeletion, auth_settings, authn};

crate::authz::operations! {
    contract {
        DEVICE_AUTH_REQUEST = open_reads(Kind::SILO_USER, 200);
        DEVICE_AUTH_CONFIRM = open_changes(Kind::SILO_USER, 204);
        DEVICE_ACCESS_TOKEN = open_reads(Kind::SILO_USER, 200);
    }
}

impl Resource for DeviceRequest {
    // The silo is unknown until somebody confirms the request; then the code is as valuable as the token.
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// How long a request can be confirmed.
pub const LIFE: SignedDuration = SignedDuration::from_mins(5);
/// How long after the confirmation the client can get its token.
pub const HANDOVER: SignedDuration = SignedDuration::from_mins(5);
/// Lifetime of a token if neither its client nor the silo sets one: a month, so that a forgotten token expires.
pub const DEFAULT_TOKEN_LIFE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The name of a token whose client does not give one.
const UNNAMED: &str = "device";

/// Requests are removed this long after they were created. It is longer than they are valid, so that a client that
/// polls late is told that its request has expired.
const KEPT: SignedDuration = SignedDuration::from_hours(1);
/// Maximum number of requests removed in one transaction.
const PURGE_BATCH: usize = 256;
/// The only supported grant type.
const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// The alphabet of user codes: without vowels, so that no code is a word.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
/// Length of a user code in letters.
const CODE_LENGTH: usize = 8;
/// Letters before the dash.
const BEFORE_DASH: usize = 3;
/// Maximum number of characters of a wrong user code that the answer repeats.
const MAX_SHOWN: usize = 32;

/// `device_auth_request`: creates the two codes. At `verification_uri` the user enters the user code.
pub fn request(
    cx: &mut Cx<'_, '_>,
    params: &DeviceAuthRequest,
    verification_uri: &str,
) -> Result<DeviceAuthResponse> {
    let (device_code, device_code_hash) = authn::new_secret(cx);
    let user_code = new_user_code(cx)?;
    let mut token_salt = vec![0; 32];
    cx.random.fill_bytes(&mut token_salt);
    let request = DeviceRequest {
        meta: cx.new_meta(),
        client_id: params.client_id,
        token_name: cx
            .request
            .user_agent
            .as_deref()
            .and_then(Label::nearest)
            .map_or_else(|| UNNAMED.to_owned(), |name| name.to_string()),
        device_code_hash,
        user_code: Some(user_code.clone()),
        ttl_seconds: params.ttl_seconds.map(Into::into),
        token_hash: authn::hash_of(&token_secret(&token_salt, &device_code)),
        token_salt,
        confirmed: None,
        is_denied: false,
    };
    cx.tx.insert(&request)?;
    let (before, after) = user_code.split_at(BEFORE_DASH);
    Ok(DeviceAuthResponse {
        device_code,
        user_code: format!("{before}-{after}"),
        verification_uri: verification_uri.to_owned(),
        expires_in: u16::try_from(LIFE.as_secs()).map_err(Error::internal)?,
    })
}

/// Generates a user code that no pending request has.
fn new_user_code(cx: &mut Cx<'_, '_>) -> Result<String> {
    loop {
        let mut code = String::with_capacity(CODE_LENGTH);
        while code.len() < CODE_LENGTH {
            let mut byte = [0];
            cx.random.fill_bytes(&mut byte);
            // The largest multiple of 20 in a byte, so that all letters are equally likely.
            if byte[0] < 240 {
                code.push(LETTERS[usize::from(byte[0]) % LETTERS.len()].into());
            }
        }
        if cx.tx.find::<DeviceRequest>(DeviceRequest::USER_CODE, code.as_str())?.is_none() {
            return Ok(code);
        }
    }
}

/// The eight letters of an entered code, in upper case.
fn letters_of(typed: &str) -> Option<String> {
    let letters: String = typed
        .chars()
        .filter(char::is_ascii_alphabetic)
        .take(CODE_LENGTH + 1)
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    (letters.len() == CODE_LENGTH).then_some(letters)
}

/// `device_auth_confirm`: the caller authorizes the device. A request can be confirmed once, and only with a session:
/// otherwise, somebody who stole a token that expires could create one that does not.
pub fn confirm(cx: &mut Cx<'_, '_>, caller: &Caller, user_code: &str) -> Result<()> {
    caller.session()?;
    let letters = letters_of(user_code);
    let found = letters.map(|letters| cx.tx.find(DeviceRequest::USER_CODE, letters)).transpose()?;
    let Some(mut request): Option<DeviceRequest> = found.flatten() else {
        let shown: String = user_code.chars().take(MAX_SHOWN).collect();
        let kind = ResourceKind::DeviceAuthRequest;
        return Err(Error::not_found(kind, Lookup::Other(format!("{kind} with id \"{shown}\""))));
    };
    if is_expired(&request, cx.now) {
        cx.after_error =
            Some(AfterError::DeviceRequestOver { request_id: request.meta.id, is_denied: false });
        return Err(Error::invalid_request("device authorization request expired"));
    }
    let allowed = auth_settings::max_ttl(cx, caller.silo_id)?;
    // Trying again would fail, too. Denying the request tells the client to stop polling.
    let life = life(request.ttl_seconds, allowed).inspect_err(|_| {
        cx.after_error = Some(AfterError::DeviceRequestOver { request_id: request.meta.id, is_denied: true });
    })?;
    let token = AccessToken {
        meta: cx.new_meta(),
        token_hash: request.token_hash.clone(),
        user_id: caller.user_id,
        silo_id: caller.silo_id,
        client_id: request.client_id,
        name: request.token_name.clone(),
        time_expires: Some(cx.now.checked_add(life).unwrap_or(Timestamp::MAX)),
        time_last_used: None,
    };
    cx.tx.insert(&token)?;
    request.user_code = None;
    request.confirmed = Some(ConfirmedRequest { token_id: token.meta.id, time: cx.now });
    Ok(cx.tx.update(&mut request)?)
}

/// The lifetime of a token, given the requested one and the silo's maximum.
fn life(asked: Option<u32>, allowed: Option<u32>) -> Result<SignedDuration> {
    if let (Some(asked), Some(allowed)) = (asked, allowed)
        && asked > allowed
    {
        return Err(Error::invalid_request(format!(
            "Requested TTL {asked} seconds exceeds maximum allowed TTL for this silo of {allowed} seconds"
        )));
    }
    let seconds = asked.or(allowed);
    Ok(seconds.map_or(DEFAULT_TOKEN_LIFE, |seconds| SignedDuration::from_secs(seconds.into())))
}

fn is_expired(request: &DeviceRequest, now: Timestamp) -> bool {
    now.duration_since(request.meta.time_created) > LIFE
}

/// Invalidates a request. Its client is told that it was denied or has expired.
pub(crate) fn use_up(cx: &mut Cx<'_, '_>, request: Uuid, is_denied: bool) -> Result<()> {
    let Some(mut request) = cx.tx.get::<DeviceRequest>(request)? else { return Ok(()) };
    request.user_code = None;
    request.is_denied = is_denied;
    Ok(cx.tx.update(&mut request)?)
}

/// `device_access_token`: returns the token, or why there is none (yet). Unknown codes are reported as pending, as
/// clients of the reference expect.
pub fn access_token(
    cx: &mut Cx<'_, '_>,
    params: &DeviceAccessTokenRequest,
) -> Result<Result<DeviceAccessTokenGrant, DeviceRefusal>> {
    if params.grant_type != GRANT_TYPE {
        return Ok(Err(DeviceRefusal::UnsupportedGrantType));
    }
    let Some(hash) = authn::secret_hash(&params.device_code) else {
        return Ok(Err(DeviceRefusal::AuthorizationPending));
    };
    let key = DeviceRequest::code(params.client_id, &hash);
    let Some(request) = cx.tx.find::<DeviceRequest>(DeviceRequest::CODE, key)? else {
        return Ok(Err(DeviceRefusal::AuthorizationPending));
    };
    if request.is_denied {
        return Ok(Err(DeviceRefusal::AccessDenied));
    }
    let Some(confirmed) = &request.confirmed else {
        let expired = is_expired(&request, cx.now);
        return Ok(Err(if expired {
            DeviceRefusal::ExpiredToken
        } else {
            DeviceRefusal::AuthorizationPending
        }));
    };
    let token: Option<AccessToken> = cx.tx.get(confirmed.token_id)?;
    let Some(token) = token.filter(|_| cx.now.duration_since(confirmed.time) <= HANDOVER) else {
        return Ok(Err(DeviceRefusal::AccessDenied));
    };
    let secret = token_secret(&request.token_salt, &params.device_code);
    Ok(Ok(DeviceAccessTokenGrant {
        access_token: format!("{}{secret}", authn::TOKEN_PREFIX),
        token_id: token.meta.id,
        token_type: TokenType::Bearer,
        time_expires: token.time_expires,
    }))
}

/// The secret part of a request's token: 40 hex digits.
fn token_secret(salt: &[u8], device_code: &str) -> String {
    let digest = Sha256::new()
        .chain_update(b"croft token of a device")
        .chain_update(salt)
        .chain_update(device_code.as_bytes())
        .finalize();
    hex::encode(&digest[..authn::SECRET_LENGTH])
}

/// Removes requests that are no longer needed. Returns whether there may be more.
pub(crate) fn purge(tx: &mut Tx<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let oldest: Vec<DeviceRequest> = tx.page(ListBy::All, Sort::TimeAsc, None, PURGE_BATCH)?;
    let old = oldest.iter().take_while(|request| now.duration_since(request.meta.time_created) > KEPT);
    let mut removed = 0;
    for request in old {
        tx.remove::<DeviceRequest>(request.meta.id, now)?;
        removed += 1;
    }
    Ok(removed == PURGE_BATCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_codes_are_parsed_leniently() {
        for typed in
            ["BCD-FGHJK", "bcdfghjk", " bcd fgh jk ", "BCDF-GHJK", "b.c.d.f.g.h.j.k", "BCD\u{2013}FGHJK"]
        {
            assert_eq!(letters_of(typed).as_deref(), Some("BCDFGHJK"), "{typed}");
        }
        for typed in ["", "BCD-FGHJ", "BCD-FGHJKL", "1234-5678", &"B".repeat(1_000_000)] {
            assert_eq!(letters_of(typed), None);
        }
    }

    #[test]
    fn token_requires_both_parts() {
        let secret = token_secret(&[1; 32], "code");
        assert_eq!(secret, token_secret(&[1; 32], "code"));
        assert_ne!(secret, token_secret(&[2; 32], "code"));
        assert_ne!(secret, token_secret(&[1; 32], "other"));
        assert!(authn::secret_hash(&secret).is_some());
    }

    #[test]
    fn token_lifetime_is_bounded_by_the_silo() {
        let life = |asked, allowed| life(asked, allowed).unwrap().as_secs();
        assert_eq!(life(None, None), 30 * 24 * 3600);
        assert_eq!(life(Some(5), None), 5);
        assert_eq!(life(None, Some(9)), 9);
        assert_eq!(life(Some(9), Some(9)), 9);
        assert_eq!(
            super::life(Some(10), Some(9)).unwrap_err().message(),
            "Requested TTL 10 seconds exceeds maximum allowed TTL for this silo of 9 seconds"
        );
    }
}
