//! Update repositories in the format of The Update Framework, in a zip archive, and their verification with a trusted
//! root role (`docs/rules/identity-and-system.md#updates`).
//!
//! Nothing is extracted: files are read from the archive, and of each no more than the signed length. Files that no
//! signed role refers to are never read.

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

/// A root role that is signed with its own keys.
#[derive(Clone, Debug)]
pub struct Root {
    role: RootRole,
    document: Value,
}

impl Root {
    /// Trusts a signed root role.
    ///
    /// # Errors
    /// The role is not signed with its own keys, or is invalid.
    pub fn trust(document: &Value) -> Result<Self, String> {
        Self::parse(&serde_json::to_vec(document).map_err(|error| error.to_string())?)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let signed = Signed::parse(bytes)?;
        let role: RootRole = signed.content("root")?;
        signed.verified::<RootRole>(&role, "root")?;
        Ok(Self { role, document: document(bytes)? })
    }

    /// The root role that follows this one, if it is signed with the keys of this one and with its own.
    fn succeeded_by(&self, bytes: &[u8]) -> Result<Self, String> {
        let signed = Signed::parse(bytes)?;
        let role: RootRole = signed.verified(&self.role, "root")?;
        signed.verified::<RootRole>(&role, "root")?;
        if Some(role.version) != self.role.version.checked_add(1) {
            return Err(format!("version {} does not follow version {}", role.version, self.role.version));
        }
        Ok(Self { role, document: document(bytes)? })
    }

    /// Whether another root role is the next version, signed with the keys of this one.
    pub fn vouches_for(&self, next: &Self) -> bool {
        serde_json::to_vec(&next.document).is_ok_and(|bytes| self.succeeded_by(&bytes).is_ok())
    }

    /// Whether one key may sign both. Then they are versions of the root role of one publisher.
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
