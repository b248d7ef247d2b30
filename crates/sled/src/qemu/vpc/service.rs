//! DHCP and DNS for guests: one dnsmasq for each VPC, in its namespace, with its own user.
//!
//! Each interface has a fixed address, so the lease database of dnsmasq is not needed. Its files are below `/run`,
//! which it can access without the rights of the server.

use std::{
    fmt::Write as _,
    fs, io,
    net::{IpAddr, Ipv4Addr},
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
};

use croft_api::scalar::{IpNet, Vni};
use croft_network::{Interface, Network};

use super::super::{files, process::Process};
use super::{
    commands::{Namespace, Tools},
    forwarder,
    names::{Owner, TAPS},
};

/// The files that dnsmasq reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Files {
    /// Read at startup.
    pub(super) configuration: String,
    /// Addresses of interfaces; read again on a signal.
    pub(super) hosts: String,
    /// Names and addresses; read again on a signal.
    pub(super) names: String,
}

const CONFIGURATION: &str = "dnsmasq.conf";
const HOSTS: &str = "hosts";
const NAMES: &str = "names";

/// The directory of all VPCs' services of one owner.
pub(super) fn folder_of(owner: Owner) -> PathBuf {
    Path::new("/run").join(owner.to_string())
}

fn folder(owner: Owner, vni: Vni) -> PathBuf {
    folder_of(owner).join(vni.to_string())
}

/// The files for the dnsmasq of a VPC in this directory; `forwards` enables forwarding of other names.
pub(super) fn files_for(network: &Network, folder: &Path, forwards: bool) -> Files {
    let domain = network.dns_name.as_str();
    let mut configuration = format!(
        "interface={TAPS}\nexcept-interface=lo\nbind-dynamic\nno-resolv\nno-hosts\nno-ping\nquiet-dhcp\nquiet-dhcp6\n\
         dhcp-authoritative\ndomain={domain}\nlocal=/{domain}/\nexpand-hosts\nlocal-ttl=5\nlog-facility=/dev/null\n\
         dhcp-ignore-names\n\
         dhcp-option=option:mtu,1500\ndhcp-lease-max=100000\n"
    );
    let place = folder.display();
    let _ = writeln!(
        configuration,
        "dhcp-hostsfile={place}/{HOSTS}\naddn-hosts={place}/{NAMES}\ndhcp-leasefile={place}/run/leases\n\
         pid-file={place}/run/pid"
    );
    if forwards {
        // Names of one label and private addresses are answered locally only.
        let (address, port) = forwarder::ADDRESS;
        let _ = writeln!(configuration, "server={address}#{port}\ndomain-needed\nbogus-priv");
    }
    for subnet in &network.subnets {
        let mask =
            Ipv4Addr::from(u32::MAX.checked_shl(32 - u32::from(subnet.ipv4.width())).unwrap_or_default());
        let _ = writeln!(configuration, "dhcp-range={},static,{mask},infinite", subnet.ipv4.first());
        let _ = writeln!(configuration, "dhcp-range={},static,off-link,64,infinite", subnet.ipv6.first());
    }
    // Guests request IPv6 addresses if router advertisements tell them to.
    if network.interfaces.iter().any(|interface| interface.ip.is_ipv6()) {
        configuration.push_str("enable-ra\n");
    }
    let (mut hosts, mut names) = (String::new(), String::new());
    for interface in &network.interfaces {
        let name = host_name(interface);
        let mac = interface.mac.to_string().to_lowercase();
        let _ = match interface.ip {
            // The name is omitted, because dnsmasq would interpret some names as keywords.
            IpAddr::V4(address) => writeln!(hosts, "{mac},{address},infinite"),
            IpAddr::V6(address) => writeln!(hosts, "{mac},[{address}],infinite"),
        };
        let primary = if interface.primary { format!(" {name}") } else { String::new() };
        if !primary.is_empty() {
            let _ = writeln!(names, "{}{primary}", interface.ip);
        }
    }
    Files { configuration, hosts, names }
}

/// The host name of a guest, up to the first dot: names in a VPC have one label.
fn host_name(interface: &Interface) -> &str {
    interface.hostname.split('.').next().unwrap_or_default()
}

/// The gateway's address in a subnet: the first usable one.
pub(super) fn gateway(subnet: IpNet) -> IpAddr {
    match subnet.first() {
        IpAddr::V4(first) => Ipv4Addr::from(u32::from(first).saturating_add(1)).into(),
        IpAddr::V6(first) => std::net::Ipv6Addr::from(u128::from(first).saturating_add(1)).into(),
    }
}

