use std::{net::IpAddr, ops::ControlFlow};

use croft_api::firewall::{VpcFirewallRuleDirection, VpcFirewallRuleProtocol};
use uuid::Uuid;

use crate::{
    Delivery, ExternalKind, Interface, Network, Origin, Outcome, Packet, Protocol, Route, RouteTarget, Rule,
    SourceCheck, Step, Verdict,
};

/// Decides about the first packet of a connection. Replies pass if it passes, because firewalls and address translation
/// are stateful. Every packet gets a verdict. The time is proportional to the number of rules and interfaces of the
/// VPC.
///
/// A packet from an interface:
/// 1. The interface must send from its own address or from one of its transit networks.
/// 2. The first matching outbound rule decides. Without one, the packet passes.
/// 3. The first matching route of its subnet decides. Without one, the packet is unreachable.
/// 4. A route to a subnet delivers to the interface with the destination address, a route to an address to the
///    interface with that address. It must not be the sender, and must accept packets for the destination (its own
///    address or its transit networks). Then the first matching inbound rule decides. Without one, the packet is
///    dropped.
/// 5. A route to a gateway sends the packet out with an external address of the sender that uses that gateway: a
///    floating IP if there is one, else the ephemeral IP, else the SNAT IP. If the destination is an external address
///    of this VPC, the packet is then treated like one from outside.
///
/// A packet from outside: its source must not be in a block of the VPC. The destination must be a floating or ephemeral
/// IP, which is translated to the address of its instance's primary interface, whose inbound rules decide. If that
/// address is of the other family, the packet is unreachable. A SNAT IP accepts replies only.
pub fn decide<'n>(network: &'n Network, packet: &Packet) -> Verdict<'n> {
    let mut way = PacketPath { network, protocol: packet.protocol(), steps: Vec::new() };
    // The last step contains the result.
    let _ = match packet.origin() {
        Origin::Interface(id) => way.send(id, packet),
        Origin::Outside => way.arrive(packet.source(), packet.destination()),
    };
    Verdict { network, steps: way.steps }
}

/// The path of a packet, as far as it is decided.
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

    /// Delivers to the interface with the address `next`, regardless of the destination.
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

    /// The rule that decides about packets between an interface and a peer.
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
    /// Whether the rule matches packets between this interface and this peer. Every filter that is set must match with
    /// at least one of its entries. Ports match only protocols with ports.
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
