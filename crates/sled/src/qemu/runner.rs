//! The thread that follows a machine: it starts or finds the QEMU process, exchanges messages with it, and handles its
//! end.

use std::{
    fs, io,
    io::{Read as _, Write as _},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    net::sockopt::socket_peercred,
};
use serde_json::{Value, json};

use super::{
    Host, arguments, cidata,
    control::{Answer, Control, Event},
    files,
    machine::{Machine, MachineRecord, Request, StartRecord},
    options::AccelerationChoice,
    probe::Acceleration,
    process::{LOG, Process, ProcessSetup, RUN, ShortPath, complaint, last_words},
    serial_log::SerialLog,
};
use crate::{IncidentKind, MachineSpec, MachineState};

/// QEMU opens its sockets within a tenth of a second; a busy host may be many times slower.
const CONNECT_LIMIT: Duration = Duration::from_mins(1);
/// Interval at which missing sockets are checked, in milliseconds.
const CONNECT_PAUSE_MS: i64 = 5;
/// A guest that is still booting ignores the power button, so it is pressed again.
const PRESS_AGAIN: Duration = Duration::from_secs(2);
/// After a reset the firmware resets the machine again, sometimes twice, before it starts the guest. A reset from
/// inside the machine so soon after another one is counted as part of it.
const RESET_ECHO: Duration = Duration::from_secs(2);
/// QEMU has this long to flush its disks after its guest has shut down.
const QUIT_LIMIT: Duration = Duration::from_secs(10);

/// Problems with acceleration show while a machine boots. Later failures may have other causes.
const EARLY: SignedDuration = SignedDuration::from_mins(5);

/// Maximum length of QEMU's log in bytes.
const LONGEST_LOG: u64 = 1 << 20;
/// Interval at which the length is checked.
const LOG_CHECK: Duration = Duration::from_mins(1);

/// What is done about a failed machine, as text.
const ACTION_OF_FAILURE: &str = "The machine was ended. Its disks were kept. The instance is restarted if \
                                 its auto-restart policy says so.";

/// How following a machine starts.
pub(super) enum StartMode {
    /// It is to be started.
    Start,
    /// An earlier server started it.
    Adopt,
}

/// Why the thread stops following the machine.
enum End {
    /// It runs on.
    Left,
    /// Its guest shut down, or it was ended on request.
    Down,
    /// It could not be started, for this reason.
    NotStarted(String),
    /// It broke, for this reason.
    Broken(String),
    /// QEMU stopped it with an internal error: what QEMU said about it, and whether it had run for less than [`EARLY`].
    Stopped { early: bool, words: String },
}

/// The state while QEMU runs.
struct RunningProcess {
    process: Process,
    control: Option<Control>,
    serial: Option<UnixStream>,
    /// Serial input that QEMU has not read yet.
    typed: Vec<u8>,
    /// Answers to commands of this thread.
    status: Vec<Receiver<Answer>>,
    press_at: Option<Instant>,
    kill_at: Option<Instant>,
    broken: Option<String>,
    /// Whether QEMU stopped it with an internal error, and then, whether early.
    stopped: Option<bool>,
    /// The last reset, counted or not.
    reset_at: Option<Instant>,
}

impl RunningProcess {
    fn send(&mut self, command: &str, arguments: &Value) -> Receiver<Answer> {
        let (sender, answer) = channel();
        self.pass_on(command, arguments, sender);
        answer
    }

    fn pass_on(&mut self, command: &str, arguments: &Value, answer: std::sync::mpsc::Sender<Answer>) {
        if let Some(control) = &mut self.control
            && let Err(error) = control.send(command, arguments, answer)
        {
            tracing::warn!(command, %error, "cannot send a command to QEMU");
            self.control = None;
        }
    }

    fn query_status(&mut self) {
        let answer = self.send("query-status", &json!({}));
        self.status.push(answer);
    }

    /// Runs the actions that are due.
    fn keep_time(&mut self) {
        let now = Instant::now();
        if self.press_at.is_some_and(|at| at <= now) && self.kill_at.is_none() {
            drop(self.send("system_powerdown", &json!({})));
            self.press_at = Some(now + PRESS_AGAIN);
        }
        if self.kill_at.is_some_and(|at| at <= now) {
            self.process.kill();
            self.kill_at = Some(now + QUIT_LIMIT);
        }
    }

