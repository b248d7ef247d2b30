use croft_store::records::{Instance, InstanceStage, MachineState, Project, Silo};
use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Ask, Becomes, Done, Expected, GIB, Gone, Matrix, Refused, Same};
use super::{ask, done, new_disk, new_instance, rest, slow_cloud};
use crate::cloud::{Client, Cloud, SILO};

/// The states, in the order of the columns. No operation leaves an instance in `creating` or leads to `migrating`, so
/// the test writes these states to the record.
const STATES: [&str; 9] =
    ["creating", "starting", "running", "rebooting", "migrating", "stopping", "stopped", "failed", "deleted"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Start,
    Stop,
    Reboot,
    Delete,
    Resize,
    SetBootDisk,
    UnsetBootDisk,
    SetRestartPolicy,
    AttachDisk,
    AttachDiskAgain,
    DetachDisk,
    DetachBootDisk,
    DetachIdleDisk,
    SnapshotDisk,
    AddInterface,
    UpdateInterface,
    DeleteInterface,
    AttachEphemeral,
    AttachFloating,
    DetachFloating,
    JoinGroup,
    LeaveGroup,
    SerialConsole,
}

const CREATING: &str = "cannot change instance state while it is still being created";
const ACTIVE: &str = "cannot delete instance: instance is running or has not yet fully stopped";
const RESIZE: &str = "instance must be stopped to be resized";
const BOOT: &str = "instance must be stopped to set boot disk";
const ATTACH: &str = "cannot attach disk: instance is not fully stopped";
const DETACH: &str = "cannot detach disk: instance is not fully stopped";
const BOOT_DISK: &str = "boot disk cannot be detached";
const RESERVED: &str = "Instance cannot be added to anti-affinity group with reservation";
const ADD: &str = "Instance must be stopped to attach a new network interface";
const UPDATE: &str = "Instance must be stopped to update its network interfaces";
const REMOVE: &str = "Instance must be stopped or failed to detach a network interface";
const UNAVAILABLE: &str = "Service Unavailable";
const NO_SNAPSHOT: &str = "Service Unavailable: no snapshot can be taken of disk \"extra\" now: its \
                           instance is starting or stopping";
const GONE: Expected = Refused(404, "not found: instance with name \"db\"");

