//! Live events: from a change to everybody who follows it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use hyper::{StatusCode, body::Body as _};
use jiff::Timestamp;
use tokio::{sync::mpsc, time::timeout_at};

use crate::{
    Failure,
    load::{self, Ask, Asks, Connection, Target},
    stats::{Recorder, Run},
};

/// Streams that are open at the same time.
pub const STREAMS: usize = 1_000;
/// Changes that are made in a second.
pub const RATE: f64 = 500.0;
/// Users who follow; one may have 32 streams.
const FOLLOWERS: usize = 40;
/// Projects that are changed in turn.
const PROJECTS: u64 = 100;
const PASSWORD: &str = "measured-and-gone";
/// Changes are made from this many connections.
const CHANGERS: usize = 16;
/// What was not delivered this long after the last change is lost.
const PATIENCE: Duration = Duration::from_secs(30);

/// What one run measured.
pub struct Events {
    /// Changes: how many were made in a second, and from when each was due to its answer.
    pub changes: Run,
    /// Deliveries: how many there were in a second, and from when the change began to when it was read from a stream.
    pub deliveries: Run,
}

/// Makes users who may see every project, and signs each of them in.
pub async fn followers(administrator: &Target) -> Result<Vec<Target>, Failure> {
    let mut connection = Connection::open(administrator).await?;
    for number in 0..PROJECTS {
        let project = serde_json::json!({ "name": name(number), "description": "" }).to_string();
        expect(&mut connection, Ask::post("/v1/projects", project), StatusCode::CREATED).await?;
    }
    let policy =
        expect(&mut connection, Ask::get("/v1/policy"), StatusCode::OK).await?["role_assignments"].take();
    let mut assignments = policy.as_array().cloned().unwrap_or_default();
    for number in 0..FOLLOWERS {
        let user = serde_json::json!({
            "external_id": format!("follower-{number}"),
            "password": { "mode": "password", "value": PASSWORD },
        });
        let users = "/v1/system/identity-providers/local/users?silo=croft";
        let user = expect(&mut connection, Ask::post(users, user.to_string()), StatusCode::CREATED).await?;
        assignments.push(serde_json::json!({
            "identity_id": user["id"], "identity_type": "silo_user", "role_name": "viewer",
        }));
    }
    let policy = serde_json::json!({ "role_assignments": assignments }).to_string();
    expect(&mut connection, Ask::put("/v1/policy", policy), StatusCode::OK).await?;
    let anonymous = Target { cookie: String::new(), ..administrator.clone() };
    let mut followers = Vec::new();
    for number in 0..FOLLOWERS {
        let body = serde_json::json!({ "username": format!("follower-{number}"), "password": PASSWORD });
        let cookie = Connection::open(&anonymous)
            .await?
            .cookie(Ask::post("/v1/login/croft/local", body.to_string()))
            .await?;
        followers.push(Target { cookie, ..anonymous.clone() });
    }
    Ok(followers)
}

fn name(number: u64) -> String {
    format!("followed-{:03}", number % PROJECTS)
}

async fn expect(
    connection: &mut Connection,
    ask: Ask,
    expected: StatusCode,
) -> Result<serde_json::Value, Failure> {
    let path = ask.path.clone();
    let (status, body) = connection.send(ask).await?;
    if status != expected {
        return Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into());
    }
    Ok(serde_json::from_slice(&body)?)
}

/// Opens all streams, makes changes, and waits until every stream has told of every change.
pub async fn measure(administrator: &Target, followers: &[Target], seconds: u64) -> Result<Events, Failure> {
    let total = (RATE * std::time::Duration::from_secs(seconds).as_secs_f64()).round();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand changes")]
    let total = total as usize;
    let (ready, mut opened) = mpsc::channel(STREAMS);
    let deadline = Instant::now() + Duration::from_secs(seconds) + PATIENCE * 2;
    let streams: Vec<_> = (0..STREAMS)
        .map(|number| {
            let (target, ready) = (followers[number % followers.len()].clone(), ready.clone());
            tokio::spawn(async move {
                let stream = Stream::open(&target).await?;
                ready.send(()).await?;
                timeout_at(deadline.into(), stream.follow(total))
                    .await
                    .map_err(|_| "a stream did not tell of every change")?
            })
        })
        .collect();
    drop(ready);
    for _ in 0..STREAMS {
        // A stream that could not be opened tells why when it is joined.
        if opened.recv().await.is_none() {
            break;
        }
    }
    let asks: Asks = Arc::new(|number| {
        let body = serde_json::json!({ "description": format!("change {number}") }).to_string();
        Ask::put(format!("/v1/projects/{}", name(number)), body)
    });
    let begun = Instant::now();
    let changes = load::open_loop(administrator, CHANGERS, RATE, seconds, &asks).await?;
    let mut all = Recorder::new();
    for stream in streams {
        all.merge(&stream.await??);
    }
    // `open_loop` begins after a second.
    Ok(Events { changes, deliveries: all.finish(begun.elapsed().saturating_sub(Duration::from_secs(1))) })
}

/// A stream of events, with what was read of it and not yet looked at.
struct Stream {
    body: hyper::body::Incoming,
    /// Keeps the connection open.
    _connection: Connection,
    rest: Vec<u8>,
}

impl Stream {
    /// Opens a stream and reads its first message, after which nothing is missed.
    async fn open(target: &Target) -> Result<Self, Failure> {
        let mut connection = Connection::open(target).await?;
        let answer = connection.answer(Ask::get("/experimental/v1/events?kinds=project")).await?;
        if answer.status() != StatusCode::OK {
            return Err(format!("a stream was answered {}", answer.status()).into());
        }
        let mut stream = Self { body: answer.into_body(), _connection: connection, rest: Vec::new() };
        while !contains(&stream.rest, b"event: reset") {
            stream.read().await?;
        }
        stream.rest.clear();
        Ok(stream)
    }

    /// Reads until so many changes were told.
    async fn follow(mut self, total: usize) -> Result<Recorder, Failure> {
        let mut recorder = Recorder::new();
        let mut told = 0;
        while told < total {
            self.read().await?;
            let now = Timestamp::now();
            let mut begin = 0;
            while let Some(length) = find(&self.rest[begin..], b"\n\n") {
                if let Some(time) = time(&self.rest[begin..begin + length])? {
                    recorder.answered(now.duration_since(time).unsigned_abs());
                    told += 1;
                }
                begin += length + 2;
            }
            self.rest.drain(..begin);
        }
        Ok(recorder)
    }

    async fn read(&mut self) -> Result<(), Failure> {
        let frame = std::future::poll_fn(|cx| std::pin::Pin::new(&mut self.body).poll_frame(cx)).await;
        let frame = frame.ok_or("a stream has ended")??;
        self.rest.extend_from_slice(frame.data_ref().ok_or("trailers in a stream")?);
        Ok(())
    }
}

/// When the change that a message tells of began; nothing for a heartbeat.
fn time(message: &[u8]) -> Result<Option<Timestamp>, Failure> {
    const FIELD: &[u8] = b"\"time\":\"";
    let Some(place) = find(message, FIELD) else { return Ok(None) };
    let text = &message[place + FIELD.len()..];
    let end = find(text, b"\"").ok_or("half a message")?;
    Ok(Some(std::str::from_utf8(&text[..end])?.parse()?))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    find(text, part).is_some()
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