    /// Ends a machine that can no longer be followed, because its state would be unknown.
    fn abandon(&self, error: &io::Error) -> End {
        self.process.kill();
        End::Broken(format!("its control connection failed: {error}"))
    }
}

pub(super) struct Runner {
    pub(super) host: Arc<Host>,
    pub(super) machine: Arc<Machine>,
    pub(super) heard: UnixStream,
    pub(super) log: SerialLog,
}

impl Runner {
    /// Follows the machine until it ends, or until told to stop.
    pub(super) fn run(mut self, beginning: StartMode) {
        let begun = match (beginning, &self.machine.kept.begun) {
            (StartMode::Adopt, _) => self.adopt(),
            (StartMode::Start, Some(begun)) => self.start(&begun.spec, begun.acceleration),
            (StartMode::Start, None) => Err(End::NotStarted("its specification is missing".to_owned())),
        };
        let end = self.follow_to_end(begun);
        let end = self.start_again(end);
        self.finish(end);
    }

    /// Restarts it once with translation if it failed early under acceleration, whichever server started it.
    fn start_again(&mut self, end: End) -> End {
        let End::Stopped { early: true, words } = &end else { return end };
        let Some(begun) = self.machine.kept.begun.clone() else { return end };
        let is_wanted = !self.machine.was_killed() && self.machine.report().state != MachineState::Stopping;
        let may_change = self.host.options.acceleration == AccelerationChoice::Auto;
        if begun.acceleration != Acceleration::Kvm || !may_change || !is_wanted {
            return end;
        }
        let cause = internal_error(words);
        self.host.translate_from_now_on(&format!("a machine failed with KVM: {cause}"));
        let (machine, instance) = (self.machine.kept.id, self.machine.kept.instance_id);
        tracing::warn!(%machine, %instance, cause, "restarting a machine without hardware acceleration");
        self.machine.report_incident(
            IncidentKind::RestartedWithTranslation,
            cause,
            "The machine was restarted from its disks without hardware acceleration, which is slower. \
             Machines that start from now on have none either, until the server restarts.",
        );
        self.machine.turn(&[MachineState::Running], MachineState::Rebooting);
        // For a server that adopts it while it boots.
        let again = StartRecord { acceleration: Acceleration::Tcg, ..begun };
        let kept = MachineRecord { begun: Some(again.clone()), ..self.machine.kept.clone() };
        if let Err(error) = self.host.keep(&kept) {
            return End::NotStarted(format!("its record cannot be written: {error}"));
        }
        let begun = self.start(&again.spec, again.acceleration);
        self.follow_to_end(begun)
    }

    fn follow_to_end(&mut self, begun: Result<RunningProcess, End>) -> End {
        let mut live = match begun {
            Ok(live) => live,
            Err(end) => return end,
        };
        let end = self.follow(&mut live);
        let end = end.unwrap_or_else(|error| live.abandon(&error));
        if !matches!(end, End::Left) {
            live.process.reap();
        }
        end
    }

    fn folder(&self) -> PathBuf {
        self.host.machine_folder(self.machine.kept.id)
    }

    fn name(&self) -> String {
        arguments::machine_name(self.machine.kept.id)
    }

    fn start(&self, spec: &MachineSpec, acceleration: Acceleration) -> Result<RunningProcess, End> {
        let broken = |error: &dyn std::fmt::Display| End::NotStarted(error.to_string());
        let folder = self.folder();
        let kept = &self.machine.kept;
        let mut disks = Vec::new();
        for disk in &spec.disks {
            disks.push((
                *disk,
                self.host.volumes.set_owner(disk.id, kept.user).map_err(|error| broken(&error))?,
            ));
        }
        let prepared = prepare(&folder, spec, kept).and_then(|()| {
            let group = self.host.accounts.map_or(0, |accounts| accounts.group);
            let line = arguments::machine(spec, &disks, acceleration, &kept.machine_type, self.host.network);
            let (user, namespace) = (kept.user, kept.namespace.as_deref());
            self.host
                .launcher(acceleration)
                .start(ProcessSetup { folder: &folder, user, group, namespace }, &line)
        });
        let process = prepared.map_err(|error| broken(&error))?;
        self.connect(process, None).map_err(|(process, error)| {
            process.kill();
            let mut process = process;
            process.reap();
            End::NotStarted(format!("QEMU did not start: {error}; {}", last_words(&folder)))
        })
    }

