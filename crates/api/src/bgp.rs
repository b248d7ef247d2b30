//! BGP: how the switches tell the world which networks are here (`docs/rules/networking.md#bgp`).

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{Description, IpNet, Ipv4Net, Name, NameOrId, SwitchLocation},
};

/// How the switches speak BGP under one autonomous system number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpConfig {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it last changed.
    pub time_modified: Timestamp,
    /// The autonomous system number.
    pub asn: u32,
    /// The virtual routing and forwarding domain; null for the switch's own.
    pub vrf: Option<String>,
}

impl Listed for BgpConfig {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A configuration to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BgpConfigCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The autonomous system number, which one configuration has at most.
    pub asn: u32,
    /// Name or id of the set of networks that are announced.
    pub bgp_announce_set_id: NameOrId,
    /// The virtual routing and forwarding domain; absent for the switch's own.
    #[serde(default)]
    pub vrf: Option<Name>,
}

/// The configuration that a request is about.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BgpConfigSelector {
    /// Name or id of the configuration.
    pub name_or_id: NameOrId,
}

/// Networks that are announced together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpAnnounceSet {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it last changed, but for its networks.
    pub time_modified: Timestamp,
}

impl Listed for BgpAnnounceSet {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A set to be created, or the networks to take the place of those of the set of that name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BgpAnnounceSetCreate {
    /// Name and description. The description of a set that exists stays.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// All networks of the set, each once.
    pub announcement: Vec<BgpAnnouncementCreate>,
}

/// A network to be announced.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BgpAnnouncementCreate {
    /// Name or id of the address lot that the network is from. It need not exist.
    pub address_lot_block: NameOrId,
    /// The network.
    pub network: IpNet,
}

/// A network that is announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpAnnouncement {
    /// The set it is in.
    pub announce_set_id: Uuid,
    /// The block of the lot that it lies in. Where the lot that was named does not exist or has no such block, an id
    /// that stands for it.
    pub address_lot_block_id: Uuid,
    /// The network.
    #[schema(inline = false)]
    pub network: IpNet,
}

/// The path of one set of networks.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct BgpAnnounceSetPath {
    /// Name or id of the set.
    pub announce_set: NameOrId,
}

/// The autonomous system that a request is about.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BgpAsnSelector {
    /// The autonomous system number.
    pub asn: u32,
}

/// How far a session with a peer has come (RFC 4271).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BgpPeerState {
    /// Not begun.
    Idle,
    /// A connection is being made.
    Connect,
    /// The peer is expected to make a connection.
    Active,
    /// The first message was sent.
    OpenSent,
    /// The first message of the peer was good.
    OpenConfirm,
    /// Both sides agree, and the session is being set up.
    SessionSetup,
    /// Routes are exchanged.
    Established,
}

/// A session with a peer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpPeerStatus {
    /// The peer's address.
    #[schema(value_type = String, format = "ip")]
    pub addr: IpAddr,
    /// The autonomous system number on this side.
    pub local_asn: u32,
    /// The peer's autonomous system number.
    pub remote_asn: u32,
    /// How far the session has come.
    #[schema(inline = false)]
    pub state: BgpPeerState,
    /// How long it has been there, in milliseconds.
    pub state_duration_millis: u64,
    /// The switch that has the session.
    #[schema(inline = false)]
    pub switch: SwitchLocation,
}

/// The networks that are announced to peers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpExported {
    /// Networks by the address of the peer.
    pub exports: BTreeMap<String, Vec<Ipv4Net>>,
}

/// A route that a peer announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpImportedRouteIpv4 {
    /// The network that the route leads to.
    #[schema(inline = false)]
    pub prefix: Ipv4Net,
    /// Where packets to it go next.
    #[schema(value_type = String, format = "ipv4")]
    pub nexthop: Ipv4Addr,
    /// A number that routes of the same way share.
    pub id: u32,
    /// The switch that has the route.
    #[schema(inline = false)]
    pub switch: SwitchLocation,
}

/// Messages exchanged with one peer, as the routing daemon keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BgpMessageHistory(pub serde_json::Value);

impl PartialSchema for BgpMessageHistory {
    fn schema() -> RefOr<Schema> {
        serde_json::Value::schema()
    }
}

impl ToSchema for BgpMessageHistory {
    fn name() -> std::borrow::Cow<'static, str> {
        "BgpMessageHistory".into()
    }
}

/// Messages exchanged by one switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchBgpHistory {
    /// The switch.
    #[schema(inline = false)]
    pub switch: SwitchLocation,
    /// Messages by the address of the peer.
    pub history: BTreeMap<String, BgpMessageHistory>,
}

/// Messages exchanged by all switches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AggregateBgpMessageHistory {
    /// Those of each switch that has some.
    pub switch_histories: Vec<SwitchBgpHistory>,
}
