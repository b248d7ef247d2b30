use croft_api::Result;
use croft_sled::SledInventory;
use croft_store::{
    ListBy, Meta,
    records::{Sled, UninitializedSled},
};
use uuid::Uuid;

use super::reconcile;
use crate::{Cx, paging};

/// Returns all sleds of the fleet, including those that were not reported.
pub(super) fn sync(cx: &mut Cx<'_, '_>, rack_id: Uuid, seen: &[SledInventory]) -> Result<Vec<Sled>> {
    let known: Vec<Sled> = paging::all(cx.tx, &ListBy::All)?;
    let waiting: Vec<UninitializedSled> = paging::all(cx.tx, &ListBy::All)?;
    let is_added = |id| waiting.iter().any(|sled| sled.meta.id == id && sled.time_added.is_some());
    let is_of_fleet = |sled: &&SledInventory| {
        !sled.is_spare || known.iter().any(|known| known.meta.id == sled.id) || is_added(sled.id)
    };
    let (fleet, spare): (Vec<_>, Vec<_>) = seen.iter().partition(is_of_fleet);
    sync_fleet(cx, rack_id, &fleet)?;
    sync_spare(cx, rack_id, &spare)?;
    paging::all(cx.tx, &ListBy::All)
}

fn sync_fleet(cx: &mut Cx<'_, '_>, rack_id: Uuid, seen: &[&SledInventory]) -> Result<()> {
    let gone: Vec<Sled> = reconcile(
        cx,
        &ListBy::All,
        seen,
        |sled| sled.id,
        |cx, old: Option<&Sled>, seen| Sled {
            meta: old.map_or_else(|| Meta::new(seen.id, cx.now), |old| old.meta.clone()),
            rack_id,
            baseboard: seen.baseboard.clone().into(),
            is_present: true,
            provisionable: old.is_none_or(|old| old.provisionable),
            expunged: old.is_some_and(|old| old.expunged),
            hardware_threads: seen.hardware_threads,
            physical_memory: seen.physical_memory,
            threads: seen.threads,
            guest_memory: seen.guest_memory,
            reserved_threads: old.map_or(0, |old| old.reserved_threads),
            reserved_memory: old.map_or(0, |old| old.reserved_memory),
        },
    )?;
    for mut gone in gone.into_iter().filter(|sled| sled.is_present) {
        gone.is_present = false;
        cx.tx.update(&mut gone)?;
    }
    Ok(())
}

fn sync_spare(cx: &mut Cx<'_, '_>, rack_id: Uuid, seen: &[&SledInventory]) -> Result<()> {
    let gone: Vec<UninitializedSled> = reconcile(
        cx,
        &ListBy::All,
        seen,
        |sled| sled.id,
        |cx, old: Option<&UninitializedSled>, seen| UninitializedSled {
            meta: old.map_or_else(|| Meta::new(seen.id, cx.now), |old| old.meta.clone()),
            rack_id,
            baseboard: seen.baseboard.clone().into(),
            cubby: seen.cubby,
            time_added: old.and_then(|old| old.time_added),
        },
    )?;
    // A sled that was added and has not been reported yet remains in the fleet.
    let fleet: Vec<Sled> = paging::all(cx.tx, &ListBy::All)?;
    let is_of_fleet = |id| fleet.iter().any(|sled| sled.meta.id == id);
    for gone in gone.iter().filter(|gone| gone.time_added.is_none() || is_of_fleet(gone.meta.id)) {
        cx.tx.remove::<UninitializedSled>(gone.meta.id, cx.now)?;
    }
    Ok(())
}
