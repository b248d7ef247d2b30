//! The pool of the system's own services (`docs/rules/networking.md#service-pool`).

use croft_api::{
    Result,
    ip_pool::{self as api, IpRange},
    page::{NameSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{Description, Name},
};
use croft_store::{
    Meta,
    records::{IpPool, IpPoolSiloLink},
};
use uuid::Uuid;

use super::{range, to_view};
use crate::{Authorized, Caller, Cx, LookupResult, authz::Permission, ip_pool::operation};

/// The id of the service pool, which is created at first start.
pub(super) const SERVICE_POOL: Uuid = Uuid::from_u128(0x001d_e000_1334_4000_8000_0000_0000_0003);
/// Its name, which is reserved.
const SERVICE_POOL_NAME: &str = "croft-service-pool";

/// Whether a pool is the service pool.
pub(super) fn is_service(pool: &IpPool) -> bool {
    pool.meta.id == SERVICE_POOL
}

/// Creates the service pool of a new database, without addresses, as the default pool of the system's own silo.
pub(crate) fn open(cx: &mut Cx<'_, '_>, silo_id: Uuid) -> Result<()> {
    let pool = IpPool {
        meta: Meta::new(SERVICE_POOL, cx.now),
        name: Name::literal(SERVICE_POOL_NAME),
        description: Description::from("addresses of the system's own services"),
    };
    super::open(cx, &pool)?;
    let link = IpPoolSiloLink { meta: cx.new_meta(), ip_pool_id: SERVICE_POOL, silo_id, is_default: true };
    Ok(cx.tx.insert(&link)?)
}

fn enter(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    permission: impl Into<Permission>,
) -> Result<Authorized<IpPool>> {
    let pool: Option<IpPool> = cx.tx.get(SERVICE_POOL)?;
    LookupResult::new(pool, &Name::literal(SERVICE_POOL_NAME)).authorize(cx, caller, permission)
}

/// `ip_pool_service_view`.
pub fn service_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<api::IpPool> {
    Ok(to_view(&*enter(cx, caller, &operation::IP_POOL_SERVICE_VIEW)?))
}

/// `ip_pool_service_range_list`: sorted by first address.
pub fn service_range_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameSortMode>,
) -> Result<ResultsPage<api::IpPoolRange>> {
    let pool = enter(cx, caller, &operation::IP_POOL_SERVICE_RANGE_LIST)?.meta.id;
    range::list_of(cx, pool, query)
}

/// `ip_pool_service_range_add`: refused if any pool has one of the addresses.
pub fn service_range_add(cx: &mut Cx<'_, '_>, caller: &Caller, range: IpRange) -> Result<api::IpPoolRange> {
    let pool = enter(cx, caller, &operation::IP_POOL_SERVICE_RANGE_ADD)?.meta.id;
    range::add_to(cx, pool, range)
}

/// `ip_pool_service_range_remove`: a range exactly as it was added, with no address of it in use.
pub fn service_range_remove(cx: &mut Cx<'_, '_>, caller: &Caller, range: IpRange) -> Result<()> {
    let pool = enter(cx, caller, &operation::IP_POOL_SERVICE_RANGE_REMOVE)?.meta.id;
    range::remove_from(cx, pool, range)
}
