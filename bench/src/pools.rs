//! Addresses taken from a pool of a million and given back, in a pool that is empty, full and full of gaps.

use std::sync::{Arc, atomic::AtomicU64};

use hyper::StatusCode;

use crate::{
    Failure, RunOptions,
    load::{self, Ask, Asks, Connection, Target},
    stats::Run,
};

const PROJECT: &str = "addresses";
const POOL: &str = "million";
/// Addresses that are taken before the pool counts as full.
pub const TAKEN: u64 = 200_000;

/// What was measured with the pool in one state, beside the control of the same runs.
pub struct State {
    /// The state, for people.
    pub name: String,
    /// Addresses taken and given back, one after the other.
    pub runs: Vec<Run>,
    /// Synced commits.
    pub control: Vec<Run>,
}

/// Takes and gives back addresses in all states of the pool.
pub async fn measure(target: &Target, control: &Target, options: &RunOptions) -> Result<Vec<State>, Failure> {
    prepare(target).await?;
    let mut states = vec![state("nothing taken", target, control, options).await?];
    eprintln!("taking {TAKEN} addresses");
    load::fill(target, TAKEN, &asks(|number| create("full", number))).await?;
    states.push(state(&format!("{TAKEN} taken"), target, control, options).await?);
    eprintln!("giving every second one back");
    load::fill(target, TAKEN / 2, &asks(|number| delete("full", number * 2))).await?;
    states.push(state("every second one given back", target, control, options).await?);
    Ok(states)
}

/// A project, and a pool of 2^20 addresses that its silo may use.
async fn prepare(target: &Target) -> Result<(), Failure> {
    let mut connection = Connection::open(target).await?;
    let named = |name: &str| serde_json::json!({ "name": name, "description": "" }).to_string();
    let range = serde_json::json!({ "first": "10.64.0.0", "last": "10.79.255.255" }).to_string();
    let link = serde_json::json!({ "silo": "croft", "is_default": false }).to_string();
    for ask in [
        Ask::post("/v1/projects", named(PROJECT)),
        Ask::post("/v1/system/ip-pools", named(POOL)),
        Ask::post(format!("/v1/system/ip-pools/{POOL}/ranges/add"), range),
        Ask::post(format!("/v1/system/ip-pools/{POOL}/silos"), link),
    ] {
        let path = ask.path.clone();
        let (status, body) = connection.send(ask).await?;
        if status != StatusCode::CREATED {
            return Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into());
        }
    }
    Ok(())
}

async fn state(
    name: &str,
    target: &Target,
    control: &Target,
    options: &RunOptions,
) -> Result<State, Failure> {
    let mut state = State { name: name.to_owned(), runs: Vec::new(), control: Vec::new() };
    let turns =
        asks(|number| if number % 2 == 0 { create("turn", number / 2) } else { delete("turn", number / 2) });
    let commits = asks(|_| Ask::post("/commit", crate::scenario::DOCUMENT));
    for run in 1..=options.runs {
        eprintln!("{name}: run {run} of {}", options.runs);
        // One connection, so that each address is given back before the next one is taken.
        let counter = Arc::new(AtomicU64::new(0));
        state.runs.push(load::closed_loop(target, 1, options.seconds, &counter, &turns).await?);
        state.control.push(load::closed_loop(control, 1, options.seconds, &Arc::default(), &commits).await?);
        give_back(target, &counter).await?;
    }
    Ok(state)
}

/// Gives back what was taken last, if a run ended in between.
async fn give_back(target: &Target, counter: &AtomicU64) -> Result<(), Failure> {
    let asked = counter.load(std::sync::atomic::Ordering::Relaxed);
    if asked % 2 == 1 {
        Connection::open(target).await?.send(delete("turn", asked / 2)).await?;
    }
    Ok(())
}

fn asks(ask: impl Fn(u64) -> Ask + Send + Sync + 'static) -> Asks {
    Arc::new(ask)
}

fn create(group: &str, number: u64) -> Ask {
    let name = format!("{group}-{number}");
    let body = serde_json::json!({ "name": name, "description": "made by the benchmark", "pool": POOL });
    Ask::post(format!("/v1/floating-ips?project={PROJECT}"), body.to_string())
}

fn delete(group: &str, number: u64) -> Ask {
    Ask::delete(format!("/v1/floating-ips/{group}-{number}?project={PROJECT}"))
}
