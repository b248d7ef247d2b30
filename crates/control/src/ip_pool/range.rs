//! The address ranges of pools (`docs/rules/networking.md#ranges-of-pools` and
//! `docs/rules/networking.md#utilization-of-pools`).

use std::net::IpAddr;

use croft_api::{
    Error, Result,
    ip_pool::{self as api, AddressCount, IpPoolUtilization, IpRange, Ipv4Utilization, Ipv6Utilization},
    page::{NameSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Marker, Sort, Tx,
    records::{IpPoolRange, IpPoolUsage, Number},
};
use uuid::Uuid;

use super::{find, find_ordinary, service::SERVICE_POOL};
use crate::{
    Caller, Cx, LookupResult, Operation, deletable::Deletable, dependents::Dependent, free_run,
    ip_pool::operation, paging,
};

fn to_view(range: &IpPoolRange) -> Result<api::IpPoolRange> {
    let between = IpRange::between(range.first, range.last);
    Ok(api::IpPoolRange {
        id: range.meta.id,
        time_created: range.meta.time_created,
        ip_pool_id: range.ip_pool_id,
        range: between.ok_or_else(turned)?,
        place: range.key.clone(),
    })
}

/// `ip_pool_range_list`: sorted by first address.
pub fn range_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    pool: &NameOrId,
    query: &PageQuery<NoSelector, NameSortMode>,
) -> Result<ResultsPage<api::IpPoolRange>> {
    let pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_RANGE_LIST)?.meta.id;
    list_of(cx, pool, query)
}

/// The ranges of a pool.
pub(super) fn list_of(
    cx: &mut Cx<'_, '_>,
    pool: Uuid,
    query: &PageQuery<NoSelector, NameSortMode>,
) -> Result<ResultsPage<api::IpPoolRange>> {
    let ranges: Vec<IpPoolRange> = paging::page(cx.tx, ListBy::lookup(IpPoolRange::POOL, pool), query)?;
    Ok(query.results(ranges.iter().map(to_view).collect::<Result<_>>()?))
}

/// `ip_pool_range_add`: refused if any pool has one of the addresses.
pub fn range_add(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    pool: &NameOrId,
    range: IpRange,
) -> Result<api::IpPoolRange> {
    let pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_RANGE_ADD)?.meta.id;
    add_to(cx, pool, range)
}

/// Adds a range to a pool.
pub(super) fn add_to(cx: &mut Cx<'_, '_>, pool: Uuid, range: IpRange) -> Result<api::IpPoolRange> {
    let (first, last) = range.ends();
    if first.is_ipv6() && !cx.environment.settings.network.ipv6_pools {
        return Err(Error::invalid_request("IPv6 ranges are not allowed yet"));
    }
    to_view(&insert(cx, pool, first, last)?)
}

/// Adds a range of either family to a pool.
pub(crate) fn insert(cx: &mut Cx<'_, '_>, pool: Uuid, first: IpAddr, last: IpAddr) -> Result<IpPoolRange> {
    // Ranges do not overlap. So of all that start before this range ends, the last one also ends last.
    let marker = Marker::Name(format!("{}~", Number::from(last).sort_key()), Uuid::nil());
    let before: Vec<IpPoolRange> =
        cx.tx.page(ListBy::Parent(Uuid::nil()), Sort::NameDesc, Some(marker), 1)?;
    if before.iter().any(|range| range.first.is_ipv4() == first.is_ipv4() && range.last >= first) {
        return Err(Error::invalid_request(format!(
            "The provided IP range {first}-{last} overlaps with an existing range"
        )));
    }
    let range = IpPoolRange::new(cx.new_meta(), pool, first, last);
    cx.tx.insert(&range)?;
    free_run::give(cx, pool, first.into(), last.into())?;
    Ok(range)
}

/// `ip_pool_range_remove`: a range exactly as it was added, with no address of it in use.
pub fn range_remove(cx: &mut Cx<'_, '_>, caller: &Caller, pool: &NameOrId, range: IpRange) -> Result<()> {
    let pool = find_ordinary(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_RANGE_REMOVE)?.meta.id;
    remove_from(cx, pool, range)
}

