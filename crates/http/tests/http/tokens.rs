use std::time::Duration;

use croft_control::token;
use serde_json::json;

use crate::cloud::{Cloud, SILO, USER};

#[tokio::test]
async fn token_acts_as_its_user() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    assert_eq!(client.get("/v1/me").await.json()["display_name"], json!(USER));
    client.create_project("web").await;
    assert_eq!(client.post("/v1/logout", json!({})).await.status, 204);
    assert_eq!(client.get("/v1/me").await.status, 200, "tokens stay valid after signing out");
}

#[tokio::test]
async fn forged_tokens_and_other_schemes_are_refused() {
    let cloud = Cloud::new();
    let values = [
        "Bearer croft-token-",
        "Bearer croft-token-0000000000000000000000000000000000000000",
        "Bearer other-token-0000000000000000000000000000000000000000",
        "Bearer",
        "Basic YWRhOmNvcnJlY3QgaG9yc2U=",
        "croft-token-0000000000000000000000000000000000000000",
    ];
    for value in values {
        cloud.anonymous().with("authorization", value).get("/v1/me").await.assert_unauthorized();
    }
}

#[tokio::test]
async fn a_stale_cookie_beside_a_good_token_is_refused() {
    let cloud = Cloud::new();
    let client = cloud.with_token().with("cookie", "session=0000000000000000000000000000000000000000");
    client.get("/v1/me").await.assert_unauthorized();
}

#[tokio::test]
async fn a_token_expires() {
    let cloud = Cloud::new();
    let life = jiff::SignedDuration::from_secs(60);
    let token = cloud
        .rule(move |cx| {
            let (silo, user) = (SILO.parse().unwrap(), USER.parse().unwrap());
            token::create(cx, &silo, &user, &"test".parse().unwrap(), Some(life))
        })
        .unwrap();
    let client = cloud.anonymous().with("authorization", &format!("bearer {}", token.text));
    cloud.clock.advance(Duration::from_mins(1));
    assert_eq!(client.get("/v1/me").await.status, 200, "valid up to and including the limit");
    cloud.clock.advance(Duration::from_micros(1));
    client.get("/v1/me").await.assert_unauthorized();
}
