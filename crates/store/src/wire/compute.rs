use croft_api::{
    activity, affinity,
    disk::DiskState,
    instance::{self, InstanceState},
    snapshot::SnapshotState,
};

use super::{converted, same_fields, same_variants};
use crate::records::{
    ActivityConstraint, ActivityConstraintKind, ActivityKind, AffinityPolicy, Disk, DiskStage, FailureDomain,
    ImportStage, Instance, InstanceAutoRestartPolicy, InstanceStage, MachineState, Snapshot, SnapshotStage,
};

impl Instance {
    /// The run state that callers see.
    pub fn run_state(&self) -> InstanceState {
        match &self.stage {
            InstanceStage::Creating => InstanceState::Creating,
            InstanceStage::Stopped => InstanceState::Stopped,
            InstanceStage::Failed => InstanceState::Failed,
            InstanceStage::Active(machine) => match machine.state {
                MachineState::Starting => InstanceState::Starting,
                MachineState::Running => InstanceState::Running,
                MachineState::Rebooting => InstanceState::Rebooting,
                MachineState::Migrating => InstanceState::Migrating,
                MachineState::Stopping | MachineState::Ended => InstanceState::Stopping,
            },
        }
    }
}

impl Disk {
    /// The state that callers see.
    pub fn state(&self) -> DiskState {
        match &self.stage {
            DiskStage::Attached { instance_id, .. } => DiskState::Attached { instance: *instance_id },
            DiskStage::Faulted => DiskState::Faulted,
            _ if !self.built => DiskState::Creating,
            DiskStage::Detached if self.snapshotting.is_some() => DiskState::Maintenance,
            DiskStage::Detached => DiskState::Detached,
            DiskStage::Importing(ImportStage::Ready) => DiskState::ImportReady,
            DiskStage::Importing(ImportStage::BulkWrites) => DiskState::ImportingFromBulkWrites,
            DiskStage::Importing(ImportStage::Finalizing) => DiskState::Finalizing,
        }
    }
}

impl Snapshot {
    /// The state that callers see.
    pub fn state(&self) -> SnapshotState {
        match self.stage {
            SnapshotStage::Creating => SnapshotState::Creating,
            SnapshotStage::Ready => SnapshotState::Ready,
            SnapshotStage::Faulted => SnapshotState::Faulted,
        }
    }
}

same_variants!(InstanceAutoRestartPolicy = instance::InstanceAutoRestartPolicy { Never, BestEffort });

same_variants!(AffinityPolicy = affinity::AffinityPolicy { Allow, Fail });
same_variants!(FailureDomain = affinity::FailureDomain { Sled });

same_variants!(
    ActivityKind = activity::ActivityKind {
        MachineStarted,
        Failed,
        HostLost,
        Restarted,
        StartRefused,
        Waiting,
        StopForced,
        HostIncident,
        Operation
    }
);
same_variants!(
    ActivityConstraintKind =
        activity::ActivityConstraintKind { AffinityGroup, AntiAffinityGroup, Quota, Disk, StoragePool, Sled }
);
same_fields!(ActivityConstraint = activity::ActivityConstraint { kind, id, name });
