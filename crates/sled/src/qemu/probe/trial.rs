//! One run of the guest that a host is tried with; `guest.s` is its program.

use std::{
    fmt, fs, io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::net::UnixStream,
    },
    path::Path,
    process::Stdio,
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::json;

use super::{
    super::{
        arguments,
        control::{Answer, Control},
        files::{self, Accounts},
        process::{Launcher, Process, ProcessSetup, RUN, complaint, last_words},
    },
    Acceleration,
};

/// The program, as it stands at the beginning of the disk.
pub(super) const GUEST: &[u8] = include_bytes!("guest.bin");
/// The sector from which on the disk holds numbers.
const PATTERN_SECTOR: usize = 64;
/// How many of them the guest reads.
const PATTERN_NUMBERS: u32 = 16 * 8 * 512 / 4;
/// The firmware takes a disk of few sectors for a broken one.
const DISK_SIZE: usize = 1 << 20;
/// What the program writes to the exit port at its end.
const DONE: i32 = 16;
/// The file that the guest's progress is written into.
const PROGRESS: &str = "progress";

/// The guest takes half a second; a busy host may be many times slower.
pub(super) const LIMIT: Duration = Duration::from_secs(20);

/// Where the guest was when something went wrong, in the order in which it comes there.
const STAGES: [&str; 8] = [
    "in the firmware, before the guest started",
    "reading its disk through the firmware",
    "with interrupts in real mode",
    "with the timer in real mode",
    "in protected mode",
    "changing between real mode and protected mode",
    "in long mode with paging",
    "with the timer in long mode",
];

/// What went wrong with a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TrialError {
    /// The guest found something that is not as it must be.
    Result,
    /// The processor reset itself.
    Reset,
    /// QEMU stopped the machine; what it said about it.
    InternalError(String),
    /// Nothing more happened within this time.
    Silence(Duration),
    /// QEMU ended; its last words.
    Ended(String),
}

/// Why a trial failed, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The trial could not be made.
    NotMade(String),
    /// The guest did not come to its end.
    InGuest { stage: usize, wrong: TrialError },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stage, wrong) = match self {
            Self::NotMade(reason) => return f.write_str(reason),
            Self::InGuest { stage, wrong } => (stage, wrong),
        };
        let place = STAGES.get(*stage).copied().unwrap_or("at its end");
        match wrong {
            TrialError::Result => write!(f, "the test guest got a wrong result {place}"),
            TrialError::Reset => write!(f, "the test guest's processor reset itself {place}"),
            TrialError::InternalError(words) if words.is_empty() => {
                write!(f, "QEMU stopped the test guest with an internal error {place}")
            }
            TrialError::InternalError(words) => {
                write!(f, "QEMU stopped the test guest with an internal error {place} ({words})")
            }
            TrialError::Silence(limit) => {
                write!(f, "the test guest did not finish within {} s; it stopped {place}", limit.as_secs())
            }
            TrialError::Ended(words) if words.is_empty() => {
                write!(f, "QEMU exited without a message {place}")
            }
            TrialError::Ended(words) => write!(f, "QEMU exited {place}: {words}"),
        }
    }
}

/// The disk of the trial's guest.
pub(super) fn disk(program: &[u8]) -> Vec<u8> {
    let mut disk = program.to_vec();
    disk.resize(PATTERN_SECTOR * 512, 0);
    disk.extend((0..PATTERN_NUMBERS).flat_map(u32::to_le_bytes));
    disk.resize(DISK_SIZE, 0);
    disk
}

/// Runs the guest to its end.
pub(super) fn run(
    launcher: &Launcher,
    folder: &Path,
    accounts: Option<Accounts>,
    acceleration: Acceleration,
    machine_type: &str,
    limit: Duration,
) -> Result<(), Failure> {
    run_disk(launcher, folder, accounts, &arguments::common(acceleration, machine_type), &disk(GUEST), limit)
}

/// Runs whatever boots from this disk, as QEMU is told to by its first arguments.
pub(super) fn run_disk(
    launcher: &Launcher,
    folder: &Path,
    accounts: Option<Accounts>,
    common: &[String],
    disk: &[u8],
    limit: Duration,
) -> Result<(), Failure> {
    let not_made = |error: io::Error| Failure::NotMade(error.to_string());
    let user = accounts.map(Accounts::of_trials);
    let outcome = files::remove_folder(folder)
        .and_then(|()| files::passable_folder(folder, accounts))
        .and_then(|()| files::private_folder_with(&folder.join(RUN), user, "disk", disk))
        .and_then(|()| {
            let mut arguments = common.to_vec();
            arguments.extend(TRIAL.iter().map(|word| (*word).to_owned()));
            let group = accounts.map_or(0, |accounts| accounts.group);
            let place = ProcessSetup { folder, user, group, namespace: None };
            let (ours, theirs) = UnixStream::pair()?;
            let input = Stdio::from(OwnedFd::from(theirs.try_clone()?));
            let process =
                launcher.start_with_pipes(place, &arguments, input, Some(OwnedFd::from(theirs).into()))?;
            watch(process, ours, limit)
        });
    let stage = stage(folder);
    let words = last_words(folder);
    let broke = complaint(folder).unwrap_or_default();
    let wrong = match outcome.map_err(not_made)? {
        Outcome::Ended(Some(status)) if status == 2 * DONE + 1 => None,
        Outcome::Ended(Some(status)) if is_of_guest(status) => Some(TrialError::Result),
        Outcome::Reset => Some(TrialError::Reset),
        Outcome::Ended(_) => Some(TrialError::Ended(words.split("; ").next().unwrap_or_default().to_owned())),
        Outcome::InternalError => Some(TrialError::InternalError(broke)),
        Outcome::Silence => Some(TrialError::Silence(limit)),
    };
    let removed = files::remove_folder(folder).map_err(not_made);
    wrong.map_or(removed, |wrong| Err(Failure::InGuest { stage, wrong }))
}

