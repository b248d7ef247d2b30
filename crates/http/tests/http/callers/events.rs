//! Each caller is told of the changes of what they may read, and of no others.

use std::collections::BTreeSet;

use croft_api::event::ResetReason;
use serde_json::{Value, json};

use super::world::{CALLERS, World};
use crate::events::{Follower, Message};

/// Kinds of changes, and the callers who are told of them, in the order of [`CALLERS`].
const TOLD: [(&str, &str); 9] = [
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
    let world = World::new().await;
    let cloud = world.cloud();
    let mut followers = Vec::new();
    for index in 0..CALLERS.len() {
        followers.push(Follower::start(cloud, &world.caller(index), "").await);
    }
    let before = cloud.rule(|cx| Ok(cx.tx.last_change()?)).unwrap();
    world.change_one_of_each();
    for (index, follower) in followers.iter_mut().enumerate() {
        let client = world.caller(index);
        let live = kinds(&follower.rest(&client, "mark").await);
        let mut resumed = Follower::open(cloud, &client, "", Some(&before.to_string())).await;
        let caught_up = kinds(&resumed.rest(&client, "mark-again").await);
        for (kind, told) in TOLD {
            let expected = told.chars().filter(|letter| *letter != ' ').nth(index) == Some('+');
            assert_eq!(live.contains(kind), expected, "{kind} for {}", CALLERS[index].0);
            assert_eq!(caught_up.contains(kind), expected, "{kind} for {}, afterwards", CALLERS[index].0);
        }
    }
    // The neighbours see their own, and nobody else does.
    let rival = world.caller(0);
    rival.create_project("secret").await;
    for (index, follower) in followers.iter_mut().enumerate() {
        let told = kinds(&follower.rest(&world.caller(index), "mark-secret").await);
        assert_eq!(told.contains("project"), index == 0, "{}", CALLERS[index].0);
    }
}

fn kinds(messages: &[Message]) -> BTreeSet<String> {
    let told = messages.iter().filter_map(|message| match message {
        Message::Change(event) => Some(event.kind.clone()),
        Message::Reset(_) => None,
    });
    told.collect()
}

#[tokio::test]
async fn revoked_role_stops_events_immediately() {
    let world = World::new().await;
    let cloud = world.cloud();
    let (viewer, admin) = (world.caller(2), world.caller(7));
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
    // Also to those who catch up: what they could have seen once they cannot any more.
    let mut late = Follower::open(cloud, &viewer, "", Some(&id)).await;
    let told = late.rest(&viewer, "mark").await;
    assert_eq!(told.first(), access.as_ref());
    assert!(!kinds(&told).contains("project"), "{told:?}");
}
