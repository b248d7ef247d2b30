//! Croft: a self-hosted cloud in one program.

mod admin;
mod allowed_sources;
mod audit_exports;
mod background;
mod body_timeout;
mod cli;
mod config;
mod console;
mod data_directory;
mod database_url;
mod demo;
mod failure;
mod first_start;
mod hypervisor;
mod inbound_icmp;
mod initial_password;
mod lease;
mod listener;
mod logging;
mod measuring;
mod metadata_fetch;
mod outbound;
mod password;
mod repositories;
mod secret_key;
mod serve;
mod storage;
mod support_bundles;
mod system;
mod tls;
mod webhooks;

use std::process::ExitCode;

use clap::Parser as _;
use mimalloc::MiMalloc;

use crate::cli::{Arguments, Command};

/// Requests make many small allocations that are freed on other threads, for which the system's allocator is slow.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Serve(options) => options.resolve().and_then(|config| serve::run(&config)),
        Command::Admin(command) => admin::run(command),
        Command::Openapi => {
            print!("{}", croft_http::openapi::CONTRACT);
            Ok(())
        }
        Command::Version => {
            println!("croft {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.kind as u8)
        }
    }
}
