//! Verification of a repository in an archive with the trusted root roles.

use std::io::{Read, Seek};

use jiff::Timestamp;
use semver::Version;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::{
    Root,
    archive::Archive,
    role::{MetaFile, MetaRole, Signed, Target, TargetsRole, sha256_of},
};

/// Maximum length of a metadata file, in bytes.
const LARGEST_METADATA: u64 = 4 << 20;
/// Maximum number of successive root roles in a repository.
const MOST_ROOTS: usize = 256;
/// The target that lists the artifacts.
const ARTIFACTS: &str = "artifacts.json";
/// Maximum length of the name, kind and version of an artifact, in bytes.
const LONGEST_WORD: usize = 255;

/// A verified repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The index of the trusted root role that verifies it.
    pub root: usize,
    /// The version of the root role that verified the other roles: the trusted one, or the last one that follows it.
    pub root_version: u64,
    /// The last root roles that follow the trusted ones, if there are any. They replace those, so that keys that a
    /// later root role no longer contains become invalid.
    pub newer_roots: Vec<NewerRoot>,
    /// The version of the system in it.
    pub system_version: Version,
    /// The version of the targets role.
    pub targets_role_version: u64,
    /// The time at which the first of its roles expires.
    pub valid_until: Timestamp,
    /// Its artifacts, in the order of its list.
    pub artifacts: Vec<Artifact>,
}

/// The last of the root roles that follow a trusted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewerRoot {
    /// The index of the trusted root role that it follows.
    pub follows: usize,
    /// The role with its signatures.
    pub role: Value,
}

/// A part of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its kind.
    pub kind: String,
    /// Its SHA-256.
    pub hash: [u8; 32],
    /// Its length in bytes.
    pub length: u64,
}

/// The reason why an archive is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LoadError {
    /// It is not a readable archive.
    #[error("error opening archive: {0}")]
    Archive(String),
    /// It is not a repository that a trusted root role verifies.
    #[error("error loading repository: {0}")]
    Repository(String),
    /// Its list of artifacts does not match its content.
    #[error("error reading artifacts: {0}")]
    Artifacts(String),
}

#[derive(Deserialize)]
struct ArtifactsDocument {
    system_version: Version,
    artifacts: Vec<ListedArtifact>,
}

#[derive(Deserialize)]
struct ListedArtifact {
    name: String,
    version: String,
    kind: String,
    target: String,
}

/// Verifies the repository in an archive: it must be signed under one of the trusted root roles, none of its roles may
/// have expired, and each of its files must match its role.
///
/// # Errors
/// [`LoadError`], with a text for the sender of the archive.
pub fn load(archive: impl Read + Seek, trusted: &[Root], now: Timestamp) -> Result<Repository, LoadError> {
    let mut archive = Archive::open(archive).map_err(LoadError::Archive)?;
    if trusted.is_empty() {
        return Err(LoadError::Repository("no root role is trusted".to_owned()));
    }
    let mut reason = String::new();
    for (number, root) in trusted.iter().enumerate() {
        match Roles::read(&mut archive, root, now) {
            Ok(roles) => {
                let mut repository = roles.repository(&mut archive, number)?;
                repository.newer_roots = newer_roots(&mut archive, trusted);
                return Ok(repository);
            }
            Err(why) => reason = why,
        }
    }
    let several = if trusted.len() > 1 {
        "it is not signed under any trusted root role; the last one tried: "
    } else {
        ""
    };
    Err(LoadError::Repository(format!("{several}{reason}")))
}

/// The content of the signed roles.
struct Roles {
    targets: TargetsRole,
    valid_until: Timestamp,
    consistent_snapshot: bool,
    root_version: u64,
}

impl Roles {
    fn read(archive: &mut Archive<impl Read + Seek>, root: &Root, now: Timestamp) -> Result<Self, String> {
        let root = newest_root(archive, root)?.role;
        let file = |name: &str, version: u64| {
            if root.consistent_snapshot {
                format!("metadata/{version}.{name}.json")
            } else {
                format!("metadata/{name}.json")
            }
        };
        let of = |role: &'static str| move |why: String| format!("{role}: {why}");
        let bytes = archive.read("metadata/timestamp.json", LARGEST_METADATA)?;
        let timestamp: MetaRole = Signed::parse(&bytes)
            .and_then(|signed| signed.verified(&root, "timestamp"))
            .map_err(of("timestamp"))?;

        let entry = timestamp.meta.get("snapshot.json").ok_or("the timestamp role names no snapshot")?;
        let bytes = referenced_file(archive, &file("snapshot", entry.version), entry)?;
        let snapshot: MetaRole = Signed::parse(&bytes)
            .and_then(|signed| signed.verified(&root, "snapshot"))
            .map_err(of("snapshot"))?;
        same_version("snapshot", snapshot.version, entry)?;

        let entry = snapshot.meta.get("targets.json").ok_or("the snapshot role names no targets")?;
        let bytes = referenced_file(archive, &file("targets", entry.version), entry)?;
        let targets: TargetsRole = Signed::parse(&bytes)
            .and_then(|signed| signed.verified(&root, "targets"))
            .map_err(of("targets"))?;
        same_version("targets", targets.version, entry)?;

        let expirations = [
            ("root", root.expires),
            ("timestamp", timestamp.expires),
            ("snapshot", snapshot.expires),
            ("targets", targets.expires),
        ];
        let mut valid_until = root.expires;
        for (role, expires) in expirations {
            if expires <= now {
                return Err(format!("the {role} role expired at {expires}"));
            }
            valid_until = valid_until.min(expires);
        }
        let (consistent_snapshot, root_version) = (root.consistent_snapshot, root.version);
        Ok(Self { targets, valid_until, consistent_snapshot, root_version })
    }

