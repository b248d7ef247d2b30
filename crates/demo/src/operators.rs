//! Resources of operators besides silos and pools: alert receivers, networking of the rack, a support bundle.

use croft_api::{
    Error, Result,
    scalar::{Name, SwitchLocation},
    switch_port::SwitchPortSelector,
};
use croft_control::{
    address_lot,
    alert::{self, WebhookAnswer, WebhookRequest, WebhookSender},
    bgp, loopback_address, operation, support_bundle, switch_port, switch_port_settings,
};
use croft_store::{
    ListBy, Sort,
    records::{AlertDelivery, AlertDeliveryState, AlertReceiver, Rack},
};
use uuid::Uuid;

use crate::stage::{DemoTransaction, Person, named};

/// The host of the receiver that never accepts deliveries.
const DEAF: &str = "pager.invalid";

/// Simulates the receivers' responses while the demo is created.
pub struct Receivers;

impl WebhookSender for Receivers {
    fn send(&self, request: WebhookRequest, done: Box<dyn FnOnce(WebhookAnswer) + Send>) {
        let is_deaf = request.endpoint.host == DEAF;
        done(if is_deaf { WebhookAnswer::status(503, 812) } else { WebhookAnswer::status(204, 37) });
    }
}

/// Reaches no receiver. For a running demo: its receivers do not exist, and nothing in it may have an effect outside.
pub struct NoReceivers;

impl WebhookSender for NoReceivers {
    fn send(&self, _: WebhookRequest, done: Box<dyn FnOnce(WebhookAnswer) + Send>) {
        done(WebhookAnswer::unreachable("a demonstration sends nothing"));
    }
}

/// A receiver: name, description, endpoint, and subscriptions.
struct Receiver(&'static str, &'static str, &'static str, &'static str);

const CHAT: Receiver = Receiver(
    "chat-room",
    "notifies the people on duty",
    "https://chat.invalid/hooks/croft",
    r#""instance.failed","disk.*""#,
);
const ARCHIVE: Receiver =
    Receiver("archive", "collects failed snapshots", "https://archive.invalid/", r#""snapshot.faulted""#);
const PAGER: Receiver =
    Receiver("old-pager", "has not responded for years", "https://pager.invalid/page", r#""**""#);

fn receiver(stage: &mut DemoTransaction<'_, '_>, hannah: Person, receiver: &Receiver) -> Result<()> {
    let Receiver(name, description, endpoint, subscriptions) = receiver;
    let secret = stage.secret();
    let body = format!(
        r#"{{"name":"{name}","description":"{description}","endpoint":"{endpoint}","secrets":["{secret}"],
        "subscriptions":[{subscriptions}]}}"#
    );
    stage.act(&hannah, &operation::WEBHOOK_RECEIVER_CREATE, &body, alert::webhook_create)?;
    Ok(())
}

/// Creates the receivers of failures.
pub fn receivers(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    [CHAT, ARCHIVE].iter().try_for_each(|one| receiver(stage, hannah, one))
}

/// Creates the receiver that was added later and is unreachable.
pub fn pager(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    receiver(stage, hannah, &PAGER)
}

/// Resends the last alert that the pager did not accept.
pub fn page_again(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    let found: Option<AlertReceiver> = stage.tx.get_by_name(Uuid::nil(), PAGER.0)?;
    let id = found.map_or(Uuid::nil(), |receiver| receiver.meta.id);
    let by = ListBy::lookup(AlertDelivery::STATE, AlertDelivery::in_state(id, AlertDeliveryState::Failed));
    let latest: Vec<AlertDelivery> = stage.tx.page(by, Sort::TimeDesc, None, 1)?;
    let alert = latest.first().ok_or_else(|| Error::internal("no delivery has failed"))?.alert_id;
    let pager = named(PAGER.0)?;
    stage.act(&hannah, &operation::ALERT_DELIVERY_RESEND, "null", |cx, by, (): &()| {
        alert::resend(cx, by, alert, &pager)
    })?;
    Ok(())
}

