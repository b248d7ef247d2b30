use std::net::IpAddr;

use croft_api::{
    Error, ResourceKind, Result,
    identity::IdentityUpdate,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    router::{self as api, OptionalRouterSelector, RouterRouteCreate, RouterRouteUpdate, RouterSelector},
    scalar::{IpNet, NameOrId},
    vpc::OptionalVpcSelector,
};
use croft_store::{
    ListBy,
    records::{RouteDestination, RouteTarget, RouterRoute, RouterRouteKind, VpcRouterKind},
};
use uuid::Uuid;

use super::find as find_router;
use crate::{
    Caller, Cx, LookupResult, Operation,
    deletable::{self, Deletable},
    description::{change_identity, check_description},
    paging,
    router::operation,
    vpc,
};

fn to_view(route: &RouterRoute) -> api::RouterRoute {
    api::RouterRoute {
        id: route.meta.id,
        name: route.name.clone(),
        description: route.description.clone(),
        time_created: route.meta.time_created,
        time_modified: route.meta.time_modified,
        vpc_router_id: route.vpc_router_id,
        kind: route.kind.into(),
        target: route.target.clone().into(),
        destination: route.destination.clone().into(),
    }
}

/// Looks a route up: by id without parents, or by name within a router.
fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    route: &NameOrId,
    within: &OptionalRouterSelector,
) -> Result<LookupResult<RouterRoute>> {
    let OptionalRouterSelector { router, vpc, project } = within;
    let refusals = [
        "when providing route as an ID router, subnet, vpc, and project should not be specified",
        "route should either be an ID or router should be specified",
    ];
    let within = OptionalVpcSelector { vpc: vpc.clone(), project: project.clone() };
    vpc::find_below(cx, caller, route, (router.as_ref(), within), refusals, find_router)
}

fn vpc_of(selector: &RouterSelector) -> OptionalVpcSelector {
    OptionalVpcSelector { vpc: selector.vpc.clone(), project: selector.project.clone() }
}

/// `vpc_router_route_list`: the routes of a router.
pub fn route_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<RouterSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::RouterRoute>> {
    let router = find_router(cx, caller, &query.selector.router, &vpc_of(&query.selector))?;
    let router = router.authorize(cx, caller, &operation::VPC_ROUTER_ROUTE_LIST)?;
    let of_router: Vec<RouterRoute> = paging::page(cx.tx, ListBy::Parent(router.meta.id), query)?;
    Ok(query.results(of_router.iter().map(to_view).collect()))
}

/// `vpc_router_route_create`: in a custom router.
pub fn route_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    within: &RouterSelector,
    params: &RouterRouteCreate,
) -> Result<api::RouterRoute> {
    let router = find_router(cx, caller, &within.router, &vpc_of(within))?;
    let router = router.authorize(cx, caller, &operation::VPC_ROUTER_ROUTE_CREATE)?;
    check_description(&params.identity.description)?;
    if router.kind == VpcRouterKind::System {
        return Err(Error::invalid_request("user-provided routes cannot be added to a system router"));
    }
    let (target, destination) = (params.target.clone().into(), params.destination.clone().into());
    check("Custom", &destination, &target)?;
    let route = RouterRoute {
        meta: cx.new_meta(),
        silo_id: router.silo_id,
        project_id: router.project_id,
        vpc_id: router.vpc_id,
        vpc_router_id: router.meta.id,
        subnet_id: None,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        kind: RouterRouteKind::Custom,
        target,
        destination,
    };
    cx.insert_named(ResourceKind::RouterRoute, &route)?;
    Ok(to_view(&route))
}

/// `vpc_router_route_view`.
pub fn route_view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    route: &NameOrId,
    within: &OptionalRouterSelector,
) -> Result<api::RouterRoute> {
    let route = find(cx, caller, route, within)?;
    Ok(to_view(&*route.authorize(cx, caller, &operation::VPC_ROUTER_ROUTE_VIEW)?))
}

