//! The load generator: keep-alive connections that ask again as soon as they are answered.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use http_body_util::{BodyExt as _, Full};
use hyper::{Method, Request, StatusCode, body::Bytes, client::conn::http1, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::{
    Failure,
    stats::{Recorder, Run},
};

/// One request to be sent.
pub struct Ask {
    /// Its method.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// JSON body; empty for none.
    pub body: String,
}

impl Ask {
    /// A read.
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: String::new() }
    }

    /// A delete.
    pub fn delete(path: impl Into<String>) -> Self {
        Self { method: Method::DELETE, path: path.into(), body: String::new() }
    }

    /// A replacement.
    pub fn put(path: impl Into<String>, body: impl Into<String>) -> Self {
        Self { method: Method::PUT, path: path.into(), body: body.into() }
    }

    /// A create.
    pub fn post(path: impl Into<String>, body: impl Into<String>) -> Self {
        Self { method: Method::POST, path: path.into(), body: body.into() }
    }
}

/// Makes the n-th request of a load.
pub type Asks = Arc<dyn Fn(u64) -> Ask + Send + Sync>;

/// Where the load goes and as whom.
#[derive(Clone)]
pub struct Target {
    /// `127.0.0.1:port`.
    pub address: String,
    /// Cookie header; empty for none.
    pub cookie: String,
}

/// A keep-alive connection.
pub struct Connection {
    sender: http1::SendRequest<Full<Bytes>>,
    target: Target,
}

impl Connection {
    /// Connects to the target.
    pub async fn open(target: &Target) -> Result<Self, Failure> {
        let stream = TcpStream::connect(&target.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Self { sender, target: target.clone() })
    }

    /// Sends one request and reads its answer to the end.
    pub async fn send(&mut self, ask: Ask) -> Result<(StatusCode, Bytes), Failure> {
        let answer = self.answer(ask).await?;
        let status = answer.status();
        Ok((status, answer.into_body().collect().await?.to_bytes()))
    }

    /// Sends one request and returns the session cookie of its answer, as a client sends it back.
    pub async fn cookie(&mut self, ask: Ask) -> Result<String, Failure> {
        let answer = self.answer(ask).await?;
        let cookie = answer
            .headers()
            .get(header::SET_COOKIE)
            .ok_or_else(|| format!("no cookie: {}", answer.status()))?;
        let cookie = cookie.to_str()?;
        Ok(cookie.split(';').next().unwrap_or(cookie).to_owned())
    }

    /// Sends one request; its answer is read by the caller.
    pub async fn answer(&mut self, ask: Ask) -> Result<hyper::Response<hyper::body::Incoming>, Failure> {
        let mut request = Request::builder()
            .method(ask.method)
            .uri(ask.path)
            .header(header::HOST, &self.target.address)
            .header(header::CONTENT_TYPE, "application/json");
        if !self.target.cookie.is_empty() {
            request = request.header(header::COOKIE, &self.target.cookie);
        }
        self.sender.ready().await?;
        Ok(self.sender.send_request(request.body(Full::from(ask.body))?).await?)
    }
}

/// Loads the target from `connections` connections; figures are taken after one second of warming up.
pub async fn closed_loop(
    target: &Target,
    connections: usize,
    seconds: u64,
    counter: &Arc<AtomicU64>,
    asks: &Asks,
) -> Result<Run, Failure> {
    let start = Instant::now() + Duration::from_secs(1);
    let end = start + Duration::from_secs(seconds);
    let mut tasks = Vec::with_capacity(connections);
    for _ in 0..connections {
        let mut connection = Connection::open(target).await?;
        let (counter, asks) = (Arc::clone(counter), Arc::clone(asks));
        tasks.push(tokio::spawn(async move {
            let mut recorder = Recorder::new();
            loop {
                let sent = Instant::now();
                if sent >= end {
                    return Ok::<_, Failure>(recorder);
                }
                let ask = asks(counter.fetch_add(1, Ordering::Relaxed));
                let (status, body) = connection.send(ask).await?;
                if sent >= start {
                    record(&mut recorder, status, &body, sent.elapsed())?;
                }
            }
        }));
    }
    let mut all = Recorder::new();
    for task in tasks {
        all.merge(&task.await??);
    }
    Ok(all.finish(Duration::from_secs(seconds)))
}

fn record(
    recorder: &mut Recorder,
    status: StatusCode,
    body: &Bytes,
    latency: Duration,
) -> Result<(), Failure> {
    if status.is_success() {
        recorder.answered(latency);
    } else if status == StatusCode::SERVICE_UNAVAILABLE {
        recorder.refused(latency);
    } else {
        return Err(format!("unexpected answer {status}: {}", String::from_utf8_lossy(body)).into());
    }
    Ok(())
}

/// Sends `total` requests as fast as 64 connections allow, each of which must succeed.
pub async fn fill(target: &Target, total: u64, asks: &Asks) -> Result<(), Failure> {
    let counter = Arc::new(AtomicU64::new(0));
    let mut tasks = Vec::new();
    for _ in 0..64 {
        let mut connection = Connection::open(target).await?;
        let (counter, asks) = (Arc::clone(&counter), Arc::clone(asks));
        tasks.push(tokio::spawn(async move {
            loop {
                let number = counter.fetch_add(1, Ordering::Relaxed);
                if number >= total {
                    return Ok::<_, Failure>(());
                }
                let (status, body) = connection.send(asks(number)).await?;
                if !status.is_success() {
                    let body = String::from_utf8_lossy(&body);
                    return Err(format!("filling the database: {status} {body}").into());
                }
            }
        }));
    }
    for task in tasks {
        task.await??;
    }
    Ok(())
}

/// Offers `rate` requests a second, whatever the answers: latency counts from the moment a request was due.
pub async fn open_loop(
    target: &Target,
    connections: usize,
    rate: f64,
    seconds: u64,
    asks: &Asks,
) -> Result<Run, Failure> {
    let interval = Duration::from_secs_f64(1.0 / rate);
    let start = Instant::now() + Duration::from_secs(1);
    let end = start + Duration::from_secs(seconds);
    // Whichever connection is free takes the next request, so that none waits for the answer of another.
    let next = Arc::new(AtomicU32::new(0));
    let mut tasks = Vec::with_capacity(connections);
    for _ in 0..connections {
        let mut connection = Connection::open(target).await?;
        let (asks, next) = (Arc::clone(asks), Arc::clone(&next));
        tasks.push(tokio::spawn(async move {
            let mut recorder = Recorder::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let due = start + interval * number;
                if due >= end {
                    return Ok::<_, Failure>(recorder);
                }
                tokio::time::sleep_until(due.into()).await;
                let (status, body) = connection.send(asks(u64::from(number))).await?;
                record(&mut recorder, status, &body, due.elapsed())?;
            }
        }));
    }
    let mut all = Recorder::new();
    for task in tasks {
        all.merge(&task.await??);
    }
    Ok(all.finish(start.elapsed()))
}
