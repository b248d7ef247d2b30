//! Sends requests about machines to hosts, observes machines, and describes the results for the activity log.

use croft_sled::{
    HypervisorError, IncidentKind, MachineReport, MachineState as HostState, SERIAL_TAIL_BYTES,
    SERIAL_TAIL_LINES,
};
use croft_store::records::{
    ActivityConstraint, ActivityConstraintKind, ActivityKind, Disk, Instance, Machine, MachineLink,
    MachineState, PendingRequest, Sled,
};
use jiff::SignedDuration;
use uuid::Uuid;

use super::{
    HostOutcome, MAX_ONGOING, MachineUpdate, Wait,
    spec::{MachineParts, host_state, spec},
};
use crate::{
    instance::{self, ActivityNote},
    reconcile::Work,
};

/// After this long, a request in progress is noted in the instance's activity.
const SLOW: SignedDuration = SignedDuration::from_secs(5);

/// Ends the machine of an expunged sled, as far as possible.
///
/// An operator has declared the sled lost, so the machine is lost whatever the sled answers: its instance may run
/// elsewhere. If the sled cannot be reached, the request is repeated until it answers.
pub(super) fn abandon(work: &Work<'_>, sled: &Sled, machine: &Machine) -> MachineUpdate {
    let (instance_id, machine_id) = (machine.instance_id, machine.meta.id);
    tracing::warn!(instance = %instance_id, sled = %machine.sled_id, "a machine was lost with its sled");
    let mut note =
        instance::lost_note("The sled that the instance ran on was taken out of the fleet by an operator.");
    note.kind = ActivityKind::HostLost;
    note.constraint = Some(ActivityConstraint {
        kind: ActivityConstraintKind::Sled,
        id: sled.meta.id,
        name: Some(sled.baseboard.serial.clone()),
    });
    note.serial_tail = serial_tail(work, machine_id);
    let left_behind = match work.hypervisor.destroy_machine(machine.sled_id, machine_id) {
        Ok(()) | Err(HypervisorError::UnknownMachine) => {
            note.action = Some("The machine was ended on that sled.".to_owned());
            None
        }
        Err(HypervisorError::Pending) => {
            note.action =
                Some("Croft told the sled to end the machine. The sled has not answered yet.".to_owned());
            Some(machine.sled_id)
        }
        Err(error) => {
            tracing::warn!(machine = %machine_id, %error, "a machine of a lost sled could not be ended yet \
                                                           and will be retried");
            note.action = Some(
                "The sled could not be reached to end the machine. Croft ends it as soon as the sled answers again."
                    .to_owned(),
            );
            note.operator_detail = Some(error.to_string());
            Some(machine.sled_id)
        }
    };
    MachineUpdate {
        instance_id,
        machine_id,
        handled: None,
        outcome: HostOutcome::GivenUp { note, left_behind },
    }
}

/// What has changed about a machine that its host has, or should have.
pub(super) fn observe(work: &Work<'_>, instance: &Instance, link: &MachineLink) -> Option<HostOutcome> {
    if let Some(end) = ending(work, link) {
        return Some(destroy(work, link, end));
    }
    let timeout = work.environment.settings.stop_timeout;
    let overdue = link.state == MachineState::Stopping
        && work.now.duration_since(instance.time_run_state_updated) >= timeout;
    match work.hypervisor.observe_machine(link.sled_id, link.id) {
        Ok(_) if overdue => {
            tracing::warn!(instance = %instance.meta.id, "the guest did not shut down in time; powering the \
                                                          machine off");
            let text = format!("The guest did not shut down within {} minutes.", timeout.as_mins());
            let note = ActivityNote {
                serial_tail: serial_tail(work, link.id),
                ..ActivityNote::new(ActivityKind::StopForced, text)
                    .action("Croft powered the machine off.")
                    .advice(
                        "Find out what keeps the guest from shutting down. Data that it had not written to \
                         its disks may be lost.",
                    )
            };
            Some(destroy(work, link, HostOutcome::Gone(Some(note))))
        }
        Ok(report)
            if report.generation == link.report_generation && host_state(link.state) == report.state =>
        {
            None
        }
        Ok(report) => Some(report_of(work, link, report)),
        Err(HypervisorError::UnknownMachine) => Some(HostOutcome::Lost(unknown(work, link))),
        Err(_) => None,
    }
}

