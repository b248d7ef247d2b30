//! What the stages of a run took and counted, and the table that says so.

mod results;
mod stopwatch;

use std::time::Duration;

use crate::failure::{Failure, Outcome};
use crate::shell::announce;

use stopwatch::{StageTime, Stopwatch};

pub use results::{Counts, Results, junit, playwright, vitest};

/// The one runner that may find nothing to run.
pub const DOC_TESTS: &str = "doc tests";

/// Wall time that a whole run may take on two quiet cores, from a clean clone with registries that answer at once.
const BUDGET: Duration = Duration::from_mins(35);

/// How many of the slowest tests are listed.
const SLOWEST: usize = 20;

/// One stage of a run.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    stage: &'static str,
    took: StageTime,
    ended_well: bool,
    /// None for a stage that runs no tests.
    counts: Option<Counts>,
}

/// What the stages of a run took and counted, in the order they ran.
pub struct Report {
    stopwatch: Stopwatch,
    rows: Vec<Row>,
    tests: Vec<results::Timed>,
    skipped: Vec<results::Skipped>,
}

impl Default for Report {
    fn default() -> Self {
        Self { stopwatch: Stopwatch::start(), rows: Vec::new(), tests: Vec::new(), skipped: Vec::new() }
    }
}

impl Report {
    /// Runs a stage that is no test, such as a build. Its failure ends the run.
    pub fn prepare<T>(&mut self, stage: &'static str, job: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        let (stopwatch, outcome) = (Stopwatch::start(), job());
        self.push(Row { stage, took: stopwatch.read(), ended_well: outcome.is_ok(), counts: None });
        outcome
    }

    /// Runs a check. If it does not pass, the run goes on, and fails at its end.
    pub fn check(&mut self, stage: &'static str, job: impl FnOnce() -> Outcome<bool>) {
        let (stopwatch, outcome) = (Stopwatch::start(), job());
        let ended_well = told(outcome).unwrap_or(false);
        self.push(Row { stage, took: stopwatch.read(), ended_well, counts: None });
    }

    /// Runs tests: the job answers whether the runner ended well, and what it reported, if it got that far. If they do
    /// not pass, the run goes on, and fails at its end.
    pub fn test(&mut self, stage: &'static str, job: impl FnOnce() -> Outcome<(bool, Option<Results>)>) {
        let (stopwatch, outcome) = (Stopwatch::start(), job());
        let (ended_well, results) = told(outcome).unwrap_or((false, None));
        let Results { mut counts, tests, skipped } = results.unwrap_or_default();
        // A runner that broke off, or found nothing to run, must not look like a green one.
        let ended_well = ended_well && (counts.total() > 0 || stage == DOC_TESTS);
        if !ended_well && counts.failed == 0 {
            counts.failed = 1;
        }
        let of_stage = |name: String| format!("{stage}: {name}");
        self.tests.extend(tests.into_iter().map(|test| test.renamed(of_stage)));
        self.skipped.extend(skipped.into_iter().map(|test| test.renamed(of_stage)));
        self.push(Row { stage, took: stopwatch.read(), ended_well, counts: Some(counts) });
    }

    fn push(&mut self, row: Row) {
        if !row.ended_well {
            announce(&format!("FAILED: {}", row.stage));
        }
        self.rows.push(row);
    }

    /// Prints the stages; fails if any of them did.
    pub fn close(self) -> Outcome {
        self.print_stages();
        self.finish()
    }

    /// Prints the stages, the slowest tests, and what was skipped, and holds the whole against the budget; fails if any
    /// stage did.
    pub fn close_with_budget(mut self) -> Outcome {
        self.print_stages();
        self.print_slowest();
        println!("{}", budget(self.stopwatch.read().wall));
        self.finish()
    }

    fn print_stages(&self) {
        println!("\n{:<38} {:>9}  cores busy", "", "time");
        for Row { stage, took, ended_well, counts } in &self.rows {
            let counted = match counts {
                Some(counts) => format!("{counts}"),
                None if *ended_well => String::new(),
                None => "failed".to_owned(),
            };
            println!("{stage:<38} {}  {counted}", columns(*took));
        }
        println!("{:<38} {}", "all", columns(self.stopwatch.read()));
        if !self.skipped.is_empty() {
            println!("\nSkipped:");
            for skipped in &self.skipped {
                println!("  {} ({})", skipped.name, skipped.reason);
            }
        }
    }

