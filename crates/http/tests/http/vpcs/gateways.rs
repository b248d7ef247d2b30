use http::Method;
use serde_json::{Value, json};

use super::{
    bad, check_network_invariants, create, delete, done, exists, list, missing, new_vpc, refused, see,
    text_of, web,
};
use crate::cloud::{Client, SILO};

const WITHIN: &str = "project=web&vpc=default";
const GATEWAYS: &str = "/v1/internet-gateways?project=web&vpc=default";
const HELD: &str =
    "VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option";

fn gateway(name: &str) -> String {
    format!("/v1/internet-gateways/{name}?{WITHIN}")
}

fn pools(gateway: &str) -> String {
    format!("/v1/internet-gateway-ip-pools?{WITHIN}&gateway={gateway}")
}

fn pool(gateway: &str, name: &str) -> String {
    format!("/v1/internet-gateway-ip-pools/{name}?{WITHIN}&gateway={gateway}")
}

fn addresses(gateway: &str) -> String {
    format!("/v1/internet-gateway-ip-addresses?{WITHIN}&gateway={gateway}")
}

fn address(gateway: &str, name: &str) -> String {
    format!("/v1/internet-gateway-ip-addresses/{name}?{WITHIN}&gateway={gateway}")
}

fn routes(router: &str) -> String {
    format!("/v1/vpc-router-routes?{WITHIN}&router={router}")
}

fn cascading(uri: &str) -> String {
    format!("{uri}&cascade=true")
}

fn named(name: &str) -> Value {
    json!({ "name": name, "description": "" })
}

fn with_pool(name: &str, pool: &str) -> Value {
    json!({ "name": name, "description": "", "ip_pool": pool })
}

fn with_address(name: &str, address: &str) -> Value {
    json!({ "name": name, "description": "", "address": address })
}

fn names(items: &[Value]) -> Vec<String> {
    items.iter().map(|item| text_of(item, "name")).collect()
}

async fn refused_delete(client: &Client<'_>, uri: &str) -> (u16, String, String) {
    refused(client, Method::DELETE, uri, &Value::Null).await
}

/// Creates a pool with ranges in 203.0.113.0/24 and links it to the silo.
async fn new_pool(client: &Client<'_>, name: &str, ranges: &[(u8, u8)]) {
    create(client, "/v1/system/ip-pools", named(name)).await;
    for (first, last) in ranges {
        let range = json!({ "first": format!("203.0.113.{first}"), "last": format!("203.0.113.{last}") });
        create(client, &format!("/v1/system/ip-pools/{name}/ranges/add"), range).await;
    }
    let link = json!({ "silo": SILO, "is_default": false });
    create(client, &format!("/v1/system/ip-pools/{name}/silos"), link).await;
}

async fn new_route(client: &Client<'_>, router: &str, name: &str, gateway: &str) {
    let route = json!({
        "name": name, "description": "", "destination": { "type": "ip_net", "value": "0.0.0.0/0" },
        "target": { "type": "internet_gateway", "value": gateway },
    });
    create(client, &routes(router), route).await;
}

#[tokio::test]
async fn new_vpc_has_a_gateway_for_the_default_pool() {
    let cloud = web().await;
    let client = cloud.with_token();
    let vpc = see(&client, "/v1/vpcs/default?project=web").await;
    let [default] = <[_; 1]>::try_from(list(&client, GATEWAYS).await).unwrap();
    assert_eq!((&default["name"], &default["vpc_id"]), (&json!("default"), &vpc["id"]));
    assert_eq!(see(&client, &gateway("default")).await, default);
    let [attached] = <[_; 1]>::try_from(list(&client, &pools("default")).await).unwrap();
    let first = see(&client, "/v1/ip-pools/default").await;
    assert_eq!((&attached["name"], &attached["ip_pool_id"]), (&json!("default"), &first["id"]));
    assert_eq!(attached["internet_gateway_id"], default["id"]);
    assert!(list(&client, &addresses("default")).await.is_empty());

    delete(&client, &format!("/v1/system/ip-pools/default/silos/{SILO}")).await;
    assert!(list(&client, &pools("default")).await.is_empty(), "an unlinked pool is detached");
    new_vpc(&client, "inner").await;
    let inner = pools("default").replace("vpc=default", "vpc=inner");
    assert!(list(&client, &inner).await.is_empty(), "a missing default pool is not an error");
    assert_eq!(
        refused(&client, Method::POST, &pools("default"), &with_pool("default", "default")).await,
        missing("ip-pool with name \"default\"")
    );
    check_network_invariants(&cloud);
}

