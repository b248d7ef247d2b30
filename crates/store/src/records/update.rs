use croft_api::update::{ArtifactHash, SystemVersion};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Key, KeyKind, Lookup, Meta, Scope, Table, record};

/// What an artifact is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ArtifactId {
    /// Its name.
    pub name: String,
    /// Its version, in whatever way its kind counts.
    pub version: String,
    /// What it is for.
    pub kind: String,
}

/// Where the wanted release comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TargetReleaseSource {
    /// Nobody has said yet.
    Unspecified,
    /// A repository of the system.
    SystemVersion {
        /// The version of the system that it has.
        version: SystemVersion,
    },
}

/// A root role that repositories of updates are verified by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TufTrustRoot {
    /// Bookkeeping.
    pub meta: Meta,
    /// The role with its signatures, as an operator named it.
    pub root_role: Value,
    /// The last of the root roles that follow it, once one was verified: it is trusted instead.
    pub newest: Option<Value>,
}

impl TufTrustRoot {
    /// The root role that is trusted now.
    pub fn current(&self) -> &Value {
        self.newest.as_ref().unwrap_or(&self.root_role)
    }
}

record! {
    TufTrustRoot as root {
        table: Table::new("tuf_trust_root").by_parent(&[crate::Order::Id]);
        scope: Scope::FLEET;
    }
}

/// A verified repository. Its archive is kept outside the database, under its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TufRepository {
    /// Bookkeeping.
    pub meta: Meta,
    /// The version of the system that it has.
    pub system_version: SystemVersion,
    /// The SHA-256 of the archive.
    pub hash: ArtifactHash,
    /// What the archive was called where it came from.
    pub file_name: String,
    /// The version of the role that lists its files.
    pub targets_role_version: u64,
    /// The first of its roles expires then.
    pub valid_until: Timestamp,
    /// What it has; each is a [`TufArtifact`] as well.
    pub artifacts: Vec<ArtifactId>,
}

impl TufRepository {
    /// What [`VERSION`](Self::VERSION) finds a repository by.
    pub fn version(version: &SystemVersion) -> Key {
        Key::combined([version.to_string().into()])
    }
}

record! {
    TufRepository as repository {
        table: Table::new("tuf_repository");
        scope: Scope::FLEET;
        lookups: {
            /// The repository of a version: one at most.
            VERSION: Lookup::unique("system_version", KeyKind::Bytes) =
                TufRepository::version(&repository.system_version);
        }
    }
}

/// A part of an update, which several repositories may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TufArtifact {
    /// Bookkeeping.
    pub meta: Meta,
    /// What it is known by.
    pub id: ArtifactId,
    /// Its SHA-256.
    pub hash: ArtifactHash,
    /// Its length in bytes.
    pub length: u64,
}

impl TufArtifact {
    /// What [`ID`](Self::ID) finds an artifact by.
    pub fn id(id: &ArtifactId) -> Key {
        Key::combined([id.name.as_str().into(), id.version.as_str().into(), id.kind.as_str().into()])
    }

    /// What [`CONTENT`](Self::CONTENT) finds an artifact by.
    pub fn content(kind: &str, hash: ArtifactHash) -> Key {
        Key::combined([kind.into(), hash.0.as_slice().into()])
    }
}

record! {
    TufArtifact as artifact {
        table: Table::new("tuf_artifact");
        scope: Scope::FLEET;
        lookups: {
            /// The artifact that is known by this.
            ID: Lookup::unique("artifact", KeyKind::Bytes) = TufArtifact::id(&artifact.id);
            /// The artifact of a kind with a content: one at most.
            CONTENT: Lookup::unique("content", KeyKind::Bytes) =
                TufArtifact::content(&artifact.id.kind, artifact.hash);
        }
    }
}

/// The release that the operators want: one row, whose id is [`FLEET`](super::FLEET).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedRelease {
    /// Bookkeeping.
    pub meta: Meta,
    /// Counts the decisions, from 1.
    pub generation: i64,
    /// When it was decided.
    pub time_requested: Timestamp,
    /// Where it comes from.
    pub source: TargetReleaseSource,
}

record! {
    WantedRelease as release {
        table: Table::new("wanted_release");
        scope: Scope::FLEET;
    }
}
