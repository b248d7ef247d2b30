//! The records of a VPC as they would be after changes that nobody has made.

use croft_api::{
    Error, Result,
    firewall::VpcFirewallRuleUpdate,
    reachability::{GatewayChange, NetworkChanges, ProposedRoute, RouterChange},
    scalar::{Description, Name, NameOrId},
};
use croft_store::{
    Meta,
    records::{
        FirewallRule, InternetGateway, InternetGatewayIpAddress, InternetGatewayIpPool, RouterRoute,
        RouterRouteKind, VpcRouter,
    },
};
use uuid::Uuid;

use crate::{Cx, firewall, network::Records};

/// Maximum number of routers and of gateways, and of what one gateway has.
const MAX_PARTS: usize = 256;
/// Maximum number of routes of a router.
const MAX_ROUTES: usize = 1024;

/// Applies changes. What has the name of something that exists keeps its id, so that only what differs is another one.
pub(super) fn apply(cx: &mut Cx<'_, '_>, records: &mut Records, changes: &NetworkChanges) -> Result<()> {
    if let Some(rules) = &changes.firewall_rules {
        replace_rules(cx, records, rules)?;
    }
    let routers = changes.routers.as_deref().unwrap_or_default();
    check_length("changes.routers", routers)?;
    for change in routers {
        replace_routes(cx, records, change)?;
    }
    let gateways = changes.gateways.as_deref().unwrap_or_default();
    check_length("changes.gateways", gateways)?;
    for change in gateways {
        replace_addresses(cx, records, change)?;
    }
    Ok(())
}

fn check_length<T>(label: &str, list: &[T]) -> Result<()> {
    if list.len() > MAX_PARTS {
        return Err(Error::invalid_value(label, format!("max length {MAX_PARTS}")));
    }
    Ok(())
}

fn replace_rules(cx: &mut Cx<'_, '_>, records: &mut Records, rules: &[VpcFirewallRuleUpdate]) -> Result<()> {
    firewall::check_rules(rules, &records.vpc.name)?;
    let Some(firewall) = &mut records.firewall else {
        return Err(Error::internal(format!("VPC {} has no firewall", records.vpc.meta.id)));
    };
    let id_of = |name: &Name| firewall.rules.iter().find(|own| own.rule.name == *name).map(|own| own.id);
    let proposed = rules.iter().map(|rule| {
        let id = id_of(&rule.name).unwrap_or_else(|| cx.new_id());
        FirewallRule { id, rule: rule.clone().into() }
    });
    let proposed = proposed.collect();
    firewall.rules = proposed;
    Ok(())
}

fn replace_routes(cx: &mut Cx<'_, '_>, records: &mut Records, change: &RouterChange) -> Result<()> {
    let is_named = |router: &&VpcRouter| is(&change.router, router.meta.id, &router.name);
    let Some(router) = records.routers.iter().find(is_named) else {
        return Err(unknown("router", &change.router));
    };
    let label = "changes.routers.routes";
    if change.routes.len() > MAX_ROUTES {
        return Err(Error::invalid_value(label, format!("max length {MAX_ROUTES}")));
    }
    let is_own = |route: &RouterRoute| route.vpc_router_id == router.meta.id;
    let mut proposed: Vec<RouterRoute> = Vec::new();
    for ProposedRoute { name, destination, target } in &change.routes {
        if proposed.iter().any(|other| other.name == *name) {
            return Err(Error::invalid_value(label, format!("two routes are called \"{name}\"")));
        }
        let stored = records.routes.iter().find(|route| is_own(route) && route.name == *name);
        let meta = match stored {
            Some(stored) => stored.meta.clone(),
            None => Meta::new(cx.new_id(), cx.now),
        };
        proposed.push(RouterRoute {
            meta,
            silo_id: router.silo_id,
            project_id: router.project_id,
            vpc_id: router.vpc_id,
            vpc_router_id: router.meta.id,
            subnet_id: None,
            name: name.clone(),
            description: Description::from(""),
            kind: RouterRouteKind::Custom,
            target: target.clone().into(),
            destination: destination.clone().into(),
        });
    }
    let router = router.meta.id;
    records.routes.retain(|route| route.vpc_router_id != router);
    records.routes.append(&mut proposed);
    Ok(())
}

fn replace_addresses(cx: &mut Cx<'_, '_>, records: &mut Records, change: &GatewayChange) -> Result<()> {
    let is_named = |gateway: &&InternetGateway| is(&change.gateway, gateway.meta.id, &gateway.name);
    let Some(gateway) = records.gateways.iter().find(is_named) else {
        return Err(unknown("internet gateway", &change.gateway));
    };
    check_length("changes.gateways.ip_pools", &change.ip_pools)?;
    check_length("changes.gateways.addresses", &change.addresses)?;
    let id = gateway.meta.id;
    records.gateway_pools.retain(|attached| attached.internet_gateway_id != id);
    records.gateway_addresses.retain(|attached| attached.internet_gateway_id != id);
    for &ip_pool_id in &change.ip_pools {
        records.gateway_pools.push(InternetGatewayIpPool {
            meta: Meta::new(cx.new_id(), cx.now),
            silo_id: gateway.silo_id,
            project_id: gateway.project_id,
            internet_gateway_id: id,
            ip_pool_id,
            name: gateway.name.clone(),
            description: Description::from(""),
        });
    }
    for &address in &change.addresses {
        records.gateway_addresses.push(InternetGatewayIpAddress {
            meta: Meta::new(cx.new_id(), cx.now),
            silo_id: gateway.silo_id,
            project_id: gateway.project_id,
            internet_gateway_id: id,
            address,
            name: gateway.name.clone(),
            description: Description::from(""),
        });
    }
    Ok(())
}

fn is(selector: &NameOrId, id: Uuid, name: &Name) -> bool {
    match selector {
        NameOrId::Id(wanted) => *wanted == id,
        NameOrId::Name(wanted) => wanted == name,
    }
}

fn unknown(what: &str, selector: &NameOrId) -> Error {
    Error::invalid_request(format!("the VPC has no {what} \"{selector}\""))
}
