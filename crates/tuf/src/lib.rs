//! Repositories of updates in the format of The Update Framework, in a zip archive: whether they are what a trusted root
//! role vouches for (`docs/rules/identity-and-system.md#updates`).
//!
//! Nothing is unpacked: files are read where they are in the archive, and of each no more than what is signed for it. What
//! no signed role names is never looked at.

mod archive;
mod canonical;
mod key;
mod repository;
mod role;
#[cfg(feature = "testing")]
pub mod testing;

use serde_json::Value;

pub use repository::{Artifact, LoadError, NewerRoot, Repository, load};
use role::{RootRole, Signed};

/// A root role that vouches for itself.
#[derive(Clone, Debug)]
pub struct Root {
    role: RootRole,
    document: Value,
}

impl Root {
    /// Takes a signed root role as trusted.
    ///
    /// # Errors
    /// Why it does not vouch for itself.
    pub fn trust(document: &Value) -> Result<Self, String> {
        Self::parse(&serde_json::to_vec(document).map_err(|error| error.to_string())?)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let signed = Signed::parse(bytes)?;
        let role: RootRole = signed.content("root")?;
        signed.verified::<RootRole>(&role, "root")?;
        Ok(Self { role, document: document(bytes)? })
    }

    /// The root role that follows this one, if this one vouches for it and it does for itself.
    fn succeeded_by(&self, bytes: &[u8]) -> Result<Self, String> {
        let signed = Signed::parse(bytes)?;
        let role: RootRole = signed.verified(&self.role, "root")?;
        signed.verified::<RootRole>(&role, "root")?;
        if Some(role.version) != self.role.version.checked_add(1) {
            return Err(format!("version {} does not follow version {}", role.version, self.role.version));
        }
        Ok(Self { role, document: document(bytes)? })
    }

    /// Whether another root role is the next one after this: this one vouches for it.
    pub fn vouches_for(&self, next: &Self) -> bool {
        serde_json::to_vec(&next.document).is_ok_and(|bytes| self.succeeded_by(&bytes).is_ok())
    }

    /// Whether a key may sign both, which makes them versions of one publisher's root role.
    pub fn shares_a_key_with(&self, other: &Self) -> bool {
        self.role.root_keys().any(|key| other.role.root_keys().any(|its| its == key))
    }

    /// The version of the role.
    pub fn version(&self) -> u64 {
        self.role.version
    }

    /// The role with its signatures.
    pub fn document(&self) -> &Value {
        &self.document
    }
}

fn document(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}
