use std::{net::IpAddr, ops::ControlFlow};

use croft_api::firewall::{VpcFirewallRuleDirection, VpcFirewallRuleProtocol};
use uuid::Uuid;

use crate::{
    Delivery, ExternalKind, Interface, Network, Origin, Outcome, Packet, Protocol, Route, RouteTarget, Rule,
    SourceCheck, Step, Verdict,
};

/// What becomes of the first packet of an exchange; whatever answers it passes, since firewalls and address translation
/// are stateful. Total: every packet gets a verdict. Takes time in proportion to the rules and interfaces of the VPC.
///
/// The way of a packet from an interface:
/// 1. The interface must send from its own address or from one of its transit networks.
/// 2. Its outbound rules: the first that fits decides, none lets it pass.
/// 3. The routes of its subnet: the first that fits decides, none leads nowhere.
/// 4. To a subnet it goes to the interface that has the destination address; to an address, to the interface that has that
///    one. It must be another one than the sender's, and must take packets to the destination (own address or transit
///    networks); then its inbound rules decide, of which none drops the packet.
/// 5. To a gateway it leaves with an external address of the sender that leaves by that gateway: a floating one first, then
///    the ephemeral one, then the ports that it shares. If the destination is an external address of this VPC, it comes in
///    again from outside.
///
/// The way of a packet from outside: its source must not be in a block of the VPC; the destination must be a floating or
/// ephemeral address, which stands for the address of its instance's primary interface, whose inbound rules decide. If that
/// is of the other address family, the packet leads nowhere. To an address that is only sent from, only answers come.
pub fn decide<'n>(network: &'n Network, packet: &Packet) -> Verdict<'n> {
    let mut way = PacketPath { network, protocol: packet.protocol(), steps: Vec::new() };
    // Where the way ends is the last of its steps.
    let _ = match packet.origin() {
        Origin::Interface(id) => way.send(id, packet),
        Origin::Outside => way.arrive(packet.source(), packet.destination()),
    };
    Verdict { network, steps: way.steps }
}

/// The way of one packet, as far as it has come.
struct PacketPath<'n> {
    network: &'n Network,
    protocol: Protocol,
    steps: Vec<Step<'n>>,
}

