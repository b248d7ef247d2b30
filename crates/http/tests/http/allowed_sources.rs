//! The allow-list of source addresses (`docs/rules/networking.md#allow-list`). Clients of the tests connect from
//! 192.0.2.7.

use std::net::IpAddr;

use croft_http::Settings;
use serde_json::{Value, json};

use crate::cloud::{Answer, Cloud};

const PATH: &str = "/v1/system/networking/allow-list";

fn list(entries: &[&str]) -> Value {
    json!({ "allowed_ips": { "allow": "list", "ips": entries } })
}

async fn put(cloud: &Cloud, body: Value) -> Answer {
    cloud.with_token().put(PATH, body).await
}

/// Reloads the list, as the server does after a change. Returns whether it changed.
fn reload_sources(cloud: &Cloud) -> bool {
    cloud.app.sources.replace(cloud.database.read_blocking(croft_control::allow_list::current).unwrap())
}

#[tokio::test]
async fn allow_list_is_returned_as_set() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let first = client.get(PATH).await;
    assert_eq!((first.status, &first.json()["allowed_ips"]), (200, &json!({ "allow": "any" })));
    let entries = ["203.0.113.0/24", "192.0.2.7/32", "fd00::1/64"];
    let stored = put(&cloud, list(&entries)).await;
    assert_eq!(stored.status, 200, "{stored:?}");
    assert_eq!(stored.json()["allowed_ips"], json!({ "allow": "list", "ips": entries }));
    assert_eq!(stored.json()["time_created"], first.json()["time_created"]);
    assert_eq!(client.get(PATH).await.json(), stored.json());
    assert_eq!(stored.json().as_object().unwrap().len(), 3);
}

#[tokio::test]
async fn malformed_allow_lists_are_refused() {
    let cloud = Cloud::new();
    let starts = [
        (json!({ "allow": "list", "ips": [] }), "allowed_ips: IP allowlist must not be empty"),
        (json!({ "allow": "list" }), "allowed_ips: missing field `ips`"),
        (json!({ "allow": "list", "ips": ["10.0.0.1"] }), "allowed_ips: "),
        (json!({ "allow": "nobody" }), "allowed_ips.allow: unknown variant `nobody`"),
        (json!({}), "allowed_ips: missing field `allow`"),
    ];
    for (allowed, start) in starts {
        let answer = put(&cloud, json!({ "allowed_ips": allowed })).await;
        answer.assert_unreadable_start(&format!("unable to parse JSON body: {start}"));
    }
    let answer = put(&cloud, list(&["192.0.2.8/32"])).await;
    assert_eq!((answer.status, answer.json()["error_code"].as_str()), (400, Some("InvalidRequest")));
    assert!(answer.text().contains("would prevent access from the current client!"), "{answer:?}");
}

#[tokio::test]
async fn open_connections_from_excluded_sources_are_refused() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    assert_eq!(put(&cloud, list(&["192.0.2.0/29"])).await.status, 200);
    assert!(reload_sources(&cloud) && !reload_sources(&cloud));
    assert_eq!(client.get("/v1/me").await.status, 200);
    // A client outside the list cannot remove its own address, but another administrator can.
    cloud.rule(croft_control::allow_list::allow_any).unwrap();
    assert_eq!(put(&cloud, list(&["192.0.2.7/32"])).await.status, 200);
    reload_sources(&cloud);
    assert_eq!(client.get("/v1/me").await.status, 200);
    cloud
        .app
        .sources
        .replace(serde_json::from_value(json!({ "allow": "list", "ips": ["192.0.2.8/32"] })).unwrap());
    for path in ["/v1/me", "/v1/ping", "/metrics", "/openapi.json", "/openapi-croft.json", "/", "/nowhere"] {
        let answer = client.get(path).await;
        assert_eq!((answer.status, answer.json()["error_code"].as_str()), (403, Some("Forbidden")), "{path}");
        assert!(
            !answer.header("x-request-id").is_empty() && !answer.header("x-content-type-options").is_empty()
        );
    }
}

#[tokio::test]
async fn allow_list_applies_to_clients_behind_a_trusted_proxy() {
    let trusted_proxies = vec!["192.0.2.0/24".parse().unwrap()];
    let cloud = Cloud::with(Settings { trusted_proxies, ..Settings::default() });
    let behind = |address: &str| cloud.with_token().with("x-forwarded-for", address);
    let refused = put(&cloud, list(&["203.0.113.0/24"])).await;
    assert_eq!(refused.status, 400, "the request comes from the proxy itself");
    assert_eq!(behind("198.51.100.1").put(PATH, list(&["203.0.113.0/24"])).await.status, 400);
    assert_eq!(behind("203.0.113.9").put(PATH, list(&["203.0.113.0/24"])).await.status, 200);
    reload_sources(&cloud);
    assert_eq!(behind("203.0.113.10").get("/v1/me").await.status, 200);
    assert_eq!(behind("198.51.100.1").get("/v1/me").await.status, 403);
    assert_eq!(
        behind("203.0.113.10, 198.51.100.1").get("/v1/me").await.status,
        403,
        "the first address can be forged"
    );
    assert_eq!(cloud.with_token().get("/v1/me").await.status, 403, "a request of the proxy itself");
    cloud.app.sources.replace(
        serde_json::from_value(json!({ "allow": "list", "ips": ["203.0.113.0/24", "192.0.2.0/24"] }))
            .unwrap(),
    );
    assert_eq!(behind("203.0.113.10").get("/v1/me").await.status, 200);
    for unknown in ["", "unknown", "203.0.113.10, nonsense"] {
        assert_eq!(
            behind(unknown).get("/v1/me").await.status,
            403,
            "the address of the proxy is not used instead"
        );
    }
    assert_eq!(cloud.with_token().get("/v1/me").await.status, 403);
    let claims = behind("203.0.113.10").with("forwarded", "for=203.0.113.11");
    assert_eq!(claims.get("/v1/me").await.status, 403, "contradicting headers name no client");
    let admits = |address: &str| cloud.edge.admits(address.parse::<IpAddr>().unwrap());
    assert!(admits("192.0.2.7") && admits("203.0.113.10"));
    reload_sources(&cloud);
    assert!(
        !admits("198.51.100.1") && !admits("127.0.0.1") && !admits("::1"),
        "loopback addresses are not exempt"
    );
}

#[tokio::test]
async fn ping_setting_is_stored() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let path = "/v1/system/networking/inbound-icmp";
    assert_eq!(client.get(path).await.json(), json!({ "enabled": true }));
    for enabled in [false, true] {
        let answer = client.put(path, json!({ "enabled": enabled })).await;
        assert_eq!((answer.status, answer.body.len()), (204, 0));
        assert_eq!(client.get(path).await.json(), json!({ "enabled": enabled }));
    }
    let answer = client.put(path, json!({})).await;
    answer.assert_unreadable_start("unable to parse JSON body: missing field `enabled`");
}
