use http::Method;
use serde_json::{Value, json};

use super::{bad, change, delete_vpc, done, missing, new_vpc, refused, see, tick, web};
use crate::cloud::Client;

const DEFAULT: &str = "/v1/vpc-firewall-rules?project=web&vpc=default";
const INNER: &str = "/v1/vpc-firewall-rules?project=web&vpc=inner";

/// A rule that allows everything inbound, with some fields replaced.
fn rule(name: &str, other: &Value) -> Value {
    let mut rule = json!({
        "name": name, "description": "", "status": "enabled", "direction": "inbound", "targets": [],
        "filters": {}, "action": "allow", "priority": 100,
    });
    for (key, value) in other.as_object().unwrap() {
        rule[key] = value.clone();
    }
    rule
}

fn filtered(filters: &Value) -> Value {
    rule("filtered", &json!({ "filters": filters }))
}

fn set(rules: impl IntoIterator<Item = Value>) -> Value {
    json!({ "rules": Vec::from_iter(rules) })
}

/// The rules without their IDs and times.
fn plain(rules: &Value) -> Value {
    let mut rules = rules["rules"].clone();
    for rule in rules.as_array_mut().unwrap() {
        for key in ["id", "vpc_id", "time_created", "time_modified"] {
            assert!(
                rule.as_object_mut().unwrap().remove(key).is_some_and(|value| value.is_string()),
                "{key}"
            );
        }
    }
    rules
}

fn names(rules: &Value) -> Vec<&str> {
    rules["rules"].as_array().unwrap().iter().map(|rule| rule["name"].as_str().unwrap()).collect()
}

fn invalid(label: &str, text: &str) -> (u16, String, String) {
    (400, "InvalidValue".to_owned(), format!("unsupported value for \"{label}\": {text}"))
}

#[tokio::test]
async fn new_vpc_has_default_rules() {
    let cloud = web().await;
    let client = cloud.with_token();
    new_vpc(&client, "inner").await;
    for vpc in ["default", "inner"] {
        let rules = see(&client, &format!("/v1/vpc-firewall-rules?project=web&vpc={vpc}")).await;
        let own = json!({ "type": "vpc", "value": vpc });
        let expected = |name: &str, description: &str, filters: Value| {
            json!({
                "name": name, "description": description, "status": "enabled", "direction": "inbound",
                "targets": [own], "filters": filters, "action": "allow", "priority": 65534,
            })
        };
        let icmp = json!({ "type": "icmp", "value": null });
        assert_eq!(
            plain(&rules),
            json!([
                expected(
                    "allow-icmp",
                    "allow inbound ICMP traffic from anywhere",
                    json!({ "hosts": null, "protocols": [icmp], "ports": null }),
                ),
                expected(
                    "allow-internal-inbound",
                    "allow inbound traffic to all instances within the VPC if originated within the VPC",
                    json!({ "hosts": [own], "protocols": null, "ports": null }),
                ),
                expected(
                    "allow-ssh",
                    "allow inbound TCP connections on port 22 from anywhere",
                    json!({ "hosts": null, "protocols": [{ "type": "tcp" }], "ports": ["22"] }),
                ),
            ])
        );
        let seen = see(&client, &format!("/v1/vpcs/{vpc}?project=web")).await;
        for rule in rules["rules"].as_array().unwrap() {
            assert_eq!(rule["vpc_id"], seen["id"]);
            assert_eq!(rule["time_created"], seen["time_created"]);
        }
    }
}

#[tokio::test]
async fn rules_of_a_vpc_are_replaced_as_a_whole() {
    let cloud = web().await;
    let client = cloud.with_token();
    new_vpc(&client, "inner").await;
    let other = see(&client, INNER).await;
    let first = see(&client, DEFAULT).await;

    tick(&cloud);
    let sent = set([rule("zebra", &json!({})), rule("ant", &json!({ "status": "disabled" }))]);
    let changed = change(&client, DEFAULT, sent.clone()).await;
    assert_eq!(names(&changed), ["ant", "zebra"]);
    assert_eq!(see(&client, DEFAULT).await, changed);
    assert_eq!(see(&client, INNER).await, other, "the rules of the other VPC are unchanged");
    assert!(changed["rules"][0]["time_created"].as_str() > first["rules"][0]["time_created"].as_str());

    tick(&cloud);
    let again = change(&client, DEFAULT, sent).await;
    assert_eq!(plain(&again), plain(&changed));
    for (new, old) in again["rules"].as_array().unwrap().iter().zip(changed["rules"].as_array().unwrap()) {
        assert_ne!(new["id"], old["id"]);
        assert!(new["time_created"].as_str() > old["time_created"].as_str());
        assert_eq!(new["time_modified"], new["time_created"]);
    }

    for nothing in [json!({}), set([])] {
        assert_eq!(change(&client, DEFAULT, nothing).await, set([]));
        assert_eq!(see(&client, DEFAULT).await, set([]));
    }
    let answer = client.delete(DEFAULT).await;
    assert_eq!(answer.status, 405, "{answer:?}");

    delete_vpc(&client, "default").await;
    let gone = missing("vpc with name \"default\"");
    assert_eq!(refused(&client, Method::GET, DEFAULT, &Value::Null).await, gone);
    assert_eq!(refused(&client, Method::PUT, DEFAULT, &set([])).await, gone);
}

