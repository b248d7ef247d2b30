//! Checks that the core compiles for WebAssembly, where there is no thread, file, clock or tokio.

use std::path::Path;
use std::process::Command;

use crate::failure::Outcome;
use crate::requirements::{CLANG, DEBIAN_RUST, install};
use crate::shell::{announce, capture, cargo, command, find, run, succeeds, target_directory};

/// The target that browsers run.
const TARGET: &str = "wasm32-unknown-unknown";

/// The crates that the in-browser preview consists of.
const CORE: [&str; 4] = ["croft-api", "croft-store", "croft-control", "croft-http"];

/// Type-checks the core for WebAssembly, C code included, with whichever compiler can do it.
pub fn check() -> Outcome {
    install(&[CLANG])?;
    announce(&format!("Checking {} for {TARGET}.", CORE.join(", ")));
    let mut check = if rustup_target()? { with_rustup() } else { with_debian()? };
    check.args(["check", "--locked", "--target", TARGET]);
    check.args(CORE.iter().flat_map(|package| ["--package", package]));
    check.env("CC_wasm32_unknown_unknown", "clang").env("AR_wasm32_unknown_unknown", "llvm-ar");
    run(&mut check)
}

/// Whether the toolchain in use has the target's standard library, fetched by rustup if need be.
fn rustup_target() -> Outcome<bool> {
    let directory = capture(command("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    if Path::new(directory.trim()).is_dir() {
        return Ok(true);
    }
    if find("rustup").is_none() {
        return Ok(false);
    }
    announce(&format!("Adding the target {TARGET}: the core is checked for it."));
    succeeds(command("rustup").args(["target", "add", TARGET]))
}

fn with_rustup() -> Command {
    cargo()
}

/// Debian's own cargo by its full path: the one in `PATH` is rustup's and would look for the toolchain's own target.
fn with_debian() -> Outcome<Command> {
    install(&[DEBIAN_RUST])?;
    let mut cargo = command("/usr/bin/cargo");
    cargo
        .env("RUSTC", "/usr/bin/rustc")
        // `-Z build-std` is closed to a stable compiler otherwise.
        .env("RUSTC_BOOTSTRAP", "1")
        // Another compiler's artefacts would push out the ones of the ordinary builds.
        .env("CARGO_TARGET_DIR", target_directory().join("wasm"))
        .env_remove("RUSTUP_TOOLCHAIN")
        .args(["-Z", "build-std=std,panic_abort"]);
    Ok(cargo)
}
