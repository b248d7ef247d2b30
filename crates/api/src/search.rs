//! The search over everything that a caller may read. Beside the contract.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::page::{Listed, Marker, SortMode};

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchSelector {
    /// What is searched for, at most 128 characters: words of names and descriptions, parts of names from three characters on, ids
    /// or their first four digits or more, IP addresses, networks, hardware addresses. Of several words each has to be found.
    pub q: String,
    /// Only these kinds, as results have them, with commas between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// The order of results: what answers best comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchSortMode {
    /// What answers best, then by what matched, then what was created first.
    #[default]
    BestFirst,
}

impl SortMode for SearchSortMode {
    // What is searched for stands in the token.
    const MAX_TOKEN_LENGTH: usize = 2048;

    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::NameAndId(item.name().to_owned(), item.id())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::NameAndId(..))
    }

    fn has_name(_: &str) -> bool {
        true
    }
}

/// Why something was found, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchRank {
    /// Its id, a name or an address is what was searched for.
    Exact,
    /// It is a network that contains what was searched for.
    Contains,
    /// It lies in the network that was searched for.
    Within,
    /// Its id or a name begins with it.
    Prefix,
    /// A word of a name begins with it.
    Word,
    /// A name has it within a word.
    Part,
    /// A word of a description begins with it.
    Text,
}

/// What of a resource matched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchMatch {
    /// How.
    pub rank: SearchRank,
    /// The field, such as `name`, `id`, `description`, `hostname`, `ip` or `mac`.
    pub field: String,
    /// The field's text.
    pub text: String,
}

/// What a resource is part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchPlace {
    /// The kind of resource.
    pub kind: String,
    /// The resource.
    pub id: Uuid,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// A resource that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchResult {
    /// The kind of resource, as events have it.
    pub kind: String,
    /// The resource.
    pub id: Uuid,
    /// Its name, if it has one. Of a piece of hardware the serial number.
    pub name: Option<String>,
    /// Its description, if it has one.
    pub description: Option<String>,
    /// What it is part of, from the outermost to the innermost: silo, project, and what else there is.
    pub within: Vec<SearchPlace>,
    /// The state of an instance or a disk.
    pub state: Option<String>,
    /// Why it was found.
    pub matched: SearchMatch,
}
