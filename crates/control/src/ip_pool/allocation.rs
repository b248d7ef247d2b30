//! Allocation of addresses from a pool (`docs/rules/networking.md#allocation-of-addresses`).

use std::net::IpAddr;

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Sort,
    records::{IpPoolRange, IpPoolUsage, Number, NumberKind, PortBlock, SharedAddress},
};
use uuid::Uuid;

use crate::{Cx, free_run};

/// An address family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// IPv4.
    V4,
    /// IPv6.
    V6,
}

impl Family {
    /// The family of an address.
    pub(crate) fn of(address: IpAddr) -> Self {
        if address.is_ipv4() { Self::V4 } else { Self::V6 }
    }

    /// The name in messages.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::V4 => "IPv4",
            Self::V6 => "IPv6",
        }
    }

    fn kind(self) -> NumberKind {
        match self {
            Self::V4 => NumberKind::V4,
            Self::V6 => NumberKind::V6,
        }
    }
}

/// Whether a pool has addresses of a family, free or allocated.
pub(crate) fn has_family(cx: &mut Cx<'_, '_>, pool: Uuid, family: Family) -> Result<bool> {
    let by = ListBy::lookup(IpPoolRange::POOL, pool);
    let marker = free_run::before_all(family.kind());
    let ranges: Vec<IpPoolRange> = cx.tx.page(by, Sort::NameAsc, Some(marker), 1)?;
    Ok(ranges.first().is_some_and(|range| Family::of(range.first) == family))
}

/// The error for an exhausted pool. `wanted` is the required family, if any.
fn exhausted(cx: &mut Cx<'_, '_>, pool: Uuid, wanted: Option<Family>) -> Error {
    let reason = match wanted.map(|family| Ok((family, has_family(cx, pool, family)?))) {
        Some(Err(error)) => return error,
        Some(Ok((family, false))) => {
            let family = family.label();
            format!(
                "No external IP addresses available: the pool has no {family} addresses, and the primary interface \
                 is {family}"
            )
        }
        Some(Ok((_, true))) | None => "No external IP addresses available".to_owned(),
    };
    Error::InsufficientCapacity(reason)
}

/// Allocates the lowest free address: of the required family, or of IPv4 before IPv6.
pub(crate) fn take_lowest(cx: &mut Cx<'_, '_>, pool: Uuid, wanted: Option<Family>) -> Result<IpAddr> {
    let lowest = free_run::take_lowest(cx, pool, wanted.map(Family::kind))?.and_then(Number::address);
    let Some(address) = lowest else { return Err(exhausted(cx, pool, wanted)) };
    count(cx, pool, address, true)?;
    Ok(address)
}

/// Allocates a given address. Returns false if it is in use, or not in the pool.
pub(crate) fn take(cx: &mut Cx<'_, '_>, pool: Uuid, address: IpAddr) -> Result<bool> {
    let taken = free_run::take(cx, pool, address.into(), address.into())?;
    if taken {
        count(cx, pool, address, true)?;
    }
    Ok(taken)
}

/// Frees an address.
pub(crate) fn give_back(cx: &mut Cx<'_, '_>, pool: Uuid, address: IpAddr) -> Result<()> {
    free_run::give(cx, pool, address.into(), address.into())?;
    count(cx, pool, address, false)
}

/// Allocates the lowest block of ports of the lowest address of a family with a free block: an address that is already
/// shared, or a free one.
pub(crate) fn take_block(cx: &mut Cx<'_, '_>, pool: Uuid, family: Family) -> Result<(IpAddr, PortBlock)> {
    let by = ListBy::lookup(SharedAddress::WITH_ROOM, pool);
    let marker = free_run::before_all(family.kind());
    let shared: Vec<SharedAddress> = cx.tx.page(by, Sort::NameAsc, Some(marker), 1)?;
    let unused = free_run::lowest(cx, pool, Some(family.kind()))?.map(Number::sort_key);
    match shared.into_iter().next().filter(|shared| Family::of(shared.ip) == family) {
        Some(mut shared) if unused.is_none_or(|unused| shared.key < unused) => {
            let block = shared.free_block();
            let block = block.ok_or_else(|| Error::internal(format!("{} has no room", shared.ip)))?;
            shared.blocks.push(block);
            shared.blocks.sort_unstable();
            cx.tx.update(&mut shared)?;
            Ok((shared.ip, block))
        }
        _ => {
            let ip = take_lowest(cx, pool, Some(family))?;
            let (block, key) = (PortBlock(0), Number::from(ip).sort_key());
            let meta = cx.new_meta();
            cx.tx.insert(&SharedAddress { meta, ip_pool_id: pool, key, ip, blocks: vec![block] })?;
            Ok((ip, block))
        }
    }
}

/// Frees a block of ports, and with the last block of an address the address.
pub(crate) fn give_back_block(
    cx: &mut Cx<'_, '_>,
    pool: Uuid,
    address: IpAddr,
    block: PortBlock,
) -> Result<()> {
    let key = Number::from(address).sort_key();
    let shared: Option<SharedAddress> = cx.tx.get_by_name(pool, &key)?;
    let Some(mut shared) = shared.filter(|shared| shared.blocks.contains(&block)) else {
        return Err(Error::internal(format!("ports of {address} were free already")));
    };
    shared.blocks.retain(|used| *used != block);
    if !shared.blocks.is_empty() {
        return Ok(cx.tx.update(&mut shared)?);
    }
    cx.tx.remove::<SharedAddress>(shared.meta.id, cx.now)?;
    give_back(cx, pool, address)
}

/// Updates the number of allocated addresses.
fn count(cx: &mut Cx<'_, '_>, pool: Uuid, address: IpAddr, used: bool) -> Result<()> {
    let mut usage: IpPoolUsage =
        cx.tx.get(pool)?.ok_or_else(|| Error::internal(format!("pool {pool} has no counters")))?;
    let counter = if address.is_ipv4() { &mut usage.ipv4 } else { &mut usage.ipv6 };
    let next = if used { counter.checked_add(1) } else { counter.checked_sub(1) };
    *counter = next.ok_or_else(|| Error::internal(format!("the counters of pool {pool} are wrong")))?;
    Ok(cx.tx.update(&mut usage)?)
}
