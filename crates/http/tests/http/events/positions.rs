//! Responses that state their change position.

use serde_json::json;

use super::{Follower, ids};
use crate::cloud::{Answer, Client, Cloud};

const PROJECTS: &str = "/v1/projects";

fn position(answer: &Answer) -> i64 {
    answer.header("change-position").parse().unwrap_or_else(|_| panic!("no position: {answer:?}"))
}

fn with_position<'a>(client: &Client<'a>) -> Client<'a> {
    client.clone().with("prefer", "change-position")
}

#[tokio::test]
async fn answer_has_its_change_position_on_request() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    client.create_project("web").await;
    let plain = client.get(PROJECTS).await;
    assert_eq!((plain.header("change-position"), plain.header("preference-applied")), ("", ""));
    let with_position = with_position(&client);
    let first = with_position.get(PROJECTS).await;
    assert_eq!(position(&first), cloud.rule(|cx| Ok(cx.tx.last_change()?)).unwrap());
    assert_eq!(first.header("preference-applied"), "change-position");
    assert_eq!(
        position(&with_position.get(PROJECTS).await),
        position(&first),
        "the same response, possibly cached"
    );
    assert_eq!(with_position.get("/v1/projects/none").await.status, 404);
    client.put("/v1/projects/web", json!({ "description": "new" })).await;
    assert!(position(&with_position.get(PROJECTS).await) > position(&first));
    // An unauthenticated request reads nothing and has no position.
    let stranger = cloud.anonymous().with("prefer", "change-position").get(PROJECTS).await;
    assert_eq!((stranger.status, stranger.header("change-position")), (401, ""));
}

#[tokio::test]
async fn stream_from_the_position_of_an_answer_has_all_later_changes() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    client.create_project("before").await;
    let listed = with_position(&client).get(PROJECTS).await;
    client.create_project("after").await;
    let after = client.get("/v1/projects/after").await.json()["id"].as_str().unwrap().to_owned();
    let mut follower =
        Follower::open(&cloud, &client, "?kinds=project,ssh_key", Some(listed.header("change-position")))
            .await;
    let received = follower.rest(&client, "end").await;
    assert_eq!(ids(&received, "project"), [after]);
    assert_eq!(received.len(), 1, "no reset, and no event from before the response");
}
