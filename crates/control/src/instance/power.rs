//! Start, stop and reboot (`docs/rules/compute-and-storage.md#operations-by-run-state` and
//! `docs/rules/compute-and-storage.md#starting-an-instance`).

use croft_api::{Error, Result, instance as api, scalar::NameOrId};
use croft_sled::{Hypervisor, HypervisorError};
use croft_store::{
    Tx,
    records::{
        ActivityConstraintKind, ActivityKind, Disk, Instance, InstanceStage, MachineLink, MachineState,
        PendingRequest, WantedState,
    },
};
use uuid::Uuid;

use super::{
    ActivityNote, activity, find,
    placement::{self, Refusal},
    state::{restarts_automatically, save, set_stage, set_wanted},
    to_view,
};
use crate::{AfterError, Caller, Cx, Operation, audit, instance::operation};

const STILL_CREATING: &str = "cannot change instance state while it is still being created";

/// A question to a host before a machine is stopped or rebooted, so that the caller learns immediately if the machine
/// is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Sled and machine; `None` if no host knows the machine yet.
    machine: Option<(Uuid, Uuid)>,
}

/// The result of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// The machine is there, or there was nothing to ask.
    Present,
    /// The host does not know this machine.
    Lost(Uuid),
    /// The host did not answer.
    Failed(String),
}

impl Probe {
    fn of(instance: &Instance) -> Self {
        let machine = instance.machine().filter(|machine| machine.registered && machine.pending.is_none());
        Self { machine: machine.map(|machine| (machine.sled_id, machine.id)) }
    }

    /// Asks the host. Runs outside of any transaction, and may block.
    pub fn ask(&self, hypervisor: &dyn Hypervisor) -> ProbeOutcome {
        let Some((sled, machine)) = self.machine else { return ProbeOutcome::Present };
        match hypervisor.observe_machine(sled, machine) {
            // The reconciler handles a machine that is being removed.
            Ok(_) | Err(HypervisorError::Pending) => ProbeOutcome::Present,
            Err(HypervisorError::UnknownMachine) => ProbeOutcome::Lost(machine),
            Err(error) => ProbeOutcome::Failed(error.to_string()),
        }
    }
}

/// The first step of `instance_stop` and `instance_reboot`: returns what to ask the host.
pub fn probe(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    operation: &Operation,
) -> Result<Probe> {
    let instance = find(cx, caller, instance, project)?.authorize(cx, caller, operation)?;
    Ok(Probe::of(&instance))
}

/// Like [`probe`], for background work: nobody is told the answer before the last step has authorized the caller.
pub(crate) fn probe_unseen(tx: &mut Tx<'_>, instance: Uuid) -> Result<Probe> {
    let instance: Option<Instance> = tx.get(instance)?;
    Ok(instance.as_ref().map_or(Probe { machine: None }, Probe::of))
}

/// `instance_start`.
pub fn start(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Instance> {
    let mut instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_START)?.into_inner();
    begin(cx, &mut instance)?;
    Ok(to_view(&instance, cx.settings()))
}

/// Requests a machine for a stopped instance. Does nothing if it has one that is not shutting down.
pub(super) fn begin(cx: &mut Cx<'_, '_>, instance: &mut Instance) -> Result<()> {
    match &instance.stage {
        InstanceStage::Creating => {
            Err(Error::conflict("instance is in state creating but it must be stopped to be started"))
        }
        InstanceStage::Active(machine) => match machine.state {
            MachineState::Stopping | MachineState::Ended => {
                Err(Error::conflict("instance must finish stopping before it can be started"))
            }
            MachineState::Starting
            | MachineState::Running
            | MachineState::Rebooting
            | MachineState::Migrating => Ok(()),
        },
        InstanceStage::Stopped | InstanceStage::Failed => {
            let reserved = require_boot_disk(cx, instance).and_then(|()| placement::reserve(cx, instance));
            let machine = reserved.map_err(|refusal| refused(cx, instance, refusal))?;
            set_stage(instance, InstanceStage::Active(machine), cx.now);
            set_wanted(instance, WantedState::Running, cx.now);
            save(cx, instance)
        }
    }
}

