//! Single use of assertions and requests.

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Sort, StoreError, Tx,
    records::{SamlIdentityProvider, SamlUse},
};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::Cx;

/// Maximum number of records removed in one transaction.
const PURGE_BATCH: usize = 256;
/// Longer than any assertion or request is valid after its first use.
const RETENTION: SignedDuration = SignedDuration::from_hours(1);

/// An object that may be used once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SingleUse<'a> {
    /// An assertion, by its id.
    Assertion(&'a str),
    /// A request, by its id.
    Request(&'a str),
}

impl SingleUse<'_> {
    fn digest(self) -> Vec<u8> {
        let (kind, id) = match self {
            Self::Assertion(id) => ("assertion", id),
            Self::Request(id) => ("request", id),
        };
        Sha256::new().chain_update(kind).chain_update([0]).chain_update(id).finalize().to_vec()
    }

    fn refusal(self) -> Error {
        Error::Parse(match self {
            Self::Assertion(_) => "SAMLResponse holds an assertion that was used before".to_owned(),
            Self::Request(_) => "SAMLResponse answers a request that was already answered".to_owned(),
        })
    }
}

/// Marks it as used. Fails if it has been used before and has not expired.
pub(super) fn claim(
    cx: &mut Cx<'_, '_>,
    provider: &SamlIdentityProvider,
    used: SingleUse<'_>,
    time_expires: Timestamp,
) -> Result<()> {
    let record = SamlUse {
        meta: cx.new_meta(),
        silo_id: provider.silo_id,
        provider_id: provider.meta.id,
        digest: used.digest(),
        time_expires,
    };
    if cx.tx.find::<SamlUse>(SamlUse::USED, SamlUse::used(provider.meta.id, &record.digest))?.is_some() {
        return Err(used.refusal());
    }
    cx.tx.insert(&record).map_err(|error| match error {
        StoreError::Exists => used.refusal(),
        error => error.into(),
    })
}

/// Removes records of expired uses. Returns whether there may be more.
pub(crate) fn purge(tx: &mut Tx<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let oldest: Vec<SamlUse> = tx.page(ListBy::All, Sort::TimeAsc, None, PURGE_BATCH)?;
    let expired = oldest.iter().take_while(|used| now.duration_since(used.meta.time_created) > RETENTION);
    let mut removed = 0;
    for used in expired.filter(|used| used.time_expires < now) {
        tx.remove::<SamlUse>(used.meta.id, now)?;
        removed += 1;
    }
    Ok(removed == PURGE_BATCH)
}
