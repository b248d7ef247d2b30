use croft_sled::{HypervisorError, simulated::Call};
use http::Method;
use serde_json::{Value, json};

use super::{Ask, Becomes, Done, Expected, GIB, Gone, Matrix, Refused, Same};
use super::{ask, done, new_disk, new_instance, rest, slow_cloud};
use crate::cloud::{Client, Cloud};

/// The states, in the order of the columns.
const STATES: [&str; 8] = [
    "creating",
    "detached",
    "attached",
    "faulted",
    "import_ready",
    "importing_from_bulk_writes",
    "finalizing",
    "maintenance",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Delete,
    /// To the stopped instance; in state `attached`, to the one it is already attached to.
    Attach,
    /// To another instance, which is running.
    AttachToRunning,
    Detach,
    /// From an instance that it is not attached to.
    DetachFromOther,
    SetAsBootDisk,
    Snapshot,
    BulkWriteStart,
    BulkWrite,
    BulkWriteStop,
    Finalize,
    FinalizeWithSnapshot,
}

/// Refused in every state, with the state in the message.
macro_rules! refusals {
    ($before:literal, $after:literal) => {
        [
            Refused(400, concat!($before, "Creating", $after)),
            Refused(400, concat!($before, "Detached", $after)),
            Refused(400, concat!($before, "Attached({db})", $after)),
            Refused(400, concat!($before, "Faulted", $after)),
            Refused(400, concat!($before, "ImportReady", $after)),
            Refused(400, concat!($before, "ImportingFromBulkWrites", $after)),
            Refused(400, concat!($before, "Finalizing", $after)),
            Refused(400, concat!($before, "Maintenance", $after)),
        ]
    };
}

/// Replaces the cell of one column.
const fn but(mut row: [Expected; 8], column: usize, cell: Expected) -> [Expected; 8] {
    row[column] = cell;
    row
}

const IMPORT_READY: usize = 4;
const IMPORTING: usize = 5;

/// A refused snapshot, with the state in the message.
macro_rules! no_snapshot {
    ($state:literal) => {
        Refused(503, concat!("Service Unavailable: no snapshot can be taken of disk \"data\" now: ", $state))
    };
}

#[rustfmt::skip]
static TABLE: &[(Action, [Expected; 8])] = &[
    (Action::Delete, [
        Refused(400, "disk cannot be deleted in state \"creating\""),
        Gone(204),
        Refused(400, "disk cannot be deleted in state \"attached\""),
        Gone(204),
        Refused(400, "disk cannot be deleted in state \"import_ready\""),
        Refused(400, "disk cannot be deleted in state \"importing_from_bulk_writes\""),
        Refused(400, "disk cannot be deleted in state \"finalizing\""),
        Refused(400, "disk cannot be deleted in state \"maintenance\""),
    ]),
    (Action::Attach, [
        Becomes(202, "attached"), Becomes(202, "attached"), Same(202),
        Refused(400, "cannot attach disk \"data\": invalid state faulted"),
        Refused(400, "cannot attach disk \"data\": invalid state import_ready"),
        Refused(400, "cannot attach disk \"data\": invalid state importing_from_bulk_writes"),
        Refused(400, "cannot attach disk \"data\": invalid state finalizing"),
        Refused(400, "cannot attach disk \"data\": invalid state maintenance"),
    ]),
    (Action::AttachToRunning, [
        Refused(400, "cannot attach disk: instance is not fully stopped"),
        Refused(400, "cannot attach disk: instance is not fully stopped"),
        Refused(400, "cannot attach disk \"data\": disk is attached to another instance"),
        Refused(400, "cannot attach disk \"data\": invalid state faulted"),
        Refused(400, "cannot attach disk \"data\": invalid state import_ready"),
        Refused(400, "cannot attach disk \"data\": invalid state importing_from_bulk_writes"),
        Refused(400, "cannot attach disk \"data\": invalid state finalizing"),
        Refused(400, "cannot attach disk \"data\": invalid state maintenance"),
    ]),
    (Action::Detach, [
        Refused(400, "cannot detach disk \"data\": invalid state creating"),
        Same(202), Becomes(202, "detached"),
        Refused(400, "cannot detach disk \"data\": invalid state faulted"),
        Refused(400, "cannot detach disk \"data\": invalid state import_ready"),
        Refused(400, "cannot detach disk \"data\": invalid state importing_from_bulk_writes"),
        Refused(400, "cannot detach disk \"data\": invalid state finalizing"),
        Refused(400, "cannot detach disk \"data\": invalid state maintenance"),
    ]),
    (Action::DetachFromOther, [
        Refused(400, "cannot detach disk \"data\": invalid state creating"),
        Same(202), Refused(400, "cannot detach disk \"data\": disk is attached to another instance"),
        Refused(400, "cannot detach disk \"data\": invalid state faulted"),
        Refused(400, "cannot detach disk \"data\": invalid state import_ready"),
        Refused(400, "cannot detach disk \"data\": invalid state importing_from_bulk_writes"),
        Refused(400, "cannot detach disk \"data\": invalid state finalizing"),
        Refused(400, "cannot detach disk \"data\": invalid state maintenance"),
    ]),
    (Action::SetAsBootDisk, [
        Refused(409, "boot disk must be attached"), Refused(409, "boot disk must be attached"), Done(200),
        Refused(409, "boot disk must be attached"), Refused(409, "boot disk must be attached"),
        Refused(409, "boot disk must be attached"), Refused(409, "boot disk must be attached"),
        Refused(409, "boot disk must be attached"),
    ]),
    (Action::Snapshot, [
        no_snapshot!("creating"), Becomes(201, "maintenance"), Done(201), no_snapshot!("faulted"),
        no_snapshot!("import_ready"), no_snapshot!("importing_from_bulk_writes"), no_snapshot!("finalizing"),
        Refused(409, "volume repair lock"),
    ]),
    (Action::BulkWriteStart, but(
        refusals!("cannot set disk in state ", " to \"importing_from_bulk_writes\""),
        IMPORT_READY, Becomes(204, "importing_from_bulk_writes"),
    )),
    (Action::BulkWrite, but(
        refusals!("cannot import blocks with a bulk write for disk in state ", ""), IMPORTING, Done(204),
    )),
    (Action::BulkWriteStop, but(
        refusals!("cannot set disk in state ", " to \"import_ready\""), IMPORTING, Becomes(204, "import_ready"),
    )),
    (Action::Finalize, but(
        refusals!("cannot finalize disk in state DiskState(", ")"), IMPORT_READY, Becomes(204, "detached"),
    )),
    (Action::FinalizeWithSnapshot, but(
        refusals!("cannot finalize disk in state DiskState(", ")"), IMPORT_READY, Becomes(204, "finalizing"),
    )),
];

