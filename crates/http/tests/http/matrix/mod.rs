//! Every action on instances and on disks in every state, through the API, against the tables of
//! `docs/rules/compute-and-storage.md` and of `docs/rules/console/project-compute.md`.

mod disks;
mod instances;

use std::{fmt::Debug, time::Duration};

use croft_sled::simulated::Timing;
use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

const GIB: u64 = 1 << 30;

/// What an action answers, and what it leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Done; the object is in this state afterwards.
    Becomes(u16, &'static str),
    /// Done; the object is in the state it was in.
    Done(u16),
    /// Nothing had to be done, and nothing at all has changed.
    Same(u16),
    /// Done; the object is not there any more.
    Gone(u16),
    /// Refused with this message, and nothing at all has changed.
    Refused(u16, &'static str),
}

use Expected::{Becomes, Done, Gone, Refused, Same};

impl Expected {
    fn succeeds(self) -> bool {
        !matches!(self, Refused(..))
    }
}

/// A request.
struct Ask {
    method: Method,
    uri: String,
    body: Value,
}

fn ask(method: Method, uri: impl Into<String>, body: Value) -> Ask {
    Ask { method, uri: uri.into(), body }
}

/// One cell of a table.
struct Cell<'a> {
    what: String,
    state: &'a str,
    expected: Expected,
    ask: Ask,
    /// Where the object is seen.
    view: &'a str,
    /// The place of its state in the view.
    state_at: &'a str,
    /// What else must be as before if nothing was to change.
    also: &'a [&'a str],
}

/// What the actions on a kind of object answer in each of its states.
struct Matrix<A: 'static, const N: usize> {
    /// The states, in the order of the table's columns.
    states: [&'static str; N],
    /// The answers. In messages `{db}` stands for the id of the instance of that name.
    table: &'static [(A, [Expected; N])],
    /// In which states the console offers an action.
    offered: &'static [(A, &'static [&'static str])],
    ask: fn(A) -> Ask,
    /// Where the object is seen.
    view: &'static str,
    /// The place of its state in the view.
    state_at: &'static str,
    /// What else must be as before if nothing was to change.
    also: &'static [&'static str],
}

impl<A: Copy + Debug + PartialEq, const N: usize> Matrix<A, N> {
    /// Asks for every action in every state. `cloud_with` makes a cloud with an object in a state.
    async fn check(&self, cloud_with: impl AsyncFn(&'static str) -> Cloud) {
        let mut wrong = Vec::new();
        for (column, state) in self.states.into_iter().enumerate() {
            // What changes nothing leaves the cloud to the next.
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

    /// What the console offers is not refused.
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

/// Sends a cell's request to an object in the cell's state. Says what was wrong, and whether everything is as before.
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

/// Everything that an action may change.
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

/// A cloud in which everything takes a while, with a project.
async fn slow_cloud() -> Cloud {
    let seconds = SignedDuration::from_secs;
    let timing =
        Timing { start: seconds(4), stop: seconds(4), reboot: seconds(4), disk: seconds(4), speed: 1.0 };
    let cloud = Cloud::timed(timing);
    cloud.with_token().create_project("web").await;
    cloud
}

/// Lets everything come to rest.
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
