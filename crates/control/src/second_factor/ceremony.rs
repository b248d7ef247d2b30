//! State between two requests of an operation with two steps. It is sealed and sent to the browser and back, so that
//! nothing is stored for operations that are never completed.

use croft_api::{Error, Result};
use croft_store::records::ConsoleSession;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Cx;

/// Maximum time between the two steps.
const LIFE: SignedDuration = SignedDuration::from_mins(10);

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Setting up an app that shows codes.
    Totp,
    /// Setting up a passkey.
    Passkey,
    /// Using a passkey.
    PasskeyUse,
}

impl Purpose {
    /// The purpose of the sealed text.
    const fn text(self) -> &'static str {
        match self {
            Self::Totp => "set-up of an app that shows codes",
            Self::Passkey => "set-up of a passkey",
            Self::PasskeyUse => "use of a passkey",
        }
    }

    /// The field of the body that contains the text.
    const fn label(self) -> &'static str {
        match self {
            Self::Totp | Self::Passkey => "set_up",
            Self::PasskeyUse => "state",
        }
    }
}

/// The state of an operation in progress.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Ceremony {
    /// A random id that makes it unique.
    pub(super) id: Uuid,
    user_id: Uuid,
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    expires: Timestamp,
    /// The data of the first step that the second needs.
    pub(super) content: String,
}

/// Seals it for one session.
pub(super) fn seal(
    cx: &mut Cx<'_, '_>,
    session: &ConsoleSession,
    purpose: Purpose,
    content: String,
) -> Result<(Uuid, String)> {
    let (id, user_id) = (cx.new_id(), session.user_id);
    let expires = cx.now.checked_add(LIFE).unwrap_or(Timestamp::MAX);
    let begun = serde_json::to_vec(&Ceremony { id, user_id, expires, content }).map_err(Error::internal)?;
    let text = cx.environment.secret_key.seal(cx.random, purpose.text(), session.meta.id, &begun)?;
    Ok((id, text))
}

/// Opens what was sealed for this purpose and session.
pub(super) fn open(
    cx: &Cx<'_, '_>,
    session: &ConsoleSession,
    purpose: Purpose,
    sealed: &str,
) -> Result<Ceremony> {
    let refuse = |why: &str| Error::invalid_value(purpose.label(), format!("{why}; start again"));
    let opened = cx.environment.secret_key.open(purpose.text(), session.meta.id, sealed).ok();
    let begun = opened.and_then(|begun| serde_json::from_slice::<Ceremony>(&begun).ok());
    let begun = begun.filter(|begun| begun.user_id == session.user_id);
    let begun = begun.ok_or_else(|| refuse("this was issued to another session"))?;
    if begun.expires < cx.now {
        return Err(refuse("this was started more than ten minutes ago"));
    }
    Ok(begun)
}
