//! Disks (`docs/rules/compute-and-storage.md#disks`).

mod create;
pub mod import;

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    disk as api,
    list::{FoundPage, ListQuery},
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::ProjectSelector,
    scalar::NameOrId,
};
use croft_store::{
    ListBy,
    records::{Disk, DiskContent, DiskRemoval, DiskStage, Instance, Snapshot},
};

pub use create::create;
pub(crate) use create::{insert, validate};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Progress, Resource, SiloDeletion,
    authz::Kind,
    deletable::{self, Deletable},
    dependents::Dependents,
    listing::{self, Within},
    paging,
    project::{self, InProject},
    usage,
};

crate::authz::kinds! {
    /// A disk.
    DISK = Row::in_project();
}

crate::authz::operations! {
    contract {
        DISK_LIST = reads(Kind::PROJECT, Permission::List);
        DISK_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        DISK_VIEW = reads(Kind::DISK, Permission::Read);
        DISK_DELETE = changes(Kind::DISK, Permission::Modify, 204);
        DISK_BULK_WRITE_IMPORT_START = changes(Kind::DISK, Permission::Modify, 204);
        // Not in the audit log: its start and its stop are, and each write would cost a commit.
        DISK_BULK_WRITE_IMPORT = changes(Kind::DISK, Permission::Modify, 204).not_audited();
        DISK_BULK_WRITE_IMPORT_STOP = changes(Kind::DISK, Permission::Modify, 204);
        DISK_FINALIZE_IMPORT = changes(Kind::DISK, Permission::Modify, 204);
    }
    extensions {
        DISK_SEARCH = reads(Kind::PROJECT, Permission::List);
    }
}

pub(crate) fn to_view(disk: &Disk) -> api::Disk {
    let (image_id, snapshot_id) = match disk.content {
        DiskContent::Image(id) => (Some(id), None),
        DiskContent::Snapshot(id) => (None, Some(id)),
        DiskContent::Blank | DiskContent::Imported => (None, None),
    };
    api::Disk {
        id: disk.meta.id,
        name: disk.name.clone(),
        description: disk.description.clone(),
        time_created: disk.meta.time_created,
        time_modified: disk.meta.time_modified,
        project_id: disk.project_id,
        size: disk.size,
        block_size: disk.block_size.byte_count(),
        device_path: format!("/mnt/{}", disk.name),
        image_id,
        snapshot_id,
        state: disk.state(),
    }
}

impl Resource for Disk {
    const DECLARATION: Declaration = Declaration::in_project(Kind::DISK)
        .message(ResourceKind::Disk)
        .blocks_project(2)
        .deletable(Self::DELETABLE);
}

impl InProject for Disk {
    const REFUSALS: [&'static str; 2] = [
        "when providing disk as an ID project should not be specified",
        "disk should either be UUID or project should be specified",
    ];
}

impl Resource for DiskRemoval {
    // Hosts free the space of deleted disks when they can.
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// The progress of building a disk; `None` if the disk is gone.
pub fn progress(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<Option<Progress<api::Disk>>> {
    let disk: Option<Disk> = cx.tx.get(id)?;
    Ok(disk.map(|disk| Progress { is_over: !disk.is_being_made(), view: to_view(&disk) }))
}

/// Looks a disk up: by id without a project, or by name within one.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<Disk>> {
    project::find_inside(cx, caller, disk, project)
}

/// `disk_list`: the disks of a project.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Disk>> {
    let project =
        project::find(cx, caller, &query.selector.project)?.authorize(cx, caller, &operation::DISK_LIST)?;
    let disks: Vec<Disk> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    Ok(query.results(disks.iter().map(to_view).collect()))
}

/// `disk_search`: the disks of a project that are searched for.
pub fn search(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &ListQuery<ProjectSelector>,
) -> Result<FoundPage<api::Disk>> {
    let project = project::find(cx, caller, &query.selector.of.project)?;
    let project = project.authorize(cx, caller, &operation::DISK_SEARCH)?;
    let found = listing::find::<Disk, _>(
        cx,
        Within::project(project.meta.id),
        query,
        Some(|disk| disk.state().label()),
    )?;
    Ok(found.page(query, to_view))
}

/// `disk_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Disk> {
    let disk = find(cx, caller, disk, project)?.authorize(cx, caller, &operation::DISK_VIEW)?;
    Ok(to_view(&disk))
}

/// `disk_delete`: of idle and faulted disks. The quota is released immediately, the space once its host has freed it.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let mut disk =
        find(cx, caller, disk, project)?.authorize(cx, caller, &operation::DISK_DELETE)?.into_inner();
    deletable::require(cx, caller, &disk)?;
    usage::release(cx, disk.silo_id, disk.project_id, usage::of_disk(&disk))?;
    let removal = DiskRemoval {
        meta: croft_store::Meta::new(disk.meta.id, cx.now),
        size: disk.size.bytes(),
        pools: std::mem::take(&mut disk.pools),
        time_due: cx.now,
    };
    cx.tx.insert(&removal)?;
    disk.time_due = None;
    Ok(cx.tx.delete(&mut disk, cx.now)?)
}

impl Deletable for Disk {
    const DELETION: Operation = operation::DISK_DELETE;
    const PATH: &'static str = "/v1/disks/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), None)
    }

    fn refuse(&self, cx: &mut Cx<'_, '_>, _: &Caller) -> Result<()> {
        let state = self.state();
        if matches!(state, api::DiskState::Detached | api::DiskState::Faulted) {
            return Ok(());
        }
        // The instance of an attached disk prevents the deletion.
        if attached_to(cx, self)?.is_some() {
            return Ok(());
        }
        if self.attachment().is_none() {
            cx.note_unfinished(self);
        }
        Err(cannot_be_deleted(&state))
    }

    fn blockers(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let instance = attached_to(cx, self)?;
        let (instance, state) =
            (Dependents::found(DeletionEffect::Prevents, instance.as_slice()), self.state());
        Ok(vec![instance.refused(move |_| cannot_be_deleted(&state))])
    }

    fn kept(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (by, own) = (ListBy::Parent(self.project_id), self.meta.id);
        let fits = |snapshot: &Snapshot| snapshot.disk_id == own;
        Ok(vec![Dependents::scanned(DeletionEffect::Kept, cx.tx, &by, fits)?])
    }
}

fn attached_to(cx: &mut Cx<'_, '_>, disk: &Disk) -> Result<Option<Instance>> {
    match disk.attachment() {
        Some((instance, _)) => Ok(cx.tx.get(instance)?),
        None => Ok(None),
    }
}

fn cannot_be_deleted(state: &api::DiskState) -> Error {
    Error::invalid_request(format!("disk cannot be deleted in state \"{}\"", state.label()))
}

/// The name of a state in messages of attach and detach, for states other than attached and detached.
pub(crate) fn state_label(disk: &Disk) -> &'static str {
    debug_assert!(
        !matches!(disk.stage, DiskStage::Attached { .. }),
        "attached disks have messages of their own"
    );
    disk.state().label()
}
