//! Pools with IPv6 addresses, where the operator lets them have any.

use croft_control::{NetworkSettings, Settings as Rules};
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

const RANGES: &str = "/v1/system/ip-pools/wide/ranges";
const LAST: &str = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";

fn cloud(ipv6_pools: bool) -> Cloud {
    let network = NetworkSettings { ipv6_pools, ..NetworkSettings::default() };
    Cloud::ruled(Rules { network, ..Rules::default() })
}

async fn made(client: &Client<'_>, uri: &str, body: Value, status: u16) -> Value {
    let answer = client.post(uri, body).await;
    assert_eq!(answer.status, status, "{uri}: {answer:?}");
    answer.json()
}

async fn utilization(client: &Client<'_>) -> Value {
    client.get("/v1/system/ip-pools/wide/utilization").await.json()["ipv6"].take()
}

#[tokio::test]
async fn a_pool_of_all_of_ipv6_gives_out_addresses_and_counts_them_exactly() {
    let cloud = cloud(true);
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    made(&client, "/v1/system/ip-pools", json!({"name": "wide", "description": ""}), 201).await;
    let range = json!({"first": "::", "last": LAST});
    let added = made(&client, &format!("{RANGES}/add"), range.clone(), 201).await;
    assert_eq!(added["range"], range);
    let capacity = "340282366920938463463374607431768211456";
    assert_eq!(utilization(&client).await, json!({"allocated": "0", "capacity": capacity}));
    let link = json!({"silo": crate::cloud::SILO, "is_default": false});
    made(&client, "/v1/system/ip-pools/wide/silos", link, 201).await;

    let floating = json!({"name": "door", "description": "", "pool": "wide"});
    let floating = made(&client, "/v1/floating-ips?project=web", floating, 201).await;
    assert_eq!(floating["ip"], "::");
    let attach = json!({"pool": "wide"});
    let ephemeral = made(&client, "/v1/instances/db/external-ips/ephemeral?project=web", attach, 202).await;
    assert_eq!(ephemeral["ip"], "::1");
    assert_eq!(utilization(&client).await, json!({"allocated": "2", "capacity": capacity}));
    let answer = client.post(&format!("{RANGES}/remove"), range.clone()).await;
    assert_eq!(answer.status, 400, "{answer:?}");

    let answer = client.delete("/v1/instances/db/external-ips/ephemeral?project=web").await;
    assert_eq!(answer.status, 204, "{answer:?}");
    let answer = client.delete("/v1/floating-ips/door?project=web").await;
    assert_eq!(answer.status, 204, "{answer:?}");
    let answer = client.post(&format!("{RANGES}/remove"), range).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    assert_eq!(utilization(&client).await, json!({"allocated": "0", "capacity": "0"}));
}

#[tokio::test]
async fn nobody_adds_ipv6_ranges_unless_the_operator_lets_them() {
    let cloud = cloud(false);
    let client = cloud.signed_in().await;
    made(&client, "/v1/system/ip-pools", json!({"name": "wide", "description": ""}), 201).await;
    let answer = client.post(&format!("{RANGES}/add"), json!({"first": "::", "last": LAST})).await;
    let (status, code, message) = answer.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidRequest")));
    assert_eq!(message, "IPv6 ranges are not allowed yet");
}

#[tokio::test]
async fn the_trace_says_that_an_address_of_another_family_leads_nowhere() {
    let cloud = cloud(true);
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    made(&client, "/v1/system/ip-pools", json!({"name": "wide", "description": ""}), 201).await;
    let range = json!({"first": "2001:db8::1", "last": "2001:db8::9"});
    made(&client, &format!("{RANGES}/add"), range, 201).await;
    let link = json!({"silo": crate::cloud::SILO, "is_default": false});
    made(&client, "/v1/system/ip-pools/wide/silos", link, 201).await;
    let attach = json!({"pool": "wide"});
    made(&client, "/v1/instances/db/external-ips/ephemeral?project=web", attach, 202).await;
    let packet = json!({
        "source": {"type": "ip", "value": "2001:db8:ffff::7"},
        "destination": {"type": "ip", "value": "2001:db8::1"}, "protocol": "tcp", "port": 22,
    });
    let traced = made(&client, "/experimental/v1/vpcs/default/trace?project=web", packet, 200).await;
    assert_eq!(traced["verdict"], "unreachable", "{traced}");
    assert!(
        traced["summary"].as_str().unwrap().contains("has no IPv6 address: families are not translated"),
        "{traced}"
    );
}
