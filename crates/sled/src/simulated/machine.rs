use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{
    SimulationContext, Timing, console::Console, load::Load, screen::SimulatedScreen, shell::GuestRequest,
};
use crate::{
    Counted, ExpectedMachine, HypervisorError, IncidentKind, Incidents, MachineCounters, MachineIncident,
    MachineInterface, MachineReport, MachineSpec, MachineState, SERIAL_TAIL_BYTES, SERIAL_TAIL_LINES,
    SerialLine,
};

/// One simulated machine.
#[derive(Debug)]
pub(super) struct Machine {
    sled_id: Uuid,
    instance_id: Uuid,
    cpus: u16,
    disks: Vec<Uuid>,
    pub(super) interfaces: Vec<MachineInterface>,
    timing: Timing,
    made: Timestamp,
    report: MachineReport,
    /// When the present state began, and when it ends by itself.
    since: Timestamp,
    deadline: Option<Timestamp>,
    hung: bool,
    resets: u64,
    console: Console,
}

fn after(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}

impl Machine {
    pub(super) fn new(
        spec: &MachineSpec,
        timing: Timing,
        around: &Arc<SimulationContext>,
        now: Timestamp,
    ) -> Self {
        let mut machine = Self {
            sled_id: spec.sled_id,
            instance_id: spec.instance_id,
            cpus: spec.cpus,
            disks: spec.disks.iter().map(|disk| disk.id).collect(),
            interfaces: spec.interfaces.clone(),
            timing,
            made: now,
            report: MachineReport { state: MachineState::Starting, generation: 0 },
            since: now,
            deadline: None,
            hung: false,
            resets: 0,
            console: Console::new(spec, around),
        };
        machine.enter(MachineState::Starting, now);
        machine
    }

    /// A machine that ran before, in the state last reported.
    pub(super) fn adopted(
        expected: &ExpectedMachine,
        timing: Timing,
        around: &Arc<SimulationContext>,
        now: Timestamp,
    ) -> Self {
        let mut machine = Self::new(&expected.spec, timing, around, now);
        if expected.last_report.state == MachineState::Running {
            machine.deadline = None;
            machine.console.resume(now);
        } else if expected.last_report.state != MachineState::Starting {
            machine.enter(expected.last_report.state, now);
        }
        machine.report = expected.last_report;
        machine
    }

    pub(super) const fn sled_id(&self) -> Uuid {
        self.sled_id
    }

    pub(super) const fn report(&self) -> MachineReport {
        self.report
    }

    pub(super) fn line(&self) -> Arc<SerialLine> {
        self.console.line()
    }

    pub(super) fn screen(&self) -> SimulatedScreen {
        self.console.screen()
    }

    pub(super) fn picture(&self) -> Vec<u8> {
        self.console.picture()
    }

    pub(super) const fn hang(&mut self) {
        self.hung = true;
    }

    pub(super) fn print(&self, bytes: &[u8]) {
        self.console.print(bytes);
    }

    /// Something that happens to it now.
    pub(super) fn incident(
        &self,
        id: Uuid,
        now: Timestamp,
        kind: IncidentKind,
        cause: &str,
    ) -> MachineIncident {
        MachineIncident {
            machine_id: id,
            instance_id: self.instance_id,
            time: now,
            kind,
            cause: cause.to_owned(),
            action: "The instance is restarted if its auto-restart policy says so.".to_owned(),
            serial_tail: self.line().last_lines(SERIAL_TAIL_LINES, SERIAL_TAIL_BYTES),
        }
    }

    /// Fails permanently.
    pub(super) fn fail(&mut self, now: Timestamp) {
        self.enter(MachineState::Failed, now);
    }

    pub(super) fn close(&self) {
        self.console.close();
    }

    /// Asks the guest to shut down. Does nothing if the machine is shutting down or has ended.
    pub(super) fn stop(&mut self, now: Timestamp) {
        if !matches!(self.report.state, MachineState::Stopping | MachineState::Ended | MachineState::Failed) {
            self.enter(MachineState::Stopping, now);
        }
    }

    /// Restarts the guest. Does nothing if it is restarting; fails if it is shutting down.
    pub(super) fn reboot(&mut self, now: Timestamp) -> Result<(), HypervisorError> {
        match self.report.state {
            MachineState::Rebooting => Ok(()),
            MachineState::Starting | MachineState::Running => {
                self.resets += 1;
                self.enter(MachineState::Rebooting, now);
                Ok(())
            }
            MachineState::Stopping | MachineState::Ended | MachineState::Failed => {
                Err(HypervisorError::Refused("the machine is shutting down".to_owned()))
            }
        }
    }

    fn enter(&mut self, state: MachineState, now: Timestamp) {
        self.report = MachineReport { state, generation: self.report.generation + 1 };
        self.since = now;
        self.deadline = match state {
            MachineState::Starting => Some(after(now, self.timing.start)),
            MachineState::Rebooting => Some(after(now, self.timing.reboot)),
            MachineState::Stopping if self.hung => None,
            MachineState::Stopping => Some(after(now, self.timing.stop)),
            MachineState::Running | MachineState::Ended | MachineState::Failed => None,
        };
        let length = self.deadline.map_or(SignedDuration::ZERO, |deadline| deadline.duration_since(now));
        self.console.entered(state, now, length);
    }

    /// Lets time pass. Returns whether the state changed.
    pub(super) fn advance(&mut self, now: Timestamp) -> bool {
        let before = self.report.generation;
        match self.console.take_request() {
            Some(GuestRequest::PowerOff) => self.stop(now),
            // A guest that is shutting down cannot be stopped from doing so.
            Some(GuestRequest::Reboot) => drop(self.reboot(now)),
            None => {}
        }
        while let Some(deadline) = self.deadline.filter(|deadline| *deadline <= now) {
            self.console.print_until(deadline);
            let next = if self.report.state == MachineState::Stopping {
                MachineState::Ended
            } else {
                MachineState::Running
            };
            self.enter(next, deadline);
        }
        if self.report.state == MachineState::Running {
            self.console.greet(now);
        }
        self.console.print_until(now);
        self.report.generation != before
    }

    /// Its simulated resource usage.
    pub(super) fn counters(&self, counted: Counted, now: Timestamp) -> MachineCounters {
        let load = Load::new(self.instance_id, self.made, now);
        let (disks, interfaces) = match counted {
            Counted::Processors => Default::default(),
            Counted::Everything => (
                self.disks.iter().map(|id| load.disk(*id)).collect(),
                self.interfaces.iter().map(|known| load.interface(known.id)).collect(),
            ),
        };
        let cpus = (0..u32::from(self.cpus)).map(|number| load.cpu(number)).collect();
        let incidents = Incidents { resets: self.resets, ..Incidents::default() };
        MachineCounters { since: Some(self.made), cpus, incidents, disks, interfaces }
    }

    /// When something happens next by itself.
    pub(super) fn next_event(&self) -> Option<Timestamp> {
        self.deadline.into_iter().chain(self.console.next_line()).min()
    }
}
