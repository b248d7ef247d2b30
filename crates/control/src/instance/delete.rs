use croft_api::{Error, Result, scalar::NameOrId};
use croft_store::{
    ListBy,
    records::{Disk, DiskStage, InstanceStage, WantedState},
};

use super::{activity, find};
use crate::{Caller, Cx, affinity, external_ip, instance::operation, network_interface, paging};

/// `instance_delete`: of stopped and failed instances. Disks and floating IPs are detached; name and addresses are free
/// immediately.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let mut instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_DELETE)?.into_inner();
    match instance.stage {
        InstanceStage::Stopped | InstanceStage::Failed => {}
        InstanceStage::Creating => {
            return Err(Error::invalid_request("instance cannot be deleted in state \"creating\""));
        }
        InstanceStage::Active(_) => {
            return Err(Error::invalid_request(
                "cannot delete instance: instance is running or has not yet fully stopped",
            ));
        }
    }
    for mut disk in paging::all::<Disk>(cx.tx, &ListBy::lookup(Disk::INSTANCE, instance.meta.id))? {
        disk.stage = DiskStage::Detached;
        cx.tx.update(&mut disk)?;
    }
    affinity::remove_from_all(cx, &instance)?;
    network_interface::delete_all(cx, &instance)?;
    external_ip::release_all(cx, &instance)?;
    activity::delete_all(cx, instance.meta.id)?;
    instance.wanted = WantedState::Destroyed;
    instance.time_due = None;
    Ok(cx.tx.delete(&mut instance, cx.now)?)
}
