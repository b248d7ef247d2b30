use std::{fs, time::Duration};

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{arguments, machine::Machine, volumes::failed, vpc::Vpcs};
use crate::{Counted, CountedHistogram, CpuCounters, DiskCounters, HypervisorError, MachineCounters, PerIo};

/// Counting takes QEMU no time; one that does not answer is busy with something else.
const LIMIT: Duration = Duration::from_secs(2);

/// Where the bins of the times that disks take begin, in nanoseconds: from 10 µs to 10 s, three for each decade.
const LATENCIES: [u64; 19] = [
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    200_000_000,
    500_000_000,
    1_000_000_000,
    2_000_000_000,
    5_000_000_000,
    10_000_000_000,
];

/// What a machine has used since it was made.
pub(super) fn of(
    machine: &Machine,
    vpcs: Option<&Vpcs>,
    counted: Counted,
) -> Result<MachineCounters, HypervisorError> {
    if machine.is_gone() {
        return Err(HypervisorError::UnknownMachine);
    }
    let cpus = ask(machine, "query-cpus-fast", json!({}))?;
    let cpus = machine.make_monotonic(elements(&cpus).filter_map(cpu).collect());
    let incidents = machine.incidents();
    if counted == Counted::Processors {
        return Ok(MachineCounters { cpus, incidents, ..MachineCounters::default() });
    }
    let blocks = ask(machine, "query-blockstats", json!({}))?;
    let disks =
        machine.kept.disks.iter().filter_map(|(id, slot)| disk(machine, &blocks, *id, *slot)).collect();
    let interfaces = match (vpcs, &machine.kept.namespace) {
        (Some(vpcs), Some(namespace)) => vpcs.counters(namespace, &machine.kept.interfaces),
        _ => Vec::new(),
    };
    Ok(MachineCounters { since: None, cpus, incidents, disks, interfaces })
}

fn ask(machine: &Machine, command: &'static str, arguments: Value) -> Result<Value, HypervisorError> {
    machine.command(command, arguments, LIMIT).map_err(|error| failed("cannot read the counters", error))
}

fn elements(array: &Value) -> impl Iterator<Item = &Value> {
    array.as_array().into_iter().flatten()
}

fn disk(machine: &Machine, blocks: &Value, id: Uuid, slot: u8) -> Option<DiskCounters> {
    let device = format!("/{}/", arguments::disk_device(slot));
    let path = |block: &Value| block["qdev"].as_str().unwrap_or_default().to_owned();
    let block = elements(blocks).find(|block| format!("{}/", path(block)).contains(&device))?;
    let stats = &block["stats"];
    let number = |name: &str| stats[name].as_u64().unwrap_or_default();
    let latency = PerIo {
        read: histogram(stats, "rd_latency_histogram", "rd_total_time_ns"),
        write: histogram(stats, "wr_latency_histogram", "wr_total_time_ns"),
        flush: histogram(stats, "flush_latency_histogram", "flush_total_time_ns"),
    };
    if latency.read.is_none() {
        // It counts from now on; what was before is in the other numbers alone.
        let arguments = json!({ "id": path(block), "boundaries": LATENCIES });
        if let Err(error) = ask(machine, "block-latency-histogram-set", arguments) {
            tracing::debug!(machine = %machine.kept.id, %error, "cannot turn on latency statistics of a disk");
        }
    }
    Some(DiskCounters {
        id,
        bytes_read: number("rd_bytes"),
        bytes_written: number("wr_bytes"),
        reads: number("rd_operations"),
        writes: number("wr_operations"),
        flushes: number("flush_operations"),
        failed_reads: number("failed_rd_operations") + number("invalid_rd_operations"),
        failed_writes: number("failed_wr_operations") + number("invalid_wr_operations"),
        failed_flushes: number("failed_flush_operations") + number("invalid_flush_operations"),
        latency,
        size: PerIo::default(),
    })
}

/// A histogram as QEMU has it: boundaries, and a bin before the first of them.
fn histogram(stats: &Value, name: &str, sum: &str) -> Option<CountedHistogram> {
    let numbers = |value: &Value| elements(value).filter_map(Value::as_u64).collect::<Vec<u64>>();
    let counts = numbers(&stats[name]["bins"]);
    let bins: Vec<u64> = std::iter::once(0).chain(numbers(&stats[name]["boundaries"])).collect();
    let sum = stats[sum].as_u64().unwrap_or_default();
    (!counts.is_empty() && counts.len() == bins.len()).then_some(CountedHistogram { bins, counts, sum })
}

