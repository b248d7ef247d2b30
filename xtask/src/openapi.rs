//! The OpenAPI document at the repository's root.

use std::fs;

use crate::failure::Outcome;
use crate::shell::{announce, capture, cargo, root, run, target_directory};

/// Writes `openapi.json` anew from the Rust types.
pub fn generate() -> Outcome {
    announce("Generating openapi.json from the Rust types.");
    run(cargo().args(["build", "--package", "croft"]))?;
    let document = capture(crate::shell::command(target_directory().join("debug/croft")).arg("openapi"))?;
    let path = root().join("openapi.json");
    if fs::read_to_string(&path).is_ok_and(|written| written == document) {
        println!("openapi.json is up to date");
        return Ok(());
    }
    fs::write(path, document)?;
    println!("openapi.json written");
    Ok(())
}
