//! Viewing as another user, over HTTP.

use std::time::Duration;

use croft_control::operation;
use croft_store::records::{Silo, SiloUser};
use http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use crate::{
    cloud::{Client, Cloud, SILO, USER},
    document::documented,
};

const PATH: &str = "/experimental/v1/view-as";
const REFUSED: &str = "You view Croft as bob. Changes are not possible; stop viewing first.";

fn user(cloud: &Cloud, name: &'static str) -> Uuid {
    cloud
        .rule(move |cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            let meta = cx.new_meta();
            let (id, silo_id, external_id) = (meta.id, silo.meta.id, name.to_owned());
            let user =
                SiloUser { meta, silo_id, external_id, password_hash: None, must_change_password: false };
            cx.tx.insert(&user)?;
            Ok(id)
        })
        .unwrap()
}

/// An administrator with a project who views as `bob`, a user without a role.
async fn begun(cloud: &Cloud) -> (Client<'_>, Uuid) {
    let (admin, bob) = (cloud.signed_in().await, user(cloud, "bob"));
    admin.create_project("web").await;
    // Entries of the audit log with the same time have no order.
    cloud.clock.advance(Duration::from_secs(1));
    let answer = admin.post(&format!("/experimental/v1/users/{bob}/view-as"), json!({})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json()["viewing"]["user"], json!({ "id": bob, "display_name": "bob" }));
    (admin, bob)
}

