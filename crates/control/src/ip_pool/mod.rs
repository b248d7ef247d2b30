//! IP pools and their links to silos (`docs/rules/networking.md#ip-pools`).

mod allocation;
pub(crate) mod gateways;
mod range;
mod service;

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    deletion::DeletionEffect,
    ip_pool::{self as api, IpPoolCreate, IpPoolLinkSilo, IpPoolSiloUpdate, IpPoolUpdate, SiloIpPool},
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{
    Key, ListBy, Meta, StoreError, Tx,
    records::{
        FloatingIp, InstanceAddress, InternetGatewayIpPool, IpPool, IpPoolRange, IpPoolSiloLink, IpPoolUsage,
        Probe, SharedAddress, Silo,
    },
};
use uuid::Uuid;

pub(crate) use allocation::{Family, give_back, give_back_block, has_family, take, take_block, take_lowest};
pub(crate) use range::insert as insert_range;
pub use range::{range_add, range_list, range_remove, utilization_view};
pub(crate) use service::open as open_service;
pub use service::{service_range_add, service_range_list, service_range_remove, service_view};

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Protected, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, Permission, ResourceScope},
    cascade,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::{change_identity, check_description},
    lookup, paging, silo,
};

crate::authz::kinds! {
    /// The IP pools of the fleet, as a list.
    IP_POOL_COLLECTION = Row::in_fleet().fleet(["l", "l", "lcm"]);
    /// An IP pool.
    IP_POOL = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
    /// An IP pool, for users of the silos that it is linked to.
    LINKED_IP_POOL = Row::in_silo().member("r");
}

crate::authz::operations! {
    contract {
        PROJECT_IP_POOL_LIST = reads(Kind::LINKED_IP_POOL, Permission::Read);
        PROJECT_IP_POOL_VIEW = reads(Kind::LINKED_IP_POOL, Permission::Read);
        SILO_IP_POOL_LIST = reads(Kind::IP_POOL_COLLECTION, Permission::List);
        IP_POOL_LIST = reads(Kind::IP_POOL_COLLECTION, Permission::List);
        IP_POOL_CREATE = changes(Kind::IP_POOL_COLLECTION, Permission::Create, 201);
        IP_POOL_VIEW = reads(Kind::IP_POOL, Permission::Read);
        IP_POOL_UPDATE = changes(Kind::IP_POOL, Permission::Modify, 200);
        IP_POOL_DELETE = changes(Kind::IP_POOL, Permission::Modify, 204).lost_race(DELETION_RACED);
        IP_POOL_RANGE_LIST = reads(Kind::IP_POOL, Permission::List);
        IP_POOL_RANGE_ADD = changes(Kind::IP_POOL, Permission::Modify, 201);
        IP_POOL_RANGE_REMOVE =
            changes(Kind::IP_POOL, Permission::Modify, 204).lost_race(RANGE_DELETION_RACED);
        IP_POOL_SERVICE_VIEW = reads(Kind::IP_POOL, Permission::Read);
        IP_POOL_SERVICE_RANGE_LIST = reads(Kind::IP_POOL, Permission::List);
        IP_POOL_SERVICE_RANGE_ADD = changes(Kind::IP_POOL, Permission::Modify, 201);
        IP_POOL_SERVICE_RANGE_REMOVE =
            changes(Kind::IP_POOL, Permission::Modify, 204).lost_race(RANGE_DELETION_RACED);
        IP_POOL_UTILIZATION_VIEW = reads(Kind::IP_POOL, Permission::Read);
        IP_POOL_SILO_LIST = reads(Kind::IP_POOL, Permission::List);
        IP_POOL_SILO_LINK = changes(Kind::IP_POOL, Permission::Modify, 201);
        IP_POOL_SILO_UPDATE = changes(Kind::IP_POOL, Permission::Modify, 200);
        IP_POOL_SILO_UNLINK = changes(Kind::IP_POOL, Permission::Modify, 204);
    }
}

impl Resource for IpPoolSiloLink {
    const DECLARATION: Declaration = Declaration::new(
        ReadScope::PoolLink,
        SiloDeletion::Goes(|cx, owners| {
            cascade::remove_all::<Self>(cx.tx, &ListBy::lookup(Self::SILO, owners.silo), cx.now)
        }),
    );
}

impl Resource for IpPool {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::IP_POOL).message(ResourceKind::IpPool).deletable(Self::DELETABLE);
}

impl Resource for IpPoolRange {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::IP_POOL).message(ResourceKind::IpPoolRange).deletable(Self::DELETABLE);
}

impl Resource for IpPoolUsage {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

impl Resource for SharedAddress {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// Converts a pool to the view for a linked silo.
struct LinkedPool {
    pool: IpPool,
    link: IpPoolSiloLink,
}

impl Protected for LinkedPool {
    const RESOURCE: ResourceKind = ResourceKind::IpPool;

