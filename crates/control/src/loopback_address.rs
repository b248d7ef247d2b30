//! Loopback addresses of switches (`docs/rules/networking.md#loopback-addresses`).

use std::net::IpAddr;

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    loopback_address::{self as api, LoopbackAddressCreate, LoopbackAddressPath},
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{IpNet, Ipv4Net, Ipv6Net, ScalarError, SwitchLocation},
};
use croft_store::{ListBy, StoreError, records::LoopbackAddress};

use crate::{
    Caller, Cx, Declaration, LookupResult, Resource, address_lot,
    authz::{self, Kind, Permission, ResourceScope},
    paging, rack,
};

crate::authz::operations! {
    contract {
        NETWORKING_LOOPBACK_ADDRESS_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
        NETWORKING_LOOPBACK_ADDRESS_CREATE = changes(Kind::SYSTEM_NETWORK, Permission::Create, 201);
        NETWORKING_LOOPBACK_ADDRESS_DELETE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
    }
}

impl Resource for LoopbackAddress {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::SYSTEM_NETWORK).message(ResourceKind::LoopbackAddress);
}

fn to_view(loopback: &LoopbackAddress) -> api::LoopbackAddress {
    api::LoopbackAddress {
        id: loopback.meta.id,
        address_lot_block_id: loopback.address_lot_block_id,
        rack_id: loopback.rack_id,
        switch_location: loopback.switch_location,
        address: loopback.address,
    }
}

/// The network of an address with a prefix length.
fn network(address: IpAddr, width: u8) -> Result<IpNet, ScalarError> {
    match address {
        IpAddr::V4(address) => Ipv4Net::new(address, width).map(IpNet::V4),
        IpAddr::V6(address) => Ipv6Net::new(address, width).map(IpNet::V6),
    }
}

/// The name in messages.
fn name(address: IpAddr, width: u8) -> String {
    format!("lo {address}/{width}")
}

/// `networking_loopback_address_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::LoopbackAddress>> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_LOOPBACK_ADDRESS_LIST)?;
    let addresses: Vec<LoopbackAddress> = paging::page(cx.tx, ListBy::All, query)?;
    Ok(query.results(addresses.iter().map(to_view).collect()))
}

/// `networking_loopback_address_create`: with an address of a lot that is free, or used for anycast only.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &LoopbackAddressCreate,
) -> Result<api::LoopbackAddress> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_LOOPBACK_ADDRESS_CREATE)?;
    let switch_location: SwitchLocation = params
        .switch_location
        .as_str()
        .parse()
        .map_err(|_| Error::invalid_request("Switch location must be switch0 or switch1"))?;
    let rack = rack::enter(cx, caller, params.rack_id)?;
    let lot = address_lot::find(cx, &params.address_lot)?.authorize(cx, caller, Permission::Read)?;
    let address =
        network(params.address, params.mask).map_err(|_| Error::invalid_request("invalid address"))?;
    let meta = cx.new_meta();
    let lot = address_lot::OpenLot::new(cx.tx, &lot)?;
    let address_lot_block_id = lot.reserve(cx, params.address, params.anycast, meta.id)?;
    let loopback =
        LoopbackAddress { meta, rack_id: rack.meta.id, switch_location, address, address_lot_block_id };
    cx.tx.insert(&loopback).map_err(|error| match error {
        StoreError::Exists => Error::exists(ResourceKind::LoopbackAddress, name(params.address, params.mask)),
        error => error.into(),
    })?;
    Ok(to_view(&loopback))
}

/// `networking_loopback_address_delete`: returns the address to its lot.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, path: &LoopbackAddressPath) -> Result<()> {
    let address =
        network(path.address, path.subnet_mask).map_err(|_| Error::invalid_request("invalid ip address"))?;
    let record = match path.switch_location.as_str().parse::<SwitchLocation>() {
        Ok(location) => {
            cx.tx.find(LoopbackAddress::PLACE, LoopbackAddress::place(path.rack_id, location, address))?
        }
        Err(_) => None,
    };
    let found: LookupResult<LoopbackAddress> =
        LookupResult::new(record, Lookup::Name(name(path.address, path.subnet_mask)));
    let loopback = found.authorize(cx, caller, &operation::NETWORKING_LOOPBACK_ADDRESS_DELETE)?;
    address_lot::release(cx, loopback.meta.id)?;
    cx.tx.remove::<LoopbackAddress>(loopback.meta.id, cx.now)?;
    Ok(())
}
