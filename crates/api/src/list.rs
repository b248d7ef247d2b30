//! Lists that are searched, filtered, sorted as people read names, and counted. Beside the contract.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::page::{Listed, Marker, PageQuery, SortMode};

/// What of a list is wanted. Filters are combined: an item is listed that passes all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListSelector<Of> {
    /// What is listed.
    #[serde(flatten)]
    pub of: Of,
    /// What is searched for, as in the search over everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// Only items in these states, with commas between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Only items whose labels fit a selector, such as `env=prod,tier`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether the answer says how many there are.
    #[serde(default, skip_serializing_if = "is_false")]
    pub total: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Which page of a list that is searched a caller asked for.
pub type ListQuery<Of> = PageQuery<ListSelector<Of>, ListSortMode>;

/// Order of lists that are searched. Names are in natural order: `disk-2` before `disk-10`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListSortMode {
    /// Ascending by name.
    #[default]
    NameAscending,
    /// Descending by name.
    NameDescending,
    /// The oldest first.
    TimeAscending,
    /// The newest first.
    TimeDescending,
}

impl SortMode for ListSortMode {
    // What is searched for stands in the token, and the selector of labels.
    const MAX_TOKEN_LENGTH: usize = 8192;

    fn marker<T: Listed>(self, item: &T) -> Marker {
        match self {
            Self::NameAscending | Self::NameDescending => {
                Marker::NameAndId(item.name().to_owned(), item.id())
            }
            Self::TimeAscending | Self::TimeDescending => Marker::Time(item.time(), item.id()),
        }
    }

    fn accepts(self, marker: &Marker) -> bool {
        match self {
            Self::NameAscending | Self::NameDescending => matches!(marker, Marker::NameAndId(..)),
            Self::TimeAscending | Self::TimeDescending => matches!(marker, Marker::Time(..)),
        }
    }

    fn has_name(text: &str) -> bool {
        !text.contains('\0')
    }
}

/// How many items a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListTotal {
    /// The number, or an estimate in two digits.
    pub count: u64,
    /// Whether it is the number. Lists of up to 10,000 items are counted.
    pub is_exact: bool,
}

/// One page of a list that is searched.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FoundPage<T> {
    /// The items, in the order asked for.
    pub items: Vec<T>,
    /// Token of the page after this one; null if this is the last. A page may be short, or empty, although there are more.
    pub next_page: Option<String>,
    /// How many there are on all pages, if that was asked for.
    pub total: Option<ListTotal>,
}
