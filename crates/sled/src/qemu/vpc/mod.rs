//! VPCs on one host, by the kernel's own means: what guests send to each other and to the world really passes, or not.
//!
//! Each VPC has a network namespace, each interface a link of its own in there, which QEMU holds the other end of. No two
//! links are bridged: guests are told that every address is reached through the gateway, so everything that they send
//! is routed, and the [`firewall`]'s rules see sender and receiver of each packet. What leaves goes over the [`edge`],
//! a namespace between the VPCs and the host. A [`service`] gives addresses and names, and asks a [`forwarder`] for those
//! of others.
//!
//! A namespace is made when the first machine of its VPC starts, and lives on without the server, as machines do. All of it
//! can be made again over what is there: a crash between any two steps heals with the next change, or the next start.

mod commands;
mod edge;
mod external;
mod firewall;
mod forwarder;
mod inbound_icmp;
mod names;
mod ranges;
mod routing;
mod ruleset;
mod service;
mod switches;
#[cfg(test)]
mod tests;
mod uplink;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs, io,
    net::SocketAddr,
    os::unix::fs::MetadataExt as _,
    sync::Arc,
};

use croft_api::scalar::Vni;
use croft_network::Network;
use parking_lot::Mutex;
use uuid::Uuid;

use super::{files::Accounts, keyed_locks::KeyedLocks, options::Programs, volumes::failed};
use crate::{HypervisorError, InterfaceCounters, MachineInterface, Traffic};
pub(super) use commands::within;
use commands::{Namespace, Tools};
use edge::EdgeRoutes;
use forwarder::Forwarders;
pub use inbound_icmp::InboundIcmp;
pub(super) use names::tap;
use names::{GATEWAY_MAC, Owner, UPLINK, UPPER_MAC};
use ranges::Family;
use uplink::Ipv6Obstacle;

/// Settings of a VPC's namespace before links are created.
const LINKS: [&str; 5] = [
    "ipv6/conf/all/disable_ipv6=0",
    "ipv6/conf/default/disable_ipv6=0",
    "ipv6/conf/default/accept_ra=0",
    // Guests accept router advertisements only from the gateway's link-local address. Without duplicate address
    // detection it is usable immediately; the links have no other hosts.
    "ipv6/conf/all/accept_dad=0",
    "ipv6/conf/default/accept_dad=0",
];

/// Settings of a VPC's namespace once its rules are in effect.
const SETTINGS: [&str; 8] = [
    "ipv4/ip_forward=1",
    // The gateway answers neighbor discovery for every address.
    "ipv4/conf/all/proxy_arp=1",
    "ipv4/conf/all/rp_filter=0",
    "ipv4/conf/default/rp_filter=0",
    "ipv4/conf/all/send_redirects=0",
    "ipv4/conf/default/send_redirects=0",
    "ipv6/conf/all/forwarding=1",
    "ipv6/conf/default/forwarding=1",
];

/// The VPCs of this host.
#[derive(Debug)]
pub(super) struct Vpcs {
    tools: Tools,
    owner: Owner,
    /// The users that dnsmasq runs as.
    accounts: Accounts,
    /// The external interface of the host. Without it, external addresses can be reached from the host only.
    external: Option<String>,
    /// DNS forwarders, if there is an external interface.
    forwarders: Option<Forwarders>,
    /// Held briefly, never while a program runs. A thread that holds a VPC's lock may take long.
    state: Mutex<State>,
    /// Held while a VPC is changed, by VNI, so that a slow change does not block other VPCs.
    keyed_locks: KeyedLocks<u32>,
    /// Held while shared state is changed, possibly in addition to the lock of a VPC.
    edge_turn: Mutex<()>,
    /// The last observed reason why IPv6 does not pass.
    obstacle: Mutex<Option<Ipv6Obstacle>>,
}

#[derive(Debug, Default)]
struct State {
    /// The wanted state of each VPC, as last set by the reconciler.
    known: BTreeMap<Uuid, Arc<Network>>,
    /// The VPCs that have a namespace, by VNI.
    there: BTreeSet<u32>,
}

