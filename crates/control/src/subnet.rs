//! Subnets (`docs/rules/networking.md#subnets`).

use std::{collections::BTreeSet, net::Ipv4Addr};

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    identity::IdentityCreate,
    network_interface::InstanceNetworkInterface,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    scalar::{Description, Ipv4Net, Ipv6Net, Name, NameOrId},
    subnet::{self as api, VpcSubnetCreate, VpcSubnetUpdate},
    vpc::{OptionalVpcSelector, VpcSelector},
};
use croft_store::{
    ListBy,
    records::{NetworkInterface, Number, RouterRoute, Vpc, VpcSubnet},
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, NetworkSettings, Operation, Resource,
    authz::Kind,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::{change_identity, check_description},
    free_run, network_interface, paging, router,
    vpc::{self, is_unique_local},
};

crate::authz::operations! {
    contract {
        VPC_SUBNET_LIST = reads(Kind::VPC, Permission::List);
        VPC_SUBNET_CREATE = changes(Kind::VPC, Permission::Create, 201);
        VPC_SUBNET_VIEW = reads(Kind::VPC, Permission::Read);
        VPC_SUBNET_UPDATE = changes(Kind::VPC, Permission::Modify, 200);
        VPC_SUBNET_DELETE = changes(Kind::VPC, Permission::Modify, 204).lost_race(DELETION_RACED);
        VPC_SUBNET_LIST_NETWORK_INTERFACES = reads(Kind::VPC, Permission::List);
    }
}

impl Resource for VpcSubnet {
    const DECLARATION: Declaration = Declaration::in_project(Kind::VPC)
        .message(ResourceKind::VpcSubnet)
        .created_with_vpc(2, insert_default)
        .deletable(Self::DELETABLE);
}

/// Prefix length of a subnet's IPv6 block.
const IPV6_WIDTH: u8 = 64;
/// The IPv4 block of a VPC's default subnet.
const DEFAULT_BLOCK: ([u8; 4], u8) = ([172, 30, 0, 0], 22);

fn to_view(subnet: &VpcSubnet) -> api::VpcSubnet {
    api::VpcSubnet {
        id: subnet.meta.id,
        name: subnet.name.clone(),
        description: subnet.description.clone(),
        time_created: subnet.meta.time_created,
        time_modified: subnet.meta.time_modified,
        vpc_id: subnet.vpc_id,
        ipv4_block: subnet.ipv4_block,
        ipv6_block: subnet.ipv6_block,
        custom_router_id: subnet.custom_router_id,
    }
}

/// Looks a subnet up: by id without parents, or by name within a VPC.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    subnet: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<LookupResult<VpcSubnet>> {
    let refusals = [
        "when providing subnet as an ID, vpc and project should not be specified",
        "subnet should either be an ID or vpc should be specified",
    ];
    vpc::find_inside(cx, caller, subnet, within, refusals)
}

/// `vpc_subnet_list`: the subnets of a VPC.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<VpcSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::VpcSubnet>> {
    let vpc = vpc::select(cx, caller, &query.selector, &operation::VPC_SUBNET_LIST)?;
    let subnets: Vec<VpcSubnet> = paging::page(cx.tx, ListBy::Parent(vpc.meta.id), query)?;
    Ok(query.results(subnets.iter().map(to_view).collect()))
}

/// `vpc_subnet_create`: also creates the route to it.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    within: &VpcSelector,
    params: &VpcSubnetCreate,
) -> Result<api::VpcSubnet> {
    let vpc = vpc::select(cx, caller, within, &operation::VPC_SUBNET_CREATE)?;
    check_description(&params.identity.description)?;
    let custom_router_id = match &params.custom_router {
        Some(selector) => Some(router::for_subnet(cx, caller, vpc.meta.id, selector)?),
        None => None,
    };
    check_ipv4_block(&cx.environment.settings.network, params.ipv4_block)?;
    if let Some(block) = params.ipv6_block {
        check_ipv6_block(&vpc, block)?;
    }
    let others: Vec<VpcSubnet> = paging::all(cx.tx, &ListBy::Parent(vpc.meta.id))?;
    let ipv6_block = match params.ipv6_block {
        Some(block) => block,
        None => free_ipv6_block(&vpc, &others)?,
    };
    check_overlap(&others, params.ipv4_block, ipv6_block)?;
    let subnet = insert(cx, &vpc, &params.identity, params.ipv4_block, ipv6_block, custom_router_id)?;
    Ok(to_view(&subnet))
}

