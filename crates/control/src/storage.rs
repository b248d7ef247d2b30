//! Space on storage pools (`docs/rules/compute-and-storage.md#storage-space`).

use croft_api::{Error, Result};
use croft_store::records::{FLEET, Sled, StoragePool, StoragePools};
use uuid::Uuid;

use crate::{Cx, Declaration, Resource, SiloDeletion, StorageSettings};

impl Resource for StoragePools {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// Reserves space for a disk: one copy on each of several pools, on different sleds if there are enough.
pub(crate) fn allocate(cx: &mut Cx<'_, '_>, size: u64) -> Result<Vec<Uuid>> {
    let settings = &cx.settings().storage;
    let mut record = load(cx)?;
    let chosen = choose(&record.pools, settings, size)
        .ok_or_else(|| Error::InsufficientCapacity("Not enough storage".to_owned()))?;
    for pool in record.pools.iter_mut().filter(|pool| chosen.contains(&pool.id)) {
        pool.used += copy_size(settings, size);
    }
    cx.tx.update(&mut record)?;
    Ok(chosen)
}

/// Releases the space of a disk of this size.
pub(crate) fn free(cx: &mut Cx<'_, '_>, pools: &[Uuid], size: u64) -> Result<()> {
    let settings = &cx.settings().storage;
    let mut record = load(cx)?;
    for pool in record.pools.iter_mut().filter(|pool| pools.contains(&pool.id)) {
        pool.used = pool
            .used
            .checked_sub(copy_size(settings, size))
            .ok_or_else(|| Error::internal(format!("storage pool {} gave back more than it had", pool.id)))?;
    }
    Ok(cx.tx.update(&mut record)?)
}

/// Sets whether the pools of a sled accept new disks, like the sled itself.
pub(crate) fn follow(cx: &mut Cx<'_, '_>, sled: &Sled) -> Result<()> {
    let mut record = load(cx)?;
    let before = record.pools.clone();
    for pool in record.pools.iter_mut().filter(|pool| pool.sled_id == sled.meta.id) {
        pool.provisionable = pool.is_present && sled.takes_new();
    }
    if record.pools == before {
        return Ok(());
    }
    Ok(cx.tx.update(&mut record)?)
}

/// Every storage pool.
pub(crate) fn pools(cx: &mut Cx<'_, '_>) -> Result<Vec<StoragePool>> {
    Ok(load(cx)?.pools)
}

fn load(cx: &mut Cx<'_, '_>) -> Result<StoragePools> {
    cx.tx.get(FLEET)?.ok_or_else(|| Error::internal("the storage pools are missing"))
}

/// The space for one copy of a disk.
fn copy_size(settings: &StorageSettings, size: u64) -> u64 {
    let percent = u128::from(size) * u128::from(settings.overhead_percent);
    u64::try_from(percent.div_ceil(100)).unwrap_or(u64::MAX)
}

/// The capacity of the pools in bytes of disks, if each disk is distributed evenly.
pub(crate) fn usable(settings: &StorageSettings, pools: impl Iterator<Item = u64>) -> u64 {
    let raw: u128 = pools.map(|size| u128::from(size.saturating_sub(settings.reserved_per_pool))).sum();
    let per_byte = u128::from(settings.overhead_percent) * settings.copies.max(1) as u128;
    u64::try_from(raw * 100 / per_byte.max(1)).unwrap_or(u64::MAX)
}

fn choose(pools: &[StoragePool], settings: &StorageSettings, size: u64) -> Option<Vec<Uuid>> {
    let needed = copy_size(settings, size);
    let free =
        |pool: &StoragePool| pool.size.saturating_sub(settings.reserved_per_pool).saturating_sub(pool.used);
    let mut candidates: Vec<&StoragePool> =
        pools.iter().filter(|pool| pool.provisionable && free(pool) >= needed).collect();
    candidates.sort_by_key(|pool| (std::cmp::Reverse(free(pool)), pool.id));
    let mut chosen: Vec<&StoragePool> = Vec::with_capacity(settings.copies);
    for other_sled in [true, false] {
        for pool in &candidates {
            let taken = chosen.iter().any(|other| other.id == pool.id);
            let same_sled = chosen.iter().any(|other| other.sled_id == pool.sled_id);
            if chosen.len() < settings.copies && !taken && !(other_sled && same_sled) {
                chosen.push(pool);
            }
        }
    }
    (chosen.len() == settings.copies).then(|| chosen.iter().map(|pool| pool.id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn pool(id: u128, sled: u128, free_gib: u64) -> StoragePool {
        StoragePool {
            id: Uuid::from_u128(id),
            sled_id: Uuid::from_u128(sled),
            size: (250 + free_gib) * GIB,
            used: 0,
            is_present: true,
            provisionable: true,
        }
    }

    fn ids(ids: &[u128]) -> Vec<Uuid> {
        ids.iter().copied().map(Uuid::from_u128).collect()
    }

    #[test]
    fn copies_go_to_different_sleds_first() {
        let settings = StorageSettings::default();
        let pools = [pool(1, 1, 100), pool(2, 1, 90), pool(3, 2, 50), pool(4, 3, 40)];
        assert_eq!(choose(&pools, &settings, GIB), Some(ids(&[1, 3, 4])));
        assert_eq!(choose(&pools[..3], &settings, GIB), Some(ids(&[1, 3, 2])));
        assert_eq!(choose(&pools[..2], &settings, GIB), None);
    }

    #[test]
    fn a_copy_takes_a_quarter_more_and_is_never_split() {
        let settings = StorageSettings::default();
        let pools = [pool(1, 1, 10), pool(2, 2, 10), pool(3, 3, 10)];
        assert!(choose(&pools, &settings, 8 * GIB).is_some());
        assert_eq!(choose(&pools, &settings, 9 * GIB), None);
        assert_eq!(usable(&settings, pools.iter().map(|pool| pool.size)), 8 * GIB);
    }

    #[test]
    fn pools_that_are_not_provisionable_are_not_used() {
        let settings = StorageSettings { copies: 1, ..StorageSettings::default() };
        let mut only = pool(1, 1, 10);
        assert!(choose(std::slice::from_ref(&only), &settings, GIB).is_some());
        only.provisionable = false;
        assert_eq!(choose(&[only], &settings, GIB), None);
    }
}
