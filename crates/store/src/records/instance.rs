use croft_api::scalar::{ByteCount, Description, Hostname, InstanceCpuCount, Name, UserData};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// Whether an instance is restarted after its machine is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceAutoRestartPolicy {
    /// It stays failed until somebody starts it.
    Never,
    /// It is started again as soon as its cooldown allows.
    BestEffort,
}

/// What a machine is doing, as its host reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineState {
    /// On its way to running.
    Starting,
    /// Running.
    Running,
    /// The guest is going down.
    Stopping,
    /// Restarting.
    Rebooting,
    /// Moving to another sled.
    Migrating,
    /// Ended; its resources are still to be freed.
    Ended,
}

/// The pending request to the host about a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PendingRequest {
    /// Make it and run it.
    Run,
    /// Restart it, having made it if it does not exist yet.
    Reboot,
    /// Let it stop.
    Stop,
}

/// The machine that an instance has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineLink {
    /// The machine at the hypervisor, and its [`Machine`](super::Machine) record.
    pub id: Uuid,
    /// The sled it was placed on.
    pub sled_id: Uuid,
    /// What it is doing.
    pub state: MachineState,
    /// The generation of the last report taken over; older reports are ignored.
    pub report_generation: u64,
    /// Whether the host is known to have made it.
    pub registered: bool,
    /// The pending request to the host.
    pub pending: Option<PendingRequest>,
}

/// Where an instance stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceStage {
    /// Being built.
    Creating,
    /// Built, without a machine.
    Stopped,
    /// With a machine.
    Active(MachineLink),
    /// Its machine was lost, and what it held has been freed.
    Failed,
}

/// What the last request wanted the instance to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WantedState {
    /// Running.
    Running,
    /// Stopped.
    Stopped,
    /// Its guest ended by itself.
    GuestShutdown,
    /// Gone.
    Destroyed,
}

/// A virtual machine as its users know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// Unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// What the guest calls itself.
    pub hostname: Hostname,
    /// Virtual CPUs.
    pub ncpus: InstanceCpuCount,
    /// Memory.
    pub memory: ByteCount,
    /// Given to the guest at boot, never shown.
    pub user_data: UserData,
    /// The SSH keys chosen for it, at most 100, all of the user who created it; those deleted since stay listed here.
    pub ssh_key_ids: Vec<Uuid>,
    /// The disk to boot from.
    pub boot_disk_id: Option<Uuid>,
    /// The restart policy asked for; none stands for the default.
    pub auto_restart_policy: Option<InstanceAutoRestartPolicy>,
    /// When it was last restarted by itself.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_last_auto_restarted: Option<Timestamp>,
    /// Where it stands.
    pub stage: InstanceStage,
    /// What was last wanted of it.
    pub wanted: WantedState,
    /// When the visible run state last changed; strictly later each time.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_run_state_updated: Timestamp,
    /// When the reconciler must process it next; `None` when there is nothing to do.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_due: Option<Timestamp>,
}

impl Instance {
    /// The machine, if there is one.
    pub fn machine(&self) -> Option<&MachineLink> {
        match &self.stage {
            InstanceStage::Active(machine) => Some(machine),
            _ => None,
        }
    }
}

record! {
    Instance as instance {
        table: Table::named("instance").by_parent(&[Order::Name, Order::Id]);
        parent: instance.project_id;
        name: Some(instance.name.as_str());
        scope: Scope::project(instance.silo_id, instance.project_id);
        search: Searched::named(&instance.name, &instance.description).name("hostname", &instance.hostname);
        lookups: {
            /// Instances in the order in which the reconciler is to look at them.
            DUE: Lookup::new("time_due", KeyKind::Int) = instance.time_due;
        }
    }
}