const LOTS: [&str; 2] = [
    r#"{"name":"public-lot","description":"publicly reachable addresses","kind":"pool",
        "blocks":[{"first_address":"123.4.56.0","last_address":"123.4.56.255"}]}"#,
    r#"{"name":"uplink-lot","description":"between this rack and the upstream routers","kind":"infra",
        "blocks":[{"first_address":"198.51.100.1","last_address":"198.51.100.30"}]}"#,
];

const CONFIG: &str = r#"{"name":"as-64512","description":"the only autonomous system of this rack","asn":64512,
    "bgp_announce_set_id":"public-addresses"}"#;

const UPLINK: &str = r#"{"name":"uplink","description":"to the upstream routers",
    "port_config":{"geometry":"qsfp28x1"},
    "links":[{"link_name":"phy0","mtu":1500,"speed":"speed100_g","autoneg":false,"fec":"rs",
        "lldp":{"enabled":true,"link_name":"uplink"}}],
    "addresses":[{"link_name":"phy0","addresses":[{"address_lot":"uplink-lot","address":"198.51.100.2/30"}]}],
    "routes":[{"link_name":"phy0","routes":[{"dst":"0.0.0.0/0","gw":"198.51.100.1"}]}],
    "bgp_peers":[{"link_name":"phy0","peers":[{"bgp_config":"as-64512","interface_name":"phy0",
        "addr":"198.51.100.1","remote_asn":64500,"hold_time":6,"idle_hold_time":3,"delay_open":0,"connect_retry":3,
        "keepalive":2,"communities":[],"enforce_first_as":false,"allowed_import":{"type":"no_filtering"},
        "allowed_export":{"type":"allow","value":["123.4.56.0/24"]}}]}]}"#;

/// Configures BGP with the neighboring routers.
pub fn uplink(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    for body in LOTS {
        stage.act(&hannah, &operation::NETWORKING_ADDRESS_LOT_CREATE, body, address_lot::create)?;
    }
    let body = r#"{"name":"public-addresses","description":"announced to the upstream routers",
        "announcement":[{"address_lot_block":"public-lot","network":"123.4.56.0/24"}]}"#;
    let operation = &operation::NETWORKING_BGP_ANNOUNCE_SET_UPDATE;
    stage.act(&hannah, operation, body, bgp::announce_set_update)?;
    stage.act(&hannah, &operation::NETWORKING_BGP_CONFIG_CREATE, CONFIG, bgp::config_create)?;
    let operation = &operation::NETWORKING_SWITCH_PORT_SETTINGS_CREATE;
    stage.act(&hannah, operation, UPLINK, switch_port_settings::create)?;

    let racks: Vec<Rack> = stage.tx.page(ListBy::All, Sort::IdAsc, None, 1)?;
    let rack_id = racks.first().ok_or_else(|| Error::internal("the demo has no rack"))?.meta.id;
    let body = format!(
        r#"{{"address_lot":"uplink-lot","rack_id":"{rack_id}","switch_location":"switch0",
        "address":"198.51.100.30","mask":32,"anycast":false}}"#
    );
    let operation = &operation::NETWORKING_LOOPBACK_ADDRESS_CREATE;
    stage.act(&hannah, operation, &body, loopback_address::create)?;
    let port: Name = "qsfp0".parse().map_err(Error::from)?;
    let switch_location = SwitchLocation::Switch0.to_string().parse().map_err(Error::from)?;
    let on = SwitchPortSelector { rack_id, switch_location };
    let operation = &operation::NETWORKING_SWITCH_PORT_APPLY_SETTINGS;
    stage.act(&hannah, operation, r#"{"port_settings":"uplink"}"#, |cx, by, body| {
        switch_port::apply_settings(cx, by, &port, &on, body)
    })
}

/// Requests a support bundle, which the host program collects.
pub fn support_bundle(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    let body = r#"{"user_comment":"failures within the last hour"}"#;
    stage.act(&hannah, &operation::SUPPORT_BUNDLE_CREATE, body, support_bundle::create)?;
    Ok(())
}
