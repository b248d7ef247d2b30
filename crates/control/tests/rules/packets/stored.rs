//! The network of a VPC as derived from a database.

use std::{net::IpAddr, sync::Arc};

use croft_api::{
    network_interface::InstanceNetworkInterface, router::RouterSelector, scalar::NameOrId, vpc::VpcSelector,
};
use croft_control::{external_ip, instance, network, network_interface, operation, router, subnet, vpc};
use croft_network::{Network, Origin, Packet, Protocol, RouteTarget, decide};
use croft_store::records::Vpc;
use serde_json::json;
use uuid::Uuid;

use super::{NaiveOutcome, name, outcome};
use crate::kit::{Cloud, by_name};

const SSH: Protocol = Protocol::Tcp { port: 22 };

fn vpc_of(cloud: &mut Cloud, project: Uuid, called: &'static str) -> Vpc {
    cloud.rule(move |cx| Ok(cx.tx.get_by_name::<Vpc>(project, called)?.unwrap())).unwrap()
}

fn network_of(cloud: &mut Cloud, vpc: Uuid) -> Network {
    cloud
        .rule(move |cx| {
            let vpc: Vpc = cx.tx.get(vpc)?.unwrap();
            network::of(cx.tx, vpc)
        })
        .unwrap()
}

fn interface_of(cloud: &Cloud, instance: Uuid) -> InstanceNetworkInterface {
    let query = croft_api::page::PageQuery {
        selector: croft_api::network_interface::InstanceSelector {
            instance: NameOrId::Id(instance),
            project: None,
        },
        sort: croft_api::page::NameOrIdSortMode::NameAscending,
        after: None,
        limit: 10,
    };
    let page = cloud.see(&cloud.admin, move |cx, caller| network_interface::list(cx, caller, &query));
    page.unwrap().items.remove(0)
}

fn send(network: &Network, from: Origin, source: IpAddr, to: IpAddr, protocol: Protocol) -> NaiveOutcome {
    outcome(&decide(network, &Packet::new(from, source, to, protocol).unwrap()))
}

#[test]
fn vpcs_with_the_same_addresses_are_isolated() {
    let mut cloud = Cloud::new();
    let (web, shop) = (cloud.project("web").id, cloud.project("shop").id);
    let front = cloud.try_instance("web", "front", &json!({})).unwrap().id;
    let back = cloud.try_instance("web", "back", &json!({})).unwrap().id;
    let till = cloud.try_instance("shop", "front", &json!({})).unwrap().id;
    let (front, back, till) =
        (interface_of(&cloud, front), interface_of(&cloud, back), interface_of(&cloud, till));
    assert_eq!(front.ip, till.ip);
    let (web, shop) = (vpc_of(&mut cloud, web, "default"), vpc_of(&mut cloud, shop, "default"));
    let network = network_of(&mut cloud, web.meta.id);
    let mut inside: Vec<Uuid> = network.interfaces.iter().map(|interface| interface.id).collect();
    inside.sort_unstable();
    let mut expected = [front.id, back.id];
    expected.sort_unstable();
    assert_eq!((inside.as_slice(), network.vni), (expected.as_slice(), web.vni));

    let reaches = |interface: Uuid| NaiveOutcome::Reaches(interface, name("allow-internal-inbound"));
    let other = Protocol::Other;
    let answer = send(&network, Origin::Interface(back.id), back.ip, front.ip, other);
    assert_eq!(answer, reaches(front.id));
    assert_eq!(send(&network, Origin::Interface(till.id), till.ip, back.ip, other), NaiveOutcome::BadSource);
    let elsewhere = network_of(&mut cloud, shop.meta.id);
    assert_eq!(elsewhere.interfaces.len(), 1);
    assert_eq!(send(&elsewhere, Origin::Interface(till.id), till.ip, back.ip, other), NaiveOutcome::Lost);
    // An external address of one VPC is outside for the other.
    let addresses = cloud.see(&cloud.admin, move |cx, caller| {
        external_ip::list(cx, caller, &NameOrId::Id(till.instance_id), None)
    });
    let shared = serde_json::to_value(&addresses.unwrap().items[0]).unwrap();
    let shared: IpAddr = shared["ip"].as_str().unwrap().parse().unwrap();
    let own = network.interface(front.id).unwrap().external.source_nat.unwrap();
    assert_eq!(
        send(&elsewhere, Origin::Outside, "192.0.2.7".parse().unwrap(), shared, SSH),
        NaiveOutcome::Lost
    );
    assert_eq!(shared, own.ip);
    cloud.check_invariants();
}

