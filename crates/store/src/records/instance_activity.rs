use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Order, Scope, Table, record};

/// What happened to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivityKind {
    /// Its machine is running.
    MachineStarted,
    /// Its machine broke or was lost; the instance is failed.
    Failed,
    /// The sled that its machine ran on was taken out of the fleet; the instance is failed.
    HostLost,
    /// Croft started it again by itself.
    Restarted,
    /// A start was refused: by a quota, for lack of room, by a group, for want of a disk, or by the host.
    StartRefused,
    /// Something has to wait, and is retried.
    Waiting,
    /// Its guest did not go down in time, and its machine was ended.
    StopForced,
    /// The host dealt with trouble of the machine by itself.
    HostIncident,
    /// An operation was requested. Shown from the audit log, never stored here.
    Operation,
}

/// What causes a refusal or a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityConstraint {
    /// What it is.
    pub kind: ActivityConstraintKind,
    /// Its id.
    pub id: Uuid,
    /// Its name, if it has one: that of the time when it was recorded.
    pub name: Option<String>,
}

/// A kind of thing that causes a refusal or a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivityConstraintKind {
    /// An affinity group with the policy `fail`.
    AffinityGroup,
    /// An anti-affinity group with the policy `fail`.
    AntiAffinityGroup,
    /// The quota of a silo; the id is the silo's.
    Quota,
    /// A disk of the instance.
    Disk,
    /// A storage pool; told to those alone who may see the hardware.
    StoragePool,
    /// A sled; told to those alone who may see the hardware.
    Sled,
}

impl ActivityConstraintKind {
    /// Whether it is told only to those who may see the hardware.
    pub fn is_hardware(self) -> bool {
        matches!(self, Self::Sled | Self::StoragePool)
    }
}

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
