//! Snapshots (`docs/rules/compute-and-storage.md#snapshots`).
//!
//! A request records the snapshot, and the [reconciler](crate::reconcile) has it taken; until then it is `creating`,
//! but images and disks can already be created from it. If its host cannot take it, it becomes `faulted`.

mod volume;

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    list::{FoundPage, ListQuery},
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::ProjectSelector,
    scalar::{Description, Name, NameOrId},
    snapshot::{self as api, SnapshotCreate},
};
use croft_store::{
    ListBy, Meta,
    records::{
        Disk, DiskContent, DiskStage, Image, Instance, MachineState, Snapshot, SnapshotStage, SnapshotVolume,
    },
};
use uuid::Uuid;

use crate::{
    Authorized, Caller, Cx, Declaration, LookupResult, Operation, Progress, Resource,
    authz::{Kind, Permission},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    listing::{self, Within},
    paging,
    project::{self, InProject},
    storage, usage,
};

pub use volume::freeing;
pub(crate) use volume::{announce as announce_volume, release as release_volume};

crate::authz::kinds! {
    /// A snapshot.
    SNAPSHOT = Row::in_project();
}

crate::authz::operations! {
    contract {
        SNAPSHOT_LIST = reads(Kind::PROJECT, Permission::List);
        SNAPSHOT_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        SNAPSHOT_VIEW = reads(Kind::SNAPSHOT, Permission::Read);
        SNAPSHOT_DELETE = changes(Kind::SNAPSHOT, Permission::Modify, 204);
    }
    extensions {
        SNAPSHOT_SEARCH = reads(Kind::PROJECT, Permission::List);
    }
}

impl Resource for Snapshot {
    const DECLARATION: Declaration = Declaration::in_project(Kind::SNAPSHOT)
        .message(ResourceKind::Snapshot)
        .blocks_project(5)
        .deletable(Self::DELETABLE);
}

impl InProject for Snapshot {
    const REFUSALS: [&'static str; 2] = [
        "when providing snapshot as an ID, project should not be specified",
        "snapshot should either be an ID or project should be specified",
    ];
}

impl Resource for SnapshotVolume {
    // Hosts free the space of deleted snapshots when they can.
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SLED);
}

fn to_view(snapshot: &Snapshot) -> api::Snapshot {
    api::Snapshot {
        id: snapshot.meta.id,
        name: snapshot.name.clone(),
        description: snapshot.description.clone(),
        time_created: snapshot.meta.time_created,
        time_modified: snapshot.meta.time_modified,
        project_id: snapshot.project_id,
        disk_id: snapshot.disk_id,
        size: snapshot.size,
        state: snapshot.state(),
    }
}

/// The progress of taking a snapshot; `None` if it is gone.
pub fn progress(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<Option<Progress<api::Snapshot>>> {
    let snapshot: Option<Snapshot> = cx.tx.get(id)?;
    Ok(snapshot.map(|snapshot| Progress {
        is_over: snapshot.stage != SnapshotStage::Creating,
        view: to_view(&snapshot),
    }))
}

/// Looks a snapshot up: by id without a project, or by name within one.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    snapshot: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<Snapshot>> {
    project::find_inside(cx, caller, snapshot, project)
}

/// The source snapshot of a new disk or image. It may still be `creating`.
pub(crate) fn source(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<Authorized<Snapshot>> {
    let snapshot =
        LookupResult::<Snapshot>::new(cx.tx.get(id)?, id).authorize(cx, caller, Permission::Read)?;
    if snapshot.stage == SnapshotStage::Faulted {
        return Err(Error::invalid_request("snapshot cannot be used in state Faulted"));
    }
    Ok(snapshot)
}

/// `snapshot_list`: the snapshots of a project.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Snapshot>> {
    let project = project::find(cx, caller, &query.selector.project)?.authorize(
        cx,
        caller,
        &operation::SNAPSHOT_LIST,
    )?;
    let snapshots: Vec<Snapshot> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    Ok(query.results(snapshots.iter().map(to_view).collect()))
}

/// `snapshot_search`: the snapshots of a project that are searched for.
pub fn search(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &ListQuery<ProjectSelector>,
) -> Result<FoundPage<api::Snapshot>> {
    let project = project::find(cx, caller, &query.selector.of.project)?;
    let project = project.authorize(cx, caller, &operation::SNAPSHOT_SEARCH)?;
    let found = listing::find::<Snapshot, _>(
        cx,
        Within::project(project.meta.id),
        query,
        Some(|snapshot| snapshot.state().label()),
    )?;
    Ok(found.page(query, to_view))
}

/// `snapshot_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    snapshot: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Snapshot> {
    let snapshot = find(cx, caller, snapshot, project)?.authorize(cx, caller, &operation::SNAPSHOT_VIEW)?;
    Ok(to_view(&snapshot))
}

