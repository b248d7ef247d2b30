//! What the kernel tells about this host's hardware.

use std::{
    fs,
    path::{Path, PathBuf},
};

use croft_api::hardware::{Baseboard, PhysicalDiskKind};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{LinkInventory, PhysicalDiskInventory};

/// What makers leave in fields that they had nothing to say in.
const SAYS_NOTHING: [&str; 8] = [
    "",
    "none",
    "default string",
    "not specified",
    "not applicable",
    "unknown",
    "to be filled by o.e.m.",
    "system serial number",
];
/// How the kernel counts the size of a disk, whatever its own sectors are.
const SECTOR: u64 = 512;

/// The kernel's view of the hardware.
pub(super) struct Hardware {
    root: PathBuf,
}

impl Hardware {
    pub(super) fn of_this_host() -> Self {
        Self { root: "/sys".into() }
    }

    /// What the host calls itself. One that does not tell, as most guests and containers do not, or does not tell this
    /// user, gets a serial number from its id.
    pub(super) fn baseboard(&self, sled: Uuid) -> Baseboard {
        let field = |name: &str| said(&self.root.join("class/dmi/id").join(name));
        let made_up = || format!("HOST{}", &sled.simple().to_string().to_uppercase()[..8]);
        let revision = field("board_version").and_then(|version| version.parse().ok());
        Baseboard {
            serial: field("board_serial").or_else(|| field("product_serial")).unwrap_or_else(made_up),
            part: field("product_name").or_else(|| field("board_name")).unwrap_or_else(|| "host".to_owned()),
            revision: revision.unwrap_or(0),
        }
    }

    /// The disks that are hardware, or that a virtual machine takes for hardware, and stay where they are.
    pub(super) fn disks(&self, sled: Uuid) -> Vec<PhysicalDiskInventory> {
        let folders = entries(&self.root.join("block")).into_iter();
        let mut disks: Vec<_> = folders.filter_map(|(name, folder)| disk(sled, &name, &folder)).collect();
        disks.sort_unstable_by_key(|disk| disk.id);
        // Two of the same id could not be told apart; that takes hardware that gives a serial number twice.
        disks.dedup_by_key(|disk| disk.id);
        disks
    }

    /// The network links that are hardware.
    pub(super) fn links(&self) -> Vec<LinkInventory> {
        let folders = entries(&self.root.join("class/net")).into_iter();
        folders.filter_map(|(name, folder)| link(name, &folder)).collect()
    }
}

/// What is in a folder, by name. A folder that cannot be read is empty.
fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut entries: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.file_name().into_string().ok()?, entry.path()))
        })
        .collect();
    entries.sort_unstable();
    entries
}

/// The text of a field, if the kernel has it and it says something.
fn said(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
    let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    (!SAYS_NOTHING.contains(&text.to_lowercase().as_str())).then(|| text.to_owned())
}

fn number(path: &Path) -> Option<u64> {
    said(path)?.parse().ok()
}

fn disk(sled: Uuid, name: &str, folder: &Path) -> Option<PhysicalDiskInventory> {
    let device = folder.join("device");
    let size = number(&folder.join("size"))?.saturating_mul(SECTOR);
    // Loops, RAM disks and mappings have no device; drives for media that come and go are not what a sled has.
    if !device.exists() || size == 0 || number(&folder.join("removable")) == Some(1) {
        return None;
    }
    // Virtual disks give the number of a vendor of PCI devices.
    let vendor = said(&device.join("vendor")).filter(|vendor| !vendor.starts_with("0x")).unwrap_or_default();
    let model = said(&device.join("model")).unwrap_or_default();
    let serial = serial_number(folder, &device).unwrap_or_default();
    let known_as = if serial.is_empty() { name } else { &serial };
    let is_nvme = name.starts_with("nvme");
    Some(PhysicalDiskInventory {
        id: disk_id(sled, &[&vendor, &model, known_as]),
        vendor,
        model,
        serial,
        // The kernel knows no shapes: nearly all disks that speak NVMe in machines of one's own are M.2.
        form_factor: if is_nvme { PhysicalDiskKind::M2 } else { PhysicalDiskKind::U2 },
        size,
    })
}

/// NVMe tells it with the device, virtio with the disk; SCSI and SATA in a page that begins with four bytes about
/// itself, and otherwise there may be a name that is unique in the world.
fn serial_number(folder: &Path, device: &Path) -> Option<String> {
    let page = || {
        let page = fs::read(device.join("vpd_pg80")).ok()?;
        let text = String::from_utf8_lossy(page.get(4..)?).trim_matches(['\0', ' ']).to_owned();
        (!text.is_empty()).then_some(text)
    };
    said(&device.join("serial"))
        .or_else(|| said(&folder.join("serial")))
        .or_else(page)
        .or_else(|| said(&folder.join("wwid")))
        .or_else(|| said(&device.join("wwid")))
}

