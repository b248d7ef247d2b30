//! Selects the hypervisor.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    sync::Arc,
};

use croft_control::StorageSettings;
use croft_sled::{
    Hypervisor, QueueOptions, Queued,
    qemu::{AccelerationChoice, GuestNetwork, Qemu, QemuOptions},
    simulated::{Simulated, SimulatedOptions, SimulatedSled},
};
use croft_store::Fence;

use crate::{
    config::{AccelerationKind, Config, GuestNetworkKind, HypervisorKind, SimulatedRack},
    data_directory::private,
    failure::{ExitKind, Failure, Result},
};

/// The hypervisor, and a line about it for the operator.
pub struct Choice {
    /// What runs the machines.
    pub hypervisor: Arc<dyn Hypervisor>,
    /// The layout of disks on its storage.
    pub storage: StorageSettings,
    /// Its name, as in the configuration.
    pub kind: &'static str,
    /// A line for the operator.
    pub notice: String,
    /// The same hypervisor, if it is the demo's.
    pub demo: Option<Arc<Simulated>>,
    /// The queues of its sleds, if there are any.
    pub queues: Option<Arc<Queued>>,
}

impl Choice {
    /// Queues calls, so that callers do not wait for slow hosts. No call is started once the lease is lost.
    pub fn queued(self, fence: Option<&Fence>) -> Self {
        if self.kind != Kind::Qemu.name() {
            return self;
        }
        let fence = fence.cloned();
        let holds_lease = Box::new(move || fence.as_ref().is_none_or(|fence| fence.lost().is_none()));
        let queues = Arc::new(Queued::while_allowed(self.hypervisor, QueueOptions::default(), holds_lease));
        Self { hypervisor: queues.clone(), queues: Some(queues), ..self }
    }
}

/// The kind of hypervisor that a data directory belongs to. Its machines and disks cannot be used by another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Qemu,
    Simulated,
}

impl Kind {
    const FILE: &str = "hypervisor";

