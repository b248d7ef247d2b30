//! Disks of an instance (`docs/rules/compute-and-storage.md#attaching-and-detaching-disks`).

use croft_api::{
    Error, Result, disk as disk_api,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::OptionalProjectSelector,
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Sort,
    records::{Disk, DiskStage, Instance, InstanceStage, Project},
};

use super::{MAX_DISKS, find};
use crate::{
    Authorized, Caller, Cx, LookupResult, authz::Permission, disk, instance::operation, paging, project,
};

pub(super) const TOO_MANY_DISKS: &str = "cannot attach more than 8 disks to instance";

/// `instance_disk_list`.
pub fn disk_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    query: &PageQuery<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<disk_api::Disk>> {
    let instance = find(cx, caller, instance, query.selector.project.as_ref())?.authorize(
        cx,
        caller,
        &operation::INSTANCE_DISK_LIST,
    )?;
    let by = ListBy::lookup(Disk::INSTANCE, instance.meta.id);
    let disks: Vec<Disk> = paging::page(cx.tx, by, query)?;
    Ok(query.results(disks.iter().map(disk::to_view).collect()))
}

/// `instance_disk_attach`: uses the lowest free slot.
pub fn disk_attach(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    disk: &NameOrId,
) -> Result<disk_api::Disk> {
    let instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_DISK_ATTACH)?;
    let disk = find_disk(cx, caller, &instance, disk)?.into_inner();
    Ok(disk::to_view(&attach(cx, &instance, disk)?))
}

/// `instance_disk_detach`.
pub fn disk_detach(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    disk: &NameOrId,
) -> Result<disk_api::Disk> {
    let instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_DISK_DETACH)?;
    let disk = find_disk(cx, caller, &instance, disk)?.into_inner();
    Ok(disk::to_view(&detach(cx, &instance, disk)?))
}

/// The disk named by a request. The caller must be allowed to modify it.
fn find_disk(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &Authorized<Instance>,
    disk: &NameOrId,
) -> Result<Authorized<Disk>> {
    let project: LookupResult<Project> = project::find(cx, caller, &NameOrId::Id(instance.project_id))?;
    let project = project.authorize(cx, caller, Permission::Read)?;
    project::find_in::<Disk>(cx, &project, disk)?.authorize(cx, caller, Permission::Modify)
}

/// Attaches a disk to an instance without a machine.
pub(super) fn attach(cx: &mut Cx<'_, '_>, instance: &Instance, mut disk: Disk) -> Result<Disk> {
    let refuse = |text: String| Err(Error::invalid_request(text));
    if disk.project_id != instance.project_id {
        return refuse("disk must be in the same project as the instance".to_owned());
    }
    match disk.stage {
        DiskStage::Attached { instance_id, .. } if instance_id == instance.meta.id => Ok(disk),
        DiskStage::Attached { .. } => {
            refuse(format!("cannot attach disk \"{}\": disk is attached to another instance", disk.name))
        }
        DiskStage::Detached if disk.snapshotting.is_none() => {
            match instance.stage {
                InstanceStage::Active(_) => {
                    return refuse("cannot attach disk: instance is not fully stopped".to_owned());
                }
                InstanceStage::Failed => {
                    return refuse("cannot attach disk to instance in failed state".to_owned());
                }
                InstanceStage::Stopped | InstanceStage::Creating => {}
            }
            let slot = free_slot(cx, instance)?;
            disk.stage = DiskStage::Attached { instance_id: instance.meta.id, slot };
            cx.tx.update(&mut disk)?;
            Ok(disk)
        }
        DiskStage::Detached | DiskStage::Importing(_) | DiskStage::Faulted => {
            cx.note_unfinished(&disk);
            let state = disk::state_label(&disk);
            refuse(format!("cannot attach disk \"{}\": invalid state {state}", disk.name))
        }
    }
}

fn free_slot(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<u8> {
    let by = ListBy::lookup(Disk::INSTANCE, instance.meta.id);
    let disks: Vec<Disk> = cx.tx.page(by, Sort::IdAsc, None, MAX_DISKS)?;
    let taken: Vec<u8> = disks.iter().filter_map(Disk::attachment).map(|(_, slot)| slot).collect();
    (0_u8..)
        .take(MAX_DISKS)
        .find(|slot| !taken.contains(slot))
        .ok_or_else(|| Error::invalid_request(TOO_MANY_DISKS))
}

fn detach(cx: &mut Cx<'_, '_>, instance: &Instance, mut disk: Disk) -> Result<Disk> {
    let refuse = |text: String| Err(Error::invalid_request(text));
    match disk.stage {
        DiskStage::Detached if disk.can_run() => return Ok(disk),
        DiskStage::Attached { instance_id, .. } if instance_id == instance.meta.id => {}
        DiskStage::Attached { .. } => {
            return refuse(format!(
                "cannot detach disk \"{}\": disk is attached to another instance",
                disk.name
            ));
        }
        DiskStage::Detached | DiskStage::Importing(_) | DiskStage::Faulted => {
            let state = disk::state_label(&disk);
            return refuse(format!("cannot detach disk \"{}\": invalid state {state}", disk.name));
        }
    }
    let boots_from_it = instance.boot_disk_id == Some(disk.meta.id);
    match instance.stage {
        InstanceStage::Active(_) => {
            return refuse("cannot detach disk: instance is not fully stopped".to_owned());
        }
        InstanceStage::Stopped | InstanceStage::Creating if boots_from_it => {
            return Err(Error::conflict("boot disk cannot be detached"));
        }
        InstanceStage::Failed if boots_from_it => {
            return refuse("cannot detach disk from instance in failed state".to_owned());
        }
        InstanceStage::Stopped | InstanceStage::Creating | InstanceStage::Failed => {}
    }
    disk.stage = DiskStage::Detached;
    cx.tx.update(&mut disk)?;
    Ok(disk)
}
