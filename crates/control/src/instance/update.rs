use croft_api::{
    Error, Result,
    instance::{self as api, InstanceUpdate},
    scalar::{ByteCount, InstanceCpuCount, NameOrId},
};
use croft_store::records::{Disk, InstanceStage};

use super::{find, state::save, to_view};
use crate::{Caller, Cx, authz::Permission, instance::operation, project};

/// Maximum number of virtual CPUs of an instance.
const MAX_CPUS: u16 = 64;
/// Maximum memory of an instance, in GiB.
const MAX_MEMORY_GIB: u64 = 1536;

/// Checks the size of an instance, in the contract's order.
pub(super) fn check_size(ncpus: InstanceCpuCount, memory: ByteCount) -> Result<()> {
    if ncpus.0 > MAX_CPUS {
        return Err(Error::invalid_request(format!("cannot have more than {MAX_CPUS} vCPUs per instance")));
    }
    if ncpus.0 == 0 {
        return Err(Error::invalid_request("cannot have fewer than 1 vCPU per instance"));
    }
    let refuse = |text: String| Err(Error::invalid_value("size", text));
    if memory < ByteCount::GIB {
        return refuse(format!("memory must be at least {}", ByteCount::GIB));
    }
    if !memory.is_multiple_of(ByteCount::GIB) {
        return refuse(format!("memory must be divisible by {}", ByteCount::GIB));
    }
    if memory.bytes() > MAX_MEMORY_GIB * ByteCount::GIB.bytes() {
        return refuse(format!("memory must be less than or equal to {MAX_MEMORY_GIB} GiB"));
    }
    Ok(())
}

/// `instance_update`: absent fields are unset. Sending the stored values is allowed in every state.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    params: &InstanceUpdate,
) -> Result<api::Instance> {
    let mut instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_UPDATE)?.into_inner();
    check_size(params.ncpus, params.memory)?;
    let boot_disk: Option<Disk> = match &params.boot_disk {
        None => None,
        Some(selector) => {
            let project = project::enter(cx, caller, &NameOrId::Id(instance.project_id))?;
            let found = project::find_in::<Disk>(cx, &project, selector)?;
            Some(found.authorize(cx, caller, Permission::Read)?.into_inner())
        }
    };
    let resting = !matches!(instance.stage, InstanceStage::Active(_));
    if !resting && (params.ncpus != instance.ncpus || params.memory != instance.memory) {
        return Err(Error::conflict("instance must be stopped to be resized"));
    }
    let attached_here = |disk: &Disk| disk.attachment().is_some_and(|(id, _)| id == instance.meta.id);
    if boot_disk.as_ref().is_some_and(|disk| !attached_here(disk)) {
        return Err(Error::conflict("boot disk must be attached"));
    }
    let boot_disk_id = boot_disk.map(|disk| disk.meta.id);
    if !resting && boot_disk_id != instance.boot_disk_id {
        return Err(Error::conflict("instance must be stopped to set boot disk"));
    }
    instance.ncpus = params.ncpus;
    instance.memory = params.memory;
    instance.boot_disk_id = boot_disk_id;
    instance.auto_restart_policy = params.auto_restart_policy.map(Into::into);
    instance.meta.time_modified = cx.now;
    save(cx, &mut instance)?;
    Ok(to_view(&instance, cx.settings()))
}
