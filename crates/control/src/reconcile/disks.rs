use croft_api::Result;
use croft_sled::{DiskReport, DiskSpec, HypervisorError, HypervisorEvent};
use croft_store::{
    Tx,
    records::{Disk, DiskRemoval, DiskStage, Instance, Snapshot, SnapshotStage},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{BROKEN_WAIT, Work, record_each};
use crate::{Cx, alert, context::later, instance, snapshot, storage};

/// Disks handled in one transaction.
const BATCH: usize = 256;
/// How often a disk in creation is checked if its host sends no event.
const POLL: SignedDuration = SignedDuration::from_secs(30);

/// The result of creating a disk.
#[derive(Clone, Copy, Debug)]
enum DiskOutcome {
    Yes,
    NotYet,
    Never,
    Later,
}

/// Creates the disks that are due, and checks those that events are about.
pub(super) fn build(work: &mut Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
    for ids in reported(events).chunks(BATCH) {
        let ids = ids.to_vec();
        let disks = work.read(move |tx| {
            let mut disks = Vec::new();
            for id in &ids {
                disks.extend(tx.get::<Disk>(*id)?.filter(|disk| disk.time_due.is_some()));
            }
            with_sources(tx, disks)
        })?;
        build_batch(work, &disks)?;
    }
    loop {
        let now = work.now;
        let disks = work.read(move |tx| {
            let disks = tx.up_to(Disk::DUE, now, BATCH)?;
            with_sources(tx, disks)
        })?;
        build_batch(work, &disks)?;
        if disks.len() < BATCH {
            return Ok(());
        }
    }
}

/// The disks that events are about.
fn reported(events: &[HypervisorEvent]) -> Vec<Uuid> {
    let reported = events.iter().filter_map(|event| match event {
        HypervisorEvent::Disk(id) => Some(*id),
        HypervisorEvent::Machine(_) | HypervisorEvent::Snapshot(_) | HypervisorEvent::Network(_) => None,
    });
    reported.collect()
}

/// Disks to be created, each with the state of its source snapshot, if that still exists.
fn with_sources(tx: &mut Tx<'_>, disks: Vec<Disk>) -> Result<Vec<(Disk, Option<SnapshotStage>)>> {
    disks
        .into_iter()
        .map(|disk| {
            let source: Option<Snapshot> = match disk.begins_with {
                Some(volume) => tx.get(volume)?,
                None => None,
            };
            Ok((disk, source.map(|snapshot| snapshot.stage)))
        })
        .collect()
}

fn build_batch(work: &mut Work<'_>, disks: &[(Disk, Option<SnapshotStage>)]) -> Result<()> {
    if disks.is_empty() {
        return Ok(());
    }
    let outcomes: Vec<(Uuid, DiskOutcome)> =
        disks.iter().map(|(disk, source)| (disk.meta.id, build_one(work, disk, *source))).collect();
    work.write(move |cx| {
        record_each(
            cx,
            &outcomes,
            |cx, (id, built)| record_built(cx, *id, *built),
            |cx, (id, _)| postpone(cx, *id),
        )
    })
}

fn build_one(work: &Work<'_>, disk: &Disk, source: Option<SnapshotStage>) -> DiskOutcome {
    match source {
        Some(SnapshotStage::Creating) => return DiskOutcome::NotYet,
        Some(SnapshotStage::Faulted) => {
            tracing::error!(disk = %disk.meta.id, "the source snapshot of a disk could not be taken");
            return DiskOutcome::Never;
        }
        Some(SnapshotStage::Ready) | None => {}
    }
    let spec = DiskSpec {
        id: disk.meta.id,
        size: disk.size.bytes(),
        block_size: disk.block_size.into(),
        pools: disk.pools.clone(),
        snapshot: disk.begins_with,
    };
    match work.hypervisor.ensure_disk(&spec) {
        Ok(DiskReport::Ready) => DiskOutcome::Yes,
        Ok(DiskReport::Building) => DiskOutcome::NotYet,
        Err(error @ HypervisorError::Unreachable(_)) => {
            tracing::warn!(disk = %disk.meta.id, %error, "a disk cannot be created yet: its host cannot be reached");
            DiskOutcome::Later
        }
        Err(HypervisorError::Pending) => DiskOutcome::Later,
        Err(error) => {
            tracing::error!(disk = %disk.meta.id, %error, "a disk could not be created");
            DiskOutcome::Never
        }
    }
}

fn record_built(cx: &mut Cx<'_, '_>, id: Uuid, built: DiskOutcome) -> Result<()> {
    let Some(mut disk) = cx.tx.get::<Disk>(id)? else { return Ok(()) };
    if disk.built || disk.time_due.is_none() {
        return Ok(());
    }
    let attached_to = disk.attachment().map(|(instance, _)| instance);
    match built {
        DiskOutcome::Yes => {
            disk.built = true;
            disk.time_due = None;
        }
        DiskOutcome::Never => {
            disk.stage = DiskStage::Faulted;
            disk.time_due = None;
        }
        DiskOutcome::NotYet => disk.time_due = Some(later(cx.now, POLL)),
        DiskOutcome::Later => disk.time_due = Some(later(cx.now, cx.settings().retry_interval)),
    }
    if disk.time_due.is_some() {
        return Ok(cx.tx.update(&mut disk)?);
    }
    let volume = disk.begins_with.take();
    cx.tx.update(&mut disk)?;
    if disk.stage == DiskStage::Faulted {
        alert::publish_of(cx, &alert::DISK_FAULTED, &disk)?;
    }
    if let Some(volume) = volume {
        snapshot::release_volume(cx, volume)?;
    }
    wake_machine(cx, attached_to)
}

/// Wakes the machine that waits for a disk.
pub(super) fn wake_machine(cx: &mut Cx<'_, '_>, attached_to: Option<Uuid>) -> Result<()> {
    if let Some(instance_id) = attached_to
        && let Some(mut instance) = cx.tx.get::<Instance>(instance_id)?
        && instance.time_due.is_some_and(|due| due > cx.now)
    {
        instance::save(cx, &mut instance)?;
    }
    Ok(())
}

/// Frees the storage of deleted disks: those that are due, and those that events are about.
pub(super) fn remove(work: &mut Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
    for ids in reported(events).chunks(BATCH) {
        let ids = ids.to_vec();
        let removals = work.read(move |tx| {
            let mut removals = Vec::new();
            for id in &ids {
                removals.extend(tx.get::<DiskRemoval>(*id)?);
            }
            Ok(removals)
        })?;
        remove_batch(work, removals)?;
    }
    loop {
        let now = work.now;
        let removals: Vec<DiskRemoval> =
            work.read(move |tx| Ok(tx.up_to(DiskRemoval::DUE, now, BATCH)?))?;
        let full = removals.len() == BATCH;
        remove_batch(work, removals)?;
        if !full {
            return Ok(());
        }
    }
}

fn remove_batch(work: &mut Work<'_>, removals: Vec<DiskRemoval>) -> Result<()> {
    let remove_one = |removal: DiskRemoval| {
        let freed = work.hypervisor.delete_disk(removal.meta.id);
        match &freed {
            Ok(()) | Err(HypervisorError::Pending) => {}
            Err(error) => {
                tracing::warn!(disk = %removal.meta.id, %error, "the storage of a deleted disk could not be \
                                                                 released yet");
            }
        }
        (removal, freed.is_ok())
    };
    let outcomes: Vec<(DiskRemoval, bool)> = removals.into_iter().map(remove_one).collect();
    if outcomes.is_empty() {
        return Ok(());
    }
    work.write(move |cx| {
        let record =
            |cx: &mut Cx<'_, '_>, (removal, freed): &(DiskRemoval, bool)| record_removed(cx, removal, *freed);
        record_each(cx, &outcomes, record, |cx, (removal, _)| {
            postpone_removal(cx, removal.meta.id, BROKEN_WAIT)
        })
    })
}

fn record_removed(cx: &mut Cx<'_, '_>, removal: &DiskRemoval, freed: bool) -> Result<()> {
    if freed {
        if cx.tx.remove::<DiskRemoval>(removal.meta.id, cx.now)? {
            storage::free(cx, &removal.pools, removal.size)?;
        }
        return Ok(());
    }
    let wait = cx.settings().retry_interval;
    postpone_removal(cx, removal.meta.id, wait)
}

fn postpone_removal(cx: &mut Cx<'_, '_>, id: Uuid, wait: SignedDuration) -> Result<()> {
    let Some(mut removal) = cx.tx.get::<DiskRemoval>(id)? else { return Ok(()) };
    removal.time_due = later(cx.now, wait);
    Ok(cx.tx.update(&mut removal)?)
}

/// Postpones a disk whose records contradict each other.
fn postpone(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<()> {
    let Some(mut disk) = cx.tx.get::<Disk>(id)?.filter(|disk| disk.time_due.is_some()) else { return Ok(()) };
    disk.time_due = Some(later(cx.now, BROKEN_WAIT));
    Ok(cx.tx.update(&mut disk)?)
}

/// When the next disk is due.
pub(super) fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<Disk> = tx.up_to(Disk::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().and_then(|disk| disk.time_due))
}

/// When the next removal is due.
pub(super) fn next_removal(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<DiskRemoval> = tx.up_to(DiskRemoval::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().map(|removal| removal.time_due))
}
