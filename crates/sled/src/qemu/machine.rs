use std::{
    collections::VecDeque,
    io::Write as _,
    mem,
    os::unix::net::UnixStream,
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    time::{Duration, Instant},
};

use jiff::Timestamp;
use parking_lot::{Condvar, Mutex};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::{control::Answer, counters::grown, probe::Acceleration};
use crate::{
    CpuCounters, HypervisorError, HypervisorEvent, IncidentKind, Incidents, MachineDisk, MachineIncident,
    MachineReport, MachineSpec, MachineState, SERIAL_TAIL_BYTES, SERIAL_TAIL_LINES, SerialBuffer,
    SerialInput, SerialLine,
};

/// Maximum length of serial input that the guest has not read yet; further input is dropped.
const MOST_TYPED: usize = 64 << 10;

/// Maximum number of incidents that have not been taken; then the oldest is dropped, but stays in the log.
const MOST_INCIDENTS: usize = 1000;

/// The stored record of a machine, for a server that starts while the machine is running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MachineRecord {
    pub(super) id: Uuid,
    pub(super) instance_id: Uuid,
    pub(super) sled_id: Uuid,
    /// Disks and their slots.
    pub(super) disks: Vec<(Uuid, u8)>,
    /// The user that it runs as, if it has its own.
    pub(super) user: Option<u32>,
    /// Whether its guest has gone down.
    pub(super) ended: bool,
    /// The network namespace that it was started in, if it is in a VPC that this host has set up.
    #[serde(default)]
    pub(super) namespace: Option<String>,
    /// Its network interfaces, by slot.
    #[serde(default)]
    pub(super) interfaces: Vec<Uuid>,
    /// QEMU's machine type with its version, which stays the same for the machine's life.
    pub(super) machine_type: String,
    /// How it was started; earlier servers did not store this.
    #[serde(default)]
    pub(super) begun: Option<StartRecord>,
}

/// What is needed to restart a machine that fails under acceleration while it boots, also for a later server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StartRecord {
    pub(super) time: Timestamp,
    pub(super) acceleration: Acceleration,
    pub(super) spec: MachineSpec,
}

impl MachineRecord {
    /// The record of a machine that starts now.
    pub(super) fn new(
        spec: &MachineSpec,
        user: Option<u32>,
        machine_type: &str,
        acceleration: Acceleration,
    ) -> Self {
        let disks = spec.disks.iter().map(|MachineDisk { id, slot, .. }| (*id, *slot)).collect();
        let MachineSpec { id, instance_id, sled_id, .. } = *spec;
        let interfaces = spec.interfaces.iter().map(|interface| interface.id).collect();
        Self {
            id,
            instance_id,
            sled_id,
            disks,
            user,
            ended: false,
            namespace: None,
            interfaces,
            machine_type: machine_type.to_owned(),
            begun: Some(StartRecord { time: Timestamp::now(), acceleration, spec: spec.clone() }),
        }
    }
}

/// Requests to the thread that follows a machine.
#[derive(Debug)]
pub(super) enum Request {
    /// Press the power button repeatedly until the guest reacts.
    Stop,
    /// Restart the machine.
    Reset,
    /// A command for QEMU.
    Command(&'static str, Value, Sender<Answer>),
    /// End the machine immediately.
    Kill,
    /// Stop following it, and leave it running.
    Leave,
}

#[derive(Debug, Default)]
struct Inbox {
    requests: Vec<Request>,
    typed: VecDeque<u8>,
}

/// The inbox of the thread that follows a machine.
#[derive(Debug)]
pub(super) struct Mailbox {
    inbox: Mutex<Inbox>,
    bell: UnixStream,
}

impl Mailbox {
    /// A mailbox, and a socket that is readable while it is not empty.
    fn new() -> std::io::Result<(Self, UnixStream)> {
        let (bell, heard) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        heard.set_nonblocking(true)?;
        Ok((Self { inbox: Mutex::default(), bell }, heard))
    }

    fn ring(&self) {
        // If the socket is full, the thread has been notified already.
        let _ = (&self.bell).write(&[0]);
    }

    pub(super) fn ask(&self, request: Request) {
        self.inbox.lock().requests.push(request);
        self.ring();
    }

    pub(super) fn take_requests(&self) -> Vec<Request> {
        mem::take(&mut self.inbox.lock().requests)
    }