/// `snapshot_create`: returns the snapshot as recorded; it is taken afterwards ([`progress`]).
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &SnapshotCreate,
) -> Result<api::Snapshot> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::SNAPSHOT_CREATE)?;
    check_description(&params.identity.description)?;
    let mut disk = project::find_in::<Disk>(cx, &project, &params.disk)?
        .authorize(cx, caller, Permission::Read)?
        .noted_for_audit(cx)
        .into_inner();
    if disk.project_id != project.meta.id {
        return Err(Error::invalid_request("can't create a snapshot of a disk in a different project"));
    }
    check_state(cx, &disk)?;
    let snapshot = begin(cx, &mut disk, params.identity.name.clone(), params.identity.description.clone())?;
    Ok(to_view(&snapshot))
}

/// Refuses a snapshot of a disk whose state does not allow it.
fn check_state(cx: &mut Cx<'_, '_>, disk: &Disk) -> Result<()> {
    let can_be_read = disk.built
        && match disk.stage {
            DiskStage::Detached => true,
            DiskStage::Attached { instance_id, .. } => {
                let instance: Option<Instance> = cx.tx.get(instance_id)?;
                instance.as_ref().and_then(Instance::machine).is_none_or(|machine| match machine.state {
                    MachineState::Running | MachineState::Rebooting | MachineState::Migrating => true,
                    MachineState::Starting | MachineState::Stopping | MachineState::Ended => false,
                })
            }
            DiskStage::Importing(_) | DiskStage::Faulted => false,
        };
    if can_be_read {
        return Ok(());
    }
    match disk.stage {
        // This is temporary: the client can wait for the instance.
        DiskStage::Attached { instance_id, .. } if disk.built => cx.unfinished = Some(instance_id),
        _ => cx.note_unfinished(disk),
    }
    let state = match disk.stage {
        DiskStage::Attached { .. } if disk.built => "its instance is starting or stopping",
        DiskStage::Attached { .. } => "it is being created",
        _ => disk.state().label(),
    };
    Err(Error::NotNow(format!("no snapshot can be taken of disk \"{}\" now: {state}", disk.name)))
}

/// Records a snapshot of a disk, reserves its space and charges the quota. Updates the disk if it has changed.
pub(crate) fn begin(
    cx: &mut Cx<'_, '_>,
    disk: &mut Disk,
    name: Name,
    description: Description,
) -> Result<Snapshot> {
    if disk.snapshotting.is_some() {
        return Err(Error::conflict("volume repair lock"));
    }
    if cx.tx.get_by_name::<Snapshot>(disk.project_id, name.as_str())?.is_some() {
        return Err(Error::exists(ResourceKind::Snapshot, &name));
    }
    let snapshot = Snapshot {
        meta: cx.new_meta(),
        silo_id: disk.silo_id,
        project_id: disk.project_id,
        name,
        description,
        disk_id: disk.meta.id,
        size: disk.size,
        block_size: disk.block_size,
        stage: SnapshotStage::Creating,
        time_due: Some(cx.now),
    };
    let volume = SnapshotVolume {
        meta: Meta::new(snapshot.meta.id, cx.now),
        silo_id: Some(disk.silo_id),
        size: disk.size.bytes(),
        pools: storage::allocate(cx, disk.size.bytes())?,
        time_due: None,
        refusals: 0,
    };
    usage::charge(cx, snapshot.silo_id, snapshot.project_id, usage::of_snapshot(&snapshot))?;
    cx.tx.insert(&volume)?;
    cx.insert_named(ResourceKind::Snapshot, &snapshot)?;
    disk.snapshotting = Some(snapshot.meta.id);
    cx.tx.update(disk)?;
    Ok(snapshot)
}

/// `snapshot_delete`: quota and space are released once nothing uses its volume and its host has freed it. Returns the
/// id of the volume to be freed ([`freeing`]).
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    snapshot: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Uuid> {
    let mut snapshot =
        find(cx, caller, snapshot, project)?.authorize(cx, caller, &operation::SNAPSHOT_DELETE)?.into_inner();
    deletable::require(cx, caller, &snapshot)?;
    usage::release_snapshot(cx, &snapshot)?;
    cx.tx.delete(&mut snapshot, cx.now)?;
    release_volume(cx, snapshot.meta.id)?;
    Ok(snapshot.meta.id)
}

impl Deletable for Snapshot {
    const DELETION: Operation = operation::SNAPSHOT_DELETE;
    const PATH: &'static str = "/v1/snapshots/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), None).map(drop)
    }

    fn refuse(&self, cx: &mut Cx<'_, '_>, _: &Caller) -> Result<()> {
        if self.stage != SnapshotStage::Creating {
            return Ok(());
        }
        cx.unfinished = Some(self.meta.id);
        Err(Error::invalid_request("snapshot cannot be deleted in state Creating"))
    }

    fn kept(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (kept, own) = (DeletionEffect::Kept, self.meta.id);
        let fits = |disk: &Disk| disk.content == DiskContent::Snapshot(own);
        Ok(vec![
            Dependents::list::<Image>(kept, ListBy::lookup(Image::VOLUME, own)),
            Dependents::scanned(kept, cx.tx, &ListBy::Parent(self.project_id), fits)?,
        ])
    }
}
