use axum::response::Response;
use croft_api::{
    instance::InstancePath,
    page::{NameOrIdSortMode, NoSelector, ResultsPage},
    project::OptionalProjectSelector,
    ssh_key::{SshKey, SshKeyCreate, SshKeyPath},
};
use croft_control::{instance, ssh_key};

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
        .routes(routes!(current_user_ssh_key_list, current_user_ssh_key_create))
        .routes(routes!(current_user_ssh_key_view, current_user_ssh_key_delete))
        .routes(routes!(instance_ssh_public_key_list))
}

/// List the caller's SSH keys
#[utoipa::path(get, path = "/v1/me/ssh-keys", tag = "current-user", params(NamedPage),
    responses((status = 200, body = ResultsPage<SshKey>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn current_user_ssh_key_list(
    call: Call,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| ssh_key::list(cx, caller, &page)).await.map(reply::ok)
}

/// Add an SSH key to the caller's
#[utoipa::path(post, path = "/v1/me/ssh-keys", tag = "current-user", request_body = SshKeyCreate,
    responses((status = 201, body = SshKey)))]
async fn current_user_ssh_key_create(call: Call, Json(params): Json<SshKeyCreate>) -> Result<Response> {
    call.write(move |cx, caller| ssh_key::create(cx, caller, &params)).await.map(reply::created)
}

/// View one of the caller's SSH keys
#[utoipa::path(get, path = "/v1/me/ssh-keys/{ssh_key}", tag = "current-user", params(SshKeyPath),
    responses((status = 200, body = SshKey)))]
async fn current_user_ssh_key_view(call: Call, Path(path): Path<SshKeyPath>) -> Result<Response> {
    call.read(move |cx, caller| ssh_key::view(cx, caller, &path.ssh_key)).await.map(reply::ok)
}

/// Delete one of the caller's SSH keys
///
/// Guests that were given it keep it.
#[utoipa::path(delete, path = "/v1/me/ssh-keys/{ssh_key}", tag = "current-user", params(SshKeyPath),
    responses((status = 204)))]
async fn current_user_ssh_key_delete(call: Call, Path(path): Path<SshKeyPath>) -> Result<Response> {
    call.write(move |cx, caller| ssh_key::delete(cx, caller, &path.ssh_key)).await.map(reply::no_content)
}

/// List the SSH keys of an instance
///
/// Those chosen when it was created, without those deleted since.
#[utoipa::path(get, path = "/v1/instances/{instance}/ssh-public-keys", tag = "instances",
    params(NamedPage, OptionalProjectSelector, InstancePath),
    responses((status = 200, body = ResultsPage<SshKey>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn instance_ssh_public_key_list(
    call: Call,
    Path(path): Path<InstancePath>,
    Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| instance::ssh_public_key_list(cx, caller, &path.instance, &page))
        .await
        .map(reply::ok)
}
