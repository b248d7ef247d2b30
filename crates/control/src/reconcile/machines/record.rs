//! Records the outcomes of requests about machines.

use croft_api::{Error, Result, instance::InstanceState};
use croft_sled::{IncidentKind, MachineIncident, MachineReport, MachineState as HostState};
use croft_store::{
    Meta,
    records::{ActivityKind, Instance, InstanceStage, MachineRemoval},
};
use jiff::SignedDuration;
use uuid::Uuid;

use super::{
    HostOutcome, MachineUpdate,
    hosts::{action_of, cause_of},
    spec::link_state,
};
use crate::{
    AfterError, Cx,
    context::later,
    instance::{self, ActivityNote},
    reconcile::Work,
};

/// Delay before an automatic restart that lacked capacity or quota is retried.
const RESTART_RETRY: SignedDuration = SignedDuration::from_mins(1);
/// Delay before the disks of a waiting machine are checked again if no event arrives.
const DISK_WAIT: SignedDuration = SignedDuration::from_secs(30);
/// Maximum delay between retries for an instance whose records contradict each other.
const LONGEST_BACKOFF: SignedDuration = SignedDuration::from_mins(10);

/// Records the updates one by one: one that cannot be recorded does not prevent the others.
pub(super) fn apply_updates(work: &mut Work<'_>, updates: Vec<MachineUpdate>) -> Result<()> {
    if updates.is_empty() {
        return Ok(());
    }
    {
        let mut ongoing = work.ongoing.lock();
        for item in updates.iter().filter(|item| !matches!(item.outcome, HostOutcome::Pending(_))) {
            ongoing.remove(&item.machine_id);
        }
    }
    work.write(move |cx| {
        for item in &updates {
            match cx.attempt(|cx| record(cx, item)) {
                Err(Error::Internal { detail }) => record_broken(cx, item.instance_id, &detail)?,
                result => result?,
            }
        }
        Ok(())
    })
}

fn record(cx: &mut Cx<'_, '_>, updates: &MachineUpdate) -> Result<()> {
    let (instance_id, machine_id) = (updates.instance_id, updates.machine_id);
    match &updates.outcome {
        HostOutcome::Report(report) => record_report(cx, updates, *report),
        HostOutcome::Gone(note) => {
            instance::machine_ended(cx, instance_id, machine_id)?;
            note.as_ref().map_or(Ok(()), |note| instance::record_activity_for(cx, instance_id, note))
        }
        HostOutcome::Lost(note) => instance::machine_lost(cx, instance_id, machine_id, None, note.clone()),
        HostOutcome::GivenUp { note, left_behind } => {
            instance::machine_lost(cx, instance_id, machine_id, None, note.clone())?;
            left_behind.map_or(Ok(()), |sled_id| leave_behind(cx, machine_id, sled_id))
        }
        HostOutcome::Refused(note) => instance::machine_refused(cx, instance_id, machine_id, note),
        HostOutcome::DisksNotReady(note) => record_wait(cx, instance_id, note, DISK_WAIT, DISK_WAIT),
        HostOutcome::NoAnswer(note) => {
            let wait = cx.settings().retry_interval;
            record_wait(cx, instance_id, note, wait, SignedDuration::ZERO)
        }
        HostOutcome::Pending(note) => {
            let wait = cx.settings().retry_interval;
            match note {
                Some(note) => record_wait(cx, instance_id, note, wait, SignedDuration::ZERO),
                None => postpone(cx, instance_id, wait),
            }
        }
        HostOutcome::Restart => record_restart(cx, instance_id),
        HostOutcome::Broken(detail) => Err(Error::internal(detail)),
    }
}

/// Records an incident that the host handled itself.
pub(super) fn record_incident(cx: &mut Cx<'_, '_>, incident: &MachineIncident) -> Result<()> {
    let mut note = ActivityNote::new(ActivityKind::HostIncident, cause_of(incident.kind));
    note.action = action_of(incident.kind).map(str::to_owned);
    note.operator_detail = Some(format!("{} {}", incident.cause, incident.action));
    if incident.kind == IncidentKind::Unreadable {
        note = note.advice("Ask an operator to check the host.");
    }
    note.serial_tail = Some(incident.serial_tail.clone()).filter(|text| !text.is_empty());
    instance::record_activity_for(cx, incident.instance_id, &note)
}

