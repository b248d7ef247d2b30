//! On which sled a machine runs, and what it reserves there (`domain/compute-and-storage.md`, section 3.6).

use croft_api::{Error, Result};
use croft_store::{
    Meta,
    records::{Instance, Machine, MachineLink, MachineState, PendingRequest, Sled},
};

use crate::{Cx, paging, usage};

const NO_SLED: &str =
    "Failed to place instance: Could not find any valid sled on which this instance can be placed";

/// Reserves a place for a new machine of the instance, then charges the quota.
pub(super) fn reserve(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<MachineLink> {
    let (cpus, memory) = (u64::from(instance.ncpus.0), instance.memory.bytes());
    let mut sled = choose(paging::all(cx.tx, &croft_store::ListBy::All)?, cpus, memory)
        .ok_or_else(|| Error::InsufficientCapacity(NO_SLED.to_owned()))?;
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

/// The sled with the most memory left of those that can take the machine.
fn choose(sleds: Vec<Sled>, cpus: u64, memory: u64) -> Option<Sled> {
    let fits = |sled: &Sled| {
        sled.provisionable
            && sled.reserved_threads + cpus <= sled.threads
            && sled.reserved_memory + memory <= sled.guest_memory
    };
    sleds.into_iter().filter(fits).max_by_key(|sled| (sled.guest_memory - sled.reserved_memory, sled.meta.id))
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