/// Refuses to start an instance whose boot disk could not be built and is detached.
fn require_boot_disk(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<(), Refusal> {
    let Some(id) = instance.boot_disk_id else { return Ok(()) };
    let disk = cx.tx.get::<Disk>(id)?;
    let attachment = disk.as_ref().and_then(Disk::attachment);
    if attachment.is_some_and(|(to, _)| to == instance.meta.id) {
        return Ok(());
    }
    let refusal = Refusal::new(Error::conflict("boot disk must be attached"))
        .advice("Attach the boot disk, or select another one.");
    Err(match disk {
        Some(disk) => refusal.because_of(ActivityConstraintKind::Disk, id, &disk.name),
        None => refusal,
    })
}

/// The error of a refused start. The note is recorded later, after the effects of the start have been rolled back.
fn refused(cx: &mut Cx<'_, '_>, instance: &Instance, refusal: Refusal) -> Error {
    let Refusal { error, constraint, advice, operator_detail } = refusal;
    if !audit::is_transient(&error) {
        let mut note = ActivityNote::new(ActivityKind::StartRefused, error.message())
            .action("Croft did not start the instance, and does not retry.");
        note.constraint = constraint.map(|constraint| *constraint);
        note.advice = advice.map(str::to_owned);
        note.operator_detail = operator_detail;
        let instance_id = instance.meta.id;
        cx.after_error = Some(AfterError::StartRefused { instance_id, note: Box::new(note) });
    }
    error
}

/// Restarts a failed instance automatically, if its policy and state still require it.
pub(crate) fn restart(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<()> {
    let Some(mut instance) = cx.tx.get::<Instance>(instance_id)? else { return Ok(()) };
    let wanted = instance.stage == InstanceStage::Failed
        && instance.wanted == WantedState::Running
        && restarts_automatically(&instance)
        && instance.time_due.is_some_and(|due| due <= cx.now);
    if wanted {
        instance.time_last_auto_restarted = Some(cx.now);
        begin(cx, &mut instance)?;
        let text = "The instance had failed, and its auto-restart policy is to start it again.";
        activity::record(
            cx,
            &instance,
            &ActivityNote::new(ActivityKind::Restarted, text).action("Croft started a new machine for it."),
        )?;
    }
    Ok(())
}

/// The last step of `instance_stop`, with the result of the probe.
pub fn stop(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    outcome: &ProbeOutcome,
) -> Result<api::Instance> {
    let mut instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_STOP)?.into_inner();
    match instance.stage.clone() {
        InstanceStage::Creating => return Err(Error::invalid_request(STILL_CREATING)),
        InstanceStage::Stopped => {}
        InstanceStage::Failed => {
            set_wanted(&mut instance, WantedState::Stopped, cx.now);
            set_stage(&mut instance, InstanceStage::Stopped, cx.now);
            save(cx, &mut instance)?;
        }
        InstanceStage::Active(machine) => match machine.state {
            MachineState::Stopping | MachineState::Ended => {}
            MachineState::Starting
            | MachineState::Running
            | MachineState::Rebooting
            | MachineState::Migrating => {
                reached(cx, &instance, &machine, outcome, WantedState::Stopped)?;
                ask_host(cx, &mut instance, machine, MachineState::Stopping, PendingRequest::Stop)?;
            }
        },
    }
    Ok(to_view(&instance, cx.settings()))
}

/// The last step of `instance_reboot`, with the result of the probe.
pub fn reboot(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    outcome: &ProbeOutcome,
) -> Result<api::Instance> {
    let mut instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_REBOOT)?.into_inner();
    let refuse = |text: &str| Err(Error::invalid_request(text));
    match instance.stage.clone() {
        InstanceStage::Creating => return refuse(STILL_CREATING),
        InstanceStage::Stopped => return refuse("cannot reboot an instance in state stopped with no VMM"),
        InstanceStage::Failed => return refuse("instance state cannot be changed from failed"),
        InstanceStage::Active(machine) => match machine.state {
            MachineState::Stopping | MachineState::Ended => {
                return refuse("instance state cannot be changed from state \"stopping\"");
            }
            MachineState::Rebooting => {}
            MachineState::Starting | MachineState::Running | MachineState::Migrating => {
                reached(cx, &instance, &machine, outcome, WantedState::Running)?;
                ask_host(cx, &mut instance, machine, MachineState::Rebooting, PendingRequest::Reboot)?;
            }
        },
    }
    Ok(to_view(&instance, cx.settings()))
}

/// Records the pending request to the host, and returns the resulting view.
fn ask_host(
    cx: &mut Cx<'_, '_>,
    instance: &mut Instance,
    mut machine: MachineLink,
    state: MachineState,
    request: PendingRequest,
) -> Result<()> {
    machine.state = state;
    machine.pending = Some(request);
    let wanted = match request {
        PendingRequest::Stop => WantedState::Stopped,
        PendingRequest::Run | PendingRequest::Reboot => WantedState::Running,
    };
    set_wanted(instance, wanted, cx.now);
    set_stage(instance, InstanceStage::Active(machine), cx.now);
    save(cx, instance)
}

/// Fails if the host has lost the machine or did not answer.
fn reached(
    cx: &mut Cx<'_, '_>,
    instance: &Instance,
    machine: &MachineLink,
    outcome: &ProbeOutcome,
    wanted: WantedState,
) -> Result<()> {
    match outcome {
        ProbeOutcome::Lost(id) if *id == machine.id => {
            let (instance_id, machine_id) = (instance.meta.id, machine.id);
            cx.after_error = Some(AfterError::MachineLost { instance_id, machine_id, wanted });
            Err(Error::MachineLost { detail: format!("the host does not know machine {machine_id}") })
        }
        // The lost machine has been replaced since. The reconciler handles the new one.
        ProbeOutcome::Present | ProbeOutcome::Lost(_) => Ok(()),
        ProbeOutcome::Failed(detail) => Err(Error::internal(detail)),
    }
}
