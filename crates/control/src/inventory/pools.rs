use croft_api::Result;
use croft_sled::SledInventory;
use croft_store::{
    Meta,
    records::{FLEET, Sled, StoragePool, StoragePools},
};

use crate::Cx;

pub(super) fn sync(cx: &mut Cx<'_, '_>, fleet: &[Sled], seen: &[SledInventory]) -> Result<()> {
    let old: Option<StoragePools> = cx.tx.get(FLEET)?;
    let mut pools = old.as_ref().map(|old| old.pools.clone()).unwrap_or_default();
    for pool in &mut pools {
        pool.is_present = false;
        pool.provisionable = false;
    }
    for sled in seen {
        let Some(record) = fleet.iter().find(|record| record.meta.id == sled.id) else { continue };
        for inventory in &sled.pools {
            match pools.iter_mut().find(|pool| pool.id == inventory.id) {
                Some(pool) => {
                    pool.size = inventory.size;
                    pool.is_present = true;
                    pool.provisionable = record.takes_new();
                }
                None => pools.push(StoragePool {
                    id: inventory.id,
                    sled_id: sled.id,
                    size: inventory.size,
                    used: 0,
                    is_present: true,
                    provisionable: record.takes_new(),
                }),
            }
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
