use std::net::IpAddr;

use croft_api::{firewall::VpcFirewallRuleAction, scalar::IpNet};

use crate::{Interface, Network, Route, RouteTarget, Rule, SourceNat, Subnet};

/// The outcome for a packet, with everything that decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict<'n> {
    /// The VPC.
    pub network: &'n Network,
    /// The steps in order, at least one. All are passed, except possibly the last one, which decides.
    pub steps: Vec<Step<'n>>,
}

/// The outcome of a packet or of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It passes.
    Allowed,
    /// A rule or check does not allow it.
    Denied,
    /// There is no receiver.
    Unreachable,
}

/// Whether the source address of a packet is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceCheck<'n> {
    /// The address of the interface that sent it.
    Own(&'n Interface),
    /// An address of a network that the interface may send from.
    Transit(&'n Interface, IpNet),
    /// An address that the interface may not send from.
    NotItsOwn(&'n Interface),
    /// No interface of the VPC sent the packet.
    NoInterface,
    /// An external address, from outside.
    Outside,
    /// An address of this subnet, from outside.
    Forged(&'n Subnet),
}

/// The kind of an external address of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalKind {
    /// A floating IP.
    Floating,
    /// The ephemeral IP.
    Ephemeral,
    /// A range of ports of a shared address, for outbound connections.
    SourceNat(SourceNat),
}

/// The destination that a packet reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery<'n> {
    /// An interface of the VPC.
    Interface(&'n Interface),
    /// A network beyond a gateway, where the further path is unknown.
    Outside,
    /// None: no interface of the VPC has this address.
    Nobody(IpAddr),
    /// None: the path leads back to the interface that sent it.
    Sender(&'n Interface),
    /// None: the external address is a SNAT IP of this interface, which accepts replies only.
    OnlyAnswers(&'n Interface),
    /// None: the external address leads to an interface whose address is of the other family, and nothing translates
    /// between them.
    OtherFamily {
        /// The external address.
        external: IpAddr,
        /// The interface.
        interface: &'n Interface,
    },
    /// None: packets from outside can only be sent to external addresses of the VPC's instances.
    NotExternal(IpAddr),
}

/// A step on the path of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<'n> {
    /// Is the source address valid?
    SourceCheck(SourceCheck<'n>),
    /// Do the sender's outbound rules allow it?
    OutboundFirewall {
        /// The sender.
        interface: &'n Interface,
        /// The rule that decided. `None` if no rule matches, which allows the packet.
        rule: Option<&'n Rule>,
    },
    /// Which route applies?
    Route {
        /// The sender's subnet with its routes.
        subnet: &'n Subnet,
        /// The most specific matching route, if there is one.
        route: Option<&'n Route>,
    },
    /// Which source address does it leave with?
    Gateway {
        /// The route to the gateway.
        route: &'n Route,
        /// The sender.
        interface: &'n Interface,
        /// An external address of the sender that uses this gateway, if it has one.
        external: Option<(IpAddr, ExternalKind)>,
    },
    /// The source address is translated.
    SourceNat {
        /// The sender.
        interface: &'n Interface,
        /// The original source address.
        from: IpAddr,
        /// The external address.
        to: IpAddr,
        /// The kind of the external address.
        kind: ExternalKind,
    },
    /// The external destination address is translated to that of an interface.
    DestinationNat {
        /// The external address.
        external: IpAddr,
        /// The kind of the external address, which is not SNAT.
        kind: ExternalKind,
        /// The interface.
        interface: &'n Interface,
    },
    /// Does the receiver accept packets for this address?
    DestinationCheck {
        /// The receiver.
        interface: &'n Interface,
        /// The address, which may be another one than the receiver's.
        destination: IpAddr,
        /// The transit network because of which it accepts them, if the address is not its own.
        transit: Option<IpNet>,
    },
    /// Do the receiver's inbound rules allow it?
    InboundFirewall {
        /// The receiver.
        interface: &'n Interface,
        /// The rule that decided. `None` if no rule matches, which drops the packet.
        rule: Option<&'n Rule>,
    },
    /// Where is it delivered?
    Delivery(Delivery<'n>),
}

impl Verdict<'_> {
    /// The outcome of the packet, which is that of the last step.
    pub fn outcome(&self) -> Outcome {
        self.steps.last().map_or(Outcome::Unreachable, Step::outcome)
    }
}

impl Step<'_> {
    /// Whether the packet passes this step.
    pub fn outcome(&self) -> Outcome {
        let permitted = |permitted: bool| if permitted { Outcome::Allowed } else { Outcome::Denied };
        let reachable = |reachable: bool| if reachable { Outcome::Allowed } else { Outcome::Unreachable };
        match self {
            Self::SourceCheck(check) => permitted(matches!(
                check,
                SourceCheck::Own(_) | SourceCheck::Transit(..) | SourceCheck::Outside
            )),
            Self::OutboundFirewall { rule, .. } => permitted(rule.is_none_or(allows)),
            Self::Route { route: None, .. } => Outcome::Unreachable,
            Self::Route { route: Some(route), .. } => permitted(route.target != RouteTarget::Drop),
            Self::Gateway { external, .. } => reachable(external.is_some()),
            Self::SourceNat { .. } | Self::DestinationNat { .. } => Outcome::Allowed,
            Self::DestinationCheck { interface, destination, transit } => {
                permitted(interface.ip == *destination || transit.is_some())
            }
            Self::InboundFirewall { rule, .. } => permitted(rule.is_some_and(allows)),
            Self::Delivery(delivery) => {
                reachable(matches!(delivery, Delivery::Interface(_) | Delivery::Outside))
            }
        }
    }
}

fn allows(rule: &Rule) -> bool {
    rule.action == VpcFirewallRuleAction::Allow
}