/// `vpc_router_route_update`: everything of a custom route, only the target of a default route.
pub fn route_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    route: &NameOrId,
    within: &OptionalRouterSelector,
    params: &RouterRouteUpdate,
) -> Result<api::RouterRoute> {
    let route = find(cx, caller, route, within)?;
    let mut route = route.authorize(cx, caller, &operation::VPC_ROUTER_ROUTE_UPDATE)?.into_inner();
    let (target, destination) = (params.target.clone().into(), params.destination.clone().into());
    let kind = check_change(&route, &params.identity, &destination)?;
    check(kind, &destination, &target)?;
    change_identity(&mut route.name, &mut route.description, &params.identity)?;
    route.target = target;
    route.destination = destination;
    route.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::RouterRoute, &mut route)?;
    Ok(to_view(&route))
}

/// Checks whether a route of this kind can be changed in this way (`docs/rules/networking.md#which-routes-can-change`).
/// Returns the kind as messages spell it.
fn check_change(
    route: &RouterRoute,
    identity: &IdentityUpdate,
    destination: &RouteDestination,
) -> Result<&'static str> {
    let fixed = |kind| {
        let text = format!("routes of type {kind} within the system router are not modifiable");
        Err(Error::InvalidRequest(text))
    };
    match route.kind {
        RouterRouteKind::Custom => Ok("Custom"),
        RouterRouteKind::VpcSubnet => fixed("VpcSubnet"),
        RouterRouteKind::VpcPeering => fixed("VpcPeering"),
        RouterRouteKind::Default
            if identity.name.is_some()
                || identity.description.is_some()
                || *destination != route.destination =>
        {
            Err(Error::invalid_request("the destination and metadata of a Default route cannot be changed"))
        }
        RouterRouteKind::Default => Ok("Default"),
    }
}

/// Checks whether a destination and a target are compatible (`docs/rules/networking.md#destinations-and-targets`).
fn check(kind: &str, destination: &RouteDestination, target: &RouteTarget) -> Result<()> {
    match (family(destination), destination, target) {
        (Some(family), _, RouteTarget::Ip { value }) if family != Family::of(*value) => {
            Err(Error::invalid_request(
                "cannot mix explicit IPv4 and IPv6 addresses between destination and target",
            ))
        }
        (_, RouteDestination::Vpc { .. }, _) | (_, _, RouteTarget::Vpc { .. }) => {
            let text = format!("users cannot specify VPCs as a destination or target in {kind} routes");
            Err(Error::InvalidRequest(text))
        }
        (_, _, RouteTarget::Subnet { .. }) => {
            Err(Error::invalid_request(format!("subnets cannot be used as a target in {kind} routers")))
        }
        _ => Ok(()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    V4,
    V6,
}

impl Family {
    const fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(_) => Self::V4,
            IpAddr::V6(_) => Self::V6,
        }
    }
}

/// The family of a destination that consists of addresses.
const fn family(destination: &RouteDestination) -> Option<Family> {
    match destination {
        RouteDestination::Ip { value } => Some(Family::of(*value)),
        RouteDestination::IpNet { value: IpNet::V4(_) } => Some(Family::V4),
        RouteDestination::IpNet { value: IpNet::V6(_) } => Some(Family::V6),
        RouteDestination::Vpc { .. } | RouteDestination::Subnet { .. } => None,
    }
}

/// `vpc_router_route_delete`: of custom routes only.
pub fn route_delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    route: &NameOrId,
    within: &OptionalRouterSelector,
) -> Result<()> {
    let route = find(cx, caller, route, within)?;
    let mut route = route.authorize(cx, caller, &operation::VPC_ROUTER_ROUTE_DELETE)?.into_inner();
    deletable::require(cx, caller, &route)?;
    Ok(cx.tx.delete(&mut route, cx.now)?)
}

impl Deletable for RouterRoute {
    const DELETION: Operation = operation::VPC_ROUTER_ROUTE_DELETE;
    const PATH: &'static str = "/v1/vpc-router-routes/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        route_delete(cx, caller, &NameOrId::Id(id), &OptionalRouterSelector::default())
    }

    fn refuse(&self, _: &mut Cx<'_, '_>, _: &Caller) -> Result<()> {
        if self.kind == RouterRouteKind::Custom {
            return Ok(());
        }
        Err(Error::invalid_request("DELETE not allowed on system routes"))
    }
}
