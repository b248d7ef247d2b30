use croft_api::{Error, Result, scalar::Label, second_factor::SecondFactorCreated};
use croft_store::records::{FactorProof, SecondFactor, Silo, SiloUser};
use uuid::Uuid;

use super::{
    ceremony::{self, Purpose},
    set_up::{enter, factors_of, insert, require_room},
    verify::half_open,
};
use crate::{Caller, Cx, second_factor::operation};

/// A passkey, as needed to check its signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPasskey {
    /// The credential id.
    pub credential_id: Vec<u8>,
    /// The host name that it is limited to (the RP ID).
    pub rp_id: String,
    /// Public key, counter and so on, as written at its creation or last use.
    pub credential: String,
}

/// The owner of a new passkey.
#[derive(Clone, Debug)]
pub struct PasskeyOwner {
    /// The user's id.
    pub user_id: Uuid,
    /// The names of user and silo.
    pub name: String,
    /// The existing passkeys of the user.
    pub passkeys: Vec<StoredPasskey>,
}

/// The input of the check of a passkey's response.
#[derive(Clone, Debug)]
pub struct PasskeyCheck {
    /// The state of the first step.
    pub state: String,
    /// The passkeys that may be used.
    pub passkeys: Vec<StoredPasskey>,
}

/// A passkey whose response was valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedPasskey {
    /// The credential id.
    pub credential_id: Vec<u8>,
    /// The content before the use.
    pub before: String,
    /// The content after the use, with the new counter.
    pub after: String,
}

/// Why a passkey's response was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasskeyRefusal {
    /// The challenge, the origin or the signature is wrong: with a text for the log.
    Wrong(String),
    /// The counter did not increase, so there are two authenticators with the same key.
    Copied,
}

impl From<PasskeyRefusal> for Error {
    fn from(refusal: PasskeyRefusal) -> Self {
        Self::invalid_value(
            "credential",
            match refusal {
                PasskeyRefusal::Wrong(_) => {
                    "the passkey's response is not valid; try again, or use another second factor"
                }
                PasskeyRefusal::Copied => {
                    "this passkey may have been copied: its use counter went backwards; sign in with \
                     another second factor and remove this passkey"
                }
            },
        )
    }
}

/// The passkeys among a user's second factors.
pub(super) fn stored(factors: &[SecondFactor]) -> Vec<StoredPasskey> {
    let stored = |factor: &SecondFactor| match factor.proof.clone() {
        FactorProof::Totp { .. } => None,
        FactorProof::Passkey { credential_id, rp_id, credential } => {
            Some(StoredPasskey { credential_id, rp_id, credential })
        }
    };
    factors.iter().filter_map(stored).collect()
}

/// The first step of `account_passkey_begin`: the owner of the new passkey.
pub fn passkey_owner(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<PasskeyOwner> {
    let (_, user) = enter(cx, caller, &operation::ACCOUNT_PASSKEY_BEGIN)?;
    require_room(cx, user.meta.id)?;
    let silo: Option<Silo> = cx.tx.get(user.silo_id)?;
    let silo = silo.ok_or_else(|| Error::unauthenticated("the silo is gone"))?;
    let passkeys = stored(&factors_of(cx, user.meta.id)?);
    Ok(PasskeyOwner { user_id: user.meta.id, name: format!("{}/{}", silo.name, user.external_id), passkeys })
}

/// The last step of `account_passkey_begin`: seals the state for the session. Stores nothing.
pub fn passkey_begin(cx: &mut Cx<'_, '_>, caller: &Caller, state: &str) -> Result<String> {
    let (session, _) = enter(cx, caller, &operation::ACCOUNT_PASSKEY_BEGIN)?;
    ceremony::seal(cx, &session, Purpose::Passkey, state.to_owned()).map(|(_, sealed)| sealed)
}

/// The first step of `account_passkey_create`: the input of the check.
pub fn passkey_registration(cx: &mut Cx<'_, '_>, caller: &Caller, set_up: &str) -> Result<String> {
    let (session, _) = enter(cx, caller, &operation::ACCOUNT_PASSKEY_CREATE)?;
    ceremony::open(cx, &session, Purpose::Passkey, set_up).map(|begun| begun.content)
}

/// The last step of `account_passkey_create`, after the check.
pub fn passkey_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    name: &Label,
    set_up: &str,
    made: &StoredPasskey,
) -> Result<SecondFactorCreated> {
    let (session, user) = enter(cx, caller, &operation::ACCOUNT_PASSKEY_CREATE)?;
    let begun = ceremony::open(cx, &session, Purpose::Passkey, set_up)?;
    let known: Option<SecondFactor> = cx.tx.find(SecondFactor::CREDENTIAL, made.credential_id.as_slice())?;
    if known.is_some() {
        return Err(Error::invalid_value("credential", "this passkey is already set up; use another one"));
    }
    let StoredPasskey { credential_id, rp_id, credential } = made.clone();
    let proof = FactorProof::Passkey { credential_id, rp_id, credential };
    insert(cx, session, &user, begun.id, name, proof)
}

/// The last step of `account_verify_begin`: seals the state for the session.
pub fn passkey_use_begin(cx: &mut Cx<'_, '_>, caller: &Caller, state: &str) -> Result<String> {
    let (session, _) = half_open(cx, caller)?;
    ceremony::seal(cx, &session, Purpose::PasskeyUse, state.to_owned()).map(|(_, sealed)| sealed)
}

/// The first step of `account_verify` with a passkey: the input of the check. The state is valid for this session only,
/// and the session has this step pending only once, so a response cannot be replayed.
pub fn passkey_check(cx: &mut Cx<'_, '_>, caller: &Caller, state: &str) -> Result<PasskeyCheck> {
    let (session, user) = half_open(cx, caller)?;
    let begun = ceremony::open(cx, &session, Purpose::PasskeyUse, state)?;
    Ok(PasskeyCheck { state: begun.content, passkeys: stored(&factors_of(cx, user.meta.id)?) })
}

/// Records the use of a passkey.
pub(super) fn record_use(cx: &mut Cx<'_, '_>, user: &SiloUser, passkey: &UsedPasskey) -> Result<()> {
    let gone = || Error::conflict("The passkey was removed or used elsewhere at the same time. Try again.");
    let factor: Option<SecondFactor> =
        cx.tx.find(SecondFactor::CREDENTIAL, passkey.credential_id.as_slice())?;
    let mut factor = factor.filter(|factor| factor.user_id == user.meta.id).ok_or_else(gone)?;
    let FactorProof::Passkey { credential, .. } = &mut factor.proof else { return Err(gone()) };
    if *credential != passkey.before {
        return Err(gone());
    }
    credential.clone_from(&passkey.after);
    factor.time_last_used = Some(cx.now);
    Ok(cx.tx.update(&mut factor)?)
}
