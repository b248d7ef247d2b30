use axum::response::Response;
use croft_api::{
    page::{IdSortMode, NameOrIdSortMode, NoSelector, ResultsPage},
    quota::{SiloQuotas, SiloQuotasUpdate},
    silo::{Silo, SiloCreate, SiloPath},
    utilization::{SiloUtilization, Utilization},
};
use croft_control::{quota, silo, utilization};

use super::paging::{IdPage, NamedPage};
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(silo_list, silo_create))
        .routes(routes!(silo_view, silo_delete))
        .routes(routes!(silo_quotas_view, silo_quotas_update))
        .routes(routes!(system_quotas_list))
        .routes(routes!(utilization_view))
        .routes(routes!(silo_utilization_list))
        .routes(routes!(silo_utilization_view))
}

/// List silos
///
/// Only discoverable ones.
#[utoipa::path(get, path = "/v1/system/silos", tag = "system/silos", params(NamedPage),
    responses((status = 200, body = ResultsPage<Silo>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn silo_list(call: Call, Page(page): Page<NoSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| silo::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a silo
///
/// Whoever creates it gets no role in it.
#[utoipa::path(post, path = "/v1/system/silos", tag = "system/silos", request_body = SiloCreate,
    responses((status = 201, body = Silo)))]
async fn silo_create(call: Call, Json(params): Json<SiloCreate>) -> Result<Response> {
    call.write(move |cx, caller| silo::create(cx, caller, &params)).await.map(reply::created)
}

/// View a silo
#[utoipa::path(get, path = "/v1/system/silos/{silo}", tag = "system/silos", params(SiloPath),
    responses((status = 200, body = Silo)))]
async fn silo_view(call: Call, Path(path): Path<SiloPath>) -> Result<Response> {
    call.read(move |cx, caller| silo::view(cx, caller, &path.silo)).await.map(reply::ok)
}

/// Delete a silo
///
/// Refused while there is a project in it. Users, groups, providers and certificates go with it.
#[utoipa::path(delete, path = "/v1/system/silos/{silo}", tag = "system/silos", params(SiloPath),
    responses((status = 204)))]
async fn silo_delete(call: Call, Path(path): Path<SiloPath>) -> Result<Response> {
    call.write(move |cx, caller| silo::delete(cx, caller, &path.silo)).await.map(reply::no_content)
}

/// View a silo's quotas
#[utoipa::path(get, path = "/v1/system/silos/{silo}/quotas", tag = "system/silos", params(SiloPath),
    responses((status = 200, body = SiloQuotas)))]
async fn silo_quotas_view(call: Call, Path(path): Path<SiloPath>) -> Result<Response> {
    call.read(move |cx, caller| quota::view(cx, caller, &path.silo)).await.map(reply::ok)
}

/// Update a silo's quotas
///
/// Requires a role on the fleet. A quota below the current usage only prevents growth.
#[utoipa::path(put, path = "/v1/system/silos/{silo}/quotas", tag = "system/silos", params(SiloPath),
    request_body = SiloQuotasUpdate, responses((status = 200, body = SiloQuotas)))]
async fn silo_quotas_update(
    call: Call,
    Path(path): Path<SiloPath>,
    Json(params): Json<SiloQuotasUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| quota::update(cx, caller, &path.silo, &params)).await.map(reply::ok)
}

/// List the quotas of all silos
#[utoipa::path(get, path = "/v1/system/silo-quotas", tag = "system/silos", params(IdPage),
    responses((status = 200, body = ResultsPage<SiloQuotas>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn system_quotas_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| quota::list(cx, caller, &page)).await.map(reply::ok)
}

/// View what the caller's silo uses
#[utoipa::path(get, path = "/v1/utilization", tag = "silos", responses((status = 200, body = Utilization)))]
async fn utilization_view(call: Call) -> Result<Response> {
    call.read(utilization::view).await.map(reply::ok)
}

/// List what silos use
#[utoipa::path(get, path = "/v1/system/utilization/silos", tag = "system/silos", params(NamedPage),
    responses((status = 200, body = ResultsPage<SiloUtilization>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn silo_utilization_list(
    call: Call,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| utilization::silo_list(cx, caller, &page)).await.map(reply::ok)
}

/// View what a silo uses
#[utoipa::path(get, path = "/v1/system/utilization/silos/{silo}", tag = "system/silos", params(SiloPath),
    responses((status = 200, body = SiloUtilization)))]
async fn silo_utilization_view(call: Call, Path(path): Path<SiloPath>) -> Result<Response> {
    call.read(move |cx, caller| utilization::silo_view(cx, caller, &path.silo)).await.map(reply::ok)
}