impl State {
    /// The wanted state of a VPC, if it has a namespace.
    fn wanted(&self, id: Uuid) -> Option<Arc<Network>> {
        let network = self.known.get(&id)?;
        self.there.contains(&u32::from(network.vni)).then(|| Arc::clone(network))
    }

    /// The external addresses of the VPCs that have a namespace.
    fn entrances(&self) -> EdgeRoutes {
        let there = || {
            let all = self.known.values().map(|network| &**network);
            all.filter(|network| self.there.contains(&network.vni.into()))
        };
        let of_vpc = there().map(|network| (network.vni.into(), external::entrances(network).collect()));
        let shared = there().flat_map(external::externals);
        EdgeRoutes { of_vpc: of_vpc.collect(), shared: shared.collect() }
    }
}

impl Vpcs {
    /// Determines whether VPCs can be set up here, by a trial in a temporary namespace. Nothing remains on the host
    /// until a machine is started in a VPC. With an external interface, names outside the VPCs are resolved by these
    /// resolvers, or by the host's own if the list is empty.
    pub(super) fn open(
        sled: Uuid,
        accounts: Option<Accounts>,
        external: Option<&str>,
        resolvers: &[SocketAddr],
        programs: &Programs,
    ) -> Result<Self, String> {
        let owner = Owner::of(sled);
        let (tools, accounts) = prepare(owner, accounts, external, programs)?;
        let there = Tools::namespaces().map_err(|error| error.to_string())?;
        let vni = |name: &String| owner.suffix(name)?.parse::<u32>().ok();
        let state = State { there: there.iter().filter_map(vni).collect(), ..State::default() };
        // An earlier server may have had an external interface, so the uplink is closed even if there are no VPCs.
        if external.is_none() && there.contains(&owner.edge()) {
            edge::close(&tools, owner, state.there.iter().copied()).map_err(|error| error.to_string())?;
        }
        let obstacle = Mutex::default();
        let external = external.map(str::to_owned);
        let forwarders = external.as_ref().map(|_| Forwarders::to(resolvers));
        Ok(Self {
            tools,
            owner,
            accounts,
            external,
            forwarders,
            state: Mutex::new(state),
            keyed_locks: KeyedLocks::default(),
            edge_turn: Mutex::default(),
            obstacle,
        })
    }

    /// The lock that is held while a VPC is changed.
    fn turn(&self, vni: Vni) -> Arc<Mutex<()>> {
        self.keyed_locks.of(vni.into())
    }

    /// Sets the wanted state of a VPC, and applies it if the VPC has a namespace.
    pub(super) fn ensure(&self, network: &Network) -> Result<(), HypervisorError> {
        self.state.lock().known.insert(network.id, Arc::new(network.clone()));
        let turn = self.turn(network.vni);
        let _turn = turn.lock();
        let Some(network) = self.state.lock().wanted(network.id) else { return Ok(()) };
        self.set_up(&network).map_err(|error| failed("cannot set up a network", error))
    }

    /// Removes a VPC.
    pub(super) fn delete(&self, id: Uuid) -> Result<(), HypervisorError> {
        let Some(vni) = self.state.lock().known.get(&id).map(|network| network.vni) else { return Ok(()) };
        let turn = self.turn(vni);
        let _turn = turn.lock();
        self.remove(vni).map_err(|error| failed("cannot remove a network", error))?;
        self.state.lock().known.remove(&id);
        Ok(())
    }

    /// Removes every VPC except these, including those of earlier servers. A failure does not prevent the removal of
    /// the others.
    pub(super) fn retain(&self, ids: &[Uuid]) -> Result<(), HypervisorError> {
        let unwanted: Vec<Vni> = {
            let mut state = self.state.lock();
            state.known.retain(|id, _| ids.contains(id));
            let wanted: BTreeSet<u32> = state.known.values().map(|network| network.vni.into()).collect();
            state.there.difference(&wanted).filter_map(|vni| Vni::try_from(*vni).ok()).collect()
        };
        let remove = |vni| {
            let turn = self.turn(vni);
            let _turn = turn.lock();
            self.remove(vni).map_err(|error| failed("cannot remove a network", error))
        };
        all(unwanted.into_iter().map(remove))
    }

