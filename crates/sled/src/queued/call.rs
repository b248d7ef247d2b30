use std::sync::Arc;

use croft_network::Network;
use uuid::Uuid;

use crate::{
    DiskReport, DiskSpec, Hypervisor, HypervisorError, HypervisorEvent, MachineReport, MachineSpec,
    SnapshotSpec,
};

/// The subject of a call. Calls about one subject run one at a time, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    Machine(Uuid),
    Disk(Uuid),
    Snapshot(Uuid),
    Network(Uuid),
    /// What earlier servers left behind of networks.
    Leftovers,
    /// Repair of networks.
    Watch,
}

/// A call that may take long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Call {
    EnsureMachine(Arc<MachineSpec>),
    StopMachine(Uuid),
    RebootMachine(Uuid),
    DestroyMachine { sled_id: Uuid, id: Uuid },
    EnsureDisk(DiskSpec),
    DeleteDisk(Uuid),
    EnsureSnapshot(SnapshotSpec),
    DeleteSnapshot(Uuid),
    EnsureNetwork(Arc<Network>),
    DeleteNetwork(Uuid),
    RetainNetworks(Arc<[Uuid]>),
    WatchNetworks,
}

/// What a host answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Machine(MachineReport),
    Volume(DiskReport),
    Done,
}

pub(super) type Outcome = Result<Answer, HypervisorError>;

impl Call {
    pub(super) fn subject(&self) -> Subject {
        match self {
            Self::EnsureMachine(spec) => Subject::Machine(spec.id),
            Self::StopMachine(id) | Self::RebootMachine(id) | Self::DestroyMachine { id, .. } => {
                Subject::Machine(*id)
            }
            Self::EnsureDisk(spec) => Subject::Disk(spec.id),
            Self::DeleteDisk(id) => Subject::Disk(*id),
            Self::EnsureSnapshot(spec) => Subject::Snapshot(spec.id),
            Self::DeleteSnapshot(id) => Subject::Snapshot(*id),
            Self::EnsureNetwork(network) => Subject::Network(network.id),
            Self::DeleteNetwork(id) => Subject::Network(*id),
            Self::RetainNetworks(_) => Subject::Leftovers,
            Self::WatchNetworks => Subject::Watch,
        }
    }

    /// The group of calls that may block each other: machines of one VPC are connected one at a time, so a hanging
    /// program must not occupy all threads.
    pub(super) fn group(&self) -> Option<Uuid> {
        match self {
            Self::EnsureMachine(spec) => spec.interfaces.first().map(|interface| interface.vpc_id),
            _ => None,
        }
    }

    /// What has to be done before it, if it was asked for earlier: a machine is connected to its VPCs as they were
    /// described, and a VPC is not described while those that were not are removed.
    pub(super) fn follows(&self) -> Vec<Subject> {
        match self {
            Self::EnsureMachine(spec) => {
                spec.interfaces.iter().map(|interface| Subject::Network(interface.vpc_id)).collect()
            }
            Self::EnsureNetwork(_) | Self::DeleteNetwork(_) => vec![Subject::Leftovers],
            _ => Vec::new(),
        }
    }

    /// The event that reports its end to callers that do not wait.
    pub(super) fn event(&self) -> Option<HypervisorEvent> {
        match self.subject() {
            Subject::Machine(id) => Some(HypervisorEvent::Machine(id)),
            Subject::Disk(id) => Some(HypervisorEvent::Disk(id)),
            Subject::Snapshot(id) => Some(HypervisorEvent::Snapshot(id)),
            Subject::Network(id) => Some(HypervisorEvent::Network(id)),
            Subject::Leftovers | Subject::Watch => None,
        }
    }

    /// Runs it, however long that takes.
    pub(super) fn carry_out(&self, hypervisor: &dyn Hypervisor) -> Outcome {
        let done = |()| Answer::Done;
        match self {
            Self::EnsureMachine(spec) => hypervisor.ensure_machine(spec).map(Answer::Machine),
            Self::StopMachine(id) => hypervisor.stop_machine(*id).map(Answer::Machine),
            Self::RebootMachine(id) => hypervisor.reboot_machine(*id).map(Answer::Machine),
            Self::DestroyMachine { sled_id, id } => hypervisor.destroy_machine(*sled_id, *id).map(done),
            Self::EnsureDisk(spec) => hypervisor.ensure_disk(spec).map(Answer::Volume),
            Self::DeleteDisk(id) => hypervisor.delete_disk(*id).map(done),
            Self::EnsureSnapshot(spec) => hypervisor.ensure_snapshot(spec).map(Answer::Volume),
            Self::DeleteSnapshot(id) => hypervisor.delete_snapshot(*id).map(done),
            Self::EnsureNetwork(network) => hypervisor.ensure_network(network).map(done),
            Self::DeleteNetwork(id) => hypervisor.delete_network(*id).map(done),
            Self::RetainNetworks(ids) => hypervisor.retain_networks(ids).map(done),
            Self::WatchNetworks => hypervisor.watch_networks().map(done),
        }
    }

    /// Whether a late outcome is not useful and the call must be repeated: an object that was still being created may
    /// exist now, and watches are needed each time.
    pub(super) fn must_be_repeated(&self, outcome: &Outcome) -> bool {
        matches!(
            (self, outcome),
            (_, Ok(Answer::Volume(DiskReport::Building))) | (Self::WatchNetworks, Ok(_))
        )
    }
}
