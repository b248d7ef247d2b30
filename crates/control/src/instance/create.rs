use croft_api::{
    Error, ResourceKind, Result,
    instance::{self as api, InstanceCreate, InstanceDiskAttachment},
    scalar::NameOrId,
};
use croft_store::records::{Disk, Instance, InstanceStage, Project, WantedState};

use super::{
    MAX_DISKS, activity,
    attach::{TOO_MANY_DISKS, attach},
    network::{build_network, check_network},
    power,
    state::save,
    to_view,
    update::check_size,
};
use crate::{
    AfterError, Authorized, Caller, Cx, affinity, audit, authz::Permission, description::check_description,
    disk, instance::operation, project, ssh_key,
};

/// Maximum length of a host name, in characters.
const MAX_HOSTNAME: usize = 63;

/// `instance_create`: creates the instance with everything it requests, or nothing. A failure to start does not undo
/// the creation.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &InstanceCreate,
) -> Result<api::Instance> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::INSTANCE_CREATE)?;
    check_limits(cx, caller, &project, params)?;
    let ssh_key_ids = ssh_key::choose(cx, caller, params.ssh_public_keys.as_deref())?;
    let groups = affinity::choose_anti_affinity(cx, caller, &project, &params.anti_affinity_groups)?;
    let mut instance = insert(cx, &project, params, ssh_key_ids)?;
    cx.instance_id = Some(instance.meta.id);
    affinity::join(cx, &instance, &groups)?;
    build_network(cx, caller, &instance, params)?;
    let boot_disk = build_disks(cx, caller, &project, &instance, params)?;
    if boot_disk.is_some() {
        instance.boot_disk_id = boot_disk;
        save(cx, &mut instance)?;
    }
    if params.start {
        let started = cx.attempt(|cx| {
            let mut started = instance.clone();
            power::begin(cx, &mut started)?;
            Ok(started)
        });
        match started {
            Ok(started) => instance = started,
            Err(error) if audit::is_transient(&error) => return Err(error),
            Err(error) => {
                tracing::info!(instance = %instance.meta.id, %error, "a new instance could not be started");
                if let Some(AfterError::StartRefused { note, .. }) = cx.after_error.take() {
                    activity::record(cx, &instance, &note)?;
                }
            }
        }
    }
    Ok(to_view(&instance, cx.settings()))
}

/// Checks the parameters and the sources of disks, in the contract's order.
fn check_limits(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &Authorized<Project>,
    params: &InstanceCreate,
) -> Result<()> {
    check_size(params.ncpus, params.memory)?;
    if all_disks(params).count() > MAX_DISKS {
        return Err(Error::invalid_request(TOO_MANY_DISKS));
    }
    for attachment in all_disks(params) {
        if let InstanceDiskAttachment::Create(disk) = attachment {
            disk::validate(cx, caller, project, disk)?;
        }
    }
    check_network(params)?;
    if params.hostname.as_str().len() > MAX_HOSTNAME {
        return Err(Error::invalid_value(
            "hostname",
            format!("must be no longer than {MAX_HOSTNAME} characters"),
        ));
    }
    check_description(&params.identity.description)
}

pub(super) fn all_disks(params: &InstanceCreate) -> impl Iterator<Item = &InstanceDiskAttachment> {
    params.boot_disk.iter().chain(&params.disks)
}

fn insert(
    cx: &mut Cx<'_, '_>,
    project: &Authorized<Project>,
    params: &InstanceCreate,
    ssh_key_ids: Vec<uuid::Uuid>,
) -> Result<Instance> {
    let instance = Instance {
        meta: cx.new_meta(),
        silo_id: project.silo_id,
        project_id: project.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        hostname: params.hostname.clone(),
        ncpus: params.ncpus,
        memory: params.memory,
        user_data: params.user_data.clone(),
        ssh_key_ids,
        boot_disk_id: None,
        auto_restart_policy: params.auto_restart_policy.map(Into::into),
        time_last_auto_restarted: None,
        stage: InstanceStage::Stopped,
        wanted: if params.start { WantedState::Running } else { WantedState::Stopped },
        time_run_state_updated: cx.now,
        time_due: None,
    };
    cx.insert_named(ResourceKind::Instance, &instance)?;
    Ok(instance)
}

/// Creates the requested new disks, then attaches all disks, the boot disk first. Returns the boot disk's id.
fn build_disks(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &Authorized<Project>,
    instance: &Instance,
    params: &InstanceCreate,
) -> Result<Option<uuid::Uuid>> {
    for attachment in all_disks(params) {
        if let InstanceDiskAttachment::Create(disk) = attachment {
            let valid = disk::validate(cx, caller, project, disk)?;
            disk::insert(cx, project, &valid)?;
        }
    }
    let mut boot_disk = None;
    for (position, attachment) in all_disks(params).enumerate() {
        let selector = NameOrId::Name(attachment.name().clone());
        let disk: Disk = project::find_in::<Disk>(cx, project, &selector)?
            .authorize(cx, caller, Permission::Modify)?
            .into_inner();
        let disk = attach(cx, instance, disk)?;
        if position == 0 && params.boot_disk.is_some() {
            boot_disk = Some(disk.meta.id);
        }
    }
    Ok(boot_disk)
}
