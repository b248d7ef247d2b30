//! The package: module, glue and types.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::failure::{Context, Failure, Outcome};
use crate::shell::{announce, capture, cargo, command, root, run, succeeds, target_directory};
use crate::wasm;

/// The module's name in the package.
const MODULE: &str = "croft_preview_bg.wasm";
/// Bytes that the module may have on its way to a browser.
const LARGEST: usize = 2_000_000;

/// Where this program has built the package, if it has; locked while it does.
static BUILT: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Builds the package, unless this program has done so already, and tells where it is.
pub fn package() -> Outcome<PathBuf> {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(package) = &*built {
        return Ok(package.clone());
    }
    let package = build()?;
    *built = Some(package.clone());
    Ok(package)
}

fn build() -> Outcome<PathBuf> {
    let module = wasm::build_preview()?;
    let package = target_directory().join("preview/package");
    fs::create_dir_all(&package)?;
    bind(&module, &package)?;
    Ok(package)
}

/// Has wasm-bindgen write what scripts call the module through.
fn bind(module: &Path, package: &Path) -> Outcome {
    let bindgen = bindgen()?;
    announce("Writing the package around the module.");
    run(command(bindgen)
        .args(["--target", "web", "--out-name", "croft_preview"])
        .args(["--remove-name-section", "--remove-producers-section", "--out-dir"])
        .arg(package)
        .arg(module))
}

/// wasm-bindgen of the same version as the library that the module was built with: others do not understand it.
fn bindgen() -> Outcome<PathBuf> {
    let version = locked_version("wasm-bindgen")?;
    let tools = target_directory().join("tools");
    let program = tools.join("bin/wasm-bindgen");
    if program.is_file() && capture(command(&program).arg("--version"))?.trim().ends_with(&version) {
        return Ok(program);
    }
    announce(&format!(
        "Installing wasm-bindgen {version} into target/: it writes what scripts call the module through. This takes a \
         minute or two, once."
    ));
    let install = |locked: &[&str]| {
        let mut install = cargo();
        install.args(["install", "wasm-bindgen-cli", "--version", &version, "--force"]).args(locked);
        install.arg("--root").arg(&tools).env("CARGO_TARGET_DIR", tools.join("build"));
        // It runs for seconds: with all optimisation, compiling it takes longer than it could ever save.
        install
            .arg("--debug")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_DEV_DEBUG", "false");
        succeeds(&mut install)
    };
    // A registry may lack one of the versions that its authors tested it with.
    if install(&["--locked"])? || install(&[])? {
        Ok(program)
    } else {
        Err(Failure::new("wasm-bindgen-cli cannot be installed; see above"))
    }
}

/// The version of a package in Cargo.lock.
fn locked_version(package: &str) -> Outcome<String> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let start = format!("name = \"{package}\"\nversion = \"");
    let version = lock.split_once(&start).and_then(|(_, rest)| rest.split('"').next());
    version.map(str::to_owned).ok_or_else(|| Failure::new(format!("Cargo.lock does not name {package}")))
}

/// Fails if the module of a package has grown too big.
pub fn check_size(package: &Path) -> Outcome {
    let content = fs::read(package.join(MODULE)).context("cannot read the module")?;
    let compressed = super::site::brotli(&content)?;
    announce(&format!(
        "The module has {} bytes, {} compressed; {LARGEST} are allowed.",
        content.len(),
        compressed.len()
    ));
    if compressed.len() > LARGEST {
        return Err(Failure::new(
            "the preview's module is too big; see docs/decisions/0013-preview.md for what weighs",
        ));
    }
    Ok(())
}
