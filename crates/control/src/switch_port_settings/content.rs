//! Conversion from parameters to records.

use std::collections::{BTreeMap, BTreeSet};

use croft_api::{
    Error, ResourceKind, Result,
    scalar::{Name, NameOrId},
    switch_port_settings::{BgpPeer, SwitchPortSettingsCreate},
};
use croft_store::{
    Meta, Tx,
    records::{
        BgpConfig, BgpSession, LldpLinkConfig, SwitchPortAddress, SwitchPortBgpConfig, SwitchPortBgpPeer,
        SwitchPortInterface, SwitchPortLink, SwitchPortRoute, SwitchPortSettings,
    },
};
use uuid::Uuid;

use crate::{
    Cx,
    address_lot::{self, OpenLot},
    lookup,
};

/// Maximum length of the key of TCP MD5 signatures, in characters (`TCP_MD5SIG_MAXKEYLEN` of Linux).
const MAX_KEY_LENGTH: usize = 80;

/// Checks the keys of BGP peers.
pub(super) fn check_keys(params: &SwitchPortSettingsCreate) -> Result<()> {
    params.bgp_peers.iter().flat_map(|group| &group.peers).try_for_each(|BgpPeer { session, .. }| {
        let Some(key) = &session.md5_auth_key else { return Ok(()) };
        let addr = session.addr;
        if key.chars().count() > MAX_KEY_LENGTH {
            let text = format!("md5 auth key for {addr} is longer than {MAX_KEY_LENGTH} characters");
            return Err(Error::invalid_value("md5_auth_key", text));
        }
        if !key.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            let text = format!("md5 auth key for {addr} must be printable ascii");
            return Err(Error::invalid_value("md5_auth_key", text));
        }
        Ok(())
    })
}

/// Converts parameters to records. Reserves every address in its lot.
pub(super) fn resolve(
    cx: &mut Cx<'_, '_>,
    meta: Meta,
    params: &SwitchPortSettingsCreate,
) -> Result<SwitchPortSettings> {
    let name = &params.identity.name;
    let links = links(cx, params);
    distinct(name, links.iter().map(|link| &link.name))?;
    let interfaces = interfaces(cx, params);
    distinct(name, interfaces.iter().map(|interface| &interface.name))?;
    let routes = routes(params);
    distinct(name, routes.iter().map(|route| (&route.interface_name, route.route.dst, route.route.gw)))?;
    let bgp_peers = bgp_peers(cx, meta.id, params)?;
    distinct(name, bgp_peers.iter().map(|peer| (&peer.interface_name, peer.session.addr)))?;
    let addresses = addresses(cx, meta.id, params)?;
    distinct(name, addresses.iter().map(|address| (&address.interface_name, address.address)))?;
    Ok(SwitchPortSettings {
        meta,
        name: name.clone(),
        description: params.identity.description.clone(),
        geometry: params.port_config.geometry.into(),
        links,
        interfaces,
        routes,
        bgp_peers,
        addresses,
    })
}

/// Refuses lists with duplicates.
fn distinct<T: Ord>(settings: &Name, mut keys: impl Iterator<Item = T>) -> Result<()> {
    let mut seen = BTreeSet::new();
    if keys.all(|key| seen.insert(key)) {
        Ok(())
    } else {
        Err(Error::exists(ResourceKind::SwitchPortSettings, settings))
    }
}

fn links(cx: &mut Cx<'_, '_>, params: &SwitchPortSettingsCreate) -> Vec<SwitchPortLink> {
    let links = params.links.iter().map(|link| SwitchPortLink {
        name: link.link_name.clone(),
        mtu: link.mtu,
        fec: link.fec.map(Into::into),
        speed: link.speed.into(),
        autoneg: link.autoneg,
        lldp: LldpLinkConfig { id: cx.new_id(), config: link.lldp.clone().into() },
        tx_eq: link.tx_eq.map(Into::into),
    });
    links.collect()
}