#[tokio::test]
async fn gateway_lifecycle() {
    let cloud = web().await;
    let client = cloud.with_token();
    let new = create(&client, GATEWAYS, named("east")).await;
    assert_eq!((&new["name"], &new["description"]), (&json!("east"), &json!("")));
    for name in ["east", "default"] {
        let taken = exists("internet-gateway", name);
        assert_eq!(refused(&client, Method::POST, GATEWAYS, &named(name)).await, taken);
    }
    assert!(list(&client, &pools("east")).await.is_empty());
    assert!(list(&client, &addresses("east")).await.is_empty());
    assert_eq!(names(&list(&client, GATEWAYS).await), ["default", "east"]);
    let answer = client.put(&gateway("east"), named("west")).await;
    assert_eq!(answer.status, 405, "{answer:?}");
    delete(&client, &gateway("east")).await;
    let gone = missing("internet-gateway with name \"east\"");
    for uri in [gateway("east"), pools("east"), addresses("east")] {
        assert_eq!(refused(&client, Method::GET, &uri, &Value::Null).await, gone, "{uri}");
    }
    assert_eq!(refused_delete(&client, &gateway("east")).await, gone);
    assert_eq!(refused(&client, Method::POST, &pools("east"), &with_pool("x", "default")).await, gone);
    create(&client, GATEWAYS, named("east")).await;
    check_network_invariants(&cloud);
}

#[tokio::test]
async fn gateway_with_attachments_requires_cascade() {
    let cloud = web().await;
    let client = cloud.with_token();
    create(&client, GATEWAYS, named("east")).await;
    create(&client, &pools("east"), with_pool("pool", "default")).await;
    create(&client, &addresses("east"), with_address("fixed", "192.0.2.1")).await;
    let referencing = |what: &str| {
        bad(&format!(
            "Ip {what} referencing this gateway exist. To perform a cascading delete set the cascade option"
        ))
    };
    for uri in [gateway("east"), format!("{}&cascade=false", gateway("east"))] {
        assert_eq!(refused_delete(&client, &uri).await, referencing("pools"));
    }
    delete(&client, &pool("east", "pool")).await;
    assert_eq!(refused_delete(&client, &gateway("east")).await, referencing("addresses"));
    delete(&client, &address("east", "fixed")).await;
    // Routes do not prevent the deletion, and stay.
    create(&client, &format!("/v1/vpc-routers?{WITHIN}"), named("mine")).await;
    new_route(&client, "mine", "east", "east").await;
    delete(&client, &gateway("east")).await;
    assert_eq!(names(&list(&client, &routes("mine")).await), ["east"]);
    let answer = client.delete(&format!("{}&cascade=perhaps", gateway("default"))).await;
    assert_eq!(answer.status, 400, "{answer:?}");
    check_network_invariants(&cloud);
}

#[tokio::test]
async fn cascade_deletes_every_route_to_the_gateway() {
    let cloud = web().await;
    let client = cloud.with_token();
    new_vpc(&client, "inner").await;
    for name in ["mine", "other"] {
        create(&client, &format!("/v1/vpc-routers?{WITHIN}"), named(name)).await;
    }
    create(&client, GATEWAYS, named("east")).await;
    create(&client, &pools("east"), with_pool("pool", "default")).await;
    create(&client, &addresses("default"), with_address("fixed", "192.0.2.1")).await;
    new_route(&client, "mine", "out", "default").await;
    new_route(&client, "mine", "east", "east").await;
    new_route(&client, "other", "out", "default").await;
    delete(&client, &cascading(&gateway("default"))).await;
    assert_eq!(names(&list(&client, &routes("mine")).await), ["east"]);
    assert!(list(&client, &routes("other")).await.is_empty());
    assert_eq!(
        names(&list(&client, &routes("system")).await),
        ["default"],
        "including routes of the system router"
    );
    let inner = routes("system").replace("vpc=default", "vpc=inner");
    assert_eq!(names(&list(&client, &inner).await), ["default", "default-v4", "default-v6"]);
    let gone = missing("internet-gateway with name \"default\"");
    for uri in [gateway("default"), pools("default"), addresses("default")] {
        assert_eq!(refused(&client, Method::GET, &uri, &Value::Null).await, gone, "{uri}");
    }
    assert_eq!(names(&list(&client, &pools("east")).await), ["pool"]);
    create(&client, GATEWAYS, named("default")).await;
    assert_eq!(names(&list(&client, &routes("system")).await), ["default"]);
    assert!(list(&client, &pools("default")).await.is_empty());
    check_network_invariants(&cloud);
}

