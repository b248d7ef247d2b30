//! Every action on instances and disks in every state, through the API, compared with the tables of
//! `docs/rules/compute-and-storage.md` and `docs/rules/console/project-compute.md`.

mod disks;
mod instances;

use std::{fmt::Debug, time::Duration};

use croft_sled::simulated::Timing;
use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

const GIB: u64 = 1 << 30;

/// The expected response to an action, and the state afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Succeeds; the object is in this state afterwards.
    Becomes(u16, &'static str),
    /// Succeeds; the state of the object is the same as before.
    Done(u16),
    /// Succeeds without changing anything.
    Same(u16),
    /// Succeeds; the object no longer exists.
    Gone(u16),
    /// Refused with this message, and nothing has changed.
    Refused(u16, &'static str),
}

use Expected::{Becomes, Done, Gone, Refused, Same};

impl Expected {
    fn succeeds(self) -> bool {
        !matches!(self, Refused(..))
    }
}

struct Ask {
    method: Method,
    uri: String,
    body: Value,
}

fn ask(method: Method, uri: impl Into<String>, body: Value) -> Ask {
    Ask { method, uri: uri.into(), body }
}

/// An action in one state.
struct Cell<'a> {
    what: String,
    state: &'a str,
    expected: Expected,
    ask: Ask,
    /// The URI of the object's view.
    view: &'a str,
    /// The JSON pointer to the state in the view.
    state_at: &'a str,
    /// URIs of further views that must not change either.
    also: &'a [&'a str],
}

/// Expected responses to the actions on a kind of object in each of its states.
struct Matrix<A: 'static, const N: usize> {
    /// The states, in the order of the columns.
    states: [&'static str; N],
    /// The rows. In messages, `{db}` stands for the ID of that instance.
    table: &'static [(A, [Expected; N])],
    /// Actions and the states in which the console offers them.
    offered: &'static [(A, &'static [&'static str])],
    ask: fn(A) -> Ask,
    /// The URI of the object's view.
    view: &'static str,
    /// The JSON pointer to the state in the view.
    state_at: &'static str,
    /// URIs of further views that must not change either.
    also: &'static [&'static str],
}

impl<A: Copy + Debug + PartialEq, const N: usize> Matrix<A, N> {
    /// Performs every action in every state. `cloud_with` creates a cloud with an object in the given state.
    async fn check(&self, cloud_with: impl AsyncFn(&'static str) -> Cloud) {
        let mut wrong = Vec::new();
        for (column, state) in self.states.into_iter().enumerate() {
            // The next action uses the same cloud if this one has changed nothing.
            let mut untouched = None;
            for (action, answers) in self.table {
                let cloud = match untouched.take() {
                    Some(cloud) => cloud,
                    None => cloud_with(state).await,
                };
                let cell = Cell {
                    what: format!("{action:?}"),
                    state,
                    expected: answers[column],
                    ask: (self.ask)(*action),
                    view: self.view,
                    state_at: self.state_at,
                    also: self.also,
                };
                let (problem, as_before) = check(&cloud.with_token(), &cell).await;
                wrong.extend(problem);
                if as_before {
                    untouched = Some(cloud);
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Checks that no action that the console offers is refused.
    fn check_offered(&self) {
        for (action, states) in self.offered {
            let (_, answers) = self.table.iter().find(|(row, _)| row == action).unwrap();
            for state in *states {
                let column = self.states.iter().position(|column| column == state).unwrap();
                assert!(answers[column].succeeds(), "{action:?} while {state}");
            }
        }
    }
}

/// Sends the request of a cell. Returns a description of what is wrong, and whether nothing has changed as expected.
async fn check(client: &Client<'_>, cell: &Cell<'_>) -> (Option<String>, bool) {
    let what = format!("{} while {}", cell.what, cell.state);
    let before = observe(client, cell).await;
    let answer = client.send(cell.ask.method.clone(), &cell.ask.uri, cell.ask.body.to_string()).await;
    let after = observe(client, cell).await;
    let state = after[0].pointer(cell.state_at).and_then(Value::as_str).unwrap_or("deleted");
    let was = before[0].pointer(cell.state_at).and_then(Value::as_str).unwrap_or("deleted");
    if was != cell.state {
        return (Some(format!("{what}: the test brought it into state {was}")), false);
    }
    let got = answer.status;
    let right = match cell.expected {
        Becomes(status, expected) => got == status && state == expected,
        Done(status) => got == status && state == cell.state,
        Same(status) => got == status && before == after,
        Gone(status) => got == status && state == "deleted",
        Refused(status, message) => {
            let code = match status {
                404 => "ObjectNotFound",
                409 => "Conflict",
                503 => "ServiceNotAvailable",
                _ => "InvalidRequest",
            };
            let message = if message.contains("{db}") {
                message.replace("{db}", &id_of_db(client).await)
            } else {
                message.to_owned()
            };
            got >= 400 && answer.error() == (status, Some(code.to_owned()), message) && before == after
        }
    };
    let expected = cell.expected;
    let wrong = format!("{what}: expected {expected:?}, got {got} {}, then {state}", answer.text());
    ((!right).then_some(wrong), matches!(expected, Same(_) | Refused(..)) && before == after)
}

async fn id_of_db(client: &Client<'_>) -> String {
    let db = client.get("/v1/instances/db?project=web").await.json();
    db["id"].as_str().unwrap().to_owned()
}

/// Returns the views that an action may change.
async fn observe(client: &Client<'_>, cell: &Cell<'_>) -> Vec<Value> {
    let mut seen = Vec::new();
    for uri in std::iter::once(&cell.view).chain(cell.also) {
        let mut answer = client.get(uri).await.json();
        if let Some(body) = answer.as_object_mut() {
            body.remove("request_id");
        }
        seen.push(answer);
    }
    seen
}

/// A cloud with a project, whose hosts take time for each operation.
async fn slow_cloud() -> Cloud {
    let seconds = SignedDuration::from_secs;
    let timing =
        Timing { start: seconds(4), stop: seconds(4), reboot: seconds(4), disk: seconds(4), speed: 1.0 };
    let cloud = Cloud::timed(timing);
    cloud.with_token().create_project("web").await;
    cloud
}

/// Runs the background work until all hosts are idle.
fn rest(cloud: &Cloud) {
    for _ in 0..3 {
        cloud.settle();
        cloud.clock.advance(Duration::from_secs(5));
    }
    cloud.settle();
}

async fn done(client: &Client<'_>, uri: &str, body: Value) {
    let answer = client.post(uri, body).await;
    assert!((200..300).contains(&answer.status), "{uri}: {answer:?}");
}

fn new_disk(name: &str) -> Value {
    let source = json!({ "type": "blank", "block_size": 512 });
    json!({ "name": name, "description": "", "size": GIB, "disk_source": source })
}

fn new_instance(name: &str) -> Value {
    json!({
        "name": name, "description": "", "hostname": name, "ncpus": 2, "memory": GIB, "start": false,
        "network_interfaces": { "type": "none" }, "auto_restart_policy": "never",
    })
}
