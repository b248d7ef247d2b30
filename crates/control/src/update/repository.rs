//! Repositories of updates (`docs/rules/identity-and-system.md#update-repositories`).

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    update::{
        ArtifactHash, SystemVersion, TufArtifactMeta, TufRepoDescription, TufRepoGetResponse,
        TufRepoInsertResponse, TufRepoInsertStatus, TufRepoMeta,
    },
};
use croft_store::records::{ArtifactId, TufArtifact, TufRepository, TufTrustRoot};
use croft_tuf::{Artifact, Repository, Root};
use serde_json::Value;
use uuid::Uuid;

use super::{place, trust_root};
use crate::{
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind},
    update::operation,
};

impl Resource for TufRepository {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::SYSTEM_UPDATE).message(ResourceKind::TufRepo);
}

impl Resource for TufArtifact {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_UPDATE);
}

/// An archive that was uploaded and verified.
#[derive(Clone, Debug)]
pub struct VerifiedUpload {
    /// The stored trust root that verified it.
    pub trust_root: Uuid,
    /// The SHA-256 of the archive.
    pub hash: [u8; 32],
    /// Its content.
    pub repository: Repository,
    /// Newer root roles, by the ids of the trust roots that they follow.
    pub newer_roots: Vec<(Uuid, Value)>,
}

/// The repository of a version.
pub(super) fn find(cx: &mut Cx<'_, '_>, version: &SystemVersion) -> Result<LookupResult<TufRepository>> {
    let found: Option<TufRepository> = cx.tx.find(TufRepository::VERSION, TufRepository::version(version))?;
    Ok(LookupResult::new(found, Lookup::Other(format!("tuf-repo with id \"{version}\""))))
}

fn describe(cx: &mut Cx<'_, '_>, repository: &TufRepository) -> Result<TufRepoDescription> {
    let mut artifacts = Vec::new();
    for id in &repository.artifacts {
        let artifact: Option<TufArtifact> = cx.tx.find(TufArtifact::ID, TufArtifact::id(id))?;
        let lost =
            || Error::internal(format!("a repository refers to the artifact {id:?}, which does not exist"));
        let TufArtifact { id, hash, length, .. } = artifact.ok_or_else(lost)?;
        artifacts.push(TufArtifactMeta { id: id.into(), hash, size: length, sign: None });
    }
    let repo = TufRepoMeta {
        hash: repository.hash,
        targets_role_version: repository.targets_role_version,
        valid_until: repository.valid_until,
        system_version: repository.system_version.clone(),
        file_name: repository.file_name.clone(),
    };
    Ok(TufRepoDescription { repo, artifacts })
}

/// `system_update_get_repository`.
pub fn repository_view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    version: &SystemVersion,
) -> Result<TufRepoGetResponse> {
    let repository = find(cx, version)?.authorize(cx, caller, &operation::SYSTEM_UPDATE_GET_REPOSITORY)?;
    Ok(TufRepoGetResponse { description: describe(cx, &repository)? })
}

