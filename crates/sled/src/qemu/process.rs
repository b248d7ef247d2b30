use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{
            fs::{MetadataExt as _, OpenOptionsExt as _},
            process::CommandExt as _,
        },
    },
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Resource, Signal, getrlimit, pidfd_open, pidfd_send_signal},
};

use super::vpc;

/// The folder within a machine's that QEMU runs in. It alone belongs to the user that QEMU runs as.
pub(super) const RUN: &str = "run";

/// What starts QEMU.
#[derive(Clone, Debug)]
pub(super) struct Launcher {
    pub(super) program: PathBuf,
    /// The program that sets resource limits before it executes the next one.
    pub(super) prlimit: PathBuf,
    /// The program that switches to another user, if needed.
    pub(super) setpriv: Option<PathBuf>,
    /// The group that may use the acceleration device, if one is needed.
    pub(super) acceleration_group: Option<u32>,
}

/// The environment of a QEMU process.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessSetup<'a> {
    /// The folder whose `run` it runs in.
    pub(super) folder: &'a Path,
    /// The user to run as, if not the server's.
    pub(super) user: Option<u32>,
    /// That user's group.
    pub(super) group: u32,
    /// The network namespace, if not the server's.
    pub(super) namespace: Option<&'a str>,
}

/// Maximum number of threads of a machine with its own user: one per processor and some for disks, far below the limit
/// of a host.
const MOST_THREADS: u64 = 1024;

/// The file in a machine's folder with QEMU's standard error.
pub(super) const LOG: &str = "qemu.log";

impl Launcher {
    /// Starts QEMU in its folder `run`, which its paths are relative to, because it may not have access to the parent
    /// folders. It has its own process group, so that signals to the server do not end it.
    pub(super) fn start(&self, place: ProcessSetup<'_>, arguments: &[String]) -> io::Result<Process> {
        self.start_with_pipes(place, arguments, Stdio::null(), None)
    }