/// The instance cannot be processed because of an internal error, such as records that contradict each other. It is
/// retried with increasing delays, and does not delay other instances.
fn record_broken(cx: &mut Cx<'_, '_>, instance_id: Uuid, detail: &str) -> Result<()> {
    tracing::error!(instance = %instance_id, detail, "an instance could not be processed and will be retried");
    let Some(instance) = cx.tx.get::<Instance>(instance_id)? else { return Ok(()) };
    let mut note = ActivityNote::new(
        ActivityKind::Waiting,
        "An internal error prevents Croft from processing the instance.",
    )
    .action("Croft retries with increasing delays.")
    .advice("Ask an operator, who can see the error.");
    note.operator_detail = Some(detail.to_owned());
    let times = instance::record_activity(cx, &instance, &note)?;
    let factor = 1_i32 << (times - 1).min(10);
    let wait = cx.settings().retry_interval.saturating_mul(factor).min(LONGEST_BACKOFF);
    postpone(cx, instance_id, wait)
}

/// Schedules the removal of a machine whose sled could not be reached.
fn leave_behind(cx: &mut Cx<'_, '_>, machine_id: Uuid, sled_id: Uuid) -> Result<()> {
    let time_due = later(cx.now, cx.settings().retry_interval);
    let meta = Meta::new(machine_id, cx.now);
    Ok(cx.tx.insert(&MachineRemoval { meta, sled_id, attempts: 1, time_due })?)
}

fn record_report(cx: &mut Cx<'_, '_>, updates: &MachineUpdate, report: MachineReport) -> Result<()> {
    let Some(mut instance) = cx.tx.get::<Instance>(updates.instance_id)? else { return Ok(()) };
    let Some(mut link) = instance.machine().filter(|link| link.id == updates.machine_id).cloned() else {
        return Ok(());
    };
    let before = instance.run_state();
    let sled_id = link.sled_id;
    link.registered = true;
    if link.pending == updates.handled {
        link.pending = None;
    }
    let newer = report.generation >= link.report_generation;
    link.report_generation = link.report_generation.max(report.generation);
    // While a request is pending, the record shows the state that the machine is changing to.
    if newer && (link.pending.is_none() || report.state == HostState::Ended) {
        link.state = link_state(report.state);
    }
    instance::set_stage(&mut instance, InstanceStage::Active(link), cx.now);
    instance::save(cx, &mut instance)?;
    if before != InstanceState::Running && instance.run_state() == InstanceState::Running {
        let mut note = ActivityNote::new(ActivityKind::MachineStarted, "The machine is running.");
        note.operator_detail = Some(format!("It is running on sled {sled_id}."));
        instance::record_activity(cx, &instance, &note)?;
    }
    Ok(())
}

fn record_restart(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<()> {
    match cx.attempt(|cx| instance::restart(cx, instance_id)) {
        // Missing capacity, quota or boot disk, or contradictory groups: all of these may change.
        Err(Error::InsufficientCapacity(text) | Error::InvalidRequest(text) | Error::Conflict(text)) => {
            tracing::info!(instance = %instance_id, text, "a failed instance cannot be restarted yet");
            if let Some(AfterError::StartRefused { mut note, .. }) = cx.after_error.take() {
                note.kind = ActivityKind::Waiting;
                note.action = Some("Croft tries every minute to start the instance again.".to_owned());
                instance::record_activity_for(cx, instance_id, &note)?;
            }
            postpone(cx, instance_id, RESTART_RETRY)
        }
        result => result,
    }
}

/// Postpones an instance, and records the reason once it has waited longer than usual.
fn record_wait(
    cx: &mut Cx<'_, '_>,
    instance_id: Uuid,
    note: &ActivityNote,
    wait: SignedDuration,
    ordinary: SignedDuration,
) -> Result<()> {
    let Some(instance) = cx.tx.get::<Instance>(instance_id)? else { return Ok(()) };
    if cx.now.duration_since(instance.time_run_state_updated) >= ordinary {
        instance::record_activity(cx, &instance, note)?;
    }
    postpone(cx, instance_id, wait)
}

/// Postpones an instance that is due.
fn postpone(cx: &mut Cx<'_, '_>, instance_id: Uuid, wait: SignedDuration) -> Result<()> {
    let Some(mut instance) = cx.tx.get::<Instance>(instance_id)? else { return Ok(()) };
    if instance.time_due.is_some_and(|due| due <= cx.now) {
        instance.time_due = Some(later(cx.now, wait));
        cx.tx.update(&mut instance)?;
    }
    Ok(())
}
