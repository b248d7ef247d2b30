use croft_api::{
    lldp::{LldpLinkConfig, LldpLinkConfigCreate},
    page::IdSortMode,
};
use croft_control::lldp;
use serde_json::json;
use uuid::Uuid;

use super::{
    apply, bad, create_settings, lldp_config, neighbours_path, page, settings, settings_body, update_lldp,
    view_settings,
};
use crate::kit::{Cloud, by_name, refused};

#[test]
fn lldp_config_of_a_port_is_that_of_its_first_link() {
    let mut cloud = Cloud::new();
    let mut body = settings_body("tor");
    let mut second = body["links"][0].clone();
    second["link_name"] = json!("phy1");
    second["lldp"] = json!({ "enabled": false });
    body["links"].as_array_mut().unwrap().push(second);
    let created = create_settings(&mut cloud, body).unwrap();
    apply(&mut cloud, "switch0", "qsfp0", &by_name("tor")).unwrap();
    let first = lldp_config(&cloud, "switch0", "qsfp0").unwrap();
    let configs: Vec<_> = created.links.iter().map(|link| link.lldp_link_config.clone().unwrap()).collect();
    assert_eq!(first, configs[0]);
    assert_ne!(configs[0].id, configs[1].id, "each port has its own configuration");
    assert_eq!(first.config.link_name.as_deref(), Some("uplink"));
    assert_eq!(first.config.management_ip, Some([203, 0, 113, 1].into()));
}

#[test]
fn lldp_config_is_replaced_as_a_whole() {
    let mut cloud = Cloud::new();
    settings(&mut cloud, "tor");
    apply(&mut cloud, "switch0", "qsfp0", &by_name("tor")).unwrap();
    let current = lldp_config(&cloud, "switch0", "qsfp0").unwrap().id;
    let config = LldpLinkConfigCreate {
        enabled: false,
        link_name: None,
        link_description: Some("to the world".to_owned()),
        chassis_id: Some("chassis".to_owned()),
        system_name: None,
        system_description: None,
        management_ip: None,
    };
    let given = LldpLinkConfig { id: Uuid::from_u128(9), config };
    let text = format!("id ({current}) doesn't match provided config ({})", given.id);
    assert_eq!(refused(update_lldp(&mut cloud, "qsfp0", &given)), bad(&text));
    let given = LldpLinkConfig { id: current, ..given };
    let before = view_settings(&cloud, &by_name("tor")).unwrap();
    cloud.pass_seconds(1);
    update_lldp(&mut cloud, "qsfp0", &given).unwrap();
    assert_eq!(lldp_config(&cloud, "switch0", "qsfp0").unwrap(), given);
    let shown = view_settings(&cloud, &by_name("tor")).unwrap();
    assert_eq!(shown.links[0].lldp_link_config, Some(given));
    assert!(shown.identity.time_modified > before.identity.time_modified);
    cloud.check_invariants();
}

#[test]
fn ports_without_config_are_refused() {
    let mut cloud = Cloud::new();
    let unset = bad("unsupported value for \"settings\": switch port not yet configured");
    assert_eq!(refused(lldp_config(&cloud, "switch0", "qsfp0")), unset);
    for (location, port) in [("switch1", "qsfp0"), ("switch0", "qsfp7"), ("nowhere", "qsfp0")] {
        let missing = (404, format!("not found: switch-port with name \"{port}\""));
        assert_eq!(refused(lldp_config(&cloud, location, port)), missing);
    }
    let config = LldpLinkConfig {
        id: Uuid::nil(),
        config: serde_json::from_value(json!({ "enabled": true })).unwrap(),
    };
    assert_eq!(refused(update_lldp(&mut cloud, "qsfp0", &config)), unset);
    let mut body = settings_body("bare");
    body["links"] = json!([]);
    create_settings(&mut cloud, body).unwrap();
    apply(&mut cloud, "switch0", "qsfp0", &by_name("bare")).unwrap();
    let none = bad("unsupported value for \"settings\": lldp not configured for this port");
    assert_eq!(refused(lldp_config(&cloud, "switch0", "qsfp0")), none);
    assert_eq!(refused(update_lldp(&mut cloud, "qsfp0", &config)), none);
}

#[test]
fn a_port_has_no_neighbors() {
    let cloud = Cloud::new();
    let neighbours = |location: &str| {
        let path = neighbours_path(&cloud, location);
        cloud.see(&cloud.admin, move |cx, caller| lldp::neighbors(cx, caller, &path, &page::<IdSortMode>()))
    };
    let found = neighbours("switch1").unwrap();
    assert!(found.items.is_empty() && found.next_page.is_none());
    let text = "invalid switch name up: parse switch location error: not a valid location: up";
    assert_eq!(refused(neighbours("up")), bad(text));
}
