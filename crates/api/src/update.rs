//! Updates of the system: trusted root roles, repositories and the release that is wanted
//! (`docs/rules/identity-and-system.md#updates`).

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::page::Listed;

/// A version of the system, as Semantic Versioning 2.0.0 writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SystemVersion(semver::Version);

impl From<semver::Version> for SystemVersion {
    fn from(version: semver::Version) -> Self {
        Self(version)
    }
}

impl fmt::Display for SystemVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for SystemVersion {
    type Err = semver::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Serialize for SystemVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SystemVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A SHA-256, in hexadecimal digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArtifactHash(pub [u8; 32]);

impl fmt::Display for ArtifactHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ArtifactHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArtifactHash({self})")
    }
}

impl Serialize for ArtifactHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ArtifactHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let byte = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks_exact(2).map(byte).collect();
        let hash = bytes.filter(|_| text.len() == 64).and_then(|bytes| bytes.try_into().ok());
        hash.map(Self).ok_or_else(|| D::Error::custom("a hash has 64 hexadecimal digits"))
    }
}

/// A signed root role of The Update Framework, by which repositories of updates are verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UpdatesTrustRoot {
    /// The ID, which never changes.
    pub id: Uuid,
    /// When it was added.
    pub time_created: Timestamp,
    /// The role with its signatures, as it was sent.
    #[schema(value_type = Value)]
    pub root_role: Value,
}

impl Listed for UpdatesTrustRoot {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// The path of one trusted root role.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TrustRootPath {
    /// Id of the root role.
    pub trust_root_id: Uuid,
}

/// What a repository that is sent is called.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UpdatesPutRepository {
    /// The name of the archive where it comes from, for people.
    pub file_name: String,
}

/// The path of one repository.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RepositoryPath {
    /// The version of the system that it has.
    #[param(value_type = String, pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$")]
    pub system_version: SystemVersion,
}

/// What an artifact is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct ArtifactId {
    /// Its name.
    pub name: String,
    /// Its version, in whatever way its kind counts.
    pub version: String,
    /// What it is for.
    pub kind: String,
}

/// A part of an update.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TufArtifactMeta {
    /// What it is known by.
    #[schema(inline = false)]
    pub id: ArtifactId,
    /// Its SHA-256.
    #[schema(value_type = String, format = "hex string (32 bytes)")]
    pub hash: ArtifactHash,
    /// Its length in bytes.
    #[schema(format = "uint64", minimum = 0)]
    pub size: u64,
    /// What its kind wants it to be signed with; null if it wants nothing.
    #[serde(default)]
    #[schema(required = false)]
    pub sign: Option<Vec<u8>>,
}

/// A repository as such.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TufRepoMeta {
    /// The SHA-256 of the archive.
    #[schema(value_type = String, format = "hex string (32 bytes)")]
    pub hash: ArtifactHash,
    /// The version of the role that lists its files.
    #[schema(format = "uint64", minimum = 0)]
    pub targets_role_version: u64,
    /// The first of its roles expires then.
    pub valid_until: Timestamp,
    /// The version of the system that it has.
    #[schema(value_type = String, pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$")]
    pub system_version: SystemVersion,
    /// What the archive was called where it came from.
    pub file_name: String,
}

/// A repository and what it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TufRepoDescription {
    /// The repository.
    #[schema(inline = false)]
    pub repo: TufRepoMeta,
    /// What it has.
    pub artifacts: Vec<TufArtifactMeta>,
}

/// Whether a repository was new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TufRepoInsertStatus {
    /// It was there already.
    AlreadyExists,
    /// It is there now.
    Inserted,
}

/// What became of a repository that was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TufRepoInsertResponse {
    /// The repository as it is known.
    #[schema(inline = false)]
    pub recorded: TufRepoDescription,
    /// Whether it was new.
    #[schema(inline = false)]
    pub status: TufRepoInsertStatus,
}

/// A repository that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TufRepoGetResponse {
    /// The repository.
    #[schema(inline = false)]
    pub description: TufRepoDescription,
}

/// Where the wanted release comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TargetReleaseSource {
    /// Nobody has said yet.
    Unspecified,
    /// A repository of the system.
    SystemVersion {
        /// The version of the system that it has.
        #[schema(value_type = String, pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$")]
        version: SystemVersion,
    },
}

/// The release that the operators want.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TargetRelease {
    /// Counts the decisions, from 1.
    pub generation: i64,
    /// When it was decided.
    pub time_requested: Timestamp,
    /// Where it comes from.
    #[schema(inline = false)]
    pub release_source: TargetReleaseSource,
}

/// The release that operators want from now on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SetTargetReleaseParams {
    /// The version of the system, of which there must be a repository.
    #[schema(value_type = String, pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$")]
    pub system_version: SystemVersion,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_hexadecimal_digits() {
        let text = format!("\"{}\"", "0aF1".repeat(16));
        let hash: ArtifactHash = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&hash).unwrap(), text.to_lowercase());
        for wrong in ["", "0a", &"0g".repeat(32), &"0".repeat(63), &"00".repeat(33), &"\u{e9}".repeat(32)] {
            serde_json::from_str::<ArtifactHash>(&format!("\"{wrong}\"")).unwrap_err();
        }
    }

    #[test]
    fn versions_are_semantic_ones() {
        let version = |text: &str| text.parse::<SystemVersion>();
        for (lesser, greater) in [("1.0.0-rc.1", "1.0.0"), ("1.9.0", "1.10.0"), ("1.0.0", "2.0.0-a")] {
            assert!(version(lesser).unwrap() < version(greater).unwrap());
        }
        for wrong in ["", "1", "1.0", "01.0.0", "v1.0.0", "1.0.0-", "1.0.0 "] {
            version(wrong).unwrap_err();
        }
        assert_eq!(version("1.2.3-a.b+c.d").unwrap().to_string(), "1.2.3-a.b+c.d");
    }
}