#[rustfmt::skip]
static TABLE: &[(Action, [Expected; 9])] = &[
    (Action::Start, [
        Refused(409, "instance is in state creating but it must be stopped to be started"),
        Same(202), Same(202), Same(202), Same(202),
        Refused(409, "instance must finish stopping before it can be started"),
        Becomes(202, "starting"), Becomes(202, "starting"), GONE,
    ]),
    (Action::Stop, [
        Refused(400, CREATING),
        Becomes(202, "stopping"), Becomes(202, "stopping"), Becomes(202, "stopping"), Becomes(202, "stopping"),
        Same(202), Same(202), Becomes(202, "stopped"), GONE,
    ]),
    (Action::Reboot, [
        Refused(400, CREATING),
        Becomes(202, "rebooting"), Becomes(202, "rebooting"), Same(202), Becomes(202, "rebooting"),
        Refused(400, "instance state cannot be changed from state \"stopping\""),
        Refused(400, "cannot reboot an instance in state stopped with no VMM"),
        Refused(400, "instance state cannot be changed from failed"), GONE,
    ]),
    (Action::Delete, [
        Refused(400, "instance cannot be deleted in state \"creating\""),
        Refused(400, ACTIVE), Refused(400, ACTIVE), Refused(400, ACTIVE), Refused(400, ACTIVE), Refused(400, ACTIVE),
        Gone(204), Gone(204), GONE,
    ]),
    (Action::Resize, [
        Done(200),
        Refused(409, RESIZE), Refused(409, RESIZE), Refused(409, RESIZE), Refused(409, RESIZE), Refused(409, RESIZE),
        Done(200), Done(200), GONE,
    ]),
    (Action::SetBootDisk, [
        Done(200),
        Refused(409, BOOT), Refused(409, BOOT), Refused(409, BOOT), Refused(409, BOOT), Refused(409, BOOT),
        Done(200), Done(200), GONE,
    ]),
    (Action::UnsetBootDisk, [
        Done(200),
        Refused(409, BOOT), Refused(409, BOOT), Refused(409, BOOT), Refused(409, BOOT), Refused(409, BOOT),
        Done(200), Done(200), GONE,
    ]),
    // Replaces the other settings by the stored ones, which is possible in every state.
    (Action::SetRestartPolicy, [
        Done(200), Done(200), Done(200), Done(200), Done(200), Done(200), Done(200), Done(200), GONE,
    ]),
    (Action::AttachDisk, [
        Done(202),
        Refused(400, ATTACH), Refused(400, ATTACH), Refused(400, ATTACH), Refused(400, ATTACH), Refused(400, ATTACH),
        Done(202), Refused(400, "cannot attach disk to instance in failed state"), GONE,
    ]),
    (Action::AttachDiskAgain, [
        Same(202), Same(202), Same(202), Same(202), Same(202), Same(202), Same(202), Same(202), GONE,
    ]),
    (Action::DetachDisk, [
        Done(202),
        Refused(400, DETACH), Refused(400, DETACH), Refused(400, DETACH), Refused(400, DETACH), Refused(400, DETACH),
        Done(202), Done(202), GONE,
    ]),
    (Action::DetachBootDisk, [
        Refused(409, BOOT_DISK),
        Refused(400, DETACH), Refused(400, DETACH), Refused(400, DETACH), Refused(400, DETACH), Refused(400, DETACH),
        Refused(409, BOOT_DISK), Refused(400, "cannot detach disk from instance in failed state"), GONE,
    ]),
    (Action::DetachIdleDisk, [
        Same(202), Same(202), Same(202), Same(202), Same(202), Same(202), Same(202), Same(202), GONE,
    ]),
    (Action::SnapshotDisk, [
        Done(201), Refused(503, NO_SNAPSHOT), Done(201), Done(201), Done(201), Refused(503, NO_SNAPSHOT),
        Done(201), Done(201), Done(201),
    ]),
    (Action::AddInterface, [
        Done(201),
        Refused(400, ADD), Refused(400, ADD), Refused(400, ADD), Refused(400, ADD), Refused(400, ADD),
        Done(201), Refused(400, ADD), GONE,
    ]),
    (Action::UpdateInterface, [
        Refused(400, UPDATE),
        Refused(400, UPDATE), Refused(400, UPDATE), Refused(400, UPDATE), Refused(400, UPDATE), Refused(400, UPDATE),
        Done(200), Refused(400, UPDATE), GONE,
    ]),
    (Action::DeleteInterface, [
        Done(204),
        Refused(400, REMOVE), Refused(400, REMOVE), Refused(400, REMOVE), Refused(400, REMOVE), Refused(400, REMOVE),
        Done(204), Done(204), GONE,
    ]),
    (Action::AttachEphemeral, [
        Refused(400, "cannot attach ephemeral IP to instance in creating state"),
        Refused(503, UNAVAILABLE), Done(202), Done(202), Refused(503, UNAVAILABLE), Refused(503, UNAVAILABLE),
        Done(202), Refused(400, "cannot attach ephemeral IP to instance in failed state"), GONE,
    ]),
    (Action::AttachFloating, [
        Refused(400, "cannot attach floating IP to instance in creating state"),
        Refused(503, UNAVAILABLE), Done(202), Done(202), Refused(503, UNAVAILABLE), Refused(503, UNAVAILABLE),
        Done(202), Refused(400, "cannot attach floating IP to instance in failed state"), GONE,
    ]),
    // Deleting an instance has already detached its address.
    (Action::DetachFloating, [
        Refused(400, "cannot detach floating IP from instance in creating state"),
        Refused(503, UNAVAILABLE), Done(202), Done(202), Refused(503, UNAVAILABLE), Refused(503, UNAVAILABLE),
        Done(202), Refused(400, "cannot detach floating IP from instance in failed state"), Same(202),
    ]),
    (Action::JoinGroup, [
        Done(201),
        Refused(400, RESERVED), Refused(400, RESERVED), Refused(400, RESERVED), Refused(400, RESERVED),
        Refused(400, RESERVED), Done(201), Done(201), GONE,
    ]),
    (Action::LeaveGroup, [
        Done(204), Done(204), Done(204), Done(204), Done(204), Done(204), Done(204), Done(204), GONE,
    ]),
    (Action::SerialConsole, [
        Refused(400, "instance is creating and has no active serial console server"),
        Refused(400, "cannot connect to serial console of instance in state \"starting\""),
        Same(200), Same(200), Same(200),
        Refused(400, "cannot connect to serial console of instance in state \"stopping\""),
        Refused(400, "instance is stopped and has no active serial console server"),
        Refused(400, "instance is failed and has no active serial console server"), GONE,
    ]),
];