fn many(count: usize, item: &Value) -> Value {
    Value::Array(vec![item.clone(); count])
}

/// Violations of each check, in the order of the checks, with the expected error.
fn violations() -> Vec<(Value, (u16, String, String))> {
    let target = json!({ "type": "ip", "value": "10.0.0.1" });
    let (too_long, backwards) = ("max length 256", "range has larger start value than end value");
    let code = json!({ "type": "icmp", "value": { "icmp_type": 3, "code": "5-4" } });
    let elsewhere = json!([{ "type": "vpc", "value": "inner" }]);
    vec![
        (rule("x", &json!({ "targets": many(257, &target) })), invalid("targets", too_long)),
        (filtered(&json!({ "hosts": many(257, &target) })), invalid("filters.hosts", too_long)),
        (filtered(&json!({ "ports": many(257, &json!("22")) })), invalid("filters.ports", too_long)),
        (filtered(&json!({ "ports": ["22", "30-20"] })), invalid("l4_port_range", backwards)),
        (
            filtered(&json!({ "protocols": many(257, &json!({ "type": "tcp" })) })),
            invalid("filters.protocols", too_long),
        ),
        (filtered(&json!({ "protocols": [code] })), invalid("code", backwards)),
        (
            rule("x", &json!({ "description": "d".repeat(513) })),
            invalid("description", "must be no longer than 512 characters"),
        ),
        (rule("x", &json!({ "targets": elsewhere })), bad("cross-VPC firewall target unsupported")),
        (filtered(&json!({ "hosts": elsewhere })), bad("cross-VPC firewall host filter unsupported")),
    ]
}

/// Combines the targets, filters and descriptions of both rules.
fn merged(one: &Value, other: &Value) -> Value {
    let empty = rule("merged", &json!({}));
    let mut both = one.clone();
    for key in ["targets", "description"] {
        if one[key] == empty[key] {
            both[key] = other[key].clone();
        }
    }
    for (key, value) in other["filters"].as_object().unwrap() {
        if both["filters"].get(key).is_none() {
            both["filters"][key] = value.clone();
        }
    }
    both
}

async fn unchanged(client: &Client<'_>, before: &Value, what: &Value) {
    assert_eq!(see(client, DEFAULT).await, *before, "{what} changed something");
}

#[tokio::test]
async fn first_error_is_reported_and_nothing_is_written() {
    let cloud = web().await;
    let client = cloud.with_token();
    new_vpc(&client, "inner").await;
    let before = see(&client, DEFAULT).await;
    let violations = violations();
    for (number, (wrong, expected)) in violations.iter().enumerate() {
        let sent = set([rule("before", &json!({})), wrong.clone()]);
        assert_eq!(refused(&client, Method::PUT, DEFAULT, &sent).await, *expected);
        unchanged(&client, &before, &sent).await;
        for (later, _) in &violations[number + 1..] {
            let sent = set([merged(wrong, later)]);
            assert_eq!(refused(&client, Method::PUT, DEFAULT, &sent).await, *expected, "before {later}");
        }
    }
}

#[tokio::test]
async fn rules_are_checked_in_order_and_names_first() {
    let cloud = web().await;
    let client = cloud.with_token();
    let violations = violations();
    let within_rules = &violations[..7];
    for (number, (first, expected)) in within_rules.iter().enumerate() {
        let mut second = within_rules[(number + 3) % within_rules.len()].0.clone();
        second["name"] = json!("second");
        let mut first = first.clone();
        first["name"] = json!("first");
        assert_eq!(refused(&client, Method::PUT, DEFAULT, &set([first, second])).await, *expected);
    }
    let elsewhere = [json!({ "type": "vpc", "value": "inner" })];
    let host = rule("a", &json!({ "filters": { "hosts": elsewhere } }));
    let target = rule("b", &json!({ "targets": elsewhere }));
    assert_eq!(
        refused(&client, Method::PUT, DEFAULT, &set([host, target])).await,
        bad("cross-VPC firewall target unsupported"),
        "targets of all rules are checked before hosts"
    );

    let duplicates = "Rule names must be unique. Duplicates: [\"a\", \"b\"]";
    let twice = ["b", "a", "c", "a", "b", "a"].map(|name| {
        let mut rule = violations[0].0.clone();
        rule["name"] = json!(name);
        rule
    });
    assert_eq!(refused(&client, Method::PUT, DEFAULT, &set(twice)).await, invalid("rules", duplicates));
    let too_many = (0..1025).map(|number| rule(&format!("rule-{number}"), &json!({})));
    let mut too_many: Vec<Value> = too_many.collect();
    assert_eq!(
        refused(&client, Method::PUT, DEFAULT, &set(too_many.clone())).await,
        invalid("rules", "max length 1024")
    );
    too_many[1] = too_many[0].clone();
    assert_eq!(
        refused(&client, Method::PUT, DEFAULT, &set(too_many)).await,
        invalid("rules", "Rule names must be unique. Duplicates: [\"rule-0\"]")
    );
}

