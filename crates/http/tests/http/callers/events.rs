//! Live events are sent only to callers who may read the changed object.

use std::collections::BTreeSet;

use croft_api::event::ResetReason;
use serde_json::{Value, json};

use super::fixture::{CALLERS, Fixture};
use crate::events::{Follower, Message};

/// Kinds of changes, and the callers who receive them, in the order of [`CALLERS`].
const RECIPIENTS: [(&str, &str); 9] = [
    ("disk", "- - +++ +++ ---"),
    ("instance", "- - +++ +++ ---"),
    ("vpc", "- - +++ +++ ---"),
    ("project", "- - +++ +++ ---"),
    ("image", "- - +++ +++ ---"),
    ("certificate", "- - --- --+ --+"),
    ("silo_user", "- + +++ +++ +++"),
    ("ip_pool", "- - --- --- +++"),
    ("bgp_announce_set", "- - --- --- +++"),
];

#[tokio::test]
async fn events_are_sent_to_callers_who_may_read_the_object() {
    let fixture = Fixture::new().await;
    let cloud = fixture.cloud();
    let mut followers = Vec::new();
    for index in 0..CALLERS.len() {
        followers.push(Follower::start(cloud, &fixture.caller(index), "").await);
    }
    let before = cloud.rule(|cx| Ok(cx.tx.last_change()?)).unwrap();
    fixture.change_one_of_each();
    for (index, follower) in followers.iter_mut().enumerate() {
        let client = fixture.caller(index);
        let live = kinds(&follower.rest(&client, "mark").await);
        let mut resumed = Follower::open(cloud, &client, "", Some(&before.to_string())).await;
        let caught_up = kinds(&resumed.rest(&client, "mark-again").await);
        for (kind, received) in RECIPIENTS {
            let expected = received.chars().filter(|letter| *letter != ' ').nth(index) == Some('+');
            assert_eq!(live.contains(kind), expected, "{kind} for {}", CALLERS[index].0);
            assert_eq!(caught_up.contains(kind), expected, "{kind} for {}, after resuming", CALLERS[index].0);
        }
    }
    // A project of the other silo: only its own admin receives the event.
    let rival = fixture.caller(0);
    rival.create_project("secret").await;
    for (index, follower) in followers.iter_mut().enumerate() {
        let received = kinds(&follower.rest(&fixture.caller(index), "mark-secret").await);
        assert_eq!(received.contains("project"), index == 0, "{}", CALLERS[index].0);
    }
}

fn kinds(messages: &[Message]) -> BTreeSet<String> {
    let received = messages.iter().filter_map(|message| match message {
        Message::Change(event) => Some(event.kind.clone()),
        Message::Reset(_) => None,
    });
    received.collect()
}

#[tokio::test]
async fn revoked_role_stops_events_immediately() {
    let fixture = Fixture::new().await;
    let cloud = fixture.cloud();
    let (viewer, admin) = (fixture.caller(2), fixture.caller(7));
    let mut follower = Follower::start(cloud, &viewer, "").await;
    let rename = async |text: &str| {
        let answer = admin.put("/v1/projects/web", json!({ "description": text })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    };
    let put_policy = async |policy: Value| {
        let answer = admin.put("/v1/projects/web/policy", policy).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    };
    let access = Some(Message::Reset(ResetReason::Access));
    rename("seen").await;
    assert!(follower.next().await.unwrap().is("project"));
    let id = follower.last_id.clone().unwrap();
    let policy = admin.get("/v1/projects/web/policy").await.json();
    put_policy(json!({ "role_assignments": [] })).await;
    assert_eq!(follower.next().await, access);
    rename("hidden").await;
    assert_eq!(follower.rest(&viewer, "silence").await, []);
    put_policy(policy).await;
    assert_eq!(follower.next().await, access);
    rename("seen again").await;
    while !follower.next().await.unwrap().is("project") {}

    put_policy(json!({ "role_assignments": [] })).await;
    assert_eq!(follower.next().await, access);
    rename("hidden").await;
    // A resumed stream also omits events that the caller could read when they occurred.
    let mut late = Follower::open(cloud, &viewer, "", Some(&id)).await;
    let received = late.rest(&viewer, "mark").await;
    assert_eq!(received.first(), access.as_ref());
    assert!(!kinds(&received).contains("project"), "{received:?}");
}
