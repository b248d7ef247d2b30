use http::Method;
use serde_json::{Value, json};

use super::{bad, change, create, delete, exists, list, missing, new_vpc, refused, see, text_of, tick, web};
use crate::cloud::Client;

const ROUTERS: &str = "/v1/vpc-routers?project=web&vpc=default";
const SUBNETS: &str = "/v1/vpc-subnets?project=web&vpc=default";

fn router(name: &str) -> String {
    format!("/v1/vpc-routers/{name}?project=web&vpc=default")
}

fn routes(router: &str) -> String {
    format!("/v1/vpc-router-routes?project=web&vpc=default&router={router}")
}

fn route(router: &str, name: &str) -> String {
    format!("/v1/vpc-router-routes/{name}?project=web&vpc=default&router={router}")
}

fn subnet(name: &str) -> String {
    format!("/v1/vpc-subnets/{name}?project=web&vpc=default")
}

fn named(name: &str) -> Value {
    json!({ "name": name, "description": "" })
}

fn new_route(name: &str, destination: &Value, target: &Value) -> Value {
    json!({ "name": name, "description": "", "destination": destination, "target": target })
}

fn ip_net(value: &str) -> Value {
    json!({ "type": "ip_net", "value": value })
}

fn drops() -> Value {
    json!({ "type": "drop" })
}

fn gateway() -> Value {
    json!({ "type": "internet_gateway", "value": "default" })
}

#[tokio::test]
async fn new_vpc_has_three_permanent_routes() {
    let cloud = web().await;
    let client = cloud.with_token();
    let seen = list(&client, &routes("system")).await;
    let found: Vec<_> =
        seen.iter().map(|route| (route["name"].as_str().unwrap(), route["kind"].as_str().unwrap())).collect();
    let kinds = [("default", "vpc_subnet"), ("default-v4", "default"), ("default-v6", "default")];
    assert_eq!(found, kinds);
    let own = json!({ "type": "subnet", "value": "default" });
    assert_eq!((&seen[0]["destination"], &seen[0]["target"]), (&own, &own));
    for (number, net) in [(1, "0.0.0.0/0"), (2, "::/0")] {
        assert_eq!((&seen[number]["destination"], &seen[number]["target"]), (&ip_net(net), &gateway()));
    }
    for (name, _) in kinds {
        assert_eq!(
            refused(&client, Method::DELETE, &route("system", name), &Value::Null).await,
            bad("DELETE not allowed on system routes")
        );
    }
    // Refused before destination and target are checked.
    let vpc = json!({ "type": "vpc", "value": "default" });
    assert_eq!(
        refused(&client, Method::POST, &routes("system"), &new_route("mine", &vpc, &vpc)).await,
        bad("user-provided routes cannot be added to a system router")
    );
    for params in [json!({ "destination": own, "target": drops() }), new_route("x", &vpc, &vpc)] {
        assert_eq!(
            refused(&client, Method::PUT, &route("system", "default"), &params).await,
            bad("routes of type VpcSubnet within the system router are not modifiable")
        );
    }
    assert_eq!(list(&client, &routes("system")).await, seen);
}

#[tokio::test]
async fn only_the_target_of_a_default_route_can_be_changed() {
    let cloud = web().await;
    let client = cloud.with_token();
    for (name, net, other) in [("default-v4", "0.0.0.0/0", "::/0"), ("default-v6", "::/0", "0.0.0.0/0")] {
        let uri = route("system", name);
        let before = see(&client, &uri).await;
        let fixed = bad("the destination and metadata of a Default route cannot be changed");
        for params in [
            new_route(name, &ip_net(net), &drops()),
            json!({ "name": name, "destination": ip_net(net), "target": drops() }),
            json!({ "description": "", "destination": ip_net(net), "target": drops() }),
            json!({ "destination": ip_net(other), "target": drops() }),
            json!({ "destination": ip_net("10.0.0.0/8"), "target": drops() }),
            json!({ "destination": { "type": "vpc", "value": "default" }, "target": drops() }),
        ] {
            assert_eq!(refused(&client, Method::PUT, &uri, &params).await, fixed, "{params}");
        }
        assert_eq!(see(&client, &uri).await, before);
        for target in [drops(), json!({ "type": "instance", "value": "db" }), gateway()] {
            tick(&cloud);
            let params = json!({ "name": null, "destination": ip_net(net), "target": target });
            let changed = change(&client, &uri, params).await;
            let mut expected = before.clone();
            expected["target"] = target;
            expected["time_modified"] = changed["time_modified"].clone();
            assert_eq!(changed, expected);
            assert!(text_of(&changed, "time_modified") > text_of(&before, "time_modified"));
        }
    }
}

