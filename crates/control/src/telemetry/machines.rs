use std::{sync::Arc, time::Duration};

use croft_api::Result;
use croft_oxql::model::{Datum, Distribution, FieldValue};
use croft_sled::{
    Counted, CountedHistogram, CpuCounters, DiskCounters, Hypervisor, HypervisorError, Incidents,
    InterfaceCounters, MachineCounters, PerIo,
};
use croft_store::{
    Database, ListBy, Tx,
    records::{Disk, Instance, Machine, MachineState, Sled},
    telemetry::Telemetry,
};
use jiff::Timestamp;
use uuid::Uuid;

use super::{Batch, Sink};
use crate::paging;

/// A running machine with the field values of its samples.
pub(super) struct Subject {
    machine: Machine,
    sled: Vec<FieldValue>,
    /// Its disks and their block sizes.
    disks: Vec<(Uuid, u32)>,
}

/// The fields that identify the sled of a sample.
pub(super) fn of_sled(sled: &Sled) -> Vec<FieldValue> {
    let board = &sled.baseboard;
    vec![sled.meta.id.into(), board.part.as_str().into(), board.serial.as_str().into(), board.revision.into()]
}

/// Samples the running machines.
pub(super) fn sample(
    db: &Database,
    telemetry: &Telemetry,
    now: Timestamp,
    hypervisor: &dyn Hypervisor,
    devices: bool,
) -> Result<()> {
    let subjects = db.read_blocking(move |tx| subjects(tx, devices))?;
    let counted = if devices { Counted::Everything } else { Counted::Processors };
    let mut batch = Batch::at(now);
    for subject in subjects {
        let machine = &subject.machine;
        let counters = match hypervisor.counters(machine.meta.id, counted, now) {
            Ok(counters) => counters,
            // The machine has just ended. The reconciler will find out.
            Err(HypervisorError::UnknownMachine) => continue,
            Err(error) => {
                tracing::debug!(machine = %machine.meta.id, %error, "a machine cannot be measured");
                continue;
            }
        };
        add_processors(&mut batch, &subject, &counters);
        if devices {
            add_devices(&mut batch, &subject, &counters);
        }
    }
    batch.record(telemetry);
    Ok(())
}

impl Subject {
    pub(super) const fn machine(&self) -> Uuid {
        self.machine.meta.id
    }

    /// The start time of its machine's counters.
    pub(super) fn since(&self, counters: &MachineCounters) -> Timestamp {
        counters.since.unwrap_or(self.machine.meta.time_created)
    }
}

/// The counters collected [often](super::PROCESSORS).
pub(super) fn add_processors(sink: &mut dyn Sink, subject: &Subject, counters: &MachineCounters) {
    let since = subject.since(counters);
    for cpu in &counters.cpus {
        add_cpu(sink, subject, since, cpu);
    }
    add_incidents(sink, subject, since, &counters.incidents);
}

/// The counters collected [less often](super::DEVICES).
pub(super) fn add_devices(sink: &mut dyn Sink, subject: &Subject, counters: &MachineCounters) {
    let since = subject.since(counters);
    for disk in &counters.disks {
        add_disk(sink, subject, since, disk);
    }
    for interface in &counters.interfaces {
        add_interface(sink, &subject.machine, since, interface);
    }
}

pub(super) fn subjects(tx: &mut Tx<'_>, devices: bool) -> Result<Vec<Subject>> {
    let sleds: Vec<Sled> = paging::all(tx, &ListBy::All)?;
    let mut subjects = Vec::new();
    for machine in paging::all::<Machine>(tx, &ListBy::All)? {
        let Some(instance) = tx.get::<Instance>(machine.instance_id)? else { continue };
        let runs = |link: &croft_store::records::MachineLink| {
            link.id == machine.meta.id
                && matches!(link.state, MachineState::Running | MachineState::Rebooting)
        };
        if !instance.machine().is_some_and(runs) {
            continue;
        }
        let Some(sled) = sleds.iter().find(|sled| sled.meta.id == machine.sled_id) else { continue };
        let disks: Vec<Disk> = if devices {
            paging::all(tx, &ListBy::lookup(Disk::INSTANCE, instance.meta.id))?
        } else {
            Vec::new()
        };
        let disks = disks.iter().map(|disk| (disk.meta.id, disk.block_size.into())).collect();
        subjects.push(Subject { machine, sled: of_sled(sled), disks });
    }
    Ok(subjects)
}

