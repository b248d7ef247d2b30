//! The NoCloud volume that tells a guest who it is: a small FAT file system labelled `CIDATA`.
//!
//! The files and their places: cloud-init's documentation, "NoCloud". The file system: Microsoft's "FAT: General
//! Overview of On-Disk Format".

use std::fmt::Write as _;

use crate::MachineSpec;

const SECTOR: usize = 512;
/// Sectors of one table of clusters: enough for twice the clusters that there can be.
const TABLE_SECTORS: usize = 6;
const ROOT_ENTRIES: usize = 64;
const ROOT_SECTORS: usize = ROOT_ENTRIES * 32 / SECTOR;
/// The boot sector, two tables, and the root folder.
const FIRST_DATA: usize = 1 + 2 * TABLE_SECTORS + ROOT_SECTORS;
/// Clusters of one sector each: a MiB, more than twice what user data and keys can take.
const CLUSTERS: usize = 2000;
const SECTORS: usize = FIRST_DATA + CLUSTERS;
/// The first cluster's number.
const FIRST_CLUSTER: usize = 2;

/// The volume for a machine.
pub(super) fn volume(spec: &MachineSpec) -> Result<Vec<u8>, TooLarge> {
    let mut files = vec![("meta-data", meta_data(spec).into_bytes()), ("user-data", spec.user_data.clone())];
    if !spec.interfaces.is_empty() {
        files.push(("network-config", network_config(spec).into_bytes()));
    }
    file_system(&files)
}

/// What is to be told to the guest does not fit.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("user data and SSH keys are too large together")]
pub(super) struct TooLarge;

/// A YAML string on one line; JSON's strings are YAML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn meta_data(spec: &MachineSpec) -> String {
    let mut text = format!(
        "instance-id: {}\nlocal-hostname: {}\n",
        quoted(&spec.instance_id.to_string()),
        quoted(&spec.hostname)
    );
    if !spec.public_keys.is_empty() {
        text.push_str("public-keys:\n");
    }
    for key in &spec.public_keys {
        let _ = writeln!(text, "  - {}", quoted(key.trim()));
    }
    text
}

/// Every interface asks for its address, which is always the same.
fn network_config(spec: &MachineSpec) -> String {
    let mut text = "version: 2\nethernets:\n".to_owned();
    for interface in &spec.interfaces {
        let family = if interface.ip.is_ipv4() { 4 } else { 6 };
        let mac = quoted(&interface.mac.to_string().to_lowercase());
        let slot = interface.slot;
        let _ = writeln!(text, "  nic{slot}:\n    match:\n      macaddress: {mac}\n    dhcp{family}: true");
    }
    text
}

fn file_system(files: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, TooLarge> {
    let mut image = vec![0; SECTORS * SECTOR];
    boot_sector(&mut image);
    let mut table = vec![0_u16; FIRST_CLUSTER + CLUSTERS];
    table[0] = 0xff8;
    table[1] = 0xfff;
    let mut folder = label_entry();
    let mut next = FIRST_CLUSTER;
    for (number, (name, content)) in files.iter().enumerate() {
        let count = content.len().div_ceil(SECTOR);
        if next + count > table.len() {
            return Err(TooLarge);
        }
        let end = next + count;
        for (cluster, follower) in table.iter_mut().enumerate().take(end).skip(next) {
            *follower = if cluster + 1 == end { 0xfff } else { small(cluster + 1) };
        }
        let start = (FIRST_DATA + next - FIRST_CLUSTER) * SECTOR;
        image[start..start + content.len()].copy_from_slice(content);
        folder.extend(entries(name, number, if count == 0 { 0 } else { next }, content.len()));
        next = end;
    }
    let table = packed(&table);
    for copy in 0..2 {
        let start = (1 + copy * TABLE_SECTORS) * SECTOR;
        image[start..start + table.len()].copy_from_slice(&table);
    }
    let start = (1 + 2 * TABLE_SECTORS) * SECTOR;
    image[start..start + folder.len()].copy_from_slice(&folder);
    Ok(image)
}

/// Numbers in here are of this volume's own sizes, which are small.
fn small(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn boot_sector(image: &mut [u8]) {
    let mut sector = vec![0xeb, 0x3c, 0x90];
    sector.extend_from_slice(b"CROFT   ");
    sector.extend(small(SECTOR).to_le_bytes());
    sector.push(1);
    sector.extend(1_u16.to_le_bytes());
    sector.push(2);
    sector.extend(small(ROOT_ENTRIES).to_le_bytes());
    sector.extend(small(SECTORS).to_le_bytes());
    sector.push(0xf8);
    sector.extend(small(TABLE_SECTORS).to_le_bytes());
    // Sectors and heads of a drive of old, which nothing looks at; no sectors before the volume.
    sector.extend([32, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    sector.extend([0x80, 0, 0x29]);
    sector.extend(*b"CROF");
    sector.extend_from_slice(b"CIDATA     ");
    sector.extend_from_slice(b"FAT12   ");
    image[..sector.len()].copy_from_slice(&sector);
    image[510..SECTOR].copy_from_slice(&[0x55, 0xaa]);
}

fn label_entry() -> Vec<u8> {
    let mut entry = b"CIDATA     ".to_vec();
    entry.push(0x08);
    entry.resize(32, 0);
    entry
}

/// A file's entries in its folder: its long name in pieces, the last piece first, then its short one.
fn entries(name: &str, number: usize, cluster: usize, length: usize) -> Vec<u8> {
    const PIECE: usize = 13;
    const LAST: usize = 0x40;
    const ARCHIVE: u8 = 0x20;
    let short = format!("FILE{number:04}   ");
    let checksum = short.bytes().fold(0_u8, |sum, byte| sum.rotate_right(1).wrapping_add(byte));
    let mut units: Vec<u16> = name.encode_utf16().collect();
    if !units.len().is_multiple_of(PIECE) {
        units.push(0);
    }
    units.resize(units.len().next_multiple_of(PIECE), 0xffff);
    let mut bytes = Vec::new();
    let pieces: Vec<&[u16]> = units.chunks(PIECE).collect();
    for (index, piece) in pieces.iter().enumerate().rev() {
        let order = index + 1 + if index + 1 == pieces.len() { LAST } else { 0 };
        bytes.push(u8::try_from(order).unwrap_or(u8::MAX));
        bytes.extend(piece[..5].iter().flat_map(|unit| unit.to_le_bytes()));
        bytes.extend([0x0f, 0, checksum]);
        bytes.extend(piece[5..11].iter().flat_map(|unit| unit.to_le_bytes()));
        bytes.extend([0, 0]);
        bytes.extend(piece[11..].iter().flat_map(|unit| unit.to_le_bytes()));
    }
    bytes.extend_from_slice(short.as_bytes());
    bytes.push(ARCHIVE);
    bytes.extend([0; 14]);
    bytes.extend(small(cluster).to_le_bytes());
    bytes.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
    bytes
}

/// A table of 12-bit numbers: two in three bytes.
fn packed(table: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for pair in table.chunks(2) {
        let (first, second) = (u32::from(pair[0]), u32::from(pair.get(1).copied().unwrap_or(0)));
        bytes.extend_from_slice(&(first | second << 12).to_le_bytes()[..3]);
    }
    bytes
}

#[cfg(test)]
mod tests;
