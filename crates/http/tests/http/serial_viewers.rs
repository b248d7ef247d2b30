use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::{net::TcpSocket, time::timeout};
use tokio_tungstenite::{
    client_async,
    tungstenite::{Message, client::IntoClientRequest as _, protocol::frame::coding::CloseCode},
};
use uuid::Uuid;

use crate::{
    cloud::{Client, Cloud},
    serial_stream::{STREAM, Socket, end_of, read_until, running, viewer},
};

/// The stream of output from now on.
const NOW: &str = "/v1/instances/db/serial-console/stream?project=web&most_recent=0";
const MIB: usize = 1 << 20;

fn machine(cloud: &Cloud) -> Uuid {
    cloud.hypervisor.machines()[0]
}

/// Output in which every eight bytes contain their position.
fn counted(from: usize, length: usize) -> Vec<u8> {
    (from..from + length).step_by(8).flat_map(|position| (position as u64).to_be_bytes()).collect()
}

fn positions(output: &[u8]) -> Vec<u64> {
    output.chunks(8).map(|word| u64::from_be_bytes(word.try_into().unwrap())).collect()
}

/// Returns the next output from a socket.
async fn output(socket: &mut Socket) -> Vec<u8> {
    loop {
        let message = timeout(Duration::from_secs(20), socket.next()).await.expect("output");
        match message.unwrap().unwrap() {
            Message::Binary(bytes) => return bytes.to_vec(),
            Message::Ping(_) | Message::Pong(_) => {}
            other => panic!("{other:?} instead of output"),
        }
    }
}

async fn read(socket: &mut Socket, length: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() < length {
        all.extend(output(socket).await);
    }
    all
}

/// Adds a viewer and types a key, whose echo shows that the viewer is connected.
async fn join(viewers: &mut Vec<Socket>, mut socket: Socket) {
    socket.send(Message::Binary("x".into())).await.unwrap();
    viewers.push(socket);
    for socket in viewers {
        assert_eq!(read(socket, 1).await, b"x");
    }
}

async fn history(client: &Client<'_>, query: &str) -> (Vec<u8>, u64) {
    let uri = format!("/v1/instances/db/serial-console?project=web&{query}");
    let Value::Object(mut body) = client.get(&uri).await.json() else { panic!("no history") };
    let data = serde_json::from_value(body.remove("data").unwrap()).unwrap();
    (data, body["last_byte_offset"].as_u64().unwrap())
}

#[tokio::test]
async fn all_byte_values_pass_in_both_directions() {
    let (cloud, address, token) = running().await;
    let mut viewers = Vec::new();
    join(&mut viewers, viewer(&address, &token, NOW).await).await;
    let socket = &mut viewers[0];
    let every: Vec<u8> = (0..=255).rev().collect();
    cloud.hypervisor.print(machine(&cloud), &every);
    assert_eq!(read(socket, 256).await, every);
    // The terminal echoes characters that are not control characters, in any encoding.
    let typed: Vec<u8> = (0x80..=0xff).rev().collect();
    socket.send(Message::Binary(typed.clone().into())).await.unwrap();
    assert_eq!(read(socket, 128).await, typed);
    let client = cloud.signed_in().await;
    assert_eq!(history(&client, "most_recent=384").await.0, [every, typed].concat());
}

#[tokio::test]
async fn every_viewer_gets_everything_in_order() {
    let (cloud, address, token) = running().await;
    let machine = machine(&cloud);
    let mut viewers = Vec::new();
    for _ in 0..3 {
        join(&mut viewers, viewer(&address, &token, NOW).await).await;
    }
    let total = MIB / 2;
    for from in (0..total).step_by(4096) {
        cloud.hypervisor.print(machine, &counted(from, 4096));
        tokio::task::yield_now().await;
    }
    for socket in &mut viewers {
        assert_eq!(read(socket, total).await, counted(0, total));
    }
}

/// A viewer with a small receive buffer.
async fn slow_viewer(address: &str, token: &str) -> Socket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 * 1024).unwrap();
    let stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let uri = format!("ws://{address}{NOW}");
    let mut request = uri.into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    client_async(request, stream).await.unwrap().0
}

