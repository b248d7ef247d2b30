use std::net::IpAddr;

use croft_api::scalar::{Description, IcmpParamRange, IpNet, L4PortRange, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Scope, Table, record, search::Searched};

/// Whether a rule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VpcFirewallRuleStatus {
    /// It does not.
    Disabled,
    /// It does.
    Enabled,
}

/// Which way the packets go that a rule is for, as seen from its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VpcFirewallRuleDirection {
    /// To the targets.
    Inbound,
    /// From the targets.
    Outbound,
}

/// What becomes of the packets that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VpcFirewallRuleAction {
    /// They pass.
    Allow,
    /// They are dropped.
    Deny,
}

/// Interfaces that a rule is for. Names need not exist; they are looked up when a packet is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum VpcFirewallRuleTarget {
    /// Those of the VPC.
    Vpc {
        /// The VPC's name.
        value: Name,
    },
    /// Those of a subnet.
    Subnet {
        /// The subnet's name.
        value: Name,
    },
    /// Those of an instance.
    Instance {
        /// The instance's name.
        value: Name,
    },
    /// The one with an address.
    Ip {
        /// The address.
        value: IpAddr,
    },
    /// Those with an address of a network.
    IpNet {
        /// The network.
        value: IpNet,
    },
}

/// Whom a target talks to. Names need not exist; they are looked up when a packet is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum VpcFirewallRuleHostFilter {
    /// Anything in the VPC.
    Vpc {
        /// The VPC's name.
        value: Name,
    },
    /// Anything in a subnet.
    Subnet {
        /// The subnet's name.
        value: Name,
    },
    /// An instance.
    Instance {
        /// The instance's name.
        value: Name,
    },
    /// An address.
    Ip {
        /// The address.
        value: IpAddr,
    },
    /// An address of a network.
    IpNet {
        /// The network.
        value: IpNet,
    },
}

/// Some of the messages of ICMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VpcFirewallIcmpFilter {
    /// Their type.
    pub icmp_type: u8,
    /// Their codes; none means any.
    #[serde(default)]
    pub code: Option<IcmpParamRange>,
}

/// A protocol that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum VpcFirewallRuleProtocol {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
    /// ICMP: the messages that fit, or with none all of them.
    Icmp {
        /// Which; none means any.
        #[serde(default)]
        value: Option<VpcFirewallIcmpFilter>,
    },
}

/// What narrows a rule down. What is none does not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VpcFirewallRuleFilter {
    /// Whom the targets talk to.
    #[serde(default)]
    pub hosts: Option<Vec<VpcFirewallRuleHostFilter>>,
    /// The protocols.
    #[serde(default)]
    pub protocols: Option<Vec<VpcFirewallRuleProtocol>>,
    /// The destination's ports.
    #[serde(default)]
    pub ports: Option<Vec<L4PortRange>>,
}

/// What a rule of a firewall says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirewallRuleContent {
    /// The name, unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// Whether it counts.
    pub status: VpcFirewallRuleStatus,
    /// Which way the packets go.
    pub direction: VpcFirewallRuleDirection,
    /// Interfaces that it is for.
    pub targets: Vec<VpcFirewallRuleTarget>,
    /// What narrows it down.
    pub filters: VpcFirewallRuleFilter,
    /// What becomes of the packets.
    pub action: VpcFirewallRuleAction,
    /// Of the rules that fit a packet, the one with the lowest number decides.
    pub priority: u16,
}

/// One rule of a firewall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirewallRule {
    /// Its id, until the rules are replaced.
    pub id: Uuid,
    /// What it says.
    pub rule: FirewallRuleContent,
}

/// The rules of one VPC, which are replaced together. Its id is the VPC's; when it was last modified is when its rules
/// were created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VpcFirewall {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// At most 1024, in order of their names, which do not repeat.
    pub rules: Vec<FirewallRule>,
}

impl VpcFirewall {
    /// The names of the rules, and the addresses and networks that they are about.
    fn searched(&self) -> Searched {
        let mut searched = Searched::by_id().within(self.meta.id);
        for FirewallRule { rule, .. } in &self.rules {
            searched = searched.label("rule", &rule.name);
            for target in &rule.targets {
                searched = match target {
                    VpcFirewallRuleTarget::Ip { value } => searched.address("target", *value),
                    VpcFirewallRuleTarget::IpNet { value } => searched.network("target", *value),
                    VpcFirewallRuleTarget::Vpc { .. }
                    | VpcFirewallRuleTarget::Subnet { .. }
                    | VpcFirewallRuleTarget::Instance { .. } => searched,
                };
            }
            for host in rule.filters.hosts.iter().flatten() {
                searched = match host {
                    VpcFirewallRuleHostFilter::Ip { value } => searched.address("host", *value),
                    VpcFirewallRuleHostFilter::IpNet { value } => searched.network("host", *value),
                    VpcFirewallRuleHostFilter::Vpc { .. }
                    | VpcFirewallRuleHostFilter::Subnet { .. }
                    | VpcFirewallRuleHostFilter::Instance { .. } => searched,
                };
            }
        }
        searched
    }
}

record! {
    VpcFirewall as firewall {
        table: Table::new("vpc_firewall");
        scope: Scope::project(firewall.silo_id, firewall.project_id);
        search: firewall.searched();
    }
}