    fn repository(
        self,
        archive: &mut Archive<impl Read + Seek>,
        root: usize,
    ) -> Result<Repository, LoadError> {
        let unfit = |why: String| LoadError::Repository(why);
        for (name, target) in &self.targets.targets {
            let (path, hash) = self.place(name, target).map_err(unfit)?;
            let (length, actual) = archive.digest(&path, target.length).map_err(unfit)?;
            if length != target.length || actual != hash {
                return Err(unfit(format!("the target {name} does not match its role")));
            }
        }
        self.listed(archive, root).map_err(LoadError::Artifacts)
    }

    /// The repository with its list of artifacts.
    fn listed(self, archive: &mut Archive<impl Read + Seek>, root: usize) -> Result<Repository, String> {
        let list =
            self.targets.targets.get(ARTIFACTS).ok_or_else(|| format!("there is no target {ARTIFACTS}"))?;
        let (path, _) = self.place(ARTIFACTS, list)?;
        let bytes = archive.read(&path, list.length.min(LARGEST_METADATA))?;
        let document: ArtifactsDocument =
            serde_json::from_slice(&bytes).map_err(|error| format!("{ARTIFACTS}: {error}"))?;
        let artifacts = document.artifacts.into_iter().map(|listed| {
            let words = [&listed.name, &listed.version, &listed.kind];
            if words.iter().any(|word| word.is_empty() || word.len() > LONGEST_WORD) {
                return Err(format!("an artifact's name, version and kind have 1 to {LONGEST_WORD} bytes"));
            }
            let target = self.targets.targets.get(&listed.target);
            let target = target.ok_or_else(|| format!("there is no target {}", listed.target))?;
            let (_, hash) = self.place(&listed.target, target)?;
            let ListedArtifact { name, version, kind, .. } = listed;
            Ok(Artifact { name, version, kind, hash, length: target.length })
        });
        let artifacts: Vec<Artifact> = artifacts.collect::<Result<_, _>>()?;
        let mut ids: Vec<_> = artifacts.iter().map(|one| (&one.name, &one.version, &one.kind)).collect();
        ids.sort_unstable();
        if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            let (name, version, kind) = twice[0];
            return Err(format!("{name} {version} of kind {kind} is listed twice"));
        }
        Ok(Repository {
            root,
            root_version: self.root_version,
            newer_roots: Vec::new(),
            system_version: document.system_version,
            targets_role_version: self.targets.version,
            valid_until: self.valid_until,
            artifacts,
        })
    }

    /// The path of a target and its expected hash.
    fn place(&self, name: &str, target: &Target) -> Result<(String, [u8; 32]), String> {
        let hash = target.sha256().ok_or_else(|| format!("the target {name} has no SHA-256"))?;
        let path = match name.rsplit_once('/') {
            _ if !self.consistent_snapshot => format!("targets/{name}"),
            Some((folder, last)) => format!("targets/{folder}/{}.{last}", hex::encode(hash)),
            None => format!("targets/{}.{name}", hex::encode(hash)),
        };
        Ok((path, hash))
    }
}

/// The last of the root roles that follow a trusted one, each signed with the keys of the previous one.
fn newest_root(archive: &mut Archive<impl Read + Seek>, trusted: &Root) -> Result<Root, String> {
    let mut root = trusted.clone();
    for _ in 0..MOST_ROOTS {
        let next = root.role.version.saturating_add(1);
        let path = format!("metadata/{next}.root.json");
        if !archive.has(&path) {
            return Ok(root);
        }
        let bytes = archive.read(&path, LARGEST_METADATA)?;
        root = root.succeeded_by(&bytes).map_err(|why| format!("root role {next}: {why}"))?;
    }
    Err(format!("more than {MOST_ROOTS} successive root roles"))
}

/// The last of the root roles that follow each trusted one, if there are any.
fn newer_roots(archive: &mut Archive<impl Read + Seek>, trusted: &[Root]) -> Vec<NewerRoot> {
    let mut newer = Vec::new();
    for (follows, root) in trusted.iter().enumerate() {
        if let Ok(newest) = newest_root(archive, root)
            && newest.version() > root.version()
        {
            newer.push(NewerRoot { follows, role: newest.document });
        }
    }
    newer
}

/// Reads a metadata file that another role refers to.
fn referenced_file(
    archive: &mut Archive<impl Read + Seek>,
    path: &str,
    file: &MetaFile,
) -> Result<Vec<u8>, String> {
    let bytes = archive.read(path, file.length.unwrap_or(LARGEST_METADATA).min(LARGEST_METADATA))?;
    let right_length = file.length.is_none_or(|length| length == bytes.len() as u64);
    let right_hash = match &file.hashes {
        None => true,
        Some(hashes) => {
            sha256_of(hashes).is_some_and(|hash| hash == <[u8; 32]>::from(Sha256::digest(&bytes)))
        }
    };
    if right_length && right_hash {
        Ok(bytes)
    } else {
        Err(format!("{path} does not match the role that refers to it"))
    }
}

fn same_version(role: &str, version: u64, file: &MetaFile) -> Result<(), String> {
    if version == file.version {
        return Ok(());
    }
    Err(format!(
        "the {role} role has version {version}, but the role that refers to it says {}",
        file.version
    ))
}