/// Actions and the states in which the console offers them (`docs/rules/console/project-compute.md#instance-actions`).
/// `repairing` never occurs.
static OFFERED: &[(Action, &[&str])] = &[
    (Action::Start, &["stopped", "failed"]),
    (Action::Delete, &["stopped", "failed"]),
    (Action::Resize, &["stopped", "failed", "creating"]),
    (Action::SetBootDisk, &["stopped", "failed", "creating"]),
    (Action::Reboot, &["running"]),
    (Action::Stop, &["running", "starting", "rebooting", "failed"]),
    (Action::DetachDisk, &["creating", "stopped", "failed"]),
    (Action::AttachDisk, &["creating", "stopped"]),
    (Action::UpdateInterface, &["stopped"]),
    (Action::JoinGroup, &["stopped"]),
    (Action::SerialConsole, &["running", "rebooting", "migrating"]),
];

impl Action {
    fn ask(self) -> Ask {
        let post = |path: &str| ask(Method::POST, format!("/v1/instances/db/{path}?project=web"), json!({}));
        let disk = |path: &str, disk: &str| Ask { body: json!({ "disk": disk }), ..post(path) };
        let group = |method, group: &str| {
            let uri = format!("/v1/anti-affinity-groups/{group}/members/instance/db?project=web");
            ask(method, uri, json!({}))
        };
        let put = |key: &str, value| {
            let mut body =
                json!({ "ncpus": 2, "memory": GIB, "boot_disk": "boot", "auto_restart_policy": "never" });
            body[key] = value;
            ask(Method::PUT, VIEW, body)
        };
        match self {
            Self::Start => post("start"),
            Self::Stop => post("stop"),
            Self::Reboot => post("reboot"),
            Self::Delete => ask(Method::DELETE, VIEW, json!({})),
            Self::Resize => put("ncpus", json!(4)),
            Self::SetBootDisk => put("boot_disk", json!("extra")),
            Self::UnsetBootDisk => put("boot_disk", json!(null)),
            Self::SetRestartPolicy => put("auto_restart_policy", json!("best_effort")),
            Self::AttachDisk => disk("disks/attach", "spare"),
            Self::AttachDiskAgain => disk("disks/attach", "extra"),
            Self::DetachDisk => disk("disks/detach", "extra"),
            Self::DetachBootDisk => disk("disks/detach", "boot"),
            Self::DetachIdleDisk => disk("disks/detach", "spare"),
            Self::AddInterface => ask(Method::POST, INTERFACES, interface("net1", "second")),
            Self::UpdateInterface => ask(
                Method::PUT,
                "/v1/network-interfaces/net0?project=web&instance=db",
                json!({ "name": "eth0" }),
            ),
            Self::DeleteInterface => {
                ask(Method::DELETE, "/v1/network-interfaces/net0?project=web&instance=db", json!({}))
            }
            Self::AttachEphemeral => post("external-ips/ephemeral"),
            Self::AttachFloating => {
                let body = json!({ "kind": "instance", "parent": "db" });
                ask(Method::POST, "/v1/floating-ips/spare/attach?project=web", body)
            }
            Self::DetachFloating => ask(Method::POST, "/v1/floating-ips/own/detach?project=web", json!({})),
            Self::SnapshotDisk => {
                let snapshot = json!({ "name": "shot", "description": "", "disk": "extra" });
                ask(Method::POST, "/v1/snapshots?project=web", snapshot)
            }
            Self::JoinGroup => group(Method::POST, "apart"),
            Self::LeaveGroup => group(Method::DELETE, "crew"),
            Self::SerialConsole => {
                ask(Method::GET, "/v1/instances/db/serial-console?project=web&from_start=0", json!({}))
            }
        }
    }
}

