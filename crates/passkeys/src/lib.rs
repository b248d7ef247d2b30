//! Passkeys as second factors: creation of challenges and verification of responses (WebAuthn level 3, sections 7.1 and
//! 7.2).
//!
//! Nothing is stored here. The state of a challenge is sent to the browser and back, sealed by the rules, and passkeys
//! are texts that the rules store. Attestation is not requested, so there are no certificates to verify. What is left
//! to check is a challenge, an origin, a few flags, a counter and a signature. The usual library, `webauthn-rs`,
//! verifies attestation, too, which requires an older release candidate of `rsa` than the one that signs in constant
//! time.

mod answer;
mod base64url;
mod key;

use std::time::Duration;

use croft_api::{Error, Result};
use croft_control::second_factor::{PasskeyCheck, PasskeyOwner, PasskeyRefusal, StoredPasskey, UsedPasskey};
use croft_http::{PasskeyQuestion, PasskeySite, Passkeys};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    answer::{AuthenticationResponse, AuthenticatorData, ClientData, Flag, RegistrationResponse, data_of},
    key::{ALGORITHMS, PublicKey},
};

/// The name of the relying party, which authenticators show.
const NAME: &str = "Croft";
/// Length of a challenge, in bytes.
const CHALLENGE: usize = 32;
/// The time that browsers wait for an authenticator. Some users have to fetch theirs.
const CEREMONY_TIMEOUT: Duration = Duration::from_mins(5);
/// Maximum number of transports that are stored, and their maximum length.
const MAX_TRANSPORTS: usize = 8;
const MAX_TRANSPORT: usize = 32;

/// WebAuthn as implemented by browsers.
#[derive(Clone, Copy, Debug, Default)]
pub struct WebAuthn;

/// The state that is needed to verify a response.
#[derive(Serialize, Deserialize)]
struct PendingChallenge {
    #[serde(with = "base64url")]
    challenge: Vec<u8>,
    #[serde(with = "base64url")]
    user: Vec<u8>,
}

/// A stored passkey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Passkey {
    key: PublicKey,
    #[serde(with = "base64url")]
    user: Vec<u8>,
    counter: u32,
    /// Whether the user was verified at creation. If so, verification is required for each use.
    is_verified: bool,
    can_be_copied: bool,
    /// The transports by which browsers reach the authenticator.
    transports: Vec<String>,
}

impl Passkeys for WebAuthn {
    fn ask_for_new(&self, site: &PasskeySite, owner: &PasskeyOwner) -> Result<PasskeyQuestion> {
        let asked = PendingChallenge::new(owner.user_id.as_bytes())?;
        let parameters = ALGORITHMS.map(|algorithm| json!({ "type": "public-key", "alg": algorithm }));
        let options = json!({
            "rp": { "id": site.rp_id, "name": NAME },
            "user": { "id": base64url::encode(&asked.user), "name": owner.name, "displayName": owner.name },
            "challenge": base64url::encode(&asked.challenge),
            "pubKeyCredParams": parameters,
            "timeout": CEREMONY_TIMEOUT.as_millis(),
            "excludeCredentials": descriptors(site, &owner.passkeys)?,
            "authenticatorSelection": {
                "residentKey": "discouraged", "requireResidentKey": false, "userVerification": "preferred",
            },
            "attestation": "none",
        });
        asked.question(options)
    }

    fn check_new(
        &self,
        site: &PasskeySite,
        state: &str,
        answer: &Value,
    ) -> Result<StoredPasskey, PasskeyRefusal> {
        let asked: PendingChallenge = stored(state)?;
        let answer: RegistrationResponse = read(answer)?;
        asked.check_client("webauthn.create", site, &answer.response.client_data)?;
        let data = data_of(&answer.response.attestation);
        let data = data
            .ok_or_else(|| wrong("the attestation object is malformed, or has an unsupported kind of key"))?;
        check_authenticator(site, &data)?;
        let (id, key) = data.made.clone().ok_or_else(|| wrong("it contains no passkey"))?;
        require(id == answer.id, "it has two different credential IDs")?;
        let transports = answer.response.transports.into_iter().filter(|way| way.len() <= MAX_TRANSPORT);
        let passkey = Passkey {
            key,
            user: asked.user,
            counter: data.counter,
            is_verified: data.has(Flag::Verified),
            can_be_copied: data.has(Flag::CanBeCopied),
            transports: transports.take(MAX_TRANSPORTS).collect(),
        };
        Ok(StoredPasskey { credential_id: id, rp_id: site.rp_id.clone(), credential: passkey.text() })
    }

    fn ask_for_use(&self, site: &PasskeySite, passkeys: &[StoredPasskey]) -> Result<PasskeyQuestion> {
        let owner = passkeys.iter().find_map(|passkey| stored::<Passkey>(&passkey.credential).ok());
        let owner = owner.ok_or_else(|| Error::internal("a stored passkey cannot be read"))?;
        let asked = PendingChallenge::new(&owner.user)?;
        let options = json!({
            "rpId": site.rp_id,
            "challenge": base64url::encode(&asked.challenge),
            "timeout": CEREMONY_TIMEOUT.as_millis(),
            "allowCredentials": descriptors(site, passkeys)?,
            "userVerification": "preferred",
        });
        asked.question(options)
    }

