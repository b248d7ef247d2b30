//! What the figures were measured on.

use std::fs;

/// Cores, processor, memory and kernel, in one line.
pub fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let cpu = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".into());
    let memory = field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".into());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{cores} cores of {cpu}, memory {memory}, Linux {}", kernel.trim())
}

fn field(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}
