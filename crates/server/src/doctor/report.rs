//! The report, for people and for programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Finding, Level};

/// Everything that was found.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    version: &'static str,
    can_start: bool,
    checks: Vec<Finding>,
}

impl Report {
    pub(super) fn new(checks: Vec<Finding>) -> Self {
        let can_start = checks.iter().all(|finding| finding.level != Level::Problem);
        Self { version: env!("CARGO_PKG_VERSION"), can_start, checks }
    }

    /// Whether nothing prevents the server from starting.
    pub(super) const fn can_start(&self) -> bool {
        self.can_start
    }

    pub(super) fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.map_or_else(|error| format!("{{ \"error\": {:?} }}\n", error.to_string()), |text| text + "\n")
    }

    /// Aligned lines, with colors if a terminal shows them.
    pub(super) fn text(&self, in_color: bool) -> String {
        let width = self.checks.iter().map(|finding| finding.check.len()).max().unwrap_or_default();
        let mut text = String::new();
        for Finding { check, level, text: found, mend } in &self.checks {
            let name = colored(*level, in_color);
            let _ = writeln!(text, "{name}  {check:width$}  {found}");
            if let Some(mend) = mend {
                let _ = writeln!(text, "{:7}  {:width$}  mend: {mend}", "", "");
            }
        }
        text.push('\n');
        text.push_str(&self.summary());
        text
    }

    fn summary(&self) -> String {
        let count = |level| self.checks.iter().filter(|finding| finding.level == level).count();
        let number = |count: usize, what: &str| match count {
            0 => format!("no {what}s"),
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let warnings = number(count(Level::Warning), "warning");
        if self.can_start {
            format!("The server can start: {warnings}.\n")
        } else {
            format!("The server cannot start: {}, {warnings}.\n", number(count(Level::Problem), "problem"))
        }
    }
}

/// The name of a level, as wide as the longest.
fn colored(level: Level, in_color: bool) -> String {
    let name = format!("{:7}", level.name());
    let color = match level {
        _ if !in_color => return name,
        Level::Ok => 32,
        Level::Warning => 33,
        Level::Problem => 31,
    };
    format!("\x1b[{color}m{name}\x1b[0m")
}
