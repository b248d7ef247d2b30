//! The rules on a whole control plane: a database in memory, a simulated hypervisor and a virtual clock.

// Helpers of tests unwrap as tests do; clippy's exception knows only functions marked as tests.
#![allow(clippy::unwrap_used)]

mod authorization;
mod credentials;
mod disks;
mod failures;
mod first_start;
mod instances;
mod kit;
mod model;
mod power;
mod projects;
mod quotas;
mod selectors;
