use croft_api::scalar::IpNet;
use croft_network::Rule;
use croft_store::records::{FirewallRule, VpcFirewallRuleHostFilter, VpcFirewallRuleStatus};
use uuid::Uuid;

use super::names::Names;

/// Resolves a rule; `None` if it has no effect.
pub(super) fn resolve(entry: &FirewallRule, names: &Names<'_>) -> Option<Rule> {
    let rule = &entry.rule;
    if rule.status == VpcFirewallRuleStatus::Disabled {
        return None;
    }
    let mut targets: Vec<Uuid> =
        once(&rule.targets).into_iter().flat_map(|target| names.targets(target)).collect();
    targets.sort_unstable();
    targets.dedup();
    let hosts = match set(rule.filters.hosts.as_deref()) {
        Some(hosts) => Some(resolve_hosts(hosts, names)?),
        None => None,
    };
    (!targets.is_empty()).then(|| Rule {
        id: entry.id,
        name: rule.name.clone(),
        priority: rule.priority,
        direction: rule.direction.into(),
        action: rule.action.into(),
        targets,
        hosts,
        protocols: set(rule.filters.protocols.as_deref())
            .map(|protocols| protocols.iter().copied().map(Into::into).collect()),
        ports: set(rule.filters.ports.as_deref()).map(<[_]>::to_vec),
    })
}

/// The networks of host filters; `None` if no filter resolves to anything.
fn resolve_hosts(hosts: &[VpcFirewallRuleHostFilter], names: &Names<'_>) -> Option<Vec<IpNet>> {
    let mut networks: Vec<IpNet> = once(hosts).into_iter().flat_map(|host| names.hosts(host)).collect();
    networks.sort_unstable();
    networks.dedup();
    (!networks.is_empty()).then_some(networks)
}

/// The entries without duplicates, because each may expand to a whole VPC. There are at most 256.
fn once<T: PartialEq>(entries: &[T]) -> Vec<&T> {
    let mut once: Vec<&T> = Vec::new();
    for entry in entries {
        if !once.contains(&entry) {
            once.push(entry);
        }
    }
    once
}

/// A filter; `None` if it is empty.
fn set<T>(filter: Option<&[T]>) -> Option<&[T]> {
    filter.filter(|entries| !entries.is_empty())
}