    pub(super) fn take_typed(&self) -> Vec<u8> {
        self.inbox.lock().typed.drain(..).collect()
    }
}

impl SerialInput for Arc<Mailbox> {
    fn receive(&self, bytes: &[u8]) {
        {
            let mut inbox = self.inbox.lock();
            let room = MOST_TYPED - inbox.typed.len();
            inbox.typed.extend(&bytes[..bytes.len().min(room)]);
        }
        self.ring();
    }
}

#[derive(Debug)]
struct Condition {
    report: MachineReport,
    /// Whether its process is known to have ended.
    gone: bool,
    /// Whether it was ended by force.
    killed: bool,
}

/// A machine as other threads see it; its own thread follows it.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) kept: MachineRecord,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) buffer: Arc<SerialBuffer>,
    line: Arc<SerialLine>,
    condition: Mutex<Condition>,
    changed: Condvar,
    events: Arc<Events>,
    /// The times of its virtual CPUs at the last look.
    cpus: Mutex<Vec<CpuCounters>>,
    incidents: Mutex<Incidents>,
    /// Held while a picture of its screen is taken.
    pub(super) picture: Mutex<()>,
}

/// State changes, for listeners.
#[derive(Debug, Default)]
pub(super) struct Events {
    queue: Mutex<Vec<HypervisorEvent>>,
    incidents: Mutex<Vec<MachineIncident>>,
    pub(super) bell: event_listener::Event,
}

impl Events {
    pub(super) fn push(&self, event: HypervisorEvent) {
        self.queue.lock().push(event);
        self.bell.notify(usize::MAX);
    }

    pub(super) fn take(&self) -> Vec<HypervisorEvent> {
        mem::take(&mut self.queue.lock())
    }

    pub(super) fn push_incident(&self, incident: MachineIncident) {
        let mut incidents = self.incidents.lock();
        if incidents.len() == MOST_INCIDENTS {
            incidents.remove(0);
        }
        incidents.push(incident);
        drop(incidents);
        self.bell.notify(usize::MAX);
    }

    pub(super) fn take_incidents(&self) -> Vec<MachineIncident> {
        mem::take(&mut self.incidents.lock())
    }
}

impl Machine {
    /// A machine with this report, and the socket that signals its mailbox.
    pub(super) fn new(
        kept: MachineRecord,
        report: MachineReport,
        buffer: SerialBuffer,
        events: &Arc<Events>,
    ) -> std::io::Result<(Self, UnixStream)> {
        let (mailbox, heard) = Mailbox::new()?;
        let (mailbox, buffer) = (Arc::new(mailbox), Arc::new(buffer));
        let line = Arc::new(SerialLine::new(Arc::clone(&buffer), Box::new(Arc::clone(&mailbox))));
        let condition = Mutex::new(Condition { report, gone: false, killed: false });
        let (changed, events) = (Condvar::new(), Arc::clone(events));
        let (cpus, incidents, picture) = Default::default();
        Ok((
            Self { kept, mailbox, buffer, line, condition, changed, events, cpus, incidents, picture },
            heard,
        ))
    }

    /// Makes sure that no CPU time decreases.
    pub(super) fn make_monotonic(&self, now: Vec<CpuCounters>) -> Vec<CpuCounters> {
        let mut kept = self.cpus.lock();
        let before = |id| kept.iter().find(|cpu| cpu.id == id);
        *kept = now.into_iter().map(|cpu| grown(before(cpu.id), cpu)).collect();
        kept.clone()
    }

    /// The guest's event counters, as far as this server knows.
    pub(super) fn incidents(&self) -> Incidents {
        *self.incidents.lock()
    }

    /// Counts an event of its guest.
    pub(super) fn count(&self, count: impl FnOnce(&mut Incidents)) {
        count(&mut self.incidents.lock());
    }

    pub(super) fn report(&self) -> MachineReport {
        self.condition.lock().report
    }

    pub(super) fn line(&self) -> Arc<SerialLine> {
        Arc::clone(&self.line)
    }

    /// Whether its process is known to have ended.
    pub(super) fn is_gone(&self) -> bool {
        self.condition.lock().gone
    }

    /// Waits until the process has ended, and returns whether that happened in time.
    pub(super) fn is_gone_within(&self, limit: Duration) -> bool {
        self.wait(limit, |condition| condition.gone)
    }

    /// Whether it was ended by force.
    pub(super) fn was_killed(&self) -> bool {
        self.condition.lock().killed
    }

    /// The slot of a disk that it has.
    pub(super) fn slot_of(&self, disk: Uuid) -> Option<u8> {
        self.kept.disks.iter().find(|(id, _)| *id == disk).map(|(_, slot)| *slot)
    }

    /// Changes to another state if it is in one of these.
    fn go(&self, from: &[MachineState], to: MachineState) -> bool {
        let mut condition = self.condition.lock();
        let goes = from.contains(&condition.report.state);
        if goes {
            let generation = condition.report.generation + 1;
            condition.report = MachineReport { state: to, generation };
            self.changed.notify_all();
        }
        goes
    }

    /// Changes to another state without a request.
    pub(super) fn turn(&self, from: &[MachineState], to: MachineState) {
        if self.go(from, to) {
            self.events.push(HypervisorEvent::Machine(self.kept.id));
        }
    }

