//! The simulated rack of the demo.

use croft_api::hardware::{Baseboard, PhysicalDiskKind};
use croft_sled::{
    PhysicalDiskInventory, PoolInventory, SwitchInventory,
    simulated::{SimulatedOptions, SimulatedSled, Timing},
};
use jiff::SignedDuration;
use uuid::Uuid;

const GIB: u64 = 1 << 30;

/// A sled's properties besides its number.
struct Sled {
    id: Uuid,
    serial: &'static str,
    part: &'static str,
}

const SLEDS: [Sled; 4] = [
    Sled { id: Uuid::from_u128(FIRST_SLED), serial: BUSY, part: "913-0000108" },
    Sled {
        id: Uuid::from_u128(0x1ec7_df9d_2a4c_4d1b_9a6e_51c0_7f3b_8e02),
        serial: RESERVED,
        part: "913-0001008",
    },
    Sled {
        id: Uuid::from_u128(0xfca8_1647_7b5d_4a0e_8c3f_96d2_41e7_0b15),
        serial: GONE[0],
        part: "913-0000018",
    },
    Sled {
        id: Uuid::from_u128(0xa4ed_0c62_5e18_4f67_b2d9_0c84_3a6f_d729),
        serial: GONE[1],
        part: "913-0000008",
    },
];

const FIRST_SLED: u128 = 0xc251_9937_44d0_493b_9b38_8e5f_3fb2_a7c0;

/// The sled that new machines are placed on.
pub const BUSY: &str = "BRM02222869";
/// The sled that accepts no new machines, and keeps its own.
pub const RESERVED: &str = "BRM02222870";
/// The expunged sleds.
pub const GONE: [&str; 2] = ["BRM02222868", "BRM02222867"];
/// The expunged disks of the first sled.
pub const GONE_DISKS: [&str; 2] = ["7C15PW5D9N2", "F02106C3R2A"];

/// The disks of the first sled; those for guests come first.
const DISKS: [(&str, PhysicalDiskKind); 6] = [
    ("0C98MRMBK64", PhysicalDiskKind::U2),
    ("A9GCW7OS3HT", PhysicalDiskKind::U2),
    ("0V2L160OZ9J", PhysicalDiskKind::U2),
    ("CA73ANUYLJ9", PhysicalDiskKind::M2),
    (GONE_DISKS[0], PhysicalDiskKind::M2),
    (GONE_DISKS[1], PhysicalDiskKind::M2),
];

/// An instance of this name remains in the state `starting`.
pub const STUCK: &str = "not-there-yet";

/// The id of a sled by its serial number.
pub fn sled(serial: &str) -> Option<Uuid> {
    SLEDS.iter().find(|sled| sled.serial == serial).map(|sled| sled.id)
}

/// A hypervisor with the demo's rack: four sleds, of which the first has all the disks, and one switch.
///
/// A new instance runs after four seconds; starting, stopping and restarting it later take three. An instance with the
/// name `not-there-yet` never finishes starting. Serial consoles print a greeting after a second.
pub fn hypervisor_options() -> SimulatedOptions {
    let seconds = SignedDuration::from_secs;
    let timing = Timing { start: seconds(3), stop: seconds(3), reboot: seconds(3), ..Timing::INSTANT };
    SimulatedOptions {
        sleds: (1..).zip(&SLEDS).map(|(number, sled)| simulated(number, sled)).collect(),
        switches: vec![SwitchInventory {
            id: Uuid::from_u128(0x5b5f_4d3e_90aa_4c62_b0e1_6d2a_77c1_3f58),
            baseboard: baseboard("BRM02222871", "913-0000006"),
        }],
        timing,
        first_start: Some(seconds(4)),
        never_up: vec![STUCK.to_owned()],
        greeting: "\r\nHello from Croft!\r\n".to_owned(),
    }
}

fn simulated(number: u16, sled: &Sled) -> SimulatedSled {
    let mut simulated = SimulatedSled::numbered(number, 128, 1000 * GIB, 0, 0);
    simulated.id = sled.id;
    simulated.physical_memory = 1024 * GIB;
    simulated.baseboard = baseboard(sled.serial, sled.part);
    simulated.disks.clear();
    if sled.serial == BUSY {
        simulated.disks = (1..).zip(&DISKS).map(|(number, disk)| physical_disk(number, disk)).collect();
        simulated.pools = (1..=3).map(pool).collect();
    }
    simulated
}

fn baseboard(serial: &str, part: &str) -> Baseboard {
    Baseboard { serial: serial.to_owned(), part: part.to_owned(), revision: 0 }
}

/// Ids for the other sleds.
fn beside(kind: u128, number: u128) -> Uuid {
    Uuid::from_u128(FIRST_SLED ^ (kind << 16) ^ number)
}

fn physical_disk(number: u128, (serial, form_factor): &(&str, PhysicalDiskKind)) -> PhysicalDiskInventory {
    PhysicalDiskInventory {
        id: beside(1, number),
        vendor: "croft".to_owned(),
        model: "MTFDKBG800TDZ-1AZ1ZAB".to_owned(),
        serial: (*serial).to_owned(),
        form_factor: *form_factor,
        size: 16 << 40,
    }
}

fn pool(number: u128) -> PoolInventory {
    PoolInventory { id: beside(2, number), size: 16 << 40 }
}
