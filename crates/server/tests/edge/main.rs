//! The program from outside: start and end, output, and the pages that it serves.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test and names its position")]

mod admin;
mod batches;
mod client;
mod console;
mod demo;
mod doctor;
mod failures;
mod hosts;
mod http2;
mod icmp;
mod life;
mod program;
mod sources;
mod support_bundles;
mod tls;
mod unpaused;
mod webhooks;
