//! Users, their passwords, keys, tokens and sessions.

use std::sync::atomic::Ordering::Relaxed;

use http::StatusCode;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud, PASSWORD, SILO, USER};

const FIRST: &str = "four words at first";
const SECOND: &str = "four other words";
const LOCAL: &str = "/v1/system/identity-providers/local/users";

async fn create(client: &Client<'_>, name: &str, password: &str) -> String {
    let body = json!({ "external_id": name, "password": { "mode": "password", "value": password } });
    let answer = client.post(&format!("{LOCAL}?silo={SILO}"), body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let user = answer.json();
    assert_eq!(user["display_name"], json!(name));
    user["id"].as_str().unwrap().to_owned()
}

async fn browser<'a>(cloud: &'a Cloud, name: &str, password: &str) -> Client<'a> {
    let answer = cloud.sign_in(name, password).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    cloud.anonymous().with("cookie", &cookie)
}

async fn own_id(client: &Client<'_>) -> String {
    client.get("/v1/me").await.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_user_is_created_signs_in_and_is_deleted() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    let id = create(&admin, "grace", FIRST).await;
    let grace = browser(&cloud, "grace", FIRST).await;
    assert_eq!(own_id(&grace).await, id);
    for path in [format!("/v1/users/{id}"), format!("/v1/system/users/{id}?silo={SILO}")] {
        assert_eq!(grace.get(&path).await.json()["display_name"], json!("grace"), "{path}");
    }
    for path in ["/v1/users".to_owned(), format!("/v1/system/users?silo={SILO}")] {
        assert_eq!(grace.get(&path).await.json()["items"].as_array().unwrap().len(), 2, "{path}");
    }
    let path = format!("{LOCAL}/{id}?silo={SILO}");
    assert_eq!(grace.delete(&format!("{LOCAL}/{}?silo={SILO}", own_id(&admin).await)).await.status, 403);
    assert_eq!(admin.delete(&path).await.status, 204);
    grace.get("/v1/me").await.assert_unauthorized();
    cloud.sign_in("grace", FIRST).await.assert_unauthorized();
    let message = format!("not found: silo-user with id \"{id}\"");
    admin.delete(&path).await.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", &message);
}

#[tokio::test]
async fn user_changes_own_password_and_stays_signed_in() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    let id = create(&admin, "grace", FIRST).await;
    let (here, there) = (browser(&cloud, "grace", FIRST).await, browser(&cloud, "grace", FIRST).await);
    let path = format!("{LOCAL}/{id}/set-password?silo={SILO}");
    let second = json!({ "mode": "password", "value": SECOND });
    assert_eq!(here.post(&path, second).await.status, 204);
    assert_eq!(here.get("/v1/me").await.status, 200);
    there.get("/v1/me").await.assert_unauthorized();
    cloud.sign_in("grace", FIRST).await.assert_unauthorized();
    assert_eq!(cloud.sign_in("grace", SECOND).await.status, 204);
    assert_eq!(admin.post(&path, json!({ "mode": "login_disallowed" })).await.status, 204);
    cloud.sign_in("grace", SECOND).await.assert_unauthorized();
    here.get("/v1/me").await.assert_unauthorized();
}

#[tokio::test]
async fn password_is_hashed_only_after_authorization() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    create(&admin, "grace", FIRST).await;
    let grace = browser(&cloud, "grace", FIRST).await;
    let before = cloud.passwords.hashed.load(Relaxed);
    let password = json!({ "mode": "password", "value": SECOND });
    let others = format!("{LOCAL}/{}/set-password?silo={SILO}", own_id(&admin).await);
    assert_eq!(grace.post(&others, password.clone()).await.status, 403);
    cloud.anonymous().post(&others, password.clone()).await.assert_unauthorized();
    let body = json!({ "external_id": "eve", "password": password });
    assert_eq!(grace.post(&format!("{LOCAL}?silo={SILO}"), body.clone()).await.status, 403);
    assert_eq!(admin.post(&format!("{LOCAL}?silo=nowhere"), body.clone()).await.status, 404);
    assert_eq!(cloud.passwords.hashed.load(Relaxed), before);
    cloud.passwords.busy.store(true, Relaxed);
    assert_eq!(admin.post(&format!("{LOCAL}?silo={SILO}"), body).await.status, 503);
}

