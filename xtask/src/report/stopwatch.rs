//! Wall time, and the processor time that child processes used meanwhile.

use std::fs;
use std::time::{Duration, Instant};

/// The unit of processor times in `/proc`, which Linux fixes for programs at a hundredth of a second.
const TICK: Duration = Duration::from_millis(10);

/// Runs from its start.
pub struct Stopwatch {
    started: Instant,
    used_by_children: Duration,
}

/// What a stage took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageTime {
    /// Wall time.
    pub wall: Duration,
    /// Processor time of child processes that ended meanwhile, on all cores together.
    pub processor: Duration,
}

impl Stopwatch {
    /// Starts to measure.
    pub fn start() -> Self {
        Self { started: Instant::now(), used_by_children: used_by_children() }
    }

    /// What has passed since the start.
    pub fn read(&self) -> StageTime {
        StageTime {
            wall: self.started.elapsed(),
            processor: used_by_children().saturating_sub(self.used_by_children),
        }
    }
}

impl StageTime {
    /// How many cores were busy, on average.
    pub fn cores(self) -> f64 {
        if self.wall.is_zero() { 0.0 } else { self.processor.as_secs_f64() / self.wall.as_secs_f64() }
    }
}

/// The processor time of all child processes that have ended, with theirs; zero where there is no `/proc`.
fn used_by_children() -> Duration {
    fs::read_to_string("/proc/self/stat").ok().and_then(|stat| children_in(&stat)).unwrap_or_default()
}

/// Reads `cutime` and `cstime` of proc_pid_stat(5): fields 16 and 17. The second field is a name in parentheses, which may
/// contain spaces and parentheses.
fn children_in(stat: &str) -> Option<Duration> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace().skip(13);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * (user + system))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_children_are_found_behind_any_name() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 1 2 3 4 11 12 250 50 20 0 1 0 100";
        assert_eq!(children_in(stat), Some(Duration::from_secs(3)));
        assert_eq!(children_in("7 (cut"), None);
    }

    #[test]
    fn cores_are_processor_time_by_wall_time() {
        let took = StageTime { wall: Duration::from_secs(2), processor: Duration::from_secs(3) };
        assert!((took.cores() - 1.5).abs() < f64::EPSILON);
    }
}
