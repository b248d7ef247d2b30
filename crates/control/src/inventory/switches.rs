use croft_api::Result;
use croft_sled::SwitchInventory;
use croft_store::{ListBy, Meta, records::Switch};
use uuid::Uuid;

use super::reconcile;
use crate::Cx;

pub(super) fn sync(cx: &mut Cx<'_, '_>, rack_id: Uuid, seen: &[SwitchInventory]) -> Result<()> {
    let fresh = |cx: &mut Cx<'_, '_>, old: Option<&Switch>, seen: &SwitchInventory| {
        let meta = old.map_or_else(|| Meta::new(seen.id, cx.now), |old| old.meta.clone());
        Switch { meta, rack_id, baseboard: seen.baseboard.clone().into() }
    };
    for gone in reconcile(cx, &ListBy::All, seen, |switch| switch.id, fresh)? {
        cx.tx.remove::<Switch>(gone.meta.id, cx.now)?;
    }
    Ok(())
}
