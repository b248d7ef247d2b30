use croft_api::{page::IdSortMode, scalar::SwitchLocation, switch_port::SwitchPortPageSelector};
use croft_control::{operation, switch_port};
use serde_json::json;
use uuid::Uuid;

use super::{
    add_port, apply, bad, bgp_config, clear, create_settings, delete_settings, on, page_of, peers, port,
    ports, rack, settings, settings_body,
};
use crate::kit::{Cloud, by_name, refused};

#[test]
fn a_new_rack_has_one_port() {
    let cloud = Cloud::new();
    let all = ports(&cloud);
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].rack_id, all[0].switch_location), (rack(&cloud), SwitchLocation::Switch0));
    assert_eq!((all[0].port_name.as_str(), all[0].port_settings_id), ("qsfp0", None));
    let query = page_of::<_, IdSortMode>(SwitchPortPageSelector { switch_port_id: Some(Uuid::nil()) });
    let filtered = cloud.see(&cloud.admin, move |cx, caller| switch_port::list(cx, caller, &query)).unwrap();
    assert_eq!(filtered.items, all, "the filter has no effect");
}

#[test]
fn settings_are_applied_and_cleared() {
    let mut cloud = Cloud::new();
    let (one, other) = (settings(&mut cloud, "one"), settings(&mut cloud, "other"));
    apply(&mut cloud, "switch0", "qsfp0", &by_name("one")).unwrap();
    assert_eq!(port(&cloud, "qsfp0").port_settings_id, Some(one));
    apply(&mut cloud, "switch0", "qsfp0", &other.into()).unwrap();
    assert_eq!(port(&cloud, "qsfp0").port_settings_id, Some(other), "replaces the first");
    for _ in 0..2 {
        clear(&mut cloud, "switch0", "qsfp0").unwrap();
        assert_eq!(port(&cloud, "qsfp0").port_settings_id, None);
    }
    cloud.check_invariants();
}

#[test]
fn unknown_ports_and_settings_are_not_found() {
    let mut cloud = Cloud::new();
    settings(&mut cloud, "one");
    for (location, name) in [("switch1", "qsfp0"), ("switch0", "qsfp1"), ("nowhere", "qsfp0")] {
        let missing = (404, format!("not found: switch-port with name \"{name}\""));
        assert_eq!(refused(apply(&mut cloud, location, name, &by_name("one"))), missing);
        assert_eq!(refused(clear(&mut cloud, location, name)), missing);
    }
    let elsewhere = croft_api::switch_port::SwitchPortSelector {
        rack_id: Uuid::from_u128(9),
        switch_location: "switch0".parse().unwrap(),
    };
    let admin = cloud.admin.clone();
    let clear = cloud.act(&admin, &operation::NETWORKING_SWITCH_PORT_CLEAR_SETTINGS, move |cx, caller| {
        switch_port::clear_settings(cx, caller, &"qsfp0".parse().unwrap(), &elsewhere)
    });
    assert_eq!(refused(clear), (404, "not found: switch-port with name \"qsfp0\"".to_owned()));
    let missing = (404, "not found: switch-port-settings with name \"none\"".to_owned());
    assert_eq!(refused(apply(&mut cloud, "switch0", "qsfp0", &by_name("none"))), missing);
    let id = Uuid::from_u128(9);
    let missing = (404, format!("not found: switch-port-settings with id \"{id}\""));
    assert_eq!(refused(apply(&mut cloud, "switch0", "qsfp0", &id.into())), missing);
    assert_eq!(port(&cloud, "qsfp0").port_settings_id, None);
}

