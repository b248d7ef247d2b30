use std::fmt;

use croft_api::{
    firewall::VpcFirewallRuleAction,
    trace::{
        Trace, TraceInterface, TraceObject, TraceResult, TraceRoute, TraceStep, TraceStepKind, TraceVerdict,
    },
};
use croft_network::{
    Delivery, ExternalKind, Interface, Outcome, Packet, Route, RouteTarget, Rule, SourceCheck, Step, Subnet,
    Verdict,
};

/// Converts a verdict to text.
pub(super) fn explain(packet: &Packet, verdict: &Verdict<'_>) -> Trace {
    Trace {
        verdict: match verdict.outcome() {
            Outcome::Allowed => TraceVerdict::Allowed,
            Outcome::Denied => TraceVerdict::Denied,
            Outcome::Unreachable => TraceVerdict::Unreachable,
        },
        summary: summary(packet, verdict),
        source: packet.source(),
        destination: packet.destination(),
        steps: verdict.steps.iter().map(|step| explain_step(packet, verdict, step)).collect(),
    }
}

fn explain_step(packet: &Packet, verdict: &Verdict<'_>, step: &Step<'_>) -> TraceStep {
    let result = match step.outcome() {
        Outcome::Allowed => TraceResult::Passed,
        Outcome::Denied => TraceResult::Denied,
        Outcome::Unreachable => TraceResult::Unreachable,
    };
    let blank = |kind| TraceStep {
        kind,
        result,
        text: sentence(&clause(packet, verdict, step)),
        rule: None,
        route: None,
        gateway: None,
        subnet: None,
        interface: None,
        address: None,
    };
    match step {
        Step::SourceCheck(check) => {
            let (interface, subnet) = match check {
                SourceCheck::Own(interface)
                | SourceCheck::Transit(interface, _)
                | SourceCheck::NotItsOwn(interface) => (Some(*interface), None),
                SourceCheck::Forged(subnet) => (None, Some(*subnet)),
                SourceCheck::NoInterface | SourceCheck::Outside => (None, None),
            };
            TraceStep {
                interface: interface.map(interface_view),
                subnet: subnet.map(subnet_view),
                ..blank(TraceStepKind::SourceCheck)
            }
        }
        Step::OutboundFirewall { interface, rule } => TraceStep {
            interface: Some(interface_view(interface)),
            rule: rule.map(rule_view),
            ..blank(TraceStepKind::OutboundFirewall)
        },
        Step::InboundFirewall { interface, rule } => TraceStep {
            interface: Some(interface_view(interface)),
            rule: rule.map(rule_view),
            ..blank(TraceStepKind::InboundFirewall)
        },
        Step::Route { subnet, route } => TraceStep {
            subnet: Some(subnet_view(subnet)),
            route: route.map(route_view),
            gateway: route.and_then(gateway_view),
            address: route.and_then(|route| match route.target {
                RouteTarget::Address(next) => Some(next),
                _ => None,
            }),
            ..blank(TraceStepKind::Route)
        },
        Step::Gateway { route, interface, external } => TraceStep {
            route: Some(route_view(route)),
            gateway: gateway_view(route),
            interface: Some(interface_view(interface)),
            address: external.map(|(ip, _)| ip),
            ..blank(TraceStepKind::Gateway)
        },
        Step::SourceNat { interface, to, .. } => TraceStep {
            interface: Some(interface_view(interface)),
            address: Some(*to),
            ..blank(TraceStepKind::Nat)
        },
        Step::DestinationNat { external, interface, .. } => TraceStep {
            interface: Some(interface_view(interface)),
            address: Some(*external),
            ..blank(TraceStepKind::Nat)
        },
        Step::DestinationCheck { interface, .. } => {
            TraceStep { interface: Some(interface_view(interface)), ..blank(TraceStepKind::DestinationCheck) }
        }
        Step::Delivery(delivery) => TraceStep {
            interface: match delivery {
                Delivery::Interface(interface)
                | Delivery::Sender(interface)
                | Delivery::OnlyAnswers(interface)
                | Delivery::OtherFamily { interface, .. } => Some(interface_view(interface)),
                Delivery::Outside | Delivery::Nobody(_) | Delivery::NotExternal(_) => None,
            },
            ..blank(TraceStepKind::Delivery)
        },
    }
}

pub(super) fn interface_view(interface: &Interface) -> TraceInterface {
    let Interface { id, name, ip, parent_id, parent_name, is_probe, .. } = interface;
    let instance = || TraceObject { id: *parent_id, name: parent_name.clone() };
    TraceInterface { id: *id, name: name.clone(), ip: *ip, instance: (!is_probe).then(instance) }
}

