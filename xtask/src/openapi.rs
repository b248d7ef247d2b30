//! The OpenAPI document at the repository's root.

use std::fs;

use crate::failure::Outcome;
use crate::shell::{announce, capture, cargo, root};

/// Writes `openapi.json` anew from the Rust types.
pub fn generate() -> Outcome {
    announce("Generating openapi.json from the Rust types.");
    let mut describe = cargo();
    describe.args([
        "run",
        "--quiet",
        "--package",
        "croft-http",
        "--features",
        "describe",
        "--example",
        "openapi",
    ]);
    let document = capture(&mut describe)?;
    let path = root().join("openapi.json");
    if fs::read_to_string(&path).is_ok_and(|written| written == document) {
        println!("openapi.json is up to date");
        return Ok(());
    }
    fs::write(path, document)?;
    println!("openapi.json written");
    Ok(())
}