#[tokio::test]
async fn attachment_names_are_unique_per_gateway() {
    let cloud = web().await;
    let client = cloud.with_token();
    create(&client, GATEWAYS, named("east")).await;
    let first = create(&client, &pools("east"), with_pool("first", "default")).await;
    let taken = exists("internet-gateway-ip-pool", "first");
    assert_eq!(refused(&client, Method::POST, &pools("east"), &with_pool("first", "default")).await, taken);
    let id = text_of(&first, "ip_pool_id");
    create(&client, &pools("east"), with_pool("second", &id)).await;
    create(&client, &pools("default"), with_pool("first", "default")).await;
    let taken = exists("internet-gateway-ip-pool", "default");
    let again = with_pool("default", "default");
    assert_eq!(refused(&client, Method::POST, &pools("default"), &again).await, taken);

    for unlinked in ["nowhere", "apart"] {
        if unlinked == "apart" {
            create(&client, "/v1/system/ip-pools", named("apart")).await;
        }
        assert_eq!(
            refused(&client, Method::POST, &pools("east"), &with_pool("third", unlinked)).await,
            missing(&format!("ip-pool with name \"{unlinked}\""))
        );
    }
    let id = text_of(&see(&client, "/v1/system/ip-pools/apart").await, "id");
    assert_eq!(
        refused(&client, Method::POST, &pools("east"), &with_pool("third", &id)).await,
        missing(&format!("ip-pool with id \"{id}\""))
    );

    let fixed = create(&client, &addresses("east"), with_address("fixed", "2001:db8::7")).await;
    assert_eq!(fixed["address"], "2001:db8::7");
    for (name, ip) in [("fixed", "192.0.2.1"), ("second", "192.0.2.2"), ("third", "2001:db8::7")] {
        let taken = exists("internet-gateway-ip-address", name);
        let params = with_address(name, ip);
        assert_eq!(refused(&client, Method::POST, &addresses("east"), &params).await, taken);
    }
    create(&client, &addresses("default"), with_address("fixed", "2001:db8::7")).await;
    assert_eq!(list(&client, &addresses("east")).await, [fixed]);
    let answer = client.post(&addresses("east"), with_address("net", "10.0.0.0/8")).await;
    answer.assert_unreadable_start("unable to parse JSON body: address: ");
    delete(&client, &address("east", "fixed")).await;
    let gone = missing("internet-gateway-ip-address with name \"fixed\"");
    assert_eq!(refused_delete(&client, &address("east", "fixed")).await, gone);
    create(&client, &addresses("east"), with_address("second", "192.0.2.2")).await;
    check_network_invariants(&cloud);
}

/// Whether the detach is refused. Detaches if it is not.
async fn is_held(client: &Client<'_>, uri: &str) -> bool {
    let probe = client.delete(uri).await;
    if probe.status == 204 {
        return false;
    }
    assert_eq!(probe.error(), (400, Some("InvalidRequest".to_owned()), HELD.to_owned()));
    true
}

async fn attach_pool(client: &Client<'_>) {
    create(client, &pools("east"), with_pool("pool", "public")).await;
}

