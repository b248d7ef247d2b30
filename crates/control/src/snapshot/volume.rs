use croft_api::Result;
use croft_store::{
    ListBy,
    records::{Disk, Image, Snapshot, SnapshotVolume},
};
use uuid::Uuid;

use crate::Cx;

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
    Ok(cx.tx.update(&mut volume)?)
}
