use croft_api::{address_lot::AddressLotKind, page::NameOrIdSortMode, scalar::NameOrId};
use croft_control::{address_lot, operation};
use serde_json::json;

use super::{bad, blocks_of, create_lot, delete_lot, lot, lot_of, page};
use crate::kit::{Cloud, refused};

fn lot_names(cloud: &Cloud) -> Vec<String> {
    let lots = cloud
        .see(&cloud.admin, |cx, caller| address_lot::list(cx, caller, &page::<NameOrIdSortMode>()))
        .unwrap();
    lots.items.iter().map(|lot| lot.name.to_string()).collect()
}

#[test]
fn a_new_database_has_one_lot_with_one_block() {
    let cloud = Cloud::new();
    assert_eq!(lot_names(&cloud), ["initial-infra"]);
    assert_eq!(blocks_of(&cloud, "initial-infra").unwrap().len(), 1);
    let lots = cloud
        .see(&cloud.admin, |cx, caller| address_lot::list(cx, caller, &page::<NameOrIdSortMode>()))
        .unwrap();
    assert_eq!(lots.items[0].kind, AddressLotKind::Infra);
}

#[test]
fn a_lot_is_created_once_and_gets_the_blocks_it_lacks() {
    let mut cloud = Cloud::new();
    let first = lot(&mut cloud, "parkinglot", &[("203.0.113.10", "203.0.113.20"), ("fd00::1", "fd00::9")]);
    assert_eq!(first.blocks.len(), 2);
    cloud.pass_seconds(10);
    let again = json!({
        "name": "parkinglot", "description": "other", "kind": "pool", "blocks": [
            {"first_address": "203.0.113.15", "last_address": "203.0.113.15"},
            {"first_address": "203.0.113.10", "last_address": "203.0.113.20"},
        ],
    });
    let second = create_lot(&mut cloud, again).unwrap();
    assert_eq!(second.lot, first.lot, "kind, description and times are unchanged");
    assert_eq!(second.blocks[1], first.blocks[0], "reused");
    let mut expected = first.blocks.clone();
    expected.push(second.blocks[0].clone());
    expected.sort_by_key(|block| block.id);
    assert_eq!(blocks_of(&cloud, "parkinglot").unwrap(), expected);
    let twice = lot(&mut cloud, "other", &[("203.0.113.10", "203.0.113.20"); 2]);
    assert_eq!(twice.blocks[0], twice.blocks[1], "the same block, requested twice");
    assert_ne!(twice.blocks[0].id, first.blocks[0].id, "lots may overlap");
    assert_eq!(lot_names(&cloud), ["initial-infra", "other", "parkinglot"]);
    cloud.check_invariants();
}

#[test]
fn invalid_blocks_are_refused() {
    let mut cloud = Cloud::new();
    let backwards = bad("Invalid range, first must be <= last");
    let mixed = bad("Block bounds must be in same address family");
    for (first, last, text) in [
        ("203.0.113.20", "203.0.113.10", &backwards),
        ("fd00::2", "fd00::1", &backwards),
        ("203.0.113.10", "fd00::1", &mixed),
        ("fd00::1", "203.0.113.10", &mixed),
    ] {
        let blocks = [("192.0.2.1", "192.0.2.1"), (first, last)];
        assert_eq!(refused(create_lot(&mut cloud, lot_of("lot", &blocks))), *text);
    }
    assert_eq!(lot_names(&cloud), ["initial-infra"]);
    let mut long = lot_of("lot", &[]);
    long["description"] = json!("x".repeat(600));
    let text = refused(create_lot(&mut cloud, long)).1;
    assert!(text.starts_with("unsupported value for \"description\""), "{text}");
}

#[test]
fn a_deleted_lot_is_gone_with_its_blocks() {
    let mut cloud = Cloud::new();
    let first = lot(&mut cloud, "lot", &[("203.0.113.10", "203.0.113.20")]);
    delete_lot(&mut cloud, "lot").unwrap();
    let missing = (404, "not found: address-lot with name \"lot\"".to_owned());
    assert_eq!(refused(blocks_of(&cloud, "lot")), missing);
    assert_eq!(refused(delete_lot(&mut cloud, "lot")), missing);
    let (admin, id) = (cloud.admin.clone(), first.lot.id);
    let by_id = cloud.act(&admin, &operation::NETWORKING_ADDRESS_LOT_DELETE, move |cx, caller| {
        address_lot::delete(cx, caller, &NameOrId::Id(id))
    });
    assert_eq!(refused(by_id), (404, format!("not found: address-lot with id \"{id}\"")));
    let second = lot(&mut cloud, "lot", &[("203.0.113.10", "203.0.113.20")]);
    assert_ne!(second.lot.id, first.lot.id);
    assert_ne!(second.blocks[0].id, first.blocks[0].id);
    cloud.check_invariants();
}
