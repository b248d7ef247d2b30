use croft_api::Result;
use croft_sled::{DiskReport, HypervisorError, HypervisorEvent, SnapshotSpec};
use croft_store::{
    ListBy, Tx,
    records::{
        Disk, DiskStage, ImportStage, Instance, MachineState, Snapshot, SnapshotStage, SnapshotVolume,
    },
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{BROKEN_WAIT, Work, disks, record_each};
use crate::{Cx, alert, context::later, paging, snapshot, storage, usage};

/// Snapshots handled in one transaction.
const BATCH: usize = 256;
/// How often a snapshot in progress is checked if its host sends no event.
const POLL: SignedDuration = SignedDuration::from_secs(30);

/// Delay before the storage of a snapshot is checked again while disks depend on it.
const STOOD_ON: SignedDuration = SignedDuration::from_mins(1);

/// The result of taking a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SnapshotOutcome {
    Yes,
    NotYet,
    Never,
    Later,
}

/// Takes the snapshots that are due, and checks those that events are about.
pub(super) fn take(work: &mut Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
    for ids in reported(events).chunks(BATCH) {
        let ids = ids.to_vec();
        let specs = work.read(move |tx| {
            let mut specs = Vec::new();
            for id in &ids {
                if let Some(snapshot) = tx.get::<Snapshot>(*id)?.filter(|one| one.time_due.is_some()) {
                    specs.push(spec(tx, &snapshot)?);
                }
            }
            Ok(specs)
        })?;
        take_batch(work, &specs)?;
    }
    loop {
        let now = work.now;
        let specs: Vec<SnapshotSpec> = work.read(move |tx| {
            let snapshots: Vec<Snapshot> = tx.up_to(Snapshot::DUE, now, BATCH)?;
            snapshots.iter().map(|snapshot| spec(tx, snapshot)).collect()
        })?;
        take_batch(work, &specs)?;
        if specs.len() < BATCH {
            return Ok(());
        }
    }
}

/// The snapshots that events are about.
fn reported(events: &[HypervisorEvent]) -> Vec<Uuid> {
    let reported = events.iter().filter_map(|event| match event {
        HypervisorEvent::Snapshot(id) => Some(*id),
        HypervisorEvent::Machine(_) | HypervisorEvent::Disk(_) | HypervisorEvent::Network(_) => None,
    });
    reported.collect()
}

/// The request for a snapshot. If the machine has ended meanwhile, its disks are read directly.
fn spec(tx: &mut Tx<'_>, snapshot: &Snapshot) -> Result<SnapshotSpec> {
    let disk: Option<Disk> = tx.get(snapshot.disk_id)?;
    let instance: Option<Instance> = match disk.as_ref().and_then(Disk::attachment) {
        Some((instance_id, _)) => tx.get(instance_id)?,
        None => None,
    };
    let machine = instance.as_ref().and_then(Instance::machine);
    let machine = machine.filter(|machine| machine.registered && machine.state != MachineState::Ended);
    Ok(SnapshotSpec {
        id: snapshot.meta.id,
        disk_id: snapshot.disk_id,
        size: snapshot.size.bytes(),
        machine_id: machine.map(|machine| machine.id),
    })
}

fn take_batch(work: &mut Work<'_>, specs: &[SnapshotSpec]) -> Result<()> {
    if specs.is_empty() {
        return Ok(());
    }
    let outcomes: Vec<(Uuid, SnapshotOutcome)> =
        specs.iter().map(|spec| (spec.id, take_one(work, spec))).collect();
    work.write(move |cx| {
        record_each(
            cx,
            &outcomes,
            |cx, (id, taken)| record_taken(cx, *id, *taken),
            |cx, (id, _)| postpone(cx, *id),
        )
    })
}

fn take_one(work: &Work<'_>, spec: &SnapshotSpec) -> SnapshotOutcome {
    match work.hypervisor.ensure_snapshot(spec) {
        Ok(DiskReport::Ready) => SnapshotOutcome::Yes,
        Ok(DiskReport::Building) => SnapshotOutcome::NotYet,
        Err(error @ (HypervisorError::Unreachable(_) | HypervisorError::UnknownMachine)) => {
            tracing::warn!(snapshot = %spec.id, %error, "a snapshot cannot be taken yet: its host cannot be reached");
            SnapshotOutcome::Later
        }
        Err(HypervisorError::Pending) => SnapshotOutcome::Later,
        Err(error) => {
            tracing::error!(snapshot = %spec.id, %error, "a snapshot could not be taken");
            SnapshotOutcome::Never
        }
    }
}

fn record_taken(cx: &mut Cx<'_, '_>, id: Uuid, taken: SnapshotOutcome) -> Result<()> {
    let Some(mut snapshot) = cx.tx.get::<Snapshot>(id)? else { return Ok(()) };
    if snapshot.stage != SnapshotStage::Creating {
        return Ok(());
    }
    (snapshot.stage, snapshot.time_due) = match taken {
        SnapshotOutcome::Yes => (SnapshotStage::Ready, None),
        SnapshotOutcome::Never => (SnapshotStage::Faulted, None),
        SnapshotOutcome::NotYet => (snapshot.stage, Some(later(cx.now, POLL))),
        SnapshotOutcome::Later => (snapshot.stage, Some(later(cx.now, cx.settings().retry_interval))),
    };
    cx.tx.update(&mut snapshot)?;
    match snapshot.stage {
        SnapshotStage::Creating => return Ok(()),
        SnapshotStage::Faulted => alert::publish_of(cx, &alert::SNAPSHOT_FAULTED, &snapshot)?,
        SnapshotStage::Ready => {}
    }
    release_disk(cx, &snapshot)?;
    for mut waiting in paging::all::<Disk>(cx.tx, &ListBy::lookup(Disk::BEGINS_WITH, id))? {
        waiting.time_due = Some(cx.now);
        cx.tx.update(&mut waiting)?;
    }
    Ok(())
}

