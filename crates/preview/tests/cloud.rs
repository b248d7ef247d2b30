//! The cloud of the preview, outside a browser.

use std::{sync::Arc, time::Duration};

use axum::{body::Body, http::Request};
use croft_api::Timestamp;
use croft_http::{Clock, Random, RuntimeTasks, StreamHandoff};
use croft_preview::{Cloud, HostServices, OPEN};
use http::{Response, StatusCode, header};
use http_body_util::BodyExt as _;
use serde_json::Value;

/// A clock that does not advance.
struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        "2026-11-22T12:00:00Z".parse().expect("a time")
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// Bytes that differ from each other.
#[derive(Default)]
struct CountingRandom(std::sync::atomic::AtomicU64);

impl Random for CountingRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(8) {
            let count = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, std::sync::atomic::Ordering::Relaxed);
            part.copy_from_slice(&count.to_le_bytes()[..part.len()]);
        }
    }
}

fn cloud() -> Cloud {
    let (clock, random, tasks) =
        (Arc::new(FixedClock), Arc::<CountingRandom>::default(), Arc::new(RuntimeTasks));
    Cloud::open(HostServices { clock, random, tasks }).expect("the demo set can be made")
}

fn get(path: &str, cookie: &str) -> Request<Body> {
    Request::get(path).header(header::COOKIE, cookie).body(Body::empty()).expect("a request")
}

/// Requests a path. Returns the response.
async fn read(cloud: &mut Cloud, path: &str, cookie: &str) -> Response<Body> {
    let edge = cloud.edge("GET", path).expect("the demo set can be made");
    edge.handle(get(path, cookie)).await
}

async fn json(response: Response<Body>) -> Value {
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    serde_json::from_slice(&body).expect("JSON")
}

#[tokio::test]
async fn everybody_of_the_demo_set_can_be_signed_in_and_has_their_own_rights() {
    let mut cloud = cloud();
    assert_eq!(cloud.people().len(), 4);
    let mut seen = Vec::new();
    for person in cloud.people().to_owned() {
        let cookie = cloud.sign_in(&person.name).expect("a session");
        let me = json(read(&mut cloud, "/v1/me", &cookie).await).await;
        assert_eq!(me["display_name"], person.name);
        seen.push(read(&mut cloud, "/v1/projects", &cookie).await.status().as_u16());
    }
    assert_eq!(seen, [200, 200, 403, 403]);
    assert!(cloud.sign_in("Nobody").is_err());
}

#[tokio::test]
async fn what_is_read_first_does_not_wait_for_the_rest_which_does_not_change_it() {
    let mut cloud = cloud();
    let cookies: Vec<String> =
        cloud.people().iter().map(|person| cloud.sign_in(&person.name).expect("a session")).collect();
    let answers = async |cloud: &mut Cloud| {
        let mut answers = Vec::new();
        for path in OPEN {
            // The query that the page of projects uses.
            let query = if path.ends_with("/permissions") { "?on=silo" } else { "" };
            for cookie in &cookies {
                let mut answer = json(read(cloud, &format!("{path}{query}"), cookie).await).await;
                // The ID of the request differs between refusals.
                answer.as_object_mut().expect("an object").remove("request_id");
                answers.push(answer);
            }
        }
        answers
    };
    let mut changes = cloud.changes();
    let before = answers(&mut cloud).await;
    assert_eq!(before[0]["display_name"], "Hannah Arendt");
    assert!(!changes.take(), "nothing was added before the first request");
    let disks = "/v1/disks?project=other-project&limit=1001";
    let disks = json(read(&mut cloud, disks, &cookies[0]).await).await;
    assert_eq!(disks["items"].as_array().map(Vec::len), Some(1001));
    assert!(changes.take(), "the remaining data was added");
    assert_eq!(answers(&mut cloud).await, before);
}

#[tokio::test]
async fn there_is_nothing_left_to_do_that_would_never_end() {
    let mut cloud = cloud();
    let mut steps = 0;
    while cloud.step().expect("a step").is_zero() {
        steps += 1;
        assert!(steps < 100, "the work does not end");
    }
}

