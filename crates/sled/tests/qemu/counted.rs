//! Counters agree with measurements of the host and the guest in the same interval.

use std::{
    fs,
    time::{Duration, Instant},
};

use croft_sled::{
    Counted, CpuCounters, DiskCounters, Hypervisor as _, MachineCounters, MachineSpec, MachineState,
    SerialLine, qemu::Qemu,
};
use jiff::Timestamp;

use crate::{
    host::{self, import, log_in, run, wait_for_end, wait_for_state},
    machines::process_of,
};

const MIB: u64 = 1 << 20;
/// The size of the file that the guest writes, which nearly fills its disk.
const WRITTEN: u64 = 16 * MIB;

/// Whether the values differ by less than a tenth plus the error of the clocks.
fn agree(counted: Duration, measured: Duration) -> bool {
    counted.abs_diff(measured) < measured / 10 + Duration::from_millis(60)
}

/// The CPU time of the vCPU's thread according to the host's scheduler.
fn scheduled(spec: &MachineSpec) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{}/task", process_of(spec))).unwrap();
    let is_cpu =
        |folder: &std::path::Path| fs::read_to_string(folder.join("comm")).unwrap().starts_with("CPU 0/");
    let thread = tasks.map(|entry| entry.unwrap().path()).find(|folder| is_cpu(folder)).unwrap();
    let schedule = fs::read_to_string(thread.join("schedstat")).unwrap();
    Duration::from_nanos(schedule.split_ascii_whitespace().next().unwrap().parse().unwrap())
}

/// The number of bytes that the guest has written to its disk according to its kernel.
fn guest_written(line: &SerialLine) -> u64 {
    let printed = run(line, "echo written=$(awk '{print $7}' /sys/block/vda/stat)=");
    // The first match is in the echo of the command.
    let sectors = printed.rsplit("written=").next().and_then(|rest| rest.split('=').next());
    sectors.and_then(|text| text.parse::<u64>().ok()).unwrap_or_else(|| panic!("{printed}")) * 512
}

fn counters(qemu: &Qemu, spec: &MachineSpec) -> MachineCounters {
    qemu.counters(spec.id, Counted::Everything, Timestamp::UNIX_EPOCH).unwrap()
}

fn disk_of(counters: &MachineCounters) -> &DiskCounters {
    let [disk] = counters.disks.as_slice() else { panic!("one disk: {counters:?}") };
    disk
}

/// The times of the only vCPU between two samples.
fn times(before: &MachineCounters, after: &MachineCounters) -> CpuCounters {
    let ([before], [after]) = (before.cpus.as_slice(), after.cpus.as_slice()) else { panic!("one CPU") };
    CpuCounters {
        id: after.id,
        run: after.run.saturating_sub(before.run),
        idle: after.idle.saturating_sub(before.idle),
        waiting: after.waiting.saturating_sub(before.waiting),
        emulation: after.emulation.saturating_sub(before.emulation),
    }
}

#[test]
fn counters_agree_with_the_load() {
    let Some((_folder, qemu)) = host::host() else { return };
    let Some(image) = host::guest_image() else { return };
    let disk = host::disk(1, None);
    import(&qemu, &disk, &image);
    let spec = host::machine(11, "db1", disk.id, "");
    qemu.ensure_machine(&spec).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    let line = qemu.serial(spec.id).unwrap();
    log_in(&line, "db1");

    processors(&qemu, &spec, &line);
    disks(&qemu, &spec, &line);
    qemu.destroy_machine(spec.sled_id, spec.id).unwrap();
    wait_for_end(&qemu, &spec);
}

/// Checks the CPU times while the guest is busy.
fn processors(qemu: &Qemu, spec: &MachineSpec, line: &SerialLine) {
    let (begun, before, host_before) = (Instant::now(), counters(qemu, spec), scheduled(spec));
    run(line, "n=0; while [ $n -lt 300000 ]; do n=$((n+1)); done");
    let (host_after, after) = (scheduled(spec), counters(qemu, spec));
    let passed = begun.elapsed();
    let (times, on_processor) = (times(&before, &after), host_after.saturating_sub(host_before));
    assert!(on_processor > Duration::from_millis(300), "the guest was not busy: {on_processor:?}");
    assert!(agree(times.run + times.emulation, on_processor), "{times:?} is not {on_processor:?}");
    assert!(
        times.run > on_processor / 2,
        "most of the time must be the guest's own: {times:?} of {on_processor:?}"
    );
    let all = times.run + times.idle + times.waiting + times.emulation;
    assert!(agree(all, passed), "{times:?} is not {passed:?}");
}

/// Checks the disk counters while the guest writes a file.
fn disks(qemu: &Qemu, spec: &MachineSpec, line: &SerialLine) {
    run(line, "sync");
    let (guest_before, before) = (guest_written(line), counters(qemu, spec));
    run(line, &format!("dd if=/dev/zero of=file bs=1M count={} && sync", WRITTEN / MIB));
    let (after, guest_after) = (counters(qemu, spec), guest_written(line));
    let (before, after) = (disk_of(&before), disk_of(&after));
    let (counted, measured) = (after.bytes_written - before.bytes_written, guest_after - guest_before);
    assert!(measured >= WRITTEN, "{measured}");
    assert!(counted.abs_diff(measured) < measured / 10, "{counted} is not {measured}");
    assert!(after.writes > before.writes && after.flushes > before.flushes);
    assert_eq!((after.failed_reads, after.failed_writes), (0, 0));
    let counts =
        |disk: &DiskCounters| disk.latency.write.as_ref().map(|found| found.counts.iter().sum::<u64>());
    assert_eq!(counts(after).unwrap() - counts(before).unwrap(), after.writes - before.writes);
}
