//! The command line.

use clap::{Parser, Subcommand};
use croft_api::scalar::{Name, UserId};

use crate::{
    config::{Options, Place},
    first_start::{FIRST_SILO, FIRST_USER},
};

/// Croft: a self-hosted cloud in one program.
///
/// Exit codes: 0 done; 1 something failed; 2 the command line or the configuration is wrong; 3 the data directory is
/// in use or cannot be used; 4 the database cannot be used; 5 the address cannot be listened on.
#[derive(Debug, Parser)]
#[command(name = "croft", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What `croft` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server: API, console and machines
    ///
    /// Every option can also be set by the environment variable named beside it, and in the file given with
    /// --config by its name without the dashes (`data-dir = "/var/lib/croft"`). The command line wins over the
    /// environment, the environment over the file, and the file over the default.
    Serve(Box<Options>),
    /// Look after a server from its own host, also while it runs
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Print the OpenAPI document
    Openapi,
    /// Print the version
    Version,
}

/// What `croft admin` can do.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Give a local user a new password, print it, and end the user's sessions
    ResetPassword {
        /// Where the server keeps its data
        #[command(flatten)]
        place: Place,
        /// The user's silo
        #[arg(long, value_name = "NAME", default_value = FIRST_SILO)]
        silo: Name,
        /// The user
        #[arg(long, value_name = "NAME", default_value = FIRST_USER)]
        user: UserId,
        /// Read the new password from the first line of standard input instead of generating one
        #[arg(long)]
        password_stdin: bool,
    },
    /// Make a bearer token for automation and print it; it is shown only once
    Token {
        /// Where the server keeps its data
        #[command(flatten)]
        place: Place,
        /// The user's silo
        #[arg(long, value_name = "NAME", default_value = FIRST_SILO)]
        silo: Name,
        /// The user whose rights the token has
        #[arg(long, value_name = "NAME", default_value = FIRST_USER)]
        user: UserId,
        /// Days after which the token ends, 1 to 36500; without this it never does
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires: Option<u32>,
    },
}
