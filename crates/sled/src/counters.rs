use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

/// What is to be counted: some of it takes the host longer than the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Virtual CPUs.
    Processors,
    /// Disks and network interfaces, too.
    Everything,
}

/// What a machine has used. Numbers only grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineCounters {
    /// Since when it is counted; `None` if since the machine was made.
    pub since: Option<Timestamp>,
    /// Its virtual CPUs.
    pub cpus: Vec<CpuCounters>,
    /// What happened to its guest.
    pub incidents: Incidents,
    /// Its disks, by slot; none unless they were asked for.
    pub disks: Vec<DiskCounters>,
    /// Its network interfaces, by slot; those that the host cannot count are missing.
    pub interfaces: Vec<InterfaceCounters>,
}

impl MachineCounters {
    /// Processor time of all virtual CPUs together.
    pub fn cpu_time(&self) -> Duration {
        self.cpus.iter().map(|cpu| cpu.run + cpu.emulation).sum()
    }
}

/// What happened to a guest, beside its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Incidents {
    /// Since when it is counted; `None` if for as long as the rest.
    pub since: Option<Timestamp>,
    /// Times that the machine began anew, whoever wanted it.
    pub resets: u64,
    /// Times that the guest panicked and looked after it itself.
    pub panics_handled_by_guest: u64,
    /// Times that the guest panicked and left it to the host.
    pub panics_handled_by_host: u64,
}

/// How a virtual CPU spent its time. The four grow together as fast as the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuCounters {
    /// Its number in the machine, from 0.
    pub id: u32,
    /// Running the guest.
    pub run: Duration,
    /// Nothing to do.
    pub idle: Duration,
    /// Ready to run while the host's processors did something else.
    pub waiting: Duration,
    /// The host worked for the guest, as it does for devices that it pretends to have.
    pub emulation: Duration,
}

/// What a machine has done with one disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskCounters {
    /// The disk.
    pub id: Uuid,
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Times something was read.
    pub reads: u64,
    /// Times something was written.
    pub writes: u64,
    /// Times the disk was asked to make durable what was written.
    pub flushes: u64,
    /// Times that reading failed.
    pub failed_reads: u64,
    /// Times that writing failed.
    pub failed_writes: u64,
    /// Times that making durable failed.
    pub failed_flushes: u64,
    /// How long each took, in nanoseconds; `None` where the host does not keep it.
    pub latency: PerIo<Option<CountedHistogram>>,
    /// How much each was, in bytes; `None` where the host does not keep it.
    pub size: PerIo<Option<CountedHistogram>>,
}

/// One of something for each kind of input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerIo<T> {
    /// Of reading.
    pub read: T,
    /// Of writing.
    pub write: T,
    /// Of making durable.
    pub flush: T,
}

/// How many values fell between which bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedHistogram {
    /// The least value of each bin, ascending from 0. They stay the same.
    pub bins: Vec<u64>,
    /// How many values fell into each bin.
    pub counts: Vec<u64>,
    /// The sum of all values.
    pub sum: u64,
}

/// What went through one network interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterfaceCounters {
    /// The interface.
    pub id: Uuid,
    /// What passed, as the guest sees it.
    pub traffic: Traffic,
    /// Packets that were lost on their way to or from the guest.
    pub packets_dropped: u64,
}

/// What passed through a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes received.
    pub bytes_received: u64,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Packets received.
    pub packets_received: u64,
    /// Packets sent.
    pub packets_sent: u64,
    /// Packets that could not be received.
    pub errors_received: u64,
    /// Packets that could not be sent.
    pub errors_sent: u64,
}

/// A link of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkCounters {
    /// The host.
    pub sled_id: Uuid,
    /// Its name on the host.
    pub name: String,
    /// What it is, such as `physical`.
    pub kind: &'static str,
    /// Since when it is counted.
    pub since: Timestamp,
    /// What passed.
    pub traffic: Traffic,
}
