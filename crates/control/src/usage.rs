//! Usage counters, and the quotas that limit them (`docs/rules/compute-and-storage.md#quotas` and
//! `docs/rules/compute-and-storage.md#capacity-and-utilization`).

use std::collections::{BTreeMap, BTreeSet};

use croft_api::{Error, Result, quota as api};
use croft_store::{
    ListBy, Meta, Tx,
    records::{
        Disk, FLEET, Machine, Project, ProvisioningChange, ProvisioningSample, Quota, Resources, Silo,
        Snapshot, SnapshotVolume, Usage,
    },
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{Cx, Declaration, Resource, SiloDeletion, cascade, paging};

impl Resource for Usage {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(cascade::with_silo_id::<Self>));
}

impl Resource for ProvisioningChange {
    // The telemetry processes it, even if the silo is deleted.
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

const CPUS_EXCEEDED: &str = "vCPU Limit Exceeded: Not enough vCPUs to complete request. Either stop unused instances \
                             to free up resources or contact the rack operator to request a capacity increase.";
const MEMORY_EXCEEDED: &str = "Memory Limit Exceeded: Not enough memory to complete request. Either stop unused \
                               instances to free up resources or contact the rack operator to request a capacity \
                               increase.";
const STORAGE_EXCEEDED: &str = "Storage Limit Exceeded: Not enough storage to complete request. Either remove \
                                unneeded disks, snapshots and images to free up resources (an image keeps the \
                                storage of the snapshot that it was made from, also once that is deleted) or contact \
                                the rack operator to request a capacity increase.";

/// The resources of a machine.
pub(crate) fn of_machine(machine: &Machine) -> Resources {
    Resources { cpus: machine.cpus, memory: machine.memory, storage: 0 }
}

/// The resources of a disk.
pub(crate) fn of_disk(disk: &Disk) -> Resources {
    Resources { cpus: 0, memory: 0, storage: disk.size.bytes() }
}

/// The resources of a snapshot: those of its disk.
pub(crate) fn of_snapshot(snapshot: &Snapshot) -> Resources {
    Resources { cpus: 0, memory: 0, storage: snapshot.size.bytes() }
}

/// The resources of a snapshot's volume.
fn of_volume(volume: &SnapshotVolume) -> Resources {
    Resources { cpus: 0, memory: 0, storage: volume.size }
}

/// The quota of a new silo.
pub(crate) fn quota_of(params: &api::SiloQuotasCreate) -> Result<Quota> {
    Ok(Quota { cpus: cpus(params.cpus)?, memory: params.memory.bytes(), storage: params.storage.bytes() })
}

/// Converts a number of processors that is not negative.
pub(crate) fn cpus(count: i64) -> Result<u64> {
    u64::try_from(count).map_err(|_| Error::invalid_value("cpus", "must not be negative"))
}

/// Zeroed counters of the fleet, a silo with its quota, or a project.
pub(crate) fn open(
    cx: &mut Cx<'_, '_>,
    id: Uuid,
    silo: Option<Uuid>,
    project: Option<Uuid>,
    quota: Option<Resources>,
) -> Result<()> {
    let usage = Usage::none(Meta::new(id, cx.now), silo, project, quota);
    cx.tx.insert(&usage)?;
    let everything = Resources { cpus: 1, memory: 1, storage: 1 };
    announce(cx, vec![sample(&usage, everything)])
}

/// Adds resources to the counters of project, silo and fleet, if the silo's quota allows it.
pub(crate) fn charge(cx: &mut Cx<'_, '_>, silo: Uuid, project: Uuid, amount: Resources) -> Result<()> {
    change(cx, &[silo, project, FLEET], amount, |usage| {
        if let Some(quota) = usage.quota {
            check(usage.used, amount, quota)?;
        }
        Ok(Resources {
            cpus: usage.used.cpus + amount.cpus,
            memory: usage.used.memory + amount.memory,
            storage: usage.used.storage + amount.storage,
        })
    })
}

/// Subtracts what was [charged](charge).
pub(crate) fn release(cx: &mut Cx<'_, '_>, silo: Uuid, project: Uuid, amount: Resources) -> Result<()> {
    count_out(cx, &[silo, project, FLEET], amount)
}

/// Subtracts a snapshot from its project. Its silo and the fleet still count its volume until it is
/// [freed](release_volume): images, disks and layers may use it for a long time, and releasing the quota earlier would
/// allow the silo to exceed it.
pub(crate) fn release_snapshot(cx: &mut Cx<'_, '_>, snapshot: &Snapshot) -> Result<()> {
    count_out(cx, &[snapshot.project_id], of_snapshot(snapshot))
}

/// Subtracts a volume from its silo, if that still exists, and from the fleet.
pub(crate) fn release_volume(cx: &mut Cx<'_, '_>, volume: &SnapshotVolume) -> Result<()> {
    let silo = match volume.silo_id {
        Some(silo) => cx.tx.get::<Usage>(silo)?.map(|usage| usage.meta.id),
        None => None,
    };
    let ids: Vec<Uuid> = silo.into_iter().chain([FLEET]).collect();
    count_out(cx, &ids, of_volume(volume))
}

fn count_out(cx: &mut Cx<'_, '_>, ids: &[Uuid], amount: Resources) -> Result<()> {
    change(cx, ids, amount, |usage| {
        let less = |used: u64, amount: u64| {
            let below = || format!("the usage counters of {} fell below zero", usage.meta.id);
            used.checked_sub(amount).ok_or_else(|| Error::internal(below()))
        };
        Ok(Resources {
            cpus: less(usage.used.cpus, amount.cpus)?,
            memory: less(usage.used.memory, amount.memory)?,
            storage: less(usage.used.storage, amount.storage)?,
        })
    })
}

/// Changes counters, and adds samples for the telemetry of those that `amount` affects.
fn change(
    cx: &mut Cx<'_, '_>,
    ids: &[Uuid],
    amount: Resources,
    changed: impl Fn(&Usage) -> Result<Resources>,
) -> Result<()> {
    let mut samples = Vec::with_capacity(ids.len());
    for id in ids {
        let mut usage = load(cx.tx, *id)?;
        usage.used = changed(&usage)?;
        // Requests may commit in another order than that of their times, and one request may change a counter several
        // times. The latest sample must be that of the last change.
        let next = usage.time_changed + SignedDuration::from_micros(1);
        usage.time_changed = cx.now.max(next);
        samples.push(sample(&usage, amount));
        cx.tx.update(&mut usage)?;
    }
    if amount == Resources::default() { Ok(()) } else { announce(cx, samples) }
}

/// The current counters, limited to those that `touched` affects.
fn sample(usage: &Usage, touched: Resources) -> ProvisioningSample {
    ProvisioningSample {
        collection: usage.meta.id,
        time: usage.time_changed,
        cpus: (touched.cpus > 0).then_some(usage.used.cpus),
        memory: (touched.memory > 0).then_some(usage.used.memory),
        storage: (touched.storage > 0).then_some(usage.used.storage),
    }
}

/// Adds samples for the telemetry, which are committed with this transaction.
fn announce(cx: &mut Cx<'_, '_>, samples: Vec<ProvisioningSample>) -> Result<()> {
    let meta = cx.new_meta();
    Ok(cx.tx.insert(&ProvisioningChange { meta, samples })?)
}

fn load(tx: &mut Tx<'_>, id: Uuid) -> Result<Usage> {
    tx.get(id)?.ok_or_else(|| Error::internal(format!("the usage counters of {id} are missing")))
}

fn check(used: Resources, amount: Resources, quota: Resources) -> Result<()> {
    let exceeded = |used: u64, amount: u64, quota: u64| amount > 0 && used.saturating_add(amount) > quota;
    let text = if exceeded(used.cpus, amount.cpus, quota.cpus) {
        CPUS_EXCEEDED
    } else if exceeded(used.memory, amount.memory, quota.memory) {
        MEMORY_EXCEEDED
    } else if exceeded(used.storage, amount.storage, quota.storage) {
        STORAGE_EXCEEDED
    } else {
        return Ok(());
    };
    Err(Error::InsufficientCapacity(text.to_owned()))
}

/// The usage of a silo, and its quota.
pub(crate) fn of_silo(tx: &mut Tx<'_>, silo: Uuid) -> Result<(Resources, Quota)> {
    let usage = load(tx, silo)?;
    let missing = || Error::internal(format!("the quota of silo {silo} is missing"));
    Ok((usage.used, usage.quota.ok_or_else(missing)?))
}

/// The quota of a silo.
pub(crate) fn quota(tx: &mut Tx<'_>, silo: Uuid) -> Result<Quota> {
    of_silo(tx, silo).map(|(_, quota)| quota)
}

/// Sets the quota of a silo. A quota below the current usage only prevents growth.
pub fn set_quota(tx: &mut Tx<'_>, silo: Uuid, quota: Resources, now: Timestamp) -> Result<()> {
    let mut usage = load(tx, silo)?;
    usage.quota = Some(quota);
    usage.meta.time_modified = now;
    Ok(tx.update(&mut usage)?)
}

/// Recounts everything and returns the differences. Scans the whole database: for tests.
pub fn recount(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    let mut counted = BTreeMap::<Uuid, Resources>::new();
    let mut add = |ids: &[Uuid], amount: Resources| {
        for id in ids {
            let sum = counted.entry(*id).or_default();
            sum.cpus += amount.cpus;
            sum.memory += amount.memory;
            sum.storage += amount.storage;
        }
    };
    add(&[FLEET], Resources::default());
    let silos = paging::all::<Silo>(tx, &ListBy::All)?;
    for silo in &silos {
        add(&[silo.meta.id], Resources::default());
    }
    let silos: BTreeSet<Uuid> = silos.iter().map(|silo| silo.meta.id).collect();
    for project in paging::all::<Project>(tx, &ListBy::All)? {
        add(&[project.meta.id], Resources::default());
    }
    for machine in paging::all::<Machine>(tx, &ListBy::All)? {
        add(&[machine.silo_id, machine.project_id, FLEET], of_machine(&machine));
    }
    for disk in paging::all::<Disk>(tx, &ListBy::All)? {
        add(&[disk.silo_id, disk.project_id, FLEET], of_disk(&disk));
    }
    for snapshot in paging::all::<Snapshot>(tx, &ListBy::All)? {
        add(&[snapshot.project_id], of_snapshot(&snapshot));
    }
    for volume in paging::all::<SnapshotVolume>(tx, &ListBy::All)? {
        add(&[FLEET], of_volume(&volume));
        if let Some(silo) = volume.silo_id.filter(|silo| silos.contains(silo)) {
            add(&[silo], of_volume(&volume));
        }
    }
    let mut differences = Vec::new();
    for usage in paging::all::<Usage>(tx, &ListBy::All)? {
        match counted.remove(&usage.meta.id) {
            Some(amount) if amount == usage.used => {}
            counted => {
                differences.push(format!("{}: kept {:?}, counted {counted:?}", usage.meta.id, usage.used));
            }
        }
    }
    differences.extend(counted.iter().map(|(id, amount)| format!("{id}: no counters, counted {amount:?}")));
    Ok(differences)
}
