//! Descriptions of pagination parameters for the document. The extractor is [`crate::extract::Page`].

use croft_api::{
    list::ListSortMode,
    page::{IdSortMode, NameOrIdSortMode, NameSortMode, TimeAndIdSortMode},
};
use serde::Deserialize;
use utoipa::IntoParams;

/// Pagination of a list of named resources.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct NamedPage {
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
    /// Sort order. Ascending by name if absent.
    sort_by: Option<NameOrIdSortMode>,
}

/// Pagination of a list of named resources with a fixed order.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct NameOnlyPage {
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
    /// Sort order: ascending by name.
    sort_by: Option<NameSortMode>,
}

/// Pagination of a list of resources without names.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct IdPage {
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
    /// Sort order: ascending by ID.
    sort_by: Option<IdSortMode>,
}

/// Pagination of a list with a fixed order.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct TokenPage {
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
}

/// Pagination of a list of events.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct TimePage {
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
    /// Sort order. Ascending by time if absent.
    sort_by: Option<TimeAndIdSortMode>,
}

/// Pagination and filters of a list that is searched.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct FoundPageQuery {
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
    /// Sort order. Ascending by name if absent. Names are in natural order: `disk-2` before `disk-10`.
    sort_by: Option<ListSortMode>,
    /// What is searched for, at most 128 characters, as in the search over everything.
    q: Option<String>,
    /// Only items in these states, with commas between them. Instances, disks and snapshots have states.
    state: Option<String>,
    /// Only items whose labels fit all of these requirements, with commas between them: `key=value`, `key!=value`, `key` (has
    /// the key), `!key` (lacks it), `key in (value,value)`, `key notin (value,value)`.
    label: Option<String>,
    /// Whether the answer says how many there are.
    total: Option<bool>,
}
