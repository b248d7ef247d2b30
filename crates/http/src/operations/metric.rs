use axum::response::Response;
use croft_api::{
    metric::{
        Measurement, MetricPath, PaginationOrder, SiloMetricSelector, SystemMetricName, SystemMetricSelector,
    },
    page::{PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_control::metric::{self, Period};
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    call::Call,
    extract::{Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(silo_metric)).routes(routes!(system_metric))
}

/// Pagination of measurements.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
struct MeasurementPage {
    /// End of the period, exclusive. Required without a page token.
    end_time: Option<Timestamp>,
    /// Most items on the page; 100 when absent, at most 10 000.
    #[param(minimum = 1)]
    limit: Option<u32>,
    /// The order in time; ascending when absent.
    order: Option<PaginationOrder>,
    /// `next_page` of the page before; everything but `limit` is then taken from it.
    page_token: Option<String>,
    /// Start of the period, inclusive. Required without a page token.
    start_time: Option<Timestamp>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
struct OfProject {
    /// Name or ID of a project. If absent, the whole silo is measured.
    project: Option<NameOrId>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
struct OfSilo {
    /// Name or ID of a silo. If absent, the whole fleet is measured.
    silo: Option<NameOrId>,
}

/// View what a silo had provisioned
///
/// Measurements of the caller's silo, or of one of its projects: one for each change.
#[utoipa::path(get, path = "/v1/metrics/{metric_name}", tag = "metrics",
    params(MetricPath, MeasurementPage, OfProject),
    responses((status = 200, body = ResultsPage<Measurement>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["end_time", "start_time"] }))))]
async fn silo_metric(
    call: Call,
    Path(path): Path<MetricPath>,
    Page(page): Page<SiloMetricSelector, PaginationOrder>,
) -> Result<Response> {
    let project = page.selector.project.clone();
    let collection = call.read(move |cx, caller| metric::of_silo(cx, caller, project.as_ref())).await?;
    measurements(&call, path.metric_name, collection, page).await
}

/// View what the fleet had provisioned
///
/// Measurements of the whole fleet, or of one of its silos: one for each change.
#[utoipa::path(get, path = "/v1/system/metrics/{metric_name}", tag = "system/metrics",
    params(MetricPath, MeasurementPage, OfSilo),
    responses((status = 200, body = ResultsPage<Measurement>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["end_time", "start_time"] }))))]
async fn system_metric(
    call: Call,
    Path(path): Path<MetricPath>,
    Page(page): Page<SystemMetricSelector, PaginationOrder>,
) -> Result<Response> {
    let silo = page.selector.silo.clone();
    let collection = call.read(move |cx, caller| metric::of_system(cx, caller, silo.as_ref())).await?;
    measurements(&call, path.metric_name, collection, page).await
}

async fn measurements<Selector>(
    call: &Call,
    name: SystemMetricName,
    collection: Uuid,
    page: PageQuery<Selector, PaginationOrder>,
) -> Result<Response>
where
    Selector: Period + Serialize + DeserializeOwned + Clone + Send + 'static,
{
    let parts = &call.app.parts;
    let telemetry = parts.telemetry.clone();
    let begin_with_value = parts.environment.settings.metrics_begin_with_value;
    let read = move || {
        let items = metric::page(&telemetry, name, collection, &page, begin_with_value)?;
        Ok(page.results(items))
    };
    let answer: Result<ResultsPage<Measurement>, croft_api::Error> = call.query(read).await?;
    Ok(reply::ok(answer?))
}