    fn print_slowest(&mut self) {
        self.tests.sort_by_key(|test| std::cmp::Reverse(test.took));
        println!("\nThe {SLOWEST} slowest tests:");
        for test in self.tests.iter().take(SLOWEST) {
            println!("{:>9}  {}", spell(test.took), test.name);
        }
        println!();
    }

    /// Prints the closing line, and fails if any stage did.
    fn finish(self) -> Outcome {
        // Stands at the end, as the middle of a long log is what gets cut.
        let failed: Vec<_> = self.tests.iter().filter(|test| test.failed).collect();
        if !failed.is_empty() {
            println!("\nFailed:");
            for test in failed {
                println!("  {}", test.name);
            }
        }
        let counts = self.rows.iter().filter_map(|row| row.counts).reduce(Counts::plus);
        if let Some(counts) = counts {
            println!("\n{}", counts.closing_line());
        }
        let failed: Vec<_> = self.rows.iter().filter(|row| !row.ended_well).map(|row| row.stage).collect();
        if failed.is_empty() { Ok(()) } else { Err(Failure::new(format!("failed: {}", failed.join(", ")))) }
    }
}

/// What a job answered; why it could not go on is told.
fn told<T>(outcome: Outcome<T>) -> Option<T> {
    outcome.map_err(|failure| announce(&failure.to_string())).ok()
}

/// What there is to say of a run's time.
fn budget(took: Duration) -> String {
    let (took_text, budget) = (spell(took), spell(BUDGET));
    if took <= BUDGET {
        return format!("{took_text} of {budget}.");
    }
    let line = "!".repeat(78);
    format!(
        "{line}\n!! OVER BUDGET: {took_text} of {budget}. If this machine was quiet, make it faster before it grows.\n{line}"
    )
}

/// The wall time of a stage and how many cores it kept busy.
fn columns(took: StageTime) -> String {
    format!("{:>9}  {:>10.1}", spell(took.wall), took.cores())
}

/// Minutes and seconds.
fn spell(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_broke_off_counts_as_a_failure() {
        let mut report = Report::default();
        report.test("nextest", || Ok((false, None)));
        report.test("vitest", || Err(Failure::new("npm is not installed")));
        let failed: Vec<_> =
            report.rows.iter().map(|row| row.counts.map(|counts| (counts.passed, counts.failed))).collect();
        assert_eq!(failed, [Some((0, 1)), Some((0, 1))]);
        assert!(report.close().is_err());
    }

    #[test]
    fn a_runner_that_ran_nothing_counts_as_a_failure() {
        let mut report = Report::default();
        report.test("vitest", || Ok((true, Some(Results::default()))));
        assert!(report.close().is_err());
    }

    #[test]
    fn there_may_be_no_example_in_the_documentation() {
        let mut report = Report::default();
        report.test(DOC_TESTS, || Ok((true, Some(Results::default()))));
        assert!(report.close().is_ok());
    }

    #[test]
    fn a_check_that_fails_ends_the_run_at_its_end_only() {
        let mut report = Report::default();
        report.check("clippy", || Ok(false));
        report.check("tsc", || Ok(true));
        assert_eq!(report.rows.len(), 2);
        assert!(report.close().is_err());
    }

    #[test]
    fn a_run_over_budget_says_so_loudly() {
        assert_eq!(budget(Duration::from_mins(34)), "34 min 00 s of 35 min 00 s.");
        assert!(budget(Duration::from_mins(36)).contains("OVER BUDGET: 36 min 00 s of 35 min 00 s"));
    }

    #[test]
    fn times_are_told_in_minutes_once_there_are_some() {
        assert_eq!(spell(Duration::from_millis(1_340)), "1.3 s");
        assert_eq!(spell(Duration::from_secs(605)), "10 min 05 s");
    }
}
