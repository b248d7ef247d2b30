//! Sleds, as far as an operator decides about them (`domain/compute-and-storage.md`, sections 3.7 and 7.1).

use croft_api::{Error, Lookup, ResourceKind, Result};
use croft_store::{
    ListBy,
    records::{FLEET, Sled, StoragePools},
};

use crate::{Cx, paging};

/// Takes a sled out of the fleet for good. Nothing new is put on it, not even when it comes back; the reconciler fails
/// the instances that run on it. Nothing happens if it is out already.
pub fn expunge(cx: &mut Cx<'_, '_>, serial: &str) -> Result<()> {
    let sleds: Vec<Sled> = paging::all(cx.tx, &ListBy::All)?;
    let found = sleds.into_iter().find(|sled| sled.serial == serial);
    let lookup = || Lookup::Other(format!("sled with serial number \"{serial}\""));
    let mut sled = found.ok_or_else(|| Error::not_found(ResourceKind::Sled, lookup()))?;
    if sled.expunged {
        return Ok(());
    }
    sled.expunged = true;
    sled.provisionable = false;
    cx.tx.update(&mut sled)?;
    let Some(mut storage) = cx.tx.get::<StoragePools>(FLEET)? else { return Ok(()) };
    for pool in storage.pools.iter_mut().filter(|pool| pool.sled_id == sled.meta.id) {
        pool.provisionable = false;
    }
    Ok(cx.tx.update(&mut storage)?)
}
