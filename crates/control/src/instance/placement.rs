//! Selects the sled of a machine and reserves its resources (`docs/rules/compute-and-storage.md#placement`).

use std::collections::BTreeSet;

use croft_api::{Error, Result, scalar::Name};
use croft_store::{
    ListBy, Meta, StoreError,
    records::{
        ActivityConstraint, ActivityConstraintKind, Affinity, AntiAffinity, Disk, Instance, Machine,
        MachineLink, MachineState, PendingRequest, Silo, Sled,
    },
};
use uuid::Uuid;

use crate::{
    Cx,
    affinity::{self, Peers},
    paging, storage, usage,
};

const NO_SLED: &str =
    "Failed to place instance: Could not find any valid sled on which this instance can be placed";
const SEVERAL_SLEDS: &str = "Failed to place instance: This instance belongs to an affinity group that requires it \
    be placed on more than one sled. Instances can only placed on a single sled, so this is impossible to satisfy. \
    Consider stopping other instances in the affinity group.";
const CONTRADICTION: &str = "Failed to place instance: This instance belongs to an affinity group that requires it \
    to be placed on a sled, but also belongs to an anti-affinity group that prevents it from being placed on that \
    sled. These constraints are contradictory. Consider stopping instances in those affinity/anti-affinity groups, \
    or changing group membership.";
const REQUIRED_SLED_FULL: &str = "Failed to place instance: This instance must be placed on a specific sled to \
    co-locate it with another instance in its affinity group, but that sled cannot current accept this instance. \
    Consider stopping other instances in this instance's affinity groups, or changing its affinity group membership.";

/// The reason why an instance was not placed.
pub(super) struct Refusal {
    /// The error for the caller.
    pub error: Error,
    /// The single cause, if there is one.
    pub constraint: Option<Box<ActivityConstraint>>,
    /// What the user can do about it.
    pub advice: Option<&'static str>,
    /// Details for users who may see the hardware.
    pub operator_detail: Option<String>,
}

impl Refusal {
    pub(super) fn new(error: Error) -> Self {
        Self { error, constraint: None, advice: None, operator_detail: None }
    }

    pub(super) fn because_of(mut self, kind: ActivityConstraintKind, id: Uuid, name: &Name) -> Self {
        self.constraint = Some(Box::new(ActivityConstraint { kind, id, name: Some(name.to_string()) }));
        self
    }

