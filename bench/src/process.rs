//! Processes under measurement: started pinned to a core, ended by their own id.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::Failure;

/// Longest wait for a process to listen.
const PATIENCE: Duration = Duration::from_mins(1);

/// A process that tells its address through a file, killed when dropped.
pub struct Pinned {
    child: Child,
    /// `host:port` that it listens on.
    pub address: String,
}

impl Pinned {
    /// Starts a program on one core and waits until it listens.
    pub fn start(core: usize, program: &Path, arguments: &[&str], folder: &Path) -> Result<Self, Failure> {
        let ready = folder.join("ready");
        let _ = fs::remove_file(&ready);
        let child = Command::new("taskset")
            .args(["-c", &core.to_string()])
            .arg(program)
            .args(arguments)
            .arg("--ready-file")
            .arg(&ready)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut started = Self { child, address: String::new() };
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(url) = fs::read_to_string(&ready).ok().filter(|text| text.contains("://")) {
                url.trim()
                    .trim_start_matches("http://")
                    .trim_end_matches('/')
                    .clone_into(&mut started.address);
                return Ok(started);
            }
            if let Some(status) = started.child.try_wait()? {
                return Err(format!("{} ended before it listened: {status}", program.display()).into());
            }
            if Instant::now() > deadline {
                return Err(format!("{} did not listen within {PATIENCE:?}", program.display()).into());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Resident memory, in bytes.
    pub fn resident(&self) -> Result<u64, Failure> {
        self.memory("VmRSS:")
    }

    /// The most resident memory that there ever was, in bytes.
    pub fn peak(&self) -> Result<u64, Failure> {
        self.memory("VmHWM:")
    }

    fn memory(&self, figure: &str) -> Result<u64, Failure> {
        memory(&self.child.id().to_string(), figure)
    }
}

/// The most resident memory that this process ever had, in bytes.
pub fn own_peak() -> Result<u64, Failure> {
    memory("self", "VmHWM:")
}

fn memory(process: &str, figure: &str) -> Result<u64, Failure> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find(|line| line.starts_with(figure)).ok_or("no such figure")?;
    let kib: u64 = line.split_whitespace().nth(1).ok_or("no figure")?.parse()?;
    Ok(kib * 1024)
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // A process that is already gone is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
