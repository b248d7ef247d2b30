use std::collections::BTreeSet;

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    instance::{
        self as api, ExternalIpCreate, InstanceCreate, InstanceDiskAttachment,
        InstanceNetworkInterfaceAttachment,
    },
    scalar::NameOrId,
};
use croft_store::records::{Disk, Instance, InstanceStage, Project, WantedState};

use super::{
    MAX_DISKS,
    attach::{TOO_MANY_DISKS, attach},
    power,
    state::save,
    to_view,
    update::check_size,
};
use crate::{
    Authorized, Caller, Cx, affinity, authz::Permission, disk, ip_pool, operation, project, ssh_key,
};

/// Most external addresses of an instance, floating ones included.
const MAX_EXTERNAL_IPS: usize = 32;
/// Most network interfaces of an instance.
const MAX_NETWORK_INTERFACES: usize = 8;
/// Longest host name that is stored, in characters.
const MAX_HOSTNAME: usize = 63;

/// `instance_create`: the instance with all it asks for, or nothing. That it cannot be started does not undo it.
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
    check_references(cx, caller, params)?;
    let mut instance = insert(cx, &project, params, ssh_key_ids)?;
    affinity::join(cx, &instance, &groups)?;
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
            Err(error @ (Error::Unavailable { .. } | Error::Internal { .. })) => return Err(error),
            Err(error) => {
                tracing::info!(instance = %instance.meta.id, %error, "a new instance could not be started");
            }
        }
    }
    Ok(to_view(&instance, cx.settings()))
}

/// What the request and what its disks are made from tell, in the contract's order.
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
    let refuse = |text: String| Err(Error::invalid_request(text));
    if params.external_ips.len() > MAX_EXTERNAL_IPS {
        return refuse(format!(
            "An instance may not have more than {MAX_EXTERNAL_IPS} external IP addresses"
        ));
    }
    let ephemeral =
        params.external_ips.iter().filter(|ip| matches!(ip, ExternalIpCreate::Ephemeral { .. })).count();
    if ephemeral > 1 {
        return refuse("An instance may not have more than 1 ephemeral IP address".to_owned());
    }
    if let InstanceNetworkInterfaceAttachment::Create(interfaces) = &params.network_interfaces {
        if interfaces.len() > MAX_NETWORK_INTERFACES {
            return refuse(format!(
                "An instance may not have more than {MAX_NETWORK_INTERFACES} network interfaces"
            ));
        }
        let vpcs: BTreeSet<_> = interfaces.iter().map(|interface| &interface.vpc_name).collect();
        if vpcs.len() != 1 {
            return refuse("All interfaces must be in the same VPC".to_owned());
        }
    }
    if params.hostname.as_str().len() > MAX_HOSTNAME {
        return Err(Error::invalid_value(
            "hostname",
            format!("must be no longer than {MAX_HOSTNAME} characters"),
        ));
    }
    project::check_description(&params.identity.description)
}

/// What the request points at and this version does not have: floating IPs are truly not found, as are pools that the silo may not draw from; networking that would have to be made is refused.
fn check_references(cx: &mut Cx<'_, '_>, caller: &Caller, params: &InstanceCreate) -> Result<()> {
    if matches!(params.network_interfaces, InstanceNetworkInterfaceAttachment::Create(_)) {
        return Err(Error::invalid_value(
            "network_interfaces",
            "this version has no VPC networking yet; ask for \"default\" or \"none\"",
        ));
    }
    match params.external_ips.first() {
        None => Ok(()),
        Some(ExternalIpCreate::Floating { floating_ip }) => {
            Err(Error::not_found(ResourceKind::FloatingIp, Lookup::from(floating_ip)))
        }
        Some(ExternalIpCreate::Ephemeral { pool }) => {
            if let Some(pool) = pool {
                ip_pool::require_linked(cx, caller, pool)?;
            }
            Err(Error::invalid_value(
                "external_ips",
                "this version has no VPC networking yet, so an instance cannot have an external address",
            ))
        }
    }
}

fn all_disks(params: &InstanceCreate) -> impl Iterator<Item = &InstanceDiskAttachment> {
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
        auto_restart_policy: params.auto_restart_policy,
        time_last_auto_restarted: None,
        stage: InstanceStage::Stopped,
        wanted: if params.start { WantedState::Running } else { WantedState::Stopped },
        time_run_state_updated: cx.now,
        time_due: None,
    };
    cx.insert_named(ResourceKind::Instance, &instance)?;
    Ok(instance)
}

/// Creates the disks to be created, then attaches all of them, the boot disk first. Answers the boot disk's id.
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
        let disk: Disk =
            disk::find_in(cx, project, &selector)?.authorize(cx, caller, Permission::Modify)?.into_inner();
        let disk = attach(cx, instance, disk)?;
        if position == 0 && params.boot_disk.is_some() {
            boot_disk = Some(disk.meta.id);
        }
    }
    Ok(boot_disk)
}
