//! An administrator's view of Croft as one of the users of the silo has it. An extension of the contract.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether the session views Croft as another user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ViewAs {
    /// Who views Croft as whom; null if the session is its user's own.
    pub viewing: Option<Viewing>,
}

/// An administrator who views Croft as another user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Viewing {
    /// The user whose rights count.
    pub user: ViewAsUser,
    /// The administrator who has signed in.
    pub administrator: ViewAsUser,
    /// When it began.
    pub time_begun: Timestamp,
    /// When it ends by itself.
    pub time_ends: Timestamp,
    /// Ids of the operations that are not refused: those that change nothing, and those that end the view.
    pub possible_operations: Vec<String>,
}

/// The user or the administrator of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ViewAsUser {
    /// The user's id.
    pub id: Uuid,
    /// The name shown to people.
    pub display_name: String,
}
