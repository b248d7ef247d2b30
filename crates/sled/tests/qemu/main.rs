//! Machines under real QEMU with the guest image of `cargo xtask guest-image`, through the trait only.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test and names its position")]

mod acceleration;
mod counted;
mod host;
mod hung;
mod incidents;
mod layers;
mod machines;
mod merging;
mod newer_addresses;
mod overlays;
mod screens;
mod vpcs;
mod world;
