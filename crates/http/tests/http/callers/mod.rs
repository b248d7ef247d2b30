//! Every operation of the two documents, asked by every kind of caller
//! (`docs/rules/identity-and-system.md#what-is-tested-of-each-operation`).
//!
//! A row says for one operation what each caller gets. An operation without a row fails the test, and so does a row without an operation.

mod audit;
mod events;
mod rows;
mod world;

use std::collections::BTreeSet;

use croft_control::operation;
use croft_store::records::PendingStep;
use http::Method;
use serde_json::Value;
use world::{CALLERS, World};

use crate::document::{Documented, documented};

/// What a caller gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// The answer.
    Success,
    /// Past every check of rights; the operation then refuses for a reason of its own.
    Refused,
    /// 403: it is there, and not for this caller.
    Forbidden,
    /// 404: for this caller it is not there.
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

    /// Whether the operation with this id answers it with this status; success is what its declaration says.
    fn fits(self, id: &str, status: u16) -> bool {
        match self {
            Self::Success => operation::find(id).map_or(200, |declared| declared.success) == status,
            Self::Refused => (400..500).contains(&status) && !matches!(status, 401 | 403 | 404),
            Self::Forbidden => status == 403,
            Self::Missing => status == 404,
        }
    }
}

/// What one operation answers to whom, and how it is asked.
struct Row {
    id: &'static str,
    expected: Vec<Expected>,
    /// Whether nobody has to be signed in.
    open: bool,
    query: &'static str,
    /// Stand in for the usual values of the path's parameters.
    path: Vec<(&'static str, &'static str)>,
    body: Option<Value>,
    form: Option<&'static str>,
}

impl Row {
    /// In the order of [`CALLERS`]: another silo's admin, no role, then viewer, collaborator and admin of the project,
    /// of the silo, of the fleet.
    fn new(id: &'static str, expected: &str) -> Self {
        let expected: Vec<_> = expected.chars().filter(|letter| *letter != ' ').map(Expected::read).collect();
        assert_eq!(expected.len(), CALLERS.len(), "{id}");
        Self { id, expected, open: false, query: "", path: Vec::new(), body: None, form: None }
    }

    /// Something that needs nobody to be signed in.
    fn open(id: &'static str, expected: char) -> Self {
        let expected = vec![Expected::read(expected); CALLERS.len()];
        Self { open: true, ..Self::new(id, &"+".repeat(CALLERS.len())) }.with(expected)
    }

    fn with(self, expected: Vec<Expected>) -> Self {
        Self { expected, ..self }
    }

    /// Something inside the project.
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

/// Asks the operations whose place in the table leaves this remainder, so that the parts run side by side.
async fn check(part: usize) {
    let documented = documented();
    let mut wrong = Vec::new();
    let rows: Vec<_> = rows::all().into_iter().skip(part).step_by(PARTS).collect();
    for row in &rows {
        let Some(operation) = documented.iter().find(|operation| operation.id == row.id) else { continue };
        wrong.extend(callers(row, operation).await);
    }
    // What nobody may do leaves the world as it is, so one world serves for it. What anybody may do has one of its own.
    let (open, closed): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.open);
    wrong.extend(strangers(&closed, &documented).await);
    for row in open {
        wrong.extend(strangers(&[row], &documented).await);
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

/// Whoever has something left to do before signing in is complete gets nothing else done, whatever their role.
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
        let world = World::new().await;
        let client = world.half_open(step);
        for row in rows::all() {
            let operation = documented.iter().find(|operation| operation.id == row.id);
            let Some(operation) = operation.filter(|_| !row.open) else { continue };
            let is_part = row.id == "account_view" || parts.contains(&row.id);
            let before = world.changes();
            let answer = world.ask(&client, None, &row, operation).await;
            let is_refused = answer.status == 403 && answer.text().contains("first");
            let is_refused =
                is_refused || answer.text().contains("requires a second factor, and you have none");
            if is_refused == is_part || (!is_part && world.changes() != before) {
                wrong.push(format!("{step:?}: {} {} {}", row.id, answer.status, answer.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nobody, and everybody whose credentials are no good: 401 and nothing changed. Another method is refused first.
async fn strangers(rows: &[&Row], documented: &[Documented]) -> Vec<String> {
    let world = World::new().await;
    let mut wrong = Vec::new();
    for (who, stranger) in world.strangers().await {
        for row in rows {
            let Some(operation) = documented.iter().find(|operation| operation.id == row.id) else {
                continue;
            };
            let before = world.changes();
            let answer = world.ask(&stranger, None, row, operation).await;
            if row.open == (answer.status == 401) {
                wrong.push(format!("{} asked by {who}: {} {}", row.id, answer.status, answer.text()));
            }
            if !row.open && world.changes() != before {
                wrong.push(format!("{} asked by {who} changed something", row.id));
            }
            let path = world.path(None, row, operation);
            let answer = stranger.send(Method::TRACE, &path, "").await;
            if answer.status != 405 {
                wrong.push(format!("TRACE {path} by {who}: {}", answer.status));
            }
        }
    }
    wrong
}

async fn callers(row: &Row, operation: &Documented) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut world = World::new().await;
    let mut untouched = world.changes();
    for (index, expected) in row.expected.iter().copied().enumerate() {
        let client = world.caller(index);
        let written = audit::entries(&world);
        let answer = world.ask(&client, Some(index), row, operation).await;
        wrong.extend(audit::check(&world, &written, operation, &answer));
        if !expected.fits(row.id, answer.status) {
            let who = CALLERS[index].0;
            let got = (answer.status, answer.text());
            wrong.push(format!("{} asked by {who}: expected {expected:?}, got {got:?}", row.id));
        }
        if world.changes() != untouched {
            if expected.is_denial() {
                wrong.push(format!("{} asked by {} changed something", row.id, CALLERS[index].0));
            }
            world = World::new().await;
            untouched = world.changes();
        }
    }
    wrong
}
