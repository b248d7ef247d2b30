//! Addresses attached to a gateway (`docs/rules/networking.md#addresses-of-gateways`).

use croft_api::{
    ResourceKind, Result,
    internet_gateway::{
        self as api, CascadeSelector, GatewaySelector, InternetGatewayIpAddressCreate,
        OptionalGatewaySelector,
    },
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{ListBy, records::InternetGatewayIpAddress};
use uuid::Uuid;

use super::{find_attachment, routed, select};
use crate::{
    Caller, Cx, Operation,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    internet_gateway::operation,
    paging,
};

fn to_view(attachment: &InternetGatewayIpAddress) -> api::InternetGatewayIpAddress {
    api::InternetGatewayIpAddress {
        id: attachment.meta.id,
        name: attachment.name.clone(),
        description: attachment.description.clone(),
        time_created: attachment.meta.time_created,
        time_modified: attachment.meta.time_modified,
        internet_gateway_id: attachment.internet_gateway_id,
        address: attachment.address,
    }
}

/// `internet_gateway_ip_address_list`: the address attached to a gateway.
pub fn ip_address_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<GatewaySelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::InternetGatewayIpAddress>> {
    let gateway = select(cx, caller, &query.selector, &operation::INTERNET_GATEWAY_IP_ADDRESS_LIST)?;
    let attached: Vec<InternetGatewayIpAddress> =
        paging::page(cx.tx, ListBy::Parent(gateway.meta.id), query)?;
    Ok(query.results(attached.iter().map(to_view).collect()))
}

/// `internet_gateway_ip_address_create`: attaches any address, in a pool or not, to a gateway without one.
pub fn ip_address_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    on: &GatewaySelector,
    params: &InternetGatewayIpAddressCreate,
) -> Result<api::InternetGatewayIpAddress> {
    let gateway = select(cx, caller, on, &operation::INTERNET_GATEWAY_IP_ADDRESS_CREATE)?;
    check_description(&params.identity.description)?;
    let attachment = InternetGatewayIpAddress {
        meta: cx.new_meta(),
        silo_id: gateway.silo_id,
        project_id: gateway.project_id,
        internet_gateway_id: gateway.meta.id,
        address: params.address,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
    };
    // Either the name is taken, or the gateway has an address already.
    cx.insert_named(ResourceKind::InternetGatewayIpAddress, &attachment)?;
    Ok(to_view(&attachment))
}

/// `internet_gateway_ip_address_delete`: detaches an address. Without `cascade`, refused while a route needs the
/// gateway for an instance with this address. Routes are never deleted.
pub fn ip_address_delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    attachment: &NameOrId,
    within: &OptionalGatewaySelector,
    CascadeSelector { cascade }: CascadeSelector,
) -> Result<()> {
    let attachment = find_attachment::<InternetGatewayIpAddress>(cx, caller, "address", attachment, within)?;
    let operation = &operation::INTERNET_GATEWAY_IP_ADDRESS_DELETE;
    let mut attachment = attachment.authorize(cx, caller, operation)?.into_inner();
    if !cascade {
        deletable::require(cx, caller, &attachment)?;
    }
    Ok(cx.tx.delete(&mut attachment, cx.now)?)
}

// Without the option `cascade`.
impl Deletable for InternetGatewayIpAddress {
    const DELETION: Operation = operation::INTERNET_GATEWAY_IP_ADDRESS_DELETE;
    const PATH: &'static str = "/v1/internet-gateway-ip-addresses/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        let (within, cascade) = (OptionalGatewaySelector::default(), CascadeSelector::default());
        ip_address_delete(cx, caller, &NameOrId::Id(id), &within, cascade)
    }

    fn blockers(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        Ok(vec![routed::of_address(cx, self.internet_gateway_id, self.address)?])
    }
}