/// Sends the pending request of an instance to its host.
pub(super) fn push_pending(work: &Work<'_>, instance: &Instance, parts: &MachineParts) -> MachineUpdate {
    let instance_id = instance.meta.id;
    let Some(link) = instance.machine() else {
        return MachineUpdate {
            instance_id,
            machine_id: Uuid::nil(),
            handled: None,
            outcome: HostOutcome::Restart,
        };
    };
    let mut handled = link.pending;
    if let Some(end) = ending(work, link) {
        return MachineUpdate {
            instance_id,
            machine_id: link.id,
            handled,
            outcome: destroy(work, link, end),
        };
    }
    let observe = || outcome(work, link, work.hypervisor.observe_machine(link.sled_id, link.id));
    let outcome = match link.pending {
        _ if link.state == MachineState::Ended => destroy(work, link, HostOutcome::Gone(None)),
        None => observe(),
        Some(PendingRequest::Stop) if !link.registered => destroy(work, link, HostOutcome::Gone(None)),
        Some(PendingRequest::Stop) => ask(work, link, work.hypervisor.stop_machine(link.id)),
        Some(PendingRequest::Run) if link.registered => observe(),
        Some(PendingRequest::Run) => make(work, instance, link, parts),
        Some(PendingRequest::Reboot) if link.registered => {
            ask(work, link, work.hypervisor.reboot_machine(link.id))
        }
        Some(PendingRequest::Reboot) => match make(work, instance, link, parts) {
            // The machine exists from now on; the reboot itself is still pending.
            HostOutcome::Report(report) => {
                handled = None;
                HostOutcome::Report(report)
            }
            other => other,
        },
    };
    MachineUpdate { instance_id, machine_id: link.id, handled, outcome }
}

/// Makes a host create and run a machine, once its disks exist.
fn make(work: &Work<'_>, instance: &Instance, link: &MachineLink, parts: &MachineParts) -> HostOutcome {
    let disks = &parts.disks;
    if let Some(disk) = disks.iter().find(|disk| !disk.can_run()) {
        return HostOutcome::DisksNotReady(waits_for(disk));
    }
    let boot_disk_missing =
        instance.boot_disk_id.is_some_and(|boot| !disks.iter().any(|disk| disk.meta.id == boot));
    if boot_disk_missing {
        tracing::error!(instance = %instance.meta.id, "the boot disk could not be created");
        let mut note = ActivityNote::new(ActivityKind::StartRefused, "The boot disk could not be created.")
            .action("Croft canceled the start.")
            .advice("Delete the faulted disk, and attach another boot disk.");
        note.constraint = instance.boot_disk_id.map(|id| ActivityConstraint {
            kind: ActivityConstraintKind::Disk,
            id,
            name: None,
        });
        return HostOutcome::Refused(note);
    }
    match work.hypervisor.ensure_machine(&spec(instance, link, parts)) {
        Ok(report) => report_of(work, link, report),
        Err(error @ HypervisorError::Unreachable(_)) => {
            tracing::warn!(instance = %instance.meta.id, %error, "a machine cannot start yet: its host \
                                                                  cannot be reached");
            HostOutcome::NoAnswer(no_answer(link, &error))
        }
        Err(HypervisorError::Pending) => pending(work, link, None),
        Err(error) => {
            tracing::error!(instance = %instance.meta.id, %error, "a machine could not be created");
            let note = ActivityNote {
                operator_detail: Some(error.to_string()),
                serial_tail: serial_tail(work, link.id),
                ..ActivityNote::new(ActivityKind::StartRefused, "The host could not create the machine.")
                    .action("Croft canceled the start.")
                    .advice(
                        "Start the instance again. If that does not help, ask an operator, who can see \
                             the host's error.",
                    )
            };
            destroy(work, link, HostOutcome::Refused(note))
        }
    }
}

fn waits_for(disk: &Disk) -> ActivityNote {
    let mut note =
        ActivityNote::new(ActivityKind::Waiting, format!("The disk \"{}\" is not ready yet.", disk.name))
            .action("Croft starts the machine as soon as the disk is ready.");
    note.constraint = Some(ActivityConstraint {
        kind: ActivityConstraintKind::Disk,
        id: disk.meta.id,
        name: Some(disk.name.to_string()),
    });
    note
}

fn no_answer(link: &MachineLink, error: &HypervisorError) -> ActivityNote {
    let cause = match error {
        HypervisorError::Unreachable(_) => "The host cannot be reached.",
        _ => "The host did not carry out the request.",
    };
    let mut note = ActivityNote::new(ActivityKind::Waiting, cause)
        .action("Croft repeats the request every few seconds.")
        .advice("Wait. If this continues, ask an operator, who can see the host's error.");
    note.operator_detail = Some(format!("Sled {}: {error}", link.sled_id));
    note.constraint =
        Some(ActivityConstraint { kind: ActivityConstraintKind::Sled, id: link.sled_id, name: None });
    note
}

/// The outcome of a request. If the host refuses it, the machine is observed instead.
fn ask(work: &Work<'_>, link: &MachineLink, answer: Result<MachineReport, HypervisorError>) -> HostOutcome {
    match answer {
        Err(HypervisorError::Refused(_)) => {
            outcome(work, link, work.hypervisor.observe_machine(link.sled_id, link.id))
        }
        answer => outcome(work, link, answer),
    }
}

