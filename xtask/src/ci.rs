//! Everything that must be green before a change lands, in one run.

use crate::failure::Outcome;
use crate::report::Report;
use crate::test::Profile;
use crate::{check, test};

/// Checks and tests everything; goes through to the end before it fails, unless something cannot be built.
pub fn run() -> Outcome {
    let mut report = Report::default();
    let outcome = stages(&mut report);
    let closed = report.close_with_budget();
    outcome.and(closed)
}

fn stages(report: &mut Report) -> Outcome {
    check::add_to(report, &[])?;
    test::add_to(report, &[], Profile::Release)
}
