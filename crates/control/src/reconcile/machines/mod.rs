//! Makes hosts run the machines that the database wants, and records the results.

mod hosts;
mod record;
pub(super) mod removals;
mod spec;

use std::collections::BTreeMap;

use croft_api::{Error, Result};
use croft_sled::{ExpectedMachine, HypervisorEvent, IncidentKind, MachineReport, MachineState as HostState};
use croft_store::{
    ListBy, Marker, Sort, Tx,
    records::{Instance, Machine, MachineState, PendingRequest, Sled},
};
use jiff::Timestamp;
use uuid::Uuid;

use self::{
    record::apply_updates,
    spec::{MachineParts, host_state, spec},
};
use super::Work;
use crate::{instance::ActivityNote, paging};

/// Instances handled in one transaction.
const BATCH: usize = 64;
/// Batches handled in one step; what is left is due at the next.
const ROUNDS: usize = 100;

/// Maximum number of incidents kept for machines whose instances have not been marked as failed yet.
const MAX_INCIDENTS: usize = 1000;

/// Maximum number of machines with a request in progress that is tracked.
const MAX_ONGOING: usize = 10_000;

/// Requests that hosts are still working on, by machine. They are kept in memory only: the next server repeats them.
pub(super) type OngoingRequests = BTreeMap<Uuid, Wait>;

/// A request in progress: since when, and the outcome to record once it is done.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    since: Timestamp,
    /// The outcome to record once the machine has been destroyed. By then its host may not know the machine any more.
    end: Option<HostOutcome>,
}

/// The result of a request to a host.
#[derive(Clone, Debug)]
pub(super) enum HostOutcome {
    /// The host reports this state of the machine.
    Report(MachineReport),
    /// The machine was removed as requested; with a note for the activity log, if any.
    Gone(Option<ActivityNote>),
    /// The machine is lost.
    Lost(ActivityNote),
    /// The machine is lost with its sled. The sled may still have it and must then be told to end it.
    GivenUp { note: ActivityNote, left_behind: Option<Uuid> },
    /// The host refuses to create the machine.
    Refused(ActivityNote),
    /// The disks are still being built.
    DisksNotReady(ActivityNote),
    /// The host could not be reached, or failed. The request is repeated.
    NoAnswer(ActivityNote),
    /// The host is still working on the request; with a note if that takes long.
    Pending(Option<ActivityNote>),
    /// There is no machine yet: an automatic restart is due.
    Restart,
    /// The records of the instance could not be read.
    Broken(String),
}

/// The update of one instance in a batch.
#[derive(Clone, Debug)]
struct MachineUpdate {
    instance_id: Uuid,
    machine_id: Uuid,
    handled: Option<PendingRequest>,
    outcome: HostOutcome,
}

/// Makes the hypervisor adopt the machines that it was known to run.
pub(super) fn adopt(work: &Work<'_>) -> Result<()> {
    let expected: Vec<ExpectedMachine> = work.read(|tx| {
        let mut expected = Vec::new();
        for machine in paging::all::<Machine>(tx, &ListBy::All)? {
            let Some(instance) = tx.get::<Instance>(machine.instance_id)? else { continue };
            let Some(link) = instance.machine() else { continue };
            // A pending reboot has not been sent to the host yet.
            let state = match link.pending {
                Some(PendingRequest::Reboot) => HostState::Running,
                _ => host_state(link.state),
            };
            let last_report = MachineReport { state, generation: link.report_generation };
            // A machine keeps running even if the records it was created from cannot be read.
            let parts = parts_of(tx, &instance)?.unwrap_or_else(|detail| {
                tracing::error!(instance = %instance.meta.id, detail, "a running machine was adopted \
                                                                       although its disks or interfaces are \
                                                                       unknown");
                MachineParts::default()
            });
            expected.push(ExpectedMachine {
                spec: spec(&instance, link, &parts),
                last_report,
                is_registered: link.registered,
            });
        }
        Ok(expected)
    })?;
    work.hypervisor.adopt(&expected, work.now).map_err(Error::unavailable)
}

/// The parts a machine is created from, or what is wrong with its records. Fails only with errors that may be
/// temporary.
fn parts_of(tx: &mut Tx<'_>, instance: &Instance) -> Result<Result<MachineParts, String>> {
    match MachineParts::of(tx, instance) {
        Err(Error::Internal { detail }) => Ok(Err(detail)),
        parts => parts.map(Ok),
    }
}

/// Processes the incidents that hosts report. The cause of a failure is kept until the instance is marked as failed;
/// all other incidents are recorded immediately.
pub(super) fn note_incidents(work: &mut Work<'_>) -> Result<()> {
    let taken = work.hypervisor.take_incidents();
    if taken.is_empty() {
        return Ok(());
    }
    let (broken, other): (Vec<_>, Vec<_>) = taken
        .into_iter()
        .partition(|incident| matches!(incident.kind, IncidentKind::Broke | IncidentKind::NotStarted));
    {
        let mut kept = work.incidents.lock();
        kept.extend(broken.into_iter().map(|incident| (incident.machine_id, incident)));
        // Entries of machines that are no longer observed are never taken, so the oldest are dropped.
        while kept.len() > MAX_INCIDENTS {
            kept.pop_first();
        }
    }
    work.write(move |cx| other.iter().try_for_each(|incident| record::record_incident(cx, incident)))
}

