//! External addresses of instances (`docs/rules/networking.md#external-ips`).

mod state;

use croft_api::{
    Error, Result,
    external_ip::{EphemeralIpCreate, ExternalIp},
    floating_ip as api_floating,
    page::ResultsPage,
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Sort,
    records::{FloatingIp, Instance, InstanceAddress, InstanceAddressKind, NetworkInterface},
};
use uuid::Uuid;

pub(crate) use state::{Change, MAX_EXTERNAL_IPS, allow};

use crate::{
    Caller, Cx, Declaration, Resource,
    authz::{Kind, Permission},
    ip_pool::{self, Family},
    paging, project,
};

crate::authz::operations! {
    contract {
        INSTANCE_EXTERNAL_IP_LIST = reads(Kind::INSTANCE, Permission::List);
        INSTANCE_EPHEMERAL_IP_ATTACH = changes(Kind::INSTANCE, Permission::Modify, 202);
        INSTANCE_EPHEMERAL_IP_DETACH = changes(Kind::INSTANCE, Permission::Modify, 204);
    }
}

/// Converts a floating IP to its view.
pub(crate) fn floating_to_view(floating: &FloatingIp) -> api_floating::FloatingIp {
    api_floating::FloatingIp {
        id: floating.meta.id,
        name: floating.name.clone(),
        description: floating.description.clone(),
        time_created: floating.meta.time_created,
        time_modified: floating.meta.time_modified,
        ip: floating.ip,
        ip_pool_id: floating.ip_pool_id,
        project_id: floating.project_id,
        instance_id: floating.instance_id,
    }
}

impl Resource for InstanceAddress {
    const DECLARATION: Declaration = Declaration::in_project(Kind::INSTANCE);
}

fn to_view(address: &InstanceAddress) -> ExternalIp {
    let (ip, ip_pool_id) = (address.ip, address.ip_pool_id);
    match address.kind {
        InstanceAddressKind::SourceNat(block) => {
            let (first_port, last_port) = block.ports();
            ExternalIp::Snat { ip, first_port, last_port, ip_pool_id }
        }
        InstanceAddressKind::Ephemeral => ExternalIp::Ephemeral { ip, ip_pool_id },
    }
}

/// `instance_external_ip_list`: the SNAT address, the ephemeral address, then floating IPs sorted by name.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<ResultsPage<ExternalIp>> {
    let instance = project::find_inside::<Instance>(cx, caller, instance, project)?;
    let instance = instance.authorize(cx, caller, &operation::INSTANCE_EXTERNAL_IP_LIST)?.meta.id;
    let mut addresses: Vec<InstanceAddress> = paging::all(cx.tx, &ListBy::Parent(instance))?;
    addresses.sort_by_key(|address| address.kind == InstanceAddressKind::Ephemeral);
    let by = ListBy::lookup(FloatingIp::INSTANCE, instance);
    let floating: Vec<FloatingIp> = cx.tx.page(by, Sort::NameAsc, None, MAX_EXTERNAL_IPS)?;
    let floating = floating.iter().map(|floating| ExternalIp::Floating(floating_to_view(floating)));
    Ok(ResultsPage { items: addresses.iter().map(to_view).chain(floating).collect(), next_page: None })
}

