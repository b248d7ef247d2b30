use axum::response::Response;
use croft_api::{
    firewall::{VpcFirewallRuleUpdateParams, VpcFirewallRules},
    vpc::VpcSelector,
};
use croft_control::firewall;

use crate::{
    call::Call,
    extract::{Json, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(vpc_firewall_rules_view, vpc_firewall_rules_update))
}

/// List firewall rules
///
/// All rules of the VPC, in order of their names.
#[utoipa::path(get, path = "/v1/vpc-firewall-rules", tag = "vpcs", params(VpcSelector),
    responses((status = 200, body = VpcFirewallRules)))]
async fn vpc_firewall_rules_view(call: Call, Query(selector): Query<VpcSelector>) -> Result<Response> {
    call.read(move |cx, caller| firewall::rules_view(cx, caller, &selector)).await.map(reply::ok)
}

/// Replace firewall rules
///
/// All existing rules are replaced; each new rule gets a new ID.
#[utoipa::path(put, path = "/v1/vpc-firewall-rules", tag = "vpcs", params(VpcSelector),
    request_body = VpcFirewallRuleUpdateParams, responses((status = 200, body = VpcFirewallRules)))]
async fn vpc_firewall_rules_update(
    call: Call,
    Query(selector): Query<VpcSelector>,
    Json(params): Json<VpcFirewallRuleUpdateParams>,
) -> Result<Response> {
    call.write(move |cx, caller| firewall::rules_update(cx, caller, &selector, &params)).await.map(reply::ok)
}