    fn place(&self) -> ResourceScope {
        ResourceScope::silo(Kind::LINKED_IP_POOL, self.link.silo_id)
    }
}

fn to_view(pool: &IpPool) -> api::IpPool {
    api::IpPool {
        id: pool.meta.id,
        name: pool.name.clone(),
        description: pool.description.clone(),
        time_created: pool.meta.time_created,
        time_modified: pool.meta.time_modified,
    }
}

fn to_silo_view(linked: &LinkedPool) -> SiloIpPool {
    let api::IpPool { id, name, description, time_created, time_modified } = to_view(&linked.pool);
    let is_default = linked.link.is_default;
    SiloIpPool { id, name, description, time_created, time_modified, is_default }
}

fn to_link_view(link: &IpPoolSiloLink) -> api::IpPoolSiloLink {
    api::IpPoolSiloLink { ip_pool_id: link.ip_pool_id, silo_id: link.silo_id, is_default: link.is_default }
}

fn get(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<Option<IpPool>> {
    lookup::top_level(tx, selector)
}

fn find(cx: &mut Cx<'_, '_>, selector: &NameOrId) -> Result<LookupResult<IpPool>> {
    Ok(LookupResult::new(get(cx.tx, selector)?, selector))
}

/// Looks up a pool that silos can be linked to. The service pool is not found.
fn find_ordinary(cx: &mut Cx<'_, '_>, selector: &NameOrId) -> Result<LookupResult<IpPool>> {
    let pool = get(cx.tx, selector)?.filter(|pool| !service::is_service(pool));
    Ok(LookupResult::new(pool, selector))
}

fn find_link(tx: &mut Tx<'_>, pool: Uuid, silo: Uuid) -> Result<Option<IpPoolSiloLink>> {
    Ok(tx.find(IpPoolSiloLink::PAIR, Key::combined([pool.into(), silo.into()]))?)
}

fn collection() -> ResourceScope {
    ResourceScope::fleet(Kind::IP_POOL_COLLECTION)
}

/// `ip_pool_list`: all except the service pool.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::IpPool>> {
    authz::require(cx, caller, &collection(), &operation::IP_POOL_LIST)?;
    let by = ListBy::Parent(Uuid::nil());
    let pools = paging::page_where(cx.tx, &by, query, |pool| !service::is_service(pool))?;
    Ok(query.results(pools.iter().map(to_view).collect()))
}

/// `ip_pool_create`: without addresses and links.
pub fn create(cx: &mut Cx<'_, '_>, caller: &Caller, params: &IpPoolCreate) -> Result<api::IpPool> {
    authz::require(cx, caller, &collection(), &operation::IP_POOL_CREATE)?;
    check_description(&params.identity.description)?;
    let pool = IpPool {
        meta: cx.new_meta(),
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
    };
    open(cx, &pool)?;
    Ok(to_view(&pool))
}

/// Stores a new pool with empty counters.
pub(crate) fn open(cx: &mut Cx<'_, '_>, pool: &IpPool) -> Result<()> {
    cx.insert_named(ResourceKind::IpPool, pool)?;
    let meta = Meta::new(pool.meta.id, cx.now);
    Ok(cx.tx.insert(&IpPoolUsage { meta, ipv4: 0, ipv6: 0 })?)
}

/// `ip_pool_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, pool: &NameOrId) -> Result<api::IpPool> {
    Ok(to_view(&*find(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_VIEW)?))
}

/// `ip_pool_update`: absent fields are unchanged.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    pool: &NameOrId,
    params: &IpPoolUpdate,
) -> Result<api::IpPool> {
    let mut pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_UPDATE)?.into_inner();
    change_identity(&mut pool.name, &mut pool.description, &params.identity)?;
    pool.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::IpPool, &mut pool)?;
    Ok(to_view(&pool))
}

/// `ip_pool_delete`: refused while it has ranges; deletes its links.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, pool: &NameOrId) -> Result<()> {
    let mut pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_DELETE)?.into_inner();
    deletable::require(cx, caller, &pool)?;
    for link in paging::all::<IpPoolSiloLink>(cx.tx, &ListBy::Parent(pool.meta.id))? {
        cx.tx.remove::<IpPoolSiloLink>(link.meta.id, cx.now)?;
    }
    gateways::detach_everywhere(cx, pool.meta.id)?;
    cx.tx.remove::<IpPoolUsage>(pool.meta.id, cx.now)?;
    Ok(cx.tx.delete(&mut pool, cx.now)?)
}

