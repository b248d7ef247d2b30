use axum::response::Response;
use croft_api::policy::{FleetRolePolicy, SiloRolePolicy};
use croft_control::policy;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::App, call::Call, failure::Result, reply};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(policy_view)).routes(routes!(system_policy_view))
}

/// View the policy of the caller's silo
#[utoipa::path(get, path = "/v1/policy", tag = "silos", responses((status = 200, body = SiloRolePolicy)))]
async fn policy_view(call: Call) -> Result<Response> {
    call.read(policy::silo_view).await.map(reply::ok)
}

/// View the fleet's policy
#[utoipa::path(get, path = "/v1/system/policy", tag = "policy",
    responses((status = 200, body = FleetRolePolicy)))]
async fn system_policy_view(call: Call) -> Result<Response> {
    call.read(policy::fleet_view).await.map(reply::ok)
}
