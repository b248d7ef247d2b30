//! What the creation of an instance would do: an extension beside the contract.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    activity::ActivityConstraint,
    firewall::{VpcFirewallRuleAction, VpcFirewallRuleProtocol},
    scalar::{IpNet, L4PortRange, Name},
};

/// What `instance_create` would do with the same body at this moment. Nothing is created and nothing is reserved, so a
/// later creation may end otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstancePreview {
    /// Why the instance cannot be created; null if it can be. Only `quota` is known otherwise.
    #[schema(required = true)]
    pub refusal: Option<InstancePreviewRefusal>,
    /// What the instance takes of the silo's quota.
    pub quota: InstancePreviewQuota,
    /// Why the instance cannot be started as soon as it is created; null if it can be, or cannot be created.
    #[schema(required = true)]
    pub start_refusal: Option<InstancePreviewRefusal>,
    /// Its network interfaces, the primary one first.
    pub interfaces: Vec<InstancePreviewInterface>,
    /// The addresses at which it is reached from outside.
    #[schema(value_type = Vec<String>)]
    pub external_ips: Vec<IpAddr>,
}

/// Why something would be refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstancePreviewRefusal {
    /// The reason, as `instance_create` and `instance_start` would answer it.
    pub message: String,
    /// What a person can do about it.
    #[schema(required = true)]
    pub advice: Option<String>,
    /// What causes it, if that is one thing.
    #[schema(required = true)]
    pub constraint: Option<ActivityConstraint>,
}

/// What an instance takes of a quota. The storage is taken when it is created, the rest while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstancePreviewQuota {
    /// Virtual processors.
    pub cpus: InstancePreviewAmount,
    /// Memory, in bytes.
    pub memory: InstancePreviewAmount,
    /// The sizes of the new disks, in bytes.
    pub storage: InstancePreviewAmount,
}

/// One part of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstancePreviewAmount {
    /// What the instance takes.
    pub needed: u64,
    /// What the silo uses now.
    pub used: u64,
    /// What the silo may use.
    pub limit: u64,
}

/// A network interface that the instance would have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstancePreviewInterface {
    /// Its name.
    pub name: Name,
    /// The VPC.
    pub vpc_id: Uuid,
    /// The name of the VPC.
    pub vpc_name: Name,
    /// The name of the subnet.
    pub subnet_name: Name,
    /// The address that it would have if it was created now.
    #[schema(value_type = String, format = "ip")]
    pub ip: IpAddr,
    /// The enabled firewall rules for traffic to it, in the order in which they decide. At most 50. Traffic to which
    /// none applies is denied.
    pub inbound_rules: Vec<InstancePreviewRule>,
}

/// A firewall rule that applies to an interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstancePreviewRule {
    /// Its name.
    pub name: Name,
    /// What becomes of the traffic.
    pub action: VpcFirewallRuleAction,
    /// Where the traffic comes from; null for anywhere.
    #[schema(required = true)]
    pub hosts: Option<Vec<IpNet>>,
    /// The protocols; null for all.
    #[schema(required = true)]
    pub protocols: Option<Vec<VpcFirewallRuleProtocol>>,
    /// The ports; null for all.
    #[schema(required = true)]
    pub ports: Option<Vec<L4PortRange>>,
}
