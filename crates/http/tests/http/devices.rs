//! Device authorization, as an OAuth client and a user in a browser see it.

use std::{
    convert::Infallible,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

use axum::body::Body;
use croft_http::Peer;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use oauth2::{
    AuthType, ClientId, DeviceAuthorizationUrl, DeviceCodeErrorResponseType, HttpRequest, HttpResponse,
    RequestTokenError, Scope, StandardDeviceAuthorizationResponse, TokenResponse as _, TokenUrl,
    basic::BasicClient,
};
use serde_json::{Value, json};

use crate::cloud::{Answer, Client, Cloud, PASSWORD, USER};

const CLIENT: &str = "5e9b5f2c-7d4f-4f0f-9a3c-6c1e2d3b4a5f";
const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// Passes the requests of a third-party client to the server without a connection.
async fn forward_request(cloud: &Cloud, request: HttpRequest) -> Result<HttpResponse, Infallible> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().unwrap().as_str();
    let mut request = Request::builder().method(parts.method).uri(path).body(Body::from(body)).unwrap();
    *request.headers_mut() = parts.headers;
    request.headers_mut().insert("host", parts.uri.authority().unwrap().as_str().parse().unwrap());
    request.extensions_mut().insert(Peer([192, 0, 2, 7].into()));
    let (parts, body) = cloud.edge.clone().handle(request).await.into_parts();
    Ok(HttpResponse::from_parts(parts, body.collect().await.unwrap().to_bytes().to_vec()))
}

macro_rules! oauth_client {
    () => {
        BasicClient::new(ClientId::new(CLIENT.to_owned()))
            .set_auth_type(AuthType::RequestBody)
            .set_device_authorization_url(
                DeviceAuthorizationUrl::new("http://croft.test:8080/device/auth".to_owned()).unwrap(),
            )
            .set_token_uri(TokenUrl::new("http://croft.test:8080/device/token".to_owned()).unwrap())
    };
}

#[tokio::test]
async fn third_party_client_gets_a_token_by_polling() {
    let cloud = Cloud::new();
    let person = cloud.signed_in().await;
    let client = oauth_client!();
    let http = |request| forward_request(&cloud, request);
    let details: StandardDeviceAuthorizationResponse = client
        .exchange_device_code()
        .add_scope(Scope::new("all".to_owned()))
        .request_async(&http)
        .await
        .unwrap();
    assert_eq!(details.verification_uri().as_str(), "http://croft.test:8080/device/verify");
    assert_eq!((details.expires_in(), details.interval()), (Duration::from_mins(5), Duration::from_secs(5)));

    let polls = AtomicU32::new(0);
    let sleep = |pause: Duration| {
        let (cloud, person, polls, details) = (&cloud, &person, &polls, &details);
        async move {
            cloud.clock.advance(pause);
            // The user confirms only after several polls.
            if polls.fetch_add(1, Relaxed) == 3 {
                let code = details.user_code().secret();
                let answer = person.post("/device/confirm", json!({ "user_code": code })).await;
                assert_eq!((answer.status, answer.body.len()), (204, 0));
            }
        }
    };
    let token =
        client.exchange_device_access_token(&details).request_async(&http, sleep, None).await.unwrap();
    assert_eq!(polls.load(Relaxed), 4);

    let bearer = format!("Bearer {}", token.access_token().secret());
    let device = cloud.anonymous().with("authorization", &bearer);
    assert_eq!(device.get("/v1/me").await.json()["display_name"], json!(USER));
    let tokens = person.get("/v1/me/access-tokens").await.json();
    let listed = tokens["items"].as_array().unwrap();
    assert_eq!(listed.len(), 1);
    assert!(listed[0]["time_expires"].is_string(), "tokens expire by default");
    let path = format!("/v1/me/access-tokens/{}", listed[0]["id"].as_str().unwrap());
    assert_eq!(person.delete(&path).await.status, 204);
    device.get("/v1/me").await.assert_unauthorized();
    assert_eq!(person.delete(&path).await.status, 404);
}

#[tokio::test]
async fn late_poll_is_answered_with_expired_token() {
    let cloud = Cloud::new();
    let client = oauth_client!();
    let http = |request| forward_request(&cloud, request);
    let details: StandardDeviceAuthorizationResponse =
        client.exchange_device_code().request_async(&http).await.unwrap();
    let sleep = |_| {
        cloud.clock.advance(Duration::from_secs(301));
        std::future::ready(())
    };
    let failed = client.exchange_device_access_token(&details).request_async(&http, sleep, None).await;
    let Err(RequestTokenError::ServerResponse(response)) = failed else { panic!("{failed:?}") };
    assert_eq!(*response.error(), DeviceCodeErrorResponseType::ExpiredToken);
}

async fn form(client: Client<'_>, path: &str, body: &str) -> Answer {
    let client = client.with("content-type", "application/x-www-form-urlencoded").with("host", "croft.test");
    client.send(Method::POST, path, body.to_owned()).await
}

