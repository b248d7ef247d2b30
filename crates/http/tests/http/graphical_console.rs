//! The graphical console, as a client of the Remote Framebuffer protocol sees it (RFC 6143).

use std::time::Duration;

use croft_sled::{HypervisorError, simulated::Call};
use croft_store::{
    ListBy, Sort,
    records::{AuditEntry, AuditResult},
};
use futures_util::{SinkExt as _, StreamExt as _};
use http::{StatusCode, header};
use serde_json::json;
use tokio_tungstenite::tungstenite::{Message, protocol::frame::coding::CloseCode};

use crate::{
    cloud::Cloud,
    serial_stream::{Socket, connect, end_of, running, status_of, viewer},
};

const STREAM: &str = "/experimental/v1/instances/db/graphical-console/stream?project=web";
const PICTURE: &str = "/experimental/v1/instances/db/graphical-console/picture?project=web";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A connection as a client has it: bytes, in whatever frames they come.
struct Rfb {
    socket: Socket,
    received: Vec<u8>,
}

impl Rfb {
    /// Connects, and answers the size of the screen and its name.
    async fn open(socket: Socket) -> (Self, [u16; 2], String) {
        let mut rfb = Self { socket, received: Vec::new() };
        assert_eq!(rfb.take(12).await, b"RFB 003.008\n");
        rfb.send(b"RFB 003.008\n").await;
        assert_eq!(rfb.take(2).await, [1, 1]);
        rfb.send(&[1]).await;
        assert_eq!(rfb.take(4).await, [0; 4]);
        rfb.send(&[1]).await;
        let start = rfb.take(24).await;
        let size = [0, 2].map(|at| u16::from_be_bytes([start[at], start[at + 1]]));
        let name = rfb.take(usize::from(start[23])).await;
        (rfb, size, String::from_utf8(name).unwrap())
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.socket.send(Message::Binary(bytes.to_vec().into())).await.unwrap();
    }

    async fn take(&mut self, length: usize) -> Vec<u8> {
        let filled = async {
            while self.received.len() < length {
                match self.socket.next().await.unwrap().unwrap() {
                    Message::Binary(bytes) => self.received.extend_from_slice(&bytes),
                    Message::Ping(_) | Message::Pong(_) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), filled).await.expect("bytes");
        self.received.drain(..length).collect()
    }

    /// Asks for an update; answers how many rows of pixels came, and how many bytes of them are light.
    async fn update(&mut self, incremental: u8, [width, height]: [u16; 2]) -> (u16, usize) {
        let mut request = vec![3, incremental, 0, 0, 0, 0];
        request.extend([width, height].map(u16::to_be_bytes).as_flattened());
        self.send(&request).await;
        let head = self.take(4).await;
        assert_eq!(head[0], 0, "an update");
        let (mut rows, mut light) = (0, 0);
        for _ in 0..u16::from_be_bytes([head[2], head[3]]) {
            let rectangle = self.take(12).await;
            let number = |at: usize| u16::from_be_bytes([rectangle[at], rectangle[at + 1]]);
            assert_eq!((number(0), number(4), &rectangle[8..]), (0, width, &[0; 4][..]));
            rows += number(6);
            let pixels = self.take(usize::from(number(4)) * usize::from(number(6)) * 4).await;
            light += pixels.iter().filter(|byte| **byte > 0x80).count();
        }
        (rows, light)
    }

    async fn press(&mut self, keys: &[u32]) {
        for key in keys {
            for is_down in [1, 0] {
                let mut event = vec![4, is_down, 0, 0];
                event.extend(key.to_be_bytes());
                self.send(&event).await;
            }
        }
    }
}

#[tokio::test]
async fn the_screen_is_seen_and_typed_on() {
    let (cloud, address, token) = running().await;
    let (mut rfb, size, name) = Rfb::open(viewer(&address, &token, STREAM).await).await;
    assert_eq!((size, name.as_str()), ([960, 500], "db"));
    let (rows, light) = rfb.update(0, size).await;
    assert_eq!(rows, 500, "everything at first");
    assert!(light > 10_000, "{light} bytes of text");
    rfb.press(&[u32::from(b'r'), u32::from(b'o'), 0xff0d]).await;
    let (rows, _) = rfb.update(1, size).await;
    assert!(rows < 500, "then what has changed");
    // Answered after all that was sent before it.
    rfb.update(0, size).await;
    let client = cloud.signed_in().await;
    let serial = "/v1/instances/db/serial-console?project=web&most_recent=100";
    let data = client.get(serial).await.json()["data"].clone();
    let data: Vec<u8> = serde_json::from_value(data).unwrap();
    assert!(String::from_utf8_lossy(&data).contains("login: ro"), "keys arrive at the guest");

    drop(rfb);
    cloud.app.closing.drained().await;
    let log = cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::TimeAsc, None, 100)?)).unwrap();
    let mut log: Vec<_> = log.into_iter().filter(|entry| entry.operation_id.contains("graphical")).collect();
    log.sort_by(|one, other| one.operation_id.cmp(&other.operation_id));
    let [begun, end] = log.as_slice() else { panic!("{log:?}") };
    assert_eq!(begun.operation_id, "instance_graphical_console_stream");
    assert_eq!(begun.result, AuditResult::Success { http_status_code: 101 });
    assert_eq!(end.operation_id, "instance_graphical_console_stream_end");
    assert_eq!((&end.actor, end.instance_id), (&begun.actor, begun.instance_id));
    let bytes = end.transferred.unwrap();
    assert!(bytes.from_client > 60 && bytes.to_client > 1_000_000, "{bytes:?}");
}

