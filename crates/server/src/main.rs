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
mod doctor;
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

use clap::{CommandFactory as _, FromArgMatches as _, Parser as _};
use mimalloc::MiMalloc;

use crate::cli::{Arguments, Command};

/// Requests make many small allocations that are freed on other threads, for which the system's allocator is slow.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let command = match own_command() {
        Ok(command) => command,
        Err(code) => return code,
    };
    let done = match command {
        Command::Serve(options) => options.resolve().and_then(|config| serve::run(&config)),
        Command::Doctor(arguments) => return doctor::run(*arguments),
        Command::Config { data_dir } => {
            print!("{}", config::file::text(data_dir.as_deref()));
            Ok(())
        }
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

/// Runs the client if the command is one of the client's, and returns the program's own command otherwise.
///
/// A server starts without reading the documents that the client's commands are made from.
fn own_command() -> std::result::Result<Command, ExitCode> {
    let own = Arguments::command();
    let first = std::env::args_os().nth(1);
    let first = first.as_ref().and_then(|word| word.to_str());
    if first.is_some_and(|word| own.get_subcommands().any(|command| command.get_name() == word)) {
        return Ok(Arguments::parse().command);
    }
    let failed = |failure: &croft_cli::Failure| {
        eprintln!("{failure}");
        ExitCode::from(failure.exit_code())
    };
    let documents = [croft_http::openapi::CONTRACT, croft_http::openapi::EXTENSIONS];
    let client = croft_cli::Client::new(&documents).map_err(|failure| failed(&failure))?;
    let mut program = client.add_to(own);
    let matches = program.get_matches_mut();
    if matches.subcommand_name().is_some_and(|word| client.has(word)) {
        let done = client.run(&mut program, &matches);
        return Err(done.map_or_else(|failure| failed(&failure), |()| ExitCode::SUCCESS));
    }
    Arguments::from_arg_matches(&matches).map(|arguments| arguments.command).map_err(|error| error.exit())
}
