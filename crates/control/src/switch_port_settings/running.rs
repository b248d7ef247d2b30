//! The ports that run settings.

use std::collections::BTreeSet;

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Tx,
    records::{BgpConfig, SwitchPort, SwitchPortBgpConfig, SwitchPortSettings},
};
use uuid::Uuid;

use crate::{Cx, paging};

/// Sets or clears the settings of a port.
pub(crate) fn run(cx: &mut Cx<'_, '_>, port: &mut SwitchPort, settings: Option<Uuid>) -> Result<()> {
    port.port_settings_id = settings;
    port.meta.time_modified = cx.now;
    Ok(cx.tx.update(port)?)
}

/// Clears settings on every port that runs them.
pub(super) fn forget(cx: &mut Cx<'_, '_>, settings: &SwitchPortSettings) -> Result<()> {
    for mut port in running(cx.tx, settings)? {
        run(cx, &mut port, None)?;
    }
    Ok(())
}

/// The ports that run these settings.
fn running(tx: &mut Tx<'_>, settings: &SwitchPortSettings) -> Result<Vec<SwitchPort>> {
    paging::all(tx, &ListBy::lookup(SwitchPort::SETTINGS, settings.meta.id))
}

/// Checks that every port that runs the settings can run them in their current form.
pub(super) fn check_running(tx: &mut Tx<'_>, settings: &SwitchPortSettings) -> Result<()> {
    let ports = running(tx, settings)?;
    ports.iter().try_for_each(|port| check_asns(tx, port, settings.meta.id))
}

/// Checks that all ports of a switch use the same autonomous system.
pub(crate) fn check_asns(tx: &mut Tx<'_>, port: &SwitchPort, settings: Uuid) -> Result<()> {
    let own = asns(tx, settings)?;
    if own.is_empty() {
        return Ok(());
    }
    let switch = SwitchPort::switch(port.rack_id, port.switch_location);
    let others: Vec<SwitchPort> = paging::all(tx, &ListBy::lookup(SwitchPort::SWITCH, switch))?;
    let others = others.into_iter().filter(|other| other.meta.id != port.meta.id);
    let running: BTreeSet<Uuid> = others.filter_map(|other| other.port_settings_id).collect();
    for other in running.into_iter().filter(|other| *other != settings) {
        let theirs = asns(tx, other)?;
        if own.union(&theirs).count() > 1 && !theirs.is_empty() {
            return Err(Error::conflict("a different asn is already configured on this switch"));
        }
    }
    Ok(())
}

/// The autonomous systems of the settings' BGP peers.
fn asns(tx: &mut Tx<'_>, settings: Uuid) -> Result<BTreeSet<u32>> {
    let mut asns = BTreeSet::new();
    for link in paging::all::<SwitchPortBgpConfig>(tx, &ListBy::Parent(settings))? {
        let config: Option<BgpConfig> = tx.get(link.bgp_config_id)?;
        asns.extend(config.map(|config| config.asn));
    }
    Ok(asns)
}
