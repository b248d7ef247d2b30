//! Conversion from records to views.

use std::collections::BTreeMap;

use croft_api::{
    Error, Result,
    scalar::{Name, NameOrId},
    switch_port_settings::{
        self as api, BgpPeer, SwitchInterfaceConfig, SwitchInterfaceConfigKind, SwitchPortAddressView,
        SwitchPortConfig, SwitchPortLinkConfig, SwitchPortRouteConfig, SwitchPortSettingsIdentity,
        SwitchVlanInterfaceConfig,
    },
};
use croft_store::{
    Tx,
    records::{
        AddressLot, SwitchInterfaceKind, SwitchPortBgpPeer, SwitchPortInterface, SwitchPortLink,
        SwitchPortRoute, SwitchPortSettings,
    },
};
use uuid::Uuid;

use super::content;
use crate::Cx;

/// The view of settings in lists.
pub(super) fn identity(settings: &SwitchPortSettings) -> SwitchPortSettingsIdentity {
    SwitchPortSettingsIdentity {
        id: settings.meta.id,
        name: settings.name.clone(),
        description: settings.description.clone(),
        time_created: settings.meta.time_created,
        time_modified: settings.meta.time_modified,
    }
}

/// The complete view of settings.
pub(super) fn whole(cx: &mut Cx<'_, '_>, settings: &SwitchPortSettings) -> Result<api::SwitchPortSettings> {
    let id = settings.meta.id;
    let peer = |peer: &SwitchPortBgpPeer| {
        let mut session = peer.session.clone();
        let sealed = session.md5_auth_key.take();
        session.md5_auth_key = sealed.map(|sealed| content::open_key(cx, id, &sealed)).transpose()?;
        let bgp_config = NameOrId::Id(peer.bgp_config_id);
        Ok(BgpPeer { bgp_config, interface_name: peer.interface_name.clone(), session: session.into() })
    };
    let bgp_peers = settings.bgp_peers.iter().map(peer).collect::<Result<_>>()?;
    Ok(api::SwitchPortSettings {
        identity: identity(settings),
        groups: Vec::new(),
        port: SwitchPortConfig { port_settings_id: id, geometry: settings.geometry.into() },
        links: settings.links.iter().map(|link| to_link(id, link)).collect(),
        interfaces: settings.interfaces.iter().map(|interface| to_interface(id, interface)).collect(),
        vlan_interfaces: settings.interfaces.iter().filter_map(to_vlan).collect(),
        routes: settings.routes.iter().map(|route| to_route(id, route)).collect(),
        bgp_peers,
        addresses: addresses(cx.tx, settings)?,
    })
}

fn to_link(settings: Uuid, link: &SwitchPortLink) -> SwitchPortLinkConfig {
    SwitchPortLinkConfig {
        port_settings_id: settings,
        link_name: link.name.clone(),
        mtu: link.mtu,
        fec: link.fec.map(Into::into),
        speed: link.speed.into(),
        autoneg: link.autoneg,
        lldp_link_config: Some(link.lldp.clone().into()),
        tx_eq_config: link.tx_eq.map(Into::into),
    }
}

fn to_interface(settings: Uuid, interface: &SwitchPortInterface) -> SwitchInterfaceConfig {
    let kind = match interface.kind {
        SwitchInterfaceKind::Primary => SwitchInterfaceConfigKind::Primary,
        SwitchInterfaceKind::Vlan { .. } => SwitchInterfaceConfigKind::Vlan,
        SwitchInterfaceKind::Loopback => SwitchInterfaceConfigKind::Loopback,
    };
    SwitchInterfaceConfig {
        port_settings_id: settings,
        id: interface.id,
        interface_name: interface.name.clone(),
        v6_enabled: interface.v6_enabled,
        kind,
    }
}

fn to_vlan(interface: &SwitchPortInterface) -> Option<SwitchVlanInterfaceConfig> {
    match interface.kind {
        SwitchInterfaceKind::Vlan { vid } => {
            Some(SwitchVlanInterfaceConfig { interface_config_id: interface.id, vlan_id: vid })
        }
        SwitchInterfaceKind::Primary | SwitchInterfaceKind::Loopback => None,
    }
}

fn to_route(
    settings: Uuid,
    SwitchPortRoute { interface_name, route }: &SwitchPortRoute,
) -> SwitchPortRouteConfig {
    SwitchPortRouteConfig {
        port_settings_id: settings,
        interface_name: interface_name.clone(),
        dst: route.dst,
        gw: route.gw,
        vlan_id: route.vid,
        rib_priority: route.rib_priority,
    }
}

fn addresses(tx: &mut Tx<'_>, settings: &SwitchPortSettings) -> Result<Vec<SwitchPortAddressView>> {
    let mut names: BTreeMap<Uuid, Name> = BTreeMap::new();
    let mut views = Vec::new();
    for address in &settings.addresses {
        let lot = address.address_lot_id;
        let name = match names.get(&lot) {
            Some(name) => name.clone(),
            None => lot_name(tx, lot)?,
        };
        names.insert(lot, name.clone());
        views.push(SwitchPortAddressView {
            port_settings_id: settings.meta.id,
            address_lot_id: lot,
            address_lot_name: name,
            address_lot_block_id: address.address_lot_block_id,
            address: address.address,
            vlan_id: address.vlan_id,
            interface_name: address.interface_name.clone(),
        });
    }
    Ok(views)
}

fn lot_name(tx: &mut Tx<'_>, id: Uuid) -> Result<Name> {
    let lot: Option<AddressLot> = tx.get(id)?;
    let lot =
        lot.ok_or_else(|| Error::internal(format!("lot {id} is gone while an address of it is in use")))?;
    Ok(lot.name)
}