    fn check_use(
        &self,
        site: &PasskeySite,
        check: &PasskeyCheck,
        answer: &Value,
    ) -> Result<UsedPasskey, PasskeyRefusal> {
        let asked: PendingChallenge = stored(&check.state)?;
        let answer: AuthenticationResponse = read(answer)?;
        let own =
            |passkey: &&StoredPasskey| passkey.rp_id == site.rp_id && passkey.credential_id == answer.id;
        let found =
            check.passkeys.iter().find(own).ok_or_else(|| wrong("it is not one of the user's passkeys"))?;
        let mut passkey: Passkey = stored(&found.credential)?;
        let response = &answer.response;
        let user = response.user.as_ref().unwrap_or(&passkey.user);
        require(*user == passkey.user && passkey.user == asked.user, "it belongs to another user")?;
        asked.check_client("webauthn.get", site, &response.client_data)?;
        let data = AuthenticatorData::read(&response.data);
        let data = data.ok_or_else(|| wrong("the authenticator data is malformed"))?;
        check_authenticator(site, &data)?;
        require(
            data.has(Flag::Verified) || !passkey.is_verified,
            "the authenticator did not verify the user",
        )?;
        require(data.has(Flag::CanBeCopied) == passkey.can_be_copied, "its backup eligibility has changed")?;
        let signed = [&response.data[..], &Sha256::digest(&response.client_data)].concat();
        require(passkey.key.signed(&signed, &response.signature), "the signature is wrong")?;
        // Passkeys that are synchronized between devices do not count and always send 0.
        let counts = data.counter != 0 || passkey.counter != 0;
        if counts && data.counter <= passkey.counter {
            return Err(PasskeyRefusal::Copied);
        }
        passkey.counter = data.counter;
        Ok(UsedPasskey {
            credential_id: found.credential_id.clone(),
            before: found.credential.clone(),
            after: passkey.text(),
        })
    }
}

impl PendingChallenge {
    fn new(user: &[u8]) -> Result<Self> {
        let mut challenge = vec![0; CHALLENGE];
        getrandom::fill(&mut challenge).map_err(Error::internal)?;
        Ok(Self { challenge, user: user.to_vec() })
    }

    fn question(&self, options: Value) -> Result<PasskeyQuestion> {
        let state = serde_json::to_string(self).map_err(Error::internal)?;
        Ok(PasskeyQuestion { options, state })
    }

    /// Checks that the response is to this challenge, for this origin, and not from a page in a frame of another
    /// origin.
    fn check_client(&self, kind: &str, site: &PasskeySite, data: &[u8]) -> Result<(), PasskeyRefusal> {
        let client: ClientData = serde_json::from_slice(data).map_err(wrong)?;
        require(client.kind == kind, "it has the wrong ceremony type")?;
        require(client.challenge == self.challenge, "it has the wrong challenge")?;
        require(client.origin == site.origin, "it was made for another origin")?;
        require(!client.is_framed, "it was made in a frame of another origin")
    }
}

impl Passkey {
    fn text(&self) -> String {
        serde_json::to_string(self).expect("texts, numbers and flags are plain JSON")
    }
}

/// The requirements for the authenticator data of all responses.
fn check_authenticator(site: &PasskeySite, data: &AuthenticatorData) -> Result<(), PasskeyRefusal> {
    require(data.is_for(&site.rp_id), "it is for another relying party ID")?;
    require(data.has(Flag::Present), "it was made without user presence")?;
    require(
        !data.has(Flag::IsCopied) || data.has(Flag::CanBeCopied),
        "its backup flags contradict each other",
    )
}

/// The descriptors of a site's passkeys for browsers.
fn descriptors(site: &PasskeySite, passkeys: &[StoredPasskey]) -> Result<Vec<Value>> {
    let here = passkeys.iter().filter(|passkey| passkey.rp_id == site.rp_id);
    let descriptor = |passkey: &StoredPasskey| {
        let known: Passkey = serde_json::from_str(&passkey.credential).map_err(Error::internal)?;
        Ok(json!({
            "type": "public-key", "id": base64url::encode(&passkey.credential_id), "transports": known.transports,
        }))
    };
    here.map(descriptor).collect()
}

fn stored<T: DeserializeOwned>(text: &str) -> Result<T, PasskeyRefusal> {
    serde_json::from_str(text).map_err(wrong)
}

fn read<T: DeserializeOwned>(answer: &Value) -> Result<T, PasskeyRefusal> {
    T::deserialize(answer).map_err(wrong)
}

fn require(holds: bool, otherwise: &str) -> Result<(), PasskeyRefusal> {
    if holds { Ok(()) } else { Err(wrong(otherwise)) }
}

fn wrong(why: impl std::fmt::Display) -> PasskeyRefusal {
    PasskeyRefusal::Wrong(why.to_string())
}

#[cfg(test)]
mod tests;
