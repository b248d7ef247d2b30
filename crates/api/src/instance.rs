//! Instances: virtual machines.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    disk::DiskCreate,
    identity::IdentityCreate,
    page::Listed,
    scalar::{ByteCount, Description, Hostname, InstanceCpuCount, Name, NameOrId, UserData},
};

/// A virtual machine.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Instance {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person, starts and stops included.
    pub time_modified: Timestamp,
    /// The project it belongs to.
    pub project_id: Uuid,
    /// What the guest calls itself.
    pub hostname: String,
    /// Virtual CPUs.
    pub ncpus: InstanceCpuCount,
    /// Memory in bytes.
    pub memory: ByteCount,
    /// The disk it boots from.
    pub boot_disk_id: Option<Uuid>,
    /// What it is doing.
    pub run_state: InstanceState,
    /// When what it is doing last changed; strictly later at each change.
    pub time_run_state_updated: Timestamp,
    /// The policy asked for; null stands for the default.
    pub auto_restart_policy: Option<InstanceAutoRestartPolicy>,
    /// Whether the policy in force restarts it after a failure.
    pub auto_restart_enabled: bool,
    /// When it was last restarted by itself.
    pub time_last_auto_restarted: Option<Timestamp>,
    /// Before this time it is not restarted by itself again.
    pub auto_restart_cooldown_expiration: Option<Timestamp>,
}

impl Listed for Instance {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// What an instance is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstanceState {
    /// Being built.
    Creating,
    /// On its way to running.
    Starting,
    /// Running.
    Running,
    /// On its way to stopped.
    Stopping,
    /// At rest.
    Stopped,
    /// Restarting within its machine.
    Rebooting,
    /// Moving to another sled.
    Migrating,
    /// Being repaired.
    Repairing,
    /// Its machine is lost.
    Failed,
    /// Deleted.
    Destroyed,
}

impl InstanceState {
    /// The state's word on the wire.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Creating => "creating",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Stopping => "stopping",
            Self::Stopped => "stopped",
            Self::Rebooting => "rebooting",
            Self::Migrating => "migrating",
            Self::Repairing => "repairing",
            Self::Failed => "failed",
            Self::Destroyed => "destroyed",
        }
    }
}

/// Whether an instance is restarted after its machine is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstanceAutoRestartPolicy {
    /// It stays failed until somebody starts it.
    Never,
    /// It is started again as soon as its cooldown allows.
    BestEffort,
}

/// A disk that a new instance gets.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InstanceDiskAttachment {
    /// A disk made together with the instance.
    Create(DiskCreate),
    /// A disk that exists.
    Attach {
        /// Its name in the instance's project.
        name: Name,
    },
}

impl InstanceDiskAttachment {
    /// The name of the disk.
    pub fn name(&self) -> &Name {
        match self {
            Self::Create(params) => &params.identity.name,
            Self::Attach { name } => name,
        }
    }
}

/// A network interface to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InstanceNetworkInterfaceCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The VPC.
    pub vpc_name: Name,
    /// The subnet.
    pub subnet_name: Name,
    /// The address asked for; absent means any.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "ip")]
    pub ip: Option<IpAddr>,
}

/// The network interfaces that a new instance gets.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "params", rename_all = "snake_case")]
pub enum InstanceNetworkInterfaceAttachment {
    /// These, the first of them primary.
    Create(Vec<InstanceNetworkInterfaceCreate>),
    /// One in the default subnet of the default VPC.
    #[default]
    Default,
    /// None.
    None,
}

/// An external address that a new instance gets.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ExternalIpCreate {
    /// An address that lives as long as the instance.
    Ephemeral {
        /// The pool to take it from; absent means the silo's default pool.
        #[serde(default)]
        pool: Option<NameOrId>,
    },
    /// A floating IP that exists.
    Floating {
        /// That floating IP.
        floating_ip: NameOrId,
    },
}

fn start_by_default() -> bool {
    true
}

/// An instance to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InstanceCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// Virtual CPUs, at most 64.
    pub ncpus: InstanceCpuCount,
    /// Memory in bytes: a multiple of 1 GiB, from 1 GiB to 1536 GiB.
    pub memory: ByteCount,
    /// What the guest calls itself.
    pub hostname: Hostname,
    /// Bytes handed to the guest at boot, base64.
    #[serde(default)]
    pub user_data: UserData,
    /// Network interfaces.
    #[serde(default)]
    pub network_interfaces: InstanceNetworkInterfaceAttachment,
    /// External addresses.
    #[serde(default)]
    pub external_ips: Vec<ExternalIpCreate>,
    /// The disk to boot from.
    #[serde(default)]
    pub boot_disk: Option<InstanceDiskAttachment>,
    /// Further disks.
    #[serde(default)]
    pub disks: Vec<InstanceDiskAttachment>,
    /// SSH keys given to the guest: absent means all of the caller's, empty means none.
    #[serde(default)]
    pub ssh_public_keys: Option<Vec<NameOrId>>,
    /// Whether to start it at once.
    #[serde(default = "start_by_default")]
    pub start: bool,
    /// Whether to restart it after its machine is lost; null stands for the default.
    #[serde(default)]
    pub auto_restart_policy: Option<InstanceAutoRestartPolicy>,
    /// Anti-affinity groups to join.
    #[serde(default)]
    pub anti_affinity_groups: Vec<NameOrId>,
}

/// A change to an instance. What is absent is unset, not kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InstanceUpdate {
    /// Virtual CPUs.
    pub ncpus: InstanceCpuCount,
    /// Memory in bytes.
    pub memory: ByteCount,
    /// The disk to boot from; absent or null means none.
    #[serde(default)]
    pub boot_disk: Option<NameOrId>,
    /// The restart policy; absent or null means the default.
    #[serde(default)]
    pub auto_restart_policy: Option<InstanceAutoRestartPolicy>,
}

/// The path of one instance.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct InstancePath {
    /// Name or id of the instance.
    pub instance: NameOrId,
}
