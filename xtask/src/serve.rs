//! From a fresh machine to a running cloud.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;

use crate::console;
use crate::failure::{Failure, Outcome};
use crate::requirements::{C_TOOLS, install};
use crate::shell::{announce, cargo, command, run, target_directory};

/// How the server is built and started.
#[derive(clap::Args)]
pub struct Arguments {
    /// Build with optimisation: slower to build, as fast as in production
    #[arg(long)]
    release: bool,
    /// Where the database and everything else is kept
    #[arg(long, default_value = ".croft", value_name = "FOLDER")]
    data_dir: PathBuf,
    /// Further flags for `croft serve`, such as `--listen 127.0.0.1:8080`; `croft serve --help` explains them
    #[arg(last = true, value_name = "FLAG")]
    server: Vec<String>,
}

/// Installs, builds, and becomes the server.
pub fn serve(arguments: &Arguments) -> Outcome {
    install(&[C_TOOLS])?;
    console::build()?;
    announce("Building the server.");
    let profile = if arguments.release { "release" } else { "dev" };
    run(cargo().args(["build", "--locked", "--package", "croft", "--profile", profile]))?;

    announce(&format!("Starting Croft; everything it keeps is in {}.", arguments.data_dir.display()));
    let folder = if arguments.release { "release" } else { "debug" };
    let mut server = command(target_directory().join(folder).join("croft"));
    server.arg("serve").arg("--data-dir").arg(&arguments.data_dir).args(&arguments.server);
    // Taking this process's place leaves nobody between the terminal's Ctrl-C and the server.
    Err(Failure::new(format!("cannot start the server: {}", server.exec())))
}
