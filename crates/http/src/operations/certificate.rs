use axum::response::Response;
use croft_api::{
    certificate::{Certificate, CertificateCreate, CertificatePathParam},
    page::{NameOrIdSortMode, NoSelector, ResultsPage},
};
use croft_control::certificate;

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(certificate_list, certificate_create))
        .routes(routes!(certificate_view, certificate_delete))
}

/// List the silo's certificates
///
/// The newest is not always the one in use: that is the one that expires last.
#[utoipa::path(get, path = "/v1/certificates", tag = "silos", params(NamedPage),
    responses((status = 200, body = ResultsPage<Certificate>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn certificate_list(call: Call, Page(page): Page<NoSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| certificate::list(cx, caller, &page)).await.map(reply::ok)
}

/// Add a certificate for the silo's host names
///
/// It is used within seconds if it expires later than those that are there.
#[utoipa::path(post, path = "/v1/certificates", tag = "silos", request_body = CertificateCreate,
    responses((status = 201, body = Certificate)))]
async fn certificate_create(call: Call, Json(params): Json<CertificateCreate>) -> Result<Response> {
    call.write(move |cx, caller| certificate::create(cx, caller, &params)).await.map(reply::created)
}

/// View a certificate
#[utoipa::path(get, path = "/v1/certificates/{certificate}", tag = "silos", params(CertificatePathParam),
    responses((status = 200, body = Certificate)))]
async fn certificate_view(call: Call, Path(path): Path<CertificatePathParam>) -> Result<Response> {
    call.read(move |cx, caller| certificate::view(cx, caller, &path.certificate)).await.map(reply::ok)
}

/// Delete a certificate
///
/// Its private key is removed with it. The last one may be deleted.
#[utoipa::path(delete, path = "/v1/certificates/{certificate}", tag = "silos", params(CertificatePathParam),
    responses((status = 204)))]
async fn certificate_delete(call: Call, Path(path): Path<CertificatePathParam>) -> Result<Response> {
    call.write(move |cx, caller| certificate::delete(cx, caller, &path.certificate))
        .await
        .map(reply::no_content)
}
