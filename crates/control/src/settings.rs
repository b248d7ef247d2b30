//! The operator's settings.

mod host_names;

use jiff::SignedDuration;

pub use host_names::ExternalSuffix;

/// The operator's settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Sessions of browsers.
    pub session: SessionSettings,
    /// The DNS suffixes of silos' host names; at least one.
    pub external_suffixes: Vec<ExternalSuffix>,
    /// The layout of disks on storage pools.
    pub storage: StorageSettings,
    /// Networks of VPCs and external addresses.
    pub network: NetworkSettings,
    /// Maximum number of support bundles.
    pub support_bundles: u32,
    /// Support bundles are removed after this time; `None` keeps them.
    pub support_bundle_retention: Option<SignedDuration>,
    /// Alerts are erased with their deliveries after this time; `None` keeps them.
    pub alert_retention: Option<SignedDuration>,
    /// Deleted records are erased after this time.
    pub deleted_retention: SignedDuration,
    /// Minimum interval between automatic restarts of an instance.
    pub auto_restart_cooldown: SignedDuration,
    /// A guest that has not shut down after this time is stopped forcibly.
    pub stop_timeout: SignedDuration,
    /// Interval at which machines are checked, whether or not their hosts reported something.
    pub watch_interval: SignedDuration,
    /// Interval before a host that could not be reached is tried again.
    pub retry_interval: SignedDuration,
    /// Whether lists of provisioning metrics start with the value at their start time.
    pub metrics_begin_with_value: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            session: SessionSettings::default(),
            external_suffixes: vec![ExternalSuffix::default()],
            storage: StorageSettings::default(),
            network: NetworkSettings::default(),
            support_bundles: 10,
            support_bundle_retention: Some(SignedDuration::from_hours(30 * 24)),
            alert_retention: Some(SignedDuration::from_hours(30 * 24)),
            deleted_retention: SignedDuration::from_hours(30 * 24),
            auto_restart_cooldown: SignedDuration::from_hours(1),
            stop_timeout: SignedDuration::from_mins(10),
            watch_interval: SignedDuration::from_secs(30),
            retry_interval: SignedDuration::from_secs(5),
            metrics_begin_with_value: false,
        }
    }
}

/// Limits of networks (`docs/rules/networking.md#network-limits`, `docs/rules/networking.md#subnets` and
/// `docs/rules/networking.md#ranges-of-pools`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSettings {
    /// Whether pools may have IPv6 ranges.
    pub ipv6_pools: bool,
    /// The prefix length of the largest IPv4 block of a subnet, 1 to 29.
    pub shortest_subnet_prefix: u8,
    /// The prefix length of the smallest IPv4 block of a subnet, up to [`NetworkSettings::LONGEST_PREFIX`].
    pub longest_subnet_prefix: u8,
}

impl NetworkSettings {
    /// A smaller block has no addresses besides the reserved ones.
    pub const LONGEST_PREFIX: u8 = 29;
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self { ipv6_pools: true, shortest_subnet_prefix: 8, longest_subnet_prefix: 26 }
    }
}

/// Lifetimes of sessions (`docs/rules/identity-and-system.md#sessions`).
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// Maximum idle time.
    pub idle: SignedDuration,
    /// Absolute lifetime, regardless of use.
    pub absolute: SignedDuration,
    /// Minimum interval between stored uses.
    pub write_interval: SignedDuration,
}

impl Default for SessionSettings {
    fn default() -> Self {
        Self {
            idle: SignedDuration::from_mins(480),
            absolute: SignedDuration::from_mins(1440),
            write_interval: SignedDuration::from_secs(10),
        }
    }
}

/// The layout of disks (`docs/rules/compute-and-storage.md#storage-space`).
#[derive(Clone, Debug)]
pub struct StorageSettings {
    /// Number of copies of each disk, each on another pool.
    pub copies: usize,
    /// Space for a copy, in percent of the disk's size.
    pub overhead_percent: u64,
    /// Bytes of each pool that are not available to disks.
    pub reserved_per_pool: u64,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self { copies: 3, overhead_percent: 125, reserved_per_pool: 250 << 30 }
    }
}
