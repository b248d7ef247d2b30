//! Firewall rules and routes that refer to things in their VPC by name.

use croft_api::{Result, deletion::DeletionEffect, scalar::Name};
use croft_store::{
    ListBy, Record as _, Tx,
    records::{
        FirewallRuleContent, RouteDestination, RouteTarget, RouterRoute, RouterRouteKind, VpcFirewall,
        VpcFirewallRuleHostFilter as Host, VpcFirewallRuleTarget as Target, VpcRouter,
    },
};
use uuid::Uuid;

use crate::{
    dependents::{Dependent, Dependents},
    paging,
};

/// The kind of a firewall rule, which is part of the record of its VPC's firewall.
pub(crate) const FIREWALL_RULE: &str = "vpc_firewall_rule";

/// Something that rules and routes of a VPC name.
#[derive(Clone, Copy)]
pub(crate) enum Named<'n> {
    /// An instance with an interface in the VPC.
    Instance(&'n Name),
    /// A subnet of the VPC.
    Subnet(&'n Name),
    /// A gateway of the VPC.
    Gateway(&'n Name),
}

impl Named<'_> {
    fn is_in_rule(self, rule: &FirewallRuleContent) -> bool {
        let hosts = rule.filters.hosts.iter().flatten();
        rule.targets.iter().any(|target| match (self, target) {
            (Self::Instance(name), Target::Instance { value })
            | (Self::Subnet(name), Target::Subnet { value }) => value == name,
            _ => false,
        }) || hosts.into_iter().any(|host| match (self, host) {
            (Self::Instance(name), Host::Instance { value })
            | (Self::Subnet(name), Host::Subnet { value }) => value == name,
            _ => false,
        })
    }

    fn is_in_route(self, route: &RouterRoute) -> bool {
        // The route to a subnet goes with it.
        if route.kind == RouterRouteKind::VpcSubnet {
            return false;
        }
        match self {
            Self::Instance(name) => {
                matches!(&route.target, RouteTarget::Instance { value } if value == name)
            }
            Self::Gateway(name) => {
                matches!(&route.target, RouteTarget::InternetGateway { value } if value == name)
            }
            Self::Subnet(name) => {
                matches!(&route.target, RouteTarget::Subnet { value } if value == name)
                    || matches!(&route.destination, RouteDestination::Subnet { value } if value == name)
            }
        }
    }
}

/// The rules of a VPC, or those of them that fit.
pub(crate) fn rules(
    tx: &mut Tx<'_>,
    vpc: Uuid,
    fits: impl Fn(&FirewallRuleContent) -> bool,
) -> Result<Vec<Dependent>> {
    let Some(firewall) = tx.get::<VpcFirewall>(vpc)? else { return Ok(Vec::new()) };
    let fitting = firewall.rules.iter().filter(|rule| fits(&rule.rule));
    let view = |id, name: &Name| Dependent { id, parent: vpc, ..Dependent::of(&firewall).named(name) };
    Ok(fitting.map(|rule| view(rule.id, &rule.rule.name)).collect())
}

/// The routes of a VPC that fit.
pub(crate) fn routes(
    tx: &mut Tx<'_>,
    vpc: Uuid,
    fits: impl Fn(&RouterRoute) -> bool,
) -> Result<Vec<RouterRoute>> {
    let mut routes = Vec::new();
    for router in paging::all::<VpcRouter>(tx, &ListBy::Parent(vpc))? {
        let of_router: Vec<RouterRoute> = paging::all(tx, &ListBy::Parent(router.meta.id))?;
        routes.extend(of_router.into_iter().filter(&fits));
    }
    Ok(routes)
}

/// The rules and routes of VPCs that refer to something by name. They stay when it is deleted, and match nothing then.
pub(crate) fn references(tx: &mut Tx<'_>, vpcs: &[Uuid], named: Named<'_>) -> Result<Vec<Dependents>> {
    let (mut in_rules, mut in_routes) = (Vec::new(), Vec::new());
    for vpc in vpcs {
        in_rules.extend(rules(tx, *vpc, |rule| named.is_in_rule(rule))?);
        in_routes.extend(routes(tx, *vpc, |route| named.is_in_route(route))?);
    }
    let table = VpcFirewall::TABLE.name;
    Ok(vec![
        Dependents::parts(FIREWALL_RULE, table, DeletionEffect::Kept, in_rules),
        Dependents::found(DeletionEffect::Kept, &in_routes),
    ])
}
