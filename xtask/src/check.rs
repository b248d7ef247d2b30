//! Everything that is checked without running a test.

use crate::failure::Outcome;
use crate::report::Report;
use crate::shell::{announce, cargo, npm, succeeds};
use crate::{console, contract, links, requirements, supply_chain};

/// What can be checked on its own.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// rustfmt and clippy
    Rust,
    /// rustfmt alone
    Format,
    /// oxlint, oxfmt, tsc, knip and the size table, for the console and the browser tests
    Console,
    /// licences, sources and advisories of what the lock files name
    Dependencies,
    /// openapi.json against the wire contract
    Contract,
    /// links of the documents, and pages that comments cite
    Links,
}

/// Checks `parts`, or everything when none is named; goes through to the end before it fails.
pub fn check(parts: &[Part]) -> Outcome {
    let mut report = Report::default();
    let outcome = add_to(&mut report, parts);
    let closed = report.close();
    outcome.and(closed)
}

/// Checks `parts`, or everything when none is named.
pub fn add_to(report: &mut Report, parts: &[Part]) -> Outcome {
    let wanted = |part| parts.is_empty() || parts.contains(&part);
    if wanted(Part::Dependencies) {
        report.check("dependencies", supply_chain::check);
    }
    if wanted(Part::Contract) {
        report.check("wire contract", contract::check);
    }
    if wanted(Part::Links) {
        report.check("links and citations", links::check);
    }
    if wanted(Part::Rust) || wanted(Part::Console) {
        // Clippy looks at the server, which embeds the console.
        report.prepare("console build", console::build)?;
    }
    if wanted(Part::Rust) {
        requirements::install(&[requirements::C_TOOLS])?;
        announce("Checking the Rust code.");
        report.check("rustfmt", formatted);
        report.check("clippy", || {
            succeeds(cargo().args([
                "clippy",
                "--locked",
                "--workspace",
                "--all-targets",
                "--",
                "--deny",
                "warnings",
            ]))
        });
    }
    if parts.contains(&Part::Format) {
        report.check("rustfmt", formatted);
    }
    if wanted(Part::Console) {
        console::install_packages("e2e")?;
        announce("Checking the console and the browser tests.");
        for (name, folder, script) in [
            ("oxlint and oxfmt", "console", "lint"),
            ("tsc", "console", "check"),
            ("knip", "console", "knip"),
            ("size table", "console", "size"),
            ("oxlint and oxfmt of the browser tests", "e2e", "lint"),
            ("tsc of the browser tests", "e2e", "check"),
        ] {
            report.check(name, || succeeds(npm(folder).args(["run", "--silent", script])));
        }
    }
    Ok(())
}

fn formatted() -> Outcome<bool> {
    succeeds(cargo().args(["fmt", "--all", "--check"]))
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
