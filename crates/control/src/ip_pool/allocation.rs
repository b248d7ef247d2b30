//! Drawing addresses from a pool, and giving them back (`domain/networking.md`, section 8.1).

use std::net::IpAddr;

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Sort,
    records::{IpPoolUsage, Number, PortBlock, SharedAddress},
};
use uuid::Uuid;

use crate::{Cx, free_run};

fn exhausted() -> Error {
    Error::InsufficientCapacity("No external IP addresses available".to_owned())
}

/// Takes the lowest address that nothing uses.
pub(crate) fn take_lowest(cx: &mut Cx<'_, '_>, pool: Uuid) -> Result<IpAddr> {
    let address = free_run::take_lowest(cx, pool)?.and_then(Number::address).ok_or_else(exhausted)?;
    count(cx, pool, address, true)?;
    Ok(address)
}

/// Takes a certain address. False if it is in use, or not the pool's.
pub(crate) fn take(cx: &mut Cx<'_, '_>, pool: Uuid, address: IpAddr) -> Result<bool> {
    let taken = free_run::take(cx, pool, address.into(), address.into())?;
    if taken {
        count(cx, pool, address, true)?;
    }
    Ok(taken)
}

/// Gives an address back.
pub(crate) fn give_back(cx: &mut Cx<'_, '_>, pool: Uuid, address: IpAddr) -> Result<()> {
    free_run::give(cx, pool, address.into(), address.into())?;
    count(cx, pool, address, false)
}

/// Takes the lowest block of ports of the lowest address that has one: of an address that is shared already, or of one
/// that nothing uses.
pub(crate) fn take_block(cx: &mut Cx<'_, '_>, pool: Uuid) -> Result<(IpAddr, PortBlock)> {
    let by = ListBy::lookup(SharedAddress::WITH_ROOM, pool);
    let shared: Vec<SharedAddress> = cx.tx.page(by, Sort::NameAsc, None, 1)?;
    let unused = free_run::lowest(cx, pool)?.map(Number::sort_key);
    match shared.into_iter().next() {
        Some(mut shared) if unused.is_none_or(|unused| shared.key < unused) => {
            let block = shared.free_block().ok_or_else(exhausted)?;
            shared.blocks.push(block);
            shared.blocks.sort_unstable();
            cx.tx.update(&mut shared)?;
            Ok((shared.ip, block))
        }
        _ => {
            let ip = take_lowest(cx, pool)?;
            let (block, key) = (PortBlock(0), Number::from(ip).sort_key());
            let meta = cx.new_meta();
            cx.tx.insert(&SharedAddress { meta, ip_pool_id: pool, key, ip, blocks: vec![block] })?;
            Ok((ip, block))
        }
    }
}

/// Gives a block of ports back, and with the last one the address.
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

/// Counts an address as used, or not any more.
fn count(cx: &mut Cx<'_, '_>, pool: Uuid, address: IpAddr, used: bool) -> Result<()> {
    let mut usage: IpPoolUsage =
        cx.tx.get(pool)?.ok_or_else(|| Error::internal(format!("pool {pool} has no counters")))?;
    let counter = if address.is_ipv4() { &mut usage.ipv4 } else { &mut usage.ipv6 };
    let next = if used { counter.checked_add(1) } else { counter.checked_sub(1) };
    *counter = next.ok_or_else(|| Error::internal(format!("the counters of pool {pool} are wrong")))?;
    Ok(cx.tx.update(&mut usage)?)
}