fn check_ipv4_block(settings: &NetworkSettings, block: Ipv4Net) -> Result<()> {
    if !block.first().is_private() {
        return Err(Error::invalid_request("VPC Subnet IPv4 address ranges must be from a private range"));
    }
    let (least, most) = (settings.shortest_subnet_prefix, settings.longest_subnet_prefix);
    if !(least..=most).contains(&block.width()) {
        return Err(Error::invalid_request(format!(
            "VPC Subnet IPv4 address ranges must have prefix length between {least} and {most}, inclusive"
        )));
    }
    Ok(())
}

fn check_ipv6_block(vpc: &Vpc, block: Ipv6Net) -> Result<()> {
    let prefix = vpc.ipv6_prefix;
    if is_unique_local(block) && prefix.contains(block.first()) && block.width() == IPV6_WIDTH {
        return Ok(());
    }
    Err(Error::invalid_request(format!(
        "VPC Subnet IPv6 address range '{block}' is not valid for VPC with IPv6 prefix '{prefix}'"
    )))
}

fn check_overlap(others: &[VpcSubnet], ipv4: Ipv4Net, ipv6: Ipv6Net) -> Result<()> {
    let block = if others.iter().any(|other| other.ipv4_block.overlaps(ipv4)) {
        ipv4.to_string()
    } else if others.iter().any(|other| other.ipv6_block.overlaps(ipv6)) {
        ipv6.to_string()
    } else {
        return Ok(());
    };
    Err(Error::invalid_request(format!("IP address range '{block}' conflicts with an existing subnet")))
}

/// The lowest free block of the VPC's prefix.
fn free_ipv6_block(vpc: &Vpc, others: &[VpcSubnet]) -> Result<Ipv6Net> {
    let taken: BTreeSet<u128> = others.iter().map(|other| other.ipv6_block.first().into()).collect();
    let first = u128::from(vpc.ipv6_prefix.first());
    let last = u128::from(vpc.ipv6_prefix.last());
    let mut candidates = (0_u128..).map(|number| first + (number << (Ipv6Net::MAX_WIDTH - IPV6_WIDTH)));
    let free = candidates.find(|candidate| !taken.contains(candidate)).filter(|candidate| *candidate <= last);
    let free = free.ok_or_else(|| Error::internal("a VPC has no IPv6 block left"))?;
    Ok(Ipv6Net::new(free.into(), IPV6_WIDTH)?)
}

/// Creates the default subnet of a VPC.
fn insert_default(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    let (address, width) = DEFAULT_BLOCK;
    let identity = IdentityCreate {
        name: Name::literal("default"),
        description: Description::from(format!("The default subnet for {}", vpc.name)),
    };
    let ipv4_block = Ipv4Net::new(address.into(), width)?;
    let ipv6_block = Ipv6Net::new(vpc.ipv6_prefix.first(), IPV6_WIDTH)?;
    insert(cx, vpc, &identity, ipv4_block, ipv6_block, None).map(|_| ())
}

/// Stores a subnet with the route to it and its free addresses.
fn insert(
    cx: &mut Cx<'_, '_>,
    vpc: &Vpc,
    identity: &IdentityCreate,
    ipv4_block: Ipv4Net,
    ipv6_block: Ipv6Net,
    custom_router_id: Option<Uuid>,
) -> Result<VpcSubnet> {
    let subnet = VpcSubnet {
        meta: cx.new_meta(),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        vpc_id: vpc.meta.id,
        name: identity.name.clone(),
        description: identity.description.clone(),
        ipv4_block,
        ipv6_block,
        custom_router_id,
    };
    cx.insert_named(ResourceKind::VpcSubnet, &subnet)?;
    router::insert_subnet_route(cx, vpc, &subnet)?;
    let (first, last) = usable(ipv4_block);
    free_run::give(cx, subnet.meta.id, first, last)?;
    Ok(subnet)
}

