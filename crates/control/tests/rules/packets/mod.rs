//! Property tests of packets in random VPCs (`docs/rules/networking.md`).

mod naive;
mod random_vpcs;
mod stored;

use std::collections::{BTreeMap, BTreeSet};

use croft_api::scalar::Name;
use croft_control::network::Records;
use croft_network::{Delivery, Outcome, Packet, Step, Verdict, decide};
use croft_store::records::{
    FirewallRule, FirewallRuleContent, RouteDestination, RouteTarget, VpcFirewallRuleAction,
    VpcFirewallRuleStatus,
};
use naive::{Naive, NaiveOutcome};
use proptest::{collection::vec, prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use random_vpcs::{PacketTemplate, packet_template, random_vpc, set_rules, some_rule};
use serde_json::json;
use uuid::Uuid;

/// Converts a verdict to the outcome of the naive implementation.
fn outcome(verdict: &Verdict<'_>) -> NaiveOutcome {
    let [before @ .., last] = verdict.steps.as_slice() else { panic!("a verdict without steps") };
    assert!(before.iter().all(|step| step.outcome() == Outcome::Allowed), "{verdict:?}");
    match last {
        Step::SourceCheck(_) => NaiveOutcome::BadSource,
        Step::OutboundFirewall { rule: Some(rule), .. } | Step::InboundFirewall { rule: Some(rule), .. } => {
            NaiveOutcome::Rule(rule.name.clone())
        }
        Step::InboundFirewall { rule: None, .. } => NaiveOutcome::NoRule,
        Step::Route { route: Some(route), .. } => NaiveOutcome::Drop(route.id),
        Step::DestinationCheck { .. } => NaiveOutcome::NotTaken,
        Step::Delivery(Delivery::Interface(interface)) => match before.last() {
            Some(Step::InboundFirewall { rule: Some(rule), .. }) => {
                NaiveOutcome::Reaches(interface.id, rule.name.clone())
            }
            other => panic!("delivered after {other:?}"),
        },
        Step::Delivery(Delivery::Outside) => match before.last() {
            Some(Step::SourceNat { to, .. }) => NaiveOutcome::Leaves(*to),
            other => panic!("left after {other:?}"),
        },
        Step::Route { route: None, .. } | Step::Gateway { .. } | Step::Delivery(_) => NaiveOutcome::Lost,
        Step::OutboundFirewall { rule: None, .. } | Step::SourceNat { .. } | Step::DestinationNat { .. } => {
            panic!("nothing ends with {last:?}")
        }
    }
}

fn packets(records: &Records, templates: &[PacketTemplate]) -> Vec<Packet> {
    templates.iter().filter_map(|template| template.packet(records)).collect()
}

fn outcomes(records: &Records, packets: &[Packet]) -> Vec<NaiveOutcome> {
    let network = records.resolve();
    packets.iter().map(|packet| outcome(&decide(&network, packet))).collect()
}

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

/// The comparisons are meaningful only if all outcomes occur.
#[test]
fn generated_cases_cover_all_outcomes() {
    let (mut runner, mut seen) = (TestRunner::deterministic(), BTreeMap::<String, usize>::new());
    for _ in 0..100 {
        let (records, templates) =
            (random_vpc(), vec(packet_template(), 80)).new_tree(&mut runner).unwrap().current();
        let packets = packets(&records, &templates);
        *seen.entry("packets".to_owned()).or_default() += packets.len();
        for packet in &packets {
            for step in &decide(&records.resolve(), packet).steps {
                let kind = match step {
                    Step::Delivery(delivery) => format!("{delivery:?}"),
                    Step::SourceCheck(check) => format!("{check:?}"),
                    step => format!(
                        "{} {step:?}",
                        ["passed", "stopped"][usize::from(step.outcome() != Outcome::Allowed)]
                    ),
                };
                let kind = kind.split(['(', '{']).next().unwrap().trim().to_owned();
                *seen.entry(kind).or_default() += 1;
            }
        }
    }
    let kinds = [
        "packets",
        "Own",
        "Transit",
        "NotItsOwn",
        "Outside",
        "Forged",
        "passed OutboundFirewall",
        "stopped OutboundFirewall",
        "passed Route",
        "stopped Route",
        "passed Gateway",
        "stopped Gateway",
        "passed SourceNat",
        "passed DestinationNat",
        "passed DestinationCheck",
        "stopped DestinationCheck",
        "passed InboundFirewall",
        "stopped InboundFirewall",
        "Interface",
        "Nobody",
        "Sender",
        "OnlyAnswers",
        "OtherFamily",
        "NotExternal",
    ];
    for kind in kinds {
        assert!(seen.get(kind).is_some_and(|count| *count >= 10), "{kind}: {seen:#?}");
    }
    assert!(seen["packets"] > 4000, "{seen:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// More than 20 000 packets: more than half of the templates give one.
    #[test]
    fn decisions_agree_with_naive_implementation(records in random_vpc(), templates in vec(packet_template(), 80)) {
        let network = records.resolve();
        for packet in packets(&records, &templates) {
            let verdict = decide(&network, &packet);
            prop_assert_eq!(outcome(&verdict), Naive(&records).outcome(&packet), "{:?}: {:?}", packet, verdict.steps);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Packets that pass still pass after a last rule that allows everything is added.
    #[test]
    fn allow_rule_of_lowest_priority_blocks_no_packet(
        records in random_vpc(), templates in vec(packet_template(), 30), mut last in some_rule(),
    ) {
        last.priority = u16::MAX;
        last.action = VpcFirewallRuleAction::Allow;
        let packets = packets(&records, &templates);
        let before = outcomes(&records, &packets);
        let mut more = records.clone();
        let mut rules: Vec<FirewallRuleContent> =
            records.firewall.unwrap().rules.into_iter().map(|entry| entry.rule).collect();
        rules.push(last);
        set_rules(&mut more, rules);
        for (before, after) in before.into_iter().zip(outcomes(&more, &packets)) {
            match before {
                NaiveOutcome::Reaches(interface, _) => {
                    prop_assert!(matches!(after, NaiveOutcome::Reaches(same, _) if same == interface), "{:?}", after);
                }
                NaiveOutcome::Leaves(_) => prop_assert_eq!(after, before),
                _ => {}
            }
        }
    }

    /// A first rule that denies everything blocks all inbound packets.
    #[test]
    fn deny_rule_of_highest_priority_blocks_every_packet(
        records in random_vpc(), templates in vec(packet_template(), 30),
    ) {
        let deny = json!({
            "name": "deny", "description": "", "status": "enabled", "direction": "inbound", "action": "deny",
            "priority": 0, "targets": [{"type": "vpc", "value": "inner"}], "filters": {},
        });
        let mut records = records;
        let mut rules: Vec<FirewallRuleContent> =
            records.firewall.take().unwrap().rules.into_iter().map(|entry| entry.rule).collect();
        rules.push(serde_json::from_value(deny).unwrap());
        set_rules(&mut records, rules);
        for outcome in outcomes(&records, &packets(&records, &templates)) {
            prop_assert!(!matches!(outcome, NaiveOutcome::Reaches(..) | NaiveOutcome::NoRule), "{:?}", outcome);
        }
    }

    /// The order of records does not matter.
    #[test]
    fn order_of_records_is_irrelevant(records in random_vpc(), turn in 0..5_usize) {
        fn mix<T>(all: &mut [T], turn: usize) {
            all.reverse();
            let middle = turn.min(all.len());
            all.rotate_left(middle);
        }
        let mut other = records.clone();
        mix(&mut other.firewall.as_mut().unwrap().rules, turn);
        for entry in &mut other.firewall.as_mut().unwrap().rules {
            mix(&mut entry.rule.targets, turn);
            if let Some(hosts) = &mut entry.rule.filters.hosts {
                mix(hosts, turn);
            }
        }
        mix(&mut other.subnets, turn);
        mix(&mut other.interfaces, turn);
        mix(&mut other.instances, turn);
        mix(&mut other.addresses, turn);
        mix(&mut other.floating_ips, turn);
        mix(&mut other.routers, turn);
        mix(&mut other.routes, turn);
        mix(&mut other.gateways, turn);
        mix(&mut other.gateway_pools, turn);
        mix(&mut other.gateway_addresses, turn);
        prop_assert_eq!(other.resolve(), records.resolve());
    }

    /// Renaming objects that no rule or route refers to has no effect.
    #[test]
    fn renaming_an_unreferenced_object_has_no_effect(records in random_vpc(), templates in vec(packet_template(), 30)) {
        let text = serde_json::to_string(&records.firewall.as_ref().unwrap().rules).unwrap();
        let named = |subnet: &Name| {
            let targeted = json!({"type": "subnet", "value": subnet}).to_string();
            let value = RouteDestination::Subnet { value: subnet.clone() };
            let own = |target: &RouteTarget| *target == RouteTarget::Subnet { value: subnet.clone() };
            text.contains(&targeted)
                || records.routes.iter().any(|route| route.destination == value && !own(&route.target))
        };
        let packets = packets(&records, &templates);
        let before = outcomes(&records, &packets);
        let mut renamed = records.clone();
        let fresh: Vec<Name> = renamed.subnets.iter().map(|subnet| subnet.name.clone()).collect();
        for old in fresh.into_iter().filter(|subnet| !named(subnet)) {
            let new = name(&format!("{old}-new"));
            for subnet in renamed.subnets.iter_mut().filter(|subnet| subnet.name == old) {
                subnet.name = new.clone();
            }
            for route in &mut renamed.routes {
                if route.target == (RouteTarget::Subnet { value: old.clone() }) {
                    route.target = RouteTarget::Subnet { value: new.clone() };
                    route.destination = RouteDestination::Subnet { value: new.clone() };
                }
            }
        }
        prop_assert_eq!(outcomes(&renamed, &packets), before);
    }

    /// Rules that are disabled, have no targets, or refer to a VPC by an old name have no effect.
    #[test]
    fn disabled_and_nonmatching_rules_have_no_effect(
        records in random_vpc(), templates in vec(packet_template(), 30), extra in vec((some_rule(), 0..3), 1..4),
    ) {
        let packets = packets(&records, &templates);
        let before = outcomes(&records, &packets);
        let mut more = records.clone();
        let rules = &mut more.firewall.as_mut().unwrap().rules;
        for (mut rule, why) in extra {
            rule.priority = 0;
            match why {
                0 => rule.status = VpcFirewallRuleStatus::Disabled,
                1 => rule.targets.clear(),
                _ => rule.targets = serde_json::from_value(json!([{"type": "vpc", "value": "old"}])).unwrap(),
            }
            rules.push(FirewallRule { id: Uuid::nil(), rule });
        }
        prop_assert_eq!(outcomes(&more, &packets), before);
        prop_assert_eq!(more.resolve(), records.resolve());
    }

    /// Only interfaces of the VPC affect its packets, and none receives packets for others.
    #[test]
    fn packets_reach_only_their_destination(records in random_vpc(), templates in vec(packet_template(), 30)) {
        let network = records.resolve();
        let own: BTreeSet<Uuid> = records.interfaces.iter().map(|interface| interface.meta.id).collect();
        for packet in packets(&records, &templates) {
            let verdict = decide(&network, &packet);
            let Some(Step::Delivery(Delivery::Interface(receiver))) = verdict.steps.last() else { continue };
            prop_assert!(own.contains(&receiver.id));
            let to = packet.destination();
            let external = receiver.external.kind_of(to).is_some();
            let transit = receiver.transit_ips.iter().any(|network| naive::within(to, *network));
            prop_assert!(receiver.ip == to || external || transit, "{:?} got {}", receiver, to);
        }
    }
}
