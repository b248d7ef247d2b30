use croft_api::{
    Error, ResourceKind, Result,
    scalar::Label,
    second_factor::{self as api, TotpCreate, TotpSetUp},
};
use croft_store::{
    ListBy, Meta, StoreError,
    records::{ConsoleSession, FactorProof, PendingStep, SecondFactor, SecondFactorReserve, Silo, SiloUser},
};
use data_encoding::BASE32_NOPAD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::{
    ceremony::{self, Purpose},
    own, recovery, to_view, totp,
};
use crate::{Caller, Cx, Operation, authz, paging, second_factor::operation, session, user};

/// The purpose of sealed secrets of apps.
const SECRET: &str = "secret of an app that shows codes";
/// Maximum number of second factors of one user.
const MOST: usize = 20;
/// The issuer that apps show.
const ISSUER: &str = "Croft";

/// Requires that the caller has a local password and has just signed in.
pub(super) fn enter(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    operation: &Operation,
) -> Result<(ConsoleSession, SiloUser)> {
    authz::require(cx, caller, &own(caller), operation)?;
    let session = session::require_fresh(cx, caller, "change your second factors")?;
    let user: Option<SiloUser> = cx.tx.get(caller.user_id)?;
    let user = user.ok_or_else(|| Error::unauthenticated("the user is gone"))?;
    if user.password_hash.is_none() {
        return Err(Error::invalid_request(
            "You have no password in Croft, because you sign in at your identity provider. Set up a second \
             factor there.",
        ));
    }
    Ok((session, user))
}

/// All second factors of a user.
pub(super) fn factors_of(cx: &mut Cx<'_, '_>, user: Uuid) -> Result<Vec<SecondFactor>> {
    paging::all(cx.tx, &ListBy::Parent(user))
}

/// `account_totp_begin`: generates a secret. Stores nothing.
pub fn totp_begin(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<TotpSetUp> {
    let (session, user) = enter(cx, caller, &operation::ACCOUNT_TOTP_BEGIN)?;
    require_room(cx, user.meta.id)?;
    let silo: Option<Silo> = cx.tx.get(user.silo_id)?;
    let silo = silo.ok_or_else(|| Error::unauthenticated("the silo is gone"))?;
    let mut bytes = Zeroizing::new([0; totp::SECRET_LENGTH]);
    cx.random.fill_bytes(&mut *bytes);
    let (_, set_up) = ceremony::seal(cx, &session, Purpose::Totp, hex::encode(*bytes))?;
    let secret = BASE32_NOPAD.encode(&*bytes);
    let account = format!("{}/{}", silo.name, user.external_id);
    let account = utf8_percent_encode(&account, NON_ALPHANUMERIC);
    let uri = format!("otpauth://totp/{ISSUER}:{account}?secret={secret}&issuer={ISSUER}");
    Ok(TotpSetUp { secret, uri, set_up })
}

/// `account_totp_create`: requires a valid code of the app. That code cannot be used to sign in.
pub fn totp_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &TotpCreate,
) -> Result<api::SecondFactorCreated> {
    let (session, user) = enter(cx, caller, &operation::ACCOUNT_TOTP_CREATE)?;
    let begun = ceremony::open(cx, &session, Purpose::Totp, &params.set_up)?;
    let secret = Zeroizing::new(hex::decode(&begun.content).map_err(Error::internal)?);
    let shown = totp::parse(params.code.reveal());
    let last_step = shown.and_then(|shown| totp::accepted_step(&secret, cx.now, shown, None));
    let last_step = last_step.ok_or_else(|| {
        Error::invalid_value(
            "code",
            "this is not the app's current code; check that the time of the device is correct",
        )
    })?;
    let sealed_secret = cx.environment.secret_key.seal(cx.random, SECRET, begun.id, &secret)?;
    insert(cx, session, &user, begun.id, &params.name, FactorProof::Totp { sealed_secret, last_step })
}

/// The secret of an app.
pub(super) fn totp_secret(cx: &Cx<'_, '_>, factor: Uuid, sealed: &str) -> Result<Zeroizing<Vec<u8>>> {
    cx.environment.secret_key.open(SECRET, factor, sealed)
}

/// Refuses to exceed the maximum number of second factors.
pub(super) fn require_room(cx: &mut Cx<'_, '_>, user: Uuid) -> Result<()> {
    if factors_of(cx, user)?.len() >= MOST {
        return Err(Error::invalid_request(format!(
            "You have {MOST} second factors, which is the maximum. Remove one first."
        )));
    }
    Ok(())
}

