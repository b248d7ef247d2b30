use axum::response::{IntoResponse as _, Response};
use croft_api::event::EventsQuery;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use utoipa::IntoParams;

use crate::{
    call::Call,
    events,
    extract::Query,
    failure::{Failure, Result},
    routes::{OpenApiRouter, routes},
};

/// The position at which a reconnecting client continues.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(events))
}

/// The position at which the stream continues.
#[derive(serde::Deserialize, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only its description is used")]
struct LastEventId {
    /// The ID of the last event that the client has received. Events since then are sent first.
    #[param(required = false, rename = "last-event-id")]
    last_event_id: String,
}

/// Follow changes
///
/// Server-sent events about resources that the caller may read: `change`, whose data is an `Event`, and `reset`, after
/// which everything fetched before may be stale.
#[utoipa::path(get, path = "/experimental/v1/events", tag = "events", params(LastEventId, EventsQuery),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
async fn events(call: Call, Query(query): Query<EventsQuery>, headers: HeaderMap) -> Result<Response> {
    let unreadable = || Failure::unreadable("unable to parse header last-event-id: not an ID of this server");
    let seen = match headers.get(LAST_EVENT_ID) {
        None => None,
        Some(value) => {
            let id = value.to_str().ok().and_then(|text| text.parse().ok());
            Some(id.filter(|id| *id >= 0).ok_or_else(unreadable)?)
        }
    };
    let body = events::open(&call, query, seen).await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Tells proxies not to buffer the response.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, body).into_response())
}
