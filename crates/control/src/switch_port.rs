//! Ports of switches (`docs/rules/networking.md#ports-and-their-settings`).

use croft_api::{
    Error, ResourceKind, Result,
    page::{IdSortMode, PageQuery, ResultsPage},
    scalar::{Name, SwitchLocation},
    switch_port::{
        self as api, LinkMedia, LinkState, SwitchLink, SwitchLinkState, SwitchPortApplySettings,
        SwitchPortMac, SwitchPortPageSelector, SwitchPortSelector,
    },
    switch_port_settings::{LinkFec, LinkSpeed},
};
use croft_store::{
    ListBy, Tx,
    records::{Rack, SwitchPort, SwitchPortSettings},
};

use crate::{
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind, Permission, ResourceScope},
    paging, switch_port_settings,
};

crate::authz::kinds! {
    /// The network between the racks and the outside: switches, their ports, their addresses and routes.
    SYSTEM_NETWORK = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
}

crate::authz::operations! {
    contract {
        NETWORKING_SWITCH_PORT_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
        NETWORKING_SWITCH_PORT_APPLY_SETTINGS = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        NETWORKING_SWITCH_PORT_CLEAR_SETTINGS = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        NETWORKING_SWITCH_PORT_STATUS = reads(Kind::SYSTEM_NETWORK, Permission::Read);
    }
}

impl Resource for SwitchPort {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::SYSTEM_NETWORK).message(ResourceKind::SwitchPort);
}

/// The port that every rack has.
const FIRST_PORT: (SwitchLocation, &str) = (SwitchLocation::Switch0, "qsfp0");
/// Number of ports of a switch to the outside, and to sleds.
const PORTS: u8 = 32;

fn to_view(port: &SwitchPort) -> api::SwitchPort {
    api::SwitchPort {
        id: port.meta.id,
        rack_id: port.rack_id,
        switch_location: port.switch_location,
        port_name: port.port_name.clone(),
        port_settings_id: port.port_settings_id,
    }
}

/// Makes the ports of a new rack.
pub(crate) fn first(cx: &mut Cx<'_, '_>, rack: &Rack) -> Result<()> {
    let (switch_location, name) = FIRST_PORT;
    let port = SwitchPort {
        meta: cx.new_meta(),
        rack_id: rack.meta.id,
        switch_location,
        port_name: Name::literal(name),
        port_settings_id: None,
    };
    Ok(cx.tx.insert(&port)?)
}

/// Looks up a port of a switch.
pub(crate) fn find(
    cx: &mut Cx<'_, '_>,
    on: &SwitchPortSelector,
    name: &Name,
) -> Result<LookupResult<SwitchPort>> {
    let port = match on.switch_location.as_str().parse() {
        Ok(location) => cx.tx.find(SwitchPort::PLACE, SwitchPort::place(on.rack_id, location, name))?,
        Err(_) => None,
    };
    Ok(LookupResult::new(port, name))
}

/// Checks the location of a switch that is queried for its own state.
pub(crate) fn check_location(location: &Name) -> Result<SwitchLocation> {
    location.as_str().parse().map_err(|error| {
        let text = format!("invalid switch name {location}: parse switch location error: {error}");
        Error::invalid_request(text)
    })
}

/// `networking_switch_port_list`: all ports, ignoring the id in the query.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<SwitchPortPageSelector, IdSortMode>,
) -> Result<ResultsPage<api::SwitchPort>> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_SWITCH_PORT_LIST)?;
    let ports: Vec<SwitchPort> = paging::page(cx.tx, ListBy::All, query)?;
    Ok(query.results(ports.iter().map(to_view).collect()))
}

/// `networking_switch_port_apply_settings`: replaces the settings of the port.
pub fn apply_settings(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    port: &Name,
    on: &SwitchPortSelector,
    params: &SwitchPortApplySettings,
) -> Result<()> {
    let operation = &operation::NETWORKING_SWITCH_PORT_APPLY_SETTINGS;
    let mut port = find(cx, on, port)?.authorize(cx, caller, operation)?.into_inner();
    let settings = switch_port_settings::find(cx, &params.port_settings)?;
    let settings = settings.authorize(cx, caller, Permission::Read)?.meta.id;
    switch_port_settings::check_asns(cx.tx, &port, settings)?;
    switch_port_settings::run(cx, &mut port, Some(settings))
}

