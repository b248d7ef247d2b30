//! A VPC as needed to decide about packets: all names are resolved, and rules and routes are in the order in which they
//! apply.
//!
//! `croft-control` derives a [`Network`] from its records. [`decide`] answers whether a packet passes and where it
//! goes, and hosts derive from the same [`Network`] what they set up (`docs/rules/networking.md`).

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