#[tokio::test]
async fn slow_viewer_delays_nobody_and_misses_discarded_output() {
    let (cloud, address, token) = running().await;
    let machine = machine(&cloud);
    let mut viewers = Vec::new();
    join(&mut viewers, slow_viewer(&address, &token).await).await;
    join(&mut viewers, viewer(&address, &token, NOW).await).await;
    let [slow, quick] = &mut viewers[..] else { panic!("two viewers") };
    let (total, step) = (16 * MIB, MIB / 4);
    for from in (0..total).step_by(step) {
        let expected = counted(from, step);
        cloud.hypervisor.print(machine, &expected);
        assert_eq!(read(quick, step).await, expected);
    }
    let last = (total - 8) as u64;
    let mut seen = Vec::new();
    while seen.last() != Some(&last) {
        seen.extend(positions(&output(slow).await));
    }
    assert!(seen.is_sorted_by(|one, other| one < other), "no output is repeated");
    let gaps = seen.windows(2).filter(|pair| pair[1] != pair[0] + 8).count();
    assert!(gaps > 0 && seen.len() < total / 8, "the middle is missing");
    assert_eq!(seen[0], 0);
    let held = seen.len() - MIB / 8;
    assert_eq!(seen[held..], positions(&counted(total - MIB, MIB)), "the retained end is complete");
}

#[tokio::test]
async fn reconnected_viewer_resumes_at_its_offset() {
    let (cloud, address, token) = running().await;
    let client = cloud.signed_in().await;
    let mut first = viewer(&address, &token, STREAM).await;
    let offset = read_until(&mut first, "login:").await.len() as u64;
    drop(first);
    let missed = counted(0, 40_000);
    cloud.hypervisor.print(machine(&cloud), &missed);
    let (mut data, mut next) = history(&client, &format!("from_start={offset}")).await;
    assert_eq!(next, offset + 16_384, "the default limit");
    loop {
        let (more, end) = history(&client, &format!("from_start={next}")).await;
        if more.is_empty() {
            assert_eq!(end, next);
            break;
        }
        (data, next) = ([data, more].concat(), end);
    }
    assert!(data.ends_with(&missed));
    let most_recent = next - offset;
    let mut again = viewer(&address, &token, &format!("{STREAM}&most_recent={most_recent}")).await;
    assert_eq!(read(&mut again, data.len()).await, data);
}

#[tokio::test]
async fn middle_of_a_long_history_is_discarded() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let before = history(&client, "most_recent=0").await.1;
    cloud.hypervisor.print(machine(&cloud), &counted(0, 3 * MIB));
    let total = before + 3 * MIB as u64;
    let (head, end) = history(&client, "from_start=1048000&max_bytes=4000").await;
    assert_eq!((head.len(), end), (576, MIB as u64), "up to the end of the contiguous part");
    let uri = format!("/v1/instances/db/serial-console?project=web&from_start={MIB}");
    let text = format!("the bytes before offset {} are no longer available", total - MIB as u64);
    client.get(&uri).await.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", &text);
    let (tail, end) = history(&client, "most_recent=1000&max_bytes=600").await;
    assert_eq!((tail, end), (counted(3 * MIB - 1000, 600), total - 400));
}

#[tokio::test]
async fn a_stream_outlives_a_reboot_and_not_the_machine() {
    let (cloud, address, token) = running().await;
    let client = cloud.signed_in().await;
    let mut socket = viewer(&address, &token, STREAM).await;
    read_until(&mut socket, "login:").await;
    let operate = async |name: &str| {
        let answer = client.post(&format!("/v1/instances/db/{name}?project=web"), json!({})).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        cloud.settle();
    };
    operate("reboot").await;
    read_until(&mut socket, "login:").await;
    operate("stop").await;
    assert_eq!(end_of(&mut socket).await.0, CloseCode::Error);
    operate("start").await;
    let mut socket = viewer(&address, &token, STREAM).await;
    let boot = read_until(&mut socket, "login:").await;
    assert!(boot.starts_with(b"[    0.000000] Linux"), "the output of the new machine, from the start");
}