#[tokio::test]
async fn attached_pool_in_use_cannot_be_detached() {
    let cloud = web().await;
    let client = cloud.with_token();
    // The ephemeral IP is allocated from the second range.
    new_pool(&client, "public", &[(1, 1), (10, 20)]).await;
    create(&client, GATEWAYS, named("east")).await;
    new_vpc(&client, "inner").await;
    client.create_instance("web", "db").await;
    let uri = pool("east", "pool");
    attach_pool(&client).await;
    assert!(!is_held(&client, &uri).await, "neither a route nor an address");

    create(&client, &format!("/v1/vpc-routers?{WITHIN}"), named("mine")).await;
    let inner = "project=web&vpc=inner";
    create(&client, &format!("/v1/vpc-routers?{inner}"), named("mine")).await;
    let floating = json!({ "name": "first", "description": "", "ip": "203.0.113.1", "pool": "public" });
    create(&client, "/v1/floating-ips?project=web", floating).await;
    let ephemeral = "/v1/instances/db/external-ips/ephemeral?project=web";
    done(&client, Method::POST, ephemeral, json!({ "pool": "public" }), 202).await;
    let route = json!({
        "name": "out", "description": "", "destination": { "type": "ip_net", "value": "0.0.0.0/0" },
        "target": { "type": "internet_gateway", "value": "east" },
    });
    create(&client, &format!("/v1/vpc-router-routes?{inner}&router=mine"), route).await;
    attach_pool(&client).await;
    assert!(!is_held(&client, &uri).await, "a route of another VPC does not count");

    new_route(&client, "mine", "out", "east").await;
    attach_pool(&client).await;
    assert!(is_held(&client, &uri).await, "a route, and an address in the second range");
    delete(&client, &cascading(&uri)).await;
    assert_eq!(names(&list(&client, &routes("mine")).await), ["out"], "no route is deleted");

    delete(&client, ephemeral).await;
    attach_pool(&client).await;
    assert!(!is_held(&client, &uri).await, "an unattached address does not count");
    let to = json!({ "kind": "instance", "parent": "db" });
    done(&client, Method::POST, "/v1/floating-ips/first/attach?project=web", to, 202).await;
    attach_pool(&client).await;
    assert!(is_held(&client, &uri).await, "a floating IP counts, too");
    let route = format!("/v1/vpc-router-routes/out?{WITHIN}&router=mine");
    delete(&client, &route).await;
    assert!(!is_held(&client, &uri).await, "without a route the pool is not in use");

    // Instances send from the default pool, attached to the gateway of the system router's routes.
    let default = pool("default", "default");
    assert!(is_held(&client, &default).await, "a SNAT IP counts, too");
    done(&client, Method::POST, "/v1/floating-ips/first/detach?project=web", Value::Null, 202).await;
    done(&client, Method::POST, "/v1/instances/db/stop?project=web", Value::Null, 202).await;
    cloud.settle();
    delete(&client, "/v1/instances/db?project=web").await;
    assert!(!is_held(&client, &default).await, "no instance is left");
    check_network_invariants(&cloud);
}

#[tokio::test]
async fn attached_pool_without_ranges_can_be_detached() {
    let cloud = web().await;
    let client = cloud.with_token();
    new_pool(&client, "public", &[]).await;
    create(&client, GATEWAYS, named("east")).await;
    create(&client, &format!("/v1/vpc-routers?{WITHIN}"), named("mine")).await;
    new_route(&client, "mine", "out", "east").await;
    client.create_instance("web", "db").await;
    attach_pool(&client).await;
    delete(&client, &pool("east", "pool")).await;
}

#[tokio::test]
async fn attached_address_in_use_cannot_be_detached() {
    let cloud = web().await;
    let client = cloud.with_token();
    new_pool(&client, "public", &[(1, 9)]).await;
    client.create_instance("web", "db").await;
    let ephemeral = "/v1/instances/db/external-ips/ephemeral?project=web";
    let own = done(&client, Method::POST, ephemeral, json!({ "pool": "public" }), 202).await;
    assert_eq!(own["ip"], "203.0.113.1");
    let uri = address("default", "fixed");
    create(&client, &addresses("default"), with_address("fixed", "203.0.113.2")).await;
    delete(&client, &uri).await;
    create(&client, &addresses("default"), with_address("fixed", "203.0.113.1")).await;
    assert_eq!(refused_delete(&client, &uri).await, bad(HELD));
    delete(&client, &cascading(&uri)).await;
    let left = list(&client, &routes("system")).await;
    assert_eq!(names(&left), ["default", "default-v4", "default-v6"]);
    create(&client, GATEWAYS, named("east")).await;
    create(&client, &addresses("east"), with_address("fixed", "203.0.113.1")).await;
    delete(&client, &address("east", "fixed")).await;
    check_network_invariants(&cloud);
}