/// Processes the events of hosts: state changes of machines, and progress of requests.
pub(super) fn apply_events(work: &mut Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
    for ids in reported(events).chunks(BATCH) {
        let ids = ids.to_vec();
        let (machines, told) = work.read(move |tx| {
            let (mut machines, mut told) = (Vec::new(), Vec::new());
            for id in &ids {
                let Some(machine) = tx.get::<Machine>(*id)? else { continue };
                match tx.get::<Instance>(machine.instance_id)?.filter(|instance| has_requests(instance, *id))
                {
                    Some(instance) => {
                        let parts = parts_of(tx, &instance)?;
                        told.push((instance, parts));
                    }
                    None => machines.push(machine),
                }
            }
            Ok((machines, told))
        })?;
        observe_all(work, &machines)?;
        push_all(work, &told)?;
    }
    Ok(())
}

/// The machines that events are about.
fn reported(events: &[HypervisorEvent]) -> Vec<Uuid> {
    let reported = events.iter().filter_map(|event| match event {
        HypervisorEvent::Machine(id) => Some(*id),
        HypervisorEvent::Disk(_) | HypervisorEvent::Snapshot(_) | HypervisorEvent::Network(_) => None,
    });
    reported.collect()
}

/// Whether a request to the host about this machine is pending or in progress.
fn has_requests(instance: &Instance, machine: Uuid) -> bool {
    let link = instance.machine().filter(|link| link.id == machine && instance.time_due.is_some());
    link.is_some_and(|link| link.pending.is_some() || link.state == MachineState::Ended)
}

/// Observes every machine of the fleet, to find machines that hosts lost and events that were missed.
pub(super) fn watch(work: &mut Work<'_>) -> Result<()> {
    abandon_lost_machines(work)?;
    let mut after = None;
    loop {
        let marker = after.take();
        let machines: Vec<Machine> =
            work.read(move |tx| Ok(tx.page(ListBy::All, Sort::IdAsc, marker.clone(), BATCH)?))?;
        observe_all(work, &machines)?;
        match machines.last() {
            Some(last) if machines.len() == BATCH => after = Some(Marker::after(last, Sort::IdAsc)),
            _ => return Ok(()),
        }
    }
}

/// Gives up the machines of expunged sleds.
fn abandon_lost_machines(work: &mut Work<'_>) -> Result<()> {
    let sleds: Vec<Sled> = work.read(|tx| paging::all(tx, &ListBy::All))?;
    for sled in sleds.into_iter().filter(|sled| sled.expunged) {
        let id = sled.meta.id;
        let machines: Vec<Machine> = work.read(move |tx| paging::all(tx, &ListBy::Parent(id)))?;
        for machines in machines.chunks(BATCH) {
            let updates = machines.iter().map(|machine| hosts::abandon(work, &sled, machine)).collect();
            apply_updates(work, updates)?;
        }
    }
    Ok(())
}

/// Observes machines and records what changed.
fn observe_all(work: &mut Work<'_>, machines: &[Machine]) -> Result<()> {
    let ids: Vec<Uuid> = machines.iter().map(|machine| machine.instance_id).collect();
    let instances: Vec<Instance> = work.read(move |tx| {
        let mut instances = Vec::new();
        for id in &ids {
            instances.extend(tx.get::<Instance>(*id)?);
        }
        Ok(instances)
    })?;
    let updates: Vec<MachineUpdate> = instances
        .iter()
        .filter_map(|instance| {
            let link = instance.machine().filter(|link| link.registered)?;
            let outcome = hosts::observe(work, instance, link)?;
            Some(MachineUpdate { instance_id: instance.meta.id, machine_id: link.id, handled: None, outcome })
        })
        .collect();
    apply_updates(work, updates)
}

/// Sends pending requests to hosts, and restarts failed instances.
pub(super) fn push_pending(work: &mut Work<'_>) -> Result<()> {
    for _ in 0..ROUNDS {
        let now = work.now;
        let due: Vec<(Instance, Result<MachineParts, String>)> = work.read(move |tx| {
            let instances: Vec<Instance> = tx.up_to(Instance::DUE, now, BATCH)?;
            instances
                .into_iter()
                .map(|instance| {
                    let parts = parts_of(tx, &instance)?;
                    Ok((instance, parts))
                })
                .collect()
        })?;
        if due.is_empty() {
            break;
        }
        push_all(work, &due)?;
    }
    Ok(())
}

fn push_all(work: &mut Work<'_>, instances: &[(Instance, Result<MachineParts, String>)]) -> Result<()> {
    let updates = instances.iter().map(|(instance, parts)| push_one(work, instance, parts)).collect();
    apply_updates(work, updates)
}

fn push_one(work: &Work<'_>, instance: &Instance, parts: &Result<MachineParts, String>) -> MachineUpdate {
    match parts {
        Ok(parts) => hosts::push_pending(work, instance, parts),
        Err(detail) => MachineUpdate {
            instance_id: instance.meta.id,
            machine_id: instance.machine().map_or(Uuid::nil(), |link| link.id),
            handled: None,
            outcome: HostOutcome::Broken(detail.clone()),
        },
    }
}

/// When the next instance is due.
pub(super) fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<Instance> = tx.up_to(Instance::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().and_then(|instance| instance.time_due))
}