    /// Restarts name services that have exited, and updates the addresses of the external interface. A failure of a VPC
    /// does not affect the others, and VPCs that are being changed are skipped.
    pub(super) fn watch(&self) -> Result<(), HypervisorError> {
        let there: Vec<Arc<Network>> = {
            let state = self.state.lock();
            state.known.keys().filter_map(|id| state.wanted(*id)).collect()
        };
        let watch = |network: &Arc<Network>| {
            let turn = self.turn(network.vni);
            let Some(_turn) = turn.try_lock() else { return Ok(()) };
            // It may have been changed or removed since it was listed.
            let Some(network) = self.state.lock().wanted(network.id) else { return Ok(()) };
            let name = self.owner.vpc(network.vni);
            let watched = self.forward(network.vni, &name).and_then(|forwards| {
                let space = self.tools.space(&name);
                service::watch(&self.tools, self.owner, space, self.user(network.vni), &network, forwards)
            });
            watched.map_err(|error| failed("cannot restart a name service", error))
        };
        let watched = all(there.iter().map(watch));
        if self.external.is_none() || there.is_empty() {
            return watched;
        }
        watched.and(self.lead().map_err(|error| failed("cannot set up the external interface", error)))
    }

    /// The user that the dnsmasq of the VPC runs as.
    fn user(&self, vni: Vni) -> u32 {
        self.accounts.of_network(vni.into())
    }

    /// The caller must hold the VPC's lock.
    fn remove(&self, vni: Vni) -> io::Result<()> {
        service::remove(self.owner, vni, self.user(vni))?;
        self.forwarders.iter().for_each(|forwarders| forwarders.remove(vni));
        self.tools.delete_namespace(&self.owner.vpc(vni))?;
        self.state.lock().there.remove(&vni.into());
        self.lead()
    }

    /// Starts or stops the DNS forwarder of a VPC. Returns whether there is one.
    fn forward(&self, vni: Vni, namespace: &str) -> io::Result<bool> {
        let Some(forwarders) = &self.forwarders else { return Ok(false) };
        forwarders.ensure(vni, namespace)?;
        Ok(true)
    }

    /// Applies the routes to external addresses.
    fn lead(&self) -> io::Result<()> {
        let _turn = self.edge_turn.lock();
        let entrances = self.state.lock().entrances();
        let obstacle = edge::apply(&self.tools, self.owner, &entrances, self.external.as_deref())?;
        self.log_obstacle(obstacle);
        Ok(())
    }

    /// Logs when the reason why IPv6 does not pass changes.
    fn log_obstacle(&self, obstacle: Option<Ipv6Obstacle>) {
        let mut told = self.obstacle.lock();
        if *told == obstacle {
            return;
        }
        if let Some(obstacle) = obstacle {
            tracing::warn!("guests cannot reach outside networks by IPv6: {obstacle}");
        } else {
            tracing::info!("guests can reach outside networks by IPv6 again");
        }
        *told = obstacle;
    }

    /// Creates the links of a machine before it starts as this user, and returns the namespace in which it starts.
    pub(super) fn plug(&self, interfaces: &[MachineInterface], user: u32) -> io::Result<Option<String>> {
        let Some(first) = interfaces.first() else { return Ok(None) };
        let unknown = || io::Error::other("its VPC is not set up yet");
        let id = first.vpc_id;
        let vni = self.state.lock().known.get(&id).map(|network| network.vni).ok_or_else(unknown)?;
        let turn = self.turn(vni);
        let _turn = turn.lock();
        let name = self.owner.vpc(vni);
        self.tools.add_namespace(&name)?;
        self.state.lock().there.insert(vni.into());
        let space = self.tools.space(&name);
        space.settings(&LINKS)?;
        let there = space.links()?;
        for family in Family::BOTH {
            let mut lines = String::new();
            for interface in interfaces.iter().filter(|interface| Family::of(interface.ip) == family) {
                plug_one(&mut lines, interface, user, &there);
            }
            space.batch(family, &lines)?;
        }
        let network = self.state.lock().wanted(id).ok_or_else(unknown)?;
        self.set_up(&network)?;
        Ok(Some(name))
    }

