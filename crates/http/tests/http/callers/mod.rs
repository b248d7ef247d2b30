//! Calls every operation of the two API documents as every kind of caller
//! (`docs/rules/identity-and-system.md#what-is-tested-of-each-operation`).
//!
//! A row gives the expected response of one operation for each caller. The test fails if an operation has no row or a
//! row has no operation.

mod audit;
mod events;
mod fixture;
mod rows;

use std::collections::BTreeSet;

use croft_control::operation;
use croft_store::records::PendingStep;
use fixture::{CALLERS, Fixture};
use http::Method;
use serde_json::Value;

use crate::document::{Documented, documented};

/// The expected response for a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// The status of success.
    Success,
    /// Authorized, but refused for another reason.
    Refused,
    /// 403: the object is visible, but the role does not permit the operation.
    Forbidden,
    /// 404: the object is not visible to this caller.
    Missing,
}

impl Expected {
    fn read(letter: char) -> Self {
        match letter {
            '+' => Self::Success,
            '~' => Self::Refused,
            'F' => Self::Forbidden,
            'N' => Self::Missing,
            _ => panic!("an expectation is one of + ~ F N, not {letter}"),
        }
    }

    fn is_denial(self) -> bool {
        matches!(self, Self::Forbidden | Self::Missing)
    }

    /// Whether a response with this status is as expected. The status of success is the one that the operation
    /// declares.
    fn fits(self, id: &str, status: u16) -> bool {
        match self {
            Self::Success => operation::find(id).map_or(200, |declared| declared.success) == status,
            Self::Refused => (400..500).contains(&status) && !matches!(status, 401 | 403 | 404),
            Self::Forbidden => status == 403,
            Self::Missing => status == 404,
        }
    }
}

/// The request for one operation, and the expected response for each caller.
struct Row {
    id: &'static str,
    expected: Vec<Expected>,
    /// Whether the operation requires no authentication.
    open: bool,
    query: &'static str,
    /// Replace the default values of path parameters.
    path: Vec<(&'static str, &'static str)>,
    body: Option<Value>,
    form: Option<&'static str>,
}

impl Row {
    /// `expected` is in the order of [`CALLERS`]: another silo's admin, no role, then viewer, collaborator and admin of
    /// the project, of the silo, of the fleet.
    fn new(id: &'static str, expected: &str) -> Self {
        let expected: Vec<_> = expected.chars().filter(|letter| *letter != ' ').map(Expected::read).collect();
        assert_eq!(expected.len(), CALLERS.len(), "{id}");
        Self { id, expected, open: false, query: "", path: Vec::new(), body: None, form: None }
    }

    /// An operation that requires no authentication.
    fn open(id: &'static str, expected: char) -> Self {
        let expected = vec![Expected::read(expected); CALLERS.len()];
        Self { open: true, ..Self::new(id, &"+".repeat(CALLERS.len())) }.with(expected)
    }

    fn with(self, expected: Vec<Expected>) -> Self {
        Self { expected, ..self }
    }

    /// An operation on an object in the project.
    fn inside(id: &'static str, expected: &str) -> Self {
        Self { query: "project=web", ..Self::new(id, expected) }
    }

    fn query(self, query: &'static str) -> Self {
        Self { query, ..self }
    }

    fn at(mut self, parameter: &'static str, value: &'static str) -> Self {
        self.path.push((parameter, value));
        self
    }

    fn body(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }

    fn form(self, form: &'static str) -> Self {
        Self { form: Some(form), ..self }
    }
}

#[test]
fn table_contains_exactly_the_documented_operations() {
    let documented: BTreeSet<_> = documented().into_iter().map(|operation| operation.id).collect();
    let rows: Vec<_> = rows::all().into_iter().map(|row| row.id.to_owned()).collect();
    let named: BTreeSet<_> = rows.iter().cloned().collect();
    assert_eq!(rows.len(), named.len(), "an operation has two rows");
    let unnamed: Vec<_> = documented.difference(&named).collect();
    let stale: Vec<_> = named.difference(&documented).collect();
    assert!(
        unnamed.is_empty(),
        "add a row to callers/rows.rs, or to a file in callers/rows, for each of {unnamed:?}"
    );
    assert!(
        stale.is_empty(),
        "no document describes {stale:?}: run `cargo xtask openapi`, or remove the row"
    );
}

