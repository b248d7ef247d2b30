//! Databases and files of the present version that tests of later versions open.

use crate::failure::Outcome;
use crate::shell::{CORE, announce, cargo, run};

/// Writes the golden databases of the present schema version, and the golden files of QEMU's machines. Those of earlier
/// versions stay.
pub fn make() -> Outcome {
    announce("Writing the golden databases of the present version to crates/store/tests/golden.");
    let mut test = cargo();
    // The tests that open them write them first.
    test.arg("test")
        .args(CORE)
        .args(["--test", "conformance", "--", "--exact", "postgres"])
        .args(["golden::sqlite_file_of_each_version_opens", "telemetry::files_of_every_version_are_read"])
        .env("CROFT_WRITE_GOLDEN", "1")
        .env("CROFT_REQUIRE_POSTGRES", "1");
    run(&mut test)?;
    announce("Writing the golden files of the present version to crates/sled/tests/golden.");
    let mut test = cargo();
    test.args(["test", "--package", "croft-sled", "--features", "qemu", "--lib", "of_every_version"])
        .env("CROFT_WRITE_GOLDEN", "1");
    run(&mut test)
}
