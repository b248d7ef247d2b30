//! The end of streams, and their maximum number.

use std::time::Duration;

use croft_api::event::ResetReason;
use croft_store::records::SshKey;
use serde_json::json;
use uuid::Uuid;

use super::{Follower, Message, second_edge, try_open, user_without_role};
use crate::cloud::{Client, Cloud};

async fn my_id(client: &Client<'_>) -> String {
    client.get("/v1/me").await.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn ended_session_closes_only_its_streams() {
    let cloud = Cloud::new();
    let (one, other, token) = (cloud.signed_in().await, cloud.signed_in().await, cloud.with_token());
    let mut streams = Vec::new();
    for client in [&one, &other, &token] {
        streams.push(Follower::start(&cloud, client, "?kinds=ssh_key").await);
    }
    assert_eq!(one.post("/v1/logout", json!({})).await.status, 204);
    assert_eq!(streams[0].next().await, None);
    assert!(streams[1].rest(&other, "other").await.is_empty());
    let me = my_id(&token).await;
    assert_eq!(token.post(&format!("/v1/users/{me}/logout"), json!({})).await.status, 204);
    for stream in &mut streams[1..] {
        while let Some(message) = stream.next().await {
            assert!(message.is("ssh_key"), "{message:?}");
        }
    }
}

#[tokio::test]
async fn open_stream_does_not_prolong_its_session() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let mut follower = Follower::start(&cloud, &client, "").await;
    // The first event is read while catching up, the second by the reader, which has read the clock before.
    for mark in ["one", "two"] {
        follower.rest(&client, mark).await;
    }
    let id = follower.last_id.clone().unwrap();
    cloud.clock.advance(Duration::from_hours(7));
    let beat = follower.block().await.unwrap();
    let place = beat.strip_prefix(":\nid: ").unwrap_or_else(|| panic!("{beat} is not a heartbeat"));
    assert!(place.parse::<i64>().unwrap() >= id.parse().unwrap());
    let mut again = Follower::open(&cloud, &client, "", Some(&id)).await;
    assert_eq!(again.block().await.unwrap(), "retry: 2000");
    cloud.clock.advance(Duration::from_mins(61));
    assert_eq!(follower.next().await, None);
    assert_eq!(again.next().await, None);
    assert_eq!(try_open(&cloud.edge, &client, "", None).await.status(), 401);
}

#[tokio::test]
async fn a_stream_is_of_whom_its_session_views_as() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    let (bob, _) = user_without_role(&cloud, "bob");
    let mut own = Follower::start(&cloud, &admin, "?kinds=ssh_key").await;
    let begun = admin.post(&format!("/experimental/v1/users/{bob}/view-as"), json!({})).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    let mut viewed = Follower::start(&cloud, &admin, "?kinds=project").await;
    cloud.with_token().create_project("hidden").await;
    cloud.clock.advance(Duration::from_secs(11));
    assert_eq!(own.next().await, None, "the session views as another user now");
    assert_eq!(admin.post("/v1/logout", json!({})).await.status, 204);
    assert_eq!(viewed.next().await, None, "it ends with the session, without an event");
}

#[tokio::test]
async fn slow_stream_client_is_disconnected_and_resumes() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let mut slow = Follower::start(&cloud, &client, "").await;
    let mut quick = Follower::start(&cloud, &client, "").await;
    // A stream that still catches up is never disconnected as too slow.
    for (follower, mark) in [(&mut slow, "slow"), (&mut quick, "quick")] {
        follower.rest(&client, mark).await;
    }
    let user: Uuid = my_id(&client).await.parse().unwrap();
    for _ in 0..3 {
        let keys = cloud.rule(move |cx| {
            for _ in 0..400 {
                let meta = cx.new_meta();
                let name = format!("key-{}", meta.id).parse().unwrap();
                let (description, public_key) = ("".into(), "ssh-ed25519 AAAA".to_owned());
                cx.tx.insert(&SshKey {
                    meta,
                    user_id: user,
                    silo_id: user,
                    name,
                    description,
                    public_key,
                })?;
            }
            Ok(())
        });
        keys.unwrap();
        // A client that reads receives every event.
        for _ in 0..400 {
            assert!(quick.next().await.unwrap().is("ssh_key"));
        }
    }
    assert_eq!(slow.next().await, Some(Message::Reset(ResetReason::Lagging)));
    assert_eq!(slow.next().await, None);
    let mut slow = Follower::open(&cloud, &client, "", slow.last_id.as_deref()).await;
    client.create_project("web").await;
    while !slow.next().await.unwrap().is("project") {}
}

#[tokio::test]
async fn streams_are_limited_per_user_and_not_counted_as_load() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let mut streams = Vec::new();
    for _ in 0..32 {
        streams.push(Follower::start(&cloud, &client, "").await);
    }
    assert_eq!(cloud.app.load.in_flight(), 0);
    assert_eq!(cloud.app.closing.streams(), 32);
    assert_eq!(try_open(&cloud.edge, &client, "", None).await.status(), 503);
    assert_eq!(cloud.app.closing.streams(), 32);
    streams.pop();
    streams.push(Follower::start(&cloud, &client, "").await);
    client.create_project("web").await;
    for stream in &mut streams {
        while !stream.next().await.unwrap().is("project") {}
    }
}

#[tokio::test]
async fn server_shutdown_closes_streams_with_a_message() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let mut streams = Vec::new();
    for _ in 0..3 {
        streams.push(Follower::start(&cloud, &client, "").await);
    }
    let last_id = streams[0].last_id.clone();
    cloud.app.closing.begin();
    for stream in &mut streams {
        assert_eq!(stream.next().await, None);
    }
    drop(streams);
    cloud.app.closing.drained().await;
    client.create_project("web").await;
    let mut follower = Follower::open_on(&second_edge(&cloud), &client, "", last_id.as_deref()).await;
    while !follower.next().await.unwrap().is("project") {}
}
