//! What migrations change of what is stored.

use uuid::Uuid;

use crate::{
    ListBy, Sort, StoreError, Tx,
    records::{ConsoleSession, Disk, FLEET, Image, Snapshot, SnapshotVolume, Usage},
};

/// Volumes looked at in one go.
const BATCH: usize = 500;

/// Lets sessions be found by how they were opened.
pub(crate) fn find_sessions_by_provider(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    tx.refresh_lookups::<ConsoleSession>()
}

/// Volumes of snapshots count against the quota of their silo until they are freed. Before, snapshots did, so those of
/// which only images, disks and layers were left counted for nobody.
pub(crate) fn count_volumes(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let volumes: Vec<SnapshotVolume> = tx.page(ListBy::All, Sort::IdAsc, after, BATCH)?;
        let Some(last) = volumes.last() else { return Ok(()) };
        after = Some(crate::Marker::Id(last.meta.id));
        for mut volume in volumes {
            let is_counted = tx.get::<Snapshot>(volume.meta.id)?.is_some();
            volume.silo_id = silo_of(tx, volume.meta.id)?;
            tx.update(&mut volume)?;
            if is_counted {
                continue;
            }
            for id in volume.silo_id.into_iter().chain([FLEET]) {
                if let Some(mut usage) = tx.get::<Usage>(id)? {
                    usage.used.storage = usage.used.storage.saturating_add(volume.size);
                    tx.update(&mut usage)?;
                }
            }
        }
    }
}

/// Whose a volume is: known from its snapshot, deleted or not, or from what reads from it.
fn silo_of(tx: &mut Tx<'_>, volume: Uuid) -> Result<Option<Uuid>, StoreError> {
    if let Some(snapshot) = tx.get_any::<Snapshot>(volume)? {
        return Ok(Some(snapshot.silo_id));
    }
    let images: Vec<Image> = tx.page(ListBy::lookup(Image::VOLUME, volume), Sort::IdAsc, None, 1)?;
    if let Some(image) = images.first() {
        return Ok(Some(image.silo_id));
    }
    let disks: Vec<Disk> = tx.page(ListBy::lookup(Disk::BEGINS_WITH, volume), Sort::IdAsc, None, 1)?;
    Ok(disks.first().map(|disk| disk.silo_id))
}
