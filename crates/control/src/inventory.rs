//! Records the hardware inventory in the database.

mod disks;
mod pools;
mod sleds;
mod switches;

use croft_api::Result;
use croft_sled::{Inventory, SledInventory};
use croft_store::{ListBy, Record, records::Resources};

use crate::{Cx, Settings, paging, rack, storage};

/// Updates the records from the hardware inventory. Hardware that has disappeared gets no new machines or disks, and
/// keeps its own. Adds spare sleds to the fleet if an operator has requested that.
pub fn sync(cx: &mut Cx<'_, '_>, inventory: &Inventory) -> Result<()> {
    let rack = rack::ensure(cx)?.meta.id;
    let fleet = sleds::sync(cx, rack, &inventory.sleds)?;
    disks::sync(cx, &fleet, &inventory.sleds)?;
    pools::sync(cx, &fleet, &inventory.sleds)?;
    switches::sync(cx, rack, &inventory.switches)
}

/// The total capacity of the sleds of a new fleet: the quota of the first silo.
pub fn capacity(settings: &Settings, sleds: &[SledInventory]) -> Resources {
    let sleds = || sleds.iter().filter(|sled| !sled.is_spare);
    let pools = sleds().flat_map(|sled| &sled.pools).map(|pool| pool.size);
    Resources {
        cpus: sleds().map(|sled| sled.threads).sum(),
        memory: sleds().map(|sled| sled.guest_memory).sum(),
        storage: storage::usable(&settings.storage, pools),
    }
}

/// Synchronizes records with what was reported: `fresh` updates an existing record, or creates one. Unchanged records
/// are not written. Returns the records of what was not reported.
fn reconcile<R: Record + PartialEq, S>(
    cx: &mut Cx<'_, '_>,
    by: &ListBy,
    seen: &[S],
    id: impl Fn(&S) -> uuid::Uuid,
    mut fresh: impl FnMut(&mut Cx<'_, '_>, Option<&R>, &S) -> R,
) -> Result<Vec<R>> {
    let mut known: Vec<R> = paging::all(cx.tx, by)?;
    for item in seen {
        let position = known.iter().position(|record| record.meta().id == id(item));
        let old = position.map(|position| known.swap_remove(position));
        let mut record = fresh(cx, old.as_ref(), item);
        match old {
            None => cx.tx.insert(&record)?,
            Some(old) if old != record => {
                record.meta_mut().time_modified = cx.now;
                cx.tx.update(&mut record)?;
            }
            Some(_) => {}
        }
    }
    Ok(known)
}
