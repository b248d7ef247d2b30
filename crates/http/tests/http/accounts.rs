//! The caller's own account: password, sessions, tokens.

use std::sync::atomic::Ordering::Relaxed;

use croft_control::bootstrap;
use http::StatusCode;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud, PASSWORD, SILO, USER};

const PATH: &str = "/experimental/v1/me/password";
const NEW: &str = "four words of mine";

fn change(current: &str, new: &str) -> Value {
    json!({ "current_password": current, "new_password": new })
}

fn reset(cloud: &Cloud, hash: &'static str) {
    cloud
        .rule(move |cx| {
            bootstrap::reset_password(cx, &SILO.parse().unwrap(), &USER.parse().unwrap(), hash, true)
        })
        .unwrap();
}

async fn sessions(client: &Client<'_>) -> Vec<Value> {
    client.get("/experimental/v1/me/sessions").await.json()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn own_password_change_requires_the_current_password() {
    let cloud = Cloud::new();
    let (here, there, program) = (cloud.signed_in().await, cloud.signed_in().await, cloud.with_token());
    let message = "unsupported value for \"current_password\": this is not your current password; try again";
    let wrong = here.post(PATH, change("a wrong guess", NEW)).await;
    wrong.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", message);
    assert_eq!(here.post(PATH, change(PASSWORD, "short")).await.status, 400);
    assert_eq!(here.post(PATH, json!({ "new_password": NEW })).await.status, 400);
    cloud.anonymous().post(PATH, change(PASSWORD, NEW)).await.assert_unauthorized();
    let message = "A token cannot do this. Sign in to the console to do it.";
    program.post(PATH, change(PASSWORD, NEW)).await.assert_error(StatusCode::FORBIDDEN, "Forbidden", message);
    assert_eq!(there.get("/v1/me").await.status, 200, "the session is still valid");

    assert_eq!(here.post(PATH, change(PASSWORD, NEW)).await.status, 204);
    assert_eq!(here.get("/v1/me").await.status, 200);
    there.get("/v1/me").await.assert_unauthorized();
    program.get("/v1/me").await.assert_unauthorized();
    cloud.sign_in(USER, PASSWORD).await.assert_unauthorized();
    assert_eq!(cloud.sign_in(USER, NEW).await.status, 204);
}

#[tokio::test]
async fn guessing_the_current_password_is_delayed() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let mut refused = 0;
    for _ in 0..60 {
        let status = client.post(PATH, change("a wrong guess", NEW)).await.status;
        assert!(status == 400 || status == 503, "{status}");
        refused += u32::from(status == 503);
    }
    assert!(refused > 0);
    assert_eq!(cloud.passwords.hashed.load(Relaxed), 0, "no hash is computed after a wrong password");
}

#[tokio::test]
async fn weak_passwords_are_refused_with_advice() {
    let cloud = Cloud::new();
    let admin = cloud.signed_in().await;
    let users = format!("/v1/system/identity-providers/local/users?silo={SILO}");
    let body = |password: &str| json!({ "external_id": "grace-of-the-navy", "password": { "mode": "password", "value": password } });
    let message =
        "unsupported value for \"password\": use at least 12 characters, for instance four or more words";
    let short = admin.post(&users, body("eleven char")).await;
    short.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", message);
    let name = admin.post(&users, body("Grace-of-the-navy")).await;
    assert!(name.error().2.contains("the password must not be the user name"), "{name:?}");
    assert_eq!(cloud.passwords.hashed.load(Relaxed), 0);
    assert_eq!(admin.post(&users, body("twelve chars")).await.status, 201);
}

#[tokio::test]
async fn printed_password_must_be_replaced_first() {
    let cloud = Cloud::new();
    reset(&cloud, "hash of printed once");
    let answer = cloud.sign_in(USER, "printed once").await;
    assert_eq!(answer.status, 204);
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let client = cloud.anonymous().with("cookie", &cookie);
    let account = client.get("/experimental/v1/me/account").await.json();
    assert_eq!(account["pending_step"], json!("choose_password"));
    let message = "You have to choose a new password first. Sign in to the console to do so.";
    for path in ["/v1/me", "/v1/projects", "/experimental/v1/me/sessions", "/experimental/v1/events"] {
        client.get(path).await.assert_error(StatusCode::FORBIDDEN, "Forbidden", message);
    }
    let same = client.post(PATH, change("printed once", "printed once")).await;
    let message = "unsupported value for \"password\": this is the current password; choose another one";
    same.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", message);
    assert_eq!(client.post(PATH, change("printed once", NEW)).await.status, 204);
    assert_eq!(client.get("/v1/me").await.status, 200);
    let account = client.get("/experimental/v1/me/account").await.json();
    assert_eq!((&account["pending_step"], &account["has_password"]), (&Value::Null, &json!(true)));
}

#[tokio::test]
async fn own_sessions_are_listed_and_ended() {
    let cloud = Cloud::new();
    let (here, there) = (cloud.signed_in().await.with("user-agent", "Firefox"), cloud.signed_in().await);
    let listed = sessions(&here).await;
    assert_eq!(listed.len(), 2);
    let other = listed.iter().find(|session| session["is_current"] == json!(false)).unwrap();
    assert!(other["source_ip"].is_string(), "{other}");
    let path = format!("/experimental/v1/me/sessions/{}", other["id"].as_str().unwrap());
    cloud.anonymous().delete(&path).await.assert_unauthorized();
    assert_eq!(here.delete(&path).await.status, 204);
    there.get("/v1/me").await.assert_unauthorized();
    assert_eq!(here.delete(&path).await.status, 404);
    let third = cloud.signed_in().await;
    assert_eq!(here.delete("/experimental/v1/me/sessions").await.status, 204);
    third.get("/v1/me").await.assert_unauthorized();
    assert_eq!(sessions(&here).await.len(), 1);
}

#[tokio::test]
async fn own_tokens_have_names() {
    let cloud = Cloud::new();
    let (here, program) = (cloud.signed_in().await, cloud.with_token());
    let list = "/experimental/v1/me/access-tokens";
    let token = here.get(list).await.json()["items"][0].clone();
    assert_eq!((&token["name"], &token["time_last_used"]), (&json!("test"), &Value::Null));
    assert_eq!(program.get("/v1/me").await.status, 200);
    assert!(here.get(list).await.json()["items"][0]["time_last_used"].is_string());
    let path = format!("{list}/{}", token["id"].as_str().unwrap());
    assert_eq!(
        here.put(&path, json!({ "name": "build server" })).await.json()["name"],
        json!("build server")
    );
    for bad in ["", "  ", "two\nlines", &"x".repeat(64)] {
        assert_eq!(here.put(&path, json!({ "name": bad })).await.status, 400, "{bad}");
    }
}
