//! Routers and their routes (`docs/rules/networking.md#routers-and-routes`).

mod automatic;
mod route;

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    router::{self as api, VpcRouterCreate, VpcRouterUpdate},
    scalar::NameOrId,
    vpc::{OptionalVpcSelector, VpcSelector},
};
use croft_store::{
    ListBy,
    records::{RouterRoute, Vpc, VpcRouter, VpcRouterKind, VpcSubnet},
};
use uuid::Uuid;

pub(crate) use automatic::{delete_subnet_route, insert_subnet_route, insert_system, rename_subnet_route};
pub use route::{route_create, route_delete, route_list, route_update, route_view};

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::{Kind, Permission},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::{change_identity, check_description},
    paging, vpc,
};

crate::authz::operations! {
    contract {
        VPC_ROUTER_LIST = reads(Kind::VPC, Permission::List);
        VPC_ROUTER_CREATE = changes(Kind::VPC, Permission::Create, 201);
        VPC_ROUTER_VIEW = reads(Kind::VPC, Permission::Read);
        VPC_ROUTER_UPDATE = changes(Kind::VPC, Permission::Modify, 200);
        VPC_ROUTER_DELETE = changes(Kind::VPC, Permission::Modify, 204);
        VPC_ROUTER_ROUTE_LIST = reads(Kind::VPC, Permission::List);
        VPC_ROUTER_ROUTE_CREATE = changes(Kind::VPC, Permission::Create, 201);
        VPC_ROUTER_ROUTE_VIEW = reads(Kind::VPC, Permission::Read);
        VPC_ROUTER_ROUTE_UPDATE = changes(Kind::VPC, Permission::Modify, 200);
        VPC_ROUTER_ROUTE_DELETE = changes(Kind::VPC, Permission::Modify, 204);
    }
}

impl Resource for VpcRouter {
    const DECLARATION: Declaration = Declaration::in_project(Kind::VPC)
        .message(ResourceKind::VpcRouter)
        .created_with_vpc(1, insert_system)
        .deleted_with_vpc(delete_all)
        .deletable(Self::DELETABLE);
}

impl Resource for RouterRoute {
    const DECLARATION: Declaration =
        Declaration::in_project(Kind::VPC).message(ResourceKind::RouterRoute).deletable(Self::DELETABLE);
}

fn to_view(router: &VpcRouter) -> api::VpcRouter {
    api::VpcRouter {
        id: router.meta.id,
        name: router.name.clone(),
        description: router.description.clone(),
        time_created: router.meta.time_created,
        time_modified: router.meta.time_modified,
        kind: router.kind.into(),
        vpc_id: router.vpc_id,
    }
}

/// Looks a router up: by id without parents, or by name within a VPC.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    router: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<LookupResult<VpcRouter>> {
    let refusals = [
        "when providing router as an ID vpc and project should not be specified",
        "router should either be an ID or vpc should be specified",
    ];
    vpc::find_inside(cx, caller, router, within, refusals)
}

/// `vpc_router_list`: the routers of a VPC.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<VpcSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::VpcRouter>> {
    let vpc = vpc::select(cx, caller, &query.selector, &operation::VPC_ROUTER_LIST)?;
    let routers: Vec<VpcRouter> = paging::page(cx.tx, ListBy::Parent(vpc.meta.id), query)?;
    Ok(query.results(routers.iter().map(to_view).collect()))
}

/// `vpc_router_create`: without routes, and attached to no subnet.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    within: &VpcSelector,
    params: &VpcRouterCreate,
) -> Result<api::VpcRouter> {
    let vpc = vpc::select(cx, caller, within, &operation::VPC_ROUTER_CREATE)?;
    check_description(&params.identity.description)?;
    let router = VpcRouter {
        meta: cx.new_meta(),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        vpc_id: vpc.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        kind: VpcRouterKind::Custom,
    };
    cx.insert_named(ResourceKind::VpcRouter, &router)?;
    Ok(to_view(&router))
}

