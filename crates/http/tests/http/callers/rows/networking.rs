//! Rows of the networks of projects and of the fleet.

use serde_json::{Value, json};

use crate::callers::Row;

/// All rows of networking.
pub fn all() -> Vec<Row> {
    [
        pools(),
        ranges(),
        services(),
        bgp(),
        bfd(),
        probes(),
        address_lots(),
        loopback_addresses(),
        switch_ports(),
        port_settings(),
        networks(),
        routers(),
        gateways(),
        interfaces(),
        floating_ips(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub fn route(name: &str) -> Value {
    let destination = json!({ "type": "ip_net", "value": "10.1.0.0/16" });
    json!({ "name": name, "description": "", "target": { "type": "drop" }, "destination": destination })
}

pub fn address(name: &str) -> Value {
    json!({ "name": name, "description": "", "address": "192.0.2.3" })
}

fn pools() -> Vec<Row> {
    let create = json!({ "name": "new", "description": "" });
    let link = json!({ "silo": "rival", "is_default": false });
    vec![
        Row::new("silo_ip_pool_list", "N F FFF FFF +++"),
        Row::new("ip_pool_list", "F F FFF FFF +++"),
        Row::new("ip_pool_create", "F F FFF FFF FF+").body(create.clone()),
        Row::new("ip_pool_view", "N N NNN NNN +++"),
        Row::new("ip_pool_update", "N N NNN NNN FF+").body(create),
        Row::new("ip_pool_delete", "N N NNN NNN FF~"),
        Row::new("ip_pool_silo_list", "N N NNN NNN +++"),
        Row::new("ip_pool_silo_link", "N N NNN NNN FF+").body(link),
        Row::new("ip_pool_silo_update", "N N NNN NNN FF+").body(json!({ "is_default": false })),
        // Addresses of the pool are in use, which is checked last.
        Row::new("ip_pool_silo_unlink", "N N NNN NNN FF~"),
    ]
}

fn ranges() -> Vec<Row> {
    let range = json!({ "first": "192.0.2.1", "last": "192.0.2.9" });
    vec![
        Row::new("ip_pool_range_list", "N N NNN NNN +++"),
        Row::new("ip_pool_range_add", "N N NNN NNN FF+").body(range.clone()),
        // The range does not exist, which is checked last.
        Row::new("ip_pool_range_remove", "N N NNN NNN FF~").body(range.clone()),
        Row::new("ip_pool_service_view", "N N NNN NNN +++"),
        Row::new("ip_pool_service_range_list", "N N NNN NNN +++"),
        Row::new("ip_pool_service_range_add", "N N NNN NNN FF+").body(range.clone()),
        Row::new("ip_pool_service_range_remove", "N N NNN NNN FF~").body(range),
        Row::new("ip_pool_utilization_view", "N N NNN NNN +++"),
    ]
}

/// Operations of the external services.
fn services() -> Vec<Row> {
    let any = json!({ "allowed_ips": { "allow": "any" } });
    vec![
        Row::new("networking_allow_list_view", "F F FFF FFF +++"),
        Row::new("networking_allow_list_update", "F F FFF FFF FF+").body(any),
        Row::new("networking_inbound_icmp_view", "F F FFF FFF +++"),
        Row::new("networking_inbound_icmp_update", "F F FFF FFF FF+").body(json!({ "enabled": false })),
    ]
}

fn bgp() -> Vec<Row> {
    let set = json!({ "name": "new", "description": "", "announcement": [] });
    let config = json!({ "name": "new", "description": "", "asn": 2, "bgp_announce_set_id": "ours" });
    vec![
        Row::new("networking_bgp_config_list", "F F FFF FFF +++"),
        Row::new("networking_bgp_config_create", "F F FFF FFF FF+").body(config),
        Row::new("networking_bgp_config_delete", "N N NNN NNN FF+").query("name_or_id=main"),
        Row::new("networking_bgp_announce_set_list", "F F FFF FFF +++"),
        Row::new("networking_bgp_announce_set_update", "F F FFF FFF FF+").body(set),
        // A configuration announces the set, which is checked last.
        Row::new("networking_bgp_announce_set_delete", "N N NNN NNN FF~"),
        Row::new("networking_bgp_announcement_list", "N N NNN NNN +++"),
        Row::new("networking_bgp_status", "F F FFF FFF +++"),
        Row::new("networking_bgp_exported", "F F FFF FFF +++"),
        Row::new("networking_bgp_message_history", "F F FFF FFF +++").query("asn=1"),
        Row::new("networking_bgp_imported_routes_ipv4", "F F FFF FFF +++").query("asn=1"),
    ]
}

fn bfd() -> Vec<Row> {
    let peer = json!({ "remote": "192.0.2.1", "switch": "switch0" });
    let mut session = peer.clone();
    for (field, value) in
        [("detection_threshold", json!(3)), ("required_rx", json!(1)), ("mode", json!("multi_hop"))]
    {
        session[field] = value;
    }
    vec![
        Row::new("networking_bfd_status", "F F FFF FFF +++"),
        Row::new("networking_bfd_enable", "F F FFF FFF FF+").body(session),
        Row::new("networking_bfd_disable", "F F FFF FFF FF+").body(peer),
    ]
}

/// Probes require a role on the fleet and one on the project, and no caller has both.
fn probes() -> Vec<Row> {
    let create = json!({ "name": "new", "description": "", "sled": "00000000-0000-0000-0000-000000000009" });
    vec![
        Row::inside("probe_list", "N N FFF FFF NNN"),
        Row::inside("probe_create", "N N FFF FFF NNN").body(create),
        Row::inside("probe_view", "N N NNN NNN NNN"),
        Row::inside("probe_delete", "N N NNN NNN NNN"),
    ]
}

fn address_lots() -> Vec<Row> {
    let create = json!({ "name": "new", "description": "", "kind": "infra", "blocks": [] });
    vec![
        Row::new("networking_address_lot_list", "F F FFF FFF +++"),
        Row::new("networking_address_lot_create", "F F FFF FFF FF+").body(create),
        Row::new("networking_address_lot_delete", "N N NNN NNN FF+").at("address_lot", "spare"),
        Row::new("networking_address_lot_block_list", "N N NNN NNN +++"),
    ]
}

fn loopback_addresses() -> Vec<Row> {
    let create = json!({
        "address_lot": "initial-infra", "rack_id": "<rack-id>", "switch_location": "switch0",
        "address": "10.127.0.9", "mask": 32, "anycast": false,
    });
    vec![
        Row::new("networking_loopback_address_list", "F F FFF FFF +++"),
        Row::new("networking_loopback_address_create", "F F FFF FFF FF+").body(create),
        Row::new("networking_loopback_address_delete", "N N NNN NNN FF+").at("address", "10.127.0.1"),
    ]
}

fn switch_ports() -> Vec<Row> {
    let on = "rack_id=<rack-id>&switch_location=switch0";
    let apply = json!({ "port_settings": "tor" });
    let lldp = json!({ "id": "<rack-id>", "enabled": true });
    vec![
        Row::new("networking_switch_port_list", "F F FFF FFF +++"),
        Row::new("networking_switch_port_apply_settings", "N N NNN NNN FF+").query(on).body(apply),
        Row::new("networking_switch_port_clear_settings", "N N NNN NNN FF+").query(on),
        Row::new("networking_switch_port_status", "F F FFF FFF +++").query(on),
        Row::new("networking_switch_port_lldp_config_view", "N N NNN NNN +++").query(on),
        // The ID is of another configuration, which is checked last.
        Row::new("networking_switch_port_lldp_config_update", "N N NNN NNN FF~").query(on).body(lldp),
        Row::new("networking_switch_port_lldp_neighbors", "F F FFF FFF +++"),
    ]
}

/// A body that creates port settings with one link.
pub fn settings(name: &str) -> Value {
    json!({
        "name": name, "description": "", "port_config": { "geometry": "qsfp28x1" }, "addresses": [],
        "links": [{
            "link_name": "phy0", "mtu": 1500, "speed": "speed100_g", "autoneg": false,
            "lldp": { "enabled": true },
        }],
    })
}

fn port_settings() -> Vec<Row> {
    vec![
        Row::new("networking_switch_port_settings_list", "F F FFF FFF +++"),
        Row::new("networking_switch_port_settings_create", "F F FFF FFF FF+").body(settings("new")),
        Row::new("networking_switch_port_settings_view", "N N NNN NNN +++").at("port", "tor"),
        Row::new("networking_switch_port_settings_delete", "F F FFF FFF FF+").query("port_settings=tor"),
    ]
}

fn networks() -> Vec<Row> {
    let vpc = json!({ "name": "new", "description": "", "dns_name": "new" });
    let subnet = json!({ "name": "new", "description": "", "ipv4_block": "10.0.1.0/24" });
    let within = "project=web&vpc=default";
    let instance = |name: &str| json!({ "type": "instance", "value": name });
    let trace = json!({ "source": instance("db"), "destination": instance("up"), "protocol": "icmp" });
    vec![
        Row::inside("vpc_list", "N N +++ +++ NNN"),
        Row::inside("vpc_search", "N N +++ +++ NNN"),
        Row::inside("vpc_create", "N N F++ F++ NNN").body(vpc),
        Row::inside("vpc_view", "N N +++ +++ NNN"),
        Row::inside("vpc_update", "N N F++ F++ NNN").body(json!({ "description": "new" })),
        // The VPC still has subnets, which is checked last.
        Row::inside("vpc_delete", "N N F~~ F~~ NNN"),
        Row::inside("vpc_trace", "N N +++ +++ NNN").body(trace),
        Row::inside("vpc_reachability_changes", "N N +++ +++ NNN").body(json!({ "changes": {} })),
        Row::new("vpc_subnet_list", "N N +++ +++ NNN").query(within),
        Row::new("vpc_subnet_create", "N N F++ F++ NNN").query(within).body(subnet),
        Row::new("vpc_subnet_view", "N N +++ +++ NNN").query(within),
        Row::new("vpc_subnet_update", "N N F++ F++ NNN").query(within).body(json!({})),
        Row::new("vpc_subnet_delete", "N N F++ F++ NNN").query(within).at("subnet", "spare"),
        Row::new("vpc_subnet_list_network_interfaces", "N N +++ +++ NNN").query(within),
        Row::new("vpc_firewall_rules_view", "N N +++ +++ NNN").query(within),
        Row::new("vpc_firewall_rules_update", "N N F++ F++ NNN").query(within).body(json!({})),
    ]
}

fn routers() -> Vec<Row> {
    let named = json!({ "name": "new", "description": "" });
    let (within, on) = ("project=web&vpc=default", "project=web&vpc=default&router=mine");
    vec![
        Row::new("vpc_router_list", "N N +++ +++ NNN").query(within),
        Row::new("vpc_router_create", "N N F++ F++ NNN").query(within).body(named),
        Row::new("vpc_router_view", "N N +++ +++ NNN").query(within),
        Row::new("vpc_router_update", "N N F++ F++ NNN").query(within).body(json!({})),
        Row::new("vpc_router_delete", "N N F++ F++ NNN").query(within),
        Row::new("vpc_router_route_list", "N N +++ +++ NNN").query(on),
        Row::new("vpc_router_route_create", "N N F++ F++ NNN").query(on).body(route("new")),
        Row::new("vpc_router_route_view", "N N +++ +++ NNN").query(on),
        Row::new("vpc_router_route_update", "N N F++ F++ NNN").query(on).body(route("new")),
        Row::new("vpc_router_route_delete", "N N F++ F++ NNN").query(on),
    ]
}

fn gateways() -> Vec<Row> {
    let named = json!({ "name": "new", "description": "" });
    let pool = json!({ "name": "new", "description": "", "ip_pool": "default" });
    let (within, on) = ("project=web&vpc=default", "project=web&vpc=default&gateway=default");
    let all_of_it = "project=web&vpc=default&gateway=default&cascade=true";
    vec![
        Row::new("internet_gateway_list", "N N +++ +++ NNN").query(within),
        Row::new("internet_gateway_create", "N N F++ F++ NNN").query(within).body(named),
        Row::new("internet_gateway_view", "N N +++ +++ NNN").query(within),
        // A pool is attached, which is checked last.
        Row::new("internet_gateway_delete", "N N F~~ F~~ NNN").query(within),
        Row::new("internet_gateway_ip_pool_list", "N N +++ +++ NNN").query(on),
        Row::new("internet_gateway_ip_pool_create", "N N F++ F++ NNN").query(on).body(pool),
        Row::new("internet_gateway_ip_pool_delete", "N N F++ F++ NNN").query(all_of_it),
        Row::new("internet_gateway_ip_address_list", "N N +++ +++ NNN").query(on),
        // The gateway already has an address, which is checked last.
        Row::new("internet_gateway_ip_address_create", "N N F~~ F~~ NNN").query(on).body(address("new")),
        Row::new("internet_gateway_ip_address_delete", "N N F++ F++ NNN").query(all_of_it),
    ]
}

fn interfaces() -> Vec<Row> {
    let create = json!({ "name": "new", "description": "", "vpc_name": "default", "subnet_name": "spare" });
    let on = "project=web&instance=db";
    vec![
        Row::new("instance_network_interface_list", "N N +++ +++ NNN").query(on),
        Row::new("instance_network_interface_create", "N N F++ F++ NNN").query(on).body(create),
        Row::new("instance_network_interface_view", "N N +++ +++ NNN").query(on),
        Row::new("instance_network_interface_update", "N N F++ F++ NNN").query(on).body(json!({})),
        Row::new("instance_network_interface_delete", "N N F++ F++ NNN").query(on),
        Row::inside("instance_external_ip_list", "N N +++ +++ NNN"),
        Row::inside("instance_ephemeral_ip_attach", "N N F++ F++ NNN").body(json!({})),
        Row::inside("instance_ephemeral_ip_detach", "N N F++ F++ NNN"),
    ]
}

fn floating_ips() -> Vec<Row> {
    let create = json!({ "name": "new", "description": "" });
    vec![
        Row::inside("floating_ip_list", "N N +++ +++ NNN"),
        Row::inside("floating_ip_search", "N N +++ +++ NNN"),
        Row::inside("floating_ip_create", "N N F++ F++ NNN").body(create.clone()),
        Row::inside("floating_ip_view", "N N +++ +++ NNN"),
        Row::inside("floating_ip_update", "N N F++ F++ NNN").body(create),
        Row::inside("floating_ip_delete", "N N F++ F++ NNN"),
        Row::inside("floating_ip_attach", "N N F++ F++ NNN")
            .body(json!({ "kind": "instance", "parent": "db" })),
        Row::inside("floating_ip_detach", "N N F++ F++ NNN"),
    ]
}
