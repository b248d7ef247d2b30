//! What an operator may choose.

mod host_names;

use jiff::SignedDuration;

pub use host_names::ExternalSuffix;

/// What an operator may choose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Sessions of browsers.
    pub session: SessionSettings,
    /// The DNS names below which each silo has a host name of its own; at least one.
    pub external_suffixes: Vec<ExternalSuffix>,
    /// How disks are laid out on storage pools.
    pub storage: StorageSettings,
    /// Networks of VPCs and external addresses.
    pub network: NetworkSettings,
    /// Most support bundles that are kept.
    pub support_bundles: u32,
    /// Support bundles that were made this long ago are removed; none are without it.
    pub support_bundle_retention: Option<SignedDuration>,
    /// Alerts that were raised this long ago are erased with their deliveries; none are without it.
    pub alert_retention: Option<SignedDuration>,
    /// What was deleted this long ago is erased.
    pub deleted_retention: SignedDuration,
    /// After an automatic restart, the next one has to wait this long.
    pub auto_restart_cooldown: SignedDuration,
    /// A guest that has not gone down after this long is ended.
    pub stop_timeout: SignedDuration,
    /// How often the machines of the fleet are looked at, whether or not their hosts reported something.
    pub watch_interval: SignedDuration,
    /// How long a host that could not be reached is left alone.
    pub retry_interval: SignedDuration,
    /// Whether lists of what was provisioned begin with what it was at their start.
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

/// What an operator may choose about networks (`docs/rules/networking.md#network-limits`,
/// `docs/rules/networking.md#subnets` and `docs/rules/networking.md#ranges-of-pools`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSettings {
    /// Whether pools may have IPv6 ranges.
    pub ipv6_pools: bool,
    /// The prefix length of the largest IPv4 block that a subnet may have, 1 to 29.
    pub shortest_subnet_prefix: u8,
    /// The prefix length of the smallest one, up to [`NetworkSettings::LONGEST_PREFIX`].
    pub longest_subnet_prefix: u8,
}

impl NetworkSettings {
    /// In a block with a longer prefix than this nothing is left beside the reserved addresses.
    pub const LONGEST_PREFIX: u8 = 29;
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self { ipv6_pools: true, shortest_subnet_prefix: 8, longest_subnet_prefix: 26 }
    }
}

/// How long sessions live (`docs/rules/identity-and-system.md#sessions`).
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// A session that is not used for longer than this ends.
    pub idle: SignedDuration,
    /// A session ends this long after its sign-in, however much it is used.
    pub absolute: SignedDuration,
    /// The last use of a session is written at most this often.
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

/// How disks are laid out (`docs/rules/compute-and-storage.md#storage-space`).
#[derive(Clone, Debug)]
pub struct StorageSettings {
    /// Copies of each disk, each on a pool of its own.
    pub copies: usize,
    /// What a copy takes, in percent of the disk's size.
    pub overhead_percent: u64,
    /// Bytes of each pool that disks may not take.
    pub reserved_per_pool: u64,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self { copies: 3, overhead_percent: 125, reserved_per_pool: 250 << 30 }
    }
}