#[test]
fn deleted_settings_are_cleared_from_ports() {
    let mut cloud = Cloud::new();
    add_port(&mut cloud, SwitchLocation::Switch0, "qsfp1");
    add_port(&mut cloud, SwitchLocation::Switch1, "qsfp0");
    let (one, other) = (settings(&mut cloud, "one"), settings(&mut cloud, "other"));
    apply(&mut cloud, "switch0", "qsfp0", &one.into()).unwrap();
    apply(&mut cloud, "switch0", "qsfp1", &one.into()).unwrap();
    apply(&mut cloud, "switch1", "qsfp0", &other.into()).unwrap();
    delete_settings(&mut cloud, Some(&by_name("one"))).unwrap();
    let run: Vec<_> = ports(&cloud).into_iter().filter_map(|port| port.port_settings_id).collect();
    assert_eq!(run, [other]);
    cloud.check_invariants();
}

#[test]
fn switch_has_one_autonomous_system() {
    let mut cloud = Cloud::new();
    let conflict = (409, "a different asn is already configured on this switch".to_owned());
    for (location, name) in [(SwitchLocation::Switch0, "qsfp1"), (SwitchLocation::Switch1, "qsfp0")] {
        add_port(&mut cloud, location, name);
    }
    for (name, asn) in [("as1", 1), ("as2", 2)] {
        bgp_config(&mut cloud, name, asn);
    }
    let with = |name: &str, configs: &[&str]| {
        let mut body = settings_body(name);
        body["bgp_peers"] = json!([{ "link_name": "phy0", "peers": peers(configs) }]);
        body
    };
    settings(&mut cloud, "plain");
    for (name, configs) in
        [("one", &["as1"][..]), ("same", &["as1"]), ("two", &["as2"]), ("both", &["as1", "as2"])]
    {
        create_settings(&mut cloud, with(name, configs)).unwrap();
    }
    apply(&mut cloud, "switch0", "qsfp0", &by_name("one")).unwrap();
    for name in ["two", "both"] {
        assert_eq!(refused(apply(&mut cloud, "switch0", "qsfp1", &by_name(name))), conflict);
    }
    for name in ["same", "plain", "one"] {
        apply(&mut cloud, "switch0", "qsfp1", &by_name(name)).unwrap();
    }
    apply(&mut cloud, "switch1", "qsfp0", &by_name("two")).unwrap();
    // Both ports of the switch use these settings, so both change together.
    create_settings(&mut cloud, with("one", &["as2"])).unwrap();
    apply(&mut cloud, "switch0", "qsfp0", &by_name("two")).unwrap();
    assert_eq!(refused(create_settings(&mut cloud, with("one", &["as1"]))), conflict);
    create_settings(&mut cloud, with("one", &[])).unwrap();
    cloud.check_invariants();
    create_settings(&mut cloud, with("one", &["as2"])).unwrap();
    clear(&mut cloud, "switch0", "qsfp0").unwrap();
    apply(&mut cloud, "switch0", "qsfp1", &by_name("both")).unwrap();
    cloud.check_invariants();
}

#[test]
fn the_status_of_a_port_is_that_its_link_is_down() {
    let mut cloud = Cloud::new();
    super::furnish(&mut cloud);
    let status = |location: &str, name: &'static str| {
        let on = on(&cloud, location);
        cloud
            .see(&cloud.admin, move |cx, caller| switch_port::status(cx, caller, &name.parse().unwrap(), &on))
    };
    let state = serde_json::to_value(status("switch1", "qsfp7").unwrap()).unwrap();
    let link = json!({
        "port_id": "qsfp7", "address": { "a": [2, 0, 0, 1, 1, 7] }, "enabled": false, "autoneg": false, "fec": "none",
        "link_state": "down", "fsm_state": "down", "media": "none", "speed": "speed0_g",
    });
    assert_eq!(state, json!({ "link": link, "monitors": null }));
    let state = status("switch0", "qsfp0").unwrap();
    assert!(state.link.enabled, "settings are applied to it");
    let text = "invalid switch name switch2: parse switch location error: not a valid location: switch2";
    assert_eq!(refused(status("switch2", "qsfp0")), bad(text));
    let (status, text) = refused(status("switch0", "eth0"));
    assert!(status == 400 && text.starts_with("invalid port name: eth0"), "{text}");
}
