//! Live events: from a change to everybody who follows it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use hyper::StatusCode;
use jiff::Timestamp;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::mpsc,
    time::timeout_at,
};

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
/// Bytes that are read from a stream at once.
const MOST_AT_ONCE: usize = 16 * 1024;

/// What each stream is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// Every change: the most that there can be to send.
    Everything,
    /// The changes of one project. Each project has as many streams as the others.
    OneProject,
}

impl Interest {
    /// Every kind of interest that is measured.
    pub const ALL: [Self; 2] = [Self::Everything, Self::OneProject];

    /// Where the stream of this number is.
    fn path(self, number: u64) -> String {
        let everything = "/experimental/v1/events?kinds=project";
        match self {
            Self::Everything => everything.to_owned(),
            Self::OneProject => format!("{everything}&project={}", name(number)),
        }
    }

    /// How many of so many changes, made to one project after the other, the stream of this number is told of.
    fn share(self, number: u64, changes: u64) -> u64 {
        match self {
            Self::Everything => changes,
            Self::OneProject => changes.saturating_sub(number % PROJECTS).div_ceil(PROJECTS),
        }
    }
}

/// What one run measured.
pub struct Events {
    /// What its streams were told of.
    pub interest: Interest,
    /// Changes: how many were made in a second, and from when each was due to its answer.
    pub changes: Run,
    /// Deliveries: how many there were in a second, and from when the change began to when it was read from a stream.
    pub deliveries: Run,
    /// From when a change began until it was committed, as the server says, on average.
    pub to_commit: Duration,
}

/// Transactions that were committed, as the server has counted them.
struct Commits {
    seconds: f64,
    count: f64,
}

impl Commits {
    async fn so_far(administrator: &Target) -> Result<Self, Failure> {
        const NAME: &str = "croft_store_commit_seconds";
        let (_, text) = Connection::open(administrator).await?.send(Ask::get("/metrics")).await?;
        let text = String::from_utf8(text.to_vec())?;
        let figure = |kind: &str| -> Result<f64, Failure> {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{NAME}_{kind} ")));
            Ok(line.ok_or_else(|| format!("the server's metrics have no {NAME}_{kind}"))?.parse()?)
        };
        Ok(Self { seconds: figure("sum")?, count: figure("count")? })
    }

    /// How long one of those took that came after others.
    fn since(&self, before: &Self) -> Duration {
        Duration::from_secs_f64((self.seconds - before.seconds) / (self.count - before.count).max(1.0))
    }
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

/// Opens all streams, makes changes, and waits until every stream has told of all that it is interested in.
pub async fn measure(
    administrator: &Target,
    followers: &[Target],
    interest: Interest,
    seconds: u64,
) -> Result<Events, Failure> {
    let total = (RATE * std::time::Duration::from_secs(seconds).as_secs_f64()).round();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand changes")]
    let total = total as u64;
    let (ready, mut opened) = mpsc::channel(STREAMS);
    let deadline = Instant::now() + Duration::from_secs(seconds) + PATIENCE * 2;
    let streams: Vec<_> = (0..)
        .zip(followers.iter().cycle().take(STREAMS))
        .map(|(number, target)| {
            let (target, ready) = (target.clone(), ready.clone());
            tokio::spawn(async move {
                let stream = Stream::open(&target, &interest.path(number)).await?;
                ready.send(()).await?;
                timeout_at(deadline.into(), stream.follow(interest.share(number, total)))
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
    let before = Commits::so_far(administrator).await?;
    let begun = Instant::now();
    let changes = load::open_loop(administrator, CHANGERS, RATE, seconds, &asks).await?;
    let to_commit = Commits::so_far(administrator).await?.since(&before);
    let mut all = Recorder::new();
    for stream in streams {
        for taken in stream.await?? {
            all.answered(Duration::from_micros(taken));
        }
    }
    // `open_loop` begins after a second.
    let deliveries = all.finish(begun.elapsed().saturating_sub(Duration::from_secs(1)));
    Ok(Events { interest, changes, deliveries, to_commit })
}

/// A stream of events, with what was read of it and not yet looked at. It is read past hyper: the two processes share two
/// cores, and what the measuring costs is taken from what is measured. Chunks are no matter, as messages are found by their
/// text alone.
struct Stream {
    connection: TcpStream,
    rest: Vec<u8>,
}

impl Stream {
    /// Opens a stream and reads its first message, after which nothing is missed.
    async fn open(target: &Target, path: &str) -> Result<Self, Failure> {
        let mut connection = TcpStream::connect(&target.address).await?;
        let Target { address, cookie } = target;
        let ask = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\r\n");
        connection.write_all(ask.as_bytes()).await?;
        let mut stream = Self { connection, rest: Vec::with_capacity(MOST_AT_ONCE) };
        while find(&stream.rest, b"event: reset").is_none() {
            stream.read().await?;
            if !stream.rest.starts_with(b"HTTP/1.1 200") {
                return Err(format!("a stream was answered {}", String::from_utf8_lossy(&stream.rest)).into());
            }
        }
        stream.rest.clear();
        Ok(stream)
    }

    /// Reads until so many changes were told, and answers how many microseconds each had taken.
    async fn follow(mut self, total: u64) -> Result<Vec<u64>, Failure> {
        let total = usize::try_from(total)?;
        let mut taken = Vec::with_capacity(total);
        while taken.len() < total {
            self.read().await?;
            let now = Timestamp::now();
            let mut begin = 0;
            while let Some(length) = find(&self.rest[begin..], b"\n\n") {
                if let Some(time) = time(&self.rest[begin..begin + length])? {
                    taken.push(u64::try_from(now.duration_since(time).as_micros()).unwrap_or(0));
                }
                begin += length + 2;
            }
            self.rest.drain(..begin);
        }
        Ok(taken)
    }

    async fn read(&mut self) -> Result<(), Failure> {
        self.rest.reserve(MOST_AT_ONCE);
        if self.connection.read_buf(&mut self.rest).await? == 0 {
            return Err("a stream has ended".into());
        }
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

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, part)
}
