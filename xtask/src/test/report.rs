//! Counting what the runners ran.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::failure::{Failure, Outcome};

/// The one runner that may find nothing to run.
pub const DOC_TESTS: &str = "doc tests";

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Counts {
    /// A job that is one test by itself.
    pub fn one(passed: bool) -> Self {
        Self { passed: u64::from(passed), failed: u64::from(!passed), skipped: 0 }
    }

    /// Adds up a line `test result: ok. 3 passed; 0 failed; 1 ignored; ...`; other lines count nothing.
    pub fn add_libtest_line(&mut self, line: &str) {
        let Some((_, results)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for part in results.split(';') {
            let mut words = part.split_whitespace();
            let Some(number) = words.next().and_then(|number| number.parse::<u64>().ok()) else { continue };
            match words.next() {
                Some("passed") => self.passed += number,
                Some("failed") => self.failed += number,
                Some("ignored") => self.skipped += number,
                _ => {}
            }
        }
    }
}

impl Counts {
    /// Adds up the closing lines of TAP as Node writes them, such as `# pass 3`; other lines count nothing.
    pub fn add_tap_line(&mut self, line: &str) {
        let Some((what, number)) = line.strip_prefix("# ").and_then(|rest| rest.split_once(' ')) else {
            return;
        };
        let Ok(number) = number.parse::<u64>() else { return };
        match what {
            "pass" => self.passed += number,
            "fail" | "cancelled" => self.failed += number,
            "skipped" | "todo" => self.skipped += number,
            _ => {}
        }
    }
}

/// What each runner reported, in the order they ran.
#[derive(Default)]
pub struct Report {
    rows: Vec<(&'static str, bool, Counts)>,
}

impl Report {
    /// Records a runner: whether it ended well, and what it counted, if it got that far.
    pub fn add(&mut self, runner: &'static str, ended_well: bool, counts: Option<Counts>) {
        let mut counts = counts.unwrap_or_default();
        // A runner that broke off, or found nothing to run, must not look like a green one.
        let empty = counts.passed + counts.failed + counts.skipped == 0;
        let ended_well = ended_well && (!empty || runner == DOC_TESTS);
        if !ended_well && counts.failed == 0 {
            counts.failed = 1;
        }
        self.rows.push((runner, ended_well, counts));
    }

    /// Prints the table and the closing line; fails if anything failed.
    pub fn close(self) -> Outcome {
        println!();
        let mut total = Counts::default();
        for (runner, _, counts) in &self.rows {
            println!(
                "{runner:<18} {:>5} passed {:>5} failed {:>5} skipped",
                counts.passed, counts.failed, counts.skipped
            );
            total.passed += counts.passed;
            total.failed += counts.failed;
            total.skipped += counts.skipped;
        }
        println!();
        if total.skipped == 0 {
            println!("{} passed, {} failed", total.passed, total.failed);
        } else {
            println!("{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped);
        }
        let failed: Vec<_> = self.rows.iter().filter(|row| !row.1).map(|row| row.0).collect();
        if failed.is_empty() { Ok(()) } else { Err(Failure::new(format!("failed: {}", failed.join(", ")))) }
    }
}

/// Reads vitest's JSON report.
pub fn vitest(path: &Path) -> Option<Counts> {
    let report: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
    Some(Counts {
        passed: report["numPassedTests"].as_u64()?,
        failed: report["numFailedTests"].as_u64()?,
        skipped: report["numPendingTests"].as_u64()? + report["numTodoTests"].as_u64()?,
    })
}

/// Reads Playwright's JSON report; a test that passed only when it was repeated is a failure.
pub fn playwright(path: &Path) -> Option<Counts> {
    let report: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
    let stats = &report["stats"];
    Some(Counts {
        passed: stats["expected"].as_u64()?,
        failed: stats["unexpected"].as_u64()? + stats["flaky"].as_u64()?,
        skipped: stats["skipped"].as_u64()?,
    })
}

/// Reads a JUnit report: nextest's, or schemathesis'.
pub fn junit(path: &Path) -> Option<Counts> {
    outermost(&fs::read_to_string(path).ok()?)
}

fn outermost(report: &str) -> Option<Counts> {
    let element = report.split_once("<testsuites")?.1.split_once('>')?.0;
    let attribute = |name: &str| -> Option<u64> {
        element.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.parse().ok()
    };
    let failed = attribute("failures")? + attribute("errors")?;
    Some(Counts { passed: attribute("tests")?.checked_sub(failed)?, failed, skipped: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_counts_come_from_the_outermost_element() {
        let report = r#"<?xml version="1.0"?><testsuites name="nextest-run" tests="9" failures="2" errors="1">
            <testsuite name="croft" tests="4" failures="0" errors="0"></testsuite></testsuites>"#;
        assert_eq!(outermost(report), Some(Counts { passed: 6, failed: 3, skipped: 0 }));
        assert_eq!(outermost("<testsuites>"), None);
    }

    #[test]
    fn closing_lines_of_tap_add_up() {
        let mut counts = Counts::default();
        for line in [
            "ok 1 - a",
            "# tests 4",
            "# pass 2",
            "# fail 1",
            "# cancelled 1",
            "# skipped 0",
            "# duration_ms 71.3",
        ] {
            counts.add_tap_line(line);
        }
        assert_eq!(counts, Counts { passed: 2, failed: 2, skipped: 0 });
    }

    #[test]
    fn libtest_lines_add_up() {
        let mut counts = Counts::default();
        counts.add_libtest_line("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out");
        counts.add_libtest_line("test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured");
        counts.add_libtest_line("running 3 tests");
        assert_eq!(counts, Counts { passed: 5, failed: 4, skipped: 1 });
    }

    #[test]
    fn a_runner_that_broke_off_counts_as_a_failure() {
        let mut report = Report::default();
        report.add("nextest", false, None);
        assert_eq!(report.rows, [("nextest", false, Counts { passed: 0, failed: 1, skipped: 0 })]);
        assert!(report.close().is_err());
    }

    #[test]
    fn a_runner_that_ran_nothing_counts_as_a_failure() {
        let mut report = Report::default();
        report.add("vitest", true, Some(Counts::default()));
        assert!(report.close().is_err());
    }
}
