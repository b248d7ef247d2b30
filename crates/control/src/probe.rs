//! Probes (`docs/rules/networking.md#probes`), with which operators of the fleet test the network of a project. They
//! are records only: nothing runs on the sled.

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    probe::{
        self as api, NetworkInterfaceKind, ProbeCreate, ProbeExternalIp, ProbeExternalIpKind, ProbeInfo,
    },
    project::ProjectSelector,
    scalar::{IpNet, Name, NameOrId},
};
use croft_store::{
    ListBy, Tx,
    records::{InterfaceParent, NetworkInterface, Probe, Project, Sled, Vpc, VpcSubnet},
};
use uuid::Uuid;

use crate::{
    Authorized, Caller, Cx, Declaration, LookupResult, Operation, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, Permission, ResourceScope},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    ip_pool::{self, Family},
    network_interface, paging, project,
};

crate::authz::kinds! {
    /// The permission for probes, in addition to that on the project.
    PROBE = Row::at(croft_api::permission::PermissionLevel::Project).fleet(["rl", "rl", "rlcm"]);
}

crate::authz::operations! {
    contract {
        PROBE_LIST = reads(Kind::PROBE, Permission::List);
        PROBE_CREATE = changes(Kind::PROBE, Permission::Create, 201);
        PROBE_VIEW = reads(Kind::PROBE, Permission::Read);
        PROBE_DELETE = changes(Kind::PROBE, Permission::Modify, 204);
    }
}

impl Resource for Probe {
    const DECLARATION: Declaration = Declaration::new(ReadScope::Probe, SiloDeletion::InProject)
        .message(ResourceKind::Probe)
        .blocks_project(6)
        .deletable(Self::DELETABLE);
}

/// Probes require a role on the fleet and one on the project.
fn place() -> ResourceScope {
    ResourceScope::fleet(Kind::PROBE)
}

fn to_view(probe: &Probe) -> api::Probe {
    api::Probe {
        id: probe.meta.id,
        name: probe.name.clone(),
        description: probe.description.clone(),
        time_created: probe.meta.time_created,
        time_modified: probe.meta.time_modified,
        sled: probe.sled_id,
    }
}

/// The interface of a probe, which is created and deleted with it.
fn interface_of(tx: &mut Tx<'_>, probe: &Probe) -> Result<NetworkInterface> {
    let interfaces: Vec<NetworkInterface> = paging::all(tx, &ListBy::Parent(probe.meta.id))?;
    let first = interfaces.into_iter().next();
    first.ok_or_else(|| Error::internal(format!("probe {} has no interface", probe.meta.id)))
}

fn to_info(tx: &mut Tx<'_>, probe: &Probe) -> Result<ProbeInfo> {
    let interface = interface_of(tx, probe)?;
    let missing = || Error::internal(format!("interface {} is in no network", interface.meta.id));
    let vpc: Vpc = tx.get(interface.vpc_id)?.ok_or_else(missing)?;
    let subnet: VpcSubnet = tx.get(interface.subnet_id)?.ok_or_else(missing)?;
    let whole = ProbeExternalIp {
        ip: probe.ip,
        first_port: 0,
        last_port: u16::MAX,
        kind: ProbeExternalIpKind::Ephemeral,
    };
    Ok(ProbeInfo {
        id: probe.meta.id,
        name: probe.name.clone(),
        sled: probe.sled_id,
        external_ips: vec![whole],
        interface: api::NetworkInterface {
            id: interface.meta.id,
            kind: NetworkInterfaceKind::Probe { id: probe.meta.id },
            name: interface.name,
            ip: interface.ip,
            mac: interface.mac,
            subnet: IpNet::V4(subnet.ipv4_block),
            vni: vpc.vni,
            primary: interface.primary,
            slot: interface.slot,
            transit_ips: interface.transit_ips,
        },
    })
}

/// Looks a probe up in a project that the caller must be allowed to see.
fn find(cx: &mut Cx<'_, '_>, project: &Project, probe: &NameOrId) -> Result<LookupResult<Probe>> {
    let project = project.meta.id;
    let record = match probe {
        NameOrId::Id(id) => cx.tx.get(*id)?.filter(|probe: &Probe| probe.project_id == project),
        NameOrId::Name(name) => cx.tx.get_by_name(project, name.as_str())?,
    };
    Ok(LookupResult::new(record, probe))
}

/// Refuses callers who may see the project but not change it.
fn may_change(cx: &mut Cx<'_, '_>, caller: &Caller, silo: Uuid, project: Uuid) -> Result<()> {
    let place = ResourceScope::project(Kind::PROJECT, silo, project);
    if authz::permits(cx, caller, &place, Permission::Create)? { Ok(()) } else { Err(Error::Forbidden) }
}

