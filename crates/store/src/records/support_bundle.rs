use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// What becomes of a support bundle (`docs/rules/identity-and-system.md#states-of-bundles`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BundleState {
    /// It is to be collected.
    Collecting,
    /// It can be downloaded.
    Active,
    /// Its data is to be removed, and then the record.
    Destroying,
    /// Something went wrong; its data is still to be removed.
    Failing,
    /// Something went wrong, and there is no data.
    Failed,
}

impl BundleState {
    /// What [`SupportBundle::STATE`] finds bundles by.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Collecting => "collecting",
            Self::Active => "active",
            Self::Destroying => "destroying",
            Self::Failing => "failing",
            Self::Failed => "failed",
        }
    }
}

/// A support bundle. Its data is a file beside the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupportBundle {
    /// Bookkeeping.
    pub meta: Meta,
    /// What becomes of it.
    pub state: BundleState,
    /// Why it was asked for.
    pub reason_for_creation: String,
    /// What went wrong.
    pub reason_for_failure: Option<String>,
    /// What its users say about it.
    pub user_comment: Option<String>,
    /// The run of a server that began to collect it.
    pub collector: Option<Uuid>,
}

record! {
    SupportBundle as bundle {
        table: Table::new("support_bundle").by_all(&[Order::Time]);
        scope: Scope::FLEET;
        search: Searched::by_id()
            .text("description", &bundle.reason_for_creation)
            .text("comment", bundle.user_comment.as_deref().unwrap_or_default());
        lookups: {
            /// The bundles in a state.
            STATE: Lookup::new("state", KeyKind::Text) = bundle.state.as_str();
        }
    }
}