/// Removes a range of a pool.
pub(super) fn remove_from(cx: &mut Cx<'_, '_>, pool: Uuid, range: IpRange) -> Result<()> {
    let (first, last) = range.ends();
    let stored: Option<IpPoolRange> = cx.tx.get_by_name(Uuid::nil(), &Number::from(first).sort_key())?;
    let Some(mut stored) = stored.filter(|stored| stored.ip_pool_id == pool && stored.last == last) else {
        return Err(Error::invalid_request(format!("The provided range {first}-{last} does not exist")));
    };
    require_unused(cx, &stored)?;
    free_run::take(cx, pool, first.into(), last.into())?;
    Ok(cx.tx.delete(&mut stored, cx.now)?)
}

/// Fails if an address of a range is in use.
fn require_unused(cx: &mut Cx<'_, '_>, range: &IpPoolRange) -> Result<()> {
    if free_run::are_free(cx, range.ip_pool_id, range.first.into(), range.last.into())? {
        return Ok(());
    }
    Err(Error::invalid_request(
        "IP pool ranges cannot be deleted while external IP addresses are allocated from them",
    ))
}

/// A range that depends on its pool.
pub(super) fn to_dependent(range: &IpPoolRange) -> Dependent {
    Dependent::of(range).named(format_args!("{}-{}", range.first, range.last))
}

impl Deletable for IpPoolRange {
    const DELETION: Operation = operation::IP_POOL_RANGE_REMOVE;
    const PATH: &'static str = "/v1/system/ip-pools/ranges/remove#range=";

    fn find(cx: &mut Cx<'_, '_>, _: &Caller, id: Uuid) -> Result<LookupResult<Self>> {
        let range: Option<Self> = cx.tx.get(id)?;
        Ok(LookupResult::new(range.filter(|range| range.ip_pool_id != SERVICE_POOL), id))
    }

    fn describe(&self) -> Dependent {
        to_dependent(self)
    }

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        let range = Self::find(cx, caller, id)?.authorize(cx, caller, &Self::DELETION)?;
        let ends = IpRange::between(range.first, range.last).ok_or_else(turned)?;
        remove_from(cx, range.ip_pool_id, ends)
    }

    fn refuse(&self, cx: &mut Cx<'_, '_>, _: &Caller) -> Result<()> {
        require_unused(cx, self)
    }
}

fn turned() -> Error {
    Error::internal("a stored range has its ends the wrong way round")
}

/// `ip_pool_utilization_view`.
pub fn utilization_view(cx: &mut Cx<'_, '_>, caller: &Caller, pool: &NameOrId) -> Result<IpPoolUtilization> {
    let pool = find(cx, pool)?.authorize(cx, caller, &operation::IP_POOL_UTILIZATION_VIEW)?.meta.id;
    let usage: IpPoolUsage =
        cx.tx.get(pool)?.ok_or_else(|| Error::internal(format!("pool {pool} has no counters")))?;
    let (ipv4, ipv6) = capacity(cx.tx, pool)?;
    Ok(IpPoolUtilization {
        ipv4: Ipv4Utilization {
            allocated: u32::try_from(usage.ipv4).unwrap_or(u32::MAX),
            capacity: ipv4.to_u128().and_then(|count| u32::try_from(count).ok()).unwrap_or(u32::MAX),
        },
        ipv6: Ipv6Utilization { allocated: u128::from(usage.ipv6).into(), capacity: ipv6 },
    })
}

/// The number of addresses of each family in a pool.
fn capacity(tx: &mut Tx<'_>, pool: Uuid) -> Result<(AddressCount, AddressCount)> {
    let (mut ipv4, mut ipv6) = (AddressCount::default(), AddressCount::default());
    for range in paging::all::<IpPoolRange>(tx, &ListBy::lookup(IpPoolRange::POOL, pool))? {
        let (first, last) = (Number::from(range.first).value, Number::from(range.last).value);
        let total = if range.first.is_ipv4() { &mut ipv4 } else { &mut ipv6 };
        *total = total.and(AddressCount::between(first, last));
    }
    Ok((ipv4, ipv6))
}
