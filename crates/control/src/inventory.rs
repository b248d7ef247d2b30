//! The hardware inventory, as the rules see it.

mod disks;
mod pools;
mod sleds;
mod switches;

use croft_api::Result;
use croft_sled::{Inventory, SledInventory};
use croft_store::{ListBy, Record, records::Resources};

use crate::{Cx, Settings, paging, rack, storage};

/// Records the hardware inventory. Hardware that has disappeared gets nothing new, and keeps what is on it. Spare sleds
/// become part of the fleet when an operator has requested it.
pub fn sync(cx: &mut Cx<'_, '_>, inventory: &Inventory) -> Result<()> {
    let rack = rack::ensure(cx)?.meta.id;
    let fleet = sleds::sync(cx, rack, &inventory.sleds)?;
    disks::sync(cx, &fleet, &inventory.sleds)?;
    pools::sync(cx, &fleet, &inventory.sleds)?;
    switches::sync(cx, rack, &inventory.switches)
}

/// What all sleds of a new fleet can hold together: the quota of the first silo.
pub fn capacity(settings: &Settings, sleds: &[SledInventory]) -> Resources {
    let sleds = || sleds.iter().filter(|sled| !sled.is_spare);
    let pools = sleds().flat_map(|sled| &sled.pools).map(|pool| pool.size);
    Resources {
        cpus: sleds().map(|sled| sled.threads).sum(),
        memory: sleds().map(|sled| sled.guest_memory).sum(),
        storage: storage::usable(&settings.storage, pools),
    }
}

/// Makes the records of a list say what was seen: `fresh` puts it into an old record, or makes a new one.
/// Records that say it already are left alone. Answers the records of what was not seen.
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