impl Deletable for IpPool {
    const DELETION: Operation = operation::IP_POOL_DELETE;
    const PATH: &'static str = "/v1/system/ip-pools/";

    fn find(cx: &mut Cx<'_, '_>, _: &Caller, id: Uuid) -> Result<LookupResult<Self>> {
        find_ordinary(cx, &NameOrId::Id(id))
    }

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id))
    }

    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let within = ListBy::lookup(IpPoolRange::POOL, self.meta.id);
        let ranges = Dependents::labeled(DeletionEffect::Prevents, within, range::to_dependent);
        Ok(vec![ranges.along().refused_because("IP Pool cannot be deleted while it contains IP ranges")])
    }

    fn effects(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let mut silos: Vec<Silo> = Vec::new();
        for link in paging::all::<IpPoolSiloLink>(cx.tx, &ListBy::Parent(self.meta.id))? {
            silos.extend(cx.tx.get::<Silo>(link.silo_id)?);
        }
        let attached = ListBy::lookup(InternetGatewayIpPool::POOL, self.meta.id);
        Ok(vec![
            Dependents::found(DeletionEffect::Changed, &silos),
            Dependents::list::<InternetGatewayIpPool>(DeletionEffect::Deleted, attached),
        ])
    }
}

/// `ip_pool_silo_list`: the visible links to silos.
pub fn silo_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    pool: &NameOrId,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::IpPoolSiloLink>> {
    let pool = find(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_SILO_LIST)?;
    let mut links = Vec::new();
    for link in paging::all::<IpPoolSiloLink>(cx.tx, &ListBy::Parent(pool.meta.id))? {
        let silo: Option<Silo> = cx.tx.get(link.silo_id)?;
        if silo.is_some_and(|silo| silo.discoverable) {
            links.push(to_link_view(&link));
        }
    }
    Ok(paging::page_of(links, query))
}

/// `ip_pool_silo_link`.
pub fn silo_link(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    pool: &NameOrId,
    params: &IpPoolLinkSilo,
) -> Result<api::IpPoolSiloLink> {
    let pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_SILO_LINK)?.into_inner();
    let silo = silo::enter(cx, caller, &params.silo)?.into_inner();
    let link = IpPoolSiloLink {
        meta: cx.new_meta(),
        ip_pool_id: pool.meta.id,
        silo_id: silo.meta.id,
        is_default: params.is_default,
    };
    match cx.tx.insert(&link) {
        Err(StoreError::Exists) => return Err(taken(cx, &pool, &silo)?),
        inserted => inserted?,
    }
    if link.is_default {
        gateways::attach_to_defaults(cx, pool.meta.id, silo.meta.id)?;
    }
    Ok(to_link_view(&link))
}

/// The error for a link that exists: the same pair, or another default pool of the silo.
fn taken(cx: &mut Cx<'_, '_>, pool: &IpPool, silo: &Silo) -> Result<Error> {
    let silo_name = &silo.name;
    if find_link(cx.tx, pool.meta.id, silo.meta.id)?.is_some() {
        return Ok(Error::ExistsText(format!("IP pool {} is linked to silo {silo_name}", pool.name)));
    }
    let default: Option<IpPool> = match default_of(cx.tx, silo.meta.id)? {
        Some(default) => cx.tx.get(default)?,
        None => None,
    };
    Ok(match default {
        Some(IpPool { name, .. }) => {
            Error::ExistsText(format!("silo {silo_name} has a default IP pool, {name}"))
        }
        None => Error::unavailable("another link to the silo is being created"),
    })
}

/// `ip_pool_silo_update`: makes a pool the silo's default in place of the previous one, or leaves the silo without a
/// default.
pub fn silo_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    pool: &NameOrId,
    silo: &NameOrId,
    params: &IpPoolSiloUpdate,
) -> Result<api::IpPoolSiloLink> {
    let pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_SILO_UPDATE)?.meta.id;
    let silo = silo::enter(cx, caller, silo)?.meta.id;
    let Some(mut link) = find_link(cx.tx, pool, silo)? else {
        let lookup = Lookup::Other(format!("ip-pool-resource with id \"{}\"", link_name(pool, silo)));
        return Err(Error::not_found(ResourceKind::IpPoolResource, lookup));
    };
    if link.is_default != params.is_default {
        if params.is_default {
            demote(cx, silo)?;
        }
        set_default(cx, &mut link, params.is_default)?;
    }
    Ok(to_link_view(&link))
}

