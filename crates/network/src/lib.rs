//! A VPC as packets see it: every name resolved, every rule and route in the order in which it counts.
//!
//! `croft-control` makes a [`Network`] from its records; the question "may this packet pass, and where does it go?" is
//! answered from it by [`decide`], and so is what a host has to set up to carry the packets
//! (`docs/rules/networking.md`).

mod compare;
mod decide;
mod network;
mod packet;
mod routes;
mod verdict;

pub use compare::{Change, Comparison, Peer, Traffic, compare};
pub use decide::decide;
pub use network::{ExternalAddresses, Interface, Network, Route, RouteTarget, Rule, SourceNat, Subnet};
pub use packet::{MixedFamilies, Origin, Packet, Protocol};
pub use routes::Routes;
pub use verdict::{Delivery, ExternalKind, Outcome, SourceCheck, Step, Verdict};
