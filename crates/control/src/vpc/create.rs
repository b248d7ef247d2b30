use std::net::Ipv6Addr;

use croft_api::{
    Error, ResourceKind, Result,
    identity::IdentityCreate,
    scalar::{Description, Ipv6Net, MacAddr, Name, NameOrId, Vni},
    vpc::{self as api, VpcCreate},
};
use croft_store::records::{Project, Vpc};

use super::to_view;
use crate::{Caller, Cx, description::check_description, free_run, project, resource, vpc::operation};

/// Prefix length of a VPC's IPv6 prefix.
const PREFIX_WIDTH: u8 = 48;
/// The lowest VNI of a VPC; lower ones are reserved for the system.
const FIRST_VNI: u32 = 1024;
/// The range of hardware addresses of interfaces in one VPC.
pub(crate) const MACS: (MacAddr, MacAddr) =
    (MacAddr([0xa8, 0x40, 0x25, 0xf0, 0, 0]), MacAddr([0xa8, 0x40, 0x25, 0xfe, 0xff, 0xff]));

/// `vpc_create`: with a subnet, the system router, firewall rules and a gateway.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &VpcCreate,
) -> Result<api::Vpc> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::VPC_CREATE)?;
    check_description(&params.identity.description)?;
    let name = &params.identity.name;
    if cx.tx.get_by_name::<Vpc>(project.meta.id, name.as_str())?.is_some() {
        return Err(Error::exists(ResourceKind::Vpc, name));
    }
    Ok(to_view(&insert(cx, &project, params)?))
}

/// Creates the default VPC of a project.
pub(crate) fn insert_default(cx: &mut Cx<'_, '_>, project: &Project) -> Result<()> {
    let name = Name::literal("default");
    let description = Description::from("Default VPC");
    let identity = IdentityCreate { name: name.clone(), description };
    insert(cx, project, &VpcCreate { identity, ipv6_prefix: None, dns_name: name }).map(|_| ())
}

fn insert(cx: &mut Cx<'_, '_>, project: &Project, params: &VpcCreate) -> Result<Vpc> {
    let ipv6_prefix = match params.ipv6_prefix {
        Some(prefix) => check_prefix(prefix)?,
        None => random_prefix(cx)?,
    };
    let vpc = Vpc {
        meta: cx.new_meta(),
        silo_id: project.silo_id,
        project_id: project.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        dns_name: params.dns_name.clone(),
        ipv6_prefix,
        vni: free_vni(cx)?,
        system_router_id: cx.new_id(),
    };
    cx.insert_named(ResourceKind::Vpc, &vpc)?;
    free_run::give(cx, vpc.meta.id, MACS.0.into(), MACS.1.into())?;
    resource::create_with_vpc(cx, &vpc)?;
    Ok(vpc)
}

/// Whether a prefix is unique-local with random bits (RFC 4193).
pub(crate) fn is_unique_local(net: Ipv6Net) -> bool {
    net.first().octets()[0] == 0xfd
}

fn check_prefix(prefix: Ipv6Net) -> Result<Ipv6Net> {
    if is_unique_local(prefix) && prefix.width() == PREFIX_WIDTH {
        return Ok(prefix);
    }
    Err(Error::invalid_request(
        "VPC IPv6 address prefixes must be in the Unique Local Address range `fd00::/48` (RFD 4193)",
    ))
}

fn random_prefix(cx: &mut Cx<'_, '_>) -> Result<Ipv6Net> {
    let mut octets = [0; 16];
    octets[0] = 0xfd;
    cx.random.fill_bytes(&mut octets[1..6]);
    Ok(Ipv6Net::new(Ipv6Addr::from(octets), PREFIX_WIDTH)?)
}

/// The first free VNI, starting at a random one.
fn free_vni(cx: &mut Cx<'_, '_>) -> Result<Vni> {
    let count = Vni::MAX - FIRST_VNI + 1;
    let mut bytes = [0; 4];
    cx.random.fill_bytes(&mut bytes);
    let start = u32::from_be_bytes(bytes) % count;
    for offset in 0..count {
        let vni = FIRST_VNI + (start + offset) % count;
        if cx.tx.find::<Vpc>(Vpc::VNI, vni)?.is_none() {
            return Ok(vni.try_into()?);
        }
    }
    Err(Error::InsufficientCapacity("No free virtual network was found".to_owned()))
}
