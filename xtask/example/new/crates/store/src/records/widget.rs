use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Scope, Table, record, search::Searched};

/// A widget of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Widget {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// Unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// How large it is, in millimeters.
    pub size: u32,
}

record! {
    Widget as widget {
        table: Table::named("widget").since(10);
        parent: widget.project_id;
        name: Some(widget.name.as_str());
        scope: Scope::project(widget.silo_id, widget.project_id);
        search: Searched::named(&widget.name, &widget.description);
    }
}
