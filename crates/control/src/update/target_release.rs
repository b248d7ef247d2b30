//! The target release (`docs/rules/identity-and-system.md#target-release`).

use croft_api::{
    Error, Result,
    update::{SetTargetReleaseParams, TargetRelease},
};
use croft_store::{
    Meta, Tx,
    records::{FLEET, TargetReleaseSource, WantedRelease},
};

use super::{place, repository::find};
use crate::{
    Caller, Cx, Declaration, Resource,
    authz::{self, Kind, Permission},
    update::operation,
};

impl Resource for WantedRelease {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_UPDATE);
}

/// Adds the initial record to a new database: no target release is set.
pub(crate) fn open(cx: &mut Cx<'_, '_>) -> Result<()> {
    let meta = Meta::new(FLEET, cx.now);
    let source = TargetReleaseSource::Unspecified;
    Ok(cx.tx.insert(&WantedRelease { meta, generation: 1, time_requested: cx.now, source })?)
}

fn get(tx: &mut Tx<'_>) -> Result<WantedRelease> {
    tx.get(FLEET)?.ok_or_else(|| Error::internal("nothing says which release is wanted"))
}

fn to_view(release: WantedRelease) -> TargetRelease {
    let WantedRelease { generation, time_requested, source, .. } = release;
    TargetRelease { generation, time_requested, release_source: source.into() }
}

/// `target_release_view`.
pub fn target_release_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<TargetRelease> {
    authz::require(cx, caller, &place(), &operation::TARGET_RELEASE_VIEW)?;
    Ok(to_view(get(cx.tx)?))
}

/// `target_release_update`: must be the version of a repository, and not lower than the current target.
pub fn target_release_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &SetTargetReleaseParams,
) -> Result<TargetRelease> {
    authz::require(cx, caller, &place(), &operation::TARGET_RELEASE_UPDATE)?;
    let repository = find(cx, &params.system_version)?.authorize(cx, caller, Permission::Read)?;
    let wanted = repository.system_version.clone();
    let mut release = get(cx.tx)?;
    if let TargetReleaseSource::SystemVersion { version: current } = &release.source
        && wanted < *current
    {
        return Err(Error::invalid_request(format!(
            "The requested target system release ({wanted}) is older than the current target system release \
             ({current}). This is not supported."
        )));
    }
    release.generation += 1;
    release.time_requested = cx.now;
    release.meta.time_modified = cx.now;
    release.source = TargetReleaseSource::SystemVersion { version: wanted };
    cx.tx.update(&mut release)?;
    Ok(to_view(release))
}
