//! Address lots, loopback addresses, ports, their settings, LLDP.

use croft_api::{
    lldp::LldpPortPath,
    loopback_address::LoopbackAddressPath,
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery, SortMode},
    switch_port::{SwitchPortPageSelector, SwitchPortSelector},
    switch_port_settings::SwitchPortSettingsSelector,
};
use croft_control::{address_lot, lldp, loopback_address, operation, switch_port, switch_port_settings};
use serde_json::json;
use uuid::Uuid;

use super::{Call, World, matrix, parse, rule};
use crate::{
    kit::by_name,
    switches::{rack, settings_body},
};

pub fn calls(world: &World) -> Vec<Call> {
    let rack = rack(&world.cloud);
    [lots(), loopbacks(rack), ports(rack), settings(), lldp_configs(rack)].into_iter().flatten().collect()
}

fn page<Mode: SortMode>(sort: Mode) -> PageQuery<NoSelector, Mode> {
    page_of(NoSelector {}, sort)
}

fn page_of<Selector, Mode: SortMode>(selector: Selector, sort: Mode) -> PageQuery<Selector, Mode> {
    PageQuery { selector, sort, after: None, limit: 100 }
}

fn by_names() -> PageQuery<NoSelector, NameOrIdSortMode> {
    page(NameOrIdSortMode::NameAscending)
}

fn by_ids() -> PageQuery<NoSelector, IdSortMode> {
    page(IdSortMode::IdAscending)
}

fn lots() -> Vec<Call> {
    let create = json!({"name": "new", "description": "", "kind": "infra", "blocks": []});
    let lot = || by_name("initial-infra");
    vec![
        (&operation::NETWORKING_ADDRESS_LOT_LIST, {
            rule(|cx, caller| address_lot::list(cx, caller, &by_names()))
        }),
        (&operation::NETWORKING_ADDRESS_LOT_CREATE, {
            rule(move |cx, caller| address_lot::create(cx, caller, &parse(create.clone())))
        }),
        (&operation::NETWORKING_ADDRESS_LOT_DELETE, {
            rule(move |cx, caller| address_lot::delete(cx, caller, &lot()))
        }),
        (&operation::NETWORKING_ADDRESS_LOT_BLOCK_LIST, {
            rule(move |cx, caller| address_lot::block_list(cx, caller, &lot(), &by_ids()))
        }),
    ]
}

fn loopbacks(rack: Uuid) -> Vec<Call> {
    let create = json!({
        "address_lot": "initial-infra", "rack_id": rack, "switch_location": "switch0", "address": "10.127.0.9",
        "mask": 32, "anycast": false,
    });
    let path = move || LoopbackAddressPath {
        rack_id: rack,
        switch_location: "switch0".parse().unwrap(),
        address: [10, 127, 0, 1].into(),
        subnet_mask: 24,
    };
    vec![
        (&operation::NETWORKING_LOOPBACK_ADDRESS_LIST, {
            rule(|cx, caller| loopback_address::list(cx, caller, &by_ids()))
        }),
        (&operation::NETWORKING_LOOPBACK_ADDRESS_CREATE, {
            rule(move |cx, caller| loopback_address::create(cx, caller, &parse(create.clone())))
        }),
        (&operation::NETWORKING_LOOPBACK_ADDRESS_DELETE, {
            rule(move |cx, caller| loopback_address::delete(cx, caller, &path()))
        }),
    ]
}

fn on(rack_id: Uuid) -> SwitchPortSelector {
    SwitchPortSelector { rack_id, switch_location: "switch0".parse().unwrap() }
}

fn ports(rack: Uuid) -> Vec<Call> {
    let port = || "qsfp0".parse().unwrap();
    let all = || page_of(SwitchPortPageSelector::default(), IdSortMode::IdAscending);
    vec![
        (&operation::NETWORKING_SWITCH_PORT_LIST, {
            rule(move |cx, caller| switch_port::list(cx, caller, &all()))
        }),
        (&operation::NETWORKING_SWITCH_PORT_APPLY_SETTINGS, {
            rule(move |cx, caller| {
                let params = parse(json!({"port_settings": "tor"}));
                switch_port::apply_settings(cx, caller, &port(), &on(rack), &params)
            })
        }),
        (&operation::NETWORKING_SWITCH_PORT_CLEAR_SETTINGS, {
            rule(move |cx, caller| switch_port::clear_settings(cx, caller, &port(), &on(rack)))
        }),
        (&operation::NETWORKING_SWITCH_PORT_STATUS, {
            rule(move |cx, caller| switch_port::status(cx, caller, &port(), &on(rack)))
        }),
    ]
}

fn settings() -> Vec<Call> {
    let create = || parse(settings_body("new"));
    let tor = || SwitchPortSettingsSelector { port_settings: Some(by_name("tor")) };
    let all = || page_of(SwitchPortSettingsSelector::default(), NameOrIdSortMode::NameAscending);
    vec![
        (&operation::NETWORKING_SWITCH_PORT_SETTINGS_LIST, {
            rule(move |cx, caller| switch_port_settings::list(cx, caller, &all()))
        }),
        (&operation::NETWORKING_SWITCH_PORT_SETTINGS_CREATE, {
            rule(move |cx, caller| switch_port_settings::create(cx, caller, &create()))
        }),
        (&operation::NETWORKING_SWITCH_PORT_SETTINGS_VIEW, {
            rule(|cx, caller| switch_port_settings::view(cx, caller, &by_name("tor")))
        }),
        (&operation::NETWORKING_SWITCH_PORT_SETTINGS_DELETE, {
            rule(move |cx, caller| switch_port_settings::delete(cx, caller, &tor()))
        }),
    ]
}

fn lldp_configs(rack: Uuid) -> Vec<Call> {
    let port = || "qsfp0".parse().unwrap();
    let path =
        move || LldpPortPath { rack_id: rack, switch_location: "switch0".parse().unwrap(), port: port() };
    vec![
        (&operation::NETWORKING_SWITCH_PORT_LLDP_CONFIG_VIEW, {
            rule(move |cx, caller| lldp::config_view(cx, caller, &port(), &on(rack)))
        }),
        (&operation::NETWORKING_SWITCH_PORT_LLDP_CONFIG_UPDATE, {
            rule(move |cx, caller| {
                let params = parse(json!({"id": Uuid::nil(), "enabled": false}));
                lldp::config_update(cx, caller, &port(), &on(rack), &params)
            })
        }),
        (&operation::NETWORKING_SWITCH_PORT_LLDP_NEIGHBORS, {
            rule(move |cx, caller| lldp::neighbors(cx, caller, &path(), &by_ids()))
        }),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