/// The family of an instance's primary interface; `None` without interfaces.
fn family_of(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<Option<Family>> {
    let interfaces = paging::all::<NetworkInterface>(cx.tx, &ListBy::Parent(instance.meta.id))?;
    let primary = interfaces.into_iter().find(|interface| interface.primary);
    Ok(primary.map(|primary| Family::of(primary.ip)))
}

/// The family of an instance's SNAT address: never IPv6 if the interface has an IPv4 address. Every instance has an
/// SNAT address. So an instance with an IPv6 interface gets an IPv4 address, which is not usable, if the pool has no
/// IPv6 addresses.
fn family_of_source(cx: &mut Cx<'_, '_>, instance: &Instance, pool: Uuid) -> Result<Family> {
    let (first, second) = match family_of(cx, instance)? {
        Some(Family::V4) => return Ok(Family::V4),
        Some(Family::V6) => (Family::V6, Family::V4),
        None => (Family::V4, Family::V6),
    };
    Ok(if ip_pool::has_family(cx, pool, first)? { first } else { second })
}

/// Allocates the SNAT address of a new instance from the silo's default pool.
pub(crate) fn insert_source_nat(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<()> {
    let pool = ip_pool::default_of(cx.tx, instance.silo_id)?.ok_or_else(ip_pool::no_default)?;
    let family = family_of_source(cx, instance, pool)?;
    let (ip, block) = ip_pool::take_block(cx, pool, family)?;
    insert(cx, instance, pool, ip, InstanceAddressKind::SourceNat(block)).map(|_| ())
}

/// Replaces the SNAT address, from the same pool, if the new primary interface of an instance is of another family.
pub(crate) fn fit_source_nat(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<()> {
    let addresses: Vec<InstanceAddress> = paging::all(cx.tx, &ListBy::Parent(instance.meta.id))?;
    let source = addresses.into_iter().find(|address| address.kind != InstanceAddressKind::Ephemeral);
    let source =
        source.ok_or_else(|| Error::internal(format!("instance {} sends from nothing", instance.meta.id)))?;
    let pool = source.ip_pool_id;
    let family = family_of_source(cx, instance, pool)?;
    if Family::of(source.ip) == family {
        return Ok(());
    }
    let (ip, block) = ip_pool::take_block(cx, pool, family)?;
    release(cx, &source)?;
    insert(cx, instance, pool, ip, InstanceAddressKind::SourceNat(block)).map(|_| ())
}

/// Allocates an ephemeral address of the primary interface's family for an instance without one.
pub(crate) fn insert_ephemeral(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &Instance,
    pool: Option<&NameOrId>,
) -> Result<InstanceAddress> {
    let pool = ip_pool::choose(cx, caller, pool)?;
    let family = family_of(cx, instance)?;
    let ip = ip_pool::take_lowest(cx, pool, family)?;
    allow(cx, instance, Change::Attach, "ephemeral")?;
    insert(cx, instance, pool, ip, InstanceAddressKind::Ephemeral)
}

fn insert(
    cx: &mut Cx<'_, '_>,
    instance: &Instance,
    ip_pool_id: Uuid,
    ip: std::net::IpAddr,
    kind: InstanceAddressKind,
) -> Result<InstanceAddress> {
    let address = InstanceAddress {
        meta: cx.new_meta(),
        silo_id: instance.silo_id,
        project_id: instance.project_id,
        instance_id: instance.meta.id,
        ip_pool_id,
        ip,
        kind,
    };
    cx.tx.insert(&address)?;
    Ok(address)
}

/// `instance_ephemeral_ip_attach`. An instance that has an ephemeral address keeps it, whatever pool is requested.
pub fn ephemeral_attach(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    params: &EphemeralIpCreate,
) -> Result<ExternalIp> {
    let instance = project::find_inside::<Instance>(cx, caller, instance, project)?;
    let instance = instance.authorize(cx, caller, &operation::INSTANCE_EPHEMERAL_IP_ATTACH)?;
    let address = match cx.tx.find(InstanceAddress::EPHEMERAL, instance.meta.id)? {
        Some(address) => address,
        None => insert_ephemeral(cx, caller, &instance, params.pool.as_ref())?,
    };
    Ok(to_view(&address))
}

/// `instance_ephemeral_ip_detach`: returns the address to its pool.
pub fn ephemeral_detach(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let instance = project::find_inside::<Instance>(cx, caller, instance, project)?;
    let instance = instance.authorize(cx, caller, &operation::INSTANCE_EPHEMERAL_IP_DETACH)?;
    let Some(address) = cx.tx.find::<InstanceAddress>(InstanceAddress::EPHEMERAL, instance.meta.id)? else {
        return Err(Error::invalid_request("instance does not have an ephemeral IP attached"));
    };
    allow(cx, &instance, Change::Detach, "ephemeral")?;
    release(cx, &address)
}

/// Releases the SNAT and ephemeral addresses of an instance that is being deleted, and detaches its floating IPs.
pub(crate) fn release_all(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<()> {
    for address in paging::all::<InstanceAddress>(cx.tx, &ListBy::Parent(instance.meta.id))? {
        release(cx, &address)?;
    }
    let by = ListBy::lookup(FloatingIp::INSTANCE, instance.meta.id);
    for mut floating in paging::all::<FloatingIp>(cx.tx, &by)? {
        floating.instance_id = None;
        cx.tx.update(&mut floating)?;
    }
    Ok(())
}

fn release(cx: &mut Cx<'_, '_>, address: &InstanceAddress) -> Result<()> {
    match address.kind {
        InstanceAddressKind::SourceNat(block) => {
            ip_pool::give_back_block(cx, address.ip_pool_id, address.ip, block)?;
        }
        InstanceAddressKind::Ephemeral => ip_pool::give_back(cx, address.ip_pool_id, address.ip)?,
    }
    cx.tx.remove::<InstanceAddress>(address.meta.id, cx.now)?;
    Ok(())
}

/// The instance that a floating IP will be attached to. The caller must be allowed to modify it.
pub(crate) fn enter_instance(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Instance> {
    let found = project::find_inside::<Instance>(cx, caller, instance, project)?;
    Ok(found.authorize(cx, caller, Permission::Modify)?.into_inner())
}
