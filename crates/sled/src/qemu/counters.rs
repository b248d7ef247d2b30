use std::{fs, time::Duration};

use serde_json::{Value, json};
use uuid::Uuid;

use super::{arguments, machine::Machine, volumes::failed, vpc::Vpcs};
use crate::{DiskCounters, HypervisorError, MachineCounters};

/// Counting takes QEMU no time; one that does not answer is busy with something else.
const LIMIT: Duration = Duration::from_secs(2);

/// What a machine has used since it was made.
pub(super) fn of(machine: &Machine, vpcs: Option<&Vpcs>) -> Result<MachineCounters, HypervisorError> {
    if machine.is_gone() {
        return Ok(MachineCounters::default());
    }
    let ask = |command| {
        machine.command(command, json!({}), LIMIT).map_err(|error| failed("cannot read the counters", error))
    };
    let cpus = ask("query-cpus-fast")?;
    let blocks = ask("query-blockstats")?;
    let threads = elements(&cpus).filter_map(|cpu| cpu["thread-id"].as_u64());
    let disks = machine.kept.disks.iter().filter_map(|(id, slot)| disk(&blocks, *id, *slot)).collect();
    let interfaces = match (vpcs, &machine.kept.namespace) {
        (Some(vpcs), Some(namespace)) => vpcs.counters(namespace, &machine.kept.interfaces),
        _ => Vec::new(),
    };
    Ok(MachineCounters { cpu_time: threads.map(cpu_time).sum(), disks, interfaces })
}

fn elements(array: &Value) -> impl Iterator<Item = &Value> {
    array.as_array().into_iter().flatten()
}

fn disk(blocks: &Value, id: Uuid, slot: u8) -> Option<DiskCounters> {
    let device = format!("/{}/", arguments::disk_device(slot));
    let mut all = elements(blocks);
    let block =
        all.find(|block| format!("{}/", block["qdev"].as_str().unwrap_or_default()).contains(&device))?;
    let number = |name: &str| block["stats"][name].as_u64().unwrap_or_default();
    Some(DiskCounters {
        id,
        bytes_read: number("rd_bytes"),
        bytes_written: number("wr_bytes"),
        reads: number("rd_operations"),
        writes: number("wr_operations"),
        flushes: number("flush_operations"),
    })
}

/// Processor time of a thread of any process.
fn cpu_time(thread: u64) -> Duration {
    // A thread's number finds it below /proc as a process's does. The fields before these two are 11 after the name,
    // which may itself hold anything.
    let text = fs::read_to_string(format!("/proc/{thread}/stat")).unwrap_or_default();
    let after_name = text.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks: u64 =
        after_name.split(' ').skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)))
}
