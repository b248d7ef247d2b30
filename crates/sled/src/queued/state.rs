use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    thread::JoinHandle,
};

use parking_lot::Condvar;
use uuid::Uuid;

use super::call::{Answer, Call, Outcome, Subject};
use crate::{HypervisorError, HypervisorEvent};

/// Maximum number of outcomes that have not been fetched; then the oldest is dropped, and its call is repeated.
const MOST_UNFETCHED: usize = 1000;
/// Calls of one group that are carried out at the same time.
const GROUP_WORKERS: usize = 2;
/// Maximum number of calls examined to find out whether a new one starts immediately.
const LOOKED_AT: usize = 64;

/// The stage of a call.
#[derive(Debug)]
pub(super) enum Stage {
    Queued,
    Running,
    Ended(Outcome),
}

/// The call about a subject that is in progress, or has ended and was not fetched.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) call: Arc<Call>,
    sled: Uuid,
    /// Grows with each call.
    number: u64,
    stage: Stage,
    /// Whether its caller waits.
    is_awaited: bool,
}

/// The calls of a sled, and the threads that carry them out.
#[derive(Debug, Default)]
pub(super) struct SledQueue {
    queue: VecDeque<Subject>,
    /// Threads there are.
    pub(super) workers: usize,
    /// Idle threads that have not been notified.
    pub(super) idle: usize,
    running: usize,
    /// Calls in progress whose callers no longer wait.
    overdue: u32,
    groups: HashMap<Uuid, usize>,
    /// Notifies idle threads.
    pub(super) bell: Arc<Condvar>,
}

/// The state of a call, if it was made before.
pub(super) enum CallState {
    Nothing,
    /// It, or another one about the same subject, is in progress.
    Underway,
    /// It has ended.
    Ended(Outcome),
}

#[derive(Debug, Default)]
pub(super) struct State {
    slots: HashMap<Subject, Slot>,
    pub(super) queues: HashMap<Uuid, SledQueue>,
    events: Vec<HypervisorEvent>,
    last: u64,
    unfetched: usize,
    /// Whether no further calls are started.
    pub(super) is_closed: bool,
    pub(super) threads: Vec<JoinHandle<()>>,
    /// Threads that have not ended.
    pub(super) alive: usize,
}

impl State {
    /// Finds the state of a call. An ended call is removed, and a call that has not started is replaced by a different
    /// one about the same subject.
    pub(super) fn find(&mut self, call: &Call) -> CallState {
        let subject = call.subject();
        let Some(slot) = self.slots.get(&subject) else { return CallState::Nothing };
        let is_same = *slot.call == *call;
        match (&slot.stage, is_same) {
            (Stage::Running, _) | (Stage::Queued, true) => CallState::Underway,
            (Stage::Queued, false) => {
                self.forget(subject);
                CallState::Nothing
            }
            (Stage::Ended(_), _) => match self.take_ended(subject) {
                Some(outcome) if is_same && !call.must_be_repeated(&outcome) => CallState::Ended(outcome),
                _ => CallState::Nothing,
            },
        }
    }

    /// Adds a call to a sled's queue, and returns its number.
    pub(super) fn put(&mut self, sled: Uuid, call: Call) -> u64 {
        let subject = call.subject();
        self.last += 1;
        let slot =
            Slot { call: Arc::new(call), sled, number: self.last, stage: Stage::Queued, is_awaited: false };
        self.slots.insert(subject, slot);
        self.queues.entry(sled).or_default().queue.push_back(subject);
        self.last
    }

    /// Whether the last call of a sled's queue starts immediately, given the maximum number of threads.
    pub(super) fn begins_at_once(&self, sled: Uuid, workers: usize) -> bool {
        let Some(sled) = self.queues.get(&sled) else { return false };
        let is_last_free = sled.queue.back().is_some_and(|subject| self.is_free(*subject));
        let ahead = || sled.queue.iter().filter(|subject| self.is_free(**subject)).count();
        is_last_free && sled.queue.len() <= LOOKED_AT && sled.running + ahead() <= workers
    }

    /// Calls of a sled whose callers do not wait for them any more.
    pub(super) fn overdue(&self, sled: Uuid) -> u32 {
        self.queues.get(&sled).map_or(0, |sled| sled.overdue)
    }

    /// Whether a thread of a sled would find something to do.
    pub(super) fn has_work(&self, sled: Uuid) -> bool {
        let queue = self.queues.get(&sled).map(|sled| &sled.queue);
        queue.is_some_and(|queue| queue.iter().any(|subject| self.is_free(*subject)))
    }

    /// Whether a queued call can start.
    fn is_free(&self, subject: Subject) -> bool {
        let Some(slot) = self.slots.get(&subject) else { return false };
        let is_under_way = |slot: &&Slot| !matches!(slot.stage, Stage::Ended(_));
        let is_ahead = |subject: &Subject| {
            self.slots.get(subject).filter(is_under_way).is_some_and(|other| other.number < slot.number)
        };
        let of_group = |group| {
            self.queues.get(&slot.sled).and_then(|sled| sled.groups.get(&group)).copied().unwrap_or_default()
        };
        // What must be removed depends on the described VPCs.
        let is_alone = subject != Subject::Leftovers
            || !self.slots.keys().any(|other| matches!(other, Subject::Network(_)) && is_ahead(other));
        is_alone
            && slot.call.group().is_none_or(|group| of_group(group) < GROUP_WORKERS)
            && !slot.call.follows().iter().any(is_ahead)
    }

