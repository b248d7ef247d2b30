//! Pools attached to a gateway (`docs/rules/networking.md#pools-of-gateways`).

use croft_api::{
    ResourceKind, Result,
    internet_gateway::{
        self as api, CascadeSelector, GatewaySelector, InternetGatewayIpPoolCreate, OptionalGatewaySelector,
    },
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{ListBy, records::InternetGatewayIpPool};
use uuid::Uuid;

use super::{find_attachment, routed, select};
use crate::{
    Caller, Cx, Operation,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    internet_gateway::operation,
    ip_pool, paging,
};

fn to_view(attachment: &InternetGatewayIpPool) -> api::InternetGatewayIpPool {
    api::InternetGatewayIpPool {
        id: attachment.meta.id,
        name: attachment.name.clone(),
        description: attachment.description.clone(),
        time_created: attachment.meta.time_created,
        time_modified: attachment.meta.time_modified,
        internet_gateway_id: attachment.internet_gateway_id,
        ip_pool_id: attachment.ip_pool_id,
    }
}

/// `internet_gateway_ip_pool_list`: the pools attached to a gateway.
pub fn ip_pool_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<GatewaySelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::InternetGatewayIpPool>> {
    let gateway = select(cx, caller, &query.selector, &operation::INTERNET_GATEWAY_IP_POOL_LIST)?;
    let attached: Vec<InternetGatewayIpPool> = paging::page(cx.tx, ListBy::Parent(gateway.meta.id), query)?;
    Ok(query.results(attached.iter().map(to_view).collect()))
}

/// `internet_gateway_ip_pool_create`: attaches a pool that the caller's silo is linked to.
pub fn ip_pool_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    on: &GatewaySelector,
    params: &InternetGatewayIpPoolCreate,
) -> Result<api::InternetGatewayIpPool> {
    let gateway = select(cx, caller, on, &operation::INTERNET_GATEWAY_IP_POOL_CREATE)?;
    check_description(&params.identity.description)?;
    let attachment = InternetGatewayIpPool {
        meta: cx.new_meta(),
        silo_id: gateway.silo_id,
        project_id: gateway.project_id,
        internet_gateway_id: gateway.meta.id,
        ip_pool_id: ip_pool::choose(cx, caller, Some(&params.ip_pool))?,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
    };
    cx.insert_named(ResourceKind::InternetGatewayIpPool, &attachment)?;
    Ok(to_view(&attachment))
}

/// `internet_gateway_ip_pool_delete`: detaches a pool. Without `cascade`, refused while a route needs the gateway for
/// an instance with an address of the pool. Routes are never deleted.
pub fn ip_pool_delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    attachment: &NameOrId,
    within: &OptionalGatewaySelector,
    CascadeSelector { cascade }: CascadeSelector,
) -> Result<()> {
    let attachment = find_attachment::<InternetGatewayIpPool>(cx, caller, "pool", attachment, within)?;
    let operation = &operation::INTERNET_GATEWAY_IP_POOL_DELETE;
    let mut attachment = attachment.authorize(cx, caller, operation)?.into_inner();
    if !cascade {
        deletable::require(cx, caller, &attachment)?;
    }
    Ok(cx.tx.delete(&mut attachment, cx.now)?)
}

// Without the option `cascade`.
impl Deletable for InternetGatewayIpPool {
    const DELETION: Operation = operation::INTERNET_GATEWAY_IP_POOL_DELETE;
    const PATH: &'static str = "/v1/internet-gateway-ip-pools/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        let (within, cascade) = (OptionalGatewaySelector::default(), CascadeSelector::default());
        ip_pool_delete(cx, caller, &NameOrId::Id(id), &within, cascade)
    }

    // Every allocated address is in one of the pool's ranges, because ranges in use are not removed.
    fn blockers(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        Ok(vec![routed::of_pool(cx, self.internet_gateway_id, self.ip_pool_id)?])
    }
}
