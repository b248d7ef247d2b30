//! Firewall rules (`docs/rules/networking.md#firewall-rules`).

mod check;

pub(crate) use check::check as check_rules;

use croft_api::{
    Error, Result,
    firewall::{VpcFirewallRule, VpcFirewallRuleUpdateParams, VpcFirewallRules},
    scalar::{Description, Name},
    vpc::VpcSelector,
};
use croft_store::{
    Meta,
    records::{
        FirewallRule, FirewallRuleContent, Vpc, VpcFirewall, VpcFirewallRuleAction, VpcFirewallRuleDirection,
        VpcFirewallRuleFilter, VpcFirewallRuleHostFilter, VpcFirewallRuleProtocol, VpcFirewallRuleStatus,
        VpcFirewallRuleTarget,
    },
};

use crate::{Caller, Cx, Declaration, Resource, authz::Kind, vpc};

crate::authz::operations! {
    contract {
        VPC_FIREWALL_RULES_VIEW = reads(Kind::VPC, Permission::Read);
        VPC_FIREWALL_RULES_UPDATE = changes(Kind::VPC, Permission::Modify, 200);
    }
}

impl Resource for VpcFirewall {
    const DECLARATION: Declaration =
        Declaration::in_project(Kind::VPC).created_with_vpc(3, insert_defaults).deleted_with_vpc(delete);
}

/// The priority of the default rules: the lowest.
const DEFAULT_PRIORITY: u16 = 65534;

/// Removes the rules of a VPC that is being deleted.
fn delete(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    cx.tx.remove::<VpcFirewall>(vpc.meta.id, cx.now)?;
    Ok(())
}

/// The default rules of a VPC, sorted by name. They refer to the VPC by its current name.
fn insert_defaults(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    let rule = |name, description: &str, filters| FirewallRuleContent {
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

fn to_view(firewall: &VpcFirewall) -> VpcFirewallRules {
    let time = firewall.meta.time_modified;
    let view = |FirewallRule { id, rule }: &FirewallRule| VpcFirewallRule {
        id: *id,
        name: rule.name.clone(),
        description: rule.description.clone(),
        time_created: time,
        time_modified: time,
        status: rule.status.into(),
        direction: rule.direction.into(),
        targets: rule.targets.iter().cloned().map(Into::into).collect(),
        filters: rule.filters.clone().into(),
        action: rule.action.into(),
        priority: rule.priority,
        vpc_id: firewall.meta.id,
    };
    VpcFirewallRules { rules: firewall.rules.iter().map(view).collect() }
}

fn of_vpc(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<VpcFirewall> {
    let firewall = cx.tx.get(vpc.meta.id)?;
    firewall.ok_or_else(|| Error::internal(format!("VPC {} has no firewall", vpc.meta.id)))
}

/// `vpc_firewall_rules_view`: all rules, sorted by name.
pub fn rules_view(cx: &mut Cx<'_, '_>, caller: &Caller, of: &VpcSelector) -> Result<VpcFirewallRules> {
    let vpc = vpc::select(cx, caller, of, &operation::VPC_FIREWALL_RULES_VIEW)?;
    Ok(to_view(&of_vpc(cx, &vpc)?))
}

/// `vpc_firewall_rules_update`: replaces all rules. Each gets a new id.
pub fn rules_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    of: &VpcSelector,
    params: &VpcFirewallRuleUpdateParams,
) -> Result<VpcFirewallRules> {
    let vpc = vpc::select(cx, caller, of, &operation::VPC_FIREWALL_RULES_UPDATE)?;
    check_rules(&params.rules, &vpc.name)?;
    let mut firewall = of_vpc(cx, &vpc)?;
    let rules = params.rules.iter().map(|rule| FirewallRule { id: cx.new_id(), rule: rule.clone().into() });
    firewall.rules = rules.collect();
    firewall.rules.sort_by(|one, other| one.rule.name.cmp(&other.rule.name));
    firewall.meta.time_modified = cx.now;
    cx.tx.update(&mut firewall)?;
    Ok(to_view(&firewall))
}
