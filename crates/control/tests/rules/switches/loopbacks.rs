use serde_json::json;
use uuid::Uuid;

use super::{bad, blocks_of, create_loopback, delete_loopback, delete_lot, loopback, loopbacks, lot, rack};
use crate::kit::{Cloud, refused};

const LOT: &[(&str, &str)] = &[("203.0.113.10", "203.0.113.20"), ("fd00::1", "fd00::9")];

#[test]
fn loopback_address_is_reserved_and_released() {
    let mut cloud = Cloud::new();
    lot(&mut cloud, "lot", LOT);
    let created = loopback(&mut cloud, "lot", "203.0.113.10", 24, false).unwrap();
    assert_eq!(created.address.to_string(), "203.0.113.10/24", "host bits are kept");
    assert_eq!(created.rack_id, rack(&cloud));
    let blocks = blocks_of(&cloud, "lot").unwrap();
    let block = blocks.iter().find(|block| block.first_address.is_ipv4()).unwrap();
    assert_eq!(created.address_lot_block_id, block.id);
    assert_eq!(loopbacks(&cloud), [created]);
    assert_eq!(refused(delete_lot(&mut cloud, "lot")), bad("lot is in use"));
    cloud.check_invariants();
    delete_loopback(&mut cloud, "switch0", "203.0.113.10", 24).unwrap();
    assert!(loopbacks(&cloud).is_empty());
    cloud.check_invariants();
    loopback(&mut cloud, "lot", "203.0.113.10", 24, false).unwrap();
    delete_loopback(&mut cloud, "switch0", "203.0.113.10", 24).unwrap();
    delete_lot(&mut cloud, "lot").unwrap();
    cloud.check_invariants();
}

#[test]
fn checks_have_a_fixed_order() {
    let mut cloud = Cloud::new();
    lot(&mut cloud, "lot", LOT);
    loopback(&mut cloud, "lot", "203.0.113.10", 32, false).unwrap();
    let unknown = Uuid::from_u128(9);
    let mut params = json!({
        "address_lot": "none", "rack_id": unknown, "switch_location": "switch2", "address": "203.0.113.9",
        "mask": 33, "anycast": false,
    });
    let steps = [
        ("switch_location", json!("switch0"), bad("Switch location must be switch0 or switch1")),
        ("rack_id", json!(rack(&cloud)), (404, format!("not found: rack with id \"{unknown}\""))),
        ("address_lot", json!("lot"), (404, "not found: address-lot with name \"none\"".to_owned())),
        ("mask", json!(32), bad("invalid address")),
        ("address", json!("203.0.113.10"), bad("address not in lot")),
        ("address", json!("203.0.113.11"), bad("address unavailable")),
    ];
    for (field, right, refusal) in steps {
        assert_eq!(refused(create_loopback(&mut cloud, params.clone())), refusal);
        params[field] = right;
    }
    create_loopback(&mut cloud, params).unwrap();
    assert_eq!(refused(loopback(&mut cloud, "lot", "fd00::1", 129, false)), bad("invalid address"));
    loopback(&mut cloud, "lot", "fd00::1", 128, false).unwrap();
    assert_eq!(loopbacks(&cloud).len(), 3);
    cloud.check_invariants();
}

#[test]
fn anycast_addresses_can_be_shared_by_switches() {
    let mut cloud = Cloud::new();
    lot(&mut cloud, "lot", LOT);
    let on = |rack: Uuid, location: &str, anycast: bool| {
        json!({
            "address_lot": "lot", "rack_id": rack, "switch_location": location, "address": "203.0.113.12",
            "mask": 32, "anycast": anycast,
        })
    };
    let rack = rack(&cloud);
    create_loopback(&mut cloud, on(rack, "switch0", true)).unwrap();
    create_loopback(&mut cloud, on(rack, "switch1", true)).unwrap();
    let again = refused(create_loopback(&mut cloud, on(rack, "switch0", true)));
    assert_eq!(again, bad("already exists: loopback-address \"lo 203.0.113.12/32\""));
    let alone = refused(create_loopback(&mut cloud, on(rack, "switch0", false)));
    assert_eq!(alone, bad("address unavailable"));
    loopback(&mut cloud, "lot", "203.0.113.12", 24, true).unwrap();
    for (location, mask) in [("switch0", 32), ("switch1", 32), ("switch0", 24)] {
        assert_eq!(refused(create_loopback(&mut cloud, on(rack, "switch1", false))).0, 400);
        delete_loopback(&mut cloud, location, "203.0.113.12", mask).unwrap();
        cloud.check_invariants();
    }
    create_loopback(&mut cloud, on(rack, "switch1", false)).unwrap();
    assert_eq!(refused(create_loopback(&mut cloud, on(rack, "switch0", true))), bad("address unavailable"));
    cloud.check_invariants();
}

#[test]
fn deleting_an_unknown_address_fails() {
    let mut cloud = Cloud::new();
    loopback(&mut cloud, "initial-infra", "10.127.0.1", 32, false).unwrap();
    for (location, address, mask) in [
        ("switch1", "10.127.0.1", 32),
        ("switch0", "10.127.0.2", 32),
        ("switch0", "10.127.0.1", 31),
        ("somewhere", "10.127.0.1", 32),
    ] {
        let text = format!("not found: loopback-address with name \"lo {address}/{mask}\"");
        assert_eq!(refused(delete_loopback(&mut cloud, location, address, mask)), (404, text));
    }
    for (address, mask) in [("10.127.0.1", 33), ("fd00::1", 129), ("10.127.0.1", 255)] {
        let refusal = refused(delete_loopback(&mut cloud, "switch0", address, mask));
        assert_eq!(refusal, bad("invalid ip address"));
    }
    assert_eq!(loopbacks(&cloud).len(), 1);
}
