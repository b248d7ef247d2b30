use axum::response::Response;
use croft_api::{
    bgp::{
        AggregateBgpMessageHistory, BgpAnnounceSet, BgpAnnounceSetCreate, BgpAnnounceSetPath,
        BgpAnnouncement, BgpAsnSelector, BgpConfig, BgpConfigCreate, BgpConfigSelector, BgpExported,
        BgpImportedRouteIpv4, BgpPeerStatus,
    },
    page::{NameOrIdSortMode, NoSelector, ResultsPage},
};
use croft_control::bgp;

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
        .routes(routes!(
            networking_bgp_config_list,
            networking_bgp_config_create,
            networking_bgp_config_delete
        ))
        .routes(routes!(networking_bgp_announce_set_list, networking_bgp_announce_set_update))
        .routes(routes!(networking_bgp_announce_set_delete))
        .routes(routes!(networking_bgp_announcement_list))
        .routes(routes!(networking_bgp_status))
        .routes(routes!(networking_bgp_exported))
        .routes(routes!(networking_bgp_message_history))
        .routes(routes!(networking_bgp_imported_routes_ipv4))
}

/// List BGP configurations
#[utoipa::path(get, path = "/v1/system/networking/bgp", tag = "system/networking", params(NamedPage),
    responses((status = 200, body = ResultsPage<BgpConfig>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_bgp_config_list(
    call: Call,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| bgp::config_list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a BGP configuration
///
/// An autonomous system has one at most. One that is as asked for already is answered as it is.
#[utoipa::path(post, path = "/v1/system/networking/bgp", tag = "system/networking",
    request_body = BgpConfigCreate, responses((status = 201, body = BgpConfig)))]
async fn networking_bgp_config_create(call: Call, Json(params): Json<BgpConfigCreate>) -> Result<Response> {
    call.write(move |cx, caller| bgp::config_create(cx, caller, &params)).await.map(reply::created)
}

/// Delete a BGP configuration
///
/// Refused while settings of switch ports use it.
#[utoipa::path(delete, path = "/v1/system/networking/bgp", tag = "system/networking",
    params(BgpConfigSelector), responses((status = 204)))]
async fn networking_bgp_config_delete(
    call: Call,
    Query(query): Query<BgpConfigSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| bgp::config_delete(cx, caller, &query.name_or_id))
        .await
        .map(reply::no_content)
}

/// List sets of networks that are announced
///
/// Without a token that leads to the next page.
#[utoipa::path(get, path = "/v1/system/networking/bgp-announce-set", tag = "system/networking",
    params(NamedPage), responses((status = 200, body = Vec<BgpAnnounceSet>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_bgp_announce_set_list(
    call: Call,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| bgp::announce_set_list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a set of networks to be announced, or replace its networks
///
/// If there is a set of that name, its networks are replaced and all else stays.
#[utoipa::path(put, path = "/v1/system/networking/bgp-announce-set", tag = "system/networking",
    request_body = BgpAnnounceSetCreate, responses((status = 200, body = BgpAnnounceSet)))]
async fn networking_bgp_announce_set_update(
    call: Call,
    Json(params): Json<BgpAnnounceSetCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| bgp::announce_set_update(cx, caller, &params)).await.map(reply::ok)
}

/// Delete a set of networks that are announced
///
/// Refused while a BGP configuration announces it.
#[utoipa::path(delete, path = "/v1/system/networking/bgp-announce-set/{announce_set}",
    tag = "system/networking", params(BgpAnnounceSetPath), responses((status = 204)))]
async fn networking_bgp_announce_set_delete(
    call: Call,
    Path(path): Path<BgpAnnounceSetPath>,
) -> Result<Response> {
    call.write(move |cx, caller| bgp::announce_set_delete(cx, caller, &path.announce_set))
        .await
        .map(reply::no_content)
}

/// List the networks of a set
///
/// In the order in which they were given.
#[utoipa::path(get, path = "/v1/system/networking/bgp-announce-set/{announce_set}/announcement",
    tag = "system/networking", params(BgpAnnounceSetPath),
    responses((status = 200, body = Vec<BgpAnnouncement>)))]
async fn networking_bgp_announcement_list(
    call: Call,
    Path(path): Path<BgpAnnounceSetPath>,
) -> Result<Response> {
    call.read(move |cx, caller| bgp::announcement_list(cx, caller, &path.announce_set)).await.map(reply::ok)
}

/// View the sessions with BGP peers
///
/// Those of switches whose routing daemon answers.
#[utoipa::path(get, path = "/v1/system/networking/bgp-status", tag = "system/networking",
    responses((status = 200, body = Vec<BgpPeerStatus>)))]
async fn networking_bgp_status(call: Call) -> Result<Response> {
    call.read(bgp::may_see_status).await?;
    call.ask_switches(bgp::status).await.map(reply::ok)
}

/// View the networks that are announced to BGP peers
///
/// Those of switches whose routing daemon answers.
#[utoipa::path(get, path = "/v1/system/networking/bgp-exported", tag = "system/networking",
    responses((status = 200, body = BgpExported)))]
async fn networking_bgp_exported(call: Call) -> Result<Response> {
    call.read(bgp::may_see_exported).await?;
    call.ask_switches(bgp::exported).await.map(reply::ok)
}

/// View the messages exchanged with BGP peers
///
/// Those of switches whose routing daemon answers.
#[utoipa::path(get, path = "/v1/system/networking/bgp-message-history", tag = "system/networking",
    params(BgpAsnSelector), responses((status = 200, body = AggregateBgpMessageHistory)))]
async fn networking_bgp_message_history(call: Call, Query(query): Query<BgpAsnSelector>) -> Result<Response> {
    call.read(bgp::may_see_message_history).await?;
    call.ask_switches(move |daemons| bgp::message_history(daemons, query.asn)).await.map(reply::ok)
}

/// View the IPv4 routes that BGP peers announce
///
/// Those of switches whose routing daemon answers.
#[utoipa::path(get, path = "/v1/system/networking/bgp-routes-ipv4", tag = "system/networking",
    params(BgpAsnSelector), responses((status = 200, body = Vec<BgpImportedRouteIpv4>)))]
async fn networking_bgp_imported_routes_ipv4(
    call: Call,
    Query(query): Query<BgpAsnSelector>,
) -> Result<Response> {
    call.read(bgp::may_see_imported_routes_ipv4).await?;
    call.ask_switches(move |daemons| bgp::imported_routes_ipv4(daemons, query.asn)).await.map(reply::ok)
}
