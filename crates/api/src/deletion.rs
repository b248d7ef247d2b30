//! What hangs on a resource that is to be deleted, and its deletion together with it
//! (`docs/rules/identity-and-system.md#deletions`). An extension.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::search::SearchPlace;

/// What the deletion of a resource means for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeletionEffect {
    /// As long as they exist, the resource is not deleted.
    Prevents,
    /// They are deleted, too.
    Deleted,
    /// They go on existing, and are detached from the resource or leave it.
    Changed,
    /// They go on existing as they are. What refers to the resource by its name matches nothing any more.
    Kept,
}

/// A resource that the deletion of another one concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeletionItem {
    /// The resource.
    pub id: Uuid,
    /// Its name, or an address or a range of one that has no name.
    pub name: Option<String>,
    /// What it is part of, from the outermost to the innermost: silo, project, and what else there is.
    pub within: Vec<SearchPlace>,
    /// Why it cannot be deleted along now.
    pub refusal: Option<String>,
}

/// Resources of one kind that a deletion concerns in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeletionPart {
    /// The kind of resource, as events have it, or `vpc_firewall_rule`.
    pub kind: String,
    /// What the deletion means for them.
    pub effect: DeletionEffect,
    /// The kind that has to be deleted along for this to happen. Absent if it happens at any deletion.
    pub along_with: Option<String>,
    /// How many there are, including those that the caller may not read.
    pub count: u64,
    /// Whether there may be more than `count`, because the server did not look at all.
    pub is_incomplete: bool,
    /// Whether they can be deleted along on request: `also` may name their kind.
    pub can_go_along: bool,
    /// How many of them, and of what has to be deleted before them, cannot be deleted now, or not by the caller.
    pub refused: u64,
    /// Why they cannot be deleted along: the reason of the first that is refused, or that there are too many.
    pub refusal: Option<String>,
    /// The first of those that the caller may read, at most 20; those that are refused come first.
    pub items: Vec<DeletionItem>,
}

/// What the deletion of a resource would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Deletion {
    /// The kind of resource.
    pub kind: String,
    /// The resource.
    pub id: Uuid,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Why it cannot be deleted alone: the message of the error with which its deletion would be refused now.
    pub refusal: Option<String>,
    /// What hangs on it.
    pub parts: Vec<DeletionPart>,
    /// Stands for what hangs on it. Another text means that something was added or removed.
    pub revision: String,
}

/// A deletion of a resource with what hangs on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeletionCreate {
    /// The revision of what the caller was shown.
    pub revision: String,
    /// The kinds of the parts that are to be deleted, too. None deletes what goes along in any case.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub also: Vec<String>,
}

/// The path of a deletion.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DeletionPath {
    /// Kind of the resource, as events have it.
    pub kind: String,
    /// ID of the resource.
    pub id: Uuid,
}
