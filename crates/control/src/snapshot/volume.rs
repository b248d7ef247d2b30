use croft_api::Result;
use croft_store::{
    ListBy,
    records::{Disk, Image, Snapshot, SnapshotVolume},
};
use uuid::Uuid;

use crate::{Cx, Progress};

/// Has a volume freed if nothing reads from it any more: no snapshot, no image, and no disk that is still to be built.
/// To be called by whatever was one of these.
pub(crate) fn release(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<()> {
    let in_use = cx.tx.get::<Snapshot>(id)?.is_some()
        || cx.tx.exists::<Image>(ListBy::lookup(Image::VOLUME, id))?
        || cx.tx.exists::<Disk>(ListBy::lookup(Disk::BEGINS_WITH, id))?;
    if in_use {
        return Ok(());
    }
    let Some(mut volume) = cx.tx.get::<SnapshotVolume>(id)? else { return Ok(()) };
    volume.time_due = Some(cx.now);
    volume.refusals = 0;
    Ok(cx.tx.update(&mut volume)?)
}

/// How far the freeing of a volume is, which gives the quota back; none once it is freed. It is over, too, where something
/// else still reads from the volume, and where its host cannot free it now because others stand on it.
pub fn freeing(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<Option<Progress<()>>> {
    let volume: Option<SnapshotVolume> = cx.tx.get(id)?;
    Ok(volume.map(|volume| Progress { view: (), is_over: volume.time_due.is_none() || volume.refusals > 0 }))
}

/// Wakes requests that wait for the [freeing] of a volume. Volumes are in no list, so there are no other listeners.
pub(crate) fn announce(cx: &mut Cx<'_, '_>, volume: &SnapshotVolume) -> Result<()> {
    Ok(cx.tx.announce(volume, cx.now)?)
}