/// Checks every `PARTS`-th row, starting at `part`, so that the parts run in parallel.
async fn check(part: usize) {
    let documented = documented();
    let mut wrong = Vec::new();
    let rows: Vec<_> = rows::all().into_iter().skip(part).step_by(PARTS).collect();
    for row in &rows {
        let Some(operation) = documented.iter().find(|operation| operation.id == row.id) else { continue };
        wrong.extend(callers(row, operation).await);
    }
    // Refused requests change nothing, so all of them share one fixture. An operation that is open to all gets one of
    // its own.
    let (open, closed): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.open);
    wrong.extend(unauthenticated(&closed, &documented).await);
    for row in open {
        wrong.extend(unauthenticated(&[row], &documented).await);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const PARTS: usize = 4;

#[tokio::test]
async fn callers_get_the_expected_status_part_1() {
    check(0).await;
}

#[tokio::test]
async fn callers_get_the_expected_status_part_2() {
    check(1).await;
}

#[tokio::test]
async fn callers_get_the_expected_status_part_3() {
    check(2).await;
}

#[tokio::test]
async fn callers_get_the_expected_status_part_4() {
    check(3).await;
}

/// A session with a step of sign-in left can only complete that step, whatever the user's role.
#[tokio::test]
async fn incomplete_sign_in_can_only_be_completed() {
    let documented = documented();
    let (verify, set_up) = (
        ["account_verify_begin", "account_verify"],
        ["account_totp_begin", "account_totp_create", "account_passkey_begin", "account_passkey_create"],
    );
    let steps: [(PendingStep, &[&str]); 3] = [
        (PendingStep::VerifySecondFactor, &verify),
        (PendingStep::ChoosePassword, &["account_password_change"]),
        (PendingStep::SetUpSecondFactor, &set_up),
    ];
    let mut wrong = Vec::new();
    for (step, parts) in steps {
        let fixture = Fixture::new().await;
        let client = fixture.with_pending_step(step);
        for row in rows::all() {
            let operation = documented.iter().find(|operation| operation.id == row.id);
            let Some(operation) = operation.filter(|_| !row.open) else { continue };
            let is_part = row.id == "account_view" || parts.contains(&row.id);
            let before = fixture.changes();
            let answer = fixture.ask(&client, None, &row, operation).await;
            let is_refused = answer.status == 403 && answer.text().contains("first");
            let is_refused =
                is_refused || answer.text().contains("requires a second factor, and you have none");
            if is_refused == is_part || (!is_part && fixture.changes() != before) {
                wrong.push(format!("{step:?}: {} {} {}", row.id, answer.status, answer.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that requests without valid credentials get 401 and change nothing. An unknown method is refused before that.
async fn unauthenticated(rows: &[&Row], documented: &[Documented]) -> Vec<String> {
    let fixture = Fixture::new().await;
    let mut wrong = Vec::new();
    for (who, client) in fixture.unauthenticated().await {
        for row in rows {
            let Some(operation) = documented.iter().find(|operation| operation.id == row.id) else {
                continue;
            };
            let before = fixture.changes();
            let answer = fixture.ask(&client, None, row, operation).await;
            if row.open == (answer.status == 401) {
                wrong.push(format!("{} asked by {who}: {} {}", row.id, answer.status, answer.text()));
            }
            if !row.open && fixture.changes() != before {
                wrong.push(format!("{} asked by {who} changed something", row.id));
            }
            let path = fixture.path(None, row, operation);
            let answer = client.send(Method::TRACE, &path, "").await;
            if answer.status != 405 {
                wrong.push(format!("TRACE {path} by {who}: {}", answer.status));
            }
        }
    }
    wrong
}

async fn callers(row: &Row, operation: &Documented) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut fixture = Fixture::new().await;
    let mut untouched = fixture.changes();
    for (index, expected) in row.expected.iter().copied().enumerate() {
        let client = fixture.caller(index);
        let written = audit::entries(&fixture);
        let answer = fixture.ask(&client, Some(index), row, operation).await;
        wrong.extend(audit::check(&fixture, &written, operation, &answer));
        if !expected.fits(row.id, answer.status) {
            let who = CALLERS[index].0;
            let got = (answer.status, answer.text());
            wrong.push(format!("{} asked by {who}: expected {expected:?}, got {got:?}", row.id));
        }
        if fixture.changes() != untouched {
            if expected.is_denial() {
                wrong.push(format!("{} asked by {} changed something", row.id, CALLERS[index].0));
            }
            fixture = Fixture::new().await;
            untouched = fixture.changes();
        }
    }
    wrong
}
