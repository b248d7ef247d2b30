//! `--wait`: until what an operation began has come to an end.

use std::{thread, time::Duration};

use serde_json::Value;

use crate::{
    client::Client,
    document::Operation,
    failure::{Failure, Result},
    request::{Request, fill},
};

/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(500);

/// A kind of resource whose operations go on after the response.
#[derive(Debug)]
pub struct Waited {
    /// The operation's id is this, `_` and one of `begun_by`.
    resource: &'static str,
    begun_by: &'static [&'static str],
    /// The path of the view, with `{id}`.
    path: &'static str,
    /// Where the state is in the view, as a JSON pointer (RFC 6901).
    state: &'static str,
    /// States that another follows by itself.
    passing: &'static [&'static str],
    /// States that are a failure.
    failed: &'static [&'static str],
}

/// Resources that can be waited for.
const RESOURCES: [Waited; 4] = [
    Waited {
        resource: "instance",
        begun_by: &["create", "start", "stop", "reboot", "delete"],
        path: "/v1/instances/{id}",
        state: "/run_state",
        passing: &["creating", "starting", "stopping", "rebooting", "migrating", "repairing"],
        failed: &["failed"],
    },
    Waited {
        resource: "disk",
        begun_by: &["create", "delete"],
        path: "/v1/disks/{id}",
        state: "/state/state",
        passing: &["creating", "attaching", "detaching", "finalizing", "maintenance"],
        failed: &["faulted"],
    },
    Waited {
        resource: "snapshot",
        begun_by: &["create", "delete"],
        path: "/v1/snapshots/{id}",
        state: "/state",
        passing: &["creating"],
        failed: &["faulted"],
    },
    Waited {
        resource: "support_bundle",
        begun_by: &["create", "delete"],
        path: "/experimental/v1/system/support-bundles/{id}",
        state: "/state",
        passing: &["collecting", "destroying"],
        failed: &["failed"],
    },
];

/// The resource whose state an operation changes after its response.
pub fn resource_of(operation: &Operation) -> Option<&'static Waited> {
    RESOURCES.iter().find(|waited| {
        let verb = operation.id.strip_prefix(waited.resource).and_then(|rest| rest.strip_prefix('_'));
        verb.is_some_and(|verb| waited.begun_by.contains(&verb))
    })
}

/// The resource of a name in the list.
///
/// # Panics
///
/// There is none.
pub fn resource_named(name: &str) -> &'static Waited {
    RESOURCES.iter().find(|waited| waited.resource == name).expect("a resource of the list")
}

/// The id of what a request is about to delete, which its response does not name.
///
/// # Errors
///
/// It cannot be read.
pub fn id_before(client: &Client, request: &Request) -> Result<Option<String>> {
    let view = Request {
        method: "GET".to_owned(),
        path: request.path.clone(),
        query: request.query.clone(),
        content: crate::request::Content::None,
    };
    Ok(client.json(&view)?["id"].as_str().map(str::to_owned))
}

/// Waits until the resource is at rest, and returns its view; `null` if it is gone and `deleted` says that it should be.
///
/// # Errors
///
/// It has failed, or cannot be read.
pub fn until_at_rest(client: &Client, waited: &Waited, id: &str, deleted: bool) -> Result<Value> {
    loop {
        let view = match client.json(&Request::new("GET", fill(waited.path, "id", id))) {
            Err(Failure::Refused { status: 404, .. }) if deleted => return Ok(Value::Null),
            other => other?,
        };
        let state = view.pointer(waited.state).and_then(Value::as_str).unwrap_or_default();
        if !deleted && waited.failed.contains(&state) {
            let name = view["name"].as_str().unwrap_or(id);
            return Err(Failure::Ended(format!("{} {name} is {state}", waited.resource.replace('_', " "))));
        }
        if !deleted && !waited.passing.contains(&state) {
            return Ok(view);
        }
        thread::sleep(PAUSE);
    }
}