fn count(duration: Duration) -> Datum {
    Datum::Unsigned(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

fn of_machine(subject: &Subject) -> Vec<FieldValue> {
    let Machine { instance_id, project_id, silo_id, .. } = subject.machine;
    let ids: [FieldValue; 3] = [instance_id.into(), project_id.into(), silo_id.into()];
    ids.into_iter().chain(subject.sled.iter().cloned()).collect()
}

fn add_cpu(sink: &mut dyn Sink, subject: &Subject, since: Timestamp, cpu: &CpuCounters) {
    let states =
        [("run", cpu.run), ("idle", cpu.idle), ("waiting", cpu.waiting), ("emulation", cpu.emulation)];
    for (state, time) in states {
        let fields = || {
            let mut fields = of_machine(subject);
            fields.extend([state.into(), cpu.id.into()]);
            fields
        };
        sink.add(("virtual_machine", "vcpu_usage"), &fields, since, count(time));
    }
}

fn add_incidents(sink: &mut dyn Sink, subject: &Subject, since: Timestamp, incidents: &Incidents) {
    let since = incidents.since.unwrap_or(since);
    for (metric, count) in [
        ("reset", incidents.resets),
        ("pv_panic_guest_handled", incidents.panics_handled_by_guest),
        ("pv_panic_host_handled", incidents.panics_handled_by_host),
    ] {
        let name = ("virtual_machine", metric);
        sink.add(name, &|| of_machine(subject), since, Datum::Unsigned(count));
    }
}

fn add_disk(sink: &mut dyn Sink, subject: &Subject, since: Timestamp, disk: &DiskCounters) {
    const TARGET: &str = "virtual_disk";
    let machine = &subject.machine;
    // A disk that was detached but is still in the machine has no owner, so it is skipped.
    let Some((_, block_size)) = subject.disks.iter().find(|(id, _)| *id == disk.id) else { return };
    let fields = |extra: Option<&str>| {
        let mut fields: Vec<FieldValue> = vec![
            machine.instance_id.into(),
            disk.id.into(),
            machine.project_id.into(),
            machine.silo_id.into(),
            (*block_size).into(),
        ];
        fields.extend(extra.map(FieldValue::from));
        fields
    };
    for (metric, value) in [
        ("bytes_read", disk.bytes_read),
        ("bytes_written", disk.bytes_written),
        ("reads", disk.reads),
        ("writes", disk.writes),
        ("flushes", disk.flushes),
    ] {
        sink.add((TARGET, metric), &|| fields(None), since, Datum::Unsigned(value));
    }
    for (metric, value) in [
        ("failed_reads", disk.failed_reads),
        ("failed_writes", disk.failed_writes),
        ("failed_flushes", disk.failed_flushes),
    ] {
        sink.add((TARGET, metric), &|| fields(Some("error")), since, Datum::Unsigned(value));
    }
    for (metric, PerIo { read, write, flush }) in [("io_latency", &disk.latency), ("io_size", &disk.size)] {
        for (kind, histogram) in [("read", read), ("write", write), ("flush", flush)] {
            if let Some(datum) = histogram.as_ref().and_then(distribution) {
                sink.add((TARGET, metric), &|| fields(Some(kind)), since, datum);
            }
        }
    }
}

/// A histogram without the statistics that its host does not keep; `None` if its numbers do not fit into a
/// distribution.
fn distribution(histogram: &CountedHistogram) -> Option<Datum> {
    let bins: Option<Vec<i64>> = histogram.bins.iter().map(|bin| i64::try_from(*bin).ok()).collect();
    Some(Datum::IntegerDistribution(Arc::new(Distribution {
        bins: bins?.into(),
        counts: histogram.counts.clone(),
        min: None,
        max: None,
        sum_of_samples: i64::try_from(histogram.sum).ok()?,
        squared_mean: 0.0,
        p50: None,
        p90: None,
        p99: None,
    })))
}

fn add_interface(sink: &mut dyn Sink, machine: &Machine, since: Timestamp, interface: &InterfaceCounters) {
    let traffic = interface.traffic;
    for (metric, value) in [
        ("bytes_sent", traffic.bytes_sent),
        ("bytes_received", traffic.bytes_received),
        ("packets_sent", traffic.packets_sent),
        ("packets_received", traffic.packets_received),
        ("packets_dropped", interface.packets_dropped),
        ("errors_sent", traffic.errors_sent),
        ("errors_received", traffic.errors_received),
    ] {
        let fields = || {
            let Machine { instance_id, project_id, silo_id, .. } = *machine;
            vec![interface.id.into(), instance_id.into(), project_id.into(), silo_id.into()]
        };
        sink.add(("instance_network_interface", metric), &fields, since, Datum::Unsigned(value));
    }
}
