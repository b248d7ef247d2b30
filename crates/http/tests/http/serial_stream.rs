use std::time::Duration;

use axum::ServiceExt as _;
use croft_store::{
    ListBy, Sort,
    records::{AuditEntry, AuditResult},
};
use futures_util::{SinkExt as _, StreamExt as _};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{self, Message, client::IntoClientRequest as _, protocol::frame::coding::CloseCode},
};

use crate::cloud::Cloud;

pub const STREAM: &str = "/v1/instances/db/serial-console/stream?project=web";

pub type Socket = WebSocketStream<TcpStream>;

/// A cloud with a running instance, served on a socket.
pub async fn running() -> (Cloud, String, String) {
    let cloud = Cloud::new();
    let token = cloud
        .rule(|cx| {
            let (silo, user) = ("acme".parse().unwrap(), "ada".parse().unwrap());
            croft_control::token::create(cx, &silo, &user, &"test".parse().unwrap(), None)
        })
        .unwrap();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let address = serve(&cloud).await;
    (cloud, address, token.text)
}

async fn serve(cloud: &Cloud) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let service = cloud.edge.clone().into_make_service();
    tokio::spawn(async move { axum::serve(listener, service).await });
    address
}

pub async fn connect(
    address: &str,
    uri: &str,
    headers: &[(&'static str, &str)],
) -> Result<Socket, tungstenite::Error> {
    let mut request = format!("ws://{address}{uri}").into_client_request()?;
    for (name, value) in headers {
        request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
    }
    let stream = TcpStream::connect(address).await.unwrap();
    client_async(request, stream).await.map(|(socket, _)| socket)
}

pub async fn viewer(address: &str, token: &str, uri: &str) -> Socket {
    connect(address, uri, &[("authorization", &format!("Bearer {token}"))]).await.unwrap()
}

/// Reads output until it contains `text`.
pub async fn read_until(socket: &mut Socket, text: &str) -> Vec<u8> {
    let mut output = Vec::new();
    let read = async {
        while !String::from_utf8_lossy(&output).contains(text) {
            match socket.next().await.unwrap().unwrap() {
                Message::Binary(bytes) => {
                    assert!(bytes.len() <= 16 * 1024, "{} bytes in one frame", bytes.len());
                    output.extend_from_slice(&bytes);
                }
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?} instead of output with {text:?}"),
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), read)
        .await
        .unwrap_or_else(|_| panic!("{text:?} did not arrive in time"));
    output
}

pub async fn end_of(socket: &mut Socket) -> (CloseCode, String) {
    loop {
        match socket.next().await.expect("a close frame").expect("a close frame") {
            Message::Close(Some(frame)) => return (frame.code, frame.reason.to_string()),
            Message::Close(None) => panic!("a close frame without a reason"),
            _ => {}
        }
    }
}

pub fn status_of(refused: Result<Socket, tungstenite::Error>) -> StatusCode {
    match refused {
        Err(tungstenite::Error::Http(response)) => response.status(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_viewer_sees_output_and_input() {
    let (_cloud, address, token) = running().await;
    let mut first = viewer(&address, &token, STREAM).await;
    let mut second = viewer(&address, &token, &format!("{STREAM}&most_recent=0")).await;
    read_until(&mut first, "login:").await;
    first.send(Message::Text("ignored".into())).await.unwrap();
    first.send(Message::Binary("root\r".into())).await.unwrap();
    let seen = read_until(&mut second, "root").await;
    assert!(!String::from_utf8_lossy(&seen).contains("ignored"));
    read_until(&mut first, "root").await;
}

#[tokio::test]
async fn console_session_is_audited_from_start_to_end() {
    let (cloud, address, token) = running().await;
    let mut socket = viewer(&address, &token, &format!("{STREAM}&most_recent=0")).await;
    socket.send(Message::Binary("root\r".into())).await.unwrap();
    let seen = read_until(&mut socket, "root").await;
    let log = || {
        let entries =
            cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::TimeAsc, None, 100)?)).unwrap();
        let serial = entries.into_iter().filter(|entry| entry.operation_id.contains("serial"));
        serial.collect::<Vec<_>>()
    };
    let begun = log();
    assert_eq!(begun.len(), 1, "{begun:?}");
    assert_eq!(begun[0].operation_id, "instance_serial_console_stream");
    assert_eq!(begun[0].result, AuditResult::Success { http_status_code: 101 });
    assert_eq!(begun[0].transferred, None);
    // The end is audited even if the token was deleted meanwhile.
    let client = cloud.signed_in().await;
    let tokens = client.get("/v1/me/access-tokens").await.json();
    let id = tokens["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(client.delete(&format!("/v1/me/access-tokens/{id}")).await.status, 204);
    cloud.clock.advance(Duration::from_secs(7));
    drop(socket);
    cloud.app.closing.drained().await;
    let ended = log();
    assert_eq!(ended.len(), 2, "{ended:?}");
    let end = ended.iter().find(|entry| entry.operation_id == "instance_serial_console_stream_end").unwrap();
    let bytes = end.transferred.unwrap();
    assert_eq!(bytes.from_client, 5);
    assert!(bytes.to_client >= seen.len() as u64, "{bytes:?}");
    assert_eq!((&end.actor, end.request_id), (&begun[0].actor, begun[0].request_id));
    assert_eq!((end.auth_method.as_deref(), end.instance_id), (Some("token"), begun[0].instance_id));
    assert_eq!(end.time_started, begun[0].time_started);
    assert!(end.meta.time_created > begun[0].meta.time_created);
}

#[tokio::test]
async fn backlog_has_the_requested_size() {
    let (cloud, address, token) = running().await;
    let client = cloud.signed_in().await;
    let uri = "/v1/instances/db/serial-console?project=web&most_recent=12";
    let recent = client.get(uri).await.json();
    let expected: Vec<u8> = serde_json::from_value(recent["data"].clone()).unwrap();
    let mut socket = viewer(&address, &token, &format!("{STREAM}&most_recent=12")).await;
    let Message::Binary(bytes) = socket.next().await.unwrap().unwrap() else { panic!("no output") };
    assert_eq!(bytes.to_vec(), expected);
}

#[tokio::test]
async fn pings_are_answered() {
    let (_cloud, address, token) = running().await;
    let mut socket = viewer(&address, &token, &format!("{STREAM}&most_recent=0")).await;
    socket.send(Message::Ping("there?".into())).await.unwrap();
    loop {
        if let Message::Pong(payload) = socket.next().await.unwrap().unwrap() {
            assert_eq!(&payload[..], b"there?");
            break;
        }
    }
}

#[tokio::test]
async fn the_stream_ends_with_the_machine() {
    let (cloud, address, token) = running().await;
    let mut socket = viewer(&address, &token, STREAM).await;
    read_until(&mut socket, "login:").await;
    let client = cloud.signed_in().await;
    assert_eq!(client.post("/v1/instances/db/stop?project=web", json!({})).await.status, 202);
    cloud.settle();
    assert_eq!(end_of(&mut socket).await, (CloseCode::Error, "the instance's machine has ended".into()));
}

#[tokio::test]
async fn the_stream_ends_with_the_server() {
    let (cloud, address, token) = running().await;
    let mut socket = viewer(&address, &token, &format!("{STREAM}&most_recent=0")).await;
    cloud.app.closing.begin();
    assert_eq!(end_of(&mut socket).await.0, CloseCode::Away);
    cloud.app.closing.drained().await;
}

#[tokio::test]
async fn failures_after_the_upgrade_are_close_frames() {
    let (cloud, address, token) = running().await;
    let unknown = "/v1/instances/nothing/serial-console/stream?project=web";
    let mut socket = viewer(&address, &token, unknown).await;
    let text = "not found: instance with name \"nothing\"";
    assert_eq!(end_of(&mut socket).await, (CloseCode::Error, text.into()));

    let client = cloud.signed_in().await;
    assert_eq!(client.post("/v1/instances/db/stop?project=web", json!({})).await.status, 202);
    cloud.settle();
    let mut socket = viewer(&address, &token, STREAM).await;
    let text = "instance is stopped and has no active serial console server";
    assert_eq!(end_of(&mut socket).await, (CloseCode::Error, text.into()));
}

#[tokio::test]
async fn strangers_and_other_sites_are_refused_before_the_upgrade() {
    let (cloud, address, _) = running().await;
    assert_eq!(status_of(connect(&address, STREAM, &[]).await), StatusCode::UNAUTHORIZED);
    let cookie = cloud.sign_in("ada", "correct horse").await.header(header::SET_COOKIE.as_str()).to_owned();
    let cookie = cookie.split(';').next().unwrap();
    let evil = [("cookie", cookie), ("origin", "https://evil.example")];
    assert_eq!(status_of(connect(&address, STREAM, &evil).await), StatusCode::FORBIDDEN);
    let own = format!("http://{address}");
    let mut socket = connect(&address, STREAM, &[("cookie", cookie), ("origin", &own)]).await.unwrap();
    read_until(&mut socket, "login:").await;
}

#[tokio::test]
async fn malformed_handshakes_are_refused() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let websocket = client
        .clone()
        .with("connection", "keep-alive, Upgrade")
        .with("upgrade", "websocket")
        .with("sec-websocket-version", "13");
    client.get(STREAM).await.assert_unreadable("expected connection upgrade");
    let other = websocket.clone().with("upgrade", "h2c");
    other.get(STREAM).await.assert_unreadable("unexpected protocol for upgrade");
    let old = websocket.clone().with("sec-websocket-version", "8");
    old.get(STREAM).await.assert_unreadable("missing or invalid websocket version");
    websocket.get(STREAM).await.assert_unreadable("missing websocket key");
    let bad = "/v1/instances/db/serial-console/stream?most_recent=x";
    websocket.get(bad).await.assert_unreadable_start("unable to parse query string: invalid digit");
}
