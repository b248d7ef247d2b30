//! Racks and what stands in them (`docs/rules/compute-and-storage.md#hardware`).

mod sled;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub use sled::{
    Sled, SledId, SledInstance, SledPath, SledPolicy, SledProvisionPolicy, SledProvisionPolicyParams,
    SledProvisionPolicyResponse, SledState, UninitializedSled, UninitializedSledId,
};

use crate::page::Listed;

/// What a piece of hardware calls itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Baseboard {
    /// Its serial number.
    pub serial: String,
    /// Its model, or the number of the part.
    pub part: String,
    /// The revision of the model.
    pub revision: u32,
}

/// A rack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rack {
    /// The ID, which never changes.
    pub id: Uuid,
    /// When the rack was first seen.
    pub time_created: Timestamp,
    /// When it last changed.
    pub time_modified: Timestamp,
}

/// The shape of a disk, which says what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhysicalDiskKind {
    /// M.2, inside of the sled.
    M2,
    /// U.2, to be changed from outside.
    U2,
}

/// What an operator decided about a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PhysicalDiskPolicy {
    /// It may hold data.
    InService,
    /// It is out of the fleet for good.
    Expunged,
}

/// What became of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhysicalDiskState {
    /// It is in use, or can be.
    Active,
    /// Nothing uses it any more.
    Decommissioned,
}

/// A disk of a sled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PhysicalDisk {
    /// The id, the same for as long as the disk is in the sled.
    pub id: Uuid,
    /// When it was first seen.
    pub time_created: Timestamp,
    /// When it last changed.
    pub time_modified: Timestamp,
    /// What was decided about it.
    pub policy: PhysicalDiskPolicy,
    /// The verdict.
    pub state: PhysicalDiskState,
    /// The sled that it is in.
    pub sled_id: Option<Uuid>,
    /// Who made it.
    pub vendor: String,
    /// Its serial number.
    pub serial: String,
    /// Its model.
    pub model: String,
    /// Its shape.
    pub form_factor: PhysicalDiskKind,
}

/// A switch of a rack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Switch {
    /// The ID, which never changes.
    pub id: Uuid,
    /// When it was first seen.
    pub time_created: Timestamp,
    /// When it last changed.
    pub time_modified: Timestamp,
    /// What it calls itself.
    pub baseboard: Baseboard,
    /// The rack that it is in.
    pub rack_id: Uuid,
}

macro_rules! listed_by_id {
    ($($view:ty),*) => {
        $(impl Listed for $view {
            fn id(&self) -> Uuid {
                self.id
            }

            fn name(&self) -> &'static str {
                ""
            }
        })*
    };
}

listed_by_id!(Rack, Sled, SledInstance, PhysicalDisk, Switch);

/// The path of one rack.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RackPath {
    /// The rack.
    pub rack_id: Uuid,
}

/// The path of one disk of a sled.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct PhysicalDiskPath {
    /// The disk.
    pub disk_id: Uuid,
}

/// The path of one switch.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SwitchPath {
    /// The switch.
    pub switch_id: Uuid,
}