/// The trust roots for verifying a repository: the latest known versions, so that keys that a publisher has revoked are
/// not accepted.
pub fn trusted(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<Vec<(Uuid, Root)>> {
    authz::require(cx, caller, &place(), &operation::SYSTEM_UPDATE_PUT_REPOSITORY)?;
    let roots = trust_root::all(cx)?;
    roots.iter().map(|root| Ok((root.meta.id, trust_root::trusted(root.current())?))).collect()
}

/// `system_update_put_repository`: stores an uploaded repository, or returns the reason why it was refused.
pub fn repository_put(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    file_name: &str,
    uploaded: &Result<VerifiedUpload>,
) -> Result<TufRepoInsertResponse> {
    authz::require(cx, caller, &place(), &operation::SYSTEM_UPDATE_PUT_REPOSITORY)?;
    let VerifiedUpload { trust_root, hash, repository, newer_roots } =
        uploaded.as_ref().map_err(Clone::clone)?;
    let (version, hash) = (SystemVersion::from(repository.system_version.clone()), ArtifactHash(*hash));
    let known: Option<TufRepository> =
        cx.tx.find(TufRepository::VERSION, TufRepository::version(&version))?;
    let (status, stored) = match known {
        Some(known) if known.hash == hash => (TufRepoInsertStatus::AlreadyExists, known),
        Some(known) => {
            return Err(Error::Conflict(format!(
                "Uploaded repository with system version {version} has SHA256 hash {hash}, but existing repository \
                 has SHA256 hash {}.",
                known.hash
            )));
        }
        None => {
            check_root(cx, *trust_root, repository.root_version)?;
            let artifacts = insert_artifacts(cx, &repository.artifacts)?;
            let stored = TufRepository {
                meta: cx.new_meta(),
                system_version: version,
                hash,
                file_name: file_name.to_owned(),
                targets_role_version: repository.targets_role_version,
                valid_until: repository.valid_until,
                artifacts,
            };
            cx.tx.insert(&stored)?;
            (TufRepoInsertStatus::Inserted, stored)
        }
    };
    for (id, newer) in newer_roots {
        follow(cx, *id, newer)?;
    }
    Ok(TufRepoInsertResponse { recorded: describe(cx, &stored)?, status })
}

/// Refuses a repository whose trust root is no longer valid: it was removed, or a newer version is known.
fn check_root(cx: &mut Cx<'_, '_>, id: Uuid, version: u64) -> Result<()> {
    let is_trusted = match cx.tx.get::<TufTrustRoot>(id)? {
        Some(root) => trust_root::trusted(root.current())?.version() <= version,
        None => false,
    };
    if is_trusted {
        return Ok(());
    }
    Err(Error::invalid_request(
        "error loading repository: the root role that it is signed under is no longer trusted",
    ))
}

/// Stores a newer version of a trust root, unless a still newer one has been stored concurrently.
fn follow(cx: &mut Cx<'_, '_>, id: Uuid, newer: &Value) -> Result<()> {
    let Some(mut root) = cx.tx.get::<TufTrustRoot>(id)? else { return Ok(()) };
    if trust_root::trusted(newer)?.version() > trust_root::trusted(root.current())?.version() {
        trust_root::advance(cx, &mut root, newer)?;
    }
    Ok(())
}

/// Stores new artifacts, unless one of them conflicts with a stored one, or with another one of the same repository.
fn insert_artifacts(cx: &mut Cx<'_, '_>, artifacts: &[Artifact]) -> Result<Vec<ArtifactId>> {
    let (mut ids, mut clashes) = (Vec::new(), Vec::new());
    for artifact in artifacts {
        let Artifact { name, version, kind, hash, length } = artifact;
        let id = ArtifactId { name: name.clone(), version: version.clone(), kind: kind.clone() };
        let hash = ArtifactHash(*hash);
        let same_id: Option<TufArtifact> = cx.tx.find(TufArtifact::ID, TufArtifact::id(&id))?;
        let content = TufArtifact::content(kind, hash);
        let same_content: Option<TufArtifact> = cx.tx.find(TufArtifact::CONTENT, content)?;
        match (same_id, same_content) {
            (Some(known), _) if known.hash != hash || known.length != *length => clashes.push(format!(
                "{name} {version} of kind {kind} has SHA256 hash {hash} and {length} bytes, but the existing one has \
                 SHA256 hash {} and {} bytes",
                known.hash, known.length
            )),
            (_, Some(known)) if known.id != id => clashes.push(format!(
                "{name} {version} of kind {kind} has SHA256 hash {hash}, as the existing {} {} of that kind has",
                known.id.name, known.id.version
            )),
            (Some(_), _) => {}
            (None, _) => {
                let meta = cx.new_meta();
                cx.tx.insert(&TufArtifact { meta, id: id.clone(), hash, length: *length })?;
            }
        }
        ids.push(id);
    }
    if clashes.is_empty() {
        return Ok(ids);
    }
    Err(Error::Conflict(format!(
        "Uploaded artifacts don't match existing artifacts with same IDs:\n{}",
        clashes.join("\n")
    )))
}
