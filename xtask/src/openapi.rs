//! The OpenAPI documents at the repository's root.

use crate::failure::Outcome;
use crate::shell::{CORE, announce, cargo, command, root, run, target_directory};

/// Writes `openapi.json` and `openapi-croft.json` anew from the Rust types.
pub fn generate() -> Outcome {
    announce("Generating openapi.json and openapi-croft.json from the Rust types.");
    run(cargo().args(["build", "--quiet"]).args(CORE).args(["--example", "openapi"]))?;
    run(command(target_directory().join("debug/examples/openapi")).arg(root()))
}
