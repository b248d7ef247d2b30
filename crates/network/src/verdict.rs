use std::net::IpAddr;

use croft_api::{firewall::VpcFirewallRuleAction, scalar::IpNet};

use crate::{Interface, Network, Route, RouteTarget, Rule, SourceNat, Subnet};

/// What becomes of a packet, with everything that had a say in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict<'n> {
    /// The VPC that was asked.
    pub network: &'n Network,
    /// What was asked, in order: never nothing. All passed but perhaps the last, which decided.
    pub steps: Vec<Step<'n>>,
}

/// The end of a packet's way, or that of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It passes.
    Allowed,
    /// Somebody does not want it to pass.
    Denied,
    /// It leads nowhere.
    Unreachable,
}

/// Whether a packet comes from the address that it says it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceCheck<'n> {
    /// It has the address of the interface that sent it.
    Own(&'n Interface),
    /// It has an address of a network that the interface may send from.
    Transit(&'n Interface, IpNet),
    /// It has an address that the interface may not send from.
    NotItsOwn(&'n Interface),
    /// No interface of the VPC sent it.
    NoInterface,
    /// It comes from outside, and says so.
    Outside,
    /// It comes from outside with an address of this subnet.
    Forged(&'n Subnet),
}

/// What an external address is to its instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalKind {
    /// A floating IP.
    Floating,
    /// Its ephemeral address.
    Ephemeral,
    /// Some ports of a shared address, to send from.
    SourceNat(SourceNat),
}

/// Where a packet comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery<'n> {
    /// At an interface of the VPC.
    Interface(&'n Interface),
    /// Beyond a gateway, where nobody here knows what becomes of it.
    Outside,
    /// Nowhere: no interface of the VPC has this address.
    Nobody(IpAddr),
    /// Nowhere: the way leads back to the interface that sent it.
    Sender(&'n Interface),
    /// Nowhere: of the external address to which it was sent, this interface only has answers.
    OnlyAnswers(&'n Interface),
    /// Nowhere: this external address leads to an interface, whose address is of the other family, and nothing translates
    /// between the two.
    OtherFamily {
        /// The external address.
        external: IpAddr,
        /// The interface.
        interface: &'n Interface,
    },
    /// Nowhere: from outside only external addresses of the VPC's instances lead in, and this is none.
    NotExternal(IpAddr),
}

/// One step on a packet's way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<'n> {
    /// May it come from where it says?
    SourceCheck(SourceCheck<'n>),
    /// What do the sender's outbound rules say?
    OutboundFirewall {
        /// The sender.
        interface: &'n Interface,
        /// The rule that decided; `None` if no rule fits, and so it may be sent.
        rule: Option<&'n Rule>,
    },
    /// Where does it go?
    Route {
        /// The sender's subnet, whose routes count.
        subnet: &'n Subnet,
        /// The route that fits best; `None` if none fits.
        route: Option<&'n Route>,
    },
    /// With which address does it leave?
    Gateway {
        /// The route to the gateway.
        route: &'n Route,
        /// The sender.
        interface: &'n Interface,
        /// An external address of the sender that leaves by this gateway, if it has one.
        external: Option<(IpAddr, ExternalKind)>,
    },
    /// It leaves with another source address.
    SourceNat {
        /// The sender.
        interface: &'n Interface,
        /// The address that it was sent with.
        from: IpAddr,
        /// The external address that it leaves with.
        to: IpAddr,
        /// What that is to the sender.
        kind: ExternalKind,
    },
    /// It was sent to an external address, which leads to an interface.
    DestinationNat {
        /// The external address.
        external: IpAddr,
        /// What that is to the interface's instance: never something to send from.
        kind: ExternalKind,
        /// The interface.
        interface: &'n Interface,
    },
    /// Does the receiver take packets to this address?
    DestinationCheck {
        /// The receiver.
        interface: &'n Interface,
        /// The address, its own or not.
        destination: IpAddr,
        /// The network that makes it take them, if it is not its own.
        transit: Option<IpNet>,
    },
    /// What do the receiver's inbound rules say?
    InboundFirewall {
        /// The receiver.
        interface: &'n Interface,
        /// The rule that decided; `None` if no rule fits, and so it is dropped.
        rule: Option<&'n Rule>,
    },
    /// Where does it come out?
    Delivery(Delivery<'n>),
}

impl Verdict<'_> {
    /// What becomes of the packet: what the last step says.
    pub fn outcome(&self) -> Outcome {
        self.steps.last().map_or(Outcome::Unreachable, Step::outcome)
    }
}

impl Step<'_> {
    /// Whether the packet gets past this step.
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
