//! Ports of switches (`docs/rules/networking.md#ports-and-their-settings`).

use serde::{Deserialize, Serialize};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr,
        schema::{Schema, SchemaType},
    },
};
use uuid::Uuid;

use crate::{
    page::Listed,
    scalar::{Name, NameOrId, SwitchLocation},
    switch_port_settings::{LinkFec, LinkSpeed},
};

/// A port of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPort {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The rack.
    pub rack_id: Uuid,
    /// The switch, by its place in the rack.
    #[schema(value_type = String)]
    pub switch_location: SwitchLocation,
    /// The name of the port on the switch.
    pub port_name: Name,
    /// The settings that the port runs; none for a port that does nothing.
    pub port_settings_id: Option<Uuid>,
}

impl Listed for SwitchPort {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// The settings that a port is to run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortApplySettings {
    /// Name or id of the settings.
    pub port_settings: NameOrId,
}

/// The path of one port.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SwitchPortPath {
    /// The name of the port on its switch.
    pub port: Name,
}

/// The switch that a port is on.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SwitchPortSelector {
    /// The rack.
    pub rack_id: Uuid,
    /// The switch, by its place in the rack: `switch0` or `switch1`.
    pub switch_location: Name,
}

/// A selector of ports, which has no effect.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SwitchPortPageSelector {
    /// An id, which has no effect: all ports are listed.
    #[serde(default)]
    pub switch_port_id: Option<Uuid>,
}

/// What is on the link of a port, in the words of the switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchLinkState {
    /// The link.
    pub link: SwitchLink,
    /// Measurements of the transceiver; none where there is no switch to measure.
    pub monitors: Option<SwitchLinkMonitors>,
}

impl PartialSchema for SwitchLinkState {
    fn schema() -> RefOr<Schema> {
        let text = "What is on the link of a port, in the words of the switch.";
        ObjectBuilder::new().schema_type(SchemaType::AnyValue).description(Some(text)).into()
    }
}

impl ToSchema for SwitchLinkState {}

/// The link of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchLink {
    /// The name of the port on its switch.
    pub port_id: Name,
    /// The hardware address of the port.
    pub address: SwitchPortMac,
    /// Whether the port runs settings.
    pub enabled: bool,
    /// Whether it is to agree with the other side on how to speak.
    pub autoneg: bool,
    /// How errors are corrected.
    pub fec: LinkFec,
    /// Whether the link is up.
    pub link_state: LinkState,
    /// How far the switch has got in bringing it up.
    pub fsm_state: LinkState,
    /// What is plugged in.
    pub media: LinkMedia,
    /// How fast it is to be.
    pub speed: LinkSpeed,
}

/// A hardware address, as switches tell theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortMac {
    /// Its octets.
    pub a: [u8; 6],
}

/// What is plugged into a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkMedia {
    /// Nothing.
    None,
}

/// Whether a link is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// Nothing comes from the other side.
    Down,
}

/// Measurements of a transceiver. There are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SwitchLinkMonitors {}