/// A destination or target, its kind, and the IP version that it contains.
type End = (Value, &'static str, Option<u8>);

fn destinations() -> Vec<End> {
    vec![
        (json!({ "type": "ip", "value": "10.1.2.3" }), "ip", Some(4)),
        (json!({ "type": "ip", "value": "fd00::7" }), "ip", Some(6)),
        (ip_net("10.1.0.0/16"), "ip_net", Some(4)),
        (ip_net("0.0.0.0/0"), "ip_net", Some(4)),
        (ip_net("fd00::/64"), "ip_net", Some(6)),
        (ip_net("::/0"), "ip_net", Some(6)),
        (json!({ "type": "vpc", "value": "default" }), "vpc", None),
        (json!({ "type": "subnet", "value": "nowhere" }), "subnet", None),
    ]
}

fn targets() -> Vec<End> {
    vec![
        (json!({ "type": "ip", "value": "172.30.0.9" }), "ip", Some(4)),
        (json!({ "type": "ip", "value": "fd00::9" }), "ip", Some(6)),
        (json!({ "type": "vpc", "value": "default" }), "vpc", None),
        (json!({ "type": "subnet", "value": "default" }), "subnet", None),
        (json!({ "type": "instance", "value": "nobody" }), "instance", None),
        (json!({ "type": "internet_gateway", "value": "nowhere" }), "internet_gateway", None),
        (drops(), "drop", None),
    ]
}

/// The expected error of a route of this kind with this destination and target
/// (`docs/rules/networking.md#destinations-and-targets`).
fn refusal(kind: &str, destination: &End, target: &End) -> Option<String> {
    let vpcs = format!("users cannot specify VPCs as a destination or target in {kind} routes");
    match (destination.1, target.1) {
        ("ip" | "ip_net", "ip") if destination.2 == target.2 => None,
        ("ip" | "ip_net", "ip") => {
            Some("cannot mix explicit IPv4 and IPv6 addresses between destination and target".to_owned())
        }
        ("vpc", _) | (_, "vpc") => Some(vpcs),
        (_, "subnet") => Some(format!("subnets cannot be used as a target in {kind} routers")),
        ("subnet", "ip" | "instance" | "internet_gateway" | "drop")
        | ("ip" | "ip_net", "instance" | "internet_gateway" | "drop") => None,
        pair => panic!("no expectation for {pair:?}"),
    }
}

#[tokio::test]
async fn every_destination_is_combined_with_every_target() {
    let cloud = web().await;
    let client = cloud.with_token();
    create(&client, ROUTERS, named("mine")).await;
    create(&client, &routes("mine"), new_route("changing", &ip_net("10.9.0.0/16"), &drops())).await;
    let mut updates = 0;
    for destination in destinations() {
        for target in targets() {
            let what = format!("{} to {}", destination.0, target.0);
            let expected = refusal("Custom", &destination, &target);
            let params = new_route("new", &destination.0, &target.0);
            let ends = json!({ "destination": destination.0, "target": target.0 });
            let before = see(&client, &route("mine", "changing")).await;
            if let Some(text) = expected {
                assert_eq!(
                    refused(&client, Method::POST, &routes("mine"), &params).await,
                    bad(&text),
                    "{what}"
                );
                let changing = route("mine", "changing");
                assert_eq!(refused(&client, Method::PUT, &changing, &ends).await, bad(&text), "{what}");
                assert_eq!(see(&client, &changing).await, before, "{what}");
                continue;
            }
            let new = create(&client, &routes("mine"), params).await;
            assert_eq!(
                (&new["destination"], &new["target"], &new["kind"]),
                (&destination.0, &target.0, &json!("custom"))
            );
            assert_eq!(see(&client, &route("mine", "new")).await, new);
            delete(&client, &route("mine", "new")).await;
            let changed = change(&client, &route("mine", "changing"), ends).await;
            assert_eq!((&changed["destination"], &changed["target"]), (&destination.0, &target.0), "{what}");
            assert_eq!((&changed["id"], &changed["name"]), (&before["id"], &json!("changing")));
            updates += 1;
        }
    }
    assert_eq!(updates, 6 * 4 + 5);
}

#[tokio::test]
async fn default_routes_accept_the_allowed_targets() {
    let cloud = web().await;
    let client = cloud.with_token();
    for (name, stored) in [("default-v4", "0.0.0.0/0"), ("default-v6", "::/0")] {
        let uri = route("system", name);
        for destination in destinations() {
            for target in targets() {
                let before = see(&client, &uri).await;
                let expected = if destination.0 == ip_net(stored) {
                    refusal("Default", &destination, &target)
                } else {
                    Some("the destination and metadata of a Default route cannot be changed".to_owned())
                };
                let ends = json!({ "destination": destination.0, "target": target.0 });
                if let Some(text) = expected {
                    assert_eq!(refused(&client, Method::PUT, &uri, &ends).await, bad(&text), "{name} {ends}");
                    assert_eq!(see(&client, &uri).await, before);
                } else {
                    assert_eq!(change(&client, &uri, ends).await["target"], target.0);
                }
            }
        }
    }
}

#[tokio::test]
async fn route_lifecycle() {
    let cloud = web().await;
    let client = cloud.with_token();
    for name in ["mine", "other"] {
        create(&client, ROUTERS, named(name)).await;
        assert_eq!(list(&client, &routes(name)).await, Vec::<Value>::new());
    }
    let out = new_route("out", &ip_net("10.1.0.0/16"), &drops());
    let first = create(&client, &routes("mine"), out.clone()).await;
    assert_eq!(refused(&client, Method::POST, &routes("mine"), &out).await, exists("router-route", "out"));
    let second = create(&client, &routes("mine"), new_route("back", &ip_net("10.1.0.0/16"), &drops())).await;
    create(&client, &routes("other"), out.clone()).await;
    assert_eq!(list(&client, &routes("mine")).await, [second.clone(), first.clone()]);

    tick(&cloud);
    let ends = json!({ "destination": ip_net("10.2.0.0/16"), "target": gateway() });
    let mut rename = ends.clone();
    rename["name"] = json!("back");
    assert_eq!(
        refused(&client, Method::PUT, &route("mine", "out"), &rename).await,
        exists("router-route", "back")
    );
    assert_eq!(see(&client, &route("mine", "out")).await, first);
    let changed = change(&client, &route("mine", "out"), ends.clone()).await;
    assert_eq!((&changed["name"], &changed["description"]), (&first["name"], &first["description"]));
    assert_eq!(changed["time_created"], first["time_created"]);
    assert!(text_of(&changed, "time_modified") > text_of(&first, "time_modified"));
    tick(&cloud);
    let same = change(&client, &route("mine", "out"), ends.clone()).await;
    assert!(
        text_of(&same, "time_modified") > text_of(&changed, "time_modified"),
        "only the time of the change differs"
    );
    rename["name"] = json!("away");
    rename["description"] = json!("gone away");
    let renamed = change(&client, &route("mine", "out"), rename).await;
    assert_eq!((&renamed["name"], &renamed["description"]), (&json!("away"), &json!("gone away")));
    for (missing_part, body) in
        [("target", json!({ "destination": drops() })), ("destination", json!({ "target": drops() }))]
    {
        let answer = client.put(&route("mine", "away"), body).await;
        assert_eq!(answer.status, 400, "{missing_part}: {answer:?}");
    }

    delete(&client, &route("mine", "away")).await;
    let gone = missing("router-route with name \"away\"");
    for method in [Method::GET, Method::DELETE] {
        assert_eq!(refused(&client, method, &route("mine", "away"), &Value::Null).await, gone);
    }
    assert_eq!(refused(&client, Method::PUT, &route("mine", "away"), &ends).await, gone);
    create(&client, &routes("mine"), out).await;
}

#[tokio::test]
async fn router_lifecycle() {
    let cloud = web().await;
    let client = cloud.with_token();
    let vpc = see(&client, "/v1/vpcs/default?project=web").await;
    let [system] = <[_; 1]>::try_from(list(&client, ROUTERS).await).unwrap();
    assert_eq!((&system["id"], &system["kind"]), (&vpc["system_router_id"], &json!("system")));
    let mine = create(&client, ROUTERS, named("mine")).await;
    assert_eq!((&mine["kind"], &mine["vpc_id"]), (&json!("custom"), &vpc["id"]));
    for name in ["mine", "system"] {
        let taken = exists("vpc-router", name);
        assert_eq!(refused(&client, Method::POST, ROUTERS, &named(name)).await, taken);
    }
    new_vpc(&client, "inner").await;
    create(&client, "/v1/vpc-routers?project=web&vpc=inner", named("mine")).await;

    tick(&cloud);
    assert_eq!(
        refused(&client, Method::PUT, &router("mine"), &json!({ "name": "system" })).await,
        exists("vpc-router", "system")
    );
    let changed = change(&client, &router("mine"), json!({})).await;
    let mut expected = mine.clone();
    expected["time_modified"] = changed["time_modified"].clone();
    assert_eq!(changed, expected);
    assert!(text_of(&changed, "time_modified") > text_of(&mine, "time_modified"));
    let renamed = json!({ "name": "main", "description": "the first" });
    let changed = change(&client, &router("system"), renamed.clone()).await;
    assert_eq!((&changed["name"], &changed["description"]), (&renamed["name"], &renamed["description"]));
    assert_eq!(changed["kind"], "system");
    assert_eq!(
        refused(&client, Method::DELETE, &router("main"), &Value::Null).await,
        bad("cannot delete system router")
    );
    create(&client, ROUTERS, named("system")).await;
    delete(&client, &router("system")).await;
    delete(&client, &router("mine")).await;
    let gone = missing("vpc-router with name \"mine\"");
    for method in [Method::GET, Method::DELETE] {
        assert_eq!(refused(&client, method, &router("mine"), &Value::Null).await, gone);
    }
    assert_eq!(refused(&client, Method::PUT, &router("mine"), &json!({})).await, gone);
    assert_eq!(refused(&client, Method::GET, &routes("mine"), &Value::Null).await, gone);
    assert_eq!(list(&client, ROUTERS).await, [changed]);
}

async fn attached(client: &Client<'_>, name: &str) -> Value {
    see(client, &subnet(name)).await["custom_router_id"].clone()
}

#[tokio::test]
async fn a_router_is_attached_to_subnets_until_it_is_deleted() {
    let cloud = web().await;
    let client = cloud.with_token();
    let first = create(&client, ROUTERS, named("first")).await;
    let second = create(&client, ROUTERS, named("second")).await;
    let kept = create(&client, &routes("first"), new_route("out", &ip_net("10.1.0.0/16"), &drops())).await;
    new_vpc(&client, "inner").await;
    let elsewhere = create(&client, "/v1/vpc-routers?project=web&vpc=inner", named("there")).await;
    let with_router = |name: &str, number: u8, router: &Value| {
        let block = format!("10.0.{number}.0/24");
        json!({ "name": name, "description": "", "ipv4_block": block, "custom_router": router })
    };
    let system = see(&client, "/v1/vpcs/default?project=web").await["system_router_id"].clone();
    let is_system = bad("cannot attach a system router to a VPC subnet");
    let is_elsewhere = bad("a router can only be attached to a subnet when both belong to the same VPC");
    let refusals = [
        (json!("system"), is_system.clone()),
        (system, is_system),
        (elsewhere["id"].clone(), is_elsewhere),
        (json!("there"), missing("vpc-router with name \"there\"")),
        (kept["id"].clone(), missing(&format!("vpc-router with id {}", kept["id"]))),
    ];
    for (wrong, refusal) in refusals {
        assert_eq!(refused(&client, Method::POST, SUBNETS, &with_router("a", 0, &wrong)).await, refusal);
        let update = json!({ "custom_router": wrong });
        assert_eq!(refused(&client, Method::PUT, &subnet("default"), &update).await, refusal);
    }
    create(&client, SUBNETS, with_router("a", 0, &json!("first"))).await;
    create(&client, SUBNETS, with_router("b", 1, &first["id"])).await;
    change(&client, &subnet("default"), json!({ "custom_router": "first" })).await;
    // Attaching another router replaces the first, and detaching can be repeated.
    create(&client, SUBNETS, with_router("c", 2, &first["id"])).await;
    change(&client, &subnet("c"), json!({ "custom_router": second["id"] })).await;
    assert_eq!(attached(&client, "c").await, second["id"]);
    for _ in 0..2 {
        change(&client, &subnet("b"), json!({ "name": "b" })).await;
        assert_eq!(attached(&client, "b").await, Value::Null);
    }
    change(&client, &subnet("b"), json!({ "custom_router": "first" })).await;
    for name in ["a", "b", "default"] {
        assert_eq!(attached(&client, name).await, first["id"]);
    }
    delete(&client, &router("first")).await;
    for name in ["a", "b", "default"] {
        assert_eq!(attached(&client, name).await, Value::Null);
    }
    assert_eq!(attached(&client, "c").await, second["id"]);
    let id = text_of(&kept, "id");
    assert_eq!(
        refused(&client, Method::GET, &format!("/v1/vpc-router-routes/{id}"), &Value::Null).await,
        missing(&format!("router-route with id \"{id}\""))
    );
}

#[tokio::test]
async fn selectors_identify_objects_by_name_or_id() {
    let cloud = web().await;
    let client = cloud.with_token();
    let mine = create(&client, ROUTERS, named("mine")).await;
    let out = create(&client, &routes("mine"), new_route("out", &ip_net("10.1.0.0/16"), &drops())).await;
    let vpc = text_of(&see(&client, "/v1/vpcs/default?project=web").await, "id");
    let (mine_id, out_id) = (text_of(&mine, "id"), text_of(&out, "id"));
    for uri in
        [format!("/v1/vpc-routers/{mine_id}"), format!("/v1/vpc-routers/mine?vpc={vpc}"), router("mine")]
    {
        assert_eq!(see(&client, &uri).await, mine, "{uri}");
    }
    for uri in [
        format!("/v1/vpc-router-routes/{out_id}"),
        format!("/v1/vpc-router-routes/out?router={mine_id}"),
        format!("/v1/vpc-router-routes/out?router=mine&vpc={vpc}"),
        route("mine", "out"),
    ] {
        assert_eq!(see(&client, &uri).await, out, "{uri}");
    }
    let with_id = "when providing router as an ID vpc and project should not be specified";
    let alone = "router should either be an ID or vpc should be specified";
    let route_with_id =
        "when providing route as an ID router, subnet, vpc, and project should not be specified";
    let route_alone = "route should either be an ID or router should be specified";
    let vpc_alone = "vpc should either be an ID or project should be specified";
    for (uri, text) in [
        (format!("/v1/vpc-routers/{mine_id}?vpc=default"), with_id),
        (format!("/v1/vpc-routers/{mine_id}?project=web"), with_id),
        ("/v1/vpc-routers/mine".to_owned(), alone),
        ("/v1/vpc-routers/mine?project=web".to_owned(), alone),
        ("/v1/vpc-routers/mine?vpc=default".to_owned(), vpc_alone),
        (format!("/v1/vpc-router-routes/{out_id}?router=mine"), route_with_id),
        (format!("/v1/vpc-router-routes/{out_id}?vpc=default"), route_with_id),
        (format!("/v1/vpc-router-routes/{out_id}?project=web"), route_with_id),
        ("/v1/vpc-router-routes/out".to_owned(), route_alone),
        ("/v1/vpc-router-routes/out?vpc=default&project=web".to_owned(), route_alone),
        ("/v1/vpc-router-routes/out?router=mine".to_owned(), alone),
        (format!("/v1/vpc-router-routes/out?router={mine_id}&vpc=default"), with_id),
        (format!("/v1/vpc-router-routes?router={mine_id}&project=web"), with_id),
        ("/v1/vpc-router-routes?router=mine".to_owned(), alone),
    ] {
        assert_eq!(refused(&client, Method::GET, &uri, &Value::Null).await, bad(text), "{uri}");
    }
    client.create_project("other").await;
    let uri = router("mine").replace("project=web", "project=other");
    assert_eq!(
        refused(&client, Method::GET, &uri, &Value::Null).await,
        missing("vpc-router with name \"mine\"")
    );
}
