use croft_api::hardware::{Baseboard, PhysicalDiskKind};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{Inventory, PhysicalDiskInventory, PoolInventory, SledInventory, SwitchInventory};

/// A sled that only pretends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedSled {
    /// The same at every start.
    pub id: Uuid,
    /// Its place in the rack, from 1.
    pub number: u16,
    /// Whether it is no part of the fleet before somebody adds it.
    pub is_spare: bool,
    /// Hardware threads for guests.
    pub threads: u64,
    /// Memory for guests, in bytes.
    pub guest_memory: u64,
    /// Its data disks.
    pub pools: Vec<PoolInventory>,
}

/// The ids of what is simulated begin with this.
const BASE: u128 = 0x51ed_0000_0000_4000_8000_0000_0000_0000;
/// Sleds of a rack each begin a run of ids of this length.
const IDS: u128 = 1 << 16;
/// Where among them those of disks begin, beside those of pools.
const DISKS: u128 = 1 << 15;
/// Where the ids of switches begin, behind those of all sleds.
const SWITCHES: u128 = 1 << 32;

impl SimulatedSled {
    /// A sled with pools of equal size. The number decides the ids, so that they are the same at every start.
    pub fn numbered(number: u16, threads: u64, guest_memory: u64, pools: u16, pool_size: u64) -> Self {
        let id = |pool: u16| Uuid::from_u128(BASE | (u128::from(number) * IDS) | u128::from(pool));
        Self {
            id: id(0),
            number,
            is_spare: false,
            threads,
            guest_memory,
            pools: (1..=pools).map(|pool| PoolInventory { id: id(pool), size: pool_size }).collect(),
        }
    }

    /// The same sled, waiting to be added to the fleet.
    #[must_use]
    pub fn spare(mut self) -> Self {
        self.is_spare = true;
        self
    }

    fn inventory(&self) -> SledInventory {
        SledInventory {
            id: self.id,
            baseboard: Baseboard {
                serial: format!("SIM{:04}", self.number),
                part: "simulated-sled".to_owned(),
                revision: 1,
            },
            cubby: self.number,
            is_spare: self.is_spare,
            hardware_threads: u32::try_from(self.threads).unwrap_or(u32::MAX),
            // The rest is for the host itself.
            physical_memory: self.guest_memory / 4 * 5,
            threads: self.threads,
            guest_memory: self.guest_memory,
            disks: self.disks(),
            pools: self.pools.clone(),
            links: Vec::new(),
        }
    }

    /// One to start from, and one for each pool.
    fn disks(&self) -> Vec<PhysicalDiskInventory> {
        const OWN: u64 = 1 << 40;
        let disk = |number: usize, form_factor, size| PhysicalDiskInventory {
            id: Uuid::from_u128(self.id.as_u128() | DISKS | number as u128),
            vendor: "croft".to_owned(),
            model: "simulated-disk".to_owned(),
            serial: format!("SIM{:04}D{number}", self.number),
            form_factor,
            size,
        };
        let own = disk(0, PhysicalDiskKind::M2, OWN);
        let pools = self.pools.iter().enumerate();
        let data = pools.map(|(place, pool)| disk(place + 1, PhysicalDiskKind::U2, pool.size));
        [own].into_iter().chain(data).collect()
    }
}

/// A switch that only pretends, by its number.
fn switch(number: u8) -> SwitchInventory {
    SwitchInventory {
        id: Uuid::from_u128(BASE | SWITCHES | u128::from(number)),
        baseboard: Baseboard {
            serial: format!("SIMSW{number}"),
            part: "simulated-switch".to_owned(),
            revision: 1,
        },
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
    /// The sleds, before which there are two switches.
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

    pub(super) fn inventory(&self) -> Inventory {
        Inventory {
            sleds: self.sleds.iter().map(SimulatedSled::inventory).collect(),
            switches: (0..2).map(switch).collect(),
        }
    }
}

impl Default for SimulatedOptions {
    /// Three sleds of 64 threads and 256 GiB of guest memory, with three disks of 3 TiB each.
    fn default() -> Self {
        Self::with_disks_of(3 << 40)
    }
}