/// Starts a VPC's dnsmasq, or updates its files.
pub(super) fn ensure(
    tools: &Tools,
    owner: Owner,
    space: Namespace<'_>,
    user: u32,
    network: &Network,
    forwards: bool,
) -> io::Result<()> {
    let folder = folder(owner, network.vni);
    make_folders(owner, &folder, user)?;
    let wanted = files_for(network, &folder, forwards);
    let changed = |name: &str, content: &str| -> io::Result<bool> {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|there| there == content) {
            return Ok(false);
        }
        files::replace(&path, content.as_bytes())?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640))?;
        chown(&path, Some(0), Some(user))?;
        Ok(true)
    };
    // In this order, a crash in between leaves a difference that the next run corrects.
    let (hosts, names) = (changed(HOSTS, &wanted.hosts)?, changed(NAMES, &wanted.names)?);
    let old = process(&folder, user)?;
    let restart = changed(CONFIGURATION, &wanted.configuration)?;
    match old {
        Some(process) if !restart => {
            if hosts || names {
                process.signal(rustix::process::Signal::HUP);
            }
            Ok(())
        }
        other => {
            other.iter().for_each(end);
            start(tools, space, user, &folder)
        }
    }
}

/// Restarts a VPC's dnsmasq if it has exited.
pub(super) fn watch(
    tools: &Tools,
    owner: Owner,
    space: Namespace<'_>,
    user: u32,
    network: &Network,
    forwards: bool,
) -> io::Result<()> {
    let folder = folder(owner, network.vni);
    // Cheaper than searching all processes. The number may have been reused, so the command line is checked.
    let id = fs::read_to_string(folder.join("run/pid")).ok().and_then(|text| text.trim().parse().ok());
    let running = id.and_then(|id| Process::existing(id, &command_word(&folder)).ok().flatten());
    if running.is_some() {
        return Ok(());
    }
    if process(&folder, user)?.is_none() {
        tracing::warn!(vpc = %network.id, "the name service of a VPC exited and is restarted");
    }
    ensure(tools, owner, space, user, network, forwards)
}

fn make_folders(owner: Owner, folder: &Path, user: u32) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o755);
    builder.create(folder_of(owner))?;
    builder.create(folder)?;
    let run = folder.join("run");
    builder.create(&run)?;
    chown(&run, Some(user), Some(user))
}

fn start(tools: &Tools, space: Namespace<'_>, user: u32, folder: &Path) -> io::Result<()> {
    /// The capabilities for the ports of DHCP and DNS and for router advertisements. dnsmasq does not start without the
    /// third, which lets it change the network of its namespace.
    const RIGHTS: &str = "+net_bind_service,+net_raw,+net_admin";
    let mut command = space.program(&tools.setpriv);
    command
        .arg(format!("--reuid={user}"))
        .arg(format!("--regid={user}"))
        .args(["--clear-groups", "--no-new-privs"])
        .args([format!("--inh-caps=-all,{RIGHTS}"), format!("--ambient-caps=-all,{RIGHTS}")])
        .args([format!("--bounding-set=-all,{RIGHTS}"), "--".to_owned()])
        .arg(&tools.dnsmasq)
        .arg(command_word(folder))
        .env_clear();
    // It exits the foreground once it listens, and continues in the background.
    tools.run(&mut command, None).map(drop)
}

/// The running dnsmasq that reads this directory.
fn process(folder: &Path, user: u32) -> io::Result<Option<Process>> {
    Process::find(&command_word(folder), Some(user))
}

/// The command line that identifies the dnsmasq of a directory.
fn command_word(folder: &Path) -> String {
    format!("--conf-file={}", folder.join(CONFIGURATION).display())
}

fn end(process: &Process) {
    /// Killed, because its successor needs the ports immediately.
    const LIMIT_MS: i64 = 2000;
    process.kill();
    if !process.ends_within(LIMIT_MS).unwrap_or(true) {
        tracing::warn!(process = process.id(), "the previous name service has not exited yet");
    }
}

/// Stops a VPC's dnsmasq, and removes its files.
pub(super) fn remove(owner: Owner, vni: Vni, user: u32) -> io::Result<()> {
    let folder = folder(owner, vni);
    process(&folder, user)?.iter().for_each(end);
    files::remove_folder(&folder)
}
