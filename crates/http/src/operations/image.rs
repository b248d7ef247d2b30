use axum::response::Response;
use croft_api::{
    image::{Image, ImageCreate, ImagePath},
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::{image, snapshot};

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
        .routes(routes!(image_list, image_create))
        .routes(routes!(image_view, image_delete))
        .routes(routes!(image_promote))
        .routes(routes!(image_demote))
        .extensions(routes!(project_silo_image_list))
}

/// List images
///
/// With a project: those of the project. Without: those of the silo.
#[utoipa::path(get, path = "/v1/images", tag = "images", params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<Image>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn image_list(
    call: Call,
    Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| image::list(cx, caller, &page)).await.map(reply::reusable)
}

/// List the silo's images for a project
///
/// Images of the silo are available to all of its projects. Whoever may read the project may list them here and create
/// disks from them, without a role on the silo.
#[utoipa::path(get, path = "/experimental/v1/silo-images", tag = "images", params(NamedPage, ProjectSelector),
    responses((status = 200, body = ResultsPage<Image>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn project_silo_image_list(
    call: Call,
    Page(page): Page<ProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| image::list_for_project(cx, caller, &page)).await.map(reply::ok)
}

/// Create an image
///
/// With a project: one of the project. Without: one that the whole silo shares.
#[utoipa::path(post, path = "/v1/images", tag = "images", params(OptionalProjectSelector),
    request_body = ImageCreate, responses((status = 201, body = Image)))]
async fn image_create(
    call: Call,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<ImageCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| image::create(cx, caller, selector.project.as_ref(), &params))
        .await
        .map(reply::created)
}

/// View an image
#[utoipa::path(get, path = "/v1/images/{image}", tag = "images", params(ImagePath, OptionalProjectSelector),
    responses((status = 200, body = Image)))]
async fn image_view(
    call: Call,
    Path(path): Path<ImagePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| image::view(cx, caller, &path.image, selector.project.as_ref()))
        .await
        .map(reply::reusable)
}

/// Delete an image
///
/// Disks that were made from it are left as they are.
#[utoipa::path(delete, path = "/v1/images/{image}", tag = "images", params(ImagePath, OptionalProjectSelector),
    responses((status = 204)))]
async fn image_delete(
    call: Call,
    Path(path): Path<ImagePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    let volume = call
        .write(move |cx, caller| image::delete(cx, caller, &path.image, selector.project.as_ref()))
        .await?;
    // The quota is released before the response.
    call.finished(volume, snapshot::freeing).await;
    Ok(reply::no_content(()))
}

/// Promote a project's image to the silo
#[utoipa::path(post, path = "/v1/images/{image}/promote", tag = "images",
    params(ImagePath, OptionalProjectSelector), responses((status = 202, body = Image)))]
async fn image_promote(
    call: Call,
    Path(path): Path<ImagePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| image::promote(cx, caller, &path.image, selector.project.as_ref()))
        .await
        .map(reply::accepted)
}

/// Demote a silo's image to a project
#[utoipa::path(post, path = "/v1/images/{image}/demote", tag = "images", params(ImagePath, ProjectSelector),
    responses((status = 202, body = Image)))]
async fn image_demote(
    call: Call,
    Path(path): Path<ImagePath>,
    Query(selector): Query<ProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| image::demote(cx, caller, &path.image, &selector.project))
        .await
        .map(reply::accepted)
}
