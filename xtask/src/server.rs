//! A Croft server for a job: with simulated machines, on a port that is free, and ended with the job.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::failure::{Context, Failure, Outcome};

/// What a server says once it listens, before the address.
const READY: &str = "Croft is at ";

/// A server that ends with this.
pub struct Server {
    process: Child,
    /// Where it listens, without a slash at the end.
    pub url: String,
}

impl Server {
    /// Starts one with its data and its log in a folder, and waits until it listens.
    pub fn start(program: &Path, folder: &Path) -> Outcome<Self> {
        Self::start_by(&mut Command::new(program), folder, None)
    }

    /// Starts one on a processor core of its own, with the console in a folder.
    pub fn start_on(core: usize, program: &Path, folder: &Path, console: &Path) -> Outcome<Self> {
        let mut pinned = Command::new("taskset");
        pinned.args(["-c", &core.to_string()]).arg(program);
        Self::start_by(&mut pinned, folder, Some(console))
    }

    fn start_by(command: &mut Command, folder: &Path, console: Option<&Path>) -> Outcome<Self> {
        let log = fs::File::create(folder.join("log"))?;
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--hypervisor", "simulated", "--log-level", "warn"])
            .arg("--data-dir")
            .arg(folder.join("data"));
        if let Some(console) = console {
            command.arg("--console-dir").arg(console);
        }
        let mut process =
            command.stdout(Stdio::piped()).stderr(log).spawn().context("cannot start the server")?;
        let said = process.stdout.take().expect("standard output is piped");
        let mut server = Self { process, url: String::new() };
        for line in BufReader::new(said).lines() {
            if let Some(url) = line?.strip_prefix(READY) {
                url.trim_end_matches('/').clone_into(&mut server.url);
                return Ok(server);
            }
        }
        Err(Failure::new(format!("the server exited immediately: {}", server.process.wait()?)))
    }

    /// Ends it. Answers whether it was still there.
    pub fn end(mut self) -> Outcome<bool> {
        Ok(self.process.try_wait()?.is_none())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It holds nothing that is of use afterwards, and one that has already ended is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