fn cpu(described: &Value) -> Option<CpuCounters> {
    let id = u32::try_from(described["cpu-index"].as_u64()?).ok()?;
    let thread = described["thread-id"].as_u64()?;
    // A thread's number finds it below /proc as a process's does.
    let stat = fs::read_to_string(format!("/proc/{thread}/stat")).ok()?;
    let schedule = fs::read_to_string(format!("/proc/{thread}/schedstat")).ok()?;
    let now = clock_gettime(ClockId::Boottime);
    let now = Duration::new(now.tv_sec.try_into().ok()?, now.tv_nsec.try_into().ok()?);
    times(id, &stat, &schedule, now)
}

/// How a thread that runs a virtual CPU has spent its time, by what the kernel says of it; `now` is counted from the
/// start of the host.
fn times(id: u32, stat: &str, schedule: &str, now: Duration) -> Option<CpuCounters> {
    // Fields are counted from the third one, after the name, which may itself hold anything.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
    let ticks = |place: usize| fields.get(place - 3)?.parse::<u64>().ok().map(of_ticks);
    let (user, system, begun, guest) = (ticks(14)?, ticks(15)?, ticks(22)?, ticks(43)?);
    let waiting = Duration::from_nanos(schedule.split_ascii_whitespace().nth(1)?.parse().ok()?);
    // With hardware acceleration the kernel tells the guest's time from QEMU's own. Without, the guest's instructions
    // are QEMU's, and what the kernel does for it is the host's work.
    let (run, emulation) =
        if guest > Duration::ZERO { (guest, user.saturating_sub(guest) + system) } else { (user, system) };
    let age = now.saturating_sub(begun);
    let idle = age.saturating_sub(run + emulation + waiting);
    Some(CpuCounters { id, run, idle, waiting, emulation })
}

fn of_ticks(ticks: u64) -> Duration {
    Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)))
}

/// None of the numbers may shrink, which those that are differences of others do by some ticks.
pub(super) fn grown(before: Option<&CpuCounters>, now: CpuCounters) -> CpuCounters {
    let Some(before) = before else { return now };
    CpuCounters {
        id: now.id,
        run: now.run.max(before.run),
        idle: now.idle.max(before.idle),
        waiting: now.waiting.max(before.waiting),
        emulation: now.emulation.max(before.emulation),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(user: u64, system: u64, begun: u64, guest: u64) -> String {
        let mut fields = vec!["0".to_owned(); 50];
        for (place, ticks) in [(14, user), (15, system), (22, begun), (43, guest)] {
            fields[place - 3] = ticks.to_string();
        }
        format!("77 (CPU 0) KVM) {}", fields.join(" "))
    }

    #[test]
    fn four_states_add_up_to_the_elapsed_time() {
        let schedule = "5 250000000 9";
        let now = Duration::from_secs(20);
        let ticks = rustix::param::clock_ticks_per_second();
        let with_kvm = times(0, &stat(3 * ticks, ticks, 10 * ticks, 2 * ticks), schedule, now).unwrap();
        assert_eq!((with_kvm.run, with_kvm.emulation), (Duration::from_secs(2), Duration::from_secs(2)));
        let without = times(0, &stat(3 * ticks, ticks, 10 * ticks, 0), schedule, now).unwrap();
        assert_eq!((without.run, without.emulation), (Duration::from_secs(3), Duration::from_secs(1)));
        for times in [with_kvm, without] {
            assert_eq!(times.waiting, Duration::from_millis(250));
            assert_eq!(times.run + times.idle + times.waiting + times.emulation, Duration::from_secs(10));
        }
        assert_eq!(times(0, "77 (a", schedule, now), None);
    }

    #[test]
    fn counters_never_decrease() {
        let second = Duration::from_secs;
        let before = CpuCounters { id: 1, run: second(5), idle: second(9), ..CpuCounters::default() };
        let now = CpuCounters { id: 1, run: second(6), idle: second(8), ..CpuCounters::default() };
        let grown = grown(Some(&before), now);
        assert_eq!((grown.run, grown.idle), (second(6), second(9)));
    }

    #[test]
    fn histograms_begin_at_zero() {
        let stats = json!({
            "rd_latency_histogram": { "boundaries": [10, 20], "bins": [1, 2, 3] }, "rd_total_time_ns": 99,
        });
        let found = histogram(&stats, "rd_latency_histogram", "rd_total_time_ns").unwrap();
        assert_eq!(found, CountedHistogram { bins: vec![0, 10, 20], counts: vec![1, 2, 3], sum: 99 });
        assert_eq!(histogram(&stats, "wr_latency_histogram", "wr_total_time_ns"), None);
    }
}
