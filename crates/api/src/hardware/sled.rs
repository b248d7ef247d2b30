use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Baseboard;
use crate::{
    instance::InstanceState,
    scalar::{ByteCount, Name},
};

/// Whether a sled takes anything new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SledProvisionPolicy {
    /// New instances and disks may be put on it.
    Provisionable,
    /// What is on it stays, and nothing is added.
    NonProvisionable,
}

/// What an operator decided about a sled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SledPolicy {
    /// It is part of the fleet.
    InService {
        /// Whether it takes anything new.
        provision_policy: SledProvisionPolicy,
    },
    /// It is out of the fleet for good.
    Expunged,
}

/// What became of a sled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SledState {
    /// It may run something.
    Active,
    /// Nothing runs on it, and nothing ever will.
    Decommissioned,
}

/// A host that runs instances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sled {
    /// The ID, which never changes.
    pub id: Uuid,
    /// When it became part of the fleet.
    pub time_created: Timestamp,
    /// When it last changed.
    pub time_modified: Timestamp,
    /// What it calls itself.
    pub baseboard: Baseboard,
    /// The rack that it is in.
    pub rack_id: Uuid,
    /// What was decided about it.
    pub policy: SledPolicy,
    /// The verdict.
    pub state: SledState,
    /// Hardware threads that it has.
    pub usable_hardware_threads: u32,
    /// Memory that it has, in bytes.
    pub usable_physical_ram: ByteCount,
}

/// The provision policy that a sled is to have.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct SledProvisionPolicyParams {
    /// The policy.
    pub state: SledProvisionPolicy,
}

/// The provision policy that a sled had, and the one it has now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SledProvisionPolicyResponse {
    /// The policy before.
    pub old_state: SledProvisionPolicy,
    /// The policy now.
    pub new_state: SledProvisionPolicy,
}

/// An instance that has a machine on a sled, of any silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SledInstance {
    /// The instance.
    pub id: Uuid,
    /// When the instance was created.
    pub time_created: Timestamp,
    /// When the instance last changed.
    pub time_modified: Timestamp,
    /// The sled.
    pub active_sled_id: Uuid,
    /// The move to another sled that is under way.
    pub migration_id: Option<Uuid>,
    /// The instance's name.
    pub name: Name,
    /// The name of the silo that the instance is in.
    pub silo_name: Name,
    /// The name of the project that the instance is in.
    pub project_name: Name,
    /// What the machine is doing.
    pub state: InstanceState,
    /// Virtual CPUs of the machine.
    pub ncpus: i64,
    /// Memory of the machine, in bytes.
    pub memory: i64,
}

/// A sled that has been seen and is not part of the fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UninitializedSled {
    /// What it calls itself.
    pub baseboard: Baseboard,
    /// The rack that it is in.
    pub rack_id: Uuid,
    /// Its place in the rack.
    pub cubby: u16,
}

/// A sled that is to become part of the fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UninitializedSledId {
    /// Its serial number.
    pub serial: String,
    /// Its part number.
    pub part: String,
}

/// The id of a sled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SledId {
    /// The ID, which never changes.
    pub id: Uuid,
}

/// The path of one sled.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SledPath {
    /// The sled.
    pub sled_id: Uuid,
}