/// Returns the disk to its former state. An import that the snapshot was to finish is finished, or can be finalized
/// again.
fn release_disk(cx: &mut Cx<'_, '_>, snapshot: &Snapshot) -> Result<()> {
    let Some(mut disk) = cx.tx.get::<Disk>(snapshot.disk_id)? else { return Ok(()) };
    if disk.snapshotting != Some(snapshot.meta.id) {
        return Ok(());
    }
    disk.snapshotting = None;
    if disk.stage == DiskStage::Importing(ImportStage::Finalizing) {
        disk.stage = match snapshot.stage {
            SnapshotStage::Ready => DiskStage::Detached,
            SnapshotStage::Creating | SnapshotStage::Faulted => DiskStage::Importing(ImportStage::Ready),
        };
    }
    cx.tx.update(&mut disk)?;
    disks::wake_machine(cx, disk.attachment().map(|(instance, _)| instance))
}

/// Frees the volumes that nothing reads from any more: those that are due, and those that events are about.
pub(super) fn free(work: &mut Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
    for ids in reported(events).chunks(BATCH) {
        let ids = ids.to_vec();
        let volumes = work.read(move |tx| {
            let mut volumes = Vec::new();
            for id in &ids {
                volumes.extend(tx.get::<SnapshotVolume>(*id)?.filter(|volume| volume.time_due.is_some()));
            }
            Ok(volumes)
        })?;
        free_batch(work, volumes)?;
    }
    loop {
        let now = work.now;
        let volumes: Vec<SnapshotVolume> =
            work.read(move |tx| Ok(tx.up_to(SnapshotVolume::DUE, now, BATCH)?))?;
        let full = volumes.len() == BATCH;
        free_batch(work, volumes)?;
        if !full {
            return Ok(());
        }
    }
}

fn free_batch(work: &mut Work<'_>, volumes: Vec<SnapshotVolume>) -> Result<()> {
    let free = |volume: SnapshotVolume| {
        let freed = work.hypervisor.delete_snapshot(volume.meta.id);
        match &freed {
            // Dependent disks are not an error, and may exist for long.
            Ok(()) | Err(HypervisorError::Refused(_) | HypervisorError::Pending) => {}
            Err(error) => {
                tracing::warn!(snapshot = %volume.meta.id, %error, "the storage of a snapshot could not be \
                                                                    released yet");
            }
        }
        (volume, freed)
    };
    let outcomes: Vec<_> = volumes.into_iter().map(free).collect();
    if outcomes.is_empty() {
        return Ok(());
    }
    work.write(move |cx| {
        let record = |cx: &mut Cx<'_, '_>,
                      (volume, freed): &(SnapshotVolume, Result<(), HypervisorError>)| {
            record_freed(cx, volume, freed)
        };
        record_each(cx, &outcomes, record, |cx, (volume, _)| {
            postpone_volume(cx, volume.meta.id, BROKEN_WAIT, 1)
        })
    })
}

fn record_freed(
    cx: &mut Cx<'_, '_>,
    volume: &SnapshotVolume,
    freed: &Result<(), HypervisorError>,
) -> Result<()> {
    if freed.is_ok() {
        if cx.tx.remove::<SnapshotVolume>(volume.meta.id, cx.now)? {
            storage::free(cx, &volume.pools, volume.size)?;
            usage::release_volume(cx, volume)?;
            snapshot::announce_volume(cx, volume)?;
        }
        return Ok(());
    }
    let retry = cx.settings().retry_interval;
    let (wait, refusals) = match freed {
        Err(HypervisorError::Refused(_)) => (STOOD_ON, 1),
        // Requests that wait for it keep waiting.
        Err(HypervisorError::Pending) => (retry, 0),
        _ => (retry, 1),
    };
    postpone_volume(cx, volume.meta.id, wait, refusals)
}

fn postpone_volume(cx: &mut Cx<'_, '_>, id: Uuid, wait: SignedDuration, refusals: u32) -> Result<()> {
    let Some(mut volume) = cx.tx.get::<SnapshotVolume>(id)? else { return Ok(()) };
    volume.time_due = Some(later(cx.now, wait));
    volume.refusals = volume.refusals.saturating_add(refusals);
    cx.tx.update(&mut volume)?;
    if refusals > 0 && volume.refusals == 1 {
        snapshot::announce_volume(cx, &volume)?;
    }
    Ok(())
}

/// Postpones a snapshot whose records contradict each other.
fn postpone(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<()> {
    let Some(mut snapshot) = cx.tx.get::<Snapshot>(id)?.filter(|one| one.time_due.is_some()) else {
        return Ok(());
    };
    snapshot.time_due = Some(later(cx.now, BROKEN_WAIT));
    Ok(cx.tx.update(&mut snapshot)?)
}

/// When the next snapshot is due.
pub(super) fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<Snapshot> = tx.up_to(Snapshot::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().and_then(|snapshot| snapshot.time_due))
}

/// When the next volume is to be freed.
pub(super) fn next_free(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<SnapshotVolume> = tx.up_to(SnapshotVolume::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().and_then(|volume| volume.time_due))
}