fn rule_view(rule: &Rule) -> TraceObject {
    TraceObject { id: rule.id, name: rule.name.clone() }
}

fn subnet_view(subnet: &Subnet) -> TraceObject {
    TraceObject { id: subnet.id, name: subnet.name.clone() }
}

fn route_view(route: &Route) -> TraceRoute {
    let router = TraceObject { id: route.router_id, name: route.router_name.clone() };
    TraceRoute { id: route.id, name: route.name.clone(), router }
}

fn gateway_view(route: &Route) -> Option<TraceObject> {
    match &route.target {
        RouteTarget::Gateway { id, name, .. } => Some(TraceObject { id: *id, name: name.clone() }),
        _ => None,
    }
}

/// The name of an interface in texts.
struct InterfaceLabel<'n>(&'n Interface);

impl fmt::Display for InterfaceLabel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interface { name, parent_name, is_probe, .. } = self.0;
        if *is_probe {
            write!(f, "the interface of the probe {parent_name}")
        } else {
            write!(f, "the interface {name} of {parent_name}")
        }
    }
}

/// A sentence with the result, and what decided it.
fn summary(packet: &Packet, verdict: &Verdict<'_>) -> String {
    let [.., before, last] = verdict.steps.as_slice() else {
        let only = verdict.steps.first().map(|step| clause(packet, verdict, step));
        return format!("{}: {}.", outcome_word(verdict), only.unwrap_or_default());
    };
    let last_clause = clause(packet, verdict, last);
    let text = match (before, last) {
        (Step::InboundFirewall { .. }, _) => {
            format!("{}, and {last_clause}", clause(packet, verdict, before))
        }
        (Step::SourceNat { to, .. }, Step::Delivery(Delivery::Outside)) => match gateway_of(verdict) {
            Some(gateway) => format!("it leaves the VPC through the gateway {} as {to}", gateway.name),
            None => last_clause,
        },
        _ => last_clause,
    };
    format!("{}: {text}.", outcome_word(verdict))
}

fn outcome_word(verdict: &Verdict<'_>) -> &'static str {
    match verdict.outcome() {
        Outcome::Allowed => "Allowed",
        Outcome::Denied => "Denied",
        Outcome::Unreachable => "Unreachable",
    }
}

fn gateway_of(verdict: &Verdict<'_>) -> Option<TraceObject> {
    verdict.steps.iter().find_map(|step| match step {
        Step::Gateway { route, .. } => gateway_view(route),
        _ => None,
    })
}

/// Capitalizes a clause and adds a full stop. No clause begins with a name.
fn sentence(clause: &str) -> String {
    let mut rest = clause.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).chain(['.']).collect()
}

/// The text of a step.
fn clause(packet: &Packet, verdict: &Verdict<'_>, step: &Step<'_>) -> String {
    match step {
        Step::SourceCheck(check) => source_clause(packet, check),
        Step::OutboundFirewall { rule: Some(rule), .. } => rule_clause("outbound", rule),
        Step::OutboundFirewall { interface, rule: None } => {
            let interface = InterfaceLabel(interface);
            format!("no outbound rule for {interface} matches, and outbound packets are allowed by default")
        }
        Step::Route { subnet, route: None } => {
            format!("no route of the subnet {} leads to {}", subnet.name, packet.destination())
        }
        Step::Route { route: Some(route), .. } => route_clause(route, verdict),
        Step::Gateway { route, interface, external } => {
            let gateway = gateway_view(route).map(|gateway| gateway.name.to_string()).unwrap_or_default();
            match external {
                Some((ip, kind)) => {
                    format!(
                        "the gateway {gateway} lets packets out with the {} {ip} of {}",
                        word(*kind),
                        interface.parent_name
                    )
                }
                None if !interface.primary => {
                    let interface = InterfaceLabel(interface);
                    format!(
                        "{interface} is not the primary interface, and only that one has external addresses"
                    )
                }
                None => {
                    let family = if packet.destination().is_ipv4() { "IPv4" } else { "IPv6" };
                    let parent = &interface.parent_name;
                    format!("no external {family} address of {parent} can be used at the gateway {gateway}")
                }
            }
        }
        Step::SourceNat { from, to, kind, .. } => match kind {
            ExternalKind::SourceNat(shared) => {
                let (first, last) = (shared.first_port, shared.last_port);
                format!("the source address {from} becomes {to}, ports {first} to {last}")
            }
            ExternalKind::Floating | ExternalKind::Ephemeral => {
                format!("the source address {from} becomes {to}")
            }
        },
        Step::DestinationNat { external, kind, interface } => {
            format!("the {} {external} leads to {}, {}", word(*kind), interface.ip, InterfaceLabel(interface))
        }
        Step::DestinationCheck { interface, destination, transit } => {
            let called = InterfaceLabel(interface);
            match transit {
                _ if interface.ip == *destination => format!("the address {destination} is that of {called}"),
                Some(network) => format!("{called} accepts packets to {network}, one of its transit IPs"),
                None => format!(
                    "{called} accepts no packets to {destination}: it is neither the interface's address \
                     nor in its transit IPs"
                ),
            }
        }
        Step::InboundFirewall { rule: Some(rule), .. } => rule_clause("inbound", rule),
        Step::InboundFirewall { interface, rule: None } => {
            format!("no inbound rule allows it to {}", InterfaceLabel(interface))
        }
        Step::Delivery(delivery) => delivery_clause(packet, delivery),
    }
}

