use axum::{
    response::{IntoResponse as _, Response},
    routing::get,
};
use croft_api::event::EventsQuery;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::{
    call::Call,
    events,
    extract::Query,
    failure::{Failure, Result},
    handler::any,
    routes::OpenApiRouter,
};

/// Where a client that connects again wants to go on.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

pub(super) fn router() -> OpenApiRouter {
    // No operation of the contract, and so not in the document.
    OpenApiRouter::new().route("/experimental/v1/events", get(any!(events)))
}

/// What changes from now on, as far as the caller may read it, as server-sent events.
async fn events(call: Call, Query(query): Query<EventsQuery>, headers: HeaderMap) -> Result<Response> {
    let unreadable = || Failure::unreadable("unable to parse header last-event-id: not an id of ours");
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
        // Proxies that collect answers before they pass them on are asked not to.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, body).into_response())
}
