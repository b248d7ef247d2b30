//! The server is killed repeatedly while it measures. After a restart, samples that were written to the disk are there,
//! no sample is partial, and counters continue.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use oxide::types::{InstanceState, TimeseriesQuery};
use oxide::{Client, ClientSystemMetricsExt};
use serde_json::Value;

use crate::support::{Server, create_instance, create_project, wait_for_state, wait_within};

/// Number of kills after samples that are known to be on the disk. Each is followed by a kill at the first new sample.
const KILLS: usize = 3;
/// vCPUs are measured every five seconds, and samples are written every five seconds.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The number of states of a vCPU.
const STATES: usize = 4;

/// A difference of a counter, and its interval in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Delta {
    begin: i128,
    end: i128,
    value: i128,
}

/// The usage of the instance's vCPU in each state.
type Usage = BTreeMap<String, Vec<Delta>>;

fn samples(usage: &Usage) -> usize {
    usage.values().map(Vec::len).min().unwrap_or_default()
}

fn nanoseconds(text: &Value) -> i128 {
    let time: Timestamp = text.as_str().expect("a time").parse().expect("a time");
    time.as_nanosecond()
}

async fn usage(client: &Client) -> Usage {
    let query = "get virtual_machine:vcpu_usage | filter vcpu_id == 0";
    let body = TimeseriesQuery { query: query.to_owned() };
    let answer = client.system_timeseries_query().body(body).send().await.expect("system_timeseries_query");
    let answer = serde_json::to_value(answer.into_inner()).expect("JSON");
    let series = answer["tables"][0]["timeseries"].as_object().expect("timeseries").values();
    series.map(|series| (state(series), deltas(&series["points"]))).collect()
}

fn state(series: &Value) -> String {
    series["fields"]["state"]["value"].as_str().expect("a state").to_owned()
}

fn deltas(points: &Value) -> Vec<Delta> {
    let array = |value: &Value| value.as_array().expect("an array").clone();
    let (begins, ends) = (array(&points["start_times"]), array(&points["timestamps"]));
    let values = array(&points["values"][0]["values"]["values"]);
    assert!(begins.len() == ends.len() && ends.len() == values.len(), "{points}");
    let times = begins.iter().zip(&ends).map(|(begin, end)| (nanoseconds(begin), nanoseconds(end)));
    times
        .zip(&values)
        .map(|((begin, end), value)| Delta { begin, end, value: value.as_i64().expect("a value").into() })
        .collect()
}

/// Checks that the four states fill the time: nothing is counted twice or lost, even across kills.
fn check(usage: &Usage) {
    assert_eq!(usage.len(), STATES, "{usage:?}");
    let mut filled = BTreeMap::<(i128, i128), (usize, i128)>::new();
    for deltas in usage.values() {
        assert!(deltas.iter().all(|delta| delta.begin <= delta.end && delta.value >= 0), "{deltas:?}");
        assert!(deltas.windows(2).all(|pair| pair[0].end <= pair[1].begin), "{deltas:?}");
        for delta in deltas {
            let (states, sum) = filled.entry((delta.begin, delta.end)).or_default();
            *states += 1;
            *sum += delta.value;
        }
    }
    for ((begin, end), (states, sum)) in filled {
        assert_eq!(states, STATES, "a sample has all states or none: {usage:?}");
        // Times are stored in milliseconds.
        assert!((end - begin).abs_diff(sum) <= 2_000_000, "{sum} of {}: {usage:?}", end - begin);
    }
}

/// Checks that `found` contains the samples of `seen` from the start, including at least those on the disk, and
/// possibly new ones.
fn check_kept(seen: &Usage, found: &Usage, durable: usize) {
    for (state, seen) in seen {
        let last = seen.last().map_or(0, |delta| delta.end);
        let found: Vec<Delta> = found[state].iter().copied().filter(|delta| delta.end <= last).collect();
        assert!(found.len() >= durable, "{durable} samples were on the disk: {found:?} of {seen:?}");
        assert_eq!(found, seen[..found.len()], "{state}");
    }
}

/// The time of the last write to the samples' files.
fn written(server: &Server) -> SystemTime {
    let time = |name: &str| std::fs::metadata(server.data().join(name)).and_then(|file| file.modified());
    let times = ["telemetry.sqlite3", "telemetry.sqlite3-wal"].map(time);
    times.into_iter().flatten().max().expect("a file of samples")
}

/// Waits until all samples recorded so far are on the disk: a flush in progress may not include them, but the next one
/// does.
async fn wait_for_flush(server: &Server) {
    for _ in 0..2 {
        let before = written(server);
        wait_within(TIMEOUT, "samples are written", async || written(server) > before).await;
    }
}

/// Waits until there are more samples than this number. Returns all.
async fn wait_for_more(client: &Client, than: usize) -> Usage {
    wait_within(TIMEOUT, "there is a new sample", async || samples(&usage(client).await) > than).await;
    usage(client).await
}

#[tokio::test]
async fn samples_survive_kills_of_the_server() {
    let mut server = Server::start();
    create_project(&server.client(), "web").await;
    create_instance(&server.client(), "db").await;
    wait_for_state(&server.client(), "db", InstanceState::Running).await;
    let mut count = 0;
    for _ in 0..KILLS {
        let durable = wait_for_more(&server.client(), count).await;
        wait_for_flush(&server).await;
        let seen = wait_for_more(&server.client(), samples(&durable)).await;
        check(&seen);
        server.kill();
        server.restart();
        let found = usage(&server.client()).await;
        check_kept(&seen, &found, samples(&durable));

        let seen = wait_for_more(&server.client(), samples(&found)).await;
        check(&seen);
        server.kill();
        server.restart();
        let found = usage(&server.client()).await;
        check_kept(&seen, &found, samples(&durable));
        count = samples(&found);
    }
    check(&wait_for_more(&server.client(), count).await);
}
