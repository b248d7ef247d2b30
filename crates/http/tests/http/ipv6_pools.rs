//! IP pools with IPv6 addresses.

use croft_control::{NetworkSettings, Settings as Rules};
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

const GIB: u64 = 1 << 30;
const RANGES: &str = "/v1/system/ip-pools/wide/ranges";
const LAST: &str = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";

async fn post(client: &Client<'_>, uri: &str, body: Value, status: u16) -> Value {
    let answer = client.post(uri, body).await;
    assert_eq!(answer.status, status, "{uri}: {answer:?}");
    answer.json()
}

async fn utilization(client: &Client<'_>) -> Value {
    client.get("/v1/system/ip-pools/wide/utilization").await.json()["ipv6"].take()
}

#[tokio::test]
async fn pool_of_all_ipv6_addresses_allocates_and_counts_exactly() {
    let cloud = Cloud::with_rules(Rules::default());
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let instance = json!({
        "name": "db", "description": "", "hostname": "db", "ncpus": 1, "memory": GIB, "start": false,
        "network_interfaces": {"type": "none"},
    });
    post(&client, "/v1/instances?project=web", instance, 201).await;
    post(&client, "/v1/system/ip-pools", json!({"name": "wide", "description": ""}), 201).await;
    let range = json!({"first": "::", "last": LAST});
    let added = post(&client, &format!("{RANGES}/add"), range.clone(), 201).await;
    assert_eq!(added["range"], range);
    let capacity = "340282366920938463463374607431768211456";
    assert_eq!(utilization(&client).await, json!({"allocated": "0", "capacity": capacity}));
    let link = json!({"silo": crate::cloud::SILO, "is_default": false});
    post(&client, "/v1/system/ip-pools/wide/silos", link, 201).await;

    let floating = json!({"name": "door", "description": "", "pool": "wide"});
    let floating = post(&client, "/v1/floating-ips?project=web", floating, 201).await;
    assert_eq!(floating["ip"], "::");
    let attach = json!({"pool": "wide"});
    let ephemeral = post(&client, "/v1/instances/db/external-ips/ephemeral?project=web", attach, 202).await;
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
async fn ipv6_ranges_are_refused_if_disabled() {
    let network = NetworkSettings { ipv6_pools: false, ..NetworkSettings::default() };
    let cloud = Cloud::with_rules(Rules { network, ..Rules::default() });
    let client = cloud.signed_in().await;
    post(&client, "/v1/system/ip-pools", json!({"name": "wide", "description": ""}), 201).await;
    let answer = client.post(&format!("{RANGES}/add"), json!({"first": "::", "last": LAST})).await;
    let (status, code, message) = answer.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidRequest")));
    assert_eq!(message, "IPv6 ranges are not allowed yet");
}

#[tokio::test]
async fn trace_reports_address_family_without_primary_interface() {
    let cloud = Cloud::with_rules(Rules::default());
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let vpc = json!({"name": "six", "description": "", "dns_name": "six", "ipv6_prefix": "fd12::/48"});
    post(&client, "/v1/vpcs?project=web", vpc, 201).await;
    let instance = json!({
        "name": "db", "description": "", "hostname": "db", "ncpus": 1, "memory": GIB, "start": false,
        "network_interfaces": {"type": "create", "params": [
            {"name": "net0", "description": "", "vpc_name": "six", "subnet_name": "default"},
        ]},
    });
    post(&client, "/v1/instances?project=web", instance, 201).await;
    post(&client, "/v1/system/ip-pools", json!({"name": "wide", "description": ""}), 201).await;
    let range = json!({"first": "2001:db8::1", "last": "2001:db8::9"});
    post(&client, &format!("{RANGES}/add"), range, 201).await;
    let link = json!({"silo": crate::cloud::SILO, "is_default": false});
    post(&client, "/v1/system/ip-pools/wide/silos", link, 201).await;
    let floating = json!({"name": "door", "description": "", "pool": "wide"});
    post(&client, "/v1/floating-ips?project=web", floating, 201).await;
    let attach = json!({"kind": "instance", "parent": "db"});
    post(&client, "/v1/floating-ips/door/attach?project=web", attach.clone(), 400).await;
    let interface = json!({
        "name": "net1", "description": "", "vpc_name": "six", "subnet_name": "more", "ip": "fd12:0:0:7::5",
    });
    let subnet = json!({
        "name": "more", "description": "", "ipv4_block": "10.0.0.0/24", "ipv6_block": "fd12:0:0:7::/64",
    });
    post(&client, "/v1/vpc-subnets?project=web&vpc=six", subnet, 201).await;
    post(&client, "/v1/network-interfaces?project=web&instance=db", interface, 201).await;
    post(&client, "/v1/floating-ips/door/attach?project=web", attach, 202).await;
    let packet = json!({
        "source": {"type": "ip", "value": "2001:db8:ffff::7"},
        "destination": {"type": "ip", "value": "2001:db8::1"}, "protocol": "tcp", "port": 22,
    });
    let traced = post(&client, "/experimental/v1/vpcs/six/trace?project=web", packet, 200).await;
    assert_eq!(traced["verdict"], "unreachable", "{traced}");
    assert!(
        traced["summary"].as_str().unwrap().contains("has no IPv6 address: there is no translation"),
        "{traced}"
    );
}