#[tokio::test]
async fn values_at_the_limits_are_allowed() {
    let cloud = web().await;
    let client = cloud.with_token();
    let all = set((0..1024).map(|number| rule(&format!("rule-{number:04}"), &json!({}))));
    assert_eq!(change(&client, DEFAULT, all).await["rules"].as_array().unwrap().len(), 1024);
    let host = json!({ "type": "ip_net", "value": "10.0.0.0/8" });
    let filters = json!({
        "hosts": many(256, &host), "ports": many(256, &json!("22")),
        "protocols": many(256, &json!({ "type": "udp" })),
    });
    let full = rule("full", &json!({ "targets": many(256, &host), "filters": filters }));
    let sent = set([full]);
    let changed = change(&client, DEFAULT, sent.clone()).await;
    assert_eq!(plain(&changed), sent["rules"]);
    assert_eq!(see(&client, DEFAULT).await, changed);
}

#[tokio::test]
async fn rules_that_match_nothing_are_allowed() {
    let cloud = web().await;
    let client = cloud.with_token();
    let targets = json!([
        { "type": "vpc", "value": "default" }, { "type": "subnet", "value": "nowhere" },
        { "type": "instance", "value": "nobody" }, { "type": "ip", "value": "fd00::1" },
        { "type": "ip_net", "value": "10.0.0.7/8" }, { "type": "subnet", "value": "nowhere" },
    ]);
    let empty = json!({ "hosts": [], "protocols": [], "ports": [] });
    let icmp = |value: Value| json!({ "type": "icmp", "value": value });
    let rules = [
        rule("a", &json!({ "targets": targets, "priority": 0, "filters": { "hosts": targets } })),
        rule("b", &json!({ "filters": empty, "priority": 65535, "direction": "outbound" })),
        rule("c", &json!({ "filters": { "ports": ["1-65535", "7-7"], "protocols": [icmp(Value::Null)] } })),
        rule(
            "d",
            &json!({ "filters": { "protocols": [
            { "type": "icmp" }, icmp(json!({ "icmp_type": 255 })),
            icmp(json!({ "icmp_type": 0, "code": null })), icmp(json!({ "icmp_type": 3, "code": "0-255" })),
            icmp(json!({ "icmp_type": 3, "code": "4-4" })), { "type": "tcp" }, { "type": "udp" },
        ] }, "action": "deny" }),
        ),
    ];
    let changed = change(&client, DEFAULT, set(rules)).await;
    let seen = plain(&changed);
    assert_eq!(seen[0]["targets"], targets);
    assert_eq!(seen[0]["filters"], json!({ "hosts": targets, "protocols": null, "ports": null }));
    assert_eq!(seen[1]["filters"], empty);
    assert_eq!(seen[2]["filters"]["ports"], json!(["1-65535", "7"]));
    assert_eq!(
        seen[3]["filters"]["protocols"],
        json!([
            icmp(Value::Null), icmp(json!({ "icmp_type": 255, "code": null })),
            icmp(json!({ "icmp_type": 0, "code": null })), icmp(json!({ "icmp_type": 3, "code": "0-255" })),
            icmp(json!({ "icmp_type": 3, "code": "4" })), { "type": "tcp" }, { "type": "udp" },
        ])
    );
}

