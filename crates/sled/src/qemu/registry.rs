use std::{collections::BTreeMap, sync::Arc, thread::JoinHandle};

use uuid::Uuid;

use super::machine::Machine;
use crate::HypervisorError;

/// A machine of an earlier server that cannot be adopted: it may be running, and is left as it is.
#[derive(Debug)]
pub(super) struct Unreadable {
    /// The reason, for messages.
    pub(super) reason: String,
    /// The disks that it may write into.
    pub(super) disks: Vec<Uuid>,
    /// The user that it may run as.
    pub(super) user: Option<u32>,
}

/// The resources reserved for a machine that is being started.
#[derive(Debug)]
pub(super) struct Reserved {
    pub(super) disks: Vec<Uuid>,
    pub(super) user: Option<u32>,
}

/// Held only briefly: starting a machine waits for programs, and others must not wait for that.
#[derive(Debug, Default)]
pub(super) struct Machines {
    pub(super) known: BTreeMap<Uuid, Arc<Machine>>,
    pub(super) starting: BTreeMap<Uuid, Reserved>,
    pub(super) unreadable: BTreeMap<Uuid, Unreadable>,
    pub(super) threads: Vec<JoinHandle<()>>,
}

impl Machines {
    /// Why a machine is not among those that are known.
    pub(super) fn why_unknown(&self, id: Uuid) -> HypervisorError {
        match self.unreadable.get(&id) {
            Some(unreadable) => HypervisorError::Unreachable(unreadable.reason.clone()),
            None if self.starting.contains_key(&id) => {
                HypervisorError::Unreachable("the machine is being started".to_owned())
            }
            None => HypervisorError::UnknownMachine,
        }
    }

    /// Whether a machine has a disk, or may have.
    pub(super) fn use_disk(&self, disk: Uuid) -> bool {
        self.known.values().any(|machine| !machine.is_gone() && machine.slot_of(disk).is_some())
            || self.starting.values().any(|reserved| reserved.disks.contains(&disk))
            || self.unreadable.values().any(|unreadable| unreadable.disks.contains(&disk))
    }

    /// The users that machines run as, or may.
    pub(super) fn users(&self) -> Vec<u32> {
        let known = self.known.values().filter_map(|machine| machine.kept.user);
        let starting = self.starting.values().filter_map(|reserved| reserved.user);
        let unreadable = self.unreadable.values().filter_map(|unreadable| unreadable.user);
        known.chain(starting).chain(unreadable).collect()
    }
}
