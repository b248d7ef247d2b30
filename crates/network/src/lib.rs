//! A VPC as packets see it: every name resolved, every rule and route in the order in which it counts.
//!
//! `croft-control` makes a [`Network`] from its records; the question "may this packet pass, and where does it go?" is
//! answered from it, and so is what a host has to set up to carry the packets (`domain/networking.md`, sections 3 to 8).

mod network;

pub use network::{ExternalAddresses, Interface, Network, Route, RouteTarget, Rule, SourceNat, Subnet};
