//! Internet gateways (`docs/rules/networking.md#internet-gateways`).

mod ip_address;
mod ip_pool;
mod routed;

use croft_api::{
    ResourceKind, Result,
    deletion::DeletionEffect,
    internet_gateway::{
        self as api, CascadeSelector, GatewaySelector, InternetGatewayCreate, OptionalGatewaySelector,
    },
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    scalar::{Description, Name, NameOrId},
    vpc::{OptionalVpcSelector, VpcSelector},
};
use croft_store::{
    ListBy,
    records::{InternetGateway, InternetGatewayIpAddress, InternetGatewayIpPool, Vpc},
};
use uuid::Uuid;

pub use ip_address::{ip_address_create, ip_address_delete, ip_address_list};
pub use ip_pool::{ip_pool_create, ip_pool_delete, ip_pool_list};

use crate::{
    Authorized, Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::Kind,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    ip_pool::{default_of, gateways},
    paging, vpc,
};

crate::authz::operations! {
    contract {
        INTERNET_GATEWAY_LIST = reads(Kind::VPC, Permission::List);
        INTERNET_GATEWAY_CREATE = changes(Kind::VPC, Permission::Create, 201);
        INTERNET_GATEWAY_VIEW = reads(Kind::VPC, Permission::Read);
        INTERNET_GATEWAY_DELETE = changes(Kind::VPC, Permission::Modify, 204).lost_race(DELETION_RACED);
        INTERNET_GATEWAY_IP_POOL_LIST = reads(Kind::VPC, Permission::List);
        INTERNET_GATEWAY_IP_POOL_CREATE = changes(Kind::VPC, Permission::Create, 201);
        INTERNET_GATEWAY_IP_POOL_DELETE = changes(Kind::VPC, Permission::Modify, 204);
        INTERNET_GATEWAY_IP_ADDRESS_LIST = reads(Kind::VPC, Permission::List);
        INTERNET_GATEWAY_IP_ADDRESS_CREATE = changes(Kind::VPC, Permission::Create, 201);
        INTERNET_GATEWAY_IP_ADDRESS_DELETE = changes(Kind::VPC, Permission::Modify, 204);
    }
}

impl Resource for InternetGateway {
    const DECLARATION: Declaration = Declaration::in_project(Kind::VPC)
        .message(ResourceKind::InternetGateway)
        .created_with_vpc(4, insert_default)
        .deleted_with_vpc(delete_all)
        .deletable(Self::DELETABLE);
}

impl Resource for InternetGatewayIpPool {
    const DECLARATION: Declaration = Declaration::in_project(Kind::VPC)
        .message(ResourceKind::InternetGatewayIpPool)
        .deletable(Self::DELETABLE);
}

impl Resource for InternetGatewayIpAddress {
    const DECLARATION: Declaration = Declaration::in_project(Kind::VPC)
        .message(ResourceKind::InternetGatewayIpAddress)
        .deletable(Self::DELETABLE);
}

fn to_view(gateway: &InternetGateway) -> api::InternetGateway {
    api::InternetGateway {
        id: gateway.meta.id,
        name: gateway.name.clone(),
        description: gateway.description.clone(),
        time_created: gateway.meta.time_created,
        time_modified: gateway.meta.time_modified,
        vpc_id: gateway.vpc_id,
    }
}

/// Looks a gateway up: by id without parents, or by name within a VPC.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    gateway: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<LookupResult<InternetGateway>> {
    let refusals = [
        "when providing gateway as an ID vpc and project should not be specified",
        "gateway should either be an ID or vpc should be specified",
    ];
    vpc::find_inside(cx, caller, gateway, within, refusals)
}

/// Looks up an attachment by id without parents, or by name on a gateway. Messages call it `what`.
fn find_attachment<R: Resource>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    what: &str,
    attachment: &NameOrId,
    within: &OptionalGatewaySelector,
) -> Result<LookupResult<R>> {
    let OptionalGatewaySelector { gateway, vpc, project } = within;
    let refusals = [
        format!("when providing {what} as an ID gateway, subnet, vpc, and project should not be specified"),
        format!("{what} should either be an ID or gateway should be specified"),
    ];
    let within = OptionalVpcSelector { vpc: vpc.clone(), project: project.clone() };
    let refusals = refusals.each_ref().map(String::as_str);
    vpc::find_below(cx, caller, attachment, (gateway.as_ref(), within), refusals, find)
}

