use std::{sync::atomic::Ordering::Relaxed, time::Duration};

use http::StatusCode;
use serde_json::json;

use crate::cloud::{Cloud, PASSWORD, SILO, USER};

const MINUTE: Duration = Duration::from_mins(1);

#[tokio::test]
async fn a_session_begins_and_ends() {
    let cloud = Cloud::new();
    let answer = cloud.sign_in(USER, PASSWORD).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let cookie = answer.header("set-cookie");
    let (value, rest) = cookie.strip_prefix("session=").unwrap().split_once(';').unwrap();
    assert!(value.len() == 40 && value.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')), "{cookie}");
    assert_eq!(rest, " Path=/; HttpOnly; SameSite=Lax; Max-Age=86400");

    let client = cloud.anonymous().with("cookie", &format!("theme=dark; session={value}"));
    let me = client.get("/v1/me").await.json();
    assert_eq!((&me["display_name"], &me["silo_name"]), (&json!(USER), &json!(SILO)));

    for _ in 0..2 {
        let answer = client.post("/v1/logout", json!({})).await;
        assert_eq!(answer.status, 204);
        assert_eq!(answer.header("set-cookie"), "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    }
    client.get("/v1/me").await.assert_unauthorized();
}

#[tokio::test]
async fn signing_out_always_succeeds() {
    let cloud = Cloud::new();
    for cookie in ["session=", "session=0", "session=\u{fc}", "other=1"] {
        let client = cloud.anonymous();
        let value = http::HeaderValue::from_bytes(cookie.as_bytes()).unwrap();
        let mut request = http::Request::post("/v1/logout").body(axum::body::Body::empty()).unwrap();
        request.headers_mut().insert("cookie", value);
        assert_eq!(cloud.edge.clone().handle(request).await.status(), 204, "{cookie}");
        assert_eq!(client.post("/v1/logout", json!({})).await.status, 204);
    }
}

#[tokio::test]
async fn failed_sign_ins_have_the_same_answer_and_cost() {
    let cloud = Cloud::new();
    for (user, password) in [(USER, "wrong"), (USER, ""), ("nobody", PASSWORD), ("nobody", "")] {
        let before = cloud.passwords.verified.load(Relaxed);
        let answer = cloud.sign_in(user, password).await;
        answer.assert_unauthorized();
        assert_eq!(answer.header("set-cookie"), "");
        assert_eq!(cloud.passwords.verified.load(Relaxed), before + 1, "{user} {password}");
    }
    let body = json!({ "username": USER, "password": PASSWORD });
    let answer = cloud.anonymous().post("/v1/login/nowhere/local", body).await;
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", "not found: silo with name \"nowhere\"");
}

#[tokio::test]
async fn overloaded_password_hashing_is_reported_as_retryable() {
    let cloud = Cloud::new();
    cloud.passwords.busy.store(true, Relaxed);
    let answer = cloud.sign_in(USER, PASSWORD).await;
    answer.assert_error(StatusCode::SERVICE_UNAVAILABLE, "ServiceNotAvailable", "Service Unavailable");
    assert_eq!(answer.header("retry-after"), "1");
    cloud.passwords.busy.store(false, Relaxed);
    assert_eq!(cloud.sign_in(USER, PASSWORD).await.status, 204);
}

#[tokio::test]
async fn password_guessing_is_delayed_and_then_refused() {
    let cloud = Cloud::new();
    let mut checked = Vec::new();
    for guess in 0..60 {
        cloud.sign_in(&format!("user{guess}"), "guess").await.assert_unauthorized();
        checked.push(cloud.passwords.verified.load(Relaxed));
    }
    let paused = cloud.passwords.paused.lock().clone();
    assert!(paused.is_sorted() && paused.len() >= 20, "{paused:?}");
    assert_eq!(checked[58], checked[59], "the last passwords were not verified");
    cloud.clock.advance(10 * MINUTE);
    assert_eq!(cloud.sign_in(USER, PASSWORD).await.status, 204);
}

#[tokio::test]
async fn idle_session_expires_and_used_session_continues() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for _ in 0..2 {
        cloud.clock.advance(480 * MINUTE);
        assert_eq!(client.get("/v1/me").await.status, 200, "valid up to and including the limit");
        cloud.settle();
    }
    cloud.clock.advance(480 * MINUTE + Duration::from_micros(1));
    client.get("/v1/me").await.assert_unauthorized();
    cloud.settle();
    client.get("/v1/me").await.assert_unauthorized();
}

#[tokio::test]
async fn used_session_expires_after_a_day() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for _ in 0..4 {
        cloud.clock.advance(360 * MINUTE);
        assert_eq!(client.get("/v1/me").await.status, 200);
    }
    cloud.clock.advance(Duration::from_micros(1));
    client.get("/v1/me").await.assert_unauthorized();
}

#[tokio::test]
async fn forged_cookies_are_refused() {
    let cloud = Cloud::new();
    let real = cloud.signed_in().await;
    assert_eq!(real.get("/v1/me").await.status, 200);
    let long = "0".repeat(10_000);
    for value in ["", "0", &"0".repeat(40), &"G".repeat(40), "' OR 1=1 --", &long] {
        let client = cloud.anonymous().with("cookie", &format!("session={value}"));
        client.get("/v1/me").await.assert_unauthorized();
    }
}

#[tokio::test]
async fn cookies_are_secure_over_tls() {
    let cloud = Cloud::with(croft_http::Settings { secure_cookies: true, ..Default::default() });
    let answer = cloud.sign_in(USER, PASSWORD).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-session="), "{cookie}");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let client = cloud.anonymous().with("cookie", cookie);
    assert_eq!(client.get("/v1/me").await.status, 200);
    // A cookie without the prefix may be set by another host of the domain, or by an attacker on the network.
    let planted = cookie.trim_start_matches("__Host-");
    cloud.anonymous().with("cookie", planted).get("/v1/me").await.assert_unauthorized();
    let answer = client.post("/v1/logout", json!({})).await;
    let ended: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    assert_eq!(
        ended,
        [
            "__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0",
            "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
        ]
    );
    client.get("/v1/me").await.assert_unauthorized();
}