/// `vpc_router_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    router: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<api::VpcRouter> {
    Ok(to_view(&*find(cx, caller, router, within)?.authorize(cx, caller, &operation::VPC_ROUTER_VIEW)?))
}

/// `vpc_router_update`: absent fields are unchanged. The system router can be renamed, too.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    router: &NameOrId,
    within: &OptionalVpcSelector,
    params: &VpcRouterUpdate,
) -> Result<api::VpcRouter> {
    let router = find(cx, caller, router, within)?;
    let mut router = router.authorize(cx, caller, &operation::VPC_ROUTER_UPDATE)?.into_inner();
    change_identity(&mut router.name, &mut router.description, &params.identity)?;
    router.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::VpcRouter, &mut router)?;
    Ok(to_view(&router))
}

/// `vpc_router_delete`: deletes its routes, too, and detaches it from subnets.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    router: &NameOrId,
    within: &OptionalVpcSelector,
) -> Result<()> {
    let router = find(cx, caller, router, within)?;
    let router = router.authorize(cx, caller, &operation::VPC_ROUTER_DELETE)?.into_inner();
    deletable::require(cx, caller, &router)?;
    let attached = ListBy::lookup(VpcSubnet::CUSTOM_ROUTER, router.meta.id);
    for mut subnet in paging::all::<VpcSubnet>(cx.tx, &attached)? {
        subnet.custom_router_id = None;
        cx.tx.update(&mut subnet)?;
    }
    delete_with_routes(cx, router)
}

impl Deletable for VpcRouter {
    const DELETION: Operation = operation::VPC_ROUTER_DELETE;
    const PATH: &'static str = "/v1/vpc-routers/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), &OptionalVpcSelector::default())
    }

    fn refuse(&self, _: &mut Cx<'_, '_>, _: &Caller) -> Result<()> {
        match self.kind {
            VpcRouterKind::System => Err(Error::invalid_request("cannot delete system router")),
            VpcRouterKind::Custom => Ok(()),
        }
    }

    fn effects(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let attached = ListBy::lookup(VpcSubnet::CUSTOM_ROUTER, self.meta.id);
        Ok(vec![
            Dependents::list::<RouterRoute>(DeletionEffect::Deleted, ListBy::Parent(self.meta.id)),
            Dependents::list::<VpcSubnet>(DeletionEffect::Changed, attached),
        ])
    }
}

/// The id of a router to attach to a subnet of a VPC. A name means one of that VPC.
pub(crate) fn for_subnet(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: Uuid,
    selector: &NameOrId,
) -> Result<Uuid> {
    let record: Option<VpcRouter> = match selector {
        NameOrId::Id(id) => cx.tx.get(*id)?,
        NameOrId::Name(name) => cx.tx.get_by_name(vpc, name.as_str())?,
    };
    let router = LookupResult::new(record, selector).authorize(cx, caller, Permission::Read)?;
    if router.vpc_id != vpc {
        return Err(Error::invalid_request(
            "a router can only be attached to a subnet when both belong to the same VPC",
        ));
    }
    if router.kind == VpcRouterKind::System {
        return Err(Error::invalid_request("cannot attach a system router to a VPC subnet"));
    }
    Ok(router.meta.id)
}

/// Deletes the routers of a VPC that is being deleted, with their routes.
fn delete_all(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    for router in paging::all::<VpcRouter>(cx.tx, &ListBy::Parent(vpc.meta.id))? {
        delete_with_routes(cx, router)?;
    }
    Ok(())
}

fn delete_with_routes(cx: &mut Cx<'_, '_>, mut router: VpcRouter) -> Result<()> {
    for mut route in paging::all::<RouterRoute>(cx.tx, &ListBy::Parent(router.meta.id))? {
        cx.tx.delete(&mut route, cx.now)?;
    }
    Ok(cx.tx.delete(&mut router, cx.now)?)
}
