//! `croft <resource> <verb>`: a client of the API on the command line.
//!
//! The commands are made from the OpenAPI documents when the program starts, so that every operation has one, with its
//! parameters and the properties of its body as options (`docs/decisions/0053-command-line-client.md`).

pub mod client;
mod command;
mod document;
mod failure;
mod import;
mod login;
mod naming;
mod output;
mod profile;
mod request;
mod run;
mod serial;
mod size;
mod wait;

pub use failure::{Failure, Result};
pub use output::Format;
pub use run::Client;
