use croft_api::Result;
use croft_store::{
    ListBy,
    records::{Disk, Image, Snapshot, SnapshotVolume},
};
use uuid::Uuid;

use crate::{Cx, Progress};

/// Requests that a volume be freed if nothing uses it any more: no snapshot, no image, and no disk that is still being
/// built. Call this after removing one of these.
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

/// The progress of freeing a volume, which releases the quota; `None` once it is freed. Also finished if something uses
/// the volume again, or its host cannot free it now because other volumes depend on it.
pub fn freeing(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<Option<Progress<()>>> {
    let volume: Option<SnapshotVolume> = cx.tx.get(id)?;
    Ok(volume.map(|volume| Progress { view: (), is_over: volume.time_due.is_none() || volume.refusals > 0 }))
}

/// Wakes requests that wait for the [freeing] of a volume. Volumes are not listed, so nobody else listens.
pub(crate) fn announce(cx: &mut Cx<'_, '_>, volume: &SnapshotVolume) -> Result<()> {
    Ok(cx.tx.announce(volume, cx.now)?)
}