async fn name(client: &Client<'_>) -> String {
    client.get("/v1/me").await.json()["display_name"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_session_views_as_a_user_and_changes_nothing() {
    let cloud = Cloud::new();
    let (admin, bob) = begun(&cloud).await;
    assert_eq!(name(&admin).await, "bob");
    assert_eq!(admin.get("/v1/projects/web").await.status, 404);
    assert_eq!(admin.get("/v1/projects").await.status, 403);
    for answer in [
        admin.post("/v1/projects", json!({ "name": "new", "description": "" })).await,
        admin.delete("/v1/projects/web").await,
        admin
            .post(
                "/v1/me/ssh-keys",
                json!({ "name": "new", "description": "", "public_key": "ssh-ed25519 AAAA" }),
            )
            .await,
        admin.post(&format!("/experimental/v1/users/{bob}/view-as"), json!({})).await,
        admin
            .post("/experimental/v1/me/password", json!({ "current_password": "x", "new_password": "y" }))
            .await,
    ] {
        answer.assert_error(StatusCode::FORBIDDEN, "Forbidden", REFUSED);
    }
    let view = admin.get(PATH).await.json();
    assert_eq!(view["viewing"]["administrator"]["display_name"], json!(USER));
    let only_bob = "You view Croft as bob. Only bob may see this.";
    let sessions = admin.get("/experimental/v1/me/sessions").await;
    sessions.assert_error(StatusCode::FORBIDDEN, "Forbidden", only_bob);

    assert_eq!(admin.delete(PATH).await.status, 204);
    assert_eq!(name(&admin).await, USER);
    assert_eq!(admin.get(PATH).await.json(), json!({ "viewing": null }));
    let names = admin.get("/v1/projects").await.json();
    assert_eq!(names["items"].as_array().unwrap().len(), 1);
    assert_eq!(admin.delete(PATH).await.status, 204, "ending a view that has not begun succeeds");
}

#[tokio::test]
async fn what_was_answered_before_is_not_answered_in_a_view() {
    let cloud = Cloud::new();
    let (admin, bob) = begun(&cloud).await;
    assert_eq!(admin.delete(PATH).await.status, 204);
    assert_eq!(admin.get("/v1/projects/web").await.status, 200);
    assert_eq!(admin.get("/v1/projects/web").await.status, 200);
    assert_eq!(admin.post(&format!("/experimental/v1/users/{bob}/view-as"), json!({})).await.status, 200);
    assert_eq!(admin.get("/v1/projects/web").await.status, 404);
    assert_eq!(admin.delete(PATH).await.status, 204);
    assert_eq!(admin.get("/v1/projects/web").await.status, 200);
}

#[tokio::test]
async fn tokens_and_other_sessions_are_not_in_the_view() {
    let cloud = Cloud::new();
    let (_, bob) = begun(&cloud).await;
    assert_eq!(name(&cloud.signed_in().await).await, USER);
    let token = cloud.with_token();
    assert_eq!(name(&token).await, USER);
    let text = "A token cannot do this. Sign in to the console to do it.";
    let begin = token.post(&format!("/experimental/v1/users/{bob}/view-as"), json!({})).await;
    begin.assert_error(StatusCode::FORBIDDEN, "Forbidden", text);
    token.delete(PATH).await.assert_error(StatusCode::FORBIDDEN, "Forbidden", text);
}

#[tokio::test]
async fn another_site_begins_and_ends_no_view() {
    let cloud = Cloud::new();
    let (admin, bob) = begun(&cloud).await;
    let foreign = admin.clone().with("sec-fetch-site", "cross-site");
    foreign.delete(PATH).await.assert_error(StatusCode::FORBIDDEN, "Forbidden", "Forbidden");
    assert_eq!(name(&admin).await, "bob");
    assert_eq!(admin.delete(PATH).await.status, 204);
    let begin = foreign.post(&format!("/experimental/v1/users/{bob}/view-as"), json!({})).await;
    begin.assert_error(StatusCode::FORBIDDEN, "Forbidden", "Forbidden");
    assert_eq!(name(&admin).await, USER);
}

#[tokio::test]
async fn signing_out_in_a_view_ends_the_session() {
    let cloud = Cloud::new();
    let (admin, _) = begun(&cloud).await;
    assert_eq!(admin.post("/v1/logout", json!({})).await.status, 204);
    admin.get("/v1/me").await.assert_unauthorized();
}

/// Requests that are refused before their rule runs are audited, too.
#[tokio::test]
async fn refusals_and_the_view_itself_are_in_the_audit_log() {
    let cloud = Cloud::new();
    let (admin, bob) = begun(&cloud).await;
    cloud.clock.advance(Duration::from_secs(1));
    let body = json!({ "current_password": "x", "new_password": "y" });
    assert_eq!(admin.post("/experimental/v1/me/password", body).await.status, 403);
    cloud.clock.advance(Duration::from_secs(1));
    assert_eq!(admin.delete(PATH).await.status, 204);
    let id = admin.get("/v1/me").await.json()["id"].clone();
    let log = admin.get("/v1/system/audit-log?start_time=2020-01-01T00:00:00Z&limit=1000").await.json();
    let entries: Vec<_> = log["items"].as_array().unwrap().iter().rev().take(3).rev().collect();
    for (entry, operation, path, status) in [
        (entries[0], "view_as_begin", format!("/experimental/v1/users/{bob}/view-as"), 200),
        (entries[1], "account_password_change", "/experimental/v1/me/password".to_owned(), 403),
        (entries[2], "view_as_end", PATH.to_owned(), 204),
    ] {
        assert_eq!(entry["operation_id"], json!(operation));
        assert_eq!(entry["actor"]["silo_user_id"], id);
        assert_eq!(entry["request_uri"], json!(format!("{path}#view_as={bob}")));
        assert_eq!(entry["result"]["http_status_code"], json!(status));
    }
}

/// The console disables operations by method, with these exceptions (`console/src/app/view-as.ts`).
#[test]
fn methods_say_what_changes_something() {
    let (mut reading, mut changing) = (Vec::new(), Vec::new());
    for documented in documented() {
        let Some(declared) = operation::find(&documented.id) else { continue };
        match (documented.method.is_safe(), declared.has_effect) {
            (false, false) => reading.push(documented.id),
            (true, true) => changing.push(documented.id),
            _ => {}
        }
    }
    reading.sort();
    let nobody_is_signed_in = ["account_verify_begin", "device_access_token", "device_auth_request"];
    reading.retain(|id| !nobody_is_signed_in.contains(&id.as_str()));
    assert_eq!(
        reading,
        [
            "instance_preview",
            "system_timeseries_query",
            "timeseries_query",
            "vpc_reachability_changes",
            "vpc_trace",
        ]
    );
    changing.sort();
    assert_eq!(changing, ["instance_graphical_console_stream", "instance_serial_console_stream"]);
}