/// The same for the same disk in the same sled.
fn disk_id(sled: Uuid, parts: &[&str]) -> Uuid {
    let mut hash = Sha256::new().chain_update(sled.as_bytes());
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

fn link(name: String, folder: &Path) -> Option<LinkInventory> {
    if !folder.join("device").exists() {
        return None;
    }
    Some(LinkInventory {
        mac: said(&folder.join("address")).and_then(|text| text.parse().ok()),
        // A link that does not know its speed says -1.
        speed: number(&folder.join("speed")).and_then(|speed| u32::try_from(speed).ok()),
        is_up: said(&folder.join("operstate")).as_deref() == Some("up"),
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Tree(tempfile::TempDir);

    impl Tree {
        fn new(files: &[(&str, &str)]) -> Self {
            let tree = Self(tempfile::tempdir().unwrap());
            for (path, content) in files {
                let path = tree.0.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
            tree
        }

        fn hardware(&self) -> Hardware {
            Hardware { root: self.0.path().to_owned() }
        }
    }

    const SLED: Uuid = Uuid::from_u128(0xabcd_ef01 << 96);

    #[test]
    fn only_fixed_disks_are_listed() {
        let tree = Tree::new(&[
            ("block/loop0/size", "100"),
            ("block/sr0/size", "100"),
            ("block/sr0/removable", "1"),
            ("block/sr0/device/model", "DVD"),
            ("block/sdb/size", "0"),
            ("block/sdb/device/model", "card reader"),
            ("block/nvme0n1/size", "2000\n"),
            ("block/nvme0n1/removable", "0\n"),
            ("block/nvme0n1/device/model", "Fast 1T     \n"),
            ("block/nvme0n1/device/serial", "S123   \n"),
            ("block/sda/size", "4000\n"),
            ("block/sda/device/vendor", "ATA     \n"),
            ("block/sda/device/model", "Slow 4T\n"),
            ("block/sda/device/vpd_pg80", "\0\u{1}\0\u{8}  WD-77 \0"),
            ("block/vda/size", "8"),
            ("block/vda/device/vendor", "0x1af4"),
        ]);
        let mut disks = tree.hardware().disks(SLED);
        disks.sort_unstable_by_key(|disk| disk.size);
        let told: Vec<_> = disks
            .iter()
            .map(|disk| (&*disk.vendor, &*disk.model, &*disk.serial, disk.form_factor, disk.size))
            .collect();
        let expected = [
            ("", "", "", PhysicalDiskKind::U2, 8 * 512),
            ("", "Fast 1T", "S123", PhysicalDiskKind::M2, 2000 * 512),
            ("ATA", "Slow 4T", "WD-77", PhysicalDiskKind::U2, 4000 * 512),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn disk_id_does_not_depend_on_its_slot() {
        let files = |name: &str, serial: &str| {
            let size = (format!("block/{name}/size"), "8".to_owned());
            [size, (format!("block/{name}/device/serial"), serial.to_owned())]
        };
        let id = |name: &str, serial: &str, sled: Uuid| {
            let files = files(name, serial);
            let files: Vec<_> = files.iter().map(|(path, content)| (&**path, &**content)).collect();
            Tree::new(&files).hardware().disks(sled)[0].id
        };
        assert_eq!(id("sda", "one", SLED), id("sdb", "one", SLED));
        assert_ne!(id("sda", "one", SLED), id("sda", "two", SLED));
        assert_ne!(id("sda", "one", SLED), id("sda", "one", Uuid::nil()));
        assert_ne!(
            id("sda", "", SLED),
            id("sdb", "", SLED),
            "derived from the name, if nothing else is known"
        );
    }

    #[test]
    fn host_without_serial_number_gets_a_generated_one() {
        let nothing = Tree::new(&[("class/dmi/id/board_serial", "To be filled by O.E.M.\n")]);
        let expected = Baseboard { serial: "HOSTABCDEF01".into(), part: "host".into(), revision: 0 };
        assert_eq!(nothing.hardware().baseboard(SLED), expected);
        let told = Tree::new(&[
            ("class/dmi/id/board_serial", "B-1\n"),
            ("class/dmi/id/product_name", "Box 9\n"),
            ("class/dmi/id/board_version", "3\n"),
        ]);
        let expected = Baseboard { serial: "B-1".into(), part: "Box 9".into(), revision: 3 };
        assert_eq!(told.hardware().baseboard(SLED), expected);
    }

    #[test]
    fn only_physical_links_are_listed() {
        let tree = Tree::new(&[
            ("class/net/lo/address", "00:00:00:00:00:00"),
            ("class/net/eth0/device/vendor", "0x8086"),
            ("class/net/eth0/address", "a8:40:25:00:00:01\n"),
            ("class/net/eth0/speed", "10000\n"),
            ("class/net/eth0/operstate", "up\n"),
            ("class/net/eth1/device/vendor", "0x8086"),
            ("class/net/eth1/speed", "-1\n"),
            ("class/net/eth1/operstate", "down\n"),
        ]);
        let links = tree.hardware().links();
        assert_eq!(links.len(), 2);
        assert_eq!((&*links[0].name, links[0].speed, links[0].is_up), ("eth0", Some(10_000), true));
        assert_eq!(links[0].mac.unwrap().to_string(), "A8:40:25:00:00:01");
        assert_eq!((&*links[1].name, links[1].speed, links[1].is_up), ("eth1", None, false));
    }
}