/// `networking_switch_port_clear_settings`: succeeds if the port has none.
pub fn clear_settings(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    port: &Name,
    on: &SwitchPortSelector,
) -> Result<()> {
    let operation = &operation::NETWORKING_SWITCH_PORT_CLEAR_SETTINGS;
    let mut port = find(cx, on, port)?.authorize(cx, caller, operation)?.into_inner();
    switch_port_settings::run(cx, &mut port, None)
}

/// `networking_switch_port_status`: the settings of the port. No switches report the state of links.
pub fn status(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    port: &Name,
    on: &SwitchPortSelector,
) -> Result<SwitchLinkState> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_SWITCH_PORT_STATUS)?;
    let location = check_location(&on.switch_location)?;
    if !is_port_name(port.as_str()) {
        return Err(Error::invalid_request(format!(
            "invalid port name: {port}: a port is one of int0, qsfp0 to qsfp31, rear0 to rear31"
        )));
    }
    let record: Option<SwitchPort> =
        cx.tx.find(SwitchPort::PLACE, SwitchPort::place(on.rack_id, location, port))?;
    let settings = match &record {
        Some(record) => settings_of(cx.tx, record)?,
        None => None,
    };
    let configured = settings.as_ref().and_then(|settings| settings.links.first());
    let link = SwitchLink {
        port_id: port.clone(),
        address: address_of(location, port.as_str()),
        enabled: settings.is_some(),
        autoneg: configured.is_some_and(|link| link.autoneg),
        fec: configured.and_then(|link| link.fec).map_or(LinkFec::None, Into::into),
        link_state: LinkState::Down,
        fsm_state: LinkState::Down,
        media: LinkMedia::None,
        speed: configured.map_or(LinkSpeed::Speed0G, |link| link.speed.into()),
    };
    Ok(SwitchLinkState { link, monitors: None })
}

/// The hardware address of a port: locally administered, and different for each port of a rack.
fn address_of(location: SwitchLocation, name: &str) -> SwitchPortMac {
    let switch = match location {
        SwitchLocation::Switch0 => 0,
        SwitchLocation::Switch1 => 1,
    };
    let (letters, number) =
        name.split_at(name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(name.len()));
    let group = match letters {
        "int" => 0,
        "qsfp" => 1,
        _ => 2,
    };
    SwitchPortMac { a: [0x02, 0, 0, switch, group, number.parse().unwrap_or_default()] }
}

/// Whether this is a valid name for a switch port.
fn is_port_name(name: &str) -> bool {
    let number = |rest: &str| rest.parse::<u8>().ok().filter(|number| number.to_string() == rest);
    let below = |rest: &str, count: u8| number(rest).is_some_and(|number| number < count);
    match (name.strip_prefix("qsfp").or_else(|| name.strip_prefix("rear")), name.strip_prefix("int")) {
        (Some(rest), _) => below(rest, PORTS),
        (None, Some(rest)) => below(rest, 1),
        (None, None) => false,
    }
}

/// The settings that a port runs.
pub(crate) fn settings_of(tx: &mut Tx<'_>, port: &SwitchPort) -> Result<Option<SwitchPortSettings>> {
    port.port_settings_id.map_or(Ok(None), |id| Ok(tx.get(id)?))
}

#[cfg(test)]
mod tests {
    use super::is_port_name;

    #[test]
    fn valid_port_names() {
        for name in ["int0", "qsfp0", "qsfp31", "rear0", "rear17", "rear31"] {
            assert!(is_port_name(name), "{name}");
        }
        for name in
            ["", "int1", "int", "qsfp", "qsfp32", "qsfp00", "qsfp-1", "rear256", "rear32", "eth0", "qsfp0a"]
        {
            assert!(!is_port_name(name), "{name}");
        }
    }
}
