use std::net::IpAddr;

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// What the addresses of a lot are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressLotKind {
    /// The rack's own equipment: ports and loopback interfaces of its switches.
    Infra,
    /// Instances, by way of IP pools.
    Pool,
}

/// Addresses for the rack's own network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressLot {
    /// Bookkeeping.
    pub meta: Meta,
    /// Unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// What the addresses are for.
    pub kind: AddressLotKind,
}

record! {
    AddressLot as lot {
        table: Table::named("address_lot");
        name: Some(lot.name.as_str());
        scope: Scope::FLEET;
        search: Searched::named(&lot.name, &lot.description);
    }
}

/// Consecutive addresses of a lot, both ends included. Blocks may overlap, but a lot has no two equal ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressLotBlock {
    /// Bookkeeping.
    pub meta: Meta,
    /// The lot.
    pub address_lot_id: Uuid,
    /// The first address.
    pub first: IpAddr,
    /// The last address, of the same family and not before the first.
    pub last: IpAddr,
}

impl AddressLotBlock {
    /// Whether an address is in the block.
    pub fn contains(&self, address: IpAddr) -> bool {
        // Addresses of different families compare by their families.
        (self.first..=self.last).contains(&address)
    }

    /// What [`BOUNDS`](Self::BOUNDS) finds a block by.
    pub fn bounds(address_lot_id: Uuid, first: IpAddr, last: IpAddr) -> Key {
        Key::combined([address_lot_id.into(), first.into(), last.into()])
    }
}

record! {
    AddressLotBlock as block {
        table: Table::new("address_lot_block").by_parent(&[Order::Id]);
        parent: block.address_lot_id;
        scope: Scope::FLEET;
        search: Searched::by_id().range("range", block.first, block.last);
        lookups: {
            /// The block of a lot with these ends.
            BOUNDS: Lookup::unique("bounds", KeyKind::Bytes) =
                AddressLotBlock::bounds(block.address_lot_id, block.first, block.last);
        }
    }
}

/// An address of a lot that something uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressReservation {
    /// Bookkeeping.
    pub meta: Meta,
    /// The lot.
    pub address_lot_id: Uuid,
    /// The block that the address was found in.
    pub address_lot_block_id: Uuid,
    /// What uses it: a loopback address, or settings of switch ports.
    pub holder_id: Uuid,
    /// The address.
    pub address: IpAddr,
    /// Whether others may use it too that say the same.
    pub anycast: bool,
}

impl AddressReservation {
    /// What [`ADDRESS`](Self::ADDRESS) and [`EXCLUSIVE`](Self::EXCLUSIVE) find reservations by.
    pub fn address(address_lot_id: Uuid, address: IpAddr) -> Key {
        Key::combined([address_lot_id.into(), address.into()])
    }
}

record! {
    AddressReservation as reservation {
        table: Table::new("address_reservation").by_parent(&[Order::Id]);
        parent: reservation.address_lot_id;
        scope: Scope::FLEET;
        lookups: {
            /// The reservations of an address.
            ADDRESS: Lookup::new("address", KeyKind::Bytes) =
                AddressReservation::address(reservation.address_lot_id, reservation.address);
            /// The reservation of an address that lets no other stand beside it: one at most.
            EXCLUSIVE: Lookup::unique("exclusive_address", KeyKind::Bytes) = (!reservation.anycast)
                .then(|| AddressReservation::address(reservation.address_lot_id, reservation.address));
            /// What something uses.
            HOLDER: Lookup::new("holder_id", KeyKind::Id) = reservation.holder_id;
        }
    }
}
