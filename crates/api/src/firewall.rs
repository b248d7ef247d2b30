//! Firewall rules of VPCs (`docs/rules/networking.md#firewall-rules`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::scalar::{Description, IcmpParamRange, IpNet, L4PortRange, Name};

/// Whether a rule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VpcFirewallRuleStatus {
    /// It does not.
    Disabled,
    /// It does.
    Enabled,
}

/// Which way the packets go that a rule is for, as seen from its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VpcFirewallRuleDirection {
    /// To the targets.
    Inbound,
    /// From the targets.
    Outbound,
}

/// What becomes of the packets that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VpcFirewallRuleAction {
    /// They pass.
    Allow,
    /// They are dropped.
    Deny,
}

/// Interfaces that a rule is for. Names need not exist; they are looked up when a packet is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum VpcFirewallRuleTarget {
    /// Those of the VPC.
    Vpc {
        /// The VPC's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// Those of a subnet.
    Subnet {
        /// The subnet's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// Those of an instance.
    Instance {
        /// The instance's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// The one with an address.
    Ip {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        value: IpAddr,
    },
    /// Those with an address of a network.
    IpNet {
        /// The network.
        #[schema(inline = false)]
        value: IpNet,
    },
}

/// Whom a target talks to. Names need not exist; they are looked up when a packet is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum VpcFirewallRuleHostFilter {
    /// Anything in the VPC.
    Vpc {
        /// The VPC's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// Anything in a subnet.
    Subnet {
        /// The subnet's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// An instance.
    Instance {
        /// The instance's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// An address.
    Ip {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        value: IpAddr,
    },
    /// An address of a network.
    IpNet {
        /// The network.
        #[schema(inline = false)]
        value: IpNet,
    },
}

/// Some of the messages of ICMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcFirewallIcmpFilter {
    /// Their type.
    pub icmp_type: u8,
    /// Their codes; null means any.
    #[serde(default)]
    pub code: Option<IcmpParamRange>,
}

/// A protocol that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum VpcFirewallRuleProtocol {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
    /// ICMP: the messages that fit, or with null all of them.
    Icmp {
        /// Which; null means any.
        #[serde(default)]
        #[schema(required)]
        value: Option<VpcFirewallIcmpFilter>,
    },
}

/// What narrows a rule down. What is null does not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcFirewallRuleFilter {
    /// Whom the targets talk to.
    #[serde(default)]
    #[schema(max_items = 256)]
    pub hosts: Option<Vec<VpcFirewallRuleHostFilter>>,
    /// The protocols.
    #[serde(default)]
    #[schema(max_items = 256)]
    pub protocols: Option<Vec<VpcFirewallRuleProtocol>>,
    /// The destination's ports.
    #[serde(default)]
    #[schema(max_items = 256)]
    pub ports: Option<Vec<L4PortRange>>,
}

/// One rule of a VPC's firewall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcFirewallRule {
    /// The id, until the rules are replaced.
    pub id: Uuid,
    /// The name, unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
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
    /// The VPC it belongs to.
    pub vpc_id: Uuid,
}

/// All rules of a VPC's firewall, in order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcFirewallRules {
    /// The rules.
    pub rules: Vec<VpcFirewallRule>,
}

/// One rule, as it is to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcFirewallRuleUpdate {
    /// The name, unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// Whether it counts.
    pub status: VpcFirewallRuleStatus,
    /// Which way the packets go.
    pub direction: VpcFirewallRuleDirection,
    /// Interfaces that it is for.
    #[schema(max_items = 256)]
    pub targets: Vec<VpcFirewallRuleTarget>,
    /// What narrows it down.
    pub filters: VpcFirewallRuleFilter,
    /// What becomes of the packets.
    pub action: VpcFirewallRuleAction,
    /// Of the rules that fit a packet, the one with the lowest number decides.
    pub priority: u16,
}

/// All rules of a VPC's firewall, as they are to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcFirewallRuleUpdateParams {
    /// The rules, in place of all that were.
    #[serde(default)]
    #[schema(max_items = 1024)]
    pub rules: Vec<VpcFirewallRuleUpdate>,
}
