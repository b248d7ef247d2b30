//! Whether this host can run machines, and how: found out by running one.

#[cfg(test)]
mod tests;
mod trial;

use std::{fs, os::unix::fs::MetadataExt as _, path::Path, process::Command, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    files::Accounts,
    options::{AccelerationChoice, QemuOptions},
    process::{Launcher, find_program},
    programs,
};

/// How a guest's instructions are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acceleration {
    /// By the processor itself, through the kernel.
    Kvm,
    /// By translation: everywhere, and many times slower.
    Tcg,
}

impl Acceleration {
    /// Its name, as QEMU and `--acceleration` have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kvm => "kvm",
            Self::Tcg => "tcg",
        }
    }
}

const KVM_DEVICE: &str = "/dev/kvm";
/// QEMU lists what it can be within a tenth of a second; a busy host may be many times slower.
const LISTING_LIMIT: Duration = Duration::from_secs(20);
/// The kind of machine that guests are given, in whatever version.
const MACHINE_FAMILY: &str = "pc-q35-";

/// What was found.
pub(super) struct ProbeResult {
    pub(super) launcher: Launcher,
    pub(super) acceleration: Acceleration,
    /// The newest version of the kind of machine that this QEMU has.
    pub(super) machine_type: String,
    /// Why it is not faster, as text; empty if it is.
    pub(super) reason: String,
}

/// Finds QEMU and tries it; says why not where it cannot be used.
pub(super) fn probe(
    options: &QemuOptions,
    folder: &Path,
    accounts: Option<Accounts>,
) -> Result<ProbeResult, String> {
    let find = |name: &str| find_program(name, &options.programs.folders);
    let program = find("qemu-system-x86_64").ok_or("qemu-system-x86_64 is not installed")?;
    let setpriv = match accounts {
        Some(_) => Some(
            find("setpriv")
                .ok_or("setpriv is not installed, which is needed to run QEMU without root's rights")?,
        ),
        None => None,
    };
    let prlimit =
        find("prlimit").ok_or("prlimit is not installed, which is needed to limit QEMU's resources")?;
    let mut launcher = Launcher { program, prlimit, setpriv, acceleration_group: None };
    let machine_type = newest_machine_type(&launcher.program)?;
    let try_out = |launcher: &Launcher, acceleration| {
        trial::run(launcher, folder, accounts, acceleration, &machine_type, trial::LIMIT)
            .map_err(|failure| failure.to_string())
    };
    let reason = match options.acceleration {
        AccelerationChoice::Tcg => "as configured".to_owned(),
        AccelerationChoice::Auto | AccelerationChoice::Kvm => {
            launcher.acceleration_group = fs::metadata(KVM_DEVICE).ok().map(|device| device.gid());
            let verdict = match (&options.kvm_verdict, launcher.acceleration_group) {
                (Some(verdict), _) => verdict.clone(),
                (None, None) => Err(format!("{KVM_DEVICE} does not exist")),
                (None, Some(_)) => try_out(&launcher, Acceleration::Kvm)
                    .map_err(|error| format!("a test guest did not run with {KVM_DEVICE}: {error}")),
            };
            match verdict {
                Ok(()) => {
                    let (acceleration, reason) = (Acceleration::Kvm, String::new());
                    return Ok(ProbeResult { launcher, acceleration, machine_type, reason });
                }
                Err(reason) if options.acceleration == AccelerationChoice::Kvm => {
                    return Err(format!("KVM does not work on this host: {reason}"));
                }
                Err(reason) => reason,
            }
        }
    };
    launcher.acceleration_group = None;
    try_out(&launcher, Acceleration::Tcg)
        .map_err(|error| format!("QEMU is installed, but a test guest did not run: {error}"))?;
    Ok(ProbeResult { launcher, acceleration: Acceleration::Tcg, machine_type, reason })
}

/// The newest version of our kind of machine that a QEMU has.
fn newest_machine_type(program: &Path) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(["-machine", "help"]).env_clear();
    let listed = programs::run(&mut command, None, LISTING_LIMIT).map_err(|error| error.to_string())?;
    newest_listed(&listed).ok_or_else(|| format!("{} has no machine {MACHINE_FAMILY}*", program.display()))
}

fn newest_listed(listed: &str) -> Option<String> {
    let version = |name: &str| -> Option<Vec<u32>> {
        name.strip_prefix(MACHINE_FAMILY)?.split('.').map(|part| part.parse().ok()).collect()
    };
    let names = listed.lines().filter_map(|line| line.split_whitespace().next());
    names.filter_map(|name| Some((version(name)?, name))).max().map(|(_, name)| name.to_owned())
}
