//! A small Linux disk to try real machines with: Debian's kernel and busybox, read what the cidata volume says, and
//! keep files on a partition of their own.
//!
//! The disk is put together without root, loop devices or mounts: an MBR, a FAT partition that SYSLINUX boots a kernel
//! with an initramfs from, and an ext4 partition for files.

mod archive;
mod modules;
mod packages;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use crate::failure::Outcome;
use crate::requirements::{E2FSPROGS, NETWORK_TOOLS, QEMU, install, open_link_device};
use crate::shell::{announce, capture, command, run, target_directory};
use archive::Archive;
use packages::Unpacked;

const MIB: u64 = 1 << 20;
const SECTOR: u64 = 512;
/// Where the partition that boots begins, and its size.
const BOOT: (u64, u64) = (MIB, 31 * MIB);
/// Where the partition that keeps files begins, and its size.
const DATA: (u64, u64) = (32 * MIB, 32 * MIB);

/// Files of the guest: where they go, whether they are programs, and what is in them.
const FILES: [(&str, bool, &str); 8] = [
    ("etc/inittab", false, include_str!("../guest/inittab")),
    ("etc/start", true, include_str!("../guest/start")),
    ("etc/stop", true, include_str!("../guest/stop")),
    ("etc/lease", true, include_str!("../guest/lease")),
    ("etc/profile", false, include_str!("../guest/profile")),
    ("etc/issue", false, include_str!("../guest/issue")),
    ("etc/acpi/PWRF/00000080", true, include_str!("../guest/power-button")),
    ("etc/passwd", false, "root::0:0:root:/root:/bin/sh\n"),
];
const BOOT_MENU: &str = include_str!("../guest/syslinux.cfg");

/// How the image is built.
#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Build it even if it is there, with the newest packages
    #[arg(long)]
    fresh: bool,
}

/// Builds the image unless it is there.
pub fn build(arguments: &Arguments) -> Outcome {
    let folder = target_directory().join("guest-image");
    let recipe = recipe();
    let recipe_file = folder.join("recipe");
    install(&[QEMU, NETWORK_TOOLS])?;
    open_link_device()?;
    if !arguments.fresh && fs::read_to_string(&recipe_file).is_ok_and(|built| built == recipe) {
        return Ok(());
    }
    install(&[E2FSPROGS])?;
    announce("Building the guest image: a small Linux disk from Debian's packages.");
    let work = folder.join("work");
    remove_folder(&work)?;
    fs::create_dir_all(&work)?;
    let packages = Unpacked::below(&work)?;
    let raw = folder.join("croft-guest.raw");
    assemble(&packages, &work, &work.join("disk"))?;
    fs::rename(work.join("disk"), &raw)?;
    convert(&raw, &folder.join("croft-guest.qcow2"))?;
    remove_folder(&work)?;
    // Written last: a build that broke off is done again.
    fs::write(&recipe_file, recipe)?;
    announce(&format!("The guest image is {}, with a qcow2 copy beside it.", raw.display()));
    Ok(())
}

/// Everything that decides what the image is, but the packages' versions.
fn recipe() -> String {
    let files = FILES.map(|(path, _, content)| format!("{path}\n{content}\n")).concat();
    format!("{BOOT:?} {DATA:?}\n{BOOT_MENU}{files}{}", include_str!("guest_image/modules.rs"))
}