fn source_clause(packet: &Packet, check: &SourceCheck<'_>) -> String {
    let source = packet.source();
    match check {
        SourceCheck::Own(interface) => {
            format!("the address {source} is that of {}", InterfaceLabel(interface))
        }
        SourceCheck::Transit(interface, network) => {
            format!("{} may send from {network}, one of its transit IPs", InterfaceLabel(interface))
        }
        SourceCheck::NotItsOwn(interface) => format!(
            "{} may not send from {source}: it is neither the interface's address nor in its transit IPs",
            InterfaceLabel(interface)
        ),
        SourceCheck::NoInterface => "no interface of the VPC sent it".to_owned(),
        SourceCheck::Outside => "it comes from outside the VPC".to_owned(),
        SourceCheck::Forged(subnet) => format!(
            "no interface has the address {source}, and packets from outside may not use a source address \
             of the subnet {}",
            subnet.name
        ),
    }
}

fn rule_clause(direction: &str, rule: &Rule) -> String {
    let does = match rule.action {
        VpcFirewallRuleAction::Allow => "allows",
        VpcFirewallRuleAction::Deny => "denies",
    };
    format!("the {direction} rule {} (priority {}) {does} it", rule.name, rule.priority)
}

fn route_clause(route: &Route, verdict: &Verdict<'_>) -> String {
    let Route { name, router_name, destination, target, .. } = route;
    let route = format!("the route {name} of the router {router_name}");
    match target {
        RouteTarget::Subnet(id) => {
            let subnet = verdict.network.subnet(*id).map(|subnet| subnet.name.to_string());
            format!("{route} sends {destination} to the subnet {}", subnet.unwrap_or_default())
        }
        RouteTarget::Address(next) => format!("{route} sends {destination} to {next}"),
        RouteTarget::Gateway { name, .. } => {
            format!("{route} sends {destination} to the internet gateway {name}")
        }
        RouteTarget::Drop => format!("{route} drops packets to {destination}"),
    }
}

fn word(kind: ExternalKind) -> &'static str {
    match kind {
        ExternalKind::Floating => "floating IP",
        ExternalKind::Ephemeral => "ephemeral IP",
        ExternalKind::SourceNat(_) => "shared address",
    }
}

fn delivery_clause(packet: &Packet, delivery: &Delivery<'_>) -> String {
    match delivery {
        Delivery::Interface(interface) => format!("it reaches {}", InterfaceLabel(interface)),
        Delivery::Outside => "it leaves the VPC; its further path is unknown".to_owned(),
        Delivery::Nobody(ip) => format!("no interface of the VPC has the address {ip}"),
        Delivery::Sender(interface) => {
            format!("the route leads back to {}, which sent it", InterfaceLabel(interface))
        }
        Delivery::OnlyAnswers(_) => {
            let address = packet.destination();
            format!("the address {address} is for outbound connections only: only replies are let in")
        }
        Delivery::OtherFamily { external, interface } => {
            let family = if external.is_ipv4() { "IPv4" } else { "IPv6" };
            let called = InterfaceLabel(interface);
            format!(
                "{external} leads to {called}, which has no {family} address: there is no translation \
                 between address families"
            )
        }
        Delivery::NotExternal(ip) => {
            format!(
                "only floating and ephemeral IPs of the VPC can be reached from outside, and {ip} is neither"
            )
        }
    }
}
