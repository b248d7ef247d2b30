//! Helpers for tests of ports and their settings.

use croft_api::{
    Result,
    lldp::{LldpLinkConfig, LldpPortPath},
    page::{IdSortMode, NameOrIdSortMode, PageQuery, SortMode},
    scalar::{NameOrId, SwitchLocation},
    switch_port::{SwitchPort, SwitchPortApplySettings, SwitchPortPageSelector, SwitchPortSelector},
    switch_port_settings::{SwitchPortSettings, SwitchPortSettingsIdentity, SwitchPortSettingsSelector},
};
use croft_control::{bgp, lldp, operation, switch_port, switch_port_settings};
use croft_store::records;
use serde_json::{Value, json};
use uuid::Uuid;

use super::rack;
use crate::kit::{Cloud, by_name};

pub fn page_of<Selector, Mode: SortMode>(selector: Selector) -> PageQuery<Selector, Mode> {
    PageQuery { selector, sort: Mode::default(), after: None, limit: 100 }
}

/// The selector of a switch location of the rack, with or without a switch.
pub fn on(cloud: &Cloud, location: &str) -> SwitchPortSelector {
    SwitchPortSelector { rack_id: rack(cloud), switch_location: location.parse().unwrap() }
}

pub fn ports(cloud: &Cloud) -> Vec<SwitchPort> {
    let query = page_of::<_, IdSortMode>(SwitchPortPageSelector::default());
    cloud.see(&cloud.admin, move |cx, caller| switch_port::list(cx, caller, &query)).unwrap().items
}

/// A port of `switch0`.
pub fn port(cloud: &Cloud, name: &str) -> SwitchPort {
    let found = ports(cloud)
        .into_iter()
        .find(|port| port.switch_location == SwitchLocation::Switch0 && port.port_name.as_str() == name);
    found.unwrap()
}

/// Adds a port to the one that every rack has.
pub fn add_port(cloud: &mut Cloud, switch_location: SwitchLocation, name: &'static str) {
    let rack_id = rack(cloud);
    cloud
        .rule(move |cx| {
            let (meta, port_name) = (cx.new_meta(), name.parse().unwrap());
            let port =
                records::SwitchPort { meta, rack_id, switch_location, port_name, port_settings_id: None };
            Ok(cx.tx.insert(&port)?)
        })
        .unwrap();
}

pub fn apply(cloud: &mut Cloud, location: &str, port: &str, settings: &NameOrId) -> Result<()> {
    let (admin, on, port) = (cloud.admin.clone(), on(cloud, location), port.parse().unwrap());
    let params = SwitchPortApplySettings { port_settings: settings.clone() };
    cloud.act(&admin, &operation::NETWORKING_SWITCH_PORT_APPLY_SETTINGS, move |cx, caller| {
        switch_port::apply_settings(cx, caller, &port, &on, &params)
    })
}

pub fn clear(cloud: &mut Cloud, location: &str, port: &str) -> Result<()> {
    let (admin, on, port) = (cloud.admin.clone(), on(cloud, location), port.parse().unwrap());
    cloud.act(&admin, &operation::NETWORKING_SWITCH_PORT_CLEAR_SETTINGS, move |cx, caller| {
        switch_port::clear_settings(cx, caller, &port, &on)
    })
}

/// A body that creates settings with one link and nothing else.
pub fn settings_body(name: &str) -> Value {
    json!({
        "name": name, "description": "", "port_config": { "geometry": "qsfp28x1" },
        "links": [{
            "link_name": "phy0", "mtu": 9000, "speed": "speed100_g", "autoneg": false, "fec": "rs",
            "lldp": { "enabled": true, "link_name": "uplink", "management_ip": "203.0.113.1" },
        }],
        "addresses": [],
    })
}

pub fn create_settings(cloud: &mut Cloud, params: Value) -> Result<SwitchPortSettings> {
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_SWITCH_PORT_SETTINGS_CREATE, move |cx, caller| {
        switch_port_settings::create(cx, caller, &params)
    })
}

