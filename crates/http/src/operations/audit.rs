use axum::response::Response;
use croft_api::{
    Timestamp,
    audit::{AuditLogEntry, AuditLogSelector},
    page::{ResultsPage, TimeAndIdSortMode},
};
use croft_control::audit;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    call::Call,
    extract::Page,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(audit_log_list))
}

/// Pagination of the audit log.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
struct AuditLogPage {
    /// Only entries completed before this time.
    end_time: Option<Timestamp>,
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
    /// Sort order. Ascending by time of completion if absent.
    sort_by: Option<TimeAndIdSortMode>,
    /// Only entries completed at this time or later. Required on the first page.
    start_time: Option<Timestamp>,
}

/// List the audit log
///
/// Every changing operation and every sign-in that was completed, whether or not it succeeded. Entries never change, so a
/// page can be read again.
#[utoipa::path(get, path = "/v1/system/audit-log", tag = "system/audit-log", params(AuditLogPage),
    responses((status = 200, body = ResultsPage<AuditLogEntry>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["start_time"] }))))]
async fn audit_log_list(
    call: Call,
    Page(page): Page<AuditLogSelector, TimeAndIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| audit::list(cx, caller, &page)).await.map(reply::ok)
}
