//! The OpenAPI documents at the repository's root.

use crate::failure::Outcome;
use crate::shell::{announce, cargo, root, run};

/// Writes `openapi.json` and `openapi-croft.json` anew from the Rust types.
pub fn generate() -> Outcome {
    announce("Generating openapi.json and openapi-croft.json from the Rust types.");
    let mut describe = cargo();
    describe.args(["run", "--quiet", "--package", "croft-http", "--features", "describe"]);
    describe.args(["--example", "openapi", "--"]).arg(root());
    run(&mut describe)
}
