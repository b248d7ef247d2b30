//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use croft_api::scalar::{Label, Name, UserId};

use crate::{
    config::{DataSource, Options},
    first_start::{FIRST_SILO, FIRST_USER},
};

/// Croft: a self-hosted cloud in one program.
///
/// Exit codes: 0 success; 1 failure; 2 invalid command line or configuration; 3 the data directory is in use or cannot
/// be used; 4 the database cannot be used; 5 cannot listen on the address; 6 another server uses the database, or has
/// taken it over.
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
    /// --config by its name without the dashes (`data-dir = "/var/lib/croft"`). The command line overrides the
    /// environment, the environment overrides the file, and the file overrides the default.
    Serve(Box<Options>),
    /// Check what this host can do for the server, and say what is missing and what mends it
    ///
    /// Takes the options of `serve`, and looks at what that server would use. Nothing is created or changed, except that
    /// a test guest is run and a network namespace is made for a moment. It also works beside a running server.
    ///
    /// The exit code is 0 if nothing prevents the server from starting, and 1 otherwise. Warnings say what machines or
    /// networks cannot do on this host.
    Doctor(Box<DoctorArguments>),
    /// Print a configuration file with every option of `serve` and its default, as comments
    Config {
        /// Folder for all data of the server, set in the file
        #[arg(long, value_name = "FOLDER")]
        data_dir: Option<PathBuf>,
    },
    /// Administer a server from its own host, also while it runs
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Print the OpenAPI document
    Openapi,
    /// Print the version
    Version,
}

/// What `croft doctor` takes.
#[derive(Args, Clone, Debug, Default)]
pub struct DoctorArguments {
    /// The options of the server
    #[command(flatten)]
    pub options: Options,
    /// Print JSON: whether the server can start, and each check with its level (ok, warning or problem)
    #[arg(long)]
    pub json: bool,
}

/// What `croft admin` can do.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Set a new password for a local user, print it, and end the user's sessions and tokens; second factors stay
    ResetPassword {
        /// Where the server keeps its data
        #[command(flatten)]
        source: DataSource,
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
    /// Remove a local user's second factors and recovery codes, and end the user's sessions and tokens
    ResetSecondFactor {
        /// Where the server keeps its data
        #[command(flatten)]
        source: DataSource,
        /// The user's silo
        #[arg(long, value_name = "NAME", default_value = FIRST_SILO)]
        silo: Name,
        /// The user
        #[arg(long, value_name = "NAME", default_value = FIRST_USER)]
        user: UserId,
    },
    /// Create a bearer token for automation and print it; it is shown only once
    Token {
        /// Where the server keeps its data
        #[command(flatten)]
        source: DataSource,
        /// The user's silo
        #[arg(long, value_name = "NAME", default_value = FIRST_SILO)]
        silo: Name,
        /// The user whose rights the token has
        #[arg(long, value_name = "NAME", default_value = FIRST_USER)]
        user: UserId,
        /// Name of the token in lists
        #[arg(long, value_name = "NAME", default_value = "croft-admin")]
        name: Label,
        /// Days after which the token expires, 1 to 36500
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500), default_value_t = 30)]
        expires: u32,
        /// Create a token that never expires; anyone who has it has the user's rights until it is deleted
        #[arg(long, conflicts_with = "expires")]
        never_expires: bool,
    },
    /// Expunge a sled: declare it lost for good. Its instances fail, and restart elsewhere if their policy says so
    ExpungeSled {
        /// Where the server keeps its data
        #[command(flatten)]
        source: DataSource,
        /// The serial number of its baseboard
        #[arg(long, value_name = "SERIAL")]
        serial: String,
    },
    /// Clear the allow-list, so that connections from any address are allowed, if it locked everybody out
    AllowAnySource {
        /// Where the server keeps its data
        #[command(flatten)]
        source: DataSource,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn help(words: &[&str]) -> String {
        // A fixed width, so that the text does not depend on the terminal.
        let mut command = Arguments::command().term_width(100);
        command.build();
        let mut sub = &mut command;
        for word in words {
            sub = sub.find_subcommand_mut(word).unwrap();
        }
        // Trailing spaces are not significant, and editors remove them.
        sub.render_long_help().to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn help_texts() {
        insta::assert_snapshot!("croft", help(&[]));
        insta::assert_snapshot!("serve", help(&["serve"]));
        insta::assert_snapshot!("config", help(&["config"]));
        let doctor = help(&["doctor"]);
        let (begins, end) = (doctor.find("Options:").unwrap(), doctor.find("--json").unwrap());
        // Its other options are those of `serve`.
        insta::assert_snapshot!("doctor", format!("{}{}", &doctor[..begins], &doctor[end..]));
        insta::assert_snapshot!("admin", help(&["admin"]));
        insta::assert_snapshot!("admin_allow_any_source", help(&["admin", "allow-any-source"]));
        insta::assert_snapshot!("admin_reset_password", help(&["admin", "reset-password"]));
        insta::assert_snapshot!("admin_reset_second_factor", help(&["admin", "reset-second-factor"]));
        insta::assert_snapshot!("admin_expunge_sled", help(&["admin", "expunge-sled"]));
        insta::assert_snapshot!("admin_token", help(&["admin", "token"]));
    }

    #[test]
    fn every_option_names_its_default_and_its_variable() {
        let command = Arguments::command();
        let serve = command.find_subcommand("serve").unwrap();
        for argument in
            serve.get_arguments().filter(|argument| argument.get_long().is_some_and(|l| l != "help"))
        {
            let name = argument.get_long().unwrap();
            assert!(argument.get_env().is_some(), "--{name} has no variable");
            let text = argument.get_help().unwrap().to_string();
            let optional =
                name.ends_with("-file") || matches!(name, "config" | "database-url" | "console-dir");
            assert!(optional || text.contains("[default: "), "--{name} does not name its default");
        }
    }
}
