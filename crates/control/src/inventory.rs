//! What the hosts have, as the rules see it.

use croft_api::Result;
use croft_sled::SledInventory;
use croft_store::{
    ListBy, Meta,
    records::{FLEET, Resources, Sled, StoragePool, StoragePools},
};

use crate::{Cx, Settings, paging, storage};

/// Takes over what the hosts say they have. What has disappeared takes nothing new, and keeps what is on it.
pub fn sync(cx: &mut Cx<'_, '_>, sleds: &[SledInventory]) -> Result<()> {
    sync_sleds(cx, sleds)?;
    sync_pools(cx, sleds)
}

/// What all hosts together can hold: the quota of the first silo.
pub fn capacity(settings: &Settings, sleds: &[SledInventory]) -> Resources {
    let pools = sleds.iter().flat_map(|sled| &sled.pools).map(|pool| pool.size);
    Resources {
        cpus: sleds.iter().map(|sled| sled.threads).sum(),
        memory: sleds.iter().map(|sled| sled.guest_memory).sum(),
        storage: storage::usable(&settings.storage, pools),
    }
}

fn sync_sleds(cx: &mut Cx<'_, '_>, sleds: &[SledInventory]) -> Result<()> {
    let mut known: Vec<Sled> = paging::all(cx.tx, &ListBy::All)?;
    for inventory in sleds {
        let fresh = |old: &Sled| Sled {
            serial: inventory.serial.clone(),
            provisionable: !old.expunged,
            threads: inventory.threads,
            guest_memory: inventory.guest_memory,
            ..old.clone()
        };
        match known.iter().position(|sled| sled.meta.id == inventory.id) {
            Some(position) => {
                let old = known.swap_remove(position);
                let mut sled = fresh(&old);
                if sled != old {
                    cx.tx.update(&mut sled)?;
                }
            }
            None => cx.tx.insert(&Sled {
                meta: Meta::new(inventory.id, cx.now),
                serial: inventory.serial.clone(),
                provisionable: true,
                expunged: false,
                threads: inventory.threads,
                guest_memory: inventory.guest_memory,
                reserved_threads: 0,
                reserved_memory: 0,
            })?,
        }
    }
    for mut gone in known.into_iter().filter(|sled| sled.provisionable) {
        gone.provisionable = false;
        cx.tx.update(&mut gone)?;
    }
    Ok(())
}

fn sync_pools(cx: &mut Cx<'_, '_>, sleds: &[SledInventory]) -> Result<()> {
    let old: Option<StoragePools> = cx.tx.get(FLEET)?;
    let mut pools = old.as_ref().map(|old| old.pools.clone()).unwrap_or_default();
    for pool in &mut pools {
        pool.provisionable = false;
    }
    let all: Vec<Sled> = paging::all(cx.tx, &ListBy::All)?;
    let expunged = |id| all.iter().any(|sled| sled.meta.id == id && sled.expunged);
    for (sled, inventory) in sleds.iter().flat_map(|sled| sled.pools.iter().map(move |pool| (sled, pool))) {
        match pools.iter_mut().find(|pool| pool.id == inventory.id) {
            Some(pool) => {
                pool.size = inventory.size;
                pool.provisionable = !expunged(sled.id);
            }
            None => pools.push(StoragePool {
                id: inventory.id,
                sled_id: sled.id,
                size: inventory.size,
                used: 0,
                provisionable: !expunged(sled.id),
            }),
        }
    }
    pools.sort_by_key(|pool| pool.id);
    match old {
        None => Ok(cx.tx.insert(&StoragePools { meta: Meta::new(FLEET, cx.now), pools })?),
        Some(mut record) if record.pools != pools => {
            record.pools = pools;
            Ok(cx.tx.update(&mut record)?)
        }
        Some(_) => Ok(()),
    }
}