/// Actions and the states in which the console offers them (`docs/rules/console/project-compute.md#disk-actions`).
static OFFERED: &[(Action, &[&str])] = &[
    (Action::Delete, &["detached", "faulted"]),
    (Action::Attach, &["creating", "detached"]),
    (Action::Detach, &["attached"]),
    (Action::SetAsBootDisk, &["attached"]),
    (Action::Snapshot, &["attached", "detached"]),
];

impl Action {
    fn ask(self) -> Ask {
        let of = |instance: &str, verb: &str| {
            let uri = format!("/v1/instances/{instance}/disks/{verb}?project=web");
            ask(Method::POST, uri, json!({ "disk": "data" }))
        };
        let import = |step: &str, body| ask(Method::POST, format!("/v1/disks/data/{step}?project=web"), body);
        match self {
            Self::Delete => ask(Method::DELETE, VIEW, json!({})),
            Self::Attach => of("db", "attach"),
            Self::AttachToRunning => of("up", "attach"),
            Self::Detach => of("db", "detach"),
            Self::DetachFromOther => of("up", "detach"),
            Self::SetAsBootDisk => {
                let body = json!({ "ncpus": 2, "memory": GIB, "boot_disk": "data" });
                ask(Method::PUT, "/v1/instances/db?project=web", body)
            }
            Self::Snapshot => ask(Method::POST, "/v1/snapshots?project=web", snapshot("shot")),
            Self::BulkWriteStart => import("bulk-write-start", json!({})),
            Self::BulkWrite => {
                let block = "A".repeat(683) + "=";
                import("bulk-write", json!({ "offset": 512, "base64_encoded_data": block }))
            }
            Self::BulkWriteStop => import("bulk-write-stop", json!({})),
            Self::Finalize => import("finalize", json!({})),
            Self::FinalizeWithSnapshot => import("finalize", json!({ "snapshot_name": "shot" })),
        }
    }
}

const VIEW: &str = "/v1/disks/data?project=web";

/// A cloud with a disk `data` in this state, a stopped instance `db` and a running instance `up`.
async fn cloud_with(state: &'static str) -> Cloud {
    let cloud = slow_cloud().await;
    let client = cloud.with_token();
    done(&client, "/v1/instances?project=web", new_instance("db")).await;
    done(&client, "/v1/instances?project=web", new_instance("up")).await;
    done(&client, "/v1/instances/up/start?project=web", json!({})).await;
    rest(&cloud);
    reach_state(&cloud, &client, state).await;
    cloud
}

async fn reach_state(cloud: &Cloud, client: &Client<'_>, state: &'static str) {
    if state == "faulted" {
        cloud.hypervisor.fail_next(Call::EnsureDisk, HypervisorError::Failed("broken".to_owned()));
    }
    let mut disk = new_disk("data");
    if matches!(state, "import_ready" | "importing_from_bulk_writes" | "finalizing") {
        disk["disk_source"]["type"] = json!("importing_blocks");
    }
    done(client, "/v1/disks?project=web", disk).await;
    if state == "creating" {
        cloud.settle();
        return;
    }
    rest(cloud);
    match state {
        "attached" => {
            done(client, "/v1/instances/db/disks/attach?project=web", json!({ "disk": "data" })).await;
        }
        "importing_from_bulk_writes" => {
            done(client, "/v1/disks/data/bulk-write-start?project=web", json!({})).await;
        }
        "finalizing" => {
            done(client, "/v1/disks/data/finalize?project=web", json!({ "snapshot_name": "end" })).await;
        }
        "maintenance" => {
            done(client, "/v1/snapshots?project=web", snapshot("now")).await;
        }
        _ => {}
    }
    // Run the work that is due now. A snapshot takes longer and stays in progress.
    cloud.settle();
}

fn snapshot(name: &str) -> Value {
    json!({ "name": name, "description": "", "disk": "data" })
}

static MATRIX: Matrix<Action, 8> = Matrix {
    states: STATES,
    table: TABLE,
    offered: OFFERED,
    ask: Action::ask,
    view: VIEW,
    state_at: "/state/state",
    also: &["/v1/instances?project=web", "/v1/instances/db/disks?project=web", "/v1/snapshots?project=web"],
};

#[tokio::test]
async fn every_action_in_every_state() {
    MATRIX.check(cloud_with).await;
}

#[test]
fn actions_offered_by_the_console_are_accepted() {
    MATRIX.check_offered();
}
