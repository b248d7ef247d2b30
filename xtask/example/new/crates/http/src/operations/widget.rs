use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
    widget::{Widget, WidgetCreate, WidgetPath},
};
use croft_control::widget;

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .extensions(routes!(widget_list, widget_create))
        .extensions(routes!(widget_view, widget_delete))
}

/// List widgets
#[utoipa::path(get, path = "/experimental/v1/widgets", tag = "widgets", params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<Widget>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn widget_list(call: Call, Page(page): Page<ProjectSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| widget::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create a widget
#[utoipa::path(post, path = "/experimental/v1/widgets", tag = "widgets", params(ProjectSelector),
    request_body = WidgetCreate, responses((status = 201, body = Widget)))]
async fn widget_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<WidgetCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| widget::create(cx, caller, &selector.project, &params))
        .await
        .map(reply::created)
}

/// View a widget
#[utoipa::path(get, path = "/experimental/v1/widgets/{widget}", tag = "widgets",
    params(WidgetPath, OptionalProjectSelector), responses((status = 200, body = Widget)))]
async fn widget_view(
    call: Call,
    Path(path): Path<WidgetPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| widget::view(cx, caller, &path.widget, selector.project.as_ref()))
        .await
        .map(reply::reusable)
}

/// Delete a widget
#[utoipa::path(delete, path = "/experimental/v1/widgets/{widget}", tag = "widgets",
    params(WidgetPath, OptionalProjectSelector), responses((status = 204)))]
async fn widget_delete(
    call: Call,
    Path(path): Path<WidgetPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| widget::delete(cx, caller, &path.widget, selector.project.as_ref()))
        .await
        .map(reply::no_content)
}