impl<'n> PacketPath<'n> {
    fn take(&mut self, step: Step<'n>) -> ControlFlow<()> {
        let outcome = step.outcome();
        self.steps.push(step);
        if outcome == Outcome::Allowed { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn send(&mut self, id: Uuid, packet: &Packet) -> ControlFlow<()> {
        let (source, destination) = (packet.source(), packet.destination());
        let Some(sender) = self.network.interface(id) else {
            return self.take(Step::SourceCheck(SourceCheck::NoInterface));
        };
        self.take(Step::SourceCheck(check_source(sender, source)))?;
        let rule = self.rule(VpcFirewallRuleDirection::Outbound, sender, destination);
        self.take(Step::OutboundFirewall { interface: sender, rule })?;
        let Some(subnet) = self.network.subnet(sender.subnet_id) else {
            return self.take(Step::Delivery(Delivery::Nobody(destination)));
        };
        let route = subnet.route_to(destination);
        self.take(Step::Route { subnet, route })?;
        let Some(route) = route else { return ControlFlow::Break(()) };
        match &route.target {
            RouteTarget::Subnet(_) => self.deliver_to(sender, source, destination, destination),
            RouteTarget::Address(next) => self.deliver_to(sender, source, destination, *next),
            RouteTarget::Gateway { addresses, .. } => {
                let external = sender.external.egress_address(destination, addresses);
                self.leave(sender, route, external, source, destination)
            }
            RouteTarget::Drop => ControlFlow::Break(()),
        }
    }

    /// To the interface that has the address `next`, whatever the destination is.
    fn deliver_to(
        &mut self,
        sender: &'n Interface,
        source: IpAddr,
        destination: IpAddr,
        next: IpAddr,
    ) -> ControlFlow<()> {
        let Some(receiver) = self.network.interface_at(next) else {
            return self.take(Step::Delivery(Delivery::Nobody(next)));
        };
        if receiver.id == sender.id {
            return self.take(Step::Delivery(Delivery::Sender(sender)));
        }
        let transit = receiver.transit_network_of(destination);
        self.take(Step::DestinationCheck { interface: receiver, destination, transit })?;
        self.receive(receiver, source)
    }

    fn leave(
        &mut self,
        sender: &'n Interface,
        route: &'n Route,
        external: Option<(IpAddr, ExternalKind)>,
        source: IpAddr,
        destination: IpAddr,
    ) -> ControlFlow<()> {
        self.take(Step::Gateway { route, interface: sender, external })?;
        let Some((to, kind)) = external else { return ControlFlow::Break(()) };
        self.take(Step::SourceNat { interface: sender, from: source, to, kind })?;
        if self.network.holder_of(destination).is_some() {
            return self.enter(to, destination);
        }
        self.take(Step::Delivery(Delivery::Outside))
    }

    fn arrive(&mut self, source: IpAddr, destination: IpAddr) -> ControlFlow<()> {
        let pretended = self.network.subnets.iter().find(|subnet| subnet.contains(source));
        self.take(Step::SourceCheck(pretended.map_or(SourceCheck::Outside, SourceCheck::Forged)))?;
        self.enter(source, destination)
    }

    fn enter(&mut self, source: IpAddr, destination: IpAddr) -> ControlFlow<()> {
        match self.network.holder_of(destination) {
            None => self.take(Step::Delivery(Delivery::NotExternal(destination))),
            Some((holder, ExternalKind::SourceNat(_))) => {
                self.take(Step::Delivery(Delivery::OnlyAnswers(holder)))
            }
            Some((interface, _)) if interface.ip.is_ipv4() != destination.is_ipv4() => {
                self.take(Step::Delivery(Delivery::OtherFamily { external: destination, interface }))
            }
            Some((interface, kind)) => {
                self.take(Step::DestinationNat { external: destination, kind, interface })?;
                self.receive(interface, source)
            }
        }
    }

    fn receive(&mut self, receiver: &'n Interface, source: IpAddr) -> ControlFlow<()> {
        let rule = self.rule(VpcFirewallRuleDirection::Inbound, receiver, source);
        self.take(Step::InboundFirewall { interface: receiver, rule })?;
        self.take(Step::Delivery(Delivery::Interface(receiver)))
    }

    /// The rule that decides about what an interface and a peer exchange.
    fn rule(
        &self,
        direction: VpcFirewallRuleDirection,
        interface: &Interface,
        peer: IpAddr,
    ) -> Option<&'n Rule> {
        let mut of_direction = self.network.rules.iter().filter(|rule| rule.direction == direction);
        of_direction.find(|rule| rule.fits(interface, peer, self.protocol))
    }
}

fn check_source(sender: &Interface, source: IpAddr) -> SourceCheck<'_> {
    match sender.transit_network_of(source) {
        _ if sender.ip == source => SourceCheck::Own(sender),
        Some(network) => SourceCheck::Transit(sender, network),
        None => SourceCheck::NotItsOwn(sender),
    }
}

impl Rule {
    /// Whether it is for what this interface and this peer exchange. Every kind of filter that is set must fit; of each one
    /// entry is enough. Ports fit only what has ports.
    fn fits(&self, interface: &Interface, peer: IpAddr, protocol: Protocol) -> bool {
        self.targets.binary_search(&interface.id).is_ok()
            && self.hosts.as_ref().is_none_or(|hosts| hosts.iter().any(|host| host.contains(peer)))
            && self.protocols.as_ref().is_none_or(|protocols| {
                protocols.iter().any(|filter| fits_protocol(*filter, protocol, peer.is_ipv4()))
            })
            && self.ports.as_ref().is_none_or(|ports| {
                protocol.port().is_some_and(|port| ports.iter().any(|range| range.contains(port)))
            })
    }
}

fn fits_protocol(filter: VpcFirewallRuleProtocol, protocol: Protocol, ipv4: bool) -> bool {
    match (filter, protocol) {
        (VpcFirewallRuleProtocol::Tcp, Protocol::Tcp { .. })
        | (VpcFirewallRuleProtocol::Udp, Protocol::Udp { .. }) => true,
        (VpcFirewallRuleProtocol::Icmp { value }, Protocol::Icmp { icmp_type, code }) if ipv4 => value
            .is_none_or(|value| {
                value.icmp_type == icmp_type
                    && value.code.is_none_or(|codes| (codes.first..=codes.last).contains(&code))
            }),
        _ => false,
    }
}
