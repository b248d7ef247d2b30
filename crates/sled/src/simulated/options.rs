use croft_api::hardware::{Baseboard, PhysicalDiskKind};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{Inventory, PhysicalDiskInventory, PoolInventory, SledInventory, SwitchInventory};

/// A simulated sled.
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
    /// Memory that it has, in bytes; the rest is for the host itself.
    pub physical_memory: u64,
    /// What it calls itself.
    pub baseboard: Baseboard,
    /// The disks in it.
    pub disks: Vec<PhysicalDiskInventory>,
    /// What disks have for guests.
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
        let pools: Vec<_> = (1..=pools).map(|pool| PoolInventory { id: id(pool), size: pool_size }).collect();
        Self {
            id: id(0),
            number,
            is_spare: false,
            threads,
            guest_memory,
            physical_memory: guest_memory / 4 * 5,
            baseboard: Baseboard {
                serial: format!("SIM{number:04}"),
                part: "simulated-sled".to_owned(),
                revision: 1,
            },
            disks: numbered_disks(id(0), number, &pools),
            pools,
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
            baseboard: self.baseboard.clone(),
            cubby: self.number,
            is_spare: self.is_spare,
            hardware_threads: u32::try_from(self.threads).unwrap_or(u32::MAX),
            physical_memory: self.physical_memory,
            threads: self.threads,
            guest_memory: self.guest_memory,
            disks: self.disks.clone(),
            pools: self.pools.clone(),
            links: Vec::new(),
        }
    }
}

/// One to start from, and one for each pool.
fn numbered_disks(sled: Uuid, sled_number: u16, pools: &[PoolInventory]) -> Vec<PhysicalDiskInventory> {
    const OWN: u64 = 1 << 40;
    let disk = |number: usize, form_factor, size| PhysicalDiskInventory {
        id: Uuid::from_u128(sled.as_u128() | DISKS | number as u128),
        vendor: "croft".to_owned(),
        model: "simulated-disk".to_owned(),
        serial: format!("SIM{sled_number:04}D{number}"),
        form_factor,
        size,
    };
    let own = disk(0, PhysicalDiskKind::M2, OWN);
    let data = pools.iter().enumerate().map(|(place, pool)| disk(place + 1, PhysicalDiskKind::U2, pool.size));
    [own].into_iter().chain(data).collect()
}

/// A simulated switch, by its number.
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
    /// The sleds.
    pub sleds: Vec<SimulatedSled>,
    /// The switches before them.
    pub switches: Vec<SwitchInventory>,
    /// How long things take.
    pub timing: Timing,
    /// How long an instance's first machine takes to run, where that is not as long as later ones take.
    pub first_start: Option<SignedDuration>,
    /// Machines with these names stay in the starting state for ever.
    pub never_up: Vec<String>,
    /// What a running machine prints to everybody who begins to follow its serial line, after a second and a character
    /// every 50 ms, as the consoles of the technical preview do; nothing if it is empty.
    pub greeting: String,
}

impl SimulatedOptions {
    /// Three sleds of 64 threads and 256 GiB of guest memory, with three disks of `bytes` each.
    pub fn with_disks_of(bytes: u64) -> Self {
        let sleds = (1..=3).map(|number| SimulatedSled::numbered(number, 64, 256 << 30, 3, bytes));
        Self {
            sleds: sleds.collect(),
            switches: (0..2).map(switch).collect(),
            timing: Timing::default(),
            first_start: None,
            never_up: Vec::new(),
            greeting: String::new(),
        }
    }

    pub(super) fn inventory(&self) -> Inventory {
        Inventory {
            sleds: self.sleds.iter().map(SimulatedSled::inventory).collect(),
            switches: self.switches.clone(),
        }
    }

    /// How long things take for a machine, by whether its instance had one before.
    pub(super) fn timing_of(&self, name: &str, is_first: bool) -> Timing {
        let start = self.first_start.filter(|_| is_first).unwrap_or(self.timing.start);
        let mut timing = Timing { start, ..self.timing }.scaled();
        if self.never_up.iter().any(|stuck| stuck == name) {
            timing.start = SignedDuration::MAX;
        }
        timing
    }
}

impl Default for SimulatedOptions {
    /// Three sleds of 64 threads and 256 GiB of guest memory, with three disks of 3 TiB each.
    fn default() -> Self {
        Self::with_disks_of(3 << 40)
    }
}
