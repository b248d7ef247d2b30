//! Reading what runners report: counts, times, and what was skipped and why.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use roxmltree::{Document, Node};
use serde_json::Value;

/// What a test prints, followed by the reason, before it ends early because this machine lacks something.
const SKIPPED: &str = "skipped: ";

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many passed.
    pub passed: u64,
    /// How many failed, or passed only when they were repeated.
    pub failed: u64,
    /// How many did not run.
    pub skipped: u64,
}

impl Counts {
    /// All of them.
    pub fn total(self) -> u64 {
        self.passed + self.failed + self.skipped
    }

    /// These and others.
    pub fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    /// The line that a run ends with.
    pub fn closing_line(self) -> String {
        let Self { passed, failed, skipped } = self;
        match skipped {
            0 => format!("{passed} passed, {failed} failed"),
            _ => format!("{passed} passed, {failed} failed, {skipped} skipped"),
        }
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

impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, skipped } = self;
        write!(formatter, "{passed:>5} passed {failed:>5} failed {skipped:>5} skipped")
    }
}

/// A test and how long it ran.
#[derive(Debug, PartialEq, Eq)]
pub struct Timed {
    /// What the runner calls it.
    pub name: String,
    /// How long it ran.
    pub took: Duration,
    /// Whether it failed.
    pub failed: bool,
}

/// A test that did not run.
#[derive(Debug, PartialEq, Eq)]
pub struct Skipped {
    /// What the runner calls it.
    pub name: String,
    /// Why it did not run.
    pub reason: String,
}

impl Timed {
    /// The same with another name.
    pub fn renamed(self, rename: impl FnOnce(String) -> String) -> Self {
        Self { name: rename(self.name), ..self }
    }
}

impl Skipped {
    /// The same with another name.
    pub fn renamed(self, rename: impl FnOnce(String) -> String) -> Self {
        Self { name: rename(self.name), ..self }
    }
}

/// What a runner reported.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// How many tests there were.
    pub counts: Counts,
    /// The tests that ran, as far as the runner names them.
    pub tests: Vec<Timed>,
    /// The tests that did not run, as far as the runner names them.
    pub skipped: Vec<Skipped>,
}

impl From<Counts> for Results {
    fn from(counts: Counts) -> Self {
        Self { counts, ..Self::default() }
    }
}

/// Reads vitest's JSON report.
pub fn vitest(path: &Path) -> Option<Results> {
    let report: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
    let counts = Counts {
        passed: report["numPassedTests"].as_u64()?,
        failed: report["numFailedTests"].as_u64()?,
        skipped: report["numPendingTests"].as_u64()? + report["numTodoTests"].as_u64()?,
    };
    let mut results = Results::from(counts);
    for test in entries(&report, "testResults").flat_map(|file| entries(file, "assertionResults")) {
        let name = test["fullName"].as_str().unwrap_or_default().to_owned();
        match test["duration"].as_f64() {
            Some(milliseconds) => results.tests.push(Timed {
                name,
                took: of_milliseconds(milliseconds),
                failed: test["status"] == "failed",
            }),
            None => results.skipped.push(Skipped { name, reason: "marked so".to_owned() }),
        }
    }
    Some(results)
}

/// Reads Playwright's JSON report; a test that passed only when it was repeated is a failure.
pub fn playwright(path: &Path) -> Option<Results> {
    let report: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
    let stats = &report["stats"];
    let mut results = Results::from(Counts {
        passed: stats["expected"].as_u64()?,
        failed: stats["unexpected"].as_u64()? + stats["flaky"].as_u64()?,
        skipped: stats["skipped"].as_u64()?,
    });
    for suite in entries(&report, "suites") {
        read_suite(suite, &mut results);
    }
    Some(results)
}

/// Reads a suite of Playwright's report, and those in it.
fn read_suite(suite: &Value, results: &mut Results) {
    for spec in entries(suite, "specs") {
        let (file, title) =
            (spec["file"].as_str().unwrap_or_default(), spec["title"].as_str().unwrap_or_default());
        for test in entries(spec, "tests") {
            let name = format!("{file}: {title} ({})", test["projectName"].as_str().unwrap_or_default());
            if test["status"] == "skipped" {
                let reason = entries(test, "annotations").find_map(|note| note["description"].as_str());
                results
                    .skipped
                    .push(Skipped { name, reason: reason.unwrap_or("no reason given").to_owned() });
                continue;
            }
            let milliseconds = entries(test, "results").filter_map(|run| run["duration"].as_f64()).sum();
            results.tests.push(Timed {
                name,
                took: of_milliseconds(milliseconds),
                failed: test["status"] != "expected",
            });
        }
    }
    for suite in entries(suite, "suites") {
        read_suite(suite, results);
    }
}

/// The entries of a list in JSON; `None` if it is not there.
fn entries<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// Times are for people: what is no time is none.
fn of_milliseconds(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}

/// Reads a JUnit report: nextest's, or schemathesis'. A test that printed `skipped: ` and a reason did not run.
pub fn junit(path: &Path) -> Option<Results> {
    outermost(&fs::read_to_string(path).ok()?)
}

