//! What happened to an instance and why: an extension beside the contract.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    audit::AuditLogEntryResult,
    page::{Listed, Marker, SortMode},
    scalar::NameOrId,
    search::SearchPlace,
};

/// What happened to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
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
    /// Something that is to be done has to wait, and is tried again.
    Waiting,
    /// Its guest did not go down in time, and its machine was ended.
    StopForced,
    /// The host dealt with trouble of the machine by itself.
    HostIncident,
    /// Somebody asked for an operation on it; `operation` says which.
    Operation,
}

/// The cause of a refusal or a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActivityConstraint {
    /// What it is.
    pub kind: ActivityConstraintKind,
    /// Its id.
    pub id: Uuid,
    /// Its name at the time of the entry, if it has one.
    pub name: Option<String>,
}

/// The kind of a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
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

/// An operation that a user requested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActivityOperation {
    /// The operation's id, such as `instance_stop`.
    pub operation_id: String,
    /// Who asked for it. Missing if it was nobody of the caller's silo.
    pub actor: Option<ActivityActor>,
    /// Its result.
    pub result: AuditLogEntryResult,
}

/// A user who requested an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActivityActor {
    /// The user.
    pub id: Uuid,
    /// The user's name.
    pub display_name: String,
}

/// An event in the history of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstanceActivity {
    /// The entry's id.
    pub id: Uuid,
    /// What happened.
    pub kind: ActivityKind,
    /// When it first happened.
    pub time_created: Timestamp,
    /// When it last happened. Later than `time_created` only if it happened several times in a row.
    pub time_last: Timestamp,
    /// How many times in a row it happened, at least 1.
    pub count: u32,
    /// The reason, as text.
    pub cause: String,
    /// What Croft did about it.
    pub action: Option<String>,
    /// What a person can do about it.
    pub advice: Option<String>,
    /// What causes it, if that is one thing.
    pub constraint: Option<ActivityConstraint>,
    /// Details for users who may see the hardware.
    pub operator_detail: Option<String>,
    /// The last lines of the serial console, at most 20.
    pub serial_tail: Option<String>,
    /// The operation, if the kind is `operation`.
    pub operation: Option<ActivityOperation>,
}

impl Listed for InstanceActivity {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }

    fn time(&self) -> Timestamp {
        self.time_created
    }
}

/// Order of lists of which the newest items matter most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NewestFirstSortMode {
    /// Descending by time.
    #[default]
    TimeAndIdDescending,
}

impl SortMode for NewestFirstSortMode {
    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Time(item.time(), item.id())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Time(..))
    }
}

/// Which entries are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InstanceActivitySelector {
    /// Name or id of the project.
    #[serde(default)]
    pub project: Option<NameOrId>,
    /// Whether to list only the current problem: one entry, or none.
    #[serde(default)]
    pub unresolved: Option<bool>,
}

/// The path of what was done to one resource.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ActivityPath {
    /// The kind of resource, as events have it, such as `disk`.
    pub kind: String,
    /// ID of the resource.
    pub id: Uuid,
}

/// A resource that an operation was done to, or that it changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActivityResource {
    /// The kind of resource, as events have it.
    pub kind: String,
    /// Its id.
    pub id: Uuid,
    /// Its name, if it has one. Of what does not exist any more, the name at the time.
    pub name: Option<String>,
    /// Whether it still exists.
    pub exists: bool,
    /// What it is part of, from the outermost to the innermost: silo, project, and what else there is. Empty if it does not
    /// exist any more.
    pub within: Vec<SearchPlace>,
}

/// An operation that was done to a resource, or that changed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResourceActivity {
    /// The id of its entry in the audit log.
    pub id: Uuid,
    /// When it was completed.
    pub time_completed: Timestamp,
    /// The operation, who asked for it, and its result.
    pub operation: ActivityOperation,
    /// What else the operation was done to or changed, as far as the caller may read it.
    pub resources: Vec<ActivityResource>,
    /// The request that asked for it. One request may have several entries.
    pub request_id: Uuid,
}
