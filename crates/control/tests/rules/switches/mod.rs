//! Switches: address lots, loopback addresses, ports, their settings, LLDP.

mod kit;
mod lldp;
mod loopbacks;
mod lots;
mod ports;
mod reservations;
mod round_trip;
mod settings;

use croft_api::{
    Result,
    address_lot::{AddressLotBlock, AddressLotCreateResponse},
    loopback_address::{LoopbackAddress, LoopbackAddressPath},
    page::{IdSortMode, NoSelector, PageQuery, SortMode},
};
use croft_control::{address_lot, loopback_address, operation};
use croft_store::{ListBy, Sort, records::Rack};
use serde_json::{Value, json};
use uuid::Uuid;

pub use kit::settings_body;
use kit::{
    add_port, apply, bgp_config, clear, create_settings, delete_bgp_config, delete_settings, list_settings,
    lldp_config, neighbours_path, on, page_of, peers, port, ports, settings, update_lldp, uses_bgp_config,
    view_settings,
};

use crate::kit::{Cloud, by_name};

fn bad(text: &str) -> (u16, String) {
    (400, text.to_owned())
}

fn page<Mode: SortMode>() -> PageQuery<NoSelector, Mode> {
    PageQuery { selector: NoSelector {}, sort: Mode::default(), after: None, limit: 100 }
}

fn create_lot(cloud: &mut Cloud, params: Value) -> Result<AddressLotCreateResponse> {
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_ADDRESS_LOT_CREATE, move |cx, caller| {
        address_lot::create(cx, caller, &params)
    })
}

/// A body that creates a lot with these blocks.
fn lot_of(name: &str, blocks: &[(&str, &str)]) -> Value {
    let blocks: Vec<Value> =
        blocks.iter().map(|(first, last)| json!({"first_address": first, "last_address": last})).collect();
    json!({"name": name, "description": "", "kind": "infra", "blocks": blocks})
}

fn lot(cloud: &mut Cloud, name: &str, blocks: &[(&str, &str)]) -> AddressLotCreateResponse {
    create_lot(cloud, lot_of(name, blocks)).unwrap()
}

fn delete_lot(cloud: &mut Cloud, name: &str) -> Result<()> {
    let (admin, name) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::NETWORKING_ADDRESS_LOT_DELETE, move |cx, caller| {
        address_lot::delete(cx, caller, &name)
    })
}

fn blocks_of(cloud: &Cloud, name: &str) -> Result<Vec<AddressLotBlock>> {
    let name = by_name(name);
    let page = cloud.see(&cloud.admin, move |cx, caller| {
        address_lot::block_list(cx, caller, &name, &page::<IdSortMode>())
    });
    Ok(page?.items)
}

/// The rack of a new database.
pub fn rack(cloud: &Cloud) -> Uuid {
    let racks = cloud
        .db
        .read_blocking(|tx| Ok::<_, croft_api::Error>(tx.page::<Rack>(ListBy::All, Sort::IdAsc, None, 9)?))
        .unwrap();
    assert_eq!(racks.len(), 1);
    racks[0].meta.id
}

/// Creates an object of each kind.
pub fn furnish(cloud: &mut Cloud) {
    loopback(cloud, "initial-infra", "10.127.0.1", 24, false).unwrap();
    settings(cloud, "tor");
    apply(cloud, "switch0", "qsfp0", &by_name("tor")).unwrap();
}

fn create_loopback(cloud: &mut Cloud, params: Value) -> Result<LoopbackAddress> {
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_LOOPBACK_ADDRESS_CREATE, move |cx, caller| {
        loopback_address::create(cx, caller, &params)
    })
}

/// Creates a loopback address on `switch0`.
fn loopback(cloud: &mut Cloud, lot: &str, address: &str, mask: u8, anycast: bool) -> Result<LoopbackAddress> {
    let params = json!({
        "address_lot": lot, "rack_id": rack(cloud), "switch_location": "switch0", "address": address,
        "mask": mask, "anycast": anycast,
    });
    create_loopback(cloud, params)
}

fn delete_loopback(cloud: &mut Cloud, location: &str, address: &str, mask: u8) -> Result<()> {
    let path = LoopbackAddressPath {
        rack_id: rack(cloud),
        switch_location: location.parse().unwrap(),
        address: address.parse().unwrap(),
        subnet_mask: mask,
    };
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_LOOPBACK_ADDRESS_DELETE, move |cx, caller| {
        loopback_address::delete(cx, caller, &path)
    })
}

fn loopbacks(cloud: &Cloud) -> Vec<LoopbackAddress> {
    cloud
        .see(&cloud.admin, |cx, caller| loopback_address::list(cx, caller, &page::<IdSortMode>()))
        .unwrap()
        .items
}
