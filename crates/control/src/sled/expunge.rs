use croft_api::{Error, Lookup, ResourceKind, Result};
use croft_store::{
    ListBy,
    records::{PhysicalDisk, Sled},
};

use crate::{Cx, paging, storage};

/// Expunges a sled and its disks. It gets no new machines or disks, even if it comes back; the reconciler fails the
/// instances on it. Does nothing if it is already expunged.
pub fn expunge(cx: &mut Cx<'_, '_>, serial: &str) -> Result<()> {
    let sleds: Vec<Sled> = paging::all(cx.tx, &ListBy::All)?;
    let found = sleds.into_iter().find(|sled| sled.baseboard.serial == serial);
    let lookup = || Lookup::Other(format!("sled with serial number \"{serial}\""));
    let mut sled = found.ok_or_else(|| Error::not_found(ResourceKind::Sled, lookup()))?;
    if sled.expunged {
        return Ok(());
    }
    sled.expunged = true;
    sled.meta.time_modified = cx.now;
    cx.tx.update(&mut sled)?;
    cx.tx.announce(&sled, cx.now)?;
    let disks: Vec<PhysicalDisk> = paging::all(cx.tx, &ListBy::Parent(sled.meta.id))?;
    for mut disk in disks {
        disk.expunged = true;
        disk.meta.time_modified = cx.now;
        cx.tx.update(&mut disk)?;
    }
    storage::follow(cx, &sled)
}