fn interfaces(cx: &mut Cx<'_, '_>, params: &SwitchPortSettingsCreate) -> Vec<SwitchPortInterface> {
    let interfaces = params.interfaces.iter().map(|interface| SwitchPortInterface {
        id: cx.new_id(),
        name: interface.link_name.clone(),
        v6_enabled: interface.v6_enabled,
        kind: interface.kind.into(),
    });
    interfaces.collect()
}

fn routes(params: &SwitchPortSettingsCreate) -> Vec<SwitchPortRoute> {
    let groups = params.routes.iter();
    let routes = groups.flat_map(|group| group.routes.iter().map(|route| (&group.link_name, route)));
    routes
        .map(|(name, route)| SwitchPortRoute { interface_name: name.clone(), route: (*route).into() })
        .collect()
}

/// The purpose of the sealed keys of peers.
const KEY: &str = "key of a BGP peer";

fn seal_key(cx: &mut Cx<'_, '_>, settings: Uuid, key: &str) -> Result<String> {
    cx.environment.secret_key.seal(cx.random, KEY, settings, key.as_bytes())
}

/// Opens the key of a peer.
pub(super) fn open_key(cx: &Cx<'_, '_>, settings: Uuid, sealed: &str) -> Result<String> {
    let key = cx.environment.secret_key.open(KEY, settings, sealed)?;
    String::from_utf8(key.to_vec()).map_err(Error::internal)
}

fn bgp_peers(
    cx: &mut Cx<'_, '_>,
    settings: Uuid,
    params: &SwitchPortSettingsCreate,
) -> Result<Vec<SwitchPortBgpPeer>> {
    let mut known = BTreeMap::new();
    let mut peers = Vec::new();
    for group in &params.bgp_peers {
        for BgpPeer { bgp_config, session, .. } in &group.peers {
            let bgp_config_id = match known.get(bgp_config) {
                Some(id) => *id,
                None => bgp_config_id(cx.tx, bgp_config)?,
            };
            known.insert(bgp_config, bgp_config_id);
            let interface_name = group.link_name.clone();
            let mut session = BgpSession::from(session.clone());
            session.md5_auth_key =
                session.md5_auth_key.map(|key| seal_key(cx, settings, &key)).transpose()?;
            peers.push(SwitchPortBgpPeer { bgp_config_id, interface_name, session });
        }
    }
    Ok(peers)
}

fn bgp_config_id(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<Uuid> {
    let config: Option<BgpConfig> = lookup::top_level(tx, selector)?;
    config.map(|config| config.meta.id).ok_or_else(|| Error::invalid_request("BGP config not found"))
}

fn addresses(
    cx: &mut Cx<'_, '_>,
    settings: Uuid,
    params: &SwitchPortSettingsCreate,
) -> Result<Vec<SwitchPortAddress>> {
    let mut lots: BTreeMap<&NameOrId, OpenLot> = BTreeMap::new();
    let mut addresses = Vec::new();
    for group in &params.addresses {
        for address in &group.addresses {
            if !lots.contains_key(&address.address_lot) {
                lots.insert(&address.address_lot, open_lot(cx.tx, &address.address_lot)?);
            }
            let lot = &lots[&address.address_lot];
            addresses.push(SwitchPortAddress {
                interface_name: group.link_name.clone(),
                address: address.address,
                vlan_id: address.vlan_id,
                address_lot_id: lot.id(),
                address_lot_block_id: lot.reserve(cx, address.address.addr(), false, settings)?,
            });
        }
    }
    Ok(addresses)
}

fn open_lot(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<OpenLot> {
    let lot = address_lot::get(tx, selector)?;
    OpenLot::new(tx, &lot.ok_or_else(|| Error::invalid_request("AddressLot not found"))?)
}

/// Records which BGP configurations the settings use.
pub(super) fn link_bgp_configs(cx: &mut Cx<'_, '_>, settings: &SwitchPortSettings) -> Result<()> {
    let used: BTreeSet<Uuid> = settings.bgp_peers.iter().map(|peer| peer.bgp_config_id).collect();
    for bgp_config_id in used {
        let meta = cx.new_meta();
        let port_settings_id = settings.meta.id;
        cx.tx.insert(&SwitchPortBgpConfig { meta, port_settings_id, bgp_config_id })?;
    }
    Ok(())
}
