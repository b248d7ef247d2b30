//! Settings of switch ports (`docs/rules/networking.md#port-settings`).

mod content;
mod running;
mod view;

use std::collections::BTreeSet;

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    scalar::NameOrId,
    switch_port_settings::{
        self as api, SwitchPortSettingsCreate, SwitchPortSettingsIdentity, SwitchPortSettingsSelector,
    },
};
use croft_store::{
    ListBy, Meta, Tx,
    records::{SwitchPort, SwitchPortBgpConfig, SwitchPortSettings},
};
use uuid::Uuid;

pub(crate) use running::{check_asns, run};

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource, address_lot,
    authz::{self, Kind, ResourceScope},
    deletable::{self, Deletable},
    dependents::{Dependent, Dependents},
    description::check_description,
    lookup, paging,
};

crate::authz::operations! {
    contract {
        NETWORKING_SWITCH_PORT_SETTINGS_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
        NETWORKING_SWITCH_PORT_SETTINGS_CREATE = changes(Kind::SYSTEM_NETWORK, Permission::Create, 201);
        NETWORKING_SWITCH_PORT_SETTINGS_VIEW = reads(Kind::SYSTEM_NETWORK, Permission::Read);
        NETWORKING_SWITCH_PORT_SETTINGS_DELETE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
    }
}

impl Resource for SwitchPortSettings {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK)
        .message(ResourceKind::SwitchPortSettings)
        .deletable(Self::DELETABLE);
}

impl Resource for SwitchPortBgpConfig {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK);
}

fn get(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<Option<SwitchPortSettings>> {
    lookup::top_level(tx, selector)
}

/// Looks up settings.
pub(crate) fn find(cx: &mut Cx<'_, '_>, selector: &NameOrId) -> Result<LookupResult<SwitchPortSettings>> {
    Ok(LookupResult::new(get(cx.tx, selector)?, selector))
}

/// `networking_switch_port_settings_list`: all, or those that match the selector.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<SwitchPortSettingsSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<SwitchPortSettingsIdentity>> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_SWITCH_PORT_SETTINGS_LIST)?;
    let settings = match &query.selector.port_settings {
        None => paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?,
        Some(selector) => get(cx.tx, selector)?.into_iter().collect(),
    };
    let page: Vec<_> = settings.iter().map(view::identity).collect();
    Ok(if query.selector.port_settings.is_some() {
        paging::page_of(page, query)
    } else {
        query.results(page)
    })
}

/// `networking_switch_port_settings_create`: replaces settings of the same name, on the ports that run them, too.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &SwitchPortSettingsCreate,
) -> Result<api::SwitchPortSettings> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_SWITCH_PORT_SETTINGS_CREATE)?;
    check_description(&params.identity.description)?;
    content::check_keys(params)?;
    let old = cx.tx.get_by_name::<SwitchPortSettings>(Uuid::nil(), params.identity.name.as_str())?;
    let settings = match old {
        None => {
            let meta = cx.new_meta();
            let settings = content::resolve(cx, meta, params)?;
            cx.insert_named(ResourceKind::SwitchPortSettings, &settings)?;
            settings
        }
        Some(old) => {
            release_references(cx, old.meta.id)?;
            let meta = Meta { time_modified: cx.now, ..old.meta };
            let mut settings = content::resolve(cx, meta, params)?;
            cx.tx.update(&mut settings)?;
            settings
        }
    };
    content::link_bgp_configs(cx, &settings)?;
    running::check_running(cx.tx, &settings)?;
    view::whole(cx, &settings)
}

/// Releases references of settings: addresses of lots, BGP configurations.
fn release_references(cx: &mut Cx<'_, '_>, settings: Uuid) -> Result<()> {
    address_lot::release(cx, settings)?;
    for link in paging::all::<SwitchPortBgpConfig>(cx.tx, &ListBy::Parent(settings))? {
        cx.tx.remove::<SwitchPortBgpConfig>(link.meta.id, cx.now)?;
    }
    Ok(())
}

/// `networking_switch_port_settings_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, settings: &NameOrId) -> Result<api::SwitchPortSettings> {
    let operation = &operation::NETWORKING_SWITCH_PORT_SETTINGS_VIEW;
    let settings = find(cx, settings)?.authorize(cx, caller, operation)?;
    view::whole(cx, &settings)
}

/// `networking_switch_port_settings_delete`: ports that run them then have none.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, selector: &SwitchPortSettingsSelector) -> Result<()> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_SWITCH_PORT_SETTINGS_DELETE)?;
    let Some(selector) = &selector.port_settings else {
        return Err(Error::invalid_request("name or id required"));
    };
    let Some(mut settings) = get(cx.tx, selector)? else {
        return Err(Error::invalid_request("port settings not found"));
    };
    deletable::require(cx, caller, &settings)?;
    running::forget(cx, &settings)?;
    release_references(cx, settings.meta.id)?;
    Ok(cx.tx.delete(&mut settings, cx.now)?)
}

/// The settings that have a peer with a BGP configuration.
pub fn users_of_bgp_config(cx: &mut Cx<'_, '_>, bgp_config: Uuid) -> Result<Vec<SwitchPortSettings>> {
    let by = ListBy::lookup(SwitchPortBgpConfig::BGP_CONFIG, bgp_config);
    let links: Vec<SwitchPortBgpConfig> = paging::all(cx.tx, &by)?;
    let users: BTreeSet<Uuid> = links.iter().map(|link| link.port_settings_id).collect();
    users.into_iter().filter_map(|id| cx.tx.get(id).transpose()).map(|user| Ok(user?)).collect()
}

impl Deletable for SwitchPortSettings {
    const DELETION: Operation = operation::NETWORKING_SWITCH_PORT_SETTINGS_DELETE;
    const PATH: &'static str = "/v1/system/networking/switch-port-settings?port_settings=";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &SwitchPortSettingsSelector { port_settings: Some(NameOrId::Id(id)) })
    }

    fn effects(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let running = ListBy::lookup(SwitchPort::SETTINGS, self.meta.id);
        let ports = |port: &SwitchPort| Dependent::of(port).named(&port.port_name);
        Ok(vec![Dependents::labeled(DeletionEffect::Changed, running, ports)])
    }
}