#[tokio::test]
async fn malformed_values_are_refused() {
    let cloud = web().await;
    let client = cloud.with_token();
    let before = see(&client, DEFAULT).await;
    let port = |text: &str| filtered(&json!({ "ports": [text] }));
    let icmp = |value: Value| filtered(&json!({ "protocols": [{ "type": "icmp", "value": value }] }));
    let cases = [
        (port(""), "range has no start value"),
        (port("-5"), "range has no start value"),
        (port("5-"), "range has no end value"),
        (port("0"), "\"0\" unparsable for type: number would be zero for non-zero type"),
        (port("1-65536"), "\"65536\" unparsable for type: number too large to fit in target type"),
        (port("ssh"), "\"ssh\" unparsable for type: invalid digit found in string"),
        (icmp(json!({ "icmp_type": 3, "code": "256" })), "\"256\" unparsable for type: number too large"),
        (icmp(json!({ "icmp_type": 3, "code": "" })), "range has no start value"),
        (icmp(json!({ "icmp_type": 256 })), "invalid value: integer `256`, expected u8"),
        (filtered(&json!({ "protocols": [{ "type": "icmp6" }] })), "unknown variant `icmp6`"),
        (rule("x", &json!({ "priority": 65536 })), "invalid value: integer `65536`, expected u16"),
        (rule("x", &json!({ "priority": -1 })), "invalid value: integer `-1`, expected u16"),
        (rule("x", &json!({ "targets": null })), "invalid type: null, expected a sequence"),
        (rule("x", &json!({ "targets": [{ "type": "ip", "value": "10.0.0.0/8" }] })), "invalid IP address"),
        (rule("X", &json!({})), "rules[0].name: "),
    ];
    for (wrong, text) in cases {
        let sent = set([wrong]);
        let answer = client.put(DEFAULT, sent.clone()).await;
        answer.assert_unreadable_start("unable to parse JSON body: rules[0].");
        assert!(answer.error().2.contains(text), "{sent}: {}", answer.text());
        unchanged(&client, &before, &sent).await;
    }
}

#[tokio::test]
async fn rules_show_the_current_name_of_their_vpc() {
    let cloud = web().await;
    let client = cloud.with_token();
    let stored = see(&client, DEFAULT).await;
    change(&client, "/v1/vpcs/default?project=web", json!({ "name": "renamed" })).await;
    let renamed = DEFAULT.replace("=default", "=renamed");
    assert_eq!(see(&client, &renamed).await, stored, "stored rules keep the old name");
    let sent = json!({ "rules": plain(&stored) });
    assert_eq!(
        refused(&client, Method::PUT, &renamed, &sent).await,
        bad("cross-VPC firewall target unsupported")
    );
    assert_eq!(see(&client, &renamed).await, stored);
    let current = serde_json::from_str(&sent.to_string().replace("\"default\"", "\"renamed\"")).unwrap();
    change(&client, &renamed, current).await;
    let names = ["allow-icmp", "allow-internal-inbound", "allow-ssh"];
    assert_eq!(self::names(&see(&client, &renamed).await), names);
}

#[tokio::test]
async fn instance_starts_with_rules_that_match_nothing() {
    let cloud = web().await;
    let client = cloud.with_token();
    let target = json!([{ "type": "instance", "value": "nobody" }]);
    change(&client, DEFAULT, set([rule("stale", &json!({ "targets": target }))])).await;
    change(&client, "/v1/vpcs/default?project=web", json!({ "name": "renamed" })).await;
    change(&client, "/v1/vpcs/renamed?project=web", json!({ "name": "default" })).await;
    client.create_instance("web", "db").await;
    change(&client, "/v1/vpcs/default?project=web", json!({ "name": "renamed" })).await;
    assert_eq!(see(&client, "/v1/instances/db?project=web").await["run_state"], "running");
    done(&client, Method::POST, "/v1/instances/db/stop?project=web", Value::Null, 202).await;
    cloud.settle();
    done(&client, Method::POST, "/v1/instances/db/start?project=web", Value::Null, 202).await;
    cloud.settle();
    assert_eq!(see(&client, "/v1/instances/db?project=web").await["run_state"], "running");
}

#[tokio::test]
async fn firewall_selector_is_the_vpc_selector() {
    let cloud = web().await;
    let client = cloud.with_token();
    let id = see(&client, "/v1/vpcs/default?project=web").await["id"].as_str().unwrap().to_owned();
    let by_id = format!("/v1/vpc-firewall-rules?vpc={id}");
    assert_eq!(see(&client, &by_id).await, see(&client, DEFAULT).await);
    for method in [Method::GET, Method::PUT] {
        let body = if method == Method::PUT { json!({}) } else { Value::Null };
        let ask = async |uri: &str| refused(&client, method.clone(), uri, &body).await;
        assert_eq!(
            ask(&format!("{by_id}&project=web")).await,
            bad("when providing vpc as an ID, project should not be specified")
        );
        assert_eq!(
            ask("/v1/vpc-firewall-rules?vpc=default").await,
            bad("vpc should either be an ID or project should be specified")
        );
        assert_eq!(
            ask("/v1/vpc-firewall-rules?vpc=outer&project=web").await,
            missing("vpc with name \"outer\"")
        );
        let answer =
            client.send(method.clone(), "/v1/vpc-firewall-rules?project=web", body.to_string()).await;
        assert_eq!(answer.status, 400, "{answer:?}");
    }
}
