use std::{net::IpAddr, num::NonZeroU16};

use axum::{Router, body::Body, http::Request, routing::get};
use croft_http::{Encrypted, Peer, Settings};
use http::{Method, Response, header};

use crate::cloud::Cloud;

const ELSEWHERE: [u8; 4] = [192, 0, 2, 7];

/// Sends a request over a connection from this address.
async fn ask(
    cloud: &Cloud,
    method: Method,
    uri: &str,
    from: [u8; 4],
    headers: &[(&str, &str)],
) -> Response<Body> {
    let mut request = Request::builder().method(method).uri(uri).header("host", "cloud.example:12220");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut request = request.body(Body::empty()).unwrap();
    request.extensions_mut().insert(Peer(IpAddr::from(from)));
    cloud.edge.clone().handle(request).await
}

fn enable_tls(cloud: &Cloud, port: u16) {
    cloud.app.tls_port.announce(NonZeroU16::new(port));
}

#[tokio::test]
async fn browsers_without_tls_are_redirected() {
    let cloud = Cloud::new();
    enable_tls(&cloud, 8443);
    let answer = ask(&cloud, Method::GET, "/projects?sort=name", ELSEWHERE, &[]).await;
    assert_eq!(answer.status(), 308);
    assert_eq!(answer.headers()[header::LOCATION], "https://cloud.example:8443/projects?sort=name");
    assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
}

#[tokio::test]
async fn programs_without_tls_are_refused_with_the_tls_address() {
    let cloud = Cloud::new();
    enable_tls(&cloud, 443);
    let token = cloud.token();
    for (method, uri) in
        [(Method::GET, "/v1/me"), (Method::POST, "/v1/login/main/local"), (Method::GET, "/metrics")]
    {
        let answer = ask(&cloud, method, uri, ELSEWHERE, &[("authorization", &token)]).await;
        assert_eq!(answer.status(), 400, "{uri}");
        let body = axum::body::to_bytes(answer.into_body(), 9999).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(text.contains(&format!("use TLS at https://cloud.example{uri}")), "{text}");
    }
}

#[tokio::test]
async fn local_clients_and_trusted_proxies_are_served_without_tls() {
    let trusted_proxies = vec!["198.51.100.0/24".parse().unwrap()];
    let cloud = Cloud::with(Settings { trusted_proxies, ..Settings::default() });
    let ping = async |from, headers: &[_]| {
        ask(&cloud, Method::GET, "/v1/ping", from, headers).await.status().as_u16()
    };
    assert_eq!(ping(ELSEWHERE, &[]).await, 200, "the server has no TLS");
    enable_tls(&cloud, 443);
    assert_eq!(ping(ELSEWHERE, &[]).await, 400);
    assert_eq!(ping([127, 0, 0, 1], &[]).await, 200, "a client on this host");
    let behind = [("x-forwarded-for", "192.0.2.7"), ("x-forwarded-proto", "http")];
    assert_eq!(ping([198, 51, 100, 1], &behind).await, 200, "a trusted proxy");
    assert_eq!(ping(ELSEWHERE, &behind).await, 400, "a client that claims to be a proxy");
    cloud.app.tls_port.announce(None);
    assert_eq!(ping(ELSEWHERE, &[]).await, 200, "the server no longer has TLS");
}

#[tokio::test]
async fn tls_answers_have_strict_transport_security() {
    let cloud = Cloud::new();
    enable_tls(&cloud, 443);
    let mut request = Request::get("/v1/ping").body(Body::empty()).unwrap();
    request.extensions_mut().insert(Peer(IpAddr::from(ELSEWHERE)));
    request.extensions_mut().insert(Encrypted(true));
    let answer = cloud.edge.clone().handle(request).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()[header::STRICT_TRANSPORT_SECURITY], "max-age=31536000");
    let behind = [("x-forwarded-for", "192.0.2.7"), ("x-forwarded-proto", "https")];
    let trusted_proxies = vec!["198.51.100.1".parse().unwrap()];
    let cloud = Cloud::with(Settings { trusted_proxies, ..Settings::default() });
    let answer = ask(&cloud, Method::GET, "/v1/ping", [198, 51, 100, 1], &behind).await;
    assert_eq!(answer.headers()[header::STRICT_TRANSPORT_SECURITY], "max-age=31536000");
    let answer = ask(&cloud, Method::GET, "/v1/ping", ELSEWHERE, &behind).await;
    assert!(!answer.headers().contains_key(header::STRICT_TRANSPORT_SECURITY));
}

#[tokio::test]
async fn pages_and_assets_have_security_headers() {
    let cloud = Cloud::new();
    let pages = Router::new()
        .route("/page", get(|| async { axum::response::Html("page") }))
        .route("/assets/a.js", get(|| async { ([(header::CACHE_CONTROL, "max-age=9")], "code") }));
    let edge = croft_http::serve(cloud.app.clone(), pages);
    for (uri, caching) in [("/page", None), ("/assets/a.js", Some("max-age=9"))] {
        let answer = edge.clone().handle(Request::get(uri).body(Body::empty()).unwrap()).await;
        let of = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap());
        assert_eq!(
            of("content-security-policy"),
            Some(
                "default-src 'self'; style-src 'unsafe-inline' 'self'; frame-src 'none'; object-src 'none'; \
                 form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
            )
        );
        assert_eq!((of("x-frame-options"), of("referrer-policy")), (Some("DENY"), Some("same-origin")));
        assert_eq!((of("x-content-type-options"), of("cache-control")), (Some("nosniff"), caching), "{uri}");
    }
}
