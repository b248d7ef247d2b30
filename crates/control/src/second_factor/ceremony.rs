//! What was begun and is to be finished by the next request: it travels to the browser and back, sealed, so that nothing
//! is stored for what is given up halfway.

use croft_api::{Error, Result};
use croft_store::records::ConsoleSession;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Cx;

/// How long a person may take.
const LIFE: SignedDuration = SignedDuration::from_mins(10);

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// An app is being set up that shows codes.
    Totp,
    /// A passkey is being set up.
    Passkey,
    /// A passkey is being used.
    PasskeyUse,
}

impl Purpose {
    /// What the text is sealed for.
    const fn text(self) -> &'static str {
        match self {
            Self::Totp => "set-up of an app that shows codes",
            Self::Passkey => "set-up of a passkey",
            Self::PasskeyUse => "use of a passkey",
        }
    }

    /// The input in which the text comes back.
    const fn label(self) -> &'static str {
        match self {
            Self::Totp | Self::Passkey => "set_up",
            Self::PasskeyUse => "state",
        }
    }
}

/// Something that was begun.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Ceremony {
    /// Draws a line between it and all others.
    pub(super) id: Uuid,
    user_id: Uuid,
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    expires: Timestamp,
    /// What has to be known to finish it.
    pub(super) content: String,
}

/// Seals it for the one session that may finish it.
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
