use std::time::Duration;

use axum::response::Response;
use croft_api::{
    page::{NoSelector, ResultsPage},
    project::ProjectSelector,
    timeseries::{OxqlQueryResult, TimeseriesQuery, TimeseriesSchema, TimeseriesSortMode},
};
use croft_control::timeseries::{self, QueryScope};

use super::paging::TokenPage;
use crate::{
    call::Call,
    extract::{Json, Page, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

/// Time limit of a query, without the time that it waits in the queue.
const LONGEST_QUERY: Duration = Duration::from_secs(30);

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(timeseries_query))
        .routes(routes!(system_timeseries_query))
        .routes(routes!(system_timeseries_schema_list))
}

/// Query the timeseries of a project
///
/// The query sees only timeseries of the project.
#[utoipa::path(post, path = "/v1/timeseries/query", tag = "experimental", params(ProjectSelector),
    request_body = TimeseriesQuery, responses((status = 200, body = OxqlQueryResult)))]
async fn timeseries_query(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<TimeseriesQuery>,
) -> Result<Response> {
    let sight = call.read(move |cx, caller| timeseries::of_project(cx, caller, &selector.project)).await?;
    answer(&call, sight, params).await
}

/// Query all timeseries
#[utoipa::path(post, path = "/v1/system/timeseries/query", tag = "system/metrics",
    request_body = TimeseriesQuery, responses((status = 200, body = OxqlQueryResult)))]
async fn system_timeseries_query(call: Call, Json(params): Json<TimeseriesQuery>) -> Result<Response> {
    let sight = call.read(timeseries::of_system).await?;
    answer(&call, sight, params).await
}

async fn answer(call: &Call, sight: QueryScope, params: TimeseriesQuery) -> Result<Response> {
    let _slot = call.slot()?;
    let app = call.app.clone();
    let answer = call.query(move || {
        let parts = &app.parts;
        let begin = parts.clock.monotonic();
        let overdue = || parts.clock.monotonic().saturating_sub(begin) > LONGEST_QUERY;
        timeseries::query(&parts.telemetry, sight, &params.query, parts.clock.now(), &overdue).map(reply::ok)
    });
    Ok(answer.await??)
}

/// List what is measured
///
/// A timeseries is listed once something was measured.
#[utoipa::path(get, path = "/v1/system/timeseries/schemas", tag = "system/metrics", params(TokenPage),
    responses((status = 200, body = ResultsPage<TimeseriesSchema>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn system_timeseries_schema_list(
    call: Call,
    Page(page): Page<NoSelector, TimeseriesSortMode>,
) -> Result<Response> {
    call.read(timeseries::may_list_schemas).await?;
    let telemetry = call.app.parts.telemetry.clone();
    let list = call.query(move || timeseries::schemas(&telemetry, &page).map(|items| page.results(items)));
    Ok(reply::ok(list.await??))
}
