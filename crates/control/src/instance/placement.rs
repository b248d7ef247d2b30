//! On which sled a machine runs, and what it reserves there (`domain/compute-and-storage.md`, section 3.6).

use std::collections::BTreeSet;

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Meta,
    records::{Affinity, AntiAffinity, Instance, Machine, MachineLink, MachineState, PendingRequest, Sled},
};
use uuid::Uuid;

use crate::{
    Cx,
    affinity::{self, Peers},
    paging, usage,
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

/// Reserves a place for a new machine of the instance, then charges the quota.
///
/// Groups, machines and sleds are read in the serializable transaction that writes the reservation: whoever changes
/// one of them meanwhile makes the store run all of this again, so no place is given twice and no group is broken.
pub(super) fn reserve(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<MachineLink> {
    let (cpus, memory) = (u64::from(instance.ncpus.0), instance.memory.bytes());
    let near = affinity::peers::<Affinity>(cx, instance.meta.id)?;
    let far = affinity::peers::<AntiAffinity>(cx, instance.meta.id)?;
    let mut sled = choose(paging::all(cx.tx, &ListBy::All)?, cpus, memory, &near, &far)?;
    sled.reserved_threads += cpus;
    sled.reserved_memory += memory;
    cx.tx.update(&mut sled)?;
    let machine = Machine {
        meta: Meta::new(cx.new_id(), cx.now),
        instance_id: instance.meta.id,
        silo_id: instance.silo_id,
        project_id: instance.project_id,
        sled_id: sled.meta.id,
        cpus,
        memory,
    };
    cx.tx.insert(&machine)?;
    usage::charge(cx, machine.silo_id, machine.project_id, usage::of_machine(&machine))?;
    Ok(MachineLink {
        id: machine.meta.id,
        sled_id: machine.sled_id,
        state: MachineState::Starting,
        report_generation: 0,
        registered: false,
        pending: Some(PendingRequest::Run),
    })
}

/// The sled for a machine of this size whose instance is to be near some and far from others.
fn choose(sleds: Vec<Sled>, cpus: u64, memory: u64, near: &Peers, far: &Peers) -> Result<Sled> {
    let fits = |sled: &Sled| {
        sled.takes_new()
            && sled.reserved_threads + cpus <= sled.threads
            && sled.reserved_memory + memory <= sled.guest_memory
    };
    let mut candidates: Vec<Sled> = sleds.into_iter().filter(fits).collect();
    let mut required = near.fail.iter();
    if let Some(sled) = required.next() {
        if required.next().is_some() {
            return Err(Error::invalid_request(SEVERAL_SLEDS));
        }
        if far.fail.contains(sled) {
            return Err(Error::invalid_request(CONTRADICTION));
        }
        let required = candidates.into_iter().find(|candidate| candidate.meta.id == *sled);
        return required.ok_or_else(|| Error::InsufficientCapacity(REQUIRED_SLED_FULL.to_owned()));
    }
    candidates.retain(|sled| !far.fail.contains(&sled.meta.id));
    let preferred: BTreeSet<Uuid> = near.allow.difference(&far.allow).copied().collect();
    let avoided: BTreeSet<Uuid> = far.allow.difference(&near.allow).copied().collect();
    candidates
        .into_iter()
        .max_by_key(|sled| {
            let id = sled.meta.id;
            let wish = if preferred.contains(&id) { 1 } else { -i8::from(avoided.contains(&id)) };
            // Among equals the emptiest, so that a failing sled takes as little as possible with it.
            (wish, sled.guest_memory - sled.reserved_memory, id)
        })
        .ok_or_else(|| Error::InsufficientCapacity(NO_SLED.to_owned()))
}

/// Gives back what a machine reserved and charged.
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
