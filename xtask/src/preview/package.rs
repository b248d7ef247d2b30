//! The package: module, glue and types.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::console::install_packages;
use crate::failure::{Context, Failure, Outcome};
use crate::shell::{announce, capture, cargo, command, root, run, succeeds, target_directory};
use crate::wasm;

use super::kin;

/// The module's name in the package.
const MODULE: &str = "croft_preview_bg.wasm";
/// Where the package that brings wasm-opt is named.
const PACKAGES: &str = "crates/preview";
/// Bytes that the module may have on its way to a browser.
const LARGEST: usize = 2_000_000;

/// Where this program has built the package, if it has.
static BUILT: OnceLock<PathBuf> = OnceLock::new();

/// Builds the package, unless this program has done so already, and tells where it is.
pub fn package() -> Outcome<PathBuf> {
    if let Some(package) = BUILT.get() {
        return Ok(package.clone());
    }
    let package = build()?;
    Ok(BUILT.get_or_init(|| package).clone())
}

fn build() -> Outcome<PathBuf> {
    let module = wasm::build_preview()?;
    let package = target_directory().join("preview/package");
    fs::create_dir_all(&package)?;
    bind(&module, &package)?;
    arrange(&package.join(MODULE))?;
    Ok(package)
}

/// Has wasm-bindgen write what scripts call the module through. Functions keep their names until they are arranged.
fn bind(module: &Path, package: &Path) -> Outcome {
    let bindgen = bindgen()?;
    announce("Writing the package around the module.");
    run(command(bindgen)
        .args(["--target", "web", "--out-name", "croft_preview", "--no-demangle"])
        .args(["--remove-producers-section", "--out-dir"])
        .arg(package)
        .arg(module))
}

/// What makes the compressed module smaller. Others of wasm-opt make the module smaller and what is fetched larger.
const PASSES: [&str; 8] = [
    "--duplicate-function-elimination",
    "--optimize-instructions",
    "--remove-unused-brs",
    "--code-pushing",
    "--simplify-locals-nostructure",
    "--vacuum",
    "--reorder-locals",
    "--reorder-functions-by-name",
];

/// Puts functions next to their kin, has equal ones but once, and leaves out and renumbers local variables: it compresses
/// better by a 20th. Then names go.
fn arrange(module: &Path) -> Outcome {
    install_packages(PACKAGES)?;
    announce("Arranging the module's functions.");
    let renamed = kin::rename(&fs::read(module).context("cannot read the module")?)?;
    fs::write(module, renamed).context("cannot write the module")?;
    run(command(root().join(PACKAGES).join("node_modules/.bin/wasm-opt"))
        .args(PASSES)
        .arg("--output")
        .arg(module)
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
        "Installing wasm-bindgen {version} into target/: it writes what scripts call the module through. This takes some \
         minutes, once."
    ));
    let install = |locked: &[&str]| {
        let mut install = cargo();
        install.args(["install", "wasm-bindgen-cli", "--version", &version, "--force"]).args(locked);
        install.arg("--root").arg(&tools).env("CARGO_TARGET_DIR", tools.join("build"));
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
            "the preview's module is too big; see \"Preview\" in ARCHITECTURE.md for what weighs",
        ));
    }
    Ok(())
}