/// The gateway of a selector, for an operation on its attachments.
fn select(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    GatewaySelector { gateway, vpc, project }: &GatewaySelector,
    operation: &Operation,
) -> Result<Authorized<InternetGateway>> {
    let within = OptionalVpcSelector { vpc: vpc.clone(), project: project.clone() };
    find(cx, caller, gateway, &within)?.authorize(cx, caller, operation)
}

/// Creates the default gateway of a VPC, with the silo's default pool if there is one.
fn insert_default(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    let gateway = InternetGateway {
        meta: cx.new_meta(),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        vpc_id: vpc.meta.id,
        name: Name::literal(InternetGateway::DEFAULT),
        description: Description::from("Automatically created default VPC gateway"),
    };
    cx.insert_named(ResourceKind::InternetGateway, &gateway)?;
    match default_of(cx.tx, vpc.silo_id)? {
        Some(pool) => gateways::attach_default(cx, &gateway, pool),
        None => Ok(()),
    }
}

/// `internet_gateway_list`: the gateways of a VPC.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<VpcSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::InternetGateway>> {
    let vpc = vpc::select(cx, caller, &query.selector, &operation::INTERNET_GATEWAY_LIST)?;
    let gateways: Vec<InternetGateway> = paging::page(cx.tx, ListBy::Parent(vpc.meta.id), query)?;
    Ok(query.results(gateways.iter().map(to_view).collect()))
}

/// `internet_gateway_create`: creates a gateway without attachments.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    within: &VpcSelector,
    params: &InternetGatewayCreate,
) -> Result<api::InternetGateway> {
    let vpc = vpc::select(cx, caller, within, &operation::INTERNET_GATEWAY_CREATE)?;
    check_description(&params.identity.description)?;
    let gateway = InternetGateway {
        meta: cx.new_meta(),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        vpc_id: vpc.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
    };
    cx.insert_named(ResourceKind::InternetGateway, &gateway)?;
    Ok(to_view(&gateway))
}

/// `internet_gateway_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    gateway: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<api::InternetGateway> {
    let gateway = find(cx, caller, gateway, within)?;
    Ok(to_view(&*gateway.authorize(cx, caller, &operation::INTERNET_GATEWAY_VIEW)?))
}

/// `internet_gateway_delete`: without `cascade`, refused while something is attached to it. With it, deletes the
/// attachments and every route to the gateway; without, routes remain and are not usable.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    gateway: &NameOrId,
    within: &OptionalVpcSelector,
    CascadeSelector { cascade }: CascadeSelector,
) -> Result<()> {
    let gateway = find(cx, caller, gateway, within)?;
    let gateway = gateway.authorize(cx, caller, &operation::INTERNET_GATEWAY_DELETE)?.into_inner();
    if cascade {
        for mut route in routed::routes_to(cx.tx, &gateway)? {
            cx.tx.delete(&mut route, cx.now)?;
        }
    } else {
        deletable::require(cx, caller, &gateway)?;
    }
    delete_with_attachments(cx, gateway)
}

// Without the option `cascade`.
impl Deletable for InternetGateway {
    const DELETION: Operation = operation::INTERNET_GATEWAY_DELETE;
    const PATH: &'static str = "/v1/internet-gateways/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), &OptionalVpcSelector::default(), CascadeSelector::default())
    }

    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (prevents, attached) = (DeletionEffect::Prevents, || ListBy::Parent(self.meta.id));
        let text = |what| {
            format!(
                "Ip {what} referencing this gateway exist. To perform a cascading delete set the cascade option"
            )
        };
        Ok(vec![
            Dependents::list::<InternetGatewayIpPool>(prevents, attached())
                .along()
                .refused_because(text("pools")),
            Dependents::list::<InternetGatewayIpAddress>(prevents, attached())
                .along()
                .refused_because(text("addresses")),
        ])
    }

    fn kept(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        vpc::references(cx.tx, &[self.vpc_id], vpc::Named::Gateway(&self.name))
    }
}

/// Deletes the gateways of a VPC that is being deleted, with their attachments.
fn delete_all(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    for gateway in paging::all::<InternetGateway>(cx.tx, &ListBy::Parent(vpc.meta.id))? {
        delete_with_attachments(cx, gateway)?;
    }
    Ok(())
}

fn delete_with_attachments(cx: &mut Cx<'_, '_>, mut gateway: InternetGateway) -> Result<()> {
    gateways::detach(cx, &ListBy::Parent(gateway.meta.id))?;
    for mut address in paging::all::<InternetGatewayIpAddress>(cx.tx, &ListBy::Parent(gateway.meta.id))? {
        cx.tx.delete(&mut address, cx.now)?;
    }
    Ok(cx.tx.delete(&mut gateway, cx.now)?)
}