#[tokio::test]
async fn a_serial_stream_is_handed_over_where_there_is_no_socket() {
    let mut cloud = cloud();
    let cookie = cloud.sign_in(&cloud.people()[0].name).expect("a session");
    let mut open = async |instance: &str, cookie: &str| {
        let path = format!("/v1/instances/{instance}/serial-console/stream?project=mock-project");
        let (mut request, handed) = (get(&path, cookie), StreamHandoff::default());
        request.extensions_mut().insert(handed.clone());
        let edge = cloud.edge("GET", &path).expect("the demo set can be made");
        let status = edge.handle(request).await.status();
        (status, handed.take())
    };
    let (status, stream) = open("db1", &cookie).await;
    let mut stream = stream.expect("a stream");
    assert_eq!(status, StatusCode::SWITCHING_PROTOCOLS);
    assert!(!stream.next().await.expect("what was printed").is_empty());
    stream.keyboard().expect("a line").write(b"root");
    assert_eq!(stream.next().await.expect("an echo"), b"root");

    let (status, stream) = open("db1", "").await;
    assert_eq!((status, stream.is_some()), (StatusCode::UNAUTHORIZED, false));
    // As over a socket, an error about the instance is sent on the stream.
    let (_, stream) = open("none", &cookie).await;
    let error = stream.expect("a stream").next().await.expect_err("there is no such instance");
    assert_eq!(error.code, 1011);
}

#[tokio::test]
async fn a_screen_is_handed_over_where_there_is_no_socket() {
    let mut cloud = cloud();
    let cookie = cloud.sign_in(&cloud.people()[0].name).expect("a session");
    let path = "/experimental/v1/instances/db1/graphical-console/stream?project=mock-project";
    let (mut request, handed) = (get(path, &cookie), StreamHandoff::default());
    request.extensions_mut().insert(handed.clone());
    let edge = cloud.edge("GET", path).expect("the demo set can be made");
    assert_eq!(edge.handle(request).await.status(), StatusCode::SWITCHING_PROTOCOLS);
    let mut stream = handed.take().expect("a stream");
    assert_eq!(stream.next().await.expect("a version"), b"RFB 003.008\n");
    let keyboard = stream.keyboard().expect("a keyboard");
    keyboard.write(b"RFB 003.008\n");
    assert_eq!(stream.next().await.expect("kinds of security"), [1, 1]);
    keyboard.write(&[1]);
    assert_eq!(stream.next().await.expect("the result"), [0; 4]);
    keyboard.write(&[1]);
    assert!(stream.next().await.expect("the screen").ends_with(b"db1"));
}

#[tokio::test]
async fn there_is_something_to_see_of_what_happened_before() {
    let mut cloud = cloud();
    let mut steps = 0;
    while cloud.step().expect("a step").is_zero() {
        steps += 1;
        assert!(steps < 100, "the work does not end");
    }
    let cookie = cloud.sign_in(&cloud.people()[0].name).expect("a session");
    let bundles = "/experimental/v1/system/support-bundles";
    let bundles = json(read(&mut cloud, bundles, &cookie).await).await;
    assert_eq!(bundles["items"][0]["state"], "active");
    let deliveries = "/v1/alert-receivers/old-pager/deliveries";
    let deliveries = json(read(&mut cloud, deliveries, &cookie).await).await;
    assert_eq!(deliveries["items"].as_array().map(Vec::len), Some(5), "{deliveries}");
}

#[tokio::test]
async fn what_was_measured_can_be_asked_for_first() {
    let mut cloud = cloud();
    let cookie = cloud.sign_in(&cloud.people()[0].name).expect("a session");
    let used =
        "/v1/system/metrics/cpus_provisioned?start_time=2026-11-21T12:00:00Z&end_time=2026-11-22T12:00:00Z";
    let used = json(read(&mut cloud, used, &cookie).await).await;
    assert!(used["items"].as_array().is_some_and(|points| points.len() > 8), "{used}");
}