const VIEW: &str = "/v1/instances/db?project=web";
const INTERFACES: &str = "/v1/network-interfaces?project=web&instance=db";

fn interface(name: &str, subnet: &str) -> Value {
    json!({ "name": name, "description": "", "vpc_name": "default", "subnet_name": subnet })
}

/// A cloud with an instance `db` in this state, which its host reports as well.
async fn cloud_with(state: &'static str) -> Cloud {
    let cloud = slow_cloud().await;
    let client = cloud.with_token();
    for name in ["crew", "apart"] {
        let group = json!({ "name": name, "description": "", "policy": "fail", "failure_domain": "sled" });
        done(&client, "/v1/anti-affinity-groups?project=web", group).await;
    }
    let second = json!({ "name": "second", "description": "", "ipv4_block": "10.9.0.0/24" });
    done(&client, "/v1/vpc-subnets?project=web&vpc=default", second).await;
    for name in ["own", "spare"] {
        done(&client, "/v1/floating-ips?project=web", json!({ "name": name, "description": "" })).await;
    }
    done(&client, "/v1/disks?project=web", new_disk("spare")).await;
    let mut instance = new_instance("db");
    instance["anti_affinity_groups"] = json!(["crew"]);
    instance["network_interfaces"] = json!({ "type": "create", "params": [interface("net0", "default")] });
    instance["external_ips"] = json!([{ "type": "floating", "floating_ip": "own" }]);
    let disks = ["boot", "extra"].map(|name| {
        let mut disk = new_disk(name);
        disk["type"] = json!("create");
        disk
    });
    instance["boot_disk"] = disks[0].clone();
    instance["disks"] = json!([disks[1]]);
    done(&client, "/v1/instances?project=web", instance).await;
    rest(&cloud);
    reach_state(&cloud, &client, state).await;
    cloud
}

async fn reach_state(cloud: &Cloud, client: &Client<'_>, state: &'static str) {
    let operate = async |name: &str| {
        done(client, &format!("/v1/instances/db/{name}?project=web"), json!({})).await;
    };
    if matches!(state, "starting" | "running" | "rebooting" | "migrating" | "stopping" | "failed") {
        operate("start").await;
        if state != "starting" {
            rest(cloud);
        }
    }
    match state {
        "creating" => modify_record(cloud, |instance| instance.stage = InstanceStage::Creating),
        "migrating" => modify_record(cloud, |instance| {
            if let InstanceStage::Active(machine) = &mut instance.stage {
                machine.state = MachineState::Migrating;
            }
        }),
        "rebooting" => operate("reboot").await,
        "stopping" => operate("stop").await,
        "failed" => {
            cloud.hypervisor.machines().into_iter().for_each(|id| cloud.hypervisor.forget_machine(id));
        }
        "deleted" => assert_eq!(client.delete(VIEW).await.status, 204),
        _ => {}
    }
    cloud.settle();
}

/// Changes the instance's record to a state that no operation leaves behind.
fn modify_record(cloud: &Cloud, modify_record: fn(&mut Instance)) {
    cloud
        .rule(move |cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            let project: Project = cx.tx.get_by_name(silo.meta.id, "web")?.unwrap();
            let mut instance: Instance = cx.tx.get_by_name(project.meta.id, "db")?.unwrap();
            modify_record(&mut instance);
            Ok(cx.tx.update(&mut instance)?)
        })
        .unwrap();
}

static MATRIX: Matrix<Action, 9> = Matrix {
    states: STATES,
    table: TABLE,
    offered: OFFERED,
    ask: Action::ask,
    view: VIEW,
    state_at: "/run_state",
    also: &[
        "/v1/disks?project=web",
        "/v1/instances/db/anti-affinity-groups?project=web",
        "/v1/instances/db/external-ips?project=web",
        "/v1/floating-ips?project=web",
        INTERFACES,
    ],
};

#[tokio::test]
async fn every_action_in_every_state() {
    MATRIX.check(cloud_with).await;
}

#[test]
fn actions_offered_by_the_console_are_accepted() {
    MATRIX.check_offered();
}
