//! Validation of firewall rules (`docs/rules/networking.md#validation-of-rules`).

use std::collections::BTreeSet;

use croft_api::{
    Error, Result,
    firewall::{
        VpcFirewallRuleHostFilter, VpcFirewallRuleProtocol, VpcFirewallRuleTarget, VpcFirewallRuleUpdate,
    },
    scalar::Name,
};

use crate::description::check_description;

/// Maximum number of rules in a VPC.
const MAX_RULES: usize = 1024;
/// Maximum number of entries in each list of a rule.
const MAX_PARTS: usize = 256;

/// Checks the new set of rules of a VPC. `vpc` is its current name.
pub(crate) fn check(rules: &[VpcFirewallRuleUpdate], vpc: &Name) -> Result<()> {
    check_names(rules)?;
    check_length("rules", rules, MAX_RULES)?;
    for rule in rules {
        check_rule(rule)?;
    }
    check_vpcs(rules, vpc)
}

fn check_names(rules: &[VpcFirewallRuleUpdate]) -> Result<()> {
    let mut seen = BTreeSet::new();
    let repeated = rules.iter().map(|rule| &rule.name).filter(|name| !seen.insert(*name));
    let repeated: BTreeSet<String> = repeated.map(|name| format!("\"{name}\"")).collect();
    if repeated.is_empty() {
        return Ok(());
    }
    let names = Vec::from_iter(repeated).join(", ");
    Err(Error::invalid_value("rules", format!("Rule names must be unique. Duplicates: [{names}]")))
}

fn check_length<T>(label: &str, list: &[T], max: usize) -> Result<()> {
    if list.len() > max {
        return Err(Error::invalid_value(label, format!("max length {max}")));
    }
    Ok(())
}

fn check_rule(rule: &VpcFirewallRuleUpdate) -> Result<()> {
    let hosts = rule.filters.hosts.as_deref().unwrap_or_default();
    let ports = rule.filters.ports.as_deref().unwrap_or_default();
    let protocols = rule.filters.protocols.as_deref().unwrap_or_default();
    check_length("targets", &rule.targets, MAX_PARTS)?;
    check_length("filters.hosts", hosts, MAX_PARTS)?;
    check_length("filters.ports", ports, MAX_PARTS)?;
    for range in ports {
        check_order("l4_port_range", range.first, range.last)?;
    }
    check_length("filters.protocols", protocols, MAX_PARTS)?;
    for protocol in protocols {
        let VpcFirewallRuleProtocol::Icmp { value: Some(messages) } = protocol else { continue };
        if let Some(code) = messages.code {
            check_order("code", code.first, code.last)?;
        }
    }
    check_description(&rule.description)
}

fn check_order<N: Ord>(label: &str, first: N, last: N) -> Result<()> {
    if last < first {
        return Err(Error::invalid_value(label, "range has larger start value than end value"));
    }
    Ok(())
}

/// Rules can name only their own VPC.
fn check_vpcs(rules: &[VpcFirewallRuleUpdate], vpc: &Name) -> Result<()> {
    let is_other_target = |target: &VpcFirewallRuleTarget| matches!(target, VpcFirewallRuleTarget::Vpc { value } if value != vpc);
    if rules.iter().flat_map(|rule| &rule.targets).any(is_other_target) {
        return Err(Error::invalid_request("cross-VPC firewall target unsupported"));
    }
    let is_other_host = |host: &VpcFirewallRuleHostFilter| matches!(host, VpcFirewallRuleHostFilter::Vpc { value } if value != vpc);
    if rules.iter().filter_map(|rule| rule.filters.hosts.as_ref()).flatten().any(is_other_host) {
        return Err(Error::invalid_request("cross-VPC firewall host filter unsupported"));
    }
    Ok(())
}
