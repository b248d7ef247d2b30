use croft_api::scalar::{Name, SwitchLocation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// A port of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPort {
    /// Bookkeeping.
    pub meta: Meta,
    /// The rack.
    pub rack_id: Uuid,
    /// The switch.
    pub switch_location: SwitchLocation,
    /// Unique on the switch.
    pub port_name: Name,
    /// The [settings](super::SwitchPortSettings) that the port runs.
    pub port_settings_id: Option<Uuid>,
}

impl SwitchPort {
    /// What [`SWITCH`](Self::SWITCH) finds ports by.
    pub fn switch(rack_id: Uuid, switch_location: SwitchLocation) -> Key {
        Key::combined([rack_id.into(), switch_location.as_str().into()])
    }

    /// What [`PLACE`](Self::PLACE) finds a port by.
    pub fn place(rack_id: Uuid, switch_location: SwitchLocation, port_name: &Name) -> Key {
        Key::combined([rack_id.into(), switch_location.as_str().into(), port_name.as_str().into()])
    }
}

record! {
    SwitchPort as port {
        table: Table::new("switch_port");
        scope: Scope::FLEET;
        search: Searched::by_id().name("name", &port.port_name);
        lookups: {
            /// The ports of a switch.
            SWITCH: Lookup::new("switch", KeyKind::Bytes) =
                SwitchPort::switch(port.rack_id, port.switch_location);
            /// The port of a switch with a name.
            PLACE: Lookup::unique("place", KeyKind::Bytes) =
                SwitchPort::place(port.rack_id, port.switch_location, &port.port_name);
            /// The ports that run the same settings.
            SETTINGS: Lookup::new("port_settings_id", KeyKind::Id) = port.port_settings_id;
        }
    }
}
