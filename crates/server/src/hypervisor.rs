//! Chooses what runs the machines, and says so.

use std::sync::Arc;

use croft_sled::{
    Hypervisor,
    simulated::{Simulated, SimulatedOptions, Timing},
};

use crate::{
    config::{Config, HypervisorKind},
    failure::{ExitKind, Failure, Result},
};

/// What runs the machines, and one line for people about it.
pub struct Choice {
    /// What runs the machines.
    pub hypervisor: Arc<dyn Hypervisor>,
    /// What people are told.
    pub notice: &'static str,
}

/// The hypervisor that the configuration asks for.
pub fn choose(config: &Config) -> Result<Choice> {
    let notice = match config.hypervisor {
        HypervisorKind::Simulated => "Machines are simulated, as asked: nothing really runs in them.",
        HypervisorKind::Auto => {
            "Machines are simulated, because this version has no other way: nothing really runs in them."
        }
        HypervisorKind::Qemu => {
            return Err(Failure::new(
                ExitKind::Configuration,
                "this version of Croft cannot run machines with QEMU yet",
            )
            .hint("use --hypervisor simulated to try Croft out with pretended machines"));
        }
    };
    let timing = Timing { speed: config.simulated_speed, ..Timing::default() };
    let options =
        SimulatedOptions { timing, ..SimulatedOptions::with_disks_of(config.simulated_disk_size << 40) };
    Ok(Choice { hypervisor: Arc::new(Simulated::new(options)), notice })
}
