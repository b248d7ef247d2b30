//! Wall time, and the time for which the machine's cores were busy meanwhile.

use std::fs;
use std::time::{Duration, Instant};

/// The unit of processor times in `/proc` in milliseconds, which Linux fixes for programs at a hundredth of a second.
const TICK: u64 = 10;

/// Runs from its start.
pub struct Stopwatch {
    started: Instant,
    busy_before: Duration,
}

/// What a stage took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageTime {
    /// Wall time.
    pub wall: Duration,
    /// Processor time on all cores together. It includes what is built ahead for a later stage, and other programs of the machine: only
    /// children that have been waited for could be told apart from those, and a browser ends without waiting for all of its own.
    pub processor: Duration,
}

impl Stopwatch {
    /// Starts to measure.
    pub fn start() -> Self {
        Self { started: Instant::now(), busy_before: busy() }
    }

    /// What has passed since the start.
    pub fn read(&self) -> StageTime {
        StageTime { wall: self.started.elapsed(), processor: busy().saturating_sub(self.busy_before) }
    }
}

impl StageTime {
    /// How many cores were busy, on average.
    pub fn cores(self) -> f64 {
        if self.wall.is_zero() { 0.0 } else { self.processor.as_secs_f64() / self.wall.as_secs_f64() }
    }
}

/// The time that the cores of this machine have been busy since it started; zero where there is no `/proc`.
fn busy() -> Duration {
    fs::read_to_string("/proc/stat").ok().and_then(|stat| busy_in(&stat)).unwrap_or_default()
}

/// Reads the first line of proc_stat(5): user, nice, system, idle, iowait, irq, softirq.
fn busy_in(stat: &str) -> Option<Duration> {
    let mut times =
        stat.strip_prefix("cpu ")?.split_ascii_whitespace().map_while(|time| time.parse::<u64>().ok());
    let [user, nice, system, _idle, _iowait, irq, softirq] = std::array::from_fn(|_| times.next());
    Some(Duration::from_millis(TICK * (user? + nice? + system? + irq? + softirq?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_busy() {
        let stat = "cpu  100 20 30 9000 800 40 10 5 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n";
        assert_eq!(busy_in(stat), Some(Duration::from_secs(2)));
        assert_eq!(busy_in("cpu  100 20"), None);
    }

    #[test]
    fn cores_are_processor_time_by_wall_time() {
        let took = StageTime { wall: Duration::from_secs(2), processor: Duration::from_secs(3) };
        assert!((took.cores() - 1.5).abs() < f64::EPSILON);
    }
}