#[tokio::test]
async fn invalid_bodies_are_refused() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    let post = async |body: Value| admin.post(&format!("{LOCAL}?silo={SILO}"), body).await;
    post(json!({ "external_id": "Upper", "password": { "mode": "login_disallowed" } }))
        .await
        .assert_unreadable_start("unable to parse JSON body: external_id: name must begin with");
    let long = json!({ "mode": "password", "value": "\u{e4}".repeat(257) });
    let answer = post(json!({ "external_id": "grace", "password": long })).await;
    let (status, code, message) = answer.error();
    assert_eq!((status, code), (400, None));
    assert!(message.contains("unsupported password: the password provided was too long"), "{message}");
    assert_eq!(post(json!({ "external_id": "grace", "password": { "mode": "guess" } })).await.status, 400);
    assert_eq!(admin.post(LOCAL, json!({})).await.status, 400, "the silo must be named");
    assert_eq!(admin.get("/v1/users?group=").await.status, 400);
    assert_eq!(admin.get("/v1/users?group=makers").await.status, 400);
    assert_eq!(admin.get("/v1/system/users").await.status, 400);
}

#[tokio::test]
async fn token_settings_are_viewed_and_updated() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    let path = "/v1/auth-settings";
    let ttl = async || admin.get(path).await.json()["device_token_max_ttl_seconds"].clone();
    let set = |value: Value| json!({ "device_token_max_ttl_seconds": value });
    assert_eq!(ttl().await, Value::Null);
    assert_eq!(admin.put(path, set(json!(60))).await.json()["device_token_max_ttl_seconds"], json!(60));
    assert_eq!(ttl().await, json!(60));
    let field = "unable to parse JSON body: device_token_max_ttl_seconds: invalid value";
    for bad in [json!(0), json!(-1), json!(1_u64 << 32)] {
        admin.put(path, set(bad)).await.assert_unreadable_start(field);
    }
    admin
        .put(path, json!({}))
        .await
        .assert_unreadable_start("unable to parse JSON body: missing field `device_token_max_ttl_seconds`");
    assert_eq!(ttl().await, json!(60));
    assert_eq!(admin.put(path, set(Value::Null)).await.status, 200);
    assert_eq!(ttl().await, Value::Null);
}

#[tokio::test]
async fn administrator_lists_and_ends_sessions_and_tokens_of_a_user() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    let id = create(&admin, "grace", FIRST).await;
    let grace = browser(&cloud, "grace", FIRST).await;
    let sessions = admin.get(&format!("/v1/users/{id}/sessions")).await.json();
    let session = sessions["items"][0].as_object().unwrap();
    assert_eq!(session.keys().collect::<Vec<_>>(), ["id", "time_created", "time_last_used"]);
    let tokens = format!("/v1/users/{id}/access-tokens");
    assert_eq!(admin.get(&tokens).await.json()["items"], json!([]));
    let others = format!("/v1/users/{}/sessions", own_id(&admin).await);
    grace.get(&others).await.assert_error(StatusCode::FORBIDDEN, "Forbidden", "Forbidden");
    assert_eq!(admin.post(&format!("/v1/users/{id}/logout"), Value::Null).await.status, 204);
    grace.get("/v1/me").await.assert_unauthorized();
    assert_eq!(admin.get("/v1/me").await.json()["display_name"], json!(USER));
    assert_eq!(cloud.sign_in(USER, PASSWORD).await.status, 204);
}

#[tokio::test]
async fn ssh_keys_are_listed_with_their_instances() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let body = json!({ "name": "laptop", "description": "mine", "public_key": "ssh-ed25519 AAAA me" });
    let answer = client.post("/v1/me/ssh-keys", body.clone()).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let key = answer.json();
    assert_eq!(key["silo_user_id"], json!(own_id(&client).await));
    assert_eq!(key["public_key"], body["public_key"]);
    let message = "already exists: ssh-key \"laptop\"";
    client.post("/v1/me/ssh-keys", body).await.assert_error(
        StatusCode::BAD_REQUEST,
        "ObjectAlreadyExists",
        message,
    );
    client.create_instance("web", "db").await;
    let path = "/v1/instances/db/ssh-public-keys?project=web";
    assert_eq!(client.get(path).await.json()["items"], json!([key]));
    let long = json!({ "name": "long", "description": "", "public_key": "k".repeat(1024) });
    assert_eq!(client.post("/v1/me/ssh-keys", long).await.status, 400);
    assert_eq!(client.delete("/v1/me/ssh-keys/laptop").await.status, 204);
    assert_eq!(client.get(path).await.json()["items"], json!([]));
    assert_eq!(client.get("/v1/me/ssh-keys").await.json()["items"], json!([]));
}
