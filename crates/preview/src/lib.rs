//! The preview: a complete cloud in a browser's worker, with the rules, HTTP API and database of the server.
//!
//! [`Cloud`] corresponds to the server's `serve`: it assembles the parts and runs the background work when called. It
//! runs on any platform. The services of a browser (time, randomness, promises) are in `browser`, which exists only in
//! WebAssembly.

mod archives;
#[cfg(target_family = "wasm")]
mod browser;
mod cloud;
mod host_services;

pub use cloud::{Cloud, OPEN, Person};
pub use host_services::HostServices;
