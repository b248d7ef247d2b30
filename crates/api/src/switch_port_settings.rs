//! What ports of switches run (`docs/rules/networking.md#port-settings`).

mod bgp_peer;
mod create;
mod view;

pub use bgp_peer::{BgpPeer, BgpPeerConfig, BgpSession, ImportExportPolicy};
pub use create::{
    Address, AddressConfig, LinkConfigCreate, Route, RouteConfig, SwitchInterfaceConfigCreate,
    SwitchInterfaceKind, SwitchPortConfigCreate, SwitchPortSettingsCreate,
};
pub use view::{
    SwitchInterfaceConfig, SwitchInterfaceConfigKind, SwitchPortAddressView, SwitchPortConfig,
    SwitchPortLinkConfig, SwitchPortRouteConfig, SwitchPortSettings, SwitchPortSettingsGroups,
    SwitchPortSettingsIdentity, SwitchVlanInterfaceConfig,
};

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::scalar::NameOrId;

/// How the lanes of a port are put together to links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SwitchPortGeometry {
    /// One link of a QSFP28 module.
    Qsfp28x1,
    /// Two links of a QSFP28 module.
    Qsfp28x2,
    /// Four links of SFP28 modules.
    Sfp28x4,
}

/// How errors of a link are corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkFec {
    /// By a fire code.
    Firecode,
    /// Not at all.
    None,
    /// By a Reed-Solomon code.
    Rs,
}

/// How fast a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkSpeed {
    /// Not at all.
    Speed0G,
    /// 1 Gbit/s.
    Speed1G,
    /// 10 Gbit/s.
    Speed10G,
    /// 25 Gbit/s.
    Speed25G,
    /// 40 Gbit/s.
    Speed40G,
    /// 50 Gbit/s.
    Speed50G,
    /// 100 Gbit/s.
    Speed100G,
    /// 200 Gbit/s.
    Speed200G,
    /// 400 Gbit/s.
    Speed400G,
}

/// How a transmitter shapes its signal. What is absent is left to the switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TxEqConfig {
    /// The first tap before the main one.
    #[serde(default)]
    pub pre1: Option<i32>,
    /// The second tap before the main one.
    #[serde(default)]
    pub pre2: Option<i32>,
    /// The main tap.
    #[serde(default)]
    pub main: Option<i32>,
    /// The second tap after the main one.
    #[serde(default)]
    pub post2: Option<i32>,
    /// The first tap after the main one.
    #[serde(default)]
    pub post1: Option<i32>,
}

/// The path of one object of settings.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SwitchPortSettingsPath {
    /// Name or id of the settings.
    pub port: NameOrId,
}

/// Which settings are meant.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SwitchPortSettingsSelector {
    /// Name or id of the settings.
    #[serde(default)]
    pub port_settings: Option<NameOrId>,
}
