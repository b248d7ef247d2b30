use axum::response::Response;
use croft_api::{
    page::ResultsPage,
    search::{SearchResult, SearchSelector, SearchSortMode},
};
use croft_control::search;

use super::paging::TokenPage;
use crate::{
    call::Call,
    extract::Page,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(search_list))
}

/// Search everything that the caller may read
///
/// Resources of all projects and silos, what answers best first: an id, a name or an address that is just that; names that
/// begin with it; names of which a word begins with it; names that have it within a word; descriptions. An address is answered by
/// what has it and by the networks that contain it, a network by what lies in it. A page may be short, or empty, although there
/// is more: it has `next_page` then.
#[utoipa::path(get, path = "/experimental/v1/search", tag = "current-user", params(TokenPage, SearchSelector),
    responses((status = 200, body = ResultsPage<SearchResult>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["q"] }))))]
async fn search_list(call: Call, Page(page): Page<SearchSelector, SearchSortMode>) -> Result<Response> {
    call.read(move |cx, caller| search::list(cx, caller, &page)).await.map(reply::ok)
}
