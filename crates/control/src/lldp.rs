//! The Link Layer Discovery Protocol on the ports of switches (`docs/rules/networking.md#lldp`).

use croft_api::{
    Error, Result,
    lldp::{LldpLinkConfig, LldpNeighbor, LldpPortPath},
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::Name,
    switch_port::SwitchPortSelector,
};
use croft_store::records::{SwitchPort, SwitchPortLink, SwitchPortSettings};

use crate::{
    Caller, Cx,
    authz::{self, Kind, ResourceScope},
    switch_port,
};

crate::authz::operations! {
    contract {
        NETWORKING_SWITCH_PORT_LLDP_CONFIG_VIEW = reads(Kind::SYSTEM_NETWORK, Permission::Read);
        NETWORKING_SWITCH_PORT_LLDP_CONFIG_UPDATE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        NETWORKING_SWITCH_PORT_LLDP_NEIGHBORS = reads(Kind::SYSTEM_NETWORK, Permission::List);
    }
}

/// The settings that a port runs. Fails if there are none.
fn settings_of(cx: &mut Cx<'_, '_>, port: &SwitchPort) -> Result<SwitchPortSettings> {
    let settings = switch_port::settings_of(cx.tx, port)?;
    settings.ok_or_else(|| Error::invalid_value("settings", "switch port not yet configured"))
}

/// The link with the LLDP settings of the port.
fn first_link(settings: &mut SwitchPortSettings) -> Result<&mut SwitchPortLink> {
    let none = || Error::invalid_value("settings", "lldp not configured for this port");
    settings.links.first_mut().ok_or_else(none)
}

/// `networking_switch_port_lldp_config_view`.
pub fn config_view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    port: &Name,
    on: &SwitchPortSelector,
) -> Result<LldpLinkConfig> {
    let operation = &operation::NETWORKING_SWITCH_PORT_LLDP_CONFIG_VIEW;
    let port = switch_port::find(cx, on, port)?.authorize(cx, caller, operation)?;
    let mut settings = settings_of(cx, &port)?;
    Ok(first_link(&mut settings)?.lldp.clone().into())
}

/// `networking_switch_port_lldp_config_update`: replaces the settings, on every port that runs the same port settings.
pub fn config_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    port: &Name,
    on: &SwitchPortSelector,
    params: &LldpLinkConfig,
) -> Result<()> {
    let operation = &operation::NETWORKING_SWITCH_PORT_LLDP_CONFIG_UPDATE;
    let port = switch_port::find(cx, on, port)?.authorize(cx, caller, operation)?;
    let mut settings = settings_of(cx, &port)?;
    let lldp = &mut first_link(&mut settings)?.lldp;
    if lldp.id != params.id {
        let text = format!("id ({}) doesn't match provided config ({})", lldp.id, params.id);
        return Err(Error::invalid_request(text));
    }
    lldp.config = params.config.clone().into();
    settings.meta.time_modified = cx.now;
    Ok(cx.tx.update(&mut settings)?)
}

/// `networking_switch_port_lldp_neighbors`: always empty, because no switches report neighbors.
pub fn neighbors(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    path: &LldpPortPath,
    _: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<LldpNeighbor>> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_SWITCH_PORT_LLDP_NEIGHBORS)?;
    switch_port::check_location(&path.switch_location)?;
    Ok(ResultsPage { items: Vec::new(), next_page: None })
}