    pub(super) fn advice(mut self, text: &'static str) -> Self {
        self.advice = Some(text);
        self
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::new(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::new(error.into())
    }
}

/// The requirements of a machine for its sled.
struct Requirements {
    cpus: u64,
    memory: u64,
    near: Peers,
    far: Peers,
    /// Disks that can be opened on some sleds only.
    disks: Vec<DiskLocality>,
}

/// A disk and the only sleds on which a machine can use it.
struct DiskLocality {
    id: Uuid,
    name: Name,
    sleds: BTreeSet<Uuid>,
}

/// Reserves a sled for a new machine of the instance, then charges the quota.
///
/// Groups, machines and sleds are read in the serializable transaction that writes the reservation. If one of them
/// changes concurrently, the store runs all of this again, so that no resources are reserved twice and no policy is
/// violated.
pub(super) fn reserve(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<MachineLink, Refusal> {
    let needs = Requirements {
        cpus: u64::from(instance.ncpus.0),
        memory: instance.memory.bytes(),
        near: affinity::peers::<Affinity>(cx, instance.meta.id)?,
        far: affinity::peers::<AntiAffinity>(cx, instance.meta.id)?,
        disks: reach_of_disks(cx, instance.meta.id)?,
    };
    let mut sled = choose(paging::all(cx.tx, &ListBy::All)?, &needs)?;
    sled.reserved_threads += needs.cpus;
    sled.reserved_memory += needs.memory;
    cx.tx.update(&mut sled)?;
    let machine = Machine {
        meta: Meta::new(cx.new_id(), cx.now),
        instance_id: instance.meta.id,
        silo_id: instance.silo_id,
        project_id: instance.project_id,
        sled_id: sled.meta.id,
        cpus: needs.cpus,
        memory: needs.memory,
    };
    cx.tx.insert(&machine)?;
    if let Err(error) = usage::charge(cx, machine.silo_id, machine.project_id, usage::of_machine(&machine)) {
        return Err(over_quota(cx, machine.silo_id, error)?);
    }
    Ok(MachineLink {
        id: machine.meta.id,
        sled_id: machine.sled_id,
        state: MachineState::Starting,
        report_generation: 0,
        registered: false,
        pending: Some(PendingRequest::Run),
    })
}

fn over_quota(cx: &mut Cx<'_, '_>, silo_id: Uuid, error: Error) -> Result<Refusal> {
    if !matches!(error, Error::InsufficientCapacity(_)) {
        return Ok(error.into());
    }
    let refusal = Refusal::new(error)
        .advice("Stop instances that are not needed, make this one smaller, or ask for a higher quota.");
    Ok(match cx.tx.get::<Silo>(silo_id)? {
        Some(silo) => refusal.because_of(ActivityConstraintKind::Quota, silo_id, &silo.name),
        None => refusal,
    })
}

/// The disks of an instance that not every sled can open.
///
/// A disk of several copies is served to all sleds while one of its pools is available. A disk of one copy is a file on
/// the sled of its pool.
fn reach_of_disks(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<Vec<DiskLocality>> {
    let disks: Vec<Disk> = paging::all(cx.tx, &ListBy::lookup(Disk::INSTANCE, instance_id))?;
    if disks.is_empty() {
        return Ok(Vec::new());
    }
    let pools = storage::pools(cx)?;
    let mut reach = Vec::new();
    for disk in disks.into_iter().filter(|disk| !disk.pools.is_empty()) {
        let sleds: BTreeSet<Uuid> = pools
            .iter()
            .filter(|pool| pool.is_present && disk.pools.contains(&pool.id))
            .map(|pool| pool.sled_id)
            .collect();
        if disk.pools.len() == 1 || sleds.is_empty() {
            reach.push(DiskLocality { id: disk.meta.id, name: disk.name, sleds });
        }
    }
    Ok(reach)
}

/// The sled for a machine with these requirements.
fn choose(sleds: Vec<Sled>, needs: &Requirements) -> Result<Sled, Refusal> {
    let (near, far) = (&needs.near, &needs.far);
    let fits = |sled: &Sled| {
        sled.takes_new()
            && sled.reserved_threads + needs.cpus <= sled.threads
            && sled.reserved_memory + needs.memory <= sled.guest_memory
    };
    let mut required = near.fail.iter();
    if let Some((sled, (group, name))) = required.next() {
        let by_group =
            |error| Refusal::new(error).because_of(ActivityConstraintKind::AffinityGroup, *group, name);
        if let Some((_, (_, other))) = required.next() {
            let text = format!("{SEVERAL_SLEDS} The affinity groups are {}.", names(name, other));
            return Err(by_group(Error::InvalidRequest(text)));
        }
        if let Some((_, other)) = far.fail.get(sled) {
            let groups = format!("the affinity group \"{name}\" and the anti-affinity group \"{other}\"");
            return Err(by_group(Error::InvalidRequest(format!("{CONTRADICTION} The groups are {groups}."))));
        }
        let required = sleds.into_iter().find(|candidate| candidate.meta.id == *sled && fits(candidate));
        let required =
            required.filter(|sled| needs.disks.iter().all(|disk| disk.sleds.contains(&sled.meta.id)));
        return required.ok_or_else(|| {
            let text = format!("{REQUIRED_SLED_FULL} The affinity group is \"{name}\".");
            by_group(Error::InsufficientCapacity(text))
        });
    }
    let roomy: Vec<&Sled> = sleds.iter().filter(|sled| fits(sled)).collect();
    if roomy.is_empty() {
        return Err(no_room(&sleds, needs));
    }
    if let Some(disk) =
        needs.disks.iter().find(|disk| !roomy.iter().any(|sled| disk.sleds.contains(&sled.meta.id)))
    {
        return Err(out_of_reach(disk));
    }
    let preferred: BTreeSet<Uuid> = near.allow.difference(&far.allow).copied().collect();
    let avoided: BTreeSet<Uuid> = far.allow.difference(&near.allow).copied().collect();
    let chosen = roomy
        .into_iter()
        .filter(|sled| !far.fail.contains_key(&sled.meta.id))
        .filter(|sled| needs.disks.iter().all(|disk| disk.sleds.contains(&sled.meta.id)))
        .max_by_key(|sled| {
            let id = sled.meta.id;
            let wish = if preferred.contains(&id) { 1 } else { -i8::from(avoided.contains(&id)) };
            // Of equal sleds, the one with the most free memory, so that a sled that fails again and again affects few instances.
            (wish, sled.guest_memory - sled.reserved_memory, id)
        })
        .cloned();
    chosen.ok_or_else(|| no_common_sled(needs))
}

fn names(one: &Name, other: &Name) -> String {
    let (first, second) = if one.as_str() <= other.as_str() { (one, other) } else { (other, one) };
    if first == second { format!("\"{first}\"") } else { format!("\"{first}\" and \"{second}\"") }
}

fn no_sled(why: &str) -> Refusal {
    Refusal::new(Error::InsufficientCapacity(format!("{NO_SLED}. {why}")))
}

/// No sled has enough resources, regardless of groups and disks.
fn no_room(sleds: &[Sled], needs: &Requirements) -> Refusal {
    let open: Vec<&Sled> = sleds.iter().filter(|sled| sled.takes_new()).collect();
    if open.is_empty() {
        let mut refusal = no_sled("No sled of this cloud accepts new instances at the moment.")
            .advice("Ask an operator to let a sled accept new instances.");
        refusal.operator_detail =
            Some(format!("The fleet has {} sleds, and none of them accepts new instances.", sleds.len()));
        return refusal;
    }
    let size = format!("{} and {} of memory", vcpus(needs.cpus), gib(needs.memory));
    let mut refusal = no_sled(&format!("The cloud has no room for {size}.")).advice(
        "Stop instances that are not needed, make this one smaller, or ask an operator for more room.",
    );
    let free_cpus = |sled: &Sled| sled.threads.saturating_sub(sled.reserved_threads);
    let free_memory = |sled: &Sled| sled.guest_memory.saturating_sub(sled.reserved_memory);
    let best = open.into_iter().max_by_key(|sled| (free_cpus(sled) >= needs.cpus, free_memory(sled)));
    refusal.operator_detail = best.map(|sled| {
        let (cpus, memory) = (vcpus(free_cpus(sled)), gib(free_memory(sled)));
        format!(
            "The instance needs {size}; the sled with the most room, {}, has {cpus} and {memory} free.",
            sled.baseboard.serial
        )
    });
    refusal
}

fn out_of_reach(disk: &DiskLocality) -> Refusal {
    let where_to = if disk.sleds.is_empty() {
        "None of the storage pools that hold the disk is available at the moment."
    } else {
        "The only sled that can open the disk has no room."
    };
    no_sled(&format!("{where_to} The disk is \"{}\".", disk.name))
        .because_of(ActivityConstraintKind::Disk, disk.id, &disk.name)
        .advice("Detach the disk, or ask an operator about the sled that has it.")
}

/// Group policies, or disks on different sleds, exclude every sled with enough resources.
fn no_common_sled(needs: &Requirements) -> Refusal {
    let Some((group, name)) = needs.far.fail.values().next() else {
        let names: Vec<String> = needs.disks.iter().map(|disk| format!("\"{}\"", disk.name)).collect();
        return no_sled(&format!("No sled with room can open all of its disks {}.", names.join(", ")))
            .advice("Detach one of the disks.");
    };
    let why = format!(
        "The anti-affinity group \"{name}\" with the policy \"fail\" keeps it off every sled with room, because each \
         of them runs another member of the group."
    );
    no_sled(&why).because_of(ActivityConstraintKind::AntiAffinityGroup, *group, name).advice(
        "Stop another member of the group, remove this instance from it, or recreate the group with \
                 the policy \"allow\".",
    )
}

fn vcpus(count: u64) -> String {
    if count == 1 { "1 vCPU".to_owned() } else { format!("{count} vCPUs") }
}

/// An amount of memory in GiB, with one decimal place unless it is whole.
fn gib(bytes: u64) -> String {
    const GIB: u64 = 1 << 30;
    let tenths = bytes % GIB * 10 / GIB;
    if tenths == 0 { format!("{} GiB", bytes / GIB) } else { format!("{}.{tenths} GiB", bytes / GIB) }
}

/// Releases what a machine reserved, and its quota.
pub(super) fn release(cx: &mut Cx<'_, '_>, instance: &Instance, link: &MachineLink) -> Result<()> {
    let machine: Machine = cx
        .tx
        .get(link.id)?
        .ok_or_else(|| Error::internal(format!("instance {} has lost its reservation", instance.meta.id)))?;
    cx.tx.remove::<Machine>(machine.meta.id, cx.now)?;
    let mut sled: Sled = cx
        .tx
        .get(machine.sled_id)?
        .ok_or_else(|| Error::internal(format!("sled {} has disappeared", machine.sled_id)))?;
    let less = |reserved: u64, amount: u64| {
        reserved
            .checked_sub(amount)
            .ok_or_else(|| Error::internal(format!("sled {} was freed of more than it had", machine.sled_id)))
    };
    sled.reserved_threads = less(sled.reserved_threads, machine.cpus)?;
    sled.reserved_memory = less(sled.reserved_memory, machine.memory)?;
    cx.tx.update(&mut sled)?;
    usage::release(cx, machine.silo_id, machine.project_id, usage::of_machine(&machine))
}