/// `ip_pool_silo_unlink`: succeeds if there is no link.
pub fn silo_unlink(cx: &mut Cx<'_, '_>, caller: &Caller, pool: &NameOrId, silo: &NameOrId) -> Result<()> {
    let pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_SILO_UNLINK)?.meta.id;
    let silo = silo::enter(cx, caller, silo)?.meta.id;
    let Some(link) = find_link(cx.tx, pool, silo)? else { return Ok(()) };
    let pair = || Key::combined([pool.into(), silo.into()]);
    if cx.tx.exists::<FloatingIp>(ListBy::lookup(FloatingIp::POOL_OF_SILO, pair()))?
        || cx.tx.exists::<InstanceAddress>(ListBy::lookup(InstanceAddress::POOL_OF_SILO, pair()))?
        || cx.tx.exists::<Probe>(ListBy::lookup(Probe::POOL_OF_SILO, pair()))?
    {
        return Err(Error::invalid_request("IP addresses from this pool are in use in the linked silo"));
    }
    gateways::detach_in_silo(cx, pool, silo)?;
    cx.tx.remove::<IpPoolSiloLink>(link.meta.id, cx.now)?;
    Ok(())
}

fn link_name(pool: Uuid, silo: Uuid) -> String {
    format!("({pool}, {silo})")
}

fn set_default(cx: &mut Cx<'_, '_>, link: &mut IpPoolSiloLink, is_default: bool) -> Result<()> {
    link.is_default = is_default;
    link.meta.time_modified = cx.now;
    Ok(cx.tx.update(link)?)
}

/// Removes a silo's default pool.
fn demote(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<()> {
    match cx.tx.find(IpPoolSiloLink::DEFAULT, silo)? {
        Some(mut link) => set_default(cx, &mut link, false),
        None => Ok(()),
    }
}

/// `silo_ip_pool_list`: the pools that any silo is linked to.
pub fn of_silo(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<SiloIpPool>> {
    let silo = silo::find(cx, silo)?.authorize(cx, caller, Permission::Read)?.meta.id;
    authz::require(cx, caller, &collection(), &operation::SILO_IP_POOL_LIST)?;
    linked(cx, silo, query)
}

/// `project_ip_pool_list`: the pools that the caller's silo is linked to.
pub fn own_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<SiloIpPool>> {
    let place = ResourceScope::silo(Kind::LINKED_IP_POOL, caller.silo_id);
    authz::require(cx, caller, &place, &operation::PROJECT_IP_POOL_LIST)?;
    linked(cx, caller.silo_id, query)
}

fn linked(
    cx: &mut Cx<'_, '_>,
    silo: Uuid,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<SiloIpPool>> {
    let mut pools = Vec::new();
    for link in paging::all::<IpPoolSiloLink>(cx.tx, &ListBy::lookup(IpPoolSiloLink::SILO, silo))? {
        let pool: Option<IpPool> = cx.tx.get(link.ip_pool_id)?;
        pools.extend(pool.map(|pool| to_silo_view(&LinkedPool { pool, link })));
    }
    Ok(paging::page_of(pools, query))
}

/// A pool that is linked to the caller's silo. Other pools are not found, whatever the caller's roles.
fn find_linked(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    selector: &NameOrId,
) -> Result<LookupResult<LinkedPool>> {
    let linked = match get(cx.tx, selector)? {
        Some(pool) => {
            let link = find_link(cx.tx, pool.meta.id, caller.silo_id)?;
            link.map(|link| LinkedPool { pool, link })
        }
        None => None,
    };
    Ok(LookupResult::new(linked, selector))
}

/// `project_ip_pool_view`.
pub fn own_view(cx: &mut Cx<'_, '_>, caller: &Caller, selector: &NameOrId) -> Result<SiloIpPool> {
    let linked =
        find_linked(cx, caller, selector)?.authorize(cx, caller, &operation::PROJECT_IP_POOL_VIEW)?;
    Ok(to_silo_view(&linked))
}

/// The pool to allocate from: the named one, which must be linked to the caller's silo, or the silo's default.
pub(crate) fn choose(cx: &mut Cx<'_, '_>, caller: &Caller, selector: Option<&NameOrId>) -> Result<Uuid> {
    match selector {
        Some(selector) => {
            let linked = find_linked(cx, caller, selector)?.authorize(cx, caller, Permission::Read)?;
            Ok(linked.pool.meta.id)
        }
        None => default_of(cx.tx, caller.silo_id)?.ok_or_else(no_default),
    }
}

/// The silo's default pool.
pub(crate) fn default_of(tx: &mut Tx<'_>, silo: Uuid) -> Result<Option<Uuid>> {
    let link: Option<IpPoolSiloLink> = tx.find(IpPoolSiloLink::DEFAULT, silo)?;
    Ok(link.map(|link| link.ip_pool_id))
}

/// The error for a silo without a default pool.
pub(crate) fn no_default() -> Error {
    Error::not_found(ResourceKind::IpPool, Lookup::Other("default IP pool for current silo".to_owned()))
}
