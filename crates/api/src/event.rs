//! Live events: what a stream of changes says. Beside the contract.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::scalar::NameOrId;

/// Which changes a stream is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Only resources in this project.
    pub project: Option<NameOrId>,
    /// Only these kinds of resources, separated by commas.
    pub kinds: Option<String>,
}

/// What happened to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventAction {
    /// It was created.
    Created,
    /// It was changed.
    Changed,
    /// It was deleted.
    Deleted,
}

/// The data of a `change`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// The kind of resource.
    pub kind: String,
    /// The resource.
    pub id: Uuid,
    /// The ID of its parent, if it has one.
    pub parent: Option<Uuid>,
    /// Its silo, if it belongs to one.
    pub silo: Option<Uuid>,
    /// Its project, if it belongs to one.
    pub project: Option<Uuid>,
    /// What happened.
    pub action: EventAction,
    /// Increases with each change of the resource.
    pub generation: u64,
    /// When.
    pub time: Timestamp,
}

/// Why data fetched before may be stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResetReason {
    /// The stream begins here.
    Started,
    /// The place at which the stream was to go on is not known any more.
    Expired,
    /// Roles, groups or policies changed, and so may what can be seen.
    Access,
    /// The client was too slow; the stream ends with this.
    Lagging,
}

/// The data of a `reset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reset {
    /// Why.
    pub reason: ResetReason,
}
