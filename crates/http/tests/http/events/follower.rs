use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use croft_api::event::{Event, Reset, ResetReason};
use croft_http::Edge;
use futures_util::StreamExt as _;
use http::{Method, Response};
use tokio::time::timeout;

use crate::cloud::{Client, Cloud};

pub const EVENTS: &str = "/experimental/v1/events";
/// Longer than anything takes that happens at all.
const PATIENCE: Duration = Duration::from_mins(1);

/// What a stream says.
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
    /// What a browser sends back when it connects again.
    pub last_id: Option<String>,
}

impl Follower {
    /// Opens a stream, which has to be there.
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

    /// Opens a stream from now on, and reads up to where it begins.
    pub async fn start(cloud: &Cloud, client: &Client<'_>, query: &str) -> Self {
        let mut follower = Self::open(cloud, client, query, None).await;
        assert_eq!(follower.next().await, Some(Message::Reset(ResetReason::Started)));
        follower
    }

    /// The next message; `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Message> {
        timeout(PATIENCE, self.message()).await.expect("the stream says nothing")
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
                other => panic!("{other:?} is no message"),
            }
        }
    }

    /// The next block of lines; `None` when the stream has ended.
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

    /// What is said until a certain change, without it.
    pub async fn until(&mut self, last: impl Fn(&Event) -> bool) -> Vec<Message> {
        let mut all = Vec::new();
        loop {
            let message = self.next().await.expect("the stream goes on");
            if matches!(&message, Message::Change(event) if last(event)) {
                return all;
            }
            all.push(message);
        }
    }

    /// What is said until the caller makes a key, which only shows that nothing else was said before.
    pub async fn rest(&mut self, client: &Client<'_>, mark: &str) -> Vec<Message> {
        let body = serde_json::json!({ "name": mark, "description": "", "public_key": "ssh-ed25519 AAAA" });
        let answer = client.post("/v1/me/ssh-keys", body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let id = answer.json()["id"].as_str().unwrap().to_owned();
        self.until(|event| event.id.to_string() == id).await
    }
}

/// The beginning of an answer, whatever it is.
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