pub fn settings(cloud: &mut Cloud, name: &str) -> Uuid {
    create_settings(cloud, settings_body(name)).unwrap().identity.id
}

pub fn view_settings(cloud: &Cloud, selector: &NameOrId) -> Result<SwitchPortSettings> {
    let selector = selector.clone();
    cloud.see(&cloud.admin, move |cx, caller| switch_port_settings::view(cx, caller, &selector))
}

pub fn list_settings(cloud: &Cloud, port_settings: Option<NameOrId>) -> Vec<SwitchPortSettingsIdentity> {
    let query = page_of::<_, NameOrIdSortMode>(SwitchPortSettingsSelector { port_settings });
    cloud.see(&cloud.admin, move |cx, caller| switch_port_settings::list(cx, caller, &query)).unwrap().items
}

pub fn delete_settings(cloud: &mut Cloud, selector: Option<&NameOrId>) -> Result<()> {
    let selector = SwitchPortSettingsSelector { port_settings: selector.cloned() };
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_SWITCH_PORT_SETTINGS_DELETE, move |cx, caller| {
        switch_port_settings::delete(cx, caller, &selector)
    })
}

/// Creates a BGP configuration with its own empty announce set.
pub fn bgp_config(cloud: &mut Cloud, name: &'static str, asn: u32) -> Uuid {
    cloud
        .rule(move |cx| {
            let set = records::BgpAnnounceSet {
                meta: cx.new_meta(),
                name: name.parse().unwrap(),
                description: "".into(),
                announcements: Vec::new(),
            };
            cx.tx.insert(&set)?;
            let config = records::BgpConfig {
                meta: cx.new_meta(),
                name: name.parse().unwrap(),
                description: "".into(),
                asn,
                bgp_announce_set_id: set.meta.id,
                vrf: None,
            };
            cx.tx.insert(&config)?;
            Ok(config.meta.id)
        })
        .unwrap()
}

/// Peers with these configurations, the first at 198.51.100.1.
pub fn peers(configs: &[&str]) -> Vec<Value> {
    let peers = configs.iter().zip(1..).map(|(config, number)| {
        json!({
            "bgp_config": config, "interface_name": "phy0", "addr": format!("198.51.100.{number}"),
            "hold_time": 6, "idle_hold_time": 3, "delay_open": 0, "connect_retry": 3, "keepalive": 2,
            "communities": [], "enforce_first_as": false,
            "allowed_import": { "type": "no_filtering" }, "allowed_export": { "type": "no_filtering" },
        })
    });
    peers.collect()
}

pub fn delete_bgp_config(cloud: &mut Cloud, name: &str) -> Result<()> {
    let (admin, name) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::NETWORKING_BGP_CONFIG_DELETE, move |cx, caller| {
        bgp::config_delete(cx, caller, &name)
    })
}

pub fn uses_bgp_config(cloud: &mut Cloud, id: Uuid) -> bool {
    cloud.rule(move |cx| Ok(!switch_port_settings::users_of_bgp_config(cx, id)?.is_empty())).unwrap()
}

pub fn lldp_config(cloud: &Cloud, location: &str, port: &str) -> Result<LldpLinkConfig> {
    let (on, port) = (on(cloud, location), port.parse().unwrap());
    cloud.see(&cloud.admin, move |cx, caller| lldp::config_view(cx, caller, &port, &on))
}

pub fn update_lldp(cloud: &mut Cloud, port: &str, config: &LldpLinkConfig) -> Result<()> {
    let (admin, on, port, config) =
        (cloud.admin.clone(), on(cloud, "switch0"), port.parse().unwrap(), config.clone());
    cloud.act(&admin, &operation::NETWORKING_SWITCH_PORT_LLDP_CONFIG_UPDATE, move |cx, caller| {
        lldp::config_update(cx, caller, &port, &on, &config)
    })
}

pub fn neighbours_path(cloud: &Cloud, location: &str) -> LldpPortPath {
    let SwitchPortSelector { rack_id, switch_location } = on(cloud, location);
    LldpPortPath { rack_id, switch_location, port: "qsfp0".parse().unwrap() }
}
