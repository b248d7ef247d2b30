//! Everything that must be green before a change lands, in one run.

use crate::check::Part;
use crate::failure::Outcome;
use crate::report::Report;
use crate::test::Build;
use crate::{check, test};

/// Checks and tests everything; goes through to the end before it fails, unless something cannot be built.
pub fn run() -> Outcome {
    let mut report = Report::default();
    let outcome = stages(&mut report);
    let closed = report.close_with_budget();
    outcome.and(closed)
}

/// Clippy lints the Rust tests while they are built, so that nothing is compiled for it alone.
fn stages(report: &mut Report) -> Outcome {
    check::add_to(report, &[Part::Dependencies, Part::Contract, Part::Links, Part::Format, Part::Console])?;
    test::add_to(report, &[], Build::Ci)
}
