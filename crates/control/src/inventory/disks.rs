use croft_api::Result;
use croft_sled::{PhysicalDiskInventory, SledInventory};
use croft_store::{
    ListBy, Meta,
    records::{PhysicalDisk, Sled},
};

use super::reconcile;
use crate::Cx;

/// The disks of reported sleds, without those that have been expunged.
pub(super) fn sync(cx: &mut Cx<'_, '_>, fleet: &[Sled], seen: &[SledInventory]) -> Result<()> {
    for inventory in seen {
        let Some(sled) = fleet.iter().find(|sled| sled.meta.id == inventory.id) else { continue };
        let by = ListBy::Parent(inventory.id);
        let fresh = |cx: &mut Cx<'_, '_>, old: Option<&PhysicalDisk>, seen: &PhysicalDiskInventory| {
            let meta = old.map_or_else(|| Meta::new(seen.id, cx.now), |old| old.meta.clone());
            PhysicalDisk {
                meta,
                sled_id: inventory.id,
                vendor: seen.vendor.clone(),
                model: seen.model.clone(),
                serial: seen.serial.clone(),
                form_factor: seen.form_factor.into(),
                size: seen.size,
                expunged: sled.expunged || old.is_some_and(|old| old.expunged),
            }
        };
        for gone in reconcile(cx, &by, &inventory.disks, |disk| disk.id, fresh)? {
            cx.tx.remove::<PhysicalDisk>(gone.meta.id, cx.now)?;
        }
    }
    Ok(())
}