#[tokio::test]
async fn selectors_identify_objects_by_name_or_id() {
    let cloud = web().await;
    let client = cloud.with_token();
    let vpc = text_of(&see(&client, "/v1/vpcs/default?project=web").await, "id");
    let default = see(&client, &gateway("default")).await;
    let id = text_of(&default, "id");
    for uri in [format!("/v1/internet-gateways/{id}"), format!("/v1/internet-gateways/default?vpc={vpc}")] {
        assert_eq!(see(&client, &uri).await, default, "{uri}");
    }
    let with_id = "when providing gateway as an ID vpc and project should not be specified";
    let alone = "gateway should either be an ID or vpc should be specified";
    for (uri, text) in [
        (format!("/v1/internet-gateways/{id}?vpc=default"), with_id),
        (format!("/v1/internet-gateways/{id}?project=web"), with_id),
        ("/v1/internet-gateways/default".to_owned(), alone),
        ("/v1/internet-gateways/default?project=web".to_owned(), alone),
        (format!("/v1/internet-gateway-ip-pools?gateway={id}&vpc=default"), with_id),
        ("/v1/internet-gateway-ip-pools?gateway=default".to_owned(), alone),
        (format!("/v1/internet-gateway-ip-addresses?gateway={id}&project=web"), with_id),
        ("/v1/internet-gateway-ip-addresses?gateway=default&project=web".to_owned(), alone),
    ] {
        assert_eq!(refused(&client, Method::GET, &uri, &Value::Null).await, bad(text), "{uri}");
    }
    for (what, plural, kind) in [
        ("pool", "pools", "internet-gateway-ip-pool"),
        ("address", "addresses", "internet-gateway-ip-address"),
    ] {
        let base = format!("/v1/internet-gateway-ip-{plural}");
        let both = format!(
            "when providing {what} as an ID gateway, subnet, vpc, and project should not be specified"
        );
        for parent in ["gateway=default", "vpc=default", "project=web"] {
            assert_eq!(refused_delete(&client, &format!("{base}/{id}?{parent}")).await, bad(&both));
        }
        for parents in ["", "?vpc=default&project=web"] {
            let text = format!("{what} should either be an ID or gateway should be specified");
            assert_eq!(refused_delete(&client, &format!("{base}/x{parents}")).await, bad(&text));
        }
        assert_eq!(
            refused_delete(&client, &format!("{base}/x?gateway=default")).await,
            bad(alone),
            "the gateway parameter is checked as elsewhere"
        );
        let by_id = missing(&format!("{kind} with id \"{id}\""));
        assert_eq!(refused_delete(&client, &format!("{base}/{id}")).await, by_id);
        let by_name = missing(&format!("{kind} with name \"x\""));
        assert_eq!(refused_delete(&client, &format!("{base}/x?gateway={id}")).await, by_name);
    }
    let attached = text_of(&list(&client, &pools("default")).await[0], "id");
    delete(&client, &format!("/v1/internet-gateway-ip-pools/{attached}")).await;
}

#[tokio::test]
async fn deleted_vpc_removes_its_gateways_and_routers() {
    let cloud = web().await;
    let client = cloud.with_token();
    create(&client, GATEWAYS, named("east")).await;
    let pool = create(&client, &pools("east"), with_pool("pool", "default")).await;
    let address = create(&client, &addresses("east"), with_address("fixed", "192.0.2.1")).await;
    let router = create(&client, &format!("/v1/vpc-routers?{WITHIN}"), named("mine")).await;
    new_route(&client, "mine", "out", "east").await;
    let route = list(&client, &routes("mine")).await.remove(0);
    let east = see(&client, &gateway("east")).await;
    super::delete_vpc(&client, "default").await;
    for (path, kind, thing) in [
        ("internet-gateways", "internet-gateway", &east),
        ("vpc-routers", "vpc-router", &router),
        ("vpc-router-routes", "router-route", &route),
    ] {
        let id = text_of(thing, "id");
        assert_eq!(
            refused(&client, Method::GET, &format!("/v1/{path}/{id}"), &Value::Null).await,
            missing(&format!("{kind} with id \"{id}\""))
        );
    }
    for (plural, kind, thing) in
        [("pools", "internet-gateway-ip-pool", &pool), ("addresses", "internet-gateway-ip-address", &address)]
    {
        let id = text_of(thing, "id");
        let uri = format!("/v1/internet-gateway-ip-{plural}/{id}");
        assert_eq!(refused_delete(&client, &uri).await, missing(&format!("{kind} with id \"{id}\"")));
    }
    let gone = missing("vpc with name \"default\"");
    for uri in [GATEWAYS.to_owned(), pools("east"), addresses("east"), routes("mine")] {
        assert_eq!(refused(&client, Method::GET, &uri, &Value::Null).await, gone, "{uri}");
    }
    delete(&client, "/v1/projects/web").await;
    check_network_invariants(&cloud);
}
