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

/// What SQLite has that Croft asks nothing of. A flag that its parser was generated with cannot be taken away.
const SQLITE_FLAGS: [&str; 36] = [
    "-USQLITE_ENABLE_API_ARMOR",
    "-USQLITE_ENABLE_BYTECODE_VTAB",
    "-USQLITE_ENABLE_COLUMN_METADATA",
    "-USQLITE_ENABLE_DBPAGE_VTAB",
    "-USQLITE_ENABLE_DBSTAT_VTAB",
    "-USQLITE_ENABLE_FTS5",
    "-USQLITE_ENABLE_MATH_FUNCTIONS",
    "-USQLITE_ENABLE_OFFSET_SQL_FUNC",
    "-USQLITE_ENABLE_PREUPDATE_HOOK",
    "-USQLITE_ENABLE_RTREE",
    "-USQLITE_ENABLE_SESSION",
    "-USQLITE_ENABLE_STMTVTAB",
    "-USQLITE_ENABLE_UNKNOWN_SQL_FUNCTION",
    "-USQLITE_ENABLE_UNLOCK_NOTIFY",
    "-DSQLITE_DQS=0",
    "-DSQLITE_OMIT_AUTHORIZATION",
    "-DSQLITE_OMIT_AUTOVACUUM",
    "-DSQLITE_OMIT_COMPILEOPTION_DIAGS",
    "-DSQLITE_OMIT_COMPLETE",
    "-DSQLITE_OMIT_DECLTYPE",
    "-DSQLITE_OMIT_DESERIALIZE",
    "-DSQLITE_OMIT_EXPLAIN",
    "-DSQLITE_OMIT_FLAG_PRAGMAS",
    "-DSQLITE_OMIT_FOREIGN_KEY",
    "-DSQLITE_OMIT_GENERATED_COLUMNS",
    "-DSQLITE_OMIT_GET_TABLE",
    "-DSQLITE_OMIT_INCRBLOB",
    "-DSQLITE_OMIT_JSON",
    "-DSQLITE_OMIT_LOCALTIME",
    "-DSQLITE_OMIT_PROGRESS_CALLBACK",
    "-DSQLITE_OMIT_SCHEMA_PRAGMAS",
    "-DSQLITE_OMIT_TCL_VARIABLE",
    "-DSQLITE_OMIT_TRACE",
    "-DSQLITE_OMIT_UTF16",
    "-DSQLITE_OMIT_WAL",
    "-DSQLITE_UNTESTABLE",
];

/// Builds the preview's module with whichever compiler can do it, and tells where it is. A standard library of its own,
/// made to be small, and panics without texts and places take a tenth off what browsers fetch.
pub fn build_preview() -> Outcome<PathBuf> {
    install(&[CLANG])?;
    announce("Building the core for browsers. This takes some minutes after each change.");
    let mut cargo = if rustup_source()? { cargo() } else { with_debian()? };
    cargo.env("RUSTC_BOOTSTRAP", BOOTSTRAP);
    let mut build = for_browsers(cargo, "rustc");
    // The library that its tests use is of no use here.
    build.args(["--package", "croft-preview", "--lib", "--crate-type", "cdylib", "--profile", PROFILE]);
    build.args(BUILD_STD).args(["-Z", "build-std-features=optimize_for_size"]);
    build.env("SQLITE_WASM_RS_FLAGS", SQLITE_FLAGS.join(" "));
    build.env(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
        "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none",
    );
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

/// Whether the toolchain in use has the source of the standard library, fetched by rustup if need be.
fn rustup_source() -> Outcome<bool> {
    let directory = capture(command("rustc").args(["--print", "sysroot"]))?;
    if Path::new(directory.trim()).join("lib/rustlib/src/rust/library").is_dir() {
        return Ok(true);
    }
    if find("rustup").is_none() {
        return Ok(false);
    }
    announce(
        "Adding the source of the standard library: the preview is built with one that is made to be small.",
    );
    succeeds(command("rustup").args(["component", "add", "rust-src"]))
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