/// The outcome for a report. A failed machine is destroyed, so that its host can forget it, and counts as lost.
fn report_of(work: &Work<'_>, link: &MachineLink, report: MachineReport) -> HostOutcome {
    if report.state != HostState::Failed {
        return HostOutcome::Report(report);
    }
    let incident = work.incidents.lock().get(&link.id).cloned();
    let place = format!("It ran on sled {} as machine {}.", link.sled_id, link.id);
    let note = match incident {
        Some(incident) => ActivityNote {
            serial_tail: Some(incident.serial_tail).filter(|text| !text.is_empty()),
            operator_detail: Some(format!("{} {place}", incident.cause)),
            ..instance::lost_note(cause_of(incident.kind))
        },
        None => ActivityNote {
            serial_tail: serial_tail(work, link.id),
            operator_detail: Some(place),
            ..instance::lost_note("The host reports that the machine failed.")
        },
    };
    destroy(work, link, HostOutcome::Lost(note))
}

fn outcome(
    work: &Work<'_>,
    link: &MachineLink,
    answer: Result<MachineReport, HypervisorError>,
) -> HostOutcome {
    match answer {
        Ok(report) => report_of(work, link, report),
        Err(HypervisorError::UnknownMachine) => HostOutcome::Lost(unknown(work, link)),
        Err(HypervisorError::Pending) => pending(work, link, None),
        Err(error) => {
            tracing::warn!(%error, "a request to a host failed and will be retried");
            HostOutcome::NoAnswer(no_answer(link, &error))
        }
    }
}

fn unknown(work: &Work<'_>, link: &MachineLink) -> ActivityNote {
    let mut note = instance::lost_note("The host lost the machine, for example because the host restarted.");
    note.serial_tail = serial_tail(work, link.id);
    note.operator_detail = Some(format!("Machine {} was assigned to sled {}.", link.id, link.sled_id));
    note
}

/// Destroys a machine. `end` is the outcome once that is done.
fn destroy(work: &Work<'_>, link: &MachineLink, end: HostOutcome) -> HostOutcome {
    match work.hypervisor.destroy_machine(link.sled_id, link.id) {
        Ok(()) | Err(HypervisorError::UnknownMachine) => {
            work.incidents.lock().remove(&link.id);
            end
        }
        Err(HypervisorError::Pending) => pending(work, link, Some(end)),
        Err(error) => {
            tracing::warn!(machine = %link.id, %error, "an ended machine could not be removed yet");
            HostOutcome::NoAnswer(no_answer(link, &error))
        }
    }
}

/// The outcome of a destruction that is in progress.
fn ending(work: &Work<'_>, link: &MachineLink) -> Option<HostOutcome> {
    work.ongoing.lock().get(&link.id)?.end.clone()
}

/// Records that a request is still in progress.
fn pending(work: &Work<'_>, link: &MachineLink, end: Option<HostOutcome>) -> HostOutcome {
    let mut ongoing = work.ongoing.lock();
    let wait = ongoing.entry(link.id).or_insert(Wait { since: work.now, end: None });
    // The clock may have been set back.
    wait.since = wait.since.min(work.now);
    if end.is_some() {
        wait.end = end;
    }
    let took = work.now.duration_since(wait.since);
    // Entries of machines that are no longer observed are never taken, so the oldest are dropped.
    while ongoing.len() > MAX_ONGOING {
        ongoing.pop_first();
    }
    HostOutcome::Pending((took >= SLOW).then(|| slow(link)))
}

fn slow(link: &MachineLink) -> ActivityNote {
    let mut note = ActivityNote::new(
        ActivityKind::Waiting,
        "The host is slow: a request for this instance has been running for several seconds.",
    )
    .action("Croft continues as soon as the host has finished. Other instances are not delayed.")
    .advice("Wait. If this continues, ask an operator, who can see which host it is.");
    note.operator_detail =
        Some(format!("Sled {} is working on a request for machine {}.", link.sled_id, link.id));
    note.constraint =
        Some(ActivityConstraint { kind: ActivityConstraintKind::Sled, id: link.sled_id, name: None });
    note
}

/// The public description of an incident. The incident's own text may name files of the host.
pub(super) fn cause_of(kind: IncidentKind) -> &'static str {
    match kind {
        IncidentKind::Broke => "The machine failed while it was running.",
        IncidentKind::RestartedWithTranslation => "The machine failed under hardware acceleration.",
        IncidentKind::NotStarted => "The host could not start the machine.",
        IncidentKind::Unreadable => "The host's records of the machine cannot be read.",
    }
}

/// The public description of what a host did about an incident.
pub(super) fn action_of(kind: IncidentKind) -> Option<&'static str> {
    match kind {
        IncidentKind::RestartedWithTranslation => {
            Some("The host restarted it from its disks without hardware acceleration, which is slower.")
        }
        IncidentKind::Unreadable => Some("The host left the machine as it is."),
        IncidentKind::Broke | IncidentKind::NotStarted => None,
    }
}

/// The last lines that a machine wrote to its serial console, if it wrote any.
fn serial_tail(work: &Work<'_>, machine: Uuid) -> Option<String> {
    let line = work.hypervisor.serial(machine)?;
    Some(line.last_lines(SERIAL_TAIL_LINES, SERIAL_TAIL_BYTES)).filter(|text| !text.is_empty())
}
