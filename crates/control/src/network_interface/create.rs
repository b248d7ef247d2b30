use std::net::IpAddr;

use croft_api::{
    Error, ResourceKind, Result,
    identity::IdentityCreate,
    instance::InstanceNetworkInterfaceCreate,
    network_interface::{InstanceNetworkInterface, InstanceSelector},
    scalar::{Description, MacAddr, Name},
};
use croft_store::{
    Key,
    records::{Instance, InstanceStage, InterfaceParent, NetworkInterface, Number, Vpc, VpcSubnet},
};

use super::{MAX_INTERFACES, all_of, view_of};
use uuid::Uuid;

use crate::{
    Authorized, Caller, Cx, LookupResult, authz::Permission, description::check_description, external_ip,
    free_run, network_interface::operation, project, vpc,
};

/// `instance_network_interface_create`: on stopped instances.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    on: &InstanceSelector,
    params: &InstanceNetworkInterfaceCreate,
) -> Result<InstanceNetworkInterface> {
    let instance = project::find_inside::<Instance>(cx, caller, &on.instance, on.project.as_ref())?;
    let instance = instance.authorize(cx, caller, &operation::INSTANCE_NETWORK_INTERFACE_CREATE)?;
    let interface = insert(cx, caller, &instance, params)?;
    if interface.primary {
        external_ip::fit_source_nat(cx, &instance)?;
    }
    view_of(&interface)
}

/// Creates the default interface of an instance.
pub(crate) fn insert_default(cx: &mut Cx<'_, '_>, caller: &Caller, instance: &Instance) -> Result<()> {
    let default = || Name::literal("default");
    let identity = IdentityCreate {
        name: Name::literal("net0"),
        description: Description::from(format!("default primary interface for {}", instance.name)),
    };
    let params =
        InstanceNetworkInterfaceCreate { identity, vpc_name: default(), subnet_name: default(), ip: None };
    insert(cx, caller, instance, &params).map(|_| ())
}

/// Creates an interface of an instance. The first is primary.
pub(crate) fn insert(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &Instance,
    params: &InstanceNetworkInterfaceCreate,
) -> Result<NetworkInterface> {
    let refuse = |text: &str| Err(Error::invalid_request(text));
    check_description(&params.identity.description)?;
    let (vpc, subnet) = find_subnet(cx, caller, instance.project_id, &params.vpc_name, &params.subnet_name)?;
    if let Some(ip) = params.ip {
        check_address(&subnet, ip)?;
    }
    let others = all_of(cx, instance.meta.id)?;
    if others.iter().any(|other| other.vpc_id != vpc.meta.id) {
        return refuse(
            "Networking may not span multiple VPCs, but the requested resource is associated with another VPC",
        );
    }
    if others.iter().any(|other| other.subnet_id == subnet.meta.id) {
        return refuse("Each interface must be in a distinct VPC Subnet");
    }
    if !matches!(instance.stage, InstanceStage::Stopped | InstanceStage::Creating) {
        return refuse("Instance must be stopped to attach a new network interface");
    }
    let Some(slot) = (0..MAX_INTERFACES).find(|slot| others.iter().all(|other| other.slot != *slot)) else {
        return Err(Error::invalid_request(format!(
            "May not attach more than {MAX_INTERFACES} network interfaces"
        )));
    };
    let mac = take_mac(cx, vpc.meta.id)?;
    let interface = NetworkInterface {
        meta: cx.new_meta(),
        silo_id: instance.silo_id,
        project_id: instance.project_id,
        parent: InterfaceParent::Instance(instance.meta.id),
        vpc_id: vpc.meta.id,
        subnet_id: subnet.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        ip: take_address(cx, &subnet, params.ip)?,
        mac,
        slot,
        primary: others.is_empty(),
        transit_ips: Vec::new(),
    };
    cx.insert_named(ResourceKind::InstanceNetworkInterface, &interface)?;
    Ok(interface)
}

/// Looks up the named VPC and subnet in a project.
pub(crate) fn find_subnet(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: Uuid,
    vpc_name: &Name,
    subnet_name: &Name,
) -> Result<(Authorized<Vpc>, Authorized<VpcSubnet>)> {
    let vpc: Option<Vpc> = cx.tx.get_by_name(project, vpc_name.as_str())?;
    let vpc = LookupResult::new(vpc, vpc_name).authorize(cx, caller, Permission::Read)?;
    let subnet: Option<VpcSubnet> = cx.tx.get_by_name(vpc.meta.id, subnet_name.as_str())?;
    let subnet = LookupResult::new(subnet, subnet_name).authorize(cx, caller, Permission::Read)?;
    Ok((vpc, subnet))
}

/// Refuses an address that the subnet reserves.
fn check_address(subnet: &VpcSubnet, ip: IpAddr) -> Result<()> {
    let (inside, first, broadcast) = match ip {
        IpAddr::V4(ip) => {
            let block = subnet.ipv4_block;
            (block.contains(ip), Number::from(block.first()), ip == block.last())
        }
        IpAddr::V6(ip) => {
            let block = subnet.ipv6_block;
            (block.contains(ip), Number::from(IpAddr::V6(block.first())), false)
        }
    };
    if !inside {
        let block = match ip {
            IpAddr::V4(_) => subnet.ipv4_block.to_string(),
            IpAddr::V6(_) => subnet.ipv6_block.to_string(),
        };
        return Err(Error::invalid_request(format!("{ip} is outside subnet {block}")));
    }
    let reserved = vpc::RESERVED;
    if Number::from(ip).value - first.value < u128::from(reserved) {
        return Err(Error::invalid_request(format!(
            "The first {reserved} addresses of a subnet are reserved"
        )));
    }
    if broadcast {
        return Err(Error::invalid_request("Cannot request a broadcast address"));
    }
    Ok(())
}

/// Allocates the lowest free hardware address of a VPC.
pub(crate) fn take_mac(cx: &mut Cx<'_, '_>, vpc: Uuid) -> Result<MacAddr> {
    let mac = free_run::take_lowest(cx, vpc, None)?.and_then(Number::mac);
    mac.ok_or_else(|| Error::invalid_request("No available MAC addresses for interface"))
}

/// Allocates the requested address, or the lowest free IPv4 address.
pub(crate) fn take_address(
    cx: &mut Cx<'_, '_>,
    subnet: &VpcSubnet,
    asked_for: Option<IpAddr>,
) -> Result<IpAddr> {
    let Some(ip) = asked_for else {
        let lowest = free_run::take_lowest(cx, subnet.meta.id, None)?.and_then(Number::address);
        return lowest.ok_or_else(|| {
            Error::invalid_request(format!(
                "No available IP addresses for interface in subnet '{}' with ID '{}'",
                subnet.name, subnet.meta.id
            ))
        });
    };
    let free = if ip.is_ipv4() {
        free_run::take(cx, subnet.meta.id, ip.into(), ip.into())?
    } else {
        let key = Key::combined([subnet.meta.id.into(), ip.into()]);
        cx.tx.find::<NetworkInterface>(NetworkInterface::ADDRESS, key)?.is_none()
    };
    if free {
        return Ok(ip);
    }
    Err(Error::invalid_request(format!("The IP address '{ip}' is not available")))
}
