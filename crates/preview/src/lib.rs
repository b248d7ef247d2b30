//! The preview: a whole cloud in a browser's worker, with the same rules, HTTP and database as the server.
//!
//! [`Cloud`] is what the server's `serve` is natively: it puts the parts together and does the background work when it is
//! called. It runs anywhere. What a browser gives (time, randomness, promises) is in `browser`, which exists in
//! WebAssembly alone.

mod archives;
#[cfg(target_family = "wasm")]
mod browser;
mod cloud;
mod host_services;

pub use cloud::{Cloud, OPEN, Person};
pub use host_services::HostServices;
