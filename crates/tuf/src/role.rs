//! Roles: signed JSON documents, and the keys that may sign them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    canonical::canonical,
    key::{Key, NamedKey},
};

/// A document with its signatures, which are not verified yet.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Signed {
    signed: Value,
    signatures: Vec<Signature>,
}

#[derive(Clone, Debug, Deserialize)]
struct Signature {
    keyid: String,
    sig: String,
}

/// The keys that may sign a role, and how many must.
#[derive(Clone, Debug, Deserialize)]
struct Signers {
    keyids: Vec<String>,
    threshold: u64,
}

/// The content of a root role.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RootRole {
    pub(crate) version: u64,
    pub(crate) expires: Timestamp,
    #[serde(default)]
    pub(crate) consistent_snapshot: bool,
    keys: BTreeMap<String, NamedKey>,
    roles: BTreeMap<String, Signers>,
}

/// The content of a timestamp or snapshot role.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MetaRole {
    pub(crate) version: u64,
    pub(crate) expires: Timestamp,
    pub(crate) meta: BTreeMap<String, MetaFile>,
}

/// A reference to the file of another role.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MetaFile {
    pub(crate) version: u64,
    pub(crate) length: Option<u64>,
    pub(crate) hashes: Option<BTreeMap<String, String>>,
}

/// The content of a targets role.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TargetsRole {
    pub(crate) version: u64,
    pub(crate) expires: Timestamp,
    pub(crate) targets: BTreeMap<String, Target>,
}

/// A file of the repository.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) length: u64,
    pub(crate) hashes: BTreeMap<String, String>,
}

impl Target {
    /// Its SHA-256.
    pub(crate) fn sha256(&self) -> Option<[u8; 32]> {
        sha256_of(&self.hashes)
    }
}

/// The SHA-256 among hexadecimal hashes.
pub(crate) fn sha256_of(hashes: &BTreeMap<String, String>) -> Option<[u8; 32]> {
    hex::decode(hashes.get("sha256")?).ok()?.try_into().ok()
}

impl Signed {
    /// Parses a document.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("it is not a signed document: {error}"))
    }

    /// The content, if it has enough valid signatures for this role.
    pub(crate) fn verified<T: DeserializeOwned>(&self, by: &RootRole, role: &str) -> Result<T, String> {
        by.check(self, role)?;
        self.content(role)
    }

    /// The content, without verification.
    pub(crate) fn content<T: DeserializeOwned>(&self, role: &str) -> Result<T, String> {
        if self.signed["_type"].as_str() != Some(role) {
            return Err(format!("it is not a {role} role"));
        }
        let version = self.signed["spec_version"].as_str().unwrap_or_default();
        if version.split('.').next() != Some("1") {
            return Err(format!("it uses version {version:?} of the specification, not version 1"));
        }
        serde_json::from_value(self.signed.clone()).map_err(|error| error.to_string())
    }
}

impl RootRole {
    /// The IDs of the keys that may sign the next root role.
    pub(crate) fn root_keys(&self) -> impl Iterator<Item = &String> {
        self.roles.get("root").into_iter().flat_map(|signers| &signers.keyids)
    }

    /// Checks that enough keys of this role signed a document. Each key counts once, regardless of the number of its
    /// signatures and IDs.
    fn check(&self, document: &Signed, role: &str) -> Result<(), String> {
        let signers =
            self.roles.get(role).ok_or_else(|| format!("the root role does not define the {role} role"))?;
        if signers.threshold == 0 {
            return Err(format!("the root role has a threshold of zero for the {role} role"));
        }
        let bytes = canonical(&document.signed).ok_or("it contains numbers that are not integers")?;
        let mut valid: Vec<Key> = Vec::new();
        for signature in &document.signatures {
            let key = self.keys.get(&signature.keyid).filter(|_| signers.keyids.contains(&signature.keyid));
            let Some(key) = key.and_then(Key::named).filter(|key| !valid.contains(key)) else { continue };
            if hex::decode(&signature.sig).is_ok_and(|signature| key.signed(&bytes, &signature)) {
                valid.push(key);
            }
        }
        let valid = valid.len() as u64;
        if valid < signers.threshold {
            return Err(format!(
                "{valid} of the {} required signatures of the {role} role are valid",
                signers.threshold
            ));
        }
        Ok(())
    }
}
