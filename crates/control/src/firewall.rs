//! Firewall rules (`domain/networking.md`, section 3).

use croft_api::{
    Result,
    firewall::{
        VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleFilter, VpcFirewallRuleHostFilter,
        VpcFirewallRuleProtocol, VpcFirewallRuleStatus, VpcFirewallRuleTarget, VpcFirewallRuleUpdate,
    },
    scalar::{Description, Name},
};
use croft_store::{
    Meta,
    records::{FirewallRule, Vpc, VpcFirewall},
};

use crate::Cx;

/// The priority of the rules that a VPC begins with: any other goes before them.
const DEFAULT_PRIORITY: u16 = 65534;

/// The rules that a VPC begins with, in order of their names. They name it as it is called now.
pub(crate) fn insert_defaults(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    let rule = |name, description: &str, filters| VpcFirewallRuleUpdate {
        name: Name::literal(name),
        description: Description::from(description),
        status: VpcFirewallRuleStatus::Enabled,
        direction: VpcFirewallRuleDirection::Inbound,
        targets: vec![VpcFirewallRuleTarget::Vpc { value: vpc.name.clone() }],
        filters,
        action: VpcFirewallRuleAction::Allow,
        priority: DEFAULT_PRIORITY,
    };
    let none = VpcFirewallRuleFilter::default;
    let icmp = VpcFirewallRuleProtocol::Icmp { value: None };
    let from_within = VpcFirewallRuleHostFilter::Vpc { value: vpc.name.clone() };
    let rules = [
        rule(
            "allow-icmp",
            "allow inbound ICMP traffic from anywhere",
            VpcFirewallRuleFilter { protocols: Some(vec![icmp]), ..none() },
        ),
        rule(
            "allow-internal-inbound",
            "allow inbound traffic to all instances within the VPC if originated within the VPC",
            VpcFirewallRuleFilter { hosts: Some(vec![from_within]), ..none() },
        ),
        rule(
            "allow-ssh",
            "allow inbound TCP connections on port 22 from anywhere",
            VpcFirewallRuleFilter {
                protocols: Some(vec![VpcFirewallRuleProtocol::Tcp]),
                ports: Some(vec!["22".parse()?]),
                ..none()
            },
        ),
    ];
    let firewall = VpcFirewall {
        meta: Meta::new(vpc.meta.id, cx.now),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        rules: rules.map(|rule| FirewallRule { id: cx.new_id(), rule }).into(),
    };
    Ok(cx.tx.insert(&firewall)?)
}
