//! Network interfaces of instances (`docs/rules/networking.md#network-interfaces`).

mod create;
mod transit;

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    network_interface::{
        self as api, InstanceNetworkInterfaceUpdate, InstanceSelector, OptionalInstanceSelector,
    },
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{
    ListBy,
    records::{Instance, InstanceStage, NetworkInterface},
};
use uuid::Uuid;

pub use create::create;
pub(crate) use create::{find_subnet, insert, insert_default, take_address, take_mac};

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::{Kind, Permission},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::change_identity,
    external_ip, free_run, paging, project,
};

crate::authz::operations! {
    contract {
        INSTANCE_NETWORK_INTERFACE_LIST = reads(Kind::INSTANCE, Permission::List);
        INSTANCE_NETWORK_INTERFACE_CREATE = changes(Kind::INSTANCE, Permission::Create, 201);
        INSTANCE_NETWORK_INTERFACE_VIEW = reads(Kind::INSTANCE, Permission::Read);
        INSTANCE_NETWORK_INTERFACE_UPDATE = changes(Kind::INSTANCE, Permission::Modify, 200);
        INSTANCE_NETWORK_INTERFACE_DELETE = changes(Kind::INSTANCE, Permission::Modify, 204);
    }
}

impl Resource for NetworkInterface {
    const DECLARATION: Declaration = Declaration::in_project(Kind::INSTANCE)
        .message(ResourceKind::InstanceNetworkInterface)
        .deletable(Self::DELETABLE);
}

/// Maximum number of network interfaces of an instance.
pub(crate) const MAX_INTERFACES: u8 = 8;

/// Converts an interface to its view; `None` if it belongs to no instance.
pub(crate) fn to_view(interface: &NetworkInterface) -> Option<api::InstanceNetworkInterface> {
    Some(api::InstanceNetworkInterface {
        id: interface.meta.id,
        name: interface.name.clone(),
        description: interface.description.clone(),
        time_created: interface.meta.time_created,
        time_modified: interface.meta.time_modified,
        instance_id: interface.instance_id()?,
        vpc_id: interface.vpc_id,
        subnet_id: interface.subnet_id,
        mac: interface.mac,
        ip: interface.ip,
        primary: interface.primary,
        transit_ips: interface.transit_ips.clone(),
    })
}

fn view_of(interface: &NetworkInterface) -> Result<api::InstanceNetworkInterface> {
    to_view(interface).ok_or_else(|| Error::internal("the interface belongs to no instance"))
}

/// Looks an interface up: by id without parents, or by name on an instance.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    interface: &NameOrId,
    on: &OptionalInstanceSelector,
) -> Result<LookupResult<NetworkInterface>> {
    match (interface, &on.instance) {
        (NameOrId::Id(id), None) if on.project.is_none() => {
            let interface: Option<NetworkInterface> = cx.tx.get(*id)?;
            Ok(LookupResult::new(interface.filter(|interface| interface.instance_id().is_some()), *id))
        }
        (NameOrId::Id(_), _) => Err(Error::invalid_request(
            "when providing network_interface as an id instance and project should not be specified",
        )),
        (NameOrId::Name(_), None) => Err(Error::invalid_request(
            "network_interface should either be a UUID or instance should be specified",
        )),
        (NameOrId::Name(name), Some(instance)) => {
            let instance = project::find_inside::<Instance>(cx, caller, instance, on.project.as_ref())?;
            let instance = instance.authorize(cx, caller, Permission::Read)?;
            Ok(LookupResult::new(cx.tx.get_by_name(instance.meta.id, name.as_str())?, name))
        }
    }
}

/// The interfaces of an instance, unsorted.
pub(crate) fn all_of(cx: &mut Cx<'_, '_>, instance: Uuid) -> Result<Vec<NetworkInterface>> {
    paging::all(cx.tx, &ListBy::Parent(instance))
}

/// `instance_network_interface_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<InstanceSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::InstanceNetworkInterface>> {
    let InstanceSelector { instance, project } = &query.selector;
    let instance = project::find_inside::<Instance>(cx, caller, instance, project.as_ref())?;
    let instance = instance.authorize(cx, caller, &operation::INSTANCE_NETWORK_INTERFACE_LIST)?;
    let interfaces: Vec<NetworkInterface> = paging::page(cx.tx, ListBy::Parent(instance.meta.id), query)?;
    Ok(query.results(interfaces.iter().filter_map(to_view).collect()))
}

/// `instance_network_interface_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    interface: &NameOrId,
    on: &OptionalInstanceSelector,
) -> Result<api::InstanceNetworkInterface> {
    let interface = find(cx, caller, interface, on)?;
    view_of(&*interface.authorize(cx, caller, &operation::INSTANCE_NETWORK_INTERFACE_VIEW)?)
}

