//! Checks that the core compiles for WebAssembly, where there is no thread, file, clock or tokio.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Outcome;
use crate::requirements::{CLANG, DEBIAN_RUST, install};
use crate::shell::{announce, capture, cargo, command, find, run, succeeds, target_directory};

/// The target that browsers run.
const TARGET: &str = "wasm32-unknown-unknown";

/// The profile that the module is built with.
const PROFILE: &str = "preview";

/// The crates that the in-browser preview consists of.
const CORE: [&str; 5] = ["croft-api", "croft-store", "croft-control", "croft-http", "croft-preview"];

/// Type-checks the core for WebAssembly, C code included, with whichever compiler can do it.
pub fn check() -> Outcome {
    install(&[CLANG])?;
    announce(&format!("Checking {} for {TARGET}.", CORE.join(", ")));
    let mut check = cargo_for("check")?;
    check.args(CORE.iter().flat_map(|package| ["--package", package]));
    run(&mut check)
}

/// Opens `-Z` to a stable compiler.
const BOOTSTRAP: &str = "1";

/// Has cargo build the standard library, too. Stands after the job: cargo reads such flags on one side of it alone.
const BUILD_STD: [&str; 2] = ["-Z", "build-std=std,panic_abort"];

/// Builds the preview's module with whichever compiler can do it, and tells where it is.
pub fn build_preview() -> Outcome<PathBuf> {
    install(&[CLANG])?;
    announce("Building the core for browsers. This takes some minutes after each change.");
    let mut build = cargo_for("rustc")?;
    // The library that its tests use is of no use here.
    build.args(["--package", "croft-preview", "--lib", "--crate-type", "cdylib", "--profile", PROFILE]);
    run(&mut build)?;
    let directory =
        build.get_envs().find(|(name, _)| *name == "CARGO_TARGET_DIR").and_then(|(_, value)| value);
    let directory = directory.map_or_else(target_directory, PathBuf::from);
    Ok(directory.join(TARGET).join(PROFILE).join("croft_preview.wasm"))
}

/// cargo with a compiler that knows the target, for a job.
fn cargo_for(job: &str) -> Outcome<Command> {
    if rustup_target()? {
        return Ok(for_browsers(cargo(), job));
    }
    let mut cargo = for_browsers(with_debian()?, job);
    cargo.args(BUILD_STD);
    Ok(cargo)
}

fn for_browsers(mut cargo: Command, job: &str) -> Command {
    cargo.args([job, "--locked", "--target", TARGET]);
    cargo.env("CC_wasm32_unknown_unknown", "clang").env("AR_wasm32_unknown_unknown", "llvm-ar");
    cargo
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

/// Debian's own cargo by its full path: the one in `PATH` is rustup's and would look for the toolchain's own target.
fn with_debian() -> Outcome<Command> {
    install(&[DEBIAN_RUST])?;
    let mut cargo = command("/usr/bin/cargo");
    cargo
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", BOOTSTRAP)
        // Another compiler's artefacts would push out the ones of the ordinary builds.
        .env("CARGO_TARGET_DIR", target_directory().join("wasm"))
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld")
        .env_remove("RUSTUP_TOOLCHAIN");
    Ok(cargo)
}
