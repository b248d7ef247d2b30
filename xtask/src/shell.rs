//! Running other programs, visibly: each is announced before it starts, and its output goes straight to the terminal.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Context, Failure, Outcome};

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository's root")
}

/// The directory that cargo builds into.
pub fn target_directory() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |set| root().join(set))
}

/// Tells what happens next, and why.
pub fn announce(step: &str) {
    eprintln!("\n==> {step}");
}

/// A command that runs in the repository's root.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that started this program, so that the toolchain stays the same.
pub fn cargo() -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The outer `cargo run` sets these for this crate alone. The build script of ring watches some of them, so whatever depends on ring would
    // be compiled anew after each change between `cargo xtask` and cargo itself.
    for (name, _) in std::env::vars_os() {
        let bytes = name.as_encoded_bytes();
        if bytes.starts_with(b"CARGO_PKG_") || bytes.starts_with(b"CARGO_MANIFEST_") {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// The packages of `cargo core` (`.cargo/config.toml`), as arguments of cargo. Cargo compiles a set of packages with the features that they
/// have together, so jobs with the same set use what the other ones compiled.
pub const CORE: [&str; 8] = [
    "--package",
    "croft-api",
    "--package",
    "croft-store",
    "--package",
    "croft-control",
    "--package",
    "croft-http",
];

/// Cargo with Clippy as the compiler of this workspace's crates, as `cargo clippy` has it: what is built is linted as well, and a
/// warning is an error. What it built is reused only by commands made here.
pub fn linting_cargo() -> Command {
    let mut cargo = cargo();
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    // How `cargo clippy -- --deny warnings` hands its arguments on.
    cargo.env("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    // The public client in the tests would compile OpenSSL otherwise. Elsewhere it does, so that nothing more has to be installed.
    cargo.env("OPENSSL_NO_VENDOR", "1");
    cargo
}

/// npm in a folder of the repository.
pub fn npm(folder: &str) -> Command {
    let mut npm = command("npm");
    npm.current_dir(root().join(folder));
    npm
}

/// Runs to the end; an exit status other than zero is a failure.
pub fn run(command: &mut Command) -> Outcome {
    if succeeds(command)? { Ok(()) } else { Err(Failure::new(format!("failed: {}", spell(command)))) }
}

/// Runs to the end and tells whether the exit status was zero.
pub fn succeeds(command: &mut Command) -> Outcome<bool> {
    eprintln!("    {}", spell(command));
    Ok(command.status().context(format!("cannot start {}", spell(command)))?.success())
}

/// Runs quietly and returns what it printed on standard output.
pub fn capture(command: &mut Command) -> Outcome<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context(format!("cannot start {}", spell(command)))?;
    if !output.status.success() {
        return Err(Failure::new(format!("failed: {}", spell(command))));
    }
    String::from_utf8(output.stdout).context(format!("{} printed output that is not UTF-8", spell(command)))
}

/// Runs to the end, shows each line of standard output as it comes, and hands it to `line` as well.
pub fn run_reading(command: &mut Command, mut line: impl FnMut(&str)) -> Outcome<bool> {
    eprintln!("    {}", spell(command));
    let mut child =
        command.stdout(Stdio::piped()).spawn().context(format!("cannot start {}", spell(command)))?;
    let output = child.stdout.take().expect("standard output is piped");
    for text in BufReader::new(output).lines() {
        let text = text?;
        println!("{text}");
        line(&text);
    }
    Ok(child.wait()?.success())
}

/// Where a program lies, if it is installed.
pub fn find(program: &str) -> Option<PathBuf> {
    let directories = std::env::var_os("PATH")?;
    std::env::split_paths(&directories).map(|directory| directory.join(program)).find(|path| path.is_file())
}

fn spell(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    let folder = command.get_current_dir().and_then(|directory| directory.strip_prefix(root()).ok());
    match folder {
        Some(folder) if !folder.as_os_str().is_empty() => {
            format!("({}) {}", folder.display(), words.join(" "))
        }
        _ => words.join(" "),
    }
}