/// `probe_list`: the probes of a project.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<ProbeInfo>> {
    let project = project::find(cx, caller, &query.selector.project)?;
    let project = project.authorize(cx, caller, Permission::List)?;
    authz::require(cx, caller, &place(), &operation::PROBE_LIST)?;
    let probes: Vec<Probe> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    Ok(query.results(probes.iter().map(|probe| to_info(cx.tx, probe)).collect::<Result<_>>()?))
}

/// `probe_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, project: &NameOrId, probe: &NameOrId) -> Result<ProbeInfo> {
    let project = project::enter(cx, caller, project)?;
    let probe = find(cx, &project, probe)?.authorize(cx, caller, &operation::PROBE_VIEW)?;
    to_info(cx.tx, &probe)
}

/// `probe_create`: with an interface in the default subnet of the project's default VPC, which has an IPv4 address, and
/// an external IPv4 address.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &ProbeCreate,
) -> Result<api::Probe> {
    let project = project::enter(cx, caller, project)?;
    authz::require(cx, caller, &place(), &operation::PROBE_CREATE)?;
    may_change(cx, caller, project.silo_id, project.meta.id)?;
    check_description(&params.identity.description)?;
    check_sled(cx, params.sled)?;
    let name = &params.identity.name;
    if cx.tx.get_by_name::<Probe>(project.meta.id, name.as_str())?.is_some() {
        return Err(Error::exists(ResourceKind::Probe, name));
    }
    let ip_pool_id = ip_pool::choose(cx, caller, params.ip_pool.as_ref())?;
    let probe = Probe {
        meta: cx.new_meta(),
        silo_id: project.silo_id,
        project_id: project.meta.id,
        name: name.clone(),
        description: params.identity.description.clone(),
        sled_id: params.sled,
        ip_pool_id,
        ip: ip_pool::take_lowest(cx, ip_pool_id, Some(Family::V4))?,
    };
    cx.insert_named(ResourceKind::Probe, &probe)?;
    insert_interface(cx, caller, &probe)?;
    Ok(to_view(&probe))
}

/// Refuses a sled that does not exist or is no longer in service.
fn check_sled(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<()> {
    let sled: Option<Sled> = cx.tx.get(id)?;
    match sled {
        Some(sled) if !sled.expunged => Ok(()),
        _ => Err(Error::not_found(ResourceKind::Sled, id)),
    }
}

fn insert_interface(cx: &mut Cx<'_, '_>, caller: &Caller, probe: &Probe) -> Result<()> {
    let default = Name::literal("default");
    let (vpc, subnet): (Authorized<Vpc>, Authorized<VpcSubnet>) =
        network_interface::find_subnet(cx, caller, probe.project_id, &default, &default)?;
    let interface = NetworkInterface {
        meta: cx.new_meta(),
        silo_id: probe.silo_id,
        project_id: probe.project_id,
        parent: InterfaceParent::Probe(probe.meta.id),
        vpc_id: vpc.meta.id,
        subnet_id: subnet.meta.id,
        name: probe.name.clone(),
        description: probe.description.clone(),
        mac: network_interface::take_mac(cx, vpc.meta.id)?,
        ip: network_interface::take_address(cx, &subnet, None)?,
        slot: 0,
        primary: true,
        transit_ips: Vec::new(),
    };
    Ok(cx.tx.insert(&interface)?)
}

/// `probe_delete`: frees its addresses.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, project: &NameOrId, probe: &NameOrId) -> Result<()> {
    let project = project::enter(cx, caller, project)?;
    let probe = find(cx, &project, probe)?.authorize(cx, caller, &operation::PROBE_DELETE)?;
    deletable::require(cx, caller, &*probe)?;
    let interface = interface_of(cx.tx, &probe)?;
    network_interface::release(cx, interface)?;
    ip_pool::give_back(cx, probe.ip_pool_id, probe.ip)?;
    Ok(cx.tx.delete(&mut probe.into_inner(), cx.now)?)
}

impl Deletable for Probe {
    const DELETION: Operation = operation::PROBE_DELETE;
    const PATH: &'static str = "/experimental/v1/probes/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        let probe: Option<Probe> = cx.tx.get(id)?;
        let probe = probe.ok_or_else(|| Error::not_found(ResourceKind::Probe, id))?;
        delete(cx, caller, &NameOrId::Id(probe.project_id), &NameOrId::Id(id))
    }

    fn refuse(&self, cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
        may_change(cx, caller, self.silo_id, self.project_id)
    }

    fn effects(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let own = ListBy::Parent(self.meta.id);
        Ok(vec![Dependents::list::<NetworkInterface>(DeletionEffect::Deleted, own)])
    }
}