fn outermost(report: &str) -> Option<Results> {
    let report = Document::parse(report).ok()?;
    let suites = report.root_element();
    let attribute = |name: &str| -> Option<u64> { suites.attribute(name)?.parse().ok() };
    let failed = attribute("failures")? + attribute("errors")?;
    let passed = attribute("tests")?.checked_sub(failed)?;
    let mut results = Results::from(Counts { passed, failed, skipped: 0 });
    for case in suites.descendants().filter(|node| node.has_tag_name("testcase")) {
        let name = [case.attribute("classname"), case.attribute("name")];
        let name = name.into_iter().flatten().collect::<Vec<_>>().join(" ");
        if let Some(reason) = why_skipped(&case) {
            results.skipped.push(Skipped { name, reason });
            continue;
        }
        let seconds = case.attribute("time").and_then(|time| time.parse().ok()).unwrap_or_default();
        results.tests.push(Timed {
            name,
            took: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
            failed: is_failed(&case),
        });
    }
    let skipped = results.skipped.len() as u64;
    results.counts.passed = passed.checked_sub(skipped)?;
    results.counts.skipped = skipped;
    Some(results)
}

/// Whether a test of a JUnit report failed.
fn is_failed(case: &Node<'_, '_>) -> bool {
    case.children().any(|node| node.has_tag_name("failure") || node.has_tag_name("error"))
}

/// Why a test of a JUnit report did not run, if it did not.
fn why_skipped(case: &Node<'_, '_>) -> Option<String> {
    if is_failed(case) {
        return None;
    }
    case.children().find_map(|node| match node.tag_name().name() {
        "skipped" => Some(node.attribute("message").unwrap_or("no reason given").to_owned()),
        "system-out" | "system-err" => {
            let reason = node.text()?.lines().find_map(|line| line.trim().strip_prefix(SKIPPED))?;
            Some(reason.to_owned())
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junit_counts_come_from_the_outermost_element() {
        let report = r#"<?xml version="1.0"?><testsuites name="nextest-run" tests="9" failures="2" errors="1">
            <testsuite name="croft" tests="4" failures="0" errors="0"></testsuite></testsuites>"#;
        let counts = outermost(report).map(|results| results.counts);
        assert_eq!(counts, Some(Counts { passed: 6, failed: 3, skipped: 0 }));
        assert_eq!(outermost("<testsuites/>"), None);
        assert_eq!(outermost("<testsuites"), None);
    }

    #[test]
    fn junit_names_what_took_how_long_and_what_did_not_run() {
        let report = r#"<testsuites tests="3" failures="1" errors="0"><testsuite>
            <testcase classname="sled" name="runs" time="1.5"><system-out>1 test</system-out></testcase>
            <testcase classname="sled" name="needs" time="0.1"><system-err>
                skipped: QEMU is not installed
            </system-err></testcase>
            <testcase classname="sled" name="fails" time="2"><failure/><system-err>skipped: x</system-err></testcase>
            </testsuite></testsuites>"#;
        let results = outermost(report).unwrap();
        assert_eq!(results.counts, Counts { passed: 1, failed: 1, skipped: 1 });
        let timed = |name: &str, milliseconds, failed| Timed {
            name: name.into(),
            took: Duration::from_millis(milliseconds),
            failed,
        };
        assert_eq!(results.tests, [timed("sled runs", 1500, false), timed("sled fails", 2000, true)]);
        let skipped = Skipped { name: "sled needs".into(), reason: "QEMU is not installed".into() };
        assert_eq!(results.skipped, [skipped]);
    }

    #[test]
    fn suites_of_playwright_are_read_to_their_depth() {
        let report = serde_json::json!({ "suites": [{ "specs": [], "suites": [{ "specs": [
            { "file": "a.spec.ts", "title": "works", "tests": [
                { "projectName": "native", "status": "expected", "results": [{ "duration": 900 }, { "duration": 100 }] },
                { "projectName": "preview", "status": "skipped", "results": [],
                  "annotations": [{ "type": "skip", "description": "needs a host" }] },
            ]},
            { "file": "a.spec.ts", "title": "breaks", "tests": [
                { "projectName": "native", "status": "unexpected", "results": [{ "duration": 100 }] },
            ]},
        ]}]}]});
        let mut results = Results::default();
        entries(&report, "suites").for_each(|suite| read_suite(suite, &mut results));
        let timed = |name: &str, milliseconds, failed| Timed {
            name: name.into(),
            took: Duration::from_millis(milliseconds),
            failed,
        };
        let tests =
            [timed("a.spec.ts: works (native)", 1000, false), timed("a.spec.ts: breaks (native)", 100, true)];
        assert_eq!(results.tests, tests);
        assert_eq!(results.skipped[0].reason, "needs a host");
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
    fn skips_are_told_where_there_are_some() {
        let counts = Counts { passed: 2, failed: 0, skipped: 0 };
        assert_eq!(counts.closing_line(), "2 passed, 0 failed");
        assert_eq!(
            counts.plus(Counts { skipped: 1, ..Counts::default() }).closing_line(),
            "2 passed, 0 failed, 1 skipped"
        );
    }
}