/// The first and the last usable address of a block.
pub(crate) fn usable(block: Ipv4Net) -> (Number, Number) {
    let first = Ipv4Addr::from(u32::from(block.first()) + u32::from(vpc::RESERVED));
    let last = Ipv4Addr::from(u32::from(block.last()) - 1);
    (first.into(), last.into())
}

/// `vpc_subnet_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    subnet: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<api::VpcSubnet> {
    Ok(to_view(&*find(cx, caller, subnet, within)?.authorize(cx, caller, &operation::VPC_SUBNET_VIEW)?))
}

/// `vpc_subnet_update`: absent names and descriptions are unchanged, an absent router is detached. Renames the route to
/// the subnet, too.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    subnet: &NameOrId,
    within: &OptionalVpcSelector,
    params: &VpcSubnetUpdate,
) -> Result<api::VpcSubnet> {
    let subnet = find(cx, caller, subnet, within)?;
    let mut subnet = subnet.authorize(cx, caller, &operation::VPC_SUBNET_UPDATE)?.into_inner();
    subnet.custom_router_id = match &params.custom_router {
        Some(selector) => Some(router::for_subnet(cx, caller, subnet.vpc_id, selector)?),
        None => None,
    };
    let renamed = params.identity.name.as_ref().is_some_and(|name| *name != subnet.name);
    change_identity(&mut subnet.name, &mut subnet.description, &params.identity)?;
    subnet.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::VpcSubnet, &mut subnet)?;
    if renamed {
        router::rename_subnet_route(cx, &subnet)?;
    }
    Ok(to_view(&subnet))
}

/// `vpc_subnet_delete`: refused while there is an interface in it. Deletes the route to it.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    subnet: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<()> {
    let subnet = find(cx, caller, subnet, within)?;
    let mut subnet = subnet.authorize(cx, caller, &operation::VPC_SUBNET_DELETE)?.into_inner();
    deletable::require(cx, caller, &subnet)?;
    router::delete_subnet_route(cx, &subnet)?;
    free_run::forget(cx, subnet.meta.id)?;
    Ok(cx.tx.delete(&mut subnet, cx.now)?)
}

impl Deletable for VpcSubnet {
    const DELETION: Operation = operation::VPC_SUBNET_DELETE;
    const PATH: &'static str = "/v1/vpc-subnets/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), &OptionalVpcSelector::default())
    }

    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let within = ListBy::lookup(NetworkInterface::SUBNET, self.meta.id);
        let interfaces = Dependents::list::<NetworkInterface>(DeletionEffect::Prevents, within);
        let text = "VPC Subnet cannot be deleted while network interfaces in the subnet exist";
        Ok(vec![interfaces.along().refused_because(text)])
    }

    fn effects(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let route: Option<RouterRoute> = cx.tx.find(RouterRoute::SUBNET, self.meta.id)?;
        Ok(vec![Dependents::found(DeletionEffect::Deleted, route.as_slice())])
    }

    fn kept(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        vpc::references(cx.tx, &[self.vpc_id], vpc::Named::Subnet(&self.name))
    }
}

/// `vpc_subnet_list_network_interfaces`: interfaces of instances.
pub fn network_interface_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    subnet: &NameOrId,
    query: &PageQuery<OptionalVpcSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<InstanceNetworkInterface>> {
    let operation = &operation::VPC_SUBNET_LIST_NETWORK_INTERFACES;
    let subnet = find(cx, caller, subnet, &query.selector)?.authorize(cx, caller, operation)?;
    let by = ListBy::lookup(NetworkInterface::SUBNET, subnet.meta.id);
    let items = paging::filter_map_page(cx.tx, &by, query, |_, interface: NetworkInterface| {
        Ok(network_interface::to_view(&interface))
    })?;
    Ok(query.results(items))
}
