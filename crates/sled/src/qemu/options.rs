use std::{net::SocketAddr, path::PathBuf, time::Duration};

use super::programs;

/// What guests can reach through their interfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GuestNetwork {
    /// Nothing: a guest is given its address, and no packet of it leaves its machine.
    #[default]
    Isolated,
    /// Each other and the world, as the rules and routes of their VPC say. Needs root and a kernel that can do it.
    Vpc,
    /// Whatever this host reaches, as if QEMU's process asked for it. That includes services on this host that listen
    /// on its loopback addresses only, which a guest reaches at its gateway's address.
    Outbound,
}

/// What is to carry out guests' instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccelerationChoice {
    /// The processor itself, through KVM, where a trial guest shows that it works, and translation elsewhere. A machine that
    /// breaks early because KVM does is started again with translation.
    #[default]
    Auto,
    /// The processor itself, through KVM. Where that does not work QEMU is not used.
    Kvm,
    /// Translation. `/dev/kvm` is not opened.
    Tcg,
}

/// The programs that machines and networks are made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// Where they are looked for first, in this order, before the folders in `PATH` and the usual ones.
    pub folders: Vec<PathBuf>,
    /// How long a program may take that changes networks. One that takes longer is killed.
    pub limit: Duration,
}

impl Default for Programs {
    fn default() -> Self {
        Self { folders: Vec::new(), limit: programs::LIMIT }
    }
}

/// How machines are run with QEMU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QemuOptions {
    /// The folder that everything is kept in; created if necessary.
    pub folder: PathBuf,
    /// What guests can reach: the first that can be had here. Never empty.
    pub networks: Vec<GuestNetwork>,
    /// An interface of the host by which guests in VPCs reach what is beyond the host, and are reached by their external
    /// addresses. Without one nothing is passed on. VPCs must be to be had here then.
    pub external_interface: Option<String>,
    /// The resolvers that names beyond the VPCs are asked of, in this order, where there is an external interface: the
    /// first three. Without any, those that this host asks itself.
    pub resolvers: Vec<SocketAddr>,
    /// Virtual CPUs offered for each hardware thread of the host. At least 1.
    pub cpus_per_thread: u64,
    /// What carries out guests' instructions.
    pub acceleration: AccelerationChoice,
    /// What is found out about KVM, in place of a trial of it: for tests of what follows from it. Users have no say in it.
    pub kvm_verdict: Option<Result<(), String>>,
    /// The programs that are run.
    pub programs: Programs,
}

impl QemuOptions {
    /// The usual choices, below this folder.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self {
            folder,
            networks: vec![GuestNetwork::default()],
            external_interface: None,
            resolvers: Vec::new(),
            cpus_per_thread: 4,
            acceleration: AccelerationChoice::default(),
            kvm_verdict: None,
            programs: Programs::default(),
        }
    }
}
