//! Widgets.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// A widget of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Widget {
    /// The id, for ever.
    pub id: Uuid,
    /// The name, unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// The project it belongs to.
    pub project_id: Uuid,
    /// How large it is, in millimeters.
    pub size: u32,
}

impl Listed for Widget {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A widget to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WidgetCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// How large it is to be, in millimeters.
    pub size: u32,
}

/// The path of one widget.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WidgetPath {
    /// Name or id of the widget.
    pub widget: NameOrId,
}