    const fn name(self) -> &'static str {
        match self {
            Self::Qemu => "qemu",
            Self::Simulated => "simulated",
        }
    }

    /// The kind that an earlier server recorded in this directory.
    fn kept(folder: &Path) -> io::Result<Option<Self>> {
        match fs::read_to_string(folder.join(Self::FILE)) {
            // The server crashed between creating and writing the file, before there was any machine.
            Ok(text) if text.is_empty() => Ok(None),
            Ok(text) => {
                let found = [Self::Qemu, Self::Simulated].into_iter().find(|kind| kind.name() == text.trim());
                found.map(Some).ok_or_else(|| io::Error::other(format!("{text:?} is not a hypervisor")))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn keep(self, folder: &Path) -> io::Result<()> {
        writeln!(private(&folder.join(Self::FILE))?, "{}", self.name())
    }
}

/// What the configuration and the data directory ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Simulated machines, for this reason.
    Simulated(&'static str),
    /// QEMU. If it cannot be used and is not required, machines are simulated.
    Qemu { required: bool },
}

/// What runs the machines, as far as that can be told without trying it.
pub fn plan(config: &Config) -> Result<Plan> {
    plan_with(config, kept(config)?)
}

fn plan_with(config: &Config, kept: Option<Kind>) -> Result<Plan> {
    let needs_kvm = config.acceleration == AccelerationKind::Kvm;
    Ok(match (config.hypervisor, kept) {
        (_, Some(Kind::Qemu)) if config.demo => {
            return Err(mismatch(Kind::Qemu)
                .hint("--demo needs simulated machines: leave it out, or use another data directory"));
        }
        (HypervisorKind::Auto, None) if config.demo => Plan::Simulated("for the demo"),
        (HypervisorKind::Qemu, Some(Kind::Simulated)) => return Err(mismatch(Kind::Simulated)),
        (HypervisorKind::Simulated, Some(Kind::Qemu)) => return Err(mismatch(Kind::Qemu)),
        (HypervisorKind::Simulated, _) => Plan::Simulated("as configured"),
        (HypervisorKind::Auto, Some(Kind::Simulated)) if config.external_interface.is_some() => {
            return Err(mismatch(Kind::Simulated)
                .hint("--external-interface needs QEMU: leave it out, or use another data directory"));
        }
        (HypervisorKind::Auto, Some(Kind::Simulated)) if needs_kvm => {
            return Err(mismatch(Kind::Simulated)
                .hint("--acceleration kvm needs QEMU: leave it out, or use another data directory"));
        }
        (HypervisorKind::Auto, Some(Kind::Simulated)) => Plan::Simulated("as before in this data directory"),
        (HypervisorKind::Qemu, _) | (HypervisorKind::Auto, Some(Kind::Qemu)) => Plan::Qemu { required: true },
        (HypervisorKind::Auto, None) => {
            Plan::Qemu { required: config.external_interface.is_some() || needs_kvm }
        }
    })
}

/// The hypervisor of the configuration, or that of the data directory.
pub fn choose(config: &Config) -> Result<Choice> {
    let kept = kept(config)?;
    let (kind, choice) = match plan_with(config, kept)? {
        Plan::Simulated(why) => (Kind::Simulated, simulated(config, why)),
        Plan::Qemu { required } => match qemu(config) {
            Ok(choice) => (Kind::Qemu, choice),
            Err(reason) if required => return Err(unusable(config, &reason)),
            Err(reason) => (Kind::Simulated, simulated(config, &format!("because {reason}"))),
        },
    };
    if kept.is_none() {
        kind.keep(&config.data_dir).map_err(|error| unreadable(config, &error))?;
    }
    Ok(choice)
}

fn kept(config: &Config) -> Result<Option<Kind>> {
    Kind::kept(&config.data_dir).map_err(|error| unreadable(config, &error))
}

fn unreadable(config: &Config, error: &io::Error) -> Failure {
    let path = config.data_dir.join(Kind::FILE);
    Failure::new(ExitKind::DataDirectory, format!("cannot use {}: {error}", path.display()))
}

/// How to get KVM.
pub const KVM_ADVICE: &str = "check that virtualization is enabled in the firmware, that the module kvm_intel or \
                              kvm_amd is loaded, and, on a virtual host, that nested virtualization is enabled";

/// The failure of a server that needs QEMU, with what to do.
pub fn unusable(config: &Config, reason: &str) -> Failure {
    let hint = if config.acceleration == AccelerationKind::Kvm {
        format!(
            "--acceleration kvm needs a working KVM: {KVM_ADVICE}; or use --acceleration auto, which falls back to \
             translation"
        )
    } else if config.external_interface.is_some() {
        "--external-interface needs QEMU and guests in VPCs: name an interface that `ip link` shows, run as root \
         with ip, nft and dnsmasq installed, or leave the option out"
            .to_owned()
    } else {
        "install qemu-system-x86, or use --hypervisor simulated to try Croft without real machines".to_owned()
    };
    Failure::new(ExitKind::Configuration, format!("QEMU cannot be used: {reason}")).hint(hint)
}

fn mismatch(kind: Kind) -> Failure {
    let name = kind.name();
    let message =
        format!("the machines and disks in this data directory belong to the hypervisor \"{name}\"");
    Failure::new(ExitKind::Configuration, message)
        .hint(format!("use --hypervisor {name}, or another data directory"))
}

fn simulated(config: &Config, why: &str) -> Choice {
    let mut options = if config.demo {
        croft_demo::hypervisor_options()
    } else {
        SimulatedOptions { sleds: rack(config.simulated_rack), ..SimulatedOptions::default() }
    };
    options.timing.speed = config.simulated_speed;
    let hypervisor = Arc::new(Simulated::new(options));
    Choice {
        demo: config.demo.then(|| Arc::clone(&hypervisor)),
        hypervisor,
        storage: StorageSettings::default(),
        kind: Kind::Simulated.name(),
        notice: format!("Machines are simulated ({why}): no real guests run."),
        queues: None,
    }
}

/// The sleds of a simulated rack, the spare ones last.
fn rack(rack: SimulatedRack) -> Vec<SimulatedSled> {
    let SimulatedRack { sleds, spare_sleds, threads, memory, disks, disk_size } = rack;
    let sled = |number| SimulatedSled::numbered(number, threads, memory << 30, disks, disk_size << 40);
    let spare = (sleds + 1..=sleds + spare_sleds).map(|number| sled(number).spare());
    (1..=sleds).map(sled).chain(spare).collect()
}

/// How the configuration has machines run with QEMU.
pub fn qemu_options(config: &Config) -> QemuOptions {
    let networks = match config.guest_network {
        GuestNetworkKind::Auto => vec![GuestNetwork::Vpc, GuestNetwork::Isolated],
        GuestNetworkKind::Vpc => vec![GuestNetwork::Vpc],
        GuestNetworkKind::Isolated => vec![GuestNetwork::Isolated],
        GuestNetworkKind::Outbound => vec![GuestNetwork::Outbound],
    };
    let external_interface = config.external_interface.clone();
    let acceleration = match config.acceleration {
        AccelerationKind::Auto => AccelerationChoice::Auto,
        AccelerationKind::Kvm => AccelerationChoice::Kvm,
        AccelerationKind::Tcg => AccelerationChoice::Tcg,
    };
    QemuOptions {
        acceleration,
        networks,
        external_interface,
        resolvers: config.dns_upstream.clone(),
        ..QemuOptions::in_folder(config.data_dir.join("qemu"))
    }
}

fn qemu(config: &Config) -> std::result::Result<Choice, String> {
    let qemu = Qemu::open(qemu_options(config)).map_err(|error| error.to_string())?;
    let notice = format!("Machines run on this host with QEMU, {}.", qemu.explanation());
    // One host with one file system: a second copy would be on the same storage.
    let storage = StorageSettings { copies: 1, overhead_percent: 100, reserved_per_pool: 0 };
    Ok(Choice {
        hypervisor: Arc::new(qemu),
        storage,
        kind: Kind::Qemu.name(),
        notice,
        demo: None,
        queues: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_directory_remembers_its_hypervisor() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Kind::kept(folder.path()).unwrap(), None);
        Kind::Simulated.keep(folder.path()).unwrap();
        assert_eq!(Kind::kept(folder.path()).unwrap(), Some(Kind::Simulated));
        fs::write(folder.path().join(Kind::FILE), "other").unwrap();
        assert!(Kind::kept(folder.path()).is_err());
    }
}
