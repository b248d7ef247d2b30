//! Repositories that tests create and sign, valid and invalid.
// Failures in this module fail the test.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::{
    collections::BTreeMap,
    io::{Cursor, Write as _},
};

use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::canonical::canonical;

/// When the roles of a repository expire by default.
pub const EXPIRES: &str = "2100-01-01T00:00:00Z";

/// A key that signs a repository.
#[derive(Clone, Debug)]
pub struct Signer(SigningKey);

impl Signer {
    /// The key with this number.
    pub fn new(number: u8) -> Self {
        Self(SigningKey::from_bytes(&[number; 32]))
    }

    /// The key in the form of root roles.
    pub fn key(&self) -> Value {
        let public = hex::encode(self.0.verifying_key().as_bytes());
        json!({ "keytype": "ed25519", "scheme": "ed25519", "keyval": { "public": public } })
    }

    /// The ID of the key.
    pub fn id(&self) -> String {
        hex::encode(Sha256::digest(canonical(&self.key()).unwrap()))
    }

    /// Signs a role.
    pub fn sign(&self, signed: &Value) -> Value {
        sign_by(&[self], signed)
    }

    /// A root role that trusts only this key.
    pub fn root(&self, version: u64) -> Value {
        self.sign(&self.unsigned_root(version))
    }

    /// The same, unsigned.
    pub fn unsigned_root(&self, version: u64) -> Value {
        let signers = json!({ "keyids": [self.id()], "threshold": 1 });
        let roles = json!({ "root": signers, "timestamp": signers, "snapshot": signers, "targets": signers });
        let keys = BTreeMap::from([(self.id(), self.key())]);
        json!({
            "_type": "root", "spec_version": "1.0.0", "version": version, "expires": EXPIRES,
            "consistent_snapshot": true, "keys": keys, "roles": roles,
        })
    }
}

/// Signs a role with several keys.
pub fn sign_by(all: &[&Signer], signed: &Value) -> Value {
    let bytes = canonical(signed).unwrap();
    let signature =
        |by: &&Signer| json!({ "keyid": by.id(), "sig": hex::encode(by.0.sign(&bytes).to_bytes()) });
    json!({ "signed": signed, "signatures": all.iter().map(signature).collect::<Vec<_>>() })
}

/// The content of a repository.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The key that signs it.
    pub by: Signer,
    /// The version of the system.
    pub system_version: String,
    /// The artifacts: name, version, kind and content.
    pub artifacts: Vec<(String, String, String, Vec<u8>)>,
    /// When the roles expire, by role, if not by default.
    pub expires: BTreeMap<&'static str, String>,
}

impl Draft {
    /// A repository with one artifact.
    pub fn new(by: &Signer, system_version: &str) -> Self {
        let artifact =
            ("croft".to_owned(), system_version.to_owned(), "host".to_owned(), b"program".to_vec());
        Self {
            by: by.clone(),
            system_version: system_version.to_owned(),
            artifacts: vec![artifact],
            expires: BTreeMap::new(),
        }
    }

    /// The files of the signed repository, by path.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let expires = |role| self.expires.get(role).map_or(EXPIRES, String::as_str).to_owned();
        let mut files = BTreeMap::new();
        let (mut targets, mut listed) = (BTreeMap::new(), Vec::new());
        let mut add = |name: String, content: &[u8]| {
            let hash = hex::encode(Sha256::digest(content));
            files.insert(format!("repo/targets/{hash}.{name}"), content.to_vec());
            targets.insert(name, json!({ "length": content.len(), "hashes": { "sha256": hash } }));
        };
        for (name, version, kind, content) in &self.artifacts {
            let target = format!("{kind}-{name}-{version}.bin");
            add(target.clone(), content);
            listed.push(json!({ "name": name, "version": version, "kind": kind, "target": target }));
        }
        let list = json!({ "system_version": self.system_version, "artifacts": listed });
        add("artifacts.json".to_owned(), list.to_string().as_bytes());
        let mut role = |path: &str, kind: &'static str, version: u64, content: Value| {
            let mut signed = json!({
                "_type": kind, "spec_version": "1.0.0", "version": version, "expires": expires(kind),
            });
            signed.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
            files.insert(format!("repo/metadata/{path}"), self.by.sign(&signed).to_string().into_bytes());
        };
        role("3.targets.json", "targets", 3, json!({ "targets": targets }));
        role("2.snapshot.json", "snapshot", 2, json!({ "meta": { "targets.json": { "version": 3 } } }));
        role("timestamp.json", "timestamp", 1, json!({ "meta": { "snapshot.json": { "version": 2 } } }));
        let root = self.by.root(1).to_string().into_bytes();
        files.insert("repo/metadata/1.root.json".to_owned(), root);
        files
    }

    /// The repository as an archive.
    pub fn archive(&self) -> Vec<u8> {
        archive(&self.files())
    }
}

/// Creates an archive of these files.
pub fn archive(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (path, content) in files {
        zip.start_file(path.as_str(), options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
