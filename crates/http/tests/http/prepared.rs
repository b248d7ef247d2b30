use std::time::Duration;

use croft_http::Settings;
use croft_store::{Database, SqliteOptions, records::Project, schema::CROFT};
use serde_json::json;
use tempfile::TempDir;
use uuid::Uuid;

use crate::cloud::{Client, Cloud, PASSWORD, USER};

const PROJECT: &str = "/v1/projects/web";
const INSTANCES: &str = "/v1/instances?project=web";
const INSTANCE: &str = "/v1/instances/db?project=web";

fn open(folder: &TempDir) -> Database {
    Database::sqlite(&SqliteOptions::new(folder.path().join("croft.db")), &CROFT).unwrap()
}

/// A cloud on a file, with a project and an instance.
async fn cloud_in(folder: &TempDir) -> Cloud {
    let cloud = Cloud::on(open(folder), Settings::default());
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    cloud.settle();
    cloud
}

/// Returns status and body, and whether the request read from the database.
async fn get(cloud: &Cloud, client: &Client<'_>, uri: &str) -> (u16, String, bool) {
    let before = cloud.database.statistics().reads;
    let answer = client.get(uri).await;
    let text = answer.text();
    (answer.status, text, cloud.database.statistics().reads > before)
}

#[tokio::test]
async fn cached_answer_is_used_until_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let cloud = cloud_in(&folder).await;
    let client = cloud.signed_in().await;
    for uri in [INSTANCE, INSTANCES] {
        let (status, first, read) = get(&cloud, &client, uri).await;
        assert!(status == 200 && read, "{uri}");
        assert_eq!(get(&cloud, &client, uri).await, (200, first.clone(), false), "{uri}");
        // A change of another object may affect the caller's access, so the response is checked against the database.
        client.create_project(&format!("other-{}", uri.len())).await;
        assert_eq!(get(&cloud, &client, uri).await, (200, first, true), "{uri}");
    }
    assert!(get(&cloud, &client, PROJECT).await.2);
    assert_eq!(client.put(PROJECT, json!({ "description": "changed" })).await.status, 200);
    let (status, changed, read) = get(&cloud, &client, PROJECT).await;
    assert!(status == 200 && read && changed.contains("\"description\":\"changed\""), "{changed}");
    assert!(
        client.get(INSTANCE).await.header("x-request-id")
            != client.get(INSTANCE).await.header("x-request-id")
    );
    assert_eq!(client.get(INSTANCE).await.header("cache-control"), "no-store");
}

#[tokio::test]
async fn change_by_another_process_invalidates_cached_answers() {
    let folder = tempfile::tempdir().unwrap();
    let cloud = cloud_in(&folder).await;
    let client = cloud.signed_in().await;
    let (_, first, _) = get(&cloud, &client, INSTANCE).await;
    assert_eq!(get(&cloud, &client, INSTANCE).await, (200, first.clone(), false));
    let other = open(&folder);
    let project =
        Uuid::parse_str(client.get("/v1/projects/web").await.json()["id"].as_str().unwrap()).unwrap();
    let renamed = other.write_blocking(move |tx| {
        let mut project: Project = tx.get(project)?.unwrap();
        project.name = "shop".parse().unwrap();
        tx.update(&mut project)
    });
    renamed.unwrap();
    // The other process's change is noticed within a few milliseconds.
    while get(&cloud, &client, INSTANCE).await.0 == 200 {
        tokio::task::yield_now().await;
    }
    assert_eq!(client.get(INSTANCE).await.status, 404);
    assert_eq!(get(&cloud, &client, "/v1/instances/db?project=shop").await, (200, first, true));
}

#[tokio::test]
async fn cached_answer_is_given_only_to_its_caller() {
    let folder = tempfile::tempdir().unwrap();
    let cloud = cloud_in(&folder).await;
    let (client, token) = (cloud.signed_in().await, cloud.with_token());
    assert_eq!(get(&cloud, &client, INSTANCE).await.0, 200);
    // Responses are not shared with other credentials, even of the same user.
    assert!(get(&cloud, &token, INSTANCE).await.2);
    cloud.anonymous().get(INSTANCE).await.assert_unauthorized();
    for (name, value) in [("cookie", "session=0123"), ("authorization", "Bearer croft-token-0123")] {
        cloud.anonymous().with(name, value).get(INSTANCE).await.assert_unauthorized();
    }
    // Signing out discards the session's cached responses.
    assert!(!get(&cloud, &client, INSTANCE).await.2);
    assert_eq!(client.post("/v1/logout", json!({})).await.status, 204);
    client.get(INSTANCE).await.assert_unauthorized();
    assert_eq!(cloud.sign_in(USER, PASSWORD).await.status, 204);
}

#[tokio::test]
async fn ended_session_is_refused_within_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let cloud = cloud_in(&folder).await;
    let client = cloud.signed_in().await;
    assert!(get(&cloud, &client, INSTANCE).await.2);
    cloud.clock.advance(Duration::from_millis(999));
    assert!(!get(&cloud, &client, INSTANCE).await.2);
    cloud.clock.advance(Duration::from_millis(1));
    assert!(get(&cloud, &client, INSTANCE).await.2, "checked again after a second");
    cloud.clock.advance(Duration::from_hours(24 * 365));
    client.get(INSTANCE).await.assert_unauthorized();
}

#[tokio::test]
async fn errors_and_runtime_state_are_never_cached() {
    let folder = tempfile::tempdir().unwrap();
    let cloud = cloud_in(&folder).await;
    let client = cloud.signed_in().await;
    for uri in [
        "/v1/instances/none?project=web",
        "/v1/instances/db/serial-console?project=web",
        "/experimental/v1/me/sessions",
    ] {
        for _ in 0..2 {
            assert!(get(&cloud, &client, uri).await.2, "{uri}");
        }
    }
}
