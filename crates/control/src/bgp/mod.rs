//! BGP (`docs/rules/networking.md#bgp`): configurations, the networks that are announced, and what switches report.

mod announce_set;
mod runtime;

use croft_api::{
    Error, ResourceKind, Result,
    bgp::{self as api, BgpConfigCreate},
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{ListBy, StoreError, records::BgpConfig};
use uuid::Uuid;

pub use announce_set::{announce_set_delete, announce_set_list, announce_set_update, announcement_list};
pub use runtime::{
    exported, imported_routes_ipv4, may_see_exported, may_see_imported_routes_ipv4, may_see_message_history,
    may_see_status, message_history, status,
};

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::{self, Kind, Permission, ResourceScope},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    lookup, paging, switch_port_settings,
};

crate::authz::operations! {
    contract {
        NETWORKING_BGP_CONFIG_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
        NETWORKING_BGP_CONFIG_CREATE = changes(Kind::SYSTEM_NETWORK, Permission::Create, 201);
        NETWORKING_BGP_CONFIG_DELETE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        NETWORKING_BGP_ANNOUNCE_SET_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
        NETWORKING_BGP_ANNOUNCE_SET_UPDATE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 200);
        NETWORKING_BGP_ANNOUNCE_SET_DELETE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        NETWORKING_BGP_ANNOUNCEMENT_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
        NETWORKING_BGP_STATUS = reads(Kind::SYSTEM_NETWORK, Permission::Read);
        NETWORKING_BGP_EXPORTED = reads(Kind::SYSTEM_NETWORK, Permission::Read);
        NETWORKING_BGP_MESSAGE_HISTORY = reads(Kind::SYSTEM_NETWORK, Permission::Read);
        NETWORKING_BGP_IMPORTED_ROUTES_IPV4 = reads(Kind::SYSTEM_NETWORK, Permission::Read);
    }
}

impl Resource for BgpConfig {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK)
        .message(ResourceKind::BgpConfig)
        .deletable(Self::DELETABLE);
}

fn place() -> ResourceScope {
    ResourceScope::fleet(Kind::SYSTEM_NETWORK)
}

fn to_view(config: &BgpConfig) -> api::BgpConfig {
    api::BgpConfig {
        id: config.meta.id,
        name: config.name.clone(),
        description: config.description.clone(),
        time_created: config.meta.time_created,
        time_modified: config.meta.time_modified,
        asn: config.asn,
        vrf: config.vrf.as_ref().map(ToString::to_string),
    }
}

fn find(cx: &mut Cx<'_, '_>, config: &NameOrId) -> Result<LookupResult<BgpConfig>> {
    Ok(LookupResult::new(lookup::top_level(cx.tx, config)?, config))
}

/// `networking_bgp_config_list`.
pub fn config_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::BgpConfig>> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_CONFIG_LIST)?;
    let configs: Vec<BgpConfig> = paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?;
    Ok(query.results(configs.iter().map(to_view).collect()))
}

/// `networking_bgp_config_create`. A configuration that already matches is returned unchanged.
pub fn config_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &BgpConfigCreate,
) -> Result<api::BgpConfig> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_CONFIG_CREATE)?;
    check_description(&params.identity.description)?;
    let set = announce_set::find(cx, &params.bgp_announce_set_id)?.authorize(cx, caller, Permission::Read)?;
    let config = BgpConfig {
        meta: cx.new_meta(),
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        asn: params.asn,
        bgp_announce_set_id: set.meta.id,
        vrf: params.vrf.clone(),
    };
    if let Some(same) = cx.tx.find::<BgpConfig>(BgpConfig::ASN, params.asn)? {
        let alike = |of: &BgpConfig| (of.name.clone(), of.bgp_announce_set_id, of.vrf.clone());
        if alike(&same) == alike(&config) {
            return Ok(to_view(&same));
        }
        return Err(Error::Conflict("cannot have more than one configuration per ASN".to_owned()));
    }
    cx.tx.insert(&config).map_err(|error| match error {
        StoreError::Exists => {
            Error::Conflict("a field that must be unique conflicts with an existing record".to_owned())
        }
        error => error.into(),
    })?;
    Ok(to_view(&config))
}

/// `networking_bgp_config_delete`: refused while settings of switch ports use it.
pub fn config_delete(cx: &mut Cx<'_, '_>, caller: &Caller, config: &NameOrId) -> Result<()> {
    let config = find(cx, config)?.authorize(cx, caller, &operation::NETWORKING_BGP_CONFIG_DELETE)?;
    deletable::require(cx, caller, &*config)?;
    Ok(cx.tx.delete(&mut config.into_inner(), cx.now)?)
}

impl Deletable for BgpConfig {
    const DELETION: Operation = operation::NETWORKING_BGP_CONFIG_DELETE;
    const PATH: &'static str = "/v1/system/networking/bgp/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        config_delete(cx, caller, &NameOrId::Id(id))
    }

    fn blockers(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let users = switch_port_settings::users_of_bgp_config(cx, self.meta.id)?;
        let users = Dependents::found(DeletionEffect::Prevents, &users);
        Ok(vec![users.refused(|_| Error::conflict("BGP Config is in use and cannot be deleted"))])
    }
}