#[tokio::test]
async fn the_guest_restarts_by_control_alt_delete() {
    let (cloud, address, token) = running().await;
    let (mut rfb, size, _) = Rfb::open(viewer(&address, &token, STREAM).await).await;
    rfb.update(0, size).await;
    for key in [0xffe3_u32, 0xffe9, 0xffff] {
        let mut event = vec![4, 1, 0, 0];
        event.extend(key.to_be_bytes());
        rfb.send(&event).await;
    }
    // Answered after all that was sent before it.
    rfb.update(0, size).await;
    cloud.settle();
    let (rows, _) = rfb.update(1, size).await;
    assert!(rows > 100, "it boots");
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
    let socket = connect(&address, STREAM, &[("cookie", cookie), ("origin", &own)]).await.unwrap();
    Rfb::open(socket).await;
}

#[tokio::test]
async fn streams_end_with_the_machine_the_server_and_what_is_not_understood() {
    let (cloud, address, token) = running().await;
    let ended = (CloseCode::Error, "the instance's machine has ended".to_owned());
    let (mut confused, ..) = Rfb::open(viewer(&address, &token, STREAM).await).await;
    confused.send(&[250]).await;
    assert_eq!(end_of(&mut confused.socket).await, ended);

    let (mut rfb, ..) = Rfb::open(viewer(&address, &token, STREAM).await).await;
    let client = cloud.signed_in().await;
    assert_eq!(client.post("/v1/instances/db/stop?project=web", json!({})).await.status, 202);
    cloud.settle();
    assert_eq!(end_of(&mut rfb.socket).await, ended);
    let mut socket = viewer(&address, &token, STREAM).await;
    let stopped = "instance is stopped and has no screen".to_owned();
    assert_eq!(end_of(&mut socket).await, (CloseCode::Error, stopped));

    assert_eq!(client.post("/v1/instances/db/start?project=web", json!({})).await.status, 202);
    cloud.settle();
    let (mut rfb, ..) = Rfb::open(viewer(&address, &token, STREAM).await).await;
    cloud.app.closing.begin();
    assert_eq!(end_of(&mut rfb.socket).await.0, CloseCode::Away);
    cloud.app.closing.drained().await;
}

#[tokio::test]
async fn machines_without_a_screen_say_so() {
    let (cloud, address, token) = running().await;
    let reason = "stop and start it";
    let refused = || HypervisorError::Refused(reason.to_owned());
    cloud.hypervisor.fail_next(Call::Screen, refused());
    let mut socket = viewer(&address, &token, STREAM).await;
    assert_eq!(end_of(&mut socket).await, (CloseCode::Error, reason.to_owned()));
    let client = cloud.signed_in().await;
    cloud.hypervisor.fail_next(Call::Screen, refused());
    client.get(PICTURE).await.assert_error(StatusCode::CONFLICT, "Conflict", reason);
    cloud.hypervisor.fail_next(Call::Screen, HypervisorError::Unreachable("it hangs".to_owned()));
    assert_eq!(client.get(PICTURE).await.status, 503);
    assert_eq!(client.get(PICTURE).await.status, 200);
}

#[tokio::test]
async fn pictures_are_taken_once_for_some_seconds() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let first = client.get(PICTURE).await;
    assert_eq!((first.status, first.header("content-type")), (200, "image/png"));
    assert_eq!(first.header("cache-control"), "no-store");
    assert!(first.body.starts_with(PNG) && first.body.len() > 10_000);
    cloud.hypervisor.print(cloud.hypervisor.machines()[0], b"something new");
    cloud.clock.advance(Duration::from_secs(4));
    assert_eq!(client.get(PICTURE).await.body, first.body);
    cloud.clock.advance(Duration::from_secs(1));
    let later = client.get(PICTURE).await;
    assert!(later.body.starts_with(PNG) && later.body != first.body);

    assert_eq!(client.post("/v1/instances/db/stop?project=web", json!({})).await.status, 202);
    cloud.settle();
    let text = "instance is stopped and has no screen";
    client.get(PICTURE).await.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
}
