//! The console's side of the jobs: its packages, its generated client, its build.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Context, Outcome};
use crate::requirements;
use crate::shell::{announce, command, npm, root, run};

/// Installs a folder's packages exactly as its lock file says, unless that was done already.
pub fn install_packages(folder: &str) -> Outcome {
    requirements::node()?;
    let directory = root().join(folder);
    let lock = fs::read(directory.join("package-lock.json"))
        .context(format!("cannot read {folder}/package-lock.json"))?;
    let stamp = directory.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    announce(&format!("Installing the packages of {folder}/, as its lock file says."));
    run(npm(folder).arg("ci"))?;
    fs::create_dir_all(directory.join("node_modules"))?;
    fs::write(stamp, lock)?;
    Ok(())
}

/// Generates the console's API client from `openapi.json` and `openapi-croft.json`.
pub fn generate_client() -> Outcome {
    install_packages("console")?;
    announce("Generating the console's API client from openapi.json and openapi-croft.json.");
    run(command("node").current_dir(root().join("console")).arg("scripts/generate-client.mjs"))
}

/// Whether this program has built the console already.
static BUILT: AtomicBool = AtomicBool::new(false);

/// Builds what the server embeds, into `console/dist`, unless this program has done so already.
pub fn build() -> Outcome {
    if BUILT.load(Ordering::Relaxed) {
        return Ok(());
    }
    generate_client()?;
    announce("Building the console.");
    run(npm("console").args(["run", "--silent", "build"]))?;
    BUILT.store(true, Ordering::Relaxed);
    Ok(())
}

/// Builds the page that shows every primitive, which is no part of the server, into `console/dist-gallery`.
pub fn build_gallery() -> Outcome {
    announce("Building the gallery of the console's primitives.");
    run(npm("console").args(["run", "--silent", "build", "--", "--mode", "gallery"]))
}