    /// Finds the process of a machine that an earlier server started.
    fn adopt(&self) -> Result<RunningProcess, End> {
        let gone = || {
            let down = self.machine.kept.ended || self.machine.report().state == MachineState::Stopping;
            if down {
                End::Down
            } else {
                End::Broken("it was no longer running when the server started".to_owned())
            }
        };
        let broken = |error: io::Error| End::Broken(error.to_string());
        let run = ShortPath::to(&self.folder().join(RUN)).map_err(broken)?;
        let stream = UnixStream::connect(run.join("control")).ok();
        let process = match &stream {
            Some(stream) => socket_peercred(stream).map_err(io::Error::from).and_then(|peer| {
                Process::existing(peer.pid.as_raw_nonzero().get().unsigned_abs(), &self.name())
            }),
            // It may have been started a moment ago, and not have opened its sockets.
            None => Process::find(&self.name(), self.machine.kept.user),
        };
        let process = process.map_err(broken)?.ok_or_else(gone)?;
        tracing::info!(machine = %self.machine.kept.id, process = process.id(), "adopted a running machine");
        for (disk, _) in &self.machine.kept.disks {
            if let Err(error) = self.host.volumes.take_over(*disk, self.machine.kept.user) {
                tracing::warn!(machine = %self.machine.kept.id, %disk, %error, "a disk of an adopted machine does not match its record");
            }
        }
        self.connect(process, stream).map_err(|(process, error)| {
            process.kill();
            End::Broken(format!("QEMU cannot be reached: {error}"))
        })
    }

    /// Connects to the sockets, as soon as they are there.
    fn connect(
        &self,
        process: Process,
        control: Option<UnixStream>,
    ) -> Result<RunningProcess, (Process, io::Error)> {
        let connected = (|| {
            let run = ShortPath::to(&self.folder().join(RUN))?;
            let limit = Instant::now() + CONNECT_LIMIT;
            let connect = |name: &str| loop {
                match UnixStream::connect(run.join(name)) {
                    Ok(stream) => return Ok(stream),
                    Err(error) if Instant::now() > limit => return Err(error),
                    Err(_) if process.ends_within(CONNECT_PAUSE_MS)? => {
                        return Err(io::Error::other("it exited immediately"));
                    }
                    Err(_) => {}
                }
            };
            let control = match control {
                Some(control) => control,
                None => connect("control")?,
            };
            let serial = connect("serial")?;
            // The folder belongs to the machine's user, so these names may be symbolic links.
            for stream in [&control, &serial] {
                let peer = socket_peercred(stream)?.pid.as_raw_nonzero().get().unsigned_abs();
                if peer != process.id() {
                    return Err(io::Error::other(format!("process {peer} has its control socket")));
                }
            }
            serial.set_nonblocking(true)?;
            Ok((Control::new(control)?, serial))
        })();
        let (control, serial) = match connected {
            Ok(connected) => connected,
            Err(error) => return Err((process, error)),
        };
        let stopping = self.machine.report().state == MachineState::Stopping;
        let mut live = RunningProcess {
            process,
            control: Some(control),
            serial: Some(serial),
            typed: Vec::new(),
            status: Vec::new(),
            press_at: stopping.then(Instant::now),
            kill_at: None,
            broken: None,
            stopped: None,
            reset_at: None,
        };
        live.query_status();
        Ok(live)
    }

    fn follow(&mut self, live: &mut RunningProcess) -> io::Result<End> {
        loop {
            for request in self.machine.mailbox.take_requests() {
                match request {
                    Request::Stop => live.press_at = Some(Instant::now()),
                    Request::Reset => drop(live.send("system_reset", &json!({}))),
                    Request::Command(name, arguments, answer) => live.pass_on(name, &arguments, answer),
                    Request::Kill => live.process.kill(),
                    Request::Leave => return Ok(End::Left),
                }
            }
            if live.typed.is_empty() {
                live.typed = self.machine.mailbox.take_typed();
            }
            live.keep_time();
            self.bound_log();
            let [heard, ended, said, printed] = wait(&self.heard, live)?;
            if heard {
                let mut rings = [0; 256];
                // The content is irrelevant.
                let _ = self.heard.read(&mut rings);
            }
            if printed || !live.typed.is_empty() {
                self.exchange(live);
            }
            if said {
                self.read_events(live)?;
            }
            if ended {
                while live.serial.is_some() {
                    self.exchange(live);
                }
                return Ok(self.end_of(live));
            }
        }
    }

