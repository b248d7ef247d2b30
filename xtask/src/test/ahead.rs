//! What the browser tests need, built while the Rust tests run: those wait for guests and clocks more than they compute.

use std::thread::{self, JoinHandle};

use rustix::process::nice;

use crate::failure::{Failure, Outcome};
use crate::preview;
use crate::shell::{announce, cargo, run};

/// The lowest priority of nice(2): tests wait for no compiler.
const LOWEST_PRIORITY: i32 = 19;

/// A thread that builds.
pub struct Ahead<T>(JoinHandle<Outcome<T>>);

impl<T> Ahead<T> {
    /// The job's outcome, once it has ended.
    pub fn wait(self) -> Outcome<T> {
        self.0.join().unwrap_or_else(|_| Err(Failure::new("the job that was begun ahead has panicked")))
    }
}

/// Begins a job at the lowest priority: its own and that of the programs it starts.
fn ahead<T: Send + 'static>(job: impl FnOnce() -> Outcome<T> + Send + 'static) -> Ahead<T> {
    Ahead(thread::spawn(move || {
        // On Linux the priority is that of the calling thread, and children inherit it.
        nice(LOWEST_PRIORITY).map_err(std::io::Error::from)?;
        job()
    }))
}

/// Builds the server as it is installed, and the package of the preview.
pub fn programs() -> Ahead<()> {
    ahead(|| {
        release_program()?;
        preview::package().map(drop)
    })
}

/// Compresses the module of the preview to see whether it is too big.
pub fn size_of_preview() -> Ahead<()> {
    ahead(|| preview::check_size(&preview::package()?))
}

/// Builds the server as it is installed, with what is there of an earlier build.
pub fn release_program() -> Outcome {
    announce("Building the server as it is installed.");
    run(cargo().args(["build", "--locked", "--release", "--package", "croft"]))
}
