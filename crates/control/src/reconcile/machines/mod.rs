//! Has hosts run the machines that the database wants, and finds out what became of them.

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
use crate::{instance::Note, paging};

/// Instances handled in one transaction.
const BATCH: usize = 64;
/// Batches handled in one step; what is left is due at the next.
const ROUNDS: usize = 100;

/// Most incidents kept of machines whose instances have not failed by them yet.
const MAX_INCIDENTS: usize = 1000;

/// Most machines of which it is known what their hosts are still at.
const MAX_ONGOING: usize = 10_000;

/// What hosts are still at, by machine. It is kept in memory alone: hosts are asked anew by the next server.
pub(super) type OngoingRequests = BTreeMap<Uuid, Wait>;

/// How long a host has been at something, and what is to be heard of it in the end.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    since: Timestamp,
    /// What is to be said of a machine once it has been ended. Meanwhile its host may not know it any more.
    end: Option<HostOutcome>,
}

/// What came of telling or asking a host.
#[derive(Clone, Debug)]
pub(super) enum HostOutcome {
    /// The host knows the machine and says this of it.
    Report(MachineReport),
    /// The machine is gone, as it should be; with what there is to say about it.
    Gone(Option<Note>),
    /// The machine is lost.
    Lost(Note),
    /// The machine is lost with its sled, which may still have it and is then to be told.
    GivenUp { note: Note, left_behind: Option<Uuid> },
    /// The host will not make the machine.
    Refused(Note),
    /// The disks are still being built.
    DisksNotReady(Note),
    /// The host could not be reached, or failed; it is asked again.
    NoAnswer(Note),
    /// The host is still at it; with what there is to say about it if that takes long.
    Pending(Option<Note>),
    /// There is no machine, but one is to be made: an automatic restart.
    Restart,
    /// The records of the instance could not be read.
    Broken(String),
}

/// One instance's part in a batch.
#[derive(Clone, Debug)]
struct MachineUpdate {
    instance_id: Uuid,
    machine_id: Uuid,
    handled: Option<PendingRequest>,
    outcome: HostOutcome,
}

/// Has the hypervisor take over the machines that it was known to run.
pub(super) fn adopt(work: &Work<'_>) -> Result<()> {
    let expected: Vec<ExpectedMachine> = work.read(|tx| {
        let mut expected = Vec::new();
        for machine in paging::all::<Machine>(tx, &ListBy::All)? {
            let Some(instance) = tx.get::<Instance>(machine.instance_id)? else { continue };
            let Some(link) = instance.machine() else { continue };
            // The host has not heard of a restart that is still to be asked for.
            let state = match link.pending {
                Some(PendingRequest::Reboot) => HostState::Running,
                _ => host_state(link.state),
            };
            let last_report = MachineReport { state, generation: link.report_generation };
            // A machine runs on, even if what it was made from cannot be read any more.
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

/// What a machine is made from, or what is wrong with its records. An error only if it may be another time.
fn parts_of(tx: &mut Tx<'_>, instance: &Instance) -> Result<Result<MachineParts, String>> {
    match MachineParts::of(tx, instance) {
        Err(Error::Internal { detail }) => Ok(Err(detail)),
        parts => parts.map(Ok),
    }
}

/// Takes in what hosts say happened to machines. Why a machine broke is kept until the instance fails by it; all else is
/// written down at once.
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
        // Machines that nobody asks about any more leave theirs behind.
        while kept.len() > MAX_INCIDENTS {
            kept.pop_first();
        }
    }
    work.write(move |cx| other.iter().try_for_each(|incident| record::record_incident(cx, incident)))
}

/// Takes in what hosts reported by themselves: how machines are, and that they have got on with what they were told.
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

/// The machines of which a host reported something.
fn reported(events: &[HypervisorEvent]) -> Vec<Uuid> {
    let reported = events.iter().filter_map(|event| match event {
        HypervisorEvent::Machine(id) => Some(*id),
        HypervisorEvent::Disk(_) | HypervisorEvent::Snapshot(_) | HypervisorEvent::Network(_) => None,
    });
    reported.collect()
}

/// Whether the host of an instance has been told something about this machine, or is to be.
fn has_requests(instance: &Instance, machine: Uuid) -> bool {
    let link = instance.machine().filter(|link| link.id == machine && instance.time_due.is_some());
    link.is_some_and(|link| link.pending.is_some() || link.state == MachineState::Ended)
}

/// Looks at every machine of the fleet: for hosts that lost machines, and reports that were lost.
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

/// Gives up the machines of sleds that are out of the fleet for good.
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

/// Asks hosts about machines and takes in what is new.
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

/// Tells hosts what is pending, and restarts what failed.
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