    /// Like [`start`](Self::start), but with pipes for standard input and output. Standard error still goes to the log.
    pub(super) fn start_with_pipes(
        &self,
        place: ProcessSetup<'_>,
        arguments: &[String],
        input: Stdio,
        output: Option<Stdio>,
    ) -> io::Result<Process> {
        let ProcessSetup { folder, user, group, namespace } = place;
        let log = OpenOptions::new().append(true).create(true).mode(0o600).open(folder.join(LOG))?;
        let mut command = match namespace {
            None => Command::new(&self.prlimit),
            Some(namespace) => vpc::within(namespace, &self.prlimit)?,
        };
        // A core dump would contain the guest's memory, and be as large.
        command.arg("--core=0:0");
        if let (Some(user), Some(setpriv)) = (user, &self.setpriv) {
            let groups = self.acceleration_group.map(|group| format!(",{group}")).unwrap_or_default();
            let own = getrlimit(Resource::Nproc).maximum.unwrap_or(MOST_THREADS);
            let threads = own.min(MOST_THREADS);
            command
                .arg(format!("--nproc={threads}:{threads}"))
                .arg("--")
                .arg(setpriv)
                .arg(format!("--reuid={user}"))
                .arg(format!("--regid={user}"))
                .arg(format!("--groups={group}{groups}"))
                .args(["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]);
        }
        command.arg("--").arg(&self.program);
        let child = command
            .args(arguments)
            .current_dir(folder.join(RUN))
            .env_clear()
            .stdin(input)
            .stdout(match output {
                Some(output) => output,
                None => log.try_clone()?.into(),
            })
            .stderr(log)
            .process_group(0)
            .spawn()?;
        Process::of_child(child)
    }
}

/// A process that this server or an earlier one started. It is held by a pidfd, so that its number cannot be reused
/// unnoticed.
#[derive(Debug)]
pub(super) struct Process {
    descriptor: OwnedFd,
    id: u32,
    child: Option<Child>,
}

impl Process {
    pub(super) fn of_child(child: Child) -> io::Result<Self> {
        Ok(Self { descriptor: descriptor(child.id())?, id: child.id(), child: Some(child) })
    }

    /// The process with this number, if its command line names the machine and its files are where it runs.
    pub(super) fn existing(id: u32, machine: &str) -> io::Result<Option<Self>> {
        let descriptor = descriptor(id)?;
        let process = Self { descriptor, id, child: None };
        // Read while the pidfd is held: if the process is alive now, the data belongs to it.
        let is_it = names_machine(&id.to_string(), machine) && !process.has_ended()?;
        Ok(is_it.then_some(process))
    }

    /// Looks through all processes for the one that runs a machine.
    pub(super) fn find(machine: &str, user: Option<u32>) -> io::Result<Option<Self>> {
        for entry in fs::read_dir("/proc")? {
            let Ok(entry) = entry else { continue };
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
                continue;
            };
            let owner = entry.metadata().map(|metadata| metadata.uid());
            if user.is_some_and(|user| owner.is_ok_and(|owner| owner != user && owner != 0)) {
                continue;
            }
            if names_machine(&id.to_string(), machine)
                && let Ok(Some(process)) = Self::existing(id, machine)
            {
                return Ok(Some(process));
            }
        }
        Ok(None)
    }

    /// Its number.
    pub(super) const fn id(&self) -> u32 {
        self.id
    }

    /// Whether it ended within this many milliseconds.
    pub(super) fn ends_within(&self, milliseconds: i64) -> io::Result<bool> {
        let limit = Timespec { tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000 };
        let mut watched = [PollFd::new(&self.descriptor, PollFlags::IN)];
        loop {
            match poll(&mut watched, Some(&limit)) {
                Err(rustix::io::Errno::INTR) => {}
                other => return Ok(other? > 0),
            }
        }
    }

    pub(super) fn has_ended(&self) -> io::Result<bool> {
        self.ends_within(0)
    }

    /// Ends it immediately; does nothing if it has ended.
    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Sends it a signal; does nothing if it has ended.
    pub(super) fn signal(&self, signal: Signal) {
        if let Err(error) = pidfd_send_signal(&self.descriptor, signal)
            && error != rustix::io::Errno::SRCH
        {
            tracing::warn!(process = self.id, ?signal, %error, "cannot send a signal to a process");
        }
    }

    /// Reaps the exit status of an ended process, if this server started it.
    pub(super) fn reap(&mut self) -> Option<ExitStatus> {
        self.child.as_mut()?.wait().ok()
    }
}

impl AsFd for Process {
    /// Can be read from once the process has ended.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

fn descriptor(id: u32) -> io::Result<OwnedFd> {
    let id = i32::try_from(id).ok().and_then(Pid::from_raw);
    Ok(pidfd_open(id.ok_or(io::ErrorKind::InvalidInput)?, PidfdFlags::empty())?)
}

fn names_machine(id: &str, machine: &str) -> bool {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    line.windows(machine.len()).any(|window| window == machine.as_bytes())
}

/// The last lines of QEMU's standard error, for messages.
pub(super) fn last_words(folder: &Path) -> String {
    let text = last_bytes(&folder.join(LOG)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("; ")
}

/// QEMU's message about an internal error, if there is one.
pub(super) fn complaint(folder: &Path) -> Option<String> {
    let text = last_bytes(&folder.join(LOG)).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line =
        text.lines().rev().find(|line| line.contains("internal error") || line.contains("kvm run failed"));
    line.map(|line| line.trim().to_owned())
}

/// The end of a file of any length.
fn last_bytes(path: &Path) -> io::Result<Vec<u8>> {
    const ENOUGH: u64 = 8 << 10;
    let mut file = fs::File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(ENOUGH)))?;
    let mut end = Vec::new();
    file.take(ENOUGH).read_to_end(&mut end)?;
    Ok(end)
}

/// The path of a program, if it is installed: in one of these folders, or in the usual ones.
pub(super) fn find_program(name: &str, first: &[PathBuf]) -> Option<PathBuf> {
    let usual = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"].map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = first.iter().cloned().chain(std::env::split_paths(&path)).chain(usual);
    folders.find_map(|folder| {
        let program = folder.join(name);
        let metadata = fs::metadata(&program).ok()?;
        (metadata.is_file() && metadata.mode() & 0o111 != 0).then_some(program)
    })
}

/// A folder by a short path, for sockets: theirs may have at most 107 characters.
pub(super) struct ShortPath {
    folder: File,
}

impl ShortPath {
    pub(super) fn to(folder: &Path) -> io::Result<Self> {
        Ok(Self { folder: File::open(folder)? })
    }

    pub(super) fn join(&self, name: &str) -> PathBuf {
        use std::os::fd::AsRawFd as _;
        PathBuf::from(format!("/proc/self/fd/{}/{name}", self.folder.as_raw_fd()))
    }
}