    /// Removes the links of a machine that has ended.
    pub(super) fn unplug(&self, namespace: &str, interfaces: &[Uuid]) {
        let vni =
            self.owner.suffix(namespace).and_then(|suffix| Vni::try_from(suffix.parse::<u32>().ok()?).ok());
        let turn = vni.map(|vni| self.turn(vni));
        let _turn = turn.as_ref().map(|turn| turn.lock());
        let space = self.tools.space(namespace);
        // If the namespace is gone, so are its links.
        let there = space.links().unwrap_or_default();
        let links = interfaces.iter().map(|id| tap(*id)).filter(|link| there.contains(link));
        let mut removals = String::new();
        for link in links {
            let _ = writeln!(removals, "link del {link}");
        }
        if let Err(error) = space.batch(Family::V4, &removals) {
            tracing::warn!(namespace, %error, "cannot remove the network links of an ended machine");
        }
    }

    /// The traffic counters of a machine's links. A link that is gone has none.
    pub(super) fn counters(&self, namespace: &str, interfaces: &[Uuid]) -> Vec<InterfaceCounters> {
        let shown = match self.tools.space(namespace).show(None, &["link", "show"]) {
            Ok(shown) => shown,
            Err(error) => {
                tracing::warn!(namespace, %error, "cannot read the counters of a machine's network links");
                return Vec::new();
            }
        };
        let links: Vec<_> = shown.as_array().into_iter().flatten().collect();
        let of_one = |id: &Uuid| {
            let name = tap(*id);
            let link = links.iter().find(|link| link["ifname"] == name.as_str())?;
            let number = |way: &str, what: &str| link["stats64"][way][what].as_u64().unwrap_or_default();
            // The link receives what the guest sends.
            let traffic = Traffic {
                bytes_received: number("tx", "bytes"),
                bytes_sent: number("rx", "bytes"),
                packets_received: number("tx", "packets"),
                packets_sent: number("rx", "packets"),
                errors_received: number("tx", "errors"),
                errors_sent: number("rx", "errors"),
            };
            let packets_dropped = number("tx", "dropped") + number("rx", "dropped");
            Some(InterfaceCounters { id: *id, traffic, packets_dropped })
        };
        interfaces.iter().filter_map(of_one).collect()
    }

    /// Applies the wanted state of a VPC that has a namespace. The caller must hold its lock.
    fn set_up(&self, network: &Network) -> io::Result<()> {
        let name = self.owner.vpc(network.vni);
        let space = self.tools.space(&name);
        {
            let _turn = self.edge_turn.lock();
            edge::ensure(&self.tools, self.owner)?;
        }
        self.tools.add_namespace(&name)?;
        // Rules come first, so that nothing passes without them.
        space.nft(&firewall::ruleset(network).to_string())?;
        space.settings(&SETTINGS)?;
        {
            let _turn = self.edge_turn.lock();
            edge::connect(&self.tools, self.owner, network.vni)?;
        }
        route(space, network)?;
        let forwards = self.forward(network.vni, &name)?;
        service::ensure(&self.tools, self.owner, space, self.user(network.vni), network, forwards)?;
        self.lead()
    }
}

/// Runs all, and returns the first failure.
fn all(results: impl Iterator<Item = Result<(), HypervisorError>>) -> Result<(), HypervisorError> {
    results.fold(Ok(()), Result::and)
}

/// The device for opening the links of guests.
const LINK_DEVICE: &str = "/dev/net/tun";

/// Whether the users of machines may open the device. By default only root may; udev allows it for everybody, because a
/// link can be opened only by the user that it was created for.
fn check_device(mode: u32) -> io::Result<()> {
    if mode & 0o006 == 0o006 {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "machines run as unprivileged users, which may not open {LINK_DEVICE}: run `chmod 0666 \
         {LINK_DEVICE}`, the usual mode under udev"
    )))
}

/// Whether the users of machines may open the device of links, or why not.
pub(super) fn check_link_device() -> io::Result<()> {
    let device = fs::metadata(LINK_DEVICE)
        .map_err(|error| io::Error::new(error.kind(), format!("{LINK_DEVICE}: {error}")))?;
    check_device(device.mode())
}

