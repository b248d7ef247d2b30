//! Live events: content, recipients and end of streams.

mod access;
mod ends;
mod follower;
mod model;
mod positions;

use croft_api::event::{EventAction, ResetReason};
use croft_control::token;
use croft_http::{App, AppParts, Settings};
use croft_store::records::{Silo, SiloUser};
use serde_json::json;
use uuid::Uuid;

use crate::cloud::{Cloud, SILO};
pub use follower::{EVENTS, Follower, Message, try_open};

/// Starts a second server on the same database.
fn second_edge(cloud: &Cloud) -> croft_http::Edge {
    let parts = AppParts { settings: Settings::default(), ..cloud.parts.clone() };
    croft_http::serve(App::new(parts), croft_http::no_pages())
}

/// Adds a user without a role. Returns the ID and the `Authorization` header.
fn user_without_role(cloud: &Cloud, name: &'static str) -> (Uuid, String) {
    cloud
        .rule(move |cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            let meta = cx.new_meta();
            let id = meta.id;
            let external_id = name.to_owned();
            cx.tx.insert(&SiloUser {
                meta,
                silo_id: silo.meta.id,
                external_id,
                password_hash: None,
                must_change_password: false,
            })?;
            let token =
                token::create(cx, &silo.name, &name.parse().unwrap(), &"test".parse().unwrap(), None)?;
            Ok((id, format!("Bearer {}", token.text)))
        })
        .unwrap()
}

fn ids(messages: &[Message], kind: &str) -> Vec<String> {
    let of_kind = messages.iter().filter_map(|message| match message {
        Message::Change(event) if event.kind == kind => Some(event.id.to_string()),
        _ => None,
    });
    of_kind.collect()
}

#[tokio::test]
async fn event_identifies_the_changed_object() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let mut follower = Follower::start(&cloud, &client, "").await;
    client.create_project("web").await;
    let project = client.get("/v1/projects/web").await.json();
    client.put("/v1/projects/web", json!({ "description": "new" })).await;
    client.delete_project("web").await;
    let mut received = Vec::new();
    while received.len() < 3 {
        match follower.next().await.unwrap() {
            Message::Change(event) if event.kind == "project" => received.push(event),
            _ => {}
        }
    }
    let silo = received[0].silo;
    assert!(silo.is_some());
    for (event, (action, generation)) in
        received.iter().zip([(EventAction::Created, 1), (EventAction::Changed, 2), (EventAction::Deleted, 3)])
    {
        assert_eq!((event.action, event.generation), (action, generation));
        assert_eq!(event.id.to_string(), project["id"]);
        assert_eq!((event.parent, event.silo, event.project), (silo, silo, Some(event.id)));
    }
    assert_eq!(received[0].time.to_string(), project["time_created"].as_str().unwrap());
}

#[tokio::test]
async fn stream_resumes_without_gap_or_repetition() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let mut follower = Follower::start(&cloud, &client, "?kinds=project,ssh_key").await;
    let edges = [cloud.edge.clone(), second_edge(&cloud)];
    let (mut expected, mut received) = (Vec::new(), Vec::new());
    for round in 0..12 {
        for number in 0..3 {
            client.create_project(&format!("web-{round}-{number}")).await;
            let view = client.get(&format!("/v1/projects/web-{round}-{number}")).await;
            expected.push(view.json()["id"].as_str().unwrap().to_owned());
        }
        // The connection breaks after some of the events were read.
        for _ in 0..round % 4 {
            received.push(follower.next().await.unwrap());
        }
        let last_id = follower.last_id.clone();
        drop(follower);
        client.create_project(&format!("away-{round}")).await;
        let view = client.get(&format!("/v1/projects/away-{round}")).await;
        expected.push(view.json()["id"].as_str().unwrap().to_owned());
        let edge = &edges[round % 2];
        follower = Follower::open_on(edge, &client, "?kinds=project,ssh_key", last_id.as_deref()).await;
    }
    received.extend(follower.rest(&client, "end").await);
    assert_eq!(ids(&received, "project"), expected);
    assert_eq!(received.len(), expected.len(), "no other messages and no reset");
}

#[tokio::test]
async fn client_with_an_expired_position_is_asked_to_refetch() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let mut follower = Follower::start(&cloud, &client, "").await;
    let begun = follower.last_id.clone().unwrap();
    client.create_project("web").await;
    follower.rest(&client, "one").await;
    let last = cloud.rule(|cx| Ok(cx.tx.last_change()?)).unwrap();
    let reset = Some(Message::Reset(ResetReason::Expired));
    for unknown in [(last + 1).to_string(), i64::MAX.to_string(), "0".to_owned()] {
        let mut follower = Follower::open(&cloud, &client, "", Some(&unknown)).await;
        assert_eq!(follower.next().await, reset);
        assert_eq!(follower.last_id, Some(last.to_string()));
    }
    let mut follower = Follower::open(&cloud, &client, "", Some(&begun)).await;
    assert!(matches!(follower.next().await, Some(Message::Change(_))), "the position is still known");
    cloud.rule(move |cx| Ok(cx.tx.prune_changes(last, 10_000)?)).unwrap();
    let mut follower = Follower::open(&cloud, &client, "", Some(&begun)).await;
    assert_eq!(follower.next().await, reset);
    client.create_project("shop").await;
    assert_eq!(
        ids(&follower.rest(&client, "two").await, "project").len(),
        1,
        "the stream continues after the reset"
    );
    for unreadable in ["x", "-1", "1.5", ""] {
        let client = client.clone().with("last-event-id", unreadable);
        client
            .get(EVENTS)
            .await
            .assert_unreadable("unable to parse header last-event-id: not an ID of this server");
    }
}

#[tokio::test]
async fn stream_can_be_filtered_by_project_and_kind() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    for name in ["web", "shop"] {
        client.create_project(name).await;
    }
    let mut web = Follower::start(&cloud, &client, "?project=web").await;
    let mut disks = Follower::start(&cloud, &client, "?kinds=disk,ssh_key").await;
    let mut created = Vec::new();
    for name in ["web", "shop"] {
        let body = json!({
            "name": "data", "description": "", "size": 1 << 30,
            "disk_source": { "type": "blank", "block_size": 512 },
        });
        let answer = client.post(&format!("/v1/disks?project={name}"), body).await;
        created.push(answer.json()["id"].as_str().unwrap().to_owned());
    }
    client.put("/v1/projects/shop", json!({ "description": "new" })).await;
    let received = disks.rest(&client, "mark").await;
    assert_eq!(ids(&received, "disk"), created);
    assert_eq!(received.len(), 2);
    client.put("/v1/projects/web", json!({ "description": "new" })).await;
    let received = web.until(|event| event.kind == "project").await;
    assert_eq!(ids(&received, "disk"), created[..1]);
    assert_eq!(received.len(), 1);

    client.get(&format!("{EVENTS}?project=nowhere")).await.assert_error(
        http::StatusCode::NOT_FOUND,
        "ObjectNotFound",
        "not found: project with name \"nowhere\"",
    );
    let unknown = client.get(&format!("{EVENTS}?kinds=disk,secret")).await;
    unknown.assert_unreadable("unable to parse query string: unknown kind of resource \"secret\"");
    cloud.anonymous().get(EVENTS).await.assert_unauthorized();
}
