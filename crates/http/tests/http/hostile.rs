//! No request causes an internal error of the server, whatever its bytes.

use axum::body::Body;
use http::{HeaderName, HeaderValue, Method, Request};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;

use crate::{cloud::Cloud, document::documented};

/// Every method and path of the documents, with the parameters in braces.
fn routes() -> Vec<(Method, String)> {
    documented().into_iter().map(|operation| (operation.method, operation.path)).collect()
}

/// Fragments that get further into a parser than random bytes do.
fn fragments() -> impl Strategy<Value = String> {
    let known = proptest::sample::select(&[
        "{",
        "}",
        "[",
        "\"name\":",
        "\"\\ud800\"",
        "null",
        "1e999",
        "-1",
        "18446744073709551616",
        "client_id=",
        "&",
        "=",
        "%ff",
        "%00",
        "SAMLResponse=",
        "PHNhbWw+",
        "grant_type=urn:ietf:params:oauth:grant-type:device_code",
        "device_code=",
        "ttl_seconds=",
        "croft-token-",
        "Bearer ",
        "session=",
        "00000000-0000-0000-0000-000000000000",
        "-----BEGIN CERTIFICATE-----",
        "MIIB",
        "../",
        "é",
        "\u{202e}",
    ]);
    let piece = prop_oneof![4 => known.prop_map(str::to_owned), 1 => "\\PC{0,8}"];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![fragments().prop_map(String::into_bytes), proptest::collection::vec(any::<u8>(), 0..64)]
}

fn headers() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let name = proptest::sample::select(&[
        "cookie",
        "authorization",
        "content-type",
        "accept",
        "host",
        "forwarded",
        "x-forwarded-for",
        "user-agent",
        "origin",
        "sec-fetch-site",
    ]);
    let common = proptest::sample::select(&[
        "application/json",
        "application/x-www-form-urlencoded",
        "session=0000000000000000000000000000000000000000",
        "session=\"",
        "localhost",
        "a.sys.b:99999999",
        "for=\"[::1",
    ]);
    let value = prop_oneof![common.prop_map(str::to_owned), fragments()];
    proptest::collection::vec((name, value), 0..4)
}

fn requests() -> impl Strategy<Value = (Method, String, Vec<(&'static str, String)>, Vec<u8>)> {
    let route = proptest::sample::select(routes());
    let filler = prop_oneof![Just("web".to_owned()), Just("acme".to_owned()), fragments()];
    (route, filler, fragments(), headers(), body()).prop_map(
        |((method, path), filler, query, headers, body)| {
            let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
            let mut path = path
                .split('/')
                .map(|segment| if segment.starts_with('{') { encode(&filler) } else { segment.to_owned() });
            let mut uri = path.by_ref().collect::<Vec<_>>().join("/");
            if !query.is_empty() {
                uri = format!("{uri}?project=web&limit={}", encode(&query));
            }
            (method, uri, headers, body)
        },
    )
}

async fn send(
    cloud: &Cloud,
    credentials: Option<&str>,
    (method, uri, headers, body): (Method, String, Vec<(&'static str, String)>, Vec<u8>),
) -> u16 {
    let mut request = Request::builder().method(method).uri(uri).body(Body::from(body)).unwrap();
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            request.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    if let Some(credentials) = credentials {
        request.headers_mut().insert("authorization", credentials.parse().unwrap());
        request.headers_mut().remove("cookie");
    }
    cloud.edge.clone().handle(request).await.status().as_u16()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_requests_cause_no_server_error(
        requests in proptest::collection::vec((any::<bool>(), requests()), 1..8),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let cloud = Cloud::new();
            let token = cloud.token();
            for (signed_in, request) in requests {
                let credentials = signed_in.then_some(token.as_str());
                let shown = format!("{request:?}");
                let status = send(&cloud, credentials, request).await;
                prop_assert!(status < 500, "{status}: {shown}");
            }
            Ok(())
        })?;
    }
}
