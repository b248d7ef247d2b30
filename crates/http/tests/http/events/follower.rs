use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use croft_api::event::{Event, Reset, ResetReason};
use croft_http::Edge;
use futures_util::StreamExt as _;
use http::{Method, Response};
use tokio::time::timeout;

use crate::cloud::{Client, Cloud};

pub const EVENTS: &str = "/experimental/v1/events";
/// Longer than any event takes to arrive.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A message of the stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Reset(ResetReason),
    Change(Event),
}

impl Message {
    pub fn is(&self, kind: &str) -> bool {
        matches!(self, Self::Change(event) if event.kind == kind)
    }
}

/// Reads a stream as a browser does.
pub struct Follower {
    body: BodyDataStream,
    text: String,
    /// What a browser sends as `Last-Event-ID` when it reconnects.
    pub last_id: Option<String>,
}

impl Follower {
    /// Opens a stream that must be accepted.
    pub async fn open(cloud: &Cloud, client: &Client<'_>, query: &str, last_id: Option<&str>) -> Self {
        Self::open_on(&cloud.edge, client, query, last_id).await
    }

    pub async fn open_on(edge: &Edge, client: &Client<'_>, query: &str, last_id: Option<&str>) -> Self {
        let response = try_open(edge, client, query, last_id).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let body = response.into_body().into_data_stream();
        Self { body, text: String::new(), last_id: last_id.map(str::to_owned) }
    }

    /// Opens a stream at the current position and reads its first message.
    pub async fn start(cloud: &Cloud, client: &Client<'_>, query: &str) -> Self {
        let mut follower = Self::open(cloud, client, query, None).await;
        assert_eq!(follower.next().await, Some(Message::Reset(ResetReason::Started)));
        follower
    }

    /// Returns the next message, or `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Message> {
        timeout(TIMEOUT, self.message()).await.expect("no message arrived in time")
    }

    async fn message(&mut self) -> Option<Message> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| {
                let lines = block.lines().filter_map(|line| line.split_once(": "));
                lines.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).next()
            };
            if let Some(id) = field("id") {
                self.last_id = Some(id);
            }
            let (event, data) = (field("event"), field("data"));
            match (event.as_deref(), data) {
                (Some("reset"), Some(data)) => {
                    let Reset { reason } = serde_json::from_str(&data).unwrap();
                    return Some(Message::Reset(reason));
                }
                (Some("change"), Some(data)) => {
                    return Some(Message::Change(serde_json::from_str(&data).unwrap()));
                }
                (None, None) => {}
                other => panic!("{other:?} is not a message"),
            }
        }
    }

    /// Returns the next block of lines, or `None` when the stream has ended.
    pub async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let block = self.text[..end].to_owned();
                self.text.drain(..end + 2);
                return Some(block);
            }
            let piece = self.body.next().await?;
            self.text.push_str(std::str::from_utf8(&piece.unwrap()).unwrap());
        }
    }

    /// Reads up to the event that `last` accepts. Returns the messages before it.
    pub async fn until(&mut self, last: impl Fn(&Event) -> bool) -> Vec<Message> {
        let mut all = Vec::new();
        loop {
            let message = self.next().await.expect("the stream ended");
            if matches!(&message, Message::Change(event) if last(event)) {
                return all;
            }
            all.push(message);
        }
    }

    /// Creates an SSH key of the caller and returns all messages before its event, to show that there are no others.
    pub async fn rest(&mut self, client: &Client<'_>, mark: &str) -> Vec<Message> {
        let body = serde_json::json!({ "name": mark, "description": "", "public_key": "ssh-ed25519 AAAA" });
        let answer = client.post("/v1/me/ssh-keys", body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let id = answer.json()["id"].as_str().unwrap().to_owned();
        self.until(|event| event.id.to_string() == id).await
    }
}

/// Requests a stream and returns the response, whatever its status.
pub async fn try_open(
    edge: &Edge,
    client: &Client<'_>,
    query: &str,
    last_id: Option<&str>,
) -> Response<Body> {
    let client = match last_id {
        Some(id) => client.clone().with("last-event-id", id),
        None => client.clone(),
    };
    client.begin(edge, Method::GET, &format!("{EVENTS}{query}"), "").await
}
