use axum::response::Response;
use croft_api::{
    instance::InstancePath,
    serial::{InstanceSerialConsoleData, InstanceSerialConsoleQuery},
};
use croft_control::instance;

use crate::{
    call::Call,
    extract::{Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(instance_serial_console))
}

/// Read a part of an instance's serial console
#[utoipa::path(get, path = "/v1/instances/{instance}/serial-console", tag = "instances",
    params(InstancePath, InstanceSerialConsoleQuery),
    responses((status = 200, body = InstanceSerialConsoleData)))]
async fn instance_serial_console(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(query): Query<InstanceSerialConsoleQuery>,
) -> Result<Response> {
    let project = query.project.clone();
    let machine = call
        .prepare({
            let (instance, project) = (path.instance.clone(), project.clone());
            move |cx, caller| instance::serial_machine(cx, caller, &instance, project.as_ref())
        })
        .await?;
    let history = instance::serial_history(&*call.serial_line(machine)?, &query);
    let read = history.as_ref().map(|history| history.data.len()).map_err(Clone::clone);
    call.write(move |cx, caller| {
        instance::serial_was_read(cx, caller, &path.instance, project.as_ref(), &read)
    })
    .await?;
    Ok(reply::ok(history?))
}
