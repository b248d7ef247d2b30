use std::net::IpAddr;

use uuid::Uuid;

use super::*;
use crate::MachineInterface;

fn spec() -> MachineSpec {
    MachineSpec {
        id: Uuid::from_u128(1),
        instance_id: Uuid::from_u128(2),
        sled_id: Uuid::from_u128(3),
        name: "db".to_owned(),
        hostname: "db1".to_owned(),
        cpus: 1,
        memory: 1 << 30,
        disks: Vec::new(),
        user_data: b"#!/bin/sh\necho hi\n".repeat(100),
        public_keys: vec!["ssh-ed25519 AAAA a \"b\" \\ c\n".to_owned()],
        interfaces: vec![MachineInterface {
            vpc_id: Uuid::from_u128(6),
            id: Uuid::from_u128(4),
            slot: 0,
            mac: "A8:40:25:00:00:01".parse().unwrap(),
            ip: IpAddr::from([172, 30, 0, 5]),
            subnet: "172.30.0.0/22".parse().unwrap(),
        }],
    }
}

/// The positions of a volume's parts according to its boot sector.
struct Layout {
    sector: usize,
    cluster: usize,
    table: usize,
    root: usize,
    data: usize,
}

fn number(image: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([image[at], image[at + 1]]))
}

impl Layout {
    fn of(image: &[u8]) -> Self {
        assert_eq!(image[510..512], [0x55, 0xaa]);
        assert_eq!((&image[43..54], &image[54..62]), (LABEL.as_slice(), b"FAT12   ".as_slice()));
        let sector = number(image, 11);
        assert_eq!(number(image, 19) * sector, image.len());
        let table = number(image, 14) * sector;
        let root = table + usize::from(image[16]) * number(image, 22) * sector;
        let data = root + number(image, 17) * 32;
        Self { sector, cluster: usize::from(image[13]) * sector, table, root, data }
    }
}

/// The files of a volume, read as a driver does: from the root directory, along the chain of clusters.
fn read(image: &[u8]) -> Vec<(String, Vec<u8>)> {
    let layout = Layout::of(image);
    assert!(layout.data.is_multiple_of(layout.sector));
    let entry = |cluster: usize| {
        let at = layout.table + cluster / 2 * 3;
        let three = u32::from_le_bytes([image[at], image[at + 1], image[at + 2], 0]);
        if cluster.is_multiple_of(2) { three & 0xfff } else { three >> 12 }
    };
    let mut files = Vec::new();
    let mut name = Vec::new();
    let mut labels = Vec::new();
    for slot in image[layout.root..layout.data].chunks(32).take_while(|slot| slot[0] != 0) {
        if slot[11] == 0x0f {
            let units = [&slot[1..11], &slot[14..26], &slot[28..32]].concat();
            let units = units.chunks(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
            let piece: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
            name.splice(0..0, piece);
        } else if slot[11] == 0x08 {
            labels.push(&slot[..11]);
        } else {
            assert_eq!(slot[11] & !0x20, 0, "not an ordinary file");
            let length = u32::from_le_bytes([slot[28], slot[29], slot[30], slot[31]]) as usize;
            let mut cluster = number(slot, 26);
            let mut content = Vec::new();
            while content.len() < length {
                let start = layout.data + (cluster - 2) * layout.cluster;
                content.extend_from_slice(&image[start..start + layout.cluster]);
                cluster = entry(cluster) as usize;
            }
            assert!(length == 0 || cluster >= 0xff8, "the chain must end with the file");
            content.truncate(length);
            files.push((String::from_utf16(&name).unwrap(), content));
            name.clear();
        }
    }
    assert_eq!(labels, [LABEL], "cloud-init finds the volume by its label");
    files
}

#[test]
fn cloud_init_data_is_deterministic() {
    assert_eq!(volume(&spec()).unwrap(), volume(&spec()).unwrap());
}

#[test]
fn cloud_init_data_round_trips() {
    let spec = spec();
    let files = read(&volume(&spec).unwrap());
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["meta-data", "user-data", "network-config"]);
    assert_eq!(files[1].1, spec.user_data);
    let meta_data = String::from_utf8(files[0].1.clone()).unwrap();
    assert_eq!(
        meta_data,
        "instance-id: \"00000000-0000-0000-0000-000000000002\"\nlocal-hostname: \"db1\"\npublic-keys:\n  - \
         \"ssh-ed25519 AAAA a \\\"b\\\" \\\\ c\"\n"
    );
    assert!(String::from_utf8(files[2].1.clone()).unwrap().contains("macaddress: \"a8:40:25:00:00:01\""));
}

#[test]
fn interfaces_and_user_data_are_optional() {
    let spec = MachineSpec { user_data: Vec::new(), interfaces: Vec::new(), ..spec() };
    let files = read(&volume(&spec).unwrap());
    assert_eq!((files.len(), files[1].1.len()), (2, 0));
}

#[test]
fn largest_cloud_init_data_fits() {
    let user_data = vec![b'x'; 32 << 10];
    let public_keys = vec!["k".repeat(4 << 10); 100];
    assert!(volume(&MachineSpec { user_data, public_keys, ..spec() }).is_ok());
    let over = volume(&MachineSpec { user_data: vec![0; 4 << 20], ..spec() });
    assert!(matches!(over, Err(VolumeError::TooLarge)));
    // The content is limited only by the size of the volume, and the last cluster can be used.
    let sizes: Vec<usize> = (0..=SIZE / 512).map(|clusters| clusters * 512).collect();
    let fits = |size: &usize| volume(&MachineSpec { user_data: vec![0; *size], ..spec() }).is_ok();
    let most = sizes[sizes.partition_point(fits) - 1];
    let files = read(&volume(&MachineSpec { user_data: vec![b'x'; most], ..spec() }).unwrap());
    assert_eq!(files[1].1, vec![b'x'; most]);
    let over = volume(&MachineSpec { user_data: vec![0; most + 1], ..spec() });
    assert!(matches!(over, Err(VolumeError::TooLarge)));
}