async fn begin(cloud: &Cloud, extra: &str) -> Value {
    let answer = form(cloud.anonymous(), "/device/auth", &format!("client_id={CLIENT}{extra}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(
        (answer.header("content-type"), answer.header("cache-control")),
        ("application/json", "no-store")
    );
    answer.json()
}

async fn poll(cloud: &Cloud, device_code: &str) -> Answer {
    let body = format!("grant_type={GRANT}&client_id={CLIENT}&device_code={device_code}");
    form(cloud.anonymous(), "/device/token", &body).await
}

fn oauth_error(answer: &Answer) -> (u16, Value) {
    assert_eq!(
        (answer.header("content-type"), answer.header("cache-control")),
        ("application/json", "no-store")
    );
    (answer.status, answer.json())
}

#[tokio::test]
async fn device_flow_step_by_step() {
    let cloud = Cloud::new();
    let codes = begin(&cloud, "&ttl_seconds=3600").await;
    assert_eq!(codes["expires_in"], json!(300));
    assert_eq!(codes["verification_uri"], json!("http://croft.test/device/verify"));
    assert_eq!(codes.as_object().unwrap().len(), 4);
    let device_code = codes["device_code"].as_str().unwrap();
    let pending = (400, json!({ "error": "authorization_pending" }));
    assert_eq!(oauth_error(&poll(&cloud, device_code).await), pending);
    assert_eq!(oauth_error(&poll(&cloud, &"0".repeat(40)).await), pending);

    let body = json!({ "user_code": codes["user_code"] });
    cloud.anonymous().post("/device/confirm", body.clone()).await.assert_unauthorized();
    let message = "A token cannot do this. Sign in to the console to do it.";
    let by_token = cloud.with_token().post("/device/confirm", body.clone()).await;
    by_token.assert_error(StatusCode::FORBIDDEN, "Forbidden", message);
    let person = cloud.signed_in().await;
    assert_eq!(person.post("/device/confirm", body.clone()).await.status, 204);
    let again = person.post("/device/confirm", body).await;
    assert_eq!(again.error().1.as_deref(), Some("ObjectNotFound"));

    for _ in 0..2 {
        let answer = poll(&cloud, device_code).await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
        let token = answer.json();
        assert_eq!(token["token_type"], json!("bearer"));
        assert!(token["time_expires"].is_string() && token["token_id"].is_string());
        let bearer = format!("Bearer {}", token["access_token"].as_str().unwrap());
        assert_eq!(cloud.anonymous().with("authorization", &bearer).get("/v1/me").await.status, 200);
    }
}

#[tokio::test]
async fn malformed_device_requests_are_refused() {
    let cloud = Cloud::new();
    let refused = async |body: &str| form(cloud.anonymous(), "/device/auth", body).await;
    let no_client = "unable to parse URL-encoded body: missing field `client_id`";
    let no_number = "unable to parse URL-encoded body: ttl_seconds: invalid digit found in string";
    let zero =
        "unable to parse URL-encoded body: ttl_seconds: invalid value: integer `0`, expected a nonzero u32";
    for (body, text) in [
        (String::new(), no_client),
        (format!("client_id={CLIENT}&ttl_seconds=0"), zero),
        (format!("client_id={CLIENT}&ttl_seconds=-3"), no_number),
    ] {
        let expected = json!({ "error": "invalid_request", "error_description": text });
        assert_eq!(oauth_error(&refused(&body).await), (400, expected));
    }
    let no_type = "expected content type \"application/x-www-form-urlencoded\", got \"application/json\"";
    let expected = json!({ "error": "invalid_request", "error_description": no_type });
    let json_body = cloud.anonymous().with("content-type", "application/json");
    for path in ["/device/auth", "/device/token"] {
        let answer = json_body.post(path, json!({ "client_id": CLIENT })).await;
        assert_eq!(oauth_error(&answer), (400, expected.clone()));
    }
    let (status, expected) = oauth_error(&form(cloud.anonymous(), "/device/token", "client_id=me").await);
    assert_eq!((status, &expected["error"]), (400, &json!("invalid_request")));
    let body = format!("grant_type=password&client_id={CLIENT}&device_code=x");
    let answer = form(cloud.anonymous(), "/device/token", &body).await;
    assert_eq!(oauth_error(&answer), (400, json!({ "error": "unsupported_grant_type" })));
    let answer = cloud.with_token().post("/device/confirm", json!({})).await;
    answer.assert_unreadable_start("unable to parse JSON body: missing field `user_code`");
}

#[tokio::test]
async fn device_request_with_an_invalid_host_is_refused() {
    let cloud = Cloud::new();
    let body = format!("client_id={CLIENT}");
    let client = cloud.anonymous().with("content-type", "application/x-www-form-urlencoded");
    for client in
        [client.clone(), client.clone().with("host", "a b"), client.clone().with("host", "user@croft.test")]
    {
        let (status, answer) = {
            let answer = client.send(Method::POST, "/device/auth", body.clone()).await;
            (answer.status, answer.json())
        };
        assert_eq!((status, &answer["error"]), (400, &json!("invalid_request")));
        assert!(answer["error_description"].is_string());
    }
}

#[tokio::test]
async fn excessive_device_requests_are_delayed_and_then_refused() {
    let cloud = Cloud::new();
    let mut statuses = Vec::new();
    for _ in 0..60 {
        statuses.push(form(cloud.anonymous(), "/device/auth", &format!("client_id={CLIENT}")).await.status);
    }
    assert_eq!((statuses[0], statuses[59]), (200, 503));
    assert!(!cloud.passwords.paused.lock().is_empty());
    assert_eq!(cloud.sign_in(USER, PASSWORD).await.status, 204, "sign-in still works");
    cloud.clock.advance(Duration::from_mins(2));
    begin(&cloud, "").await;
}

#[tokio::test]
async fn cross_site_confirmation_is_refused() {
    let cloud = Cloud::new();
    let codes = begin(&cloud, "").await;
    let person = cloud.signed_in().await.with("sec-fetch-site", "cross-site");
    let answer = person.post("/device/confirm", json!({ "user_code": codes["user_code"] })).await;
    assert_eq!(answer.status, 403);
    let pending = (400, json!({ "error": "authorization_pending" }));
    assert_eq!(oauth_error(&poll(&cloud, codes["device_code"].as_str().unwrap()).await), pending);
}