    /// Its process has ended.
    pub(super) fn end(&self, state: MachineState) {
        self.buffer.close();
        {
            let mut condition = self.condition.lock();
            let generation = condition.report.generation + 1;
            condition.report = MachineReport { state, generation };
            condition.gone = true;
            self.changed.notify_all();
        }
        self.events.push(HypervisorEvent::Machine(self.kept.id));
    }

    /// Reports an incident.
    pub(super) fn report_incident(&self, kind: IncidentKind, cause: String, action: &str) {
        self.events.push_incident(MachineIncident {
            machine_id: self.kept.id,
            instance_id: self.kept.instance_id,
            time: Timestamp::now(),
            kind,
            cause,
            action: action.to_owned(),
            serial_tail: self.line.last_lines(SERIAL_TAIL_LINES, SERIAL_TAIL_BYTES),
        });
    }

    /// Asks the guest to shut down. Does nothing if the machine is shutting down or has ended.
    pub(super) fn stop(&self) -> MachineReport {
        if self.go(
            &[MachineState::Starting, MachineState::Running, MachineState::Rebooting],
            MachineState::Stopping,
        ) {
            self.mailbox.ask(Request::Stop);
        }
        self.report()
    }

    /// Restarts the machine. Does nothing if it is restarting; fails if it is shutting down.
    pub(super) fn reboot(&self) -> Result<MachineReport, HypervisorError> {
        if self.go(&[MachineState::Starting, MachineState::Running], MachineState::Rebooting) {
            self.mailbox.ask(Request::Reset);
        }
        match self.report() {
            report @ MachineReport { state: MachineState::Running | MachineState::Rebooting, .. } => {
                Ok(report)
            }
            _ => Err(HypervisorError::Refused("the machine is shutting down".to_owned())),
        }
    }

    /// Ends it, and returns whether it ended in time.
    pub(super) fn kill(&self, limit: Duration) -> bool {
        self.condition.lock().killed = true;
        self.mailbox.ask(Request::Kill);
        self.wait(limit, |condition| condition.gone)
    }

    /// Waits until it is running or shutting down, and returns whether that happened in time.
    pub(super) fn has_started_within(&self, limit: Duration) -> bool {
        self.wait(limit, |condition| condition.report.state != MachineState::Starting)
    }

    fn wait(&self, limit: Duration, done: impl Fn(&Condition) -> bool) -> bool {
        let end = Instant::now() + limit;
        let mut condition = self.condition.lock();
        while !done(&condition) {
            if self.changed.wait_until(&mut condition, end).timed_out() {
                return done(&condition);
            }
        }
        true
    }

    /// Runs a QMP command, and waits for the answer.
    pub(super) fn command(&self, name: &'static str, arguments: Value, limit: Duration) -> Answer {
        let (sender, answer) = channel();
        self.mailbox.ask(Request::Command(name, arguments, sender));
        answer.recv_timeout(limit).unwrap_or_else(|_| Err(format!("QEMU did not answer {name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MachineInterface, qemu::golden};

    fn kept() -> MachineRecord {
        let spec = MachineSpec {
            id: Uuid::from_u128(1),
            instance_id: Uuid::from_u128(2),
            sled_id: Uuid::from_u128(3),
            name: "db".to_owned(),
            hostname: "db1".to_owned(),
            cpus: 2,
            memory: 1 << 30,
            disks: vec![MachineDisk { id: Uuid::from_u128(4), slot: 0, boot: true }],
            user_data: b"#!/bin/sh\n".to_vec(),
            public_keys: vec!["ssh-ed25519 AAAA someone".to_owned()],
            interfaces: vec![MachineInterface {
                id: Uuid::from_u128(5),
                slot: 0,
                vpc_id: Uuid::from_u128(6),
                mac: "A8:40:25:00:00:01".parse().unwrap(),
                ip: "172.30.0.5".parse().unwrap(),
                subnet: "172.30.0.0/22".parse().unwrap(),
            }],
        };
        let kept = MachineRecord::new(&spec, Some(0x7c72_0001), "pc-q35-9.2", Acceleration::Kvm);
        let time = "2026-01-02T03:04:05Z".parse().unwrap();
        MachineRecord {
            namespace: Some("croft-00000003-100".to_owned()),
            begun: kept.begun.map(|begun| StartRecord { time, ..begun }),
            ..kept
        }
    }

    #[test]
    fn machines_of_every_version_are_read() {
        let kept = kept();
        golden::check(
            "machine.json",
            &[(0, kept.clone()), (1, kept.clone())],
            &[
                ("user", MachineRecord { user: None, ..kept.clone() }),
                ("namespace", MachineRecord { namespace: None, ..kept.clone() }),
                ("interfaces", MachineRecord { interfaces: Vec::new(), ..kept.clone() }),
                ("begun", MachineRecord { begun: None, ..kept }),
            ],
        );
    }
}