    /// Truncates QEMU's log once it is long: a guest can make QEMU log without end.
    fn bound_log(&self) {
        let path = self.folder().join(LOG);
        if fs::metadata(&path).is_ok_and(|metadata| metadata.len() > LONGEST_LOG)
            && let Err(error) = fs::OpenOptions::new().write(true).open(&path).and_then(|log| log.set_len(0))
        {
            tracing::warn!(path = %path.display(), %error, "cannot truncate a log of QEMU");
        }
    }

    /// The failure of a process that has exited.
    fn end_of(&self, live: &mut RunningProcess) -> End {
        if self.machine.was_killed()
            || live.kill_at.is_some() && live.broken.is_none() && live.stopped.is_none()
        {
            return End::Down;
        }
        let status = live.process.reap().map_or_else(String::new, |status| format!(" ({status})"));
        let words = last_words(&self.folder());
        if let Some(early) = live.stopped {
            return End::Stopped { early, words: complaint(&self.folder()).unwrap_or_default() };
        }
        let words = if words.is_empty() { words } else { format!(": {words}") };
        End::Broken(live.broken.take().unwrap_or_else(|| format!("QEMU exited unexpectedly{status}{words}")))
    }

    /// Transfers serial output and input.
    fn exchange(&mut self, live: &mut RunningProcess) {
        let Some(serial) = &mut live.serial else {
            live.typed.clear();
            return;
        };
        let mut buffer = [0; 16 << 10];
        let read = match serial.read(&mut buffer) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            other => other,
        };
        let typed = match serial.write(&live.typed) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            other => other,
        };
        if let Ok(count) = typed {
            live.typed.drain(..count);
        }
        let Ok(count) = read else {
            live.serial = None;
            return;
        };
        self.machine.buffer.append(&buffer[..count]);
        if let Err(error) = self.log.append(&buffer[..count]) {
            tracing::warn!(machine = %self.machine.kept.id, %error, "cannot store serial output");
        }
    }

    /// Processes messages from QEMU.
    fn read_events(&self, live: &mut RunningProcess) -> io::Result<()> {
        let Some(control) = &mut live.control else { return Ok(()) };
        match control.receive() {
            Ok(events) => {
                for event in events {
                    self.happened(live, &event)?;
                }
            }
            // The end of the process tells more.
            Err(_) => live.control = None,
        }
        let answers: Vec<Answer> = live.status.iter().filter_map(|status| status.try_recv().ok()).collect();
        if !answers.is_empty() {
            live.status.clear();
        }
        for answer in answers.into_iter().flatten() {
            self.is_in(live, answer["status"].as_str().unwrap_or_default())?;
        }
        Ok(())
    }

    fn happened(&self, live: &mut RunningProcess, event: &Event) -> io::Result<()> {
        match event.name.as_str() {
            "SHUTDOWN" if event.data["reason"] == "host-signal" && !self.is_to_end(live) => {
                live.broken = Some("a signal ended QEMU".to_owned());
                Ok(())
            }
            "SHUTDOWN" => self.guest_is_down(live),
            "RESET" => {
                let last = live.reset_at.replace(Instant::now());
                let is_echo = last.is_some_and(|last| last.elapsed() < RESET_ECHO);
                if event.data["guest"] == false || !is_echo {
                    self.machine.count(|incidents| incidents.resets += 1);
                }
                self.machine.turn(&[MachineState::Rebooting], MachineState::Running);
                Ok(())
            }
            "GUEST_CRASHLOADED" => {
                self.machine.count(|incidents| incidents.panics_handled_by_guest += 1);
                Ok(())
            }
            "GUEST_PANICKED" => {
                self.machine.count(|incidents| incidents.panics_handled_by_host += 1);
                Ok(())
            }
            "STOP" | "RESUME" => {
                live.query_status();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether a shutdown was requested.
    fn is_to_end(&self, live: &RunningProcess) -> bool {
        live.press_at.is_some() || live.kill_at.is_some() || self.machine.was_killed()
    }

    /// QEMU says what the machine does.
    fn is_in(&self, live: &mut RunningProcess, status: &str) -> io::Result<()> {
        match status {
            "running" => {
                // A restart is quick, and this server may have missed it.
                self.machine.turn(&[MachineState::Starting, MachineState::Rebooting], MachineState::Running);
            }
            "prelaunch" => drop(live.send("cont", &json!({}))),
            "shutdown" => return self.guest_is_down(live),
            "internal-error" => {
                live.stopped = Some(self.is_early());
                live.process.kill();
            }
            "guest-panicked" => {
                live.broken = Some("QEMU stopped the machine because its guest panicked".to_owned());
                live.process.kill();
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether it began a short while ago, whichever server started it.
    fn is_early(&self) -> bool {
        let begun = self.machine.kept.begun.as_ref();
        begun.is_some_and(|begun| Timestamp::now().duration_since(begun.time) < EARLY)
    }

    /// Stores that the guest has shut down, then ends QEMU. A server that starts in between still knows.
    fn guest_is_down(&self, live: &mut RunningProcess) -> io::Result<()> {
        if live.kill_at.is_none() {
            self.host.keep(&MachineRecord { ended: true, ..self.machine.kept.clone() })?;
            live.kill_at = Some(Instant::now() + QUIT_LIMIT);
            drop(live.send("quit", &json!({})));
        }
        Ok(())
    }

    fn finish(&self, end: End) {
        let kept = &self.machine.kept;
        let (machine, instance) = (kept.id, kept.instance_id);
        if matches!(end, End::Left) {
            return;
        }
        for (disk, _) in &kept.disks {
            // A deleted disk has no owner to change.
            let _ = self.host.volumes.set_owner(*disk, None);
        }
        if let (Some(vpcs), Some(namespace)) = (&self.host.vpcs, &kept.namespace) {
            vpcs.unplug(namespace, &kept.interfaces);
        }
        match end {
            End::Broken(reason) if !self.machine.was_killed() => {
                self.fail(IncidentKind::Broke, reason);
            }
            End::Stopped { words, .. } if !self.machine.was_killed() => {
                self.fail(IncidentKind::Broke, internal_error(&words));
            }
            End::NotStarted(reason) if !self.machine.was_killed() => {
                self.fail(IncidentKind::NotStarted, reason);
            }
            _ => {
                tracing::info!(%machine, %instance, "a machine has ended");
                self.machine.end(MachineState::Ended);
            }
        }
    }
}

impl Runner {
    /// Reports a failed machine, and removes everything of it except its disks.
    fn fail(&self, kind: IncidentKind, cause: String) {
        let (machine, instance) = (self.machine.kept.id, self.machine.kept.instance_id);
        tracing::error!(%machine, %instance, ?kind, cause, "a machine failed");
        // Reported before the state changes, so that whoever sees the state finds the reason.
        self.machine.report_incident(kind, cause, ACTION_OF_FAILURE);
        self.host.forget(machine);
        self.machine.end(MachineState::Failed);
    }
}

/// The message about an internal error.
fn internal_error(words: &str) -> String {
    let more = if words.is_empty() { String::new() } else { format!(": {words}") };
    format!("QEMU stopped the machine with an internal error{more}")
}

/// Creates the folder that QEMU runs in.
fn prepare(folder: &Path, spec: &MachineSpec, kept: &MachineRecord) -> io::Result<()> {
    let run = folder.join(RUN);
    let volume = cidata::volume(spec).map_err(io::Error::other)?;
    files::remove_folder(&run)?;
    files::private_folder_with(&run, kept.user, "cidata", &volume)
}

/// Waits for an event: mail, the end of the process, a message, serial output, or room for serial input.
fn wait(heard: &UnixStream, live: &RunningProcess) -> io::Result<[bool; 4]> {
    let due = live.press_at.into_iter().chain(live.kill_at).min();
    let left = due.map_or(LOG_CHECK, |due| due.saturating_duration_since(Instant::now()).min(LOG_CHECK));
    let limit = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: i64::from(left.subsec_nanos()) };
    let serial_flags = if live.typed.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
    let mut watched = vec![PollFd::new(heard, PollFlags::IN), PollFd::new(&live.process, PollFlags::IN)];
    if let Some(control) = &live.control {
        watched.push(PollFd::new(control, PollFlags::IN));
    }
    if let Some(serial) = &live.serial {
        watched.push(PollFd::new(serial, serial_flags));
    }
    match poll(&mut watched, Some(&limit)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let mut ready = watched.iter().map(|watched| !watched.revents().is_empty());
    let mut next = |open: bool| open && ready.next().unwrap_or(false);
    Ok([next(true), next(true), next(live.control.is_some()), next(live.serial.is_some())])
}
