use std::collections::{BTreeMap, BTreeSet, VecDeque};

use uuid::Uuid;

use crate::HypervisorError;

/// What can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    /// Making a machine.
    EnsureMachine,
    /// Asking a guest to shut down.
    StopMachine,
    /// Restarting a machine.
    RebootMachine,
    /// Ending a machine.
    DestroyMachine,
    /// Asking what a machine does.
    ObserveMachine,
    /// Building a disk.
    EnsureDisk,
    /// Freeing a disk.
    DeleteDisk,
    /// Writing into a disk.
    WriteDisk,
    /// Making what was written durable.
    SyncDisk,
    /// Taking a snapshot.
    EnsureSnapshot,
    /// Freeing a snapshot.
    DeleteSnapshot,
    /// Describing a VPC.
    EnsureNetwork,
    /// Removing a VPC.
    DeleteNetwork,
    /// Connecting to a screen, or taking a picture of it.
    Screen,
}

/// Injected failures.
#[derive(Debug, Default)]
pub(super) struct Faults {
    next: BTreeMap<Call, VecDeque<HypervisorError>>,
    lost_answers: BTreeMap<Call, u32>,
    unreachable: BTreeSet<Uuid>,
}

impl Faults {
    pub(super) fn fail_next(&mut self, call: Call, error: HypervisorError) {
        self.next.entry(call).or_default().push_back(error);
    }

    pub(super) fn lose_next_answer(&mut self, call: Call) {
        *self.lost_answers.entry(call).or_default() += 1;
    }

    /// Fails although the call was carried out, if its answer should be lost.
    pub(super) fn answer(&mut self, call: Call) -> Result<(), HypervisorError> {
        match self.lost_answers.get_mut(&call) {
            Some(count) if *count > 0 => {
                *count -= 1;
                Err(HypervisorError::Unreachable("the answer was lost".to_owned()))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn set_reachable(&mut self, sled: Uuid, reachable: bool) {
        if reachable {
            self.unreachable.remove(&sled);
        } else {
            self.unreachable.insert(sled);
        }
    }

    /// Fails if one of the sleds cannot be reached, or if the call was made to fail.
    pub(super) fn check(&mut self, call: Call, sleds: &[Uuid]) -> Result<(), HypervisorError> {
        if let Some(sled) = sleds.iter().find(|sled| self.unreachable.contains(sled)) {
            return Err(HypervisorError::Unreachable(format!("simulated sled {sled} is cut off")));
        }
        self.next.get_mut(&call).and_then(VecDeque::pop_front).map_or(Ok(()), Err)
    }
}
