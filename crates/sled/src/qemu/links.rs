//! What passes through the links between this host and the world.

use std::{fs, path::Path, sync::OnceLock};

use jiff::Timestamp;
use uuid::Uuid;

use crate::{LinkCounters, Traffic};

/// The links that have a device, by name.
pub(super) fn counters(sled_id: Uuid) -> Vec<LinkCounters> {
    let Some(since) = boot_time() else { return Vec::new() };
    let found = fs::read_dir("/sys/class/net").into_iter().flatten().flatten();
    let mut links: Vec<LinkCounters> = found
        .filter(|entry| entry.path().join("device").exists())
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let traffic = traffic(&entry.path().join("statistics"))?;
            Some(LinkCounters { sled_id, name, kind: "physical", since, traffic })
        })
        .collect();
    links.sort_by(|a, b| a.name.cmp(&b.name));
    links
}

/// What the kernel counts; `None` if the link has gone meanwhile.
fn traffic(folder: &Path) -> Option<Traffic> {
    let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    Some(Traffic {
        bytes_received: number("rx_bytes")?,
        bytes_sent: number("tx_bytes")?,
        packets_received: number("rx_packets")?,
        packets_sent: number("tx_packets")?,
        errors_received: number("rx_errors")?,
        errors_sent: number("tx_errors")?,
    })
}

/// When this host was started, as it was seen first: what is counted since then must not begin at several times.
fn boot_time() -> Option<Timestamp> {
    static SEEN: OnceLock<Option<Timestamp>> = OnceLock::new();
    *SEEN.get_or_init(|| {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let seconds = text.lines().find_map(|line| line.strip_prefix("btime "))?;
        Timestamp::from_second(seconds.trim().parse().ok()?).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boot_time_is_in_the_past() {
        let boot = boot_time().unwrap();
        assert!(boot > Timestamp::UNIX_EPOCH && boot <= Timestamp::now(), "{boot}");
    }

    #[test]
    fn kernel_counters_are_read() {
        let loopback = Path::new("/sys/class/net/lo/statistics");
        let traffic = traffic(loopback).unwrap();
        assert_eq!(traffic.bytes_sent > 0, traffic.packets_sent > 0);
        assert_eq!(super::traffic(Path::new("/sys/class/net/nothing/statistics")), None);
    }
}