fn instance_of(cx: &mut Cx<'_, '_>, interface: &NetworkInterface) -> Result<Instance> {
    let instance = match interface.instance_id() {
        Some(id) => cx.tx.get(id)?,
        None => None,
    };
    instance.ok_or_else(|| Error::internal(format!("interface {} has no instance", interface.meta.id)))
}

/// `instance_network_interface_update`: of stopped instances. Absent names and descriptions are unchanged; transit
/// addresses are replaced. An interface that is made primary replaces the previous one.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    interface: &NameOrId,
    on: &OptionalInstanceSelector,
    params: &InstanceNetworkInterfaceUpdate,
) -> Result<api::InstanceNetworkInterface> {
    let interface = find(cx, caller, interface, on)?;
    let interface = interface.authorize(cx, caller, &operation::INSTANCE_NETWORK_INTERFACE_UPDATE)?;
    let mut interface = interface.into_inner();
    transit::check(&params.transit_ips)?;
    let instance = instance_of(cx, &interface)?;
    if instance.stage != InstanceStage::Stopped {
        return Err(Error::invalid_request("Instance must be stopped to update its network interfaces"));
    }
    change_identity(&mut interface.name, &mut interface.description, &params.identity)?;
    let promoted = params.primary && !interface.primary;
    if promoted {
        demote_primary(cx, &instance)?;
        interface.primary = true;
    }
    interface.transit_ips.clone_from(&params.transit_ips);
    interface.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::InstanceNetworkInterface, &mut interface)?;
    if promoted {
        external_ip::fit_source_nat(cx, &instance)?;
    }
    view_of(&interface)
}

fn demote_primary(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<()> {
    for mut other in all_of(cx, instance.meta.id)?.into_iter().filter(|other| other.primary) {
        other.primary = false;
        other.meta.time_modified = cx.now;
        cx.tx.update(&mut other)?;
    }
    Ok(())
}

/// `instance_network_interface_delete`: of stopped and failed instances. The primary one is deleted last.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    interface: &NameOrId,
    on: &OptionalInstanceSelector,
) -> Result<()> {
    let interface = find(cx, caller, interface, on)?;
    let interface =
        interface.authorize(cx, caller, &operation::INSTANCE_NETWORK_INTERFACE_DELETE)?.into_inner();
    deletable::require(cx, caller, &interface)?;
    release(cx, interface)
}

impl Deletable for NetworkInterface {
    const DELETION: Operation = operation::INSTANCE_NETWORK_INTERFACE_DELETE;
    const PATH: &'static str = "/v1/network-interfaces/";

    fn find(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<LookupResult<Self>> {
        find(cx, caller, &NameOrId::Id(id), &OptionalInstanceSelector::default())
    }

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), &OptionalInstanceSelector::default())
    }

    fn refuse(&self, cx: &mut Cx<'_, '_>, _: &Caller) -> Result<()> {
        if self.instance_id().is_none() {
            return Err(Error::invalid_request("the network interface of a probe is deleted with the probe"));
        }
        match instance_of(cx, self)?.stage {
            InstanceStage::Active(_) => Err(Error::invalid_request(
                "Instance must be stopped or failed to detach a network interface",
            )),
            InstanceStage::Creating | InstanceStage::Stopped | InstanceStage::Failed => Ok(()),
        }
    }

    fn blockers(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let mut others = if self.primary { all_of(cx, self.parent.id())? } else { Vec::new() };
        others.retain(|other| other.meta.id != self.meta.id);
        Ok(vec![Dependents::found(DeletionEffect::Prevents, &others).along().refused_because(
            "The primary interface may not be deleted while secondary interfaces are still attached",
        )])
    }
}

/// Deletes the interfaces of an instance that is being deleted.
pub(crate) fn delete_all(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<()> {
    for interface in all_of(cx, instance.meta.id)? {
        release(cx, interface)?;
    }
    Ok(())
}

/// Deletes an interface and frees its addresses.
pub(crate) fn release(cx: &mut Cx<'_, '_>, mut interface: NetworkInterface) -> Result<()> {
    free_run::give(cx, interface.vpc_id, interface.mac.into(), interface.mac.into())?;
    // IPv6 addresses are not allocated from free runs, so there is nothing to return.
    if interface.ip.is_ipv4() {
        free_run::give(cx, interface.subnet_id, interface.ip.into(), interface.ip.into())?;
    }
    Ok(cx.tx.delete(&mut interface, cx.now)?)
}
