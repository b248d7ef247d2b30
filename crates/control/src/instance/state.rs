//! The state transitions of instances, and the resources that they acquire and release.

use croft_api::Result;
use croft_store::records::{
    ActivityKind, Instance, InstanceAutoRestartPolicy, InstanceStage, MachineLink, MachineState, WantedState,
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{ActivityNote, activity, placement};
use crate::{Cx, Settings, alert, context::later};

/// Whether the policy restarts the instance after a failure. Without a policy it does.
pub(super) fn restarts_automatically(instance: &Instance) -> bool {
    instance.auto_restart_policy.unwrap_or(InstanceAutoRestartPolicy::BestEffort)
        == InstanceAutoRestartPolicy::BestEffort
}

/// The earliest time of the next automatic restart; `None` if there was none before.
pub(super) fn cooldown_expiration(instance: &Instance, settings: &Settings) -> Option<Timestamp> {
    instance.time_last_auto_restarted.map(|last| later(last, settings.auto_restart_cooldown))
}

/// Sets the stage of an instance. The time of a visible change is strictly later than that of the previous one.
pub(crate) fn set_stage(instance: &mut Instance, stage: InstanceStage, now: Timestamp) {
    let before = instance.run_state();
    instance.stage = stage;
    if instance.run_state() != before {
        let next = later(instance.time_run_state_updated, SignedDuration::from_micros(1));
        instance.time_run_state_updated = now.max(next);
    }
}

/// The time at which the reconciler must process the instance, given its state and its wanted state.
pub(super) fn schedule(instance: &mut Instance, settings: &Settings, now: Timestamp) {
    instance.time_due = match &instance.stage {
        InstanceStage::Active(machine)
            if machine.pending.is_some() || machine.state == MachineState::Ended =>
        {
            Some(now)
        }
        InstanceStage::Failed
            if instance.wanted == WantedState::Running && restarts_automatically(instance) =>
        {
            // At most the whole cooldown, in case the clock was set back.
            let longest = later(now, settings.auto_restart_cooldown);
            Some(
                cooldown_expiration(instance, settings)
                    .map_or(now, |expiration| expiration.clamp(now, longest)),
            )
        }
        _ => None,
    };
}

/// Stores an instance whose stage or wanted state may have changed.
pub(crate) fn save(cx: &mut Cx<'_, '_>, instance: &mut Instance) -> Result<()> {
    schedule(instance, cx.settings(), cx.now);
    Ok(cx.tx.update(instance)?)
}

/// The instance, if it still has this machine.
fn with_machine(
    cx: &mut Cx<'_, '_>,
    instance_id: Uuid,
    machine_id: Uuid,
) -> Result<Option<(Instance, MachineLink)>> {
    let Some(instance) = cx.tx.get::<Instance>(instance_id)? else { return Ok(None) };
    Ok(match instance.machine().cloned() {
        Some(machine) if machine.id == machine_id => Some((instance, machine)),
        _ => None,
    })
}

/// The host has lost the machine: releases its resources and fails the instance.
pub(crate) fn machine_lost(
    cx: &mut Cx<'_, '_>,
    instance_id: Uuid,
    machine_id: Uuid,
    wanted: Option<WantedState>,
    mut note: ActivityNote,
) -> Result<()> {
    let Some((mut instance, machine)) = with_machine(cx, instance_id, machine_id)? else { return Ok(()) };
    // A machine that was shutting down has simply ended. A crash may have prevented that from being recorded.
    if machine.state == MachineState::Ended || (instance.wanted == WantedState::Stopped && wanted.is_none()) {
        return machine_ended(cx, instance_id, machine_id);
    }
    placement::release(cx, &instance, &machine)?;
    if let Some(wanted) = wanted {
        set_wanted(&mut instance, wanted, cx.now);
    }
    set_stage(&mut instance, InstanceStage::Failed, cx.now);
    save(cx, &mut instance)?;
    add_consequence(&instance, &mut note, cx.now);
    activity::record(cx, &instance, &note)?;
    alert::publish_failure(cx, &alert::INSTANCE_FAILED, &instance, &note.cause)
}

/// Records that an instance failed because its machine was lost.
pub(crate) fn lost_note(cause: impl Into<String>) -> ActivityNote {
    ActivityNote::new(ActivityKind::Failed, cause)
}

/// Adds the consequence to a note about a failure.
fn add_consequence(instance: &Instance, note: &mut ActivityNote, now: Timestamp) {
    let let_go = "Croft released the machine's resources";
    let (action, advice) = match instance.time_due {
        Some(due) if due > now => {
            let due = due.strftime("%Y-%m-%d %H:%M:%S UTC");
            let text = format!(
                "{let_go}. It restarts the instance automatically at {due}, because the last automatic \
                 restart was only a short time ago."
            );
            (text, "Wait, or stop the instance and start it.")
        }
        Some(_) => (format!("{let_go}, and restarts the instance automatically."), "No action is needed."),
        None => (
            format!("{let_go}. It does not restart the instance automatically."),
            "Start the instance again. If it fails again, check the serial console for the reason.",
        ),
    };
    note.action = Some(match note.action.take() {
        Some(before) => format!("{before} {action}"),
        None => action,
    });
    note.advice.get_or_insert_with(|| advice.to_owned());
}

/// The machine has ended and its host has removed it: the instance is stopped.
pub(crate) fn machine_ended(cx: &mut Cx<'_, '_>, instance_id: Uuid, machine_id: Uuid) -> Result<()> {
    let Some((mut instance, machine)) = with_machine(cx, instance_id, machine_id)? else { return Ok(()) };
    placement::release(cx, &instance, &machine)?;
    if instance.wanted == WantedState::Running {
        instance.wanted = WantedState::GuestShutdown;
    }
    set_stage(&mut instance, InstanceStage::Stopped, cx.now);
    save(cx, &mut instance)
}

/// The host refuses to create the machine: the start is undone.
pub(crate) fn machine_refused(
    cx: &mut Cx<'_, '_>,
    instance_id: Uuid,
    machine_id: Uuid,
    note: &ActivityNote,
) -> Result<()> {
    let Some((mut instance, machine)) = with_machine(cx, instance_id, machine_id)? else { return Ok(()) };
    placement::release(cx, &instance, &machine)?;
    set_stage(&mut instance, InstanceStage::Stopped, cx.now);
    save(cx, &mut instance)?;
    activity::record(cx, &instance, note)?;
    Ok(())
}

/// Records the state that a request asks for. A changed request counts as a modification.
pub(super) fn set_wanted(instance: &mut Instance, wanted: WantedState, now: Timestamp) {
    if instance.wanted != wanted {
        instance.wanted = wanted;
        instance.meta.time_modified = now;
    }
}
