//! The OpenAPI documents at the repository's root.

use crate::failure::Outcome;
use crate::shell::{announce, cargo, command, root, run, target_directory};

/// Writes `openapi.json` and `openapi-croft.json` anew from the Rust types.
pub fn generate() -> Outcome {
    announce("Generating openapi.json and openapi-croft.json from the Rust types.");
    // With the workspace's features, what the tests have compiled is used; one package alone has others.
    let mut build = cargo();
    build.args([
        "build",
        "--quiet",
        "--workspace",
        "--features",
        "croft-http/describe",
        "--example",
        "openapi",
    ]);
    run(&mut build)?;
    run(command(target_directory().join("debug/examples/openapi")).arg(root()))
}
