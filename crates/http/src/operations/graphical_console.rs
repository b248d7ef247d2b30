use axum::response::{IntoResponse as _, Response};
use croft_api::{instance::InstancePath, project::OptionalProjectSelector};
use croft_control::instance;
use http::{HeaderValue, header};

use crate::{
    call::Call,
    extract::{Path, Query},
    failure::Result,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(instance_graphical_console_picture))
}

/// Take a picture of an instance's screen
///
/// A PNG file, a few seconds old at most. It does not count as a use of the session, so that a page may fetch it from time
/// to time by itself.
#[utoipa::path(get, path = "/experimental/v1/instances/{instance}/graphical-console/picture", tag = "instances",
    params(InstancePath, OptionalProjectSelector),
    responses((status = "default", content_type = "*/*")))]
async fn instance_graphical_console_picture(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(OptionalProjectSelector { project }): Query<OptionalProjectSelector>,
) -> Result<Response> {
    let machine = call
        .follow(move |cx, caller| {
            instance::graphical_console_picture_machine(cx, caller, &path.instance, project.as_ref())
        })
        .await?;
    let now = call.app.parts.clock.monotonic();
    let picture = call.app.pictures.of(machine, now, call.picture(machine)).await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/png")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, picture).into_response())
}
