use croft_api::firewall::VpcFirewallRuleUpdate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Scope, Table, record};

/// One rule of a firewall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirewallRule {
    /// Its id, until the rules are replaced.
    pub id: Uuid,
    /// What it says.
    pub rule: VpcFirewallRuleUpdate,
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

record! {
    VpcFirewall as firewall {
        table: Table::new("vpc_firewall");
        scope: Scope::project(firewall.silo_id, firewall.project_id);
    }
}
