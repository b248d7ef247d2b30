use croft_api::activity::{ActivityConstraint, ActivityKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Order, Scope, Table, record};

/// Something that happened to an instance, and why. Its time of creation is when it first happened; those of one instance
/// differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceActivity {
    /// Bookkeeping.
    pub meta: Meta,
    /// The instance.
    pub instance_id: Uuid,
    /// The instance's silo.
    pub silo_id: Uuid,
    /// The instance's project.
    pub project_id: Uuid,
    /// What happened.
    pub kind: ActivityKind,
    /// Why, in words.
    pub cause: String,
    /// What Croft did about it.
    pub action: Option<String>,
    /// What a person can do about it.
    pub advice: Option<String>,
    /// What causes it, if that is one thing.
    pub constraint: Option<ActivityConstraint>,
    /// Details for those alone who may see the hardware.
    pub operator_detail: Option<String>,
    /// The last lines of the serial console.
    pub serial_tail: Option<String>,
    /// When it last happened.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_last: Timestamp,
    /// How many times in a row it happened.
    pub count: u32,
}

record! {
    InstanceActivity as activity {
        table: Table::new("instance_activity").by_parent(&[Order::Time, Order::Id]);
        parent: activity.instance_id;
        scope: Scope::project(activity.silo_id, activity.project_id);
    }
}
