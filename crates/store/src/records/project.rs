use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Order, Scope, Table, record, search::Searched};

/// A container for what a team runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// Unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
}

record! {
    Project as project {
        table: Table::named("project").by_parent(&[Order::Name, Order::Id]);
        parent: project.silo_id;
        name: Some(project.name.as_str());
        scope: Scope::project(project.silo_id, project.meta.id);
        search: Searched::named(&project.name, &project.description);
    }
}