#[test]
fn names_are_resolved_when_used() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let front = cloud.try_instance("web", "front", &json!({})).unwrap().id;
    let back = cloud.try_instance("web", "back", &json!({})).unwrap().id;
    let (admin, vpc) = (cloud.admin.clone(), vpc_of(&mut cloud, project, "default").meta.id);
    let ephemeral = cloud.act(&admin, &operation::INSTANCE_EPHEMERAL_IP_ATTACH, move |cx, caller| {
        let params = serde_json::from_value(json!({})).unwrap();
        external_ip::ephemeral_attach(cx, caller, &NameOrId::Id(front), None, &params)
    });
    let ephemeral = serde_json::to_value(ephemeral.unwrap()).unwrap();
    let ephemeral: IpAddr = ephemeral["ip"].as_str().unwrap().parse().unwrap();
    let (sender, receiver) = (interface_of(&cloud, back), interface_of(&cloud, front));
    let outside: IpAddr = "192.0.2.7".parse().unwrap();
    let network = network_of(&mut cloud, vpc);
    let expected = NaiveOutcome::Reaches(receiver.id, name("allow-ssh"));
    assert_eq!(send(&network, Origin::Outside, outside, ephemeral, SSH), expected);
    assert_eq!(
        send(&network, Origin::Interface(receiver.id), receiver.ip, outside, SSH),
        NaiveOutcome::Leaves(ephemeral)
    );
    assert_eq!(network.rules.len(), 3);
    let subnet = network.subnet(sender.subnet_id).unwrap();
    let gateways: Vec<usize> = subnet
        .routes()
        .filter_map(|route| match &route.target {
            RouteTarget::Gateway { addresses, .. } => Some(addresses.len()),
            _ => None,
        })
        .collect();
    assert_eq!((gateways.as_slice(), subnet.routes().count()), ([2, 2].as_slice(), 4));

    // The rules refer to the old name of the VPC, which no longer matches anything.
    cloud
        .act(&admin, &operation::VPC_UPDATE, move |cx, caller| {
            let params = serde_json::from_value(json!({"name": "renamed"})).unwrap();
            vpc::update(cx, caller, &NameOrId::Id(vpc), None, &params)
        })
        .unwrap();
    let network = network_of(&mut cloud, vpc);
    assert_eq!(network.rules, []);
    assert_eq!(send(&network, Origin::Outside, outside, ephemeral, SSH), NaiveOutcome::NoRule);
    assert_eq!(
        send(&network, Origin::Interface(sender.id), sender.ip, receiver.ip, SSH),
        NaiveOutcome::NoRule
    );

    cloud
        .act(&admin, &operation::INSTANCE_DELETE, move |cx, caller| {
            instance::delete(cx, caller, &by_name("front"), Some(&by_name("web")))
        })
        .unwrap();
    let network = network_of(&mut cloud, vpc);
    assert_eq!(network.interfaces.len(), 1);
    assert_eq!(send(&network, Origin::Interface(sender.id), sender.ip, receiver.ip, SSH), NaiveOutcome::Lost);
    assert_eq!(send(&network, Origin::Outside, outside, ephemeral, SSH), NaiveOutcome::Lost);
    cloud.check_invariants();
}

#[test]
fn subnets_share_the_routes_of_their_routers() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let vpc = vpc_of(&mut cloud, project, "default").meta.id;
    let admin = cloud.admin.clone();
    let within = VpcSelector { vpc: NameOrId::Id(vpc), project: None };
    let params = serde_json::from_value(json!({"name": "own", "description": ""})).unwrap();
    let inside = within.clone();
    let router = cloud
        .act(&admin, &operation::VPC_ROUTER_CREATE, move |cx, caller| {
            router::create(cx, caller, &inside, &params)
        })
        .unwrap()
        .id;
    for number in 1..=24 {
        let (name, block) = (format!("s{number}"), format!("10.0.{number}.0/24"));
        let router = (number % 2 == 0).then_some(router);
        let params = json!({"name": name, "description": "", "ipv4_block": block, "custom_router": router});
        let (params, inside) = (serde_json::from_value(params).unwrap(), within.clone());
        cloud
            .act(&admin, &operation::VPC_SUBNET_CREATE, move |cx, caller| {
                subnet::create(cx, caller, &inside, &params)
            })
            .unwrap();
    }
    let target = json!({"type": "internet_gateway", "value": "default"});
    for (name, net) in [("one", "198.51.100.0/24"), ("two", "203.0.113.0/24")] {
        let destination = json!({"type": "ip_net", "value": net});
        let route = json!({"name": name, "description": "", "destination": destination, "target": target});
        let params = serde_json::from_value(route).unwrap();
        let on = RouterSelector { router: NameOrId::Id(router), vpc: None, project: None };
        cloud
            .act(&admin, &operation::VPC_ROUTER_ROUTE_CREATE, move |cx, caller| {
                router::route_create(cx, caller, &on, &params)
            })
            .unwrap();
    }
    let network = network_of(&mut cloud, vpc);
    let [first, rest @ ..] = network.subnets.as_slice() else { panic!("{:?}", network.subnets) };
    assert!(rest.iter().all(|subnet| subnet.system_routes.is_shared_with(&first.system_routes)));
    assert_eq!(first.system_routes.len(), 2 + 2 * 25);
    let with_router: Vec<_> =
        network.subnets.iter().filter(|subnet| !subnet.custom_routes.is_empty()).collect();
    assert_eq!(with_router.len(), 12);
    assert!(
        with_router.iter().all(|subnet| subnet.custom_routes.is_shared_with(&with_router[0].custom_routes))
    );
    // Each route occurs once, and so does each address of a gateway.
    assert_eq!(network.routes().count(), first.system_routes.len() + 2);
    let leaving: Vec<_> = network
        .routes()
        .filter_map(|route| match &route.target {
            RouteTarget::Gateway { addresses, .. } => Some(addresses),
            _ => None,
        })
        .collect();
    assert_eq!(leaving.len(), 4);
    assert!(leaving.iter().all(|addresses| Arc::ptr_eq(addresses, leaving[0])));
    cloud.check_invariants();
}