    /// Starts the first call of a sled that can start.
    pub(super) fn begin(&mut self, sled: Uuid) -> Option<Arc<Call>> {
        let place = self.queues.get(&sled)?.queue.iter().position(|subject| self.is_free(*subject))?;
        let found = self.queues.get_mut(&sled)?;
        let subject = found.queue.remove(place)?;
        let slot = self.slots.get_mut(&subject)?;
        slot.stage = Stage::Running;
        found.running += 1;
        if let Some(group) = slot.call.group() {
            *found.groups.entry(group).or_default() += 1;
        }
        if !slot.is_awaited {
            found.overdue += 1;
        }
        Some(Arc::clone(&slot.call))
    }

    /// Records the outcome of a call. Returns whether its caller waits; otherwise there is an event.
    pub(super) fn end(&mut self, call: &Call, outcome: Outcome) -> bool {
        let Some(slot) = self.slots.get_mut(&call.subject()) else { return false };
        slot.stage = Stage::Ended(outcome);
        let is_awaited = slot.is_awaited;
        self.unfetched += 1;
        if let Some(sled) = self.queues.get_mut(&slot.sled) {
            sled.running -= 1;
            if let Some(group) = call.group()
                && let Some(count) = sled.groups.get_mut(&group)
            {
                *count -= 1;
                if *count == 0 {
                    sled.groups.remove(&group);
                }
            }
            if !is_awaited {
                sled.overdue -= 1;
            }
        }
        if !is_awaited {
            self.events.extend(call.event());
        }
        self.drop_oldest();
        is_awaited
    }

    /// Records that the caller of a queued call waits for it.
    pub(super) fn wait_for(&mut self, subject: Subject) {
        if let Some(slot) = self.slots.get_mut(&subject) {
            slot.is_awaited = true;
        }
    }

    /// The outcome of a call that its caller waits for; `None` while it is in progress, and pending if it was dropped.
    pub(super) fn poll(&mut self, subject: Subject, number: u64) -> Option<Outcome> {
        match self.slots.get(&subject).filter(|slot| slot.number == number) {
            None => Some(Err(HypervisorError::Pending)),
            Some(Slot { stage: Stage::Ended(_), .. }) => self.take_ended(subject),
            Some(_) => None,
        }
    }

    /// Records that the caller of a call no longer waits for it.
    pub(super) fn leave(&mut self, subject: Subject, number: u64) {
        let Some(slot) = self.slots.get_mut(&subject).filter(|slot| slot.number == number) else { return };
        slot.is_awaited = false;
        if matches!(slot.stage, Stage::Running)
            && let Some(sled) = self.queues.get_mut(&slot.sled)
        {
            sled.overdue += 1;
        }
    }

    /// Removes a call that has not started, or whose outcome is not needed.
    pub(super) fn forget(&mut self, subject: Subject) {
        let Some(slot) = self.slots.remove(&subject) else { return };
        match slot.stage {
            Stage::Ended(_) => self.unfetched -= 1,
            Stage::Queued | Stage::Running => {
                if let Some(sled) = self.queues.get_mut(&slot.sled) {
                    sled.queue.retain(|other| *other != subject);
                }
            }
        }
    }

    /// Whether a machine is being destroyed, or has been and the outcome was not fetched.
    pub(super) fn is_ending(&self, machine: Uuid) -> bool {
        let slot = self.slots.get(&Subject::Machine(machine));
        slot.is_some_and(|slot| {
            matches!(*slot.call, Call::DestroyMachine { .. })
                && matches!(slot.stage, Stage::Running | Stage::Ended(Ok(Answer::Done)))
        })
    }

    /// Drops all calls that have not started, and starts no more.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
        self.slots.retain(|_, slot| !matches!(slot.stage, Stage::Queued));
        for sled in self.queues.values_mut() {
            sled.queue.clear();
            sled.idle = 0;
            sled.bell.notify_all();
        }
    }

    pub(super) fn take_events(&mut self) -> Vec<HypervisorEvent> {
        std::mem::take(&mut self.events)
    }

    fn take_ended(&mut self, subject: Subject) -> Option<Outcome> {
        let slot = self.slots.remove(&subject)?;
        self.unfetched -= 1;
        match slot.stage {
            Stage::Ended(outcome) => Some(outcome),
            Stage::Queued | Stage::Running => None,
        }
    }

    fn drop_oldest(&mut self) {
        if self.unfetched <= MOST_UNFETCHED {
            return;
        }
        let ended = self
            .slots
            .iter()
            .filter(|(_, slot)| matches!(slot.stage, Stage::Ended(_)) && !slot.is_awaited)
            .min_by_key(|(_, slot)| slot.number);
        if let Some(subject) = ended.map(|(subject, _)| *subject) {
            self.forget(subject);
        }
    }
}
