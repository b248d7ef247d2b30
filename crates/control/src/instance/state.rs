//! How an instance moves from state to state, and what it holds and lets go on the way.

use croft_api::{Result, instance::InstanceAutoRestartPolicy};
use croft_store::records::{Instance, InstanceStage, MachineLink, MachineState, WantedState};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::placement;
use crate::{Cx, Settings, alert};

/// Whether the policy in force restarts the instance after a failure. No policy means best effort.
pub(super) fn restarts_automatically(instance: &Instance) -> bool {
    instance.auto_restart_policy.unwrap_or(InstanceAutoRestartPolicy::BestEffort)
        == InstanceAutoRestartPolicy::BestEffort
}

/// Before this time the instance is not restarted automatically again; none if it never was.
pub(super) fn cooldown_expiration(instance: &Instance, settings: &Settings) -> Option<Timestamp> {
    instance.time_last_auto_restarted.map(|last| later(last, settings.auto_restart_cooldown))
}

/// A time and a duration after it; the end of time at most.
pub(crate) fn later(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}

/// Moves an instance to a stage. The time of a visible change is strictly later than that of the one before.
pub(crate) fn set_stage(instance: &mut Instance, stage: InstanceStage, now: Timestamp) {
    let before = instance.run_state();
    instance.stage = stage;
    if instance.run_state() != before {
        let next = later(instance.time_run_state_updated, SignedDuration::from_micros(1));
        instance.time_run_state_updated = now.max(next);
    }
}

/// When the reconciler is to look at the instance, by what it is and what is wanted of it.
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
            Some(cooldown_expiration(instance, settings).map_or(now, |expiration| expiration.max(now)))
        }
        _ => None,
    };
}

/// Stores an instance whose stage or wants may have changed.
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

/// The host has lost the machine: everything it held is let go and the instance is failed.
pub(crate) fn machine_lost(
    cx: &mut Cx<'_, '_>,
    instance_id: Uuid,
    machine_id: Uuid,
    wanted: Option<WantedState>,
) -> Result<()> {
    let Some((mut instance, machine)) = with_machine(cx, instance_id, machine_id)? else { return Ok(()) };
    // A machine that was going down anyway has reached where it was going, and a crash may have kept that from being
    // written.
    if machine.state == MachineState::Ended || (instance.wanted == WantedState::Stopped && wanted.is_none()) {
        return machine_ended(cx, instance_id, machine_id);
    }
    placement::release(cx, &instance, &machine)?;
    if let Some(wanted) = wanted {
        set_wanted(&mut instance, wanted, cx.now);
    }
    set_stage(&mut instance, InstanceStage::Failed, cx.now);
    save(cx, &mut instance)?;
    alert::publish_of(cx, &alert::INSTANCE_FAILED, &instance)
}

/// The machine has ended and its host has let it go: the instance is stopped.
pub(crate) fn machine_ended(cx: &mut Cx<'_, '_>, instance_id: Uuid, machine_id: Uuid) -> Result<()> {
    let Some((mut instance, machine)) = with_machine(cx, instance_id, machine_id)? else { return Ok(()) };
    placement::release(cx, &instance, &machine)?;
    if instance.wanted == WantedState::Running {
        instance.wanted = WantedState::GuestShutdown;
    }
    set_stage(&mut instance, InstanceStage::Stopped, cx.now);
    save(cx, &mut instance)
}

/// The host will not make the machine: the start is undone.
pub(crate) fn machine_refused(cx: &mut Cx<'_, '_>, instance_id: Uuid, machine_id: Uuid) -> Result<()> {
    let Some((mut instance, machine)) = with_machine(cx, instance_id, machine_id)? else { return Ok(()) };
    placement::release(cx, &instance, &machine)?;
    set_stage(&mut instance, InstanceStage::Stopped, cx.now);
    save(cx, &mut instance)
}

/// Records what a request wants the instance to be; a change of mind counts as a modification.
pub(super) fn set_wanted(instance: &mut Instance, wanted: WantedState, now: Timestamp) {
    if instance.wanted != wanted {
        instance.wanted = wanted;
        instance.meta.time_modified = now;
    }
}
