use croft_api::scalar::{IpNet, SwitchLocation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// An address of a switch itself, on none of its ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopbackAddress {
    /// Bookkeeping.
    pub meta: Meta,
    /// The rack.
    pub rack_id: Uuid,
    /// The switch.
    pub switch_location: SwitchLocation,
    /// The address, and the width of its network's prefix.
    pub address: IpNet,
    /// The block that the address is [reserved](super::AddressReservation) in.
    pub address_lot_block_id: Uuid,
}

impl LoopbackAddress {
    /// What [`PLACE`](Self::PLACE) finds an address by.
    pub fn place(rack_id: Uuid, switch_location: SwitchLocation, address: IpNet) -> Key {
        Key::combined([rack_id.into(), switch_location.as_str().into(), address.to_string().into()])
    }
}

record! {
    LoopbackAddress as loopback {
        table: Table::new("loopback_address");
        scope: Scope::FLEET;
        search: Searched::by_id().network("address", loopback.address);
        lookups: {
            /// An address of a switch, which has it once.
            PLACE: Lookup::unique("place", KeyKind::Bytes) =
                LoopbackAddress::place(loopback.rack_id, loopback.switch_location, loopback.address);
        }
    }
}