/// Stores a second factor after its first successful use. Creates recovery codes with the first one, and ends the
/// user's other sessions, which were opened with the password alone.
pub(super) fn insert(
    cx: &mut Cx<'_, '_>,
    mut session: ConsoleSession,
    user: &SiloUser,
    id: Uuid,
    name: &Label,
    proof: FactorProof,
) -> Result<api::SecondFactorCreated> {
    require_room(cx, user.meta.id)?;
    let is_first = !super::has_any(cx.tx, user.meta.id)?;
    let factor = SecondFactor {
        meta: Meta::new(id, cx.now),
        user_id: user.meta.id,
        silo_id: user.silo_id,
        name: name.to_string(),
        proof,
        time_last_used: None,
    };
    cx.tx.insert(&factor).map_err(|error| match error {
        StoreError::Exists => {
            Error::invalid_value("set_up", "this second factor is already set up; start again")
        }
        error => error.into(),
    })?;
    let recovery_codes = if is_first {
        session::end_all(cx.tx, user.meta.id, Some(session.meta.id), cx.now)?;
        Some(new_codes(cx, user)?)
    } else {
        None
    };
    if session.pending == Some(PendingStep::SetUpSecondFactor) {
        session.pending = super::next_step(cx, user, session.pending)?;
        cx.tx.update(&mut session)?;
    }
    Ok(api::SecondFactorCreated { factor: to_view(&factor), recovery_codes })
}

/// Replaces the recovery codes.
fn new_codes(cx: &mut Cx<'_, '_>, user: &SiloUser) -> Result<Vec<String>> {
    let codes = recovery::draw(cx.random);
    let key = &cx.environment.secret_key;
    let recovery_codes = codes.iter().map(|code| recovery::hash(key, user.meta.id, code)).collect();
    if let Some(mut reserve) = cx.tx.get::<SecondFactorReserve>(user.meta.id)? {
        reserve.recovery_codes = recovery_codes;
        reserve.time_recovery_codes = cx.now;
        cx.tx.update(&mut reserve)?;
    } else {
        cx.tx.insert(&SecondFactorReserve {
            meta: Meta::new(user.meta.id, cx.now),
            silo_id: user.silo_id,
            recovery_codes,
            time_recovery_codes: cx.now,
            wrong_codes: 0,
            time_wrong_code: None,
        })?;
    }
    Ok(codes)
}

/// Looks up one of the caller's second factors. Those of others are not found, whatever the caller's roles.
fn find(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<SecondFactor> {
    let factor: Option<SecondFactor> = cx.tx.get(id)?;
    factor
        .filter(|factor| factor.user_id == caller.user_id)
        .ok_or_else(|| Error::not_found(ResourceKind::SecondFactor, id))
}

/// `account_second_factor_update`: renames one of the caller's second factors.
pub fn rename(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    id: Uuid,
    params: &api::SecondFactorUpdate,
) -> Result<api::SecondFactor> {
    enter(cx, caller, &operation::ACCOUNT_SECOND_FACTOR_UPDATE)?;
    let mut factor = find(cx, caller, id)?;
    factor.name = params.name.to_string();
    factor.meta.time_modified = cx.now;
    cx.tx.update(&mut factor)?;
    Ok(to_view(&factor))
}

/// `account_second_factor_delete`: removes one of the caller's second factors, and with the last one the recovery
/// codes. The other sessions end, because somebody else who has the factor may have opened them.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let (session, user) = enter(cx, caller, &operation::ACCOUNT_SECOND_FACTOR_DELETE)?;
    let factor = find(cx, caller, id)?;
    let is_last = factors_of(cx, user.meta.id)?.len() == 1;
    if is_last && super::is_required(cx, &user)? {
        return Err(Error::conflict(
            "Your silo requires a second factor, and this is your only one. Set up another one first.",
        ));
    }
    cx.tx.remove::<SecondFactor>(factor.meta.id, cx.now)?;
    if is_last {
        user::remove_second_factors(cx.tx, user.meta.id, cx.now)?;
    }
    session::end_all(cx.tx, user.meta.id, Some(session.meta.id), cx.now)
}

/// `account_recovery_codes_view`.
pub fn recovery_codes_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<api::RecoveryCodesLeft> {
    authz::require(cx, caller, &own(caller), &operation::ACCOUNT_RECOVERY_CODES_VIEW)?;
    let reserve: Option<SecondFactorReserve> = cx.tx.get(caller.user_id)?;
    Ok(api::RecoveryCodesLeft {
        left: reserve.as_ref().map_or(0, |reserve| reserve.recovery_codes.len()),
        time_created: reserve.map(|reserve| reserve.time_recovery_codes),
    })
}

/// `account_recovery_codes_create`: replaces the recovery codes.
pub fn recovery_codes_create(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<api::RecoveryCodes> {
    let (_, user) = enter(cx, caller, &operation::ACCOUNT_RECOVERY_CODES_CREATE)?;
    if !super::has_any(cx.tx, user.meta.id)? {
        let text = "Recovery codes replace a second factor, and you have none. Set one up first.";
        return Err(Error::invalid_request(text));
    }
    Ok(api::RecoveryCodes { recovery_codes: new_codes(cx, &user)? })
}
