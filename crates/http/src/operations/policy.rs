use axum::response::Response;
use croft_api::{
    policy::{FleetRolePolicy, ProjectRolePolicy, SiloRolePolicy},
    project::ProjectPath,
    silo::SiloPath,
};
use croft_control::policy;

use crate::{
    call::Call,
    extract::{Json, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(policy_view, policy_update))
        .routes(routes!(system_policy_view, system_policy_update))
        .routes(routes!(silo_policy_view, silo_policy_update))
        .routes(routes!(project_policy_view, project_policy_update))
}

/// View the policy of the caller's silo
#[utoipa::path(get, path = "/v1/policy", tag = "silos", responses((status = 200, body = SiloRolePolicy)))]
async fn policy_view(call: Call) -> Result<Response> {
    call.read(policy::own_silo_view).await.map(reply::ok)
}

/// Replace the policy of the caller's silo
#[utoipa::path(put, path = "/v1/policy", tag = "silos", request_body = SiloRolePolicy,
    responses((status = 200, body = SiloRolePolicy)))]
async fn policy_update(call: Call, Json(params): Json<SiloRolePolicy>) -> Result<Response> {
    call.write(move |cx, caller| policy::own_silo_update(cx, caller, &params)).await.map(reply::ok)
}

/// View the fleet's policy
#[utoipa::path(get, path = "/v1/system/policy", tag = "policy",
    responses((status = 200, body = FleetRolePolicy)))]
async fn system_policy_view(call: Call) -> Result<Response> {
    call.read(policy::fleet_view).await.map(reply::ok)
}

/// Replace the fleet's policy
#[utoipa::path(put, path = "/v1/system/policy", tag = "policy", request_body = FleetRolePolicy,
    responses((status = 200, body = FleetRolePolicy)))]
async fn system_policy_update(call: Call, Json(params): Json<FleetRolePolicy>) -> Result<Response> {
    call.write(move |cx, caller| policy::fleet_update(cx, caller, &params)).await.map(reply::ok)
}

/// View a silo's policy
#[utoipa::path(get, path = "/v1/system/silos/{silo}/policy", tag = "system/silos", params(SiloPath),
    responses((status = 200, body = SiloRolePolicy)))]
async fn silo_policy_view(call: Call, Path(path): Path<SiloPath>) -> Result<Response> {
    call.read(move |cx, caller| policy::silo_view(cx, caller, &path.silo)).await.map(reply::ok)
}

/// Replace a silo's policy
#[utoipa::path(put, path = "/v1/system/silos/{silo}/policy", tag = "system/silos", params(SiloPath),
    request_body = SiloRolePolicy, responses((status = 200, body = SiloRolePolicy)))]
async fn silo_policy_update(
    call: Call,
    Path(path): Path<SiloPath>,
    Json(params): Json<SiloRolePolicy>,
) -> Result<Response> {
    call.write(move |cx, caller| policy::silo_update(cx, caller, &path.silo, &params)).await.map(reply::ok)
}

/// View a project's policy
///
/// Roles on the project's silo are not in it.
#[utoipa::path(get, path = "/v1/projects/{project}/policy", tag = "projects", params(ProjectPath),
    responses((status = 200, body = ProjectRolePolicy)))]
async fn project_policy_view(call: Call, Path(path): Path<ProjectPath>) -> Result<Response> {
    call.read(move |cx, caller| policy::project_view(cx, caller, &path.project)).await.map(reply::ok)
}

/// Replace a project's policy
#[utoipa::path(put, path = "/v1/projects/{project}/policy", tag = "projects", params(ProjectPath),
    request_body = ProjectRolePolicy, responses((status = 200, body = ProjectRolePolicy)))]
async fn project_policy_update(
    call: Call,
    Path(path): Path<ProjectPath>,
    Json(params): Json<ProjectRolePolicy>,
) -> Result<Response> {
    call.write(move |cx, caller| policy::project_update(cx, caller, &path.project, &params))
        .await
        .map(reply::ok)
}