/// Whether VPCs can be set up here, or why not, found out in a temporary namespace.
pub(super) fn examine(
    accounts: Option<Accounts>,
    external: Option<&str>,
    programs: &Programs,
) -> Result<(), String> {
    prepare(Owner::of(Uuid::new_v4()), accounts, external, programs).map(drop)
}

/// Finds what VPCs need, and tries it out.
fn prepare(
    owner: Owner,
    accounts: Option<Accounts>,
    external: Option<&str>,
    programs: &Programs,
) -> Result<(Tools, Accounts), String> {
    let accounts = accounts.ok_or("that needs root")?;
    let tools = Tools::find(programs)?;
    if let Some(interface) = external {
        uplink::check(&tools, owner, interface)?;
    }
    try_out(&tools, &owner.trial()).map_err(|error| error.to_string())?;
    Ok((tools, accounts))
}

/// One-time preparation for all VPCs.
fn try_out(tools: &Tools, namespace: &str) -> io::Result<()> {
    check_link_device()?;
    let nobody = Network {
        id: Uuid::nil(),
        vni: Vni::try_from(0).map_err(io::Error::other)?,
        dns_name: croft_api::scalar::Name::literal("trial"),
        subnets: Vec::new(),
        interfaces: Vec::new(),
        rules: Vec::new(),
    };
    tools.delete_namespace(namespace)?;
    tools.add_namespace(namespace)?;
    let space = tools.space(namespace);
    let tried = space
        .nft(&firewall::ruleset(&nobody).to_string())
        .and_then(|()| space.settings(&LINKS))
        .and_then(|()| space.settings(&SETTINGS))
        .and_then(|()| space.batch(Family::V4, "tuntap add dev tap-trial mode tap\n"))
        .and_then(|()| space.batch(Family::V4, "link add trial type veth\n"));
    tools.delete_namespace(namespace)?;
    tried
}

/// The lines that create a link, replacing an old one.
fn plug_one(lines: &mut String, interface: &MachineInterface, user: u32, there: &[String]) {
    let link = tap(interface.id);
    if there.contains(&link) {
        let _ = writeln!(lines, "link del {link}");
    }
    let (ip, mac) = (interface.ip, interface.mac.to_string().to_lowercase());
    let (gateway, width) = (service::gateway(interface.subnet), interface.subnet.width());
    let (host, quick) = match interface.ip {
        std::net::IpAddr::V4(_) => (32, ""),
        // The gateway's address is unique, so duplicate address detection is not needed.
        std::net::IpAddr::V6(_) => (128, " nodad"),
    };
    let _ = writeln!(
        lines,
        "tuntap add dev {link} mode tap user {user}\n\
         link set {link} address {GATEWAY_MAC} up\n\
         addr add {gateway}/{width} dev {link} noprefixroute{quick}\n\
         route replace {ip}/{host} dev {link}\n\
         neigh replace {ip} lladdr {mac} dev {link} nud permanent"
    );
}

/// Enables forwarding in the namespace of a VPC.
fn route(space: Namespace<'_>, network: &Network) -> io::Result<()> {
    let links = space.links()?;
    let interfaces = network.interfaces.iter().map(|interface| interface.id);
    let linked: BTreeSet<Uuid> = interfaces.filter(|id| links.contains(&tap(*id))).collect();
    space.batch(Family::V4, &format!("link set lo up\nlink set {UPLINK} up\n"))?;
    for family in Family::BOTH {
        let mut ways = String::new();
        for number in 0..routing::gateways(network).len() {
            let gateway = names::gateway_address(family, number);
            let _ = writeln!(ways, "neigh replace {gateway} lladdr {UPPER_MAC} dev {UPLINK} nud permanent");
        }
        space.batch(family, &ways)?;
        let wanted = routing::routes(network, &linked, family);
        let rules = space.show(Some(family), &["rule", "show"])?;
        let routes = space.show(Some(family), &["route", "show", "table", "all"])?;
        space.batch(family, &routing::changes(network, &wanted, &rules, &routes))?;
    }
    Ok(())
}
