//! The simulated load of machines: it varies over minutes and over the day, differently for each machine, disk and
//! interface.

use std::{f64::consts::TAU, time::Duration};

use jiff::Timestamp;
use uuid::Uuid;

use crate::{CountedHistogram, CpuCounters, DiskCounters, InterfaceCounters, PerIo, Traffic};

/// The load rises and falls once in this many seconds.
const PERIOD: f64 = 1200.0;
/// How far it rises and falls.
const SWING: f64 = 0.25;
/// It does so in the course of a day, too.
const DAY: f64 = 86_400.0;
/// How far it rises until the afternoon, and falls until the night.
const DAY_SWING: f64 = 0.45;
/// When the first machines have most to do (UTC), in seconds, and how much later than that the last ones have.
const AFTERNOON: (f64, f64) = (46_800.0, 10_800.0);
/// Bytes per read or write.
const BLOCK: u64 = 4096;

/// The load of one machine until now.
pub(super) struct Load {
    instance: Uuid,
    age: Duration,
    /// Seconds of work that the time of the day has added, or taken away, for something that is always busy.
    day: f64,
}

impl Load {
    pub(super) fn new(instance: Uuid, made: Timestamp, now: Timestamp) -> Self {
        let age = Duration::try_from(now.duration_since(made)).unwrap_or_default();
        let busiest = AFTERNOON.0 + f64::from(instance.as_bytes()[0]) / 256.0 * AFTERNOON.1;
        let risen = |time: Timestamp| {
            let second = Duration::try_from(time.duration_since(Timestamp::UNIX_EPOCH)).unwrap_or_default();
            (TAU * (second.as_secs_f64() - busiest) / DAY).sin()
        };
        let day = DAY / TAU * DAY_SWING * (risen(now.max(made)) - risen(made));
        Self { instance, age, day }
    }

    /// Seconds of work of something that is busy for this share of its time on the whole. They never grow faster than
    /// the clock, and never shrink.
    fn work(&self, of: Uuid, share: f64) -> Duration {
        let last = |id: Uuid| id.as_bytes()[15];
        let phase = f64::from(last(of) ^ last(self.instance)) / 256.0 * TAU;
        let age = self.age.as_secs_f64();
        // The integral of a wave that stays above zero.
        let swung = PERIOD / TAU * SWING * (phase.cos() - (phase + age / PERIOD * TAU).cos());
        Duration::try_from_secs_f64(share * (age + swung + self.day)).unwrap_or_default()
    }

    pub(super) fn cpu(&self, number: u32) -> CpuCounters {
        let run = self.work(Uuid::from_u128(u128::from(number) * 97), 0.4);
        let (emulation, waiting) = (run / 16, self.age / 100);
        let idle = self.age.saturating_sub(run + emulation + waiting);
        CpuCounters { id: number, run, idle, waiting, emulation }
    }

    pub(super) fn disk(&self, id: Uuid) -> DiskCounters {
        let thousandths = |rate: u64| count(self.work(id, 1.0), rate);
        let (reads, writes, flushes) = (thousandths(16_000), thousandths(8_000), thousandths(500));
        let times = |operations| Some(spread(operations, &LATENCY_BINS, &LATENCIES));
        let sizes = |operations| Some(spread(operations, &SIZE_BINS, &[1]));
        DiskCounters {
            id,
            bytes_read: reads * BLOCK,
            bytes_written: writes * BLOCK,
            reads,
            writes,
            flushes,
            latency: PerIo { read: times(reads), write: times(writes), flush: times(flushes) },
            size: PerIo { read: sizes(reads), write: sizes(writes), flush: None },
            ..DiskCounters::default()
        }
    }

    pub(super) fn interface(&self, id: Uuid) -> InterfaceCounters {
        let thousandths = |rate: u64| count(self.work(id, 1.0), rate);
        let (packets_received, packets_sent) = (thousandths(64_000), thousandths(16_000));
        let traffic = Traffic {
            bytes_received: packets_received * 1024,
            bytes_sent: packets_sent * 512,
            packets_received,
            packets_sent,
            ..Traffic::default()
        };
        InterfaceCounters { id, traffic, packets_dropped: 0 }
    }
}

/// How often something happened that happens this many times in a thousand seconds of work.
fn count(work: Duration, rate: u64) -> u64 {
    u64::try_from(work.as_micros()).unwrap_or(u64::MAX).saturating_mul(rate) / 1_000_000_000
}

/// The least values of bins of times, in nanoseconds.
const LATENCY_BINS: [u64; 6] = [0, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
/// The bins into which times fall, one after the other.
const LATENCIES: [usize; 8] = [2, 1, 2, 3, 2, 1, 2, 2];
const SIZE_BINS: [u64; 4] = [0, BLOCK, 16 * BLOCK, 256 * BLOCK];

/// Has values fall into bins in turn.
fn spread(values: u64, bins: &[u64], turns: &[usize]) -> CountedHistogram {
    let mut counts = vec![0; bins.len()];
    let whole = values / turns.len() as u64;
    let rest = usize::try_from(values % turns.len() as u64).unwrap_or(0);
    for (turn, bin) in turns.iter().enumerate() {
        counts[*bin] += whole + u64::from(turn < rest);
    }
    let sum = counts.iter().zip(bins).map(|(count, bin)| count * bin).sum();
    CountedHistogram { bins: bins.to_vec(), counts, sum }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn counters_never_decrease_and_cpu_time_matches_the_clock() {
        let made = Timestamp::UNIX_EPOCH;
        let (instance, disk) = (Uuid::from_u128(7), Uuid::from_u128(1234));
        let mut before = Load::new(instance, made, made);
        for step in 1..2000 {
            let load = Load::new(instance, made, made + SignedDuration::from_secs(step * 5));
            for number in 0..2 {
                let (old, new) = (before.cpu(number), load.cpu(number));
                assert!(new.run > old.run && new.idle >= old.idle && new.waiting > old.waiting);
                assert_eq!(new.run + new.idle + new.waiting + new.emulation, load.age);
            }
            let (old, new) = (before.disk(disk), load.disk(disk));
            assert!(new.reads > old.reads && new.bytes_written >= old.bytes_written);
            let counts = |disk: &DiskCounters| disk.latency.read.clone().unwrap().counts;
            assert!(counts(&old).iter().zip(counts(&new)).all(|(old, new)| *old <= new));
            assert_eq!(counts(&new).iter().sum::<u64>(), new.reads);
            let (old, new) = (before.interface(disk).traffic, load.interface(disk).traffic);
            assert!(new.packets_sent > old.packets_sent);
            before = load;
        }
    }
}
