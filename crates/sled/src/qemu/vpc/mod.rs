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

/// What a VPC's namespace is set to before there are links in it.
const LINKS: [&str; 5] = [
    "ipv6/conf/all/disable_ipv6=0",
    "ipv6/conf/default/disable_ipv6=0",
    "ipv6/conf/default/accept_ra=0",
    // Guests believe what the gateway says of itself by its link-local address alone. It has that immediately if it
    // does not look for others that have the same: there are none on its links.
    "ipv6/conf/all/accept_dad=0",
    "ipv6/conf/default/accept_dad=0",
];

/// What a VPC's namespace is set to when its rules are in force.
const SETTINGS: [&str; 8] = [
    "ipv4/ip_forward=1",
    // The gateway answers for every neighbour.
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
    /// The users that names and addresses are given out by are of these.
    accounts: Accounts,
    /// The host's interface that external addresses leave by, and are reached; without one they are the host's alone.
    external: Option<String>,
    /// Who resolves names beyond the VPCs for those who can come there.
    forwarders: Option<Forwarders>,
    /// Held for moments only, never while a program runs: whoever has a turn may need long.
    state: Mutex<State>,
    /// Held by whoever changes a VPC, by VNI, so that one that takes long holds up no other.
    keyed_locks: KeyedLocks<u32>,
    /// Held by whoever changes what all VPCs share, for which it may have a turn at one of them already.
    edge_turn: Mutex<()>,
    /// What was last seen to keep IPv6 from passing beyond the host.
    obstacle: Mutex<Option<Ipv6Obstacle>>,
}

#[derive(Debug, Default)]
struct State {
    /// What the reconciler last said of each VPC.
    known: BTreeMap<Uuid, Arc<Network>>,
    /// The VPCs that have a namespace, by VNI.
    there: BTreeSet<u32>,
}

impl State {
    /// A VPC as it is to be, if it has a namespace.
    fn wanted(&self, id: Uuid) -> Option<Arc<Network>> {
        let network = self.known.get(&id)?;
        self.there.contains(&u32::from(network.vni)).then(|| Arc::clone(network))
    }

    /// Where the external addresses are of the VPCs that have a namespace.
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
    /// Finds out whether VPCs can be set up here, by trying it in a namespace that goes again. Nothing is left on the host
    /// until a machine is started in a VPC. Names beyond the VPCs are asked of these resolvers, or of the host's own if
    /// none are named, where there is an external interface.
    pub(super) fn open(
        sled: Uuid,
        accounts: Option<Accounts>,
        external: Option<&str>,
        resolvers: &[SocketAddr],
        programs: &Programs,
    ) -> Result<Self, String> {
        let accounts = accounts.ok_or("that needs root")?;
        let tools = Tools::find(programs)?;
        let owner = Owner::of(sled);
        if let Some(interface) = external {
            uplink::check(&tools, owner, interface)?;
        }
        try_out(&tools, &owner.trial()).map_err(|error| error.to_string())?;
        let there = Tools::namespaces().map_err(|error| error.to_string())?;
        let vni = |name: &String| owner.suffix(name)?.parse::<u32>().ok();
        let state = State { there: there.iter().filter_map(vni).collect(), ..State::default() };
        // What an earlier server let through is not asked for any more, even if no VPC is told of.
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

    /// What is held while a VPC is changed.
    fn turn(&self, vni: Vni) -> Arc<Mutex<()>> {
        self.keyed_locks.of(vni.into())
    }

    /// Takes in how a VPC is to be, and sees to it if it has a namespace.
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

    /// Removes every VPC but these, whoever made it. One that cannot be removed keeps no other from it.
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

    /// Starts name services that have ended by themselves, and follows the addresses of the external interface. A VPC that
    /// fails keeps no other from it, and one that is being changed is left to that.
    pub(super) fn watch(&self) -> Result<(), HypervisorError> {
        let there: Vec<Arc<Network>> = {
            let state = self.state.lock();
            state.known.keys().filter_map(|id| state.wanted(*id)).collect()
        };
        let watch = |network: &Arc<Network>| {
            let turn = self.turn(network.vni);
            let Some(_turn) = turn.try_lock() else { return Ok(()) };
            // It may have changed, or gone, since it was listed.
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

    /// The user that gives out the names and addresses of a VPC.
    fn user(&self, vni: Vni) -> u32 {
        self.accounts.of_network(vni.into())
    }

    /// To be called by whoever has the VPC's turn.
    fn remove(&self, vni: Vni) -> io::Result<()> {
        service::remove(self.owner, vni, self.user(vni))?;
        self.forwarders.iter().for_each(|forwarders| forwarders.remove(vni));
        self.tools.delete_namespace(&self.owner.vpc(vni))?;
        self.state.lock().there.remove(&vni.into());
        self.lead()
    }

    /// Has names beyond a VPC be resolved, if anything is beyond it. Answers that.
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

    /// Says once what keeps IPv6 from passing beyond this host, and when nothing does any more.
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

    /// Makes the links of a machine that is about to start as this user, and answers the namespace that it starts in.
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
        // A namespace that is gone has no links.
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

    /// What went through the links of a machine. One that is gone has no counters.
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
            // What the link receives is what the guest sends.
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

    /// Makes true what is known of a VPC that has a namespace; to be called by whoever has its turn.
    fn set_up(&self, network: &Network) -> io::Result<()> {
        let name = self.owner.vpc(network.vni);
        let space = self.tools.space(&name);
        {
            let _turn = self.edge_turn.lock();
            edge::ensure(&self.tools, self.owner)?;
        }
        self.tools.add_namespace(&name)?;
        // Rules come first: nothing passes without them.
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

/// Does all of these, and answers the first failure.
fn all(results: impl Iterator<Item = Result<(), HypervisorError>>) -> Result<(), HypervisorError> {
    results.fold(Ok(()), Result::and)
}

/// What links of guests are opened through.
const LINK_DEVICE: &str = "/dev/net/tun";

/// Whether the users of machines may open links. The kernel keeps that to root; udev opens it to everybody, as a link lets in
/// none but the user that it was made for.
fn check_device(mode: u32) -> io::Result<()> {
    if mode & 0o006 == 0o006 {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "machines run as unprivileged users, which may not open {LINK_DEVICE}: run `chmod 0666 \
         {LINK_DEVICE}`, the usual mode under udev"
    )))
}

/// Does once what every VPC takes.
fn try_out(tools: &Tools, namespace: &str) -> io::Result<()> {
    let device = fs::metadata(LINK_DEVICE)
        .map_err(|error| io::Error::new(error.kind(), format!("{LINK_DEVICE}: {error}")))?;
    check_device(device.mode())?;
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

/// The lines that make a link anew.
fn plug_one(lines: &mut String, interface: &MachineInterface, user: u32, there: &[String]) {
    let link = tap(interface.id);
    if there.contains(&link) {
        let _ = writeln!(lines, "link del {link}");
    }
    let (ip, mac) = (interface.ip, interface.mac.to_string().to_lowercase());
    let (gateway, width) = (service::gateway(interface.subnet), interface.subnet.width());
    let (host, quick) = match interface.ip {
        std::net::IpAddr::V4(_) => (32, ""),
        // Nobody else has the gateway's address.
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

/// Has the namespace of a VPC send packets on where its routes say.
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