/// Whether the guest itself ended QEMU with this status, by the stage at which it got a wrong result. What cannot be started has
/// other statuses.
fn is_of_guest(status: i32) -> bool {
    let stage = usize::try_from(status >> 1).unwrap_or_default();
    status & 1 == 1 && (1..STAGES.len()).contains(&stage)
}

/// The machine of the trial: it waits to be told to begin, and ends where another would reset itself.
const TRIAL: [&str; 21] = [
    "-m",
    "64M",
    "-S",
    "-action",
    "reboot=shutdown,shutdown=poweroff,panic=none",
    "-boot",
    "strict=on",
    "-device",
    "isa-debug-exit,iobase=0xf4,iosize=1",
    "-chardev",
    "file,id=progress,path=progress",
    "-device",
    "isa-debugcon,iobase=0xe9,chardev=progress",
    "-blockdev",
    "driver=raw,node-name=disk,read-only=on,file.driver=file,file.filename=disk",
    "-device",
    "virtio-blk-pci,drive=disk,bootindex=0",
    "-chardev",
    "stdio,id=control,signal=off",
    "-mon",
    "chardev=control,mode=control",
];

enum Outcome {
    /// QEMU ended by itself, with this status unless a signal did it.
    Ended(Option<i32>),
    Reset,
    InternalError,
    Silence,
}

/// Follows QEMU to the end of the trial, and ends it.
fn watch(mut process: Process, stream: UnixStream, limit: Duration) -> io::Result<Outcome> {
    let seen = follow(&process, stream, limit);
    if !matches!(seen, Ok(None)) {
        process.kill();
    }
    let status = process.reap();
    match seen? {
        Some(outcome) => Ok(outcome),
        None => Ok(Outcome::Ended(status.and_then(|status| status.code()))),
    }
}

/// What came of the trial, if that is known before QEMU has ended.
fn follow(process: &Process, stream: UnixStream, limit: Duration) -> io::Result<Option<Outcome>> {
    let end = Instant::now() + limit;
    let mut control = Control::new(stream).and_then(|mut control| {
        control.send("cont", &json!({}), channel().0)?;
        Ok(control)
    });
    let mut statuses: Vec<Receiver<Answer>> = Vec::new();
    let mut was_reset = false;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Some(Outcome::Silence));
        }
        let time = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
        let mut watched = vec![PollFd::new(process, PollFlags::IN)];
        if let Ok(control) = &control {
            watched.push(PollFd::from_borrowed_fd(control.as_fd(), PollFlags::IN));
        }
        match poll(&mut watched, Some(&time)) {
            Err(rustix::io::Errno::INTR) => continue,
            other => drop(other?),
        }
        let ready: Vec<bool> = watched.iter().map(|watched| !watched.revents().is_empty()).collect();
        if ready.get(1) == Some(&true)
            && let Ok(open) = &mut control
        {
            match open.receive() {
                Ok(events) => {
                    for event in events {
                        was_reset |= event.name == "SHUTDOWN" && event.data["reason"] == "guest-reset";
                        if event.name == "STOP" {
                            let (sender, status) = channel();
                            open.send("query-status", &json!({}), sender)?;
                            statuses.push(status);
                        }
                    }
                }
                // QEMU is ending.
                Err(error) => control = Err(error),
            }
            let mut answers = statuses.iter().filter_map(|status| status.try_recv().ok()?.ok());
            if answers.any(|answer| answer["status"] == "internal-error") {
                return Ok(Some(Outcome::InternalError));
            }
        } else if ready[0] {
            // All that it said has been heard by now.
            return Ok(was_reset.then_some(Outcome::Reset));
        }
    }
}

/// How far the guest came.
fn stage(folder: &Path) -> usize {
    let written = fs::read(folder.join(RUN).join(PROGRESS)).unwrap_or_default();
    let last = written.last().map_or(0, |digit| digit.wrapping_sub(b'0'));
    usize::from(last).min(STAGES.len())
}
