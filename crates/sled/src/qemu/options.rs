use std::{net::SocketAddr, path::PathBuf};

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

/// How machines are run with QEMU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QemuOptions {
    /// The folder that everything is kept in; made if need be.
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
}

impl QemuOptions {
    /// The usual choices, below this folder.
    pub fn in_folder(folder: PathBuf) -> Self {
        let networks = vec![GuestNetwork::default()];
        Self { folder, networks, external_interface: None, resolvers: Vec::new(), cpus_per_thread: 4 }
    }
}
