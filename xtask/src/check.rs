//! Everything that is checked without running a test.

use crate::failure::{Failure, Outcome};
use crate::shell::{announce, cargo, npm, succeeds};
use crate::{console, requirements, supply_chain};

/// What can be checked on its own.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// rustfmt and clippy
    Rust,
    /// oxlint, oxfmt, tsc, knip and the size table, for the console and the browser tests
    Console,
    /// licences, sources and advisories of what the lock files name
    Dependencies,
}

/// Checks `parts`, or everything when none is named; goes through to the end before it fails.
pub fn check(parts: &[Part]) -> Outcome {
    let wanted = |part| parts.is_empty() || parts.contains(&part);
    let mut failed = Vec::new();
    if wanted(Part::Dependencies) && !supply_chain::check()? {
        failed.push("the dependencies");
    }
    if wanted(Part::Rust) {
        requirements::install(&[requirements::C_TOOLS])?;
        console::build()?;
        announce("Checking the Rust code.");
        let mut rustfmt = cargo();
        rustfmt.args(["fmt", "--all", "--check"]);
        let mut clippy = cargo();
        clippy.args(["clippy", "--locked", "--workspace", "--all-targets", "--", "--deny", "warnings"]);
        for (name, mut job) in [("rustfmt", rustfmt), ("clippy", clippy)] {
            if !succeeds(&mut job)? {
                failed.push(name);
            }
        }
    }
    if wanted(Part::Console) {
        console::install_packages("e2e")?;
        if !wanted(Part::Rust) {
            console::build()?;
        }
        announce("Checking the console and the browser tests.");
        for (name, folder, script) in [
            ("oxlint and oxfmt", "console", "lint"),
            ("tsc", "console", "check"),
            ("knip", "console", "knip"),
            ("the size table", "console", "size"),
            ("oxlint and oxfmt of the browser tests", "e2e", "lint"),
            ("tsc of the browser tests", "e2e", "check"),
        ] {
            if !succeeds(npm(folder).args(["run", "--silent", script]))? {
                failed.push(name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::new(format!("not clean: {}", failed.join(", ")))) }
}

/// Formats everything in place.
pub fn format() -> Outcome {
    console::install_packages("console")?;
    for mut job in [
        {
            let mut rustfmt = cargo();
            rustfmt.args(["fmt", "--all"]);
            rustfmt
        },
        {
            let mut oxfmt = npm("console");
            oxfmt.args(["run", "--silent", "format"]);
            oxfmt
        },
        {
            let mut oxfmt = npm("e2e");
            oxfmt.args(["run", "--silent", "format"]);
            oxfmt
        },
    ] {
        crate::shell::run(&mut job)?;
    }
    Ok(())
}