fn remove_folder(folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

fn initramfs(packages: &Unpacked) -> Outcome<Vec<u8>> {
    let busybox = packages.path("bin/busybox")?;
    let mut archive = Archive::default();
    let folders = "bin cidata data dev etc etc/acpi etc/acpi/PWRF lib proc root run sys tmp";
    folders.split(' ').for_each(|folder| archive.folder(folder));
    archive.file("bin/busybox", true, &fs::read(&busybox)?);
    archive.link("init", "bin/busybox");
    archive.link("sbin", "bin");
    for applet in capture(command(&busybox).arg("--list"))?.lines().filter(|applet| *applet != "busybox") {
        archive.link(&format!("bin/{applet}"), "busybox");
    }
    for (path, executable, content) in FILES {
        archive.file(path, executable, content.as_bytes());
    }
    let mut list = String::new();
    for module in modules::load_order(&packages.path("lib/modules")?)? {
        let path = format!("lib/{}", module.name);
        archive.file(&path, false, &module.content);
        let _ = writeln!(list, "/{path}");
    }
    archive.file("etc/modules", false, list.as_bytes());
    Ok(archive.finish())
}

/// Puts the disk together at `disk`.
fn assemble(packages: &Unpacked, work: &Path, disk: &Path) -> Outcome {
    let programs = packages.programs();
    let tool = |name: &str| {
        let mut folders = std::env::split_paths(&programs).map(|folder| folder.join(name));
        let mut tool = command(folders.find(|path| path.is_file()).unwrap_or_else(|| name.into()));
        tool.env("PATH", &programs);
        tool
    };
    let initrd = work.join("initrd");
    fs::write(&initrd, initramfs(packages)?)?;
    let menu = work.join("syslinux.cfg");
    fs::write(&menu, BOOT_MENU)?;

    let boot_record = fs::read(packages.path("usr/lib/syslinux/mbr/mbr.bin")?)?;
    write_partition_table(disk, &boot_record)?;
    let sectors = |bytes: u64| (bytes / SECTOR).to_string();
    run(tool("mkfs.fat")
        .args(["-F", "16", "-n", "BOOT", "-h", &sectors(BOOT.0), "--offset", &sectors(BOOT.0)])
        .arg(disk)
        .arg((BOOT.1 / 1024).to_string()))?;
    let within = format!("{}@@{}", disk.display(), BOOT.0);
    for (file, name) in
        [(packages.path("boot/vmlinuz")?, "vmlinuz"), (initrd, "initrd"), (menu, "syslinux.cfg")]
    {
        run(tool("mcopy").args(["-i", &within]).arg(file).arg(format!("::{name}")))?;
    }
    run(tool("syslinux").args(["--install", "--offset", &BOOT.0.to_string()]).arg(disk))?;
    run(tool("mke2fs")
        .args(["-q", "-t", "ext4", "-L", "croft-data", "-E", &format!("offset={}", DATA.0)])
        .arg(disk)
        .arg(format!("{}k", DATA.1 / 1024)))
}

/// Makes a disk of zeros that begins with a boot record and the table of both partitions.
fn write_partition_table(disk: &Path, boot_record: &[u8]) -> Outcome {
    const ACTIVE: u8 = 0x80;
    const FAT16: u8 = 0x0e;
    const LINUX: u8 = 0x83;
    let mut sector = vec![0; 512];
    sector[..boot_record.len().min(440)].copy_from_slice(&boot_record[..boot_record.len().min(440)]);
    for (slot, (flag, kind, (start, size))) in [(ACTIVE, FAT16, BOOT), (0, LINUX, DATA)].iter().enumerate() {
        let entry = &mut sector[446 + slot * 16..][..16];
        entry[0] = *flag;
        // Old addresses by cylinder are past their end: only the numbers of sectors count.
        entry[1..4].copy_from_slice(&[0xfe, 0xff, 0xff]);
        entry[4] = *kind;
        entry[5..8].copy_from_slice(&[0xfe, 0xff, 0xff]);
        for (place, value) in [(8, start / SECTOR), (12, size / SECTOR)] {
            let number = u32::try_from(value).expect("the disk is small");
            entry[place..place + 4].copy_from_slice(&number.to_le_bytes());
        }
    }
    sector[510..].copy_from_slice(&[0x55, 0xaa]);
    let mut file = File::create(disk)?;
    file.write_all(&sector)?;
    file.set_len(DATA.0 + DATA.1)?;
    Ok(())
}

fn convert(raw: &Path, qcow2: &Path) -> Outcome {
    let part = qcow2.with_extension("part");
    run(command("qemu-img").args(["convert", "-f", "raw", "-O", "qcow2", "-c"]).arg(raw).arg(&part))?;
    Ok(fs::rename(part, qcow2)?)
}
