use jiff::SignedDuration;
use uuid::Uuid;

use crate::{PoolInventory, SledInventory};

/// A sled that only pretends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedSled {
    /// The same at every start.
    pub id: Uuid,
    /// The serial number of its baseboard.
    pub serial: String,
    /// Hardware threads for guests.
    pub threads: u64,
    /// Memory for guests, in bytes.
    pub guest_memory: u64,
    /// Its data disks.
    pub pools: Vec<PoolInventory>,
}

impl SimulatedSled {
    /// A sled with pools of equal size. The number decides the ids, so that they are the same at every start.
    pub fn numbered(number: u16, threads: u64, guest_memory: u64, pools: u16, pool_size: u64) -> Self {
        const BASE: u128 = 0x51ed_0000_0000_4000_8000_0000_0000_0000;
        let id = |pool: u16| Uuid::from_u128(BASE | u128::from(number) << 16 | u128::from(pool));
        Self {
            id: id(0),
            serial: format!("SIM{number:04}"),
            threads,
            guest_memory,
            pools: (1..=pools).map(|pool| PoolInventory { id: id(pool), size: pool_size }).collect(),
        }
    }

    pub(super) fn inventory(&self) -> SledInventory {
        SledInventory {
            id: self.id,
            serial: self.serial.clone(),
            threads: self.threads,
            guest_memory: self.guest_memory,
            pools: self.pools.clone(),
        }
    }
}

/// How long things take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// From being made to running.
    pub start: SignedDuration,
    /// From being asked to stop to having ended.
    pub stop: SignedDuration,
    /// From being asked to reboot to running.
    pub reboot: SignedDuration,
    /// From being asked for to being built.
    pub disk: SignedDuration,
    /// All durations are divided by this: 2 is twice as fast.
    pub speed: f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            start: SignedDuration::from_millis(4000),
            stop: SignedDuration::from_millis(2000),
            reboot: SignedDuration::from_millis(4000),
            disk: SignedDuration::ZERO,
            speed: 1.0,
        }
    }
}

impl Timing {
    /// Everything happens at the next look.
    pub const INSTANT: Self = Self {
        start: SignedDuration::ZERO,
        stop: SignedDuration::ZERO,
        reboot: SignedDuration::ZERO,
        disk: SignedDuration::ZERO,
        speed: 1.0,
    };

    /// The durations with the speed worked in. A speed that is no positive number counts as 1.
    pub(super) fn scaled(&self) -> Self {
        if self.speed <= 0.0 || !self.speed.is_finite() || (self.speed - 1.0).abs() < f64::EPSILON {
            return Self { speed: 1.0, ..*self };
        }
        let scale =
            |duration: SignedDuration| SignedDuration::from_secs_f64(duration.as_secs_f64() / self.speed);
        Self {
            start: scale(self.start),
            stop: scale(self.stop),
            reboot: scale(self.reboot),
            disk: scale(self.disk),
            speed: 1.0,
        }
    }
}

/// What a simulated hypervisor consists of.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedOptions {
    /// The sleds.
    pub sleds: Vec<SimulatedSled>,
    /// How long things take.
    pub timing: Timing,
}

impl SimulatedOptions {
    /// Three sleds of 64 threads and 256 GiB of guest memory, with three disks of `bytes` each.
    pub fn with_disks_of(bytes: u64) -> Self {
        let sleds = (1..=3).map(|number| SimulatedSled::numbered(number, 64, 256 << 30, 3, bytes));
        Self { sleds: sleds.collect(), timing: Timing::default() }
    }
}

impl Default for SimulatedOptions {
    /// Three sleds of 64 threads and 256 GiB of guest memory, with three disks of 3 TiB each.
    fn default() -> Self {
        Self::with_disks_of(3 << 40)
    }
}
