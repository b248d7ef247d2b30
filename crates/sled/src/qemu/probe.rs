//! Whether this host can run machines, and how: found out by running one.

use std::{fs, os::unix::fs::MetadataExt as _, path::Path};

use super::{
    arguments,
    files::{self, Accounts},
    process::{Launcher, Place, RUN, find_program, last_words},
};

/// How a guest's instructions are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceleration {
    /// By the processor itself, through the kernel.
    Kvm,
    /// By translation: everywhere, and many times slower.
    Tcg,
}

/// A boot sector that writes 16 to port 0xf4, which ends QEMU with the exit status 2 * 16 + 1.
const BOOT_CODE: [u8; 7] = [0xb0, 0x10, 0xe6, 0xf4, 0xf4, 0xeb, 0xfd];
const EXPECTED_STATUS: i32 = 33;
/// A guest that does nothing takes a tenth of a second; a busy host may be many times slower.
const LONGEST_MS: i64 = 20_000;
const KVM_DEVICE: &str = "/dev/kvm";

/// What was found.
pub(super) struct Found {
    pub(super) launcher: Launcher,
    pub(super) acceleration: Acceleration,
    /// Why it is not faster, for people; empty if it is.
    pub(super) reason: String,
}

/// Finds QEMU and tries it; says why not where it cannot be used.
pub(super) fn probe(folder: &Path, accounts: Option<Accounts>) -> Result<Found, String> {
    let program = find_program("qemu-system-x86_64").ok_or("qemu-system-x86_64 is not installed")?;
    let setpriv = match accounts {
        Some(_) => Some(
            find_program("setpriv").ok_or("setpriv is not installed, which takes root's rights from QEMU")?,
        ),
        None => None,
    };
    let mut launcher = Launcher { program, setpriv, acceleration_group: None };
    let reason = match fs::metadata(KVM_DEVICE) {
        Err(_) => format!("{KVM_DEVICE} is not there"),
        Ok(device) => {
            let with_kvm = Launcher { acceleration_group: Some(device.gid()), ..launcher.clone() };
            match try_out(&with_kvm, folder, accounts, Acceleration::Kvm) {
                Ok(()) => {
                    let (launcher, acceleration) = (with_kvm, Acceleration::Kvm);
                    return Ok(Found { launcher, acceleration, reason: String::new() });
                }
                Err(error) => format!("a guest does not run with {KVM_DEVICE}: {error}"),
            }
        }
    };
    launcher.acceleration_group = None;
    try_out(&launcher, folder, accounts, Acceleration::Tcg)
        .map_err(|error| format!("QEMU is installed and does not run a guest: {error}"))?;
    Ok(Found { launcher, acceleration: Acceleration::Tcg, reason })
}

/// Runs a guest of one sector to its end.
fn try_out(
    launcher: &Launcher,
    folder: &Path,
    accounts: Option<Accounts>,
    acceleration: Acceleration,
) -> Result<(), String> {
    let user = accounts.map(Accounts::of_trials);
    let tried = (|| {
        files::remove_folder(folder)?;
        files::passable_folder(folder, accounts)?;
        let mut disk = BOOT_CODE.to_vec();
        disk.resize(510, 0);
        disk.extend([0x55, 0xaa]);
        // The firmware takes a disk of one sector for a broken one.
        disk.resize(1 << 20, 0);
        files::private_folder_with(&folder.join(RUN), user, "disk", &disk)?;
        let mut arguments = arguments::common(acceleration);
        let trial = [
            ["-m", "64M"],
            ["-boot", "strict=on"],
            ["-device", "isa-debug-exit,iobase=0xf4,iosize=1"],
            ["-blockdev", "driver=raw,node-name=disk,read-only=on,file.driver=file,file.filename=disk"],
            ["-device", "virtio-blk-pci,drive=disk,bootindex=0"],
        ];
        arguments.extend(trial.into_iter().flatten().map(str::to_owned));
        let group = accounts.map_or(0, |accounts| accounts.group);
        let place = Place { folder, user, group, namespace: None };
        let mut process = launcher.start(place, &arguments)?;
        let in_time = process.ends_within(LONGEST_MS)?;
        if !in_time {
            process.kill();
        }
        Ok((in_time, process.reap().and_then(|status| status.code())))
    })();
    // The first of them says what went wrong; the others, where in QEMU.
    let words = last_words(folder).split("; ").next().unwrap_or_default().to_owned();
    let removed = files::remove_folder(folder);
    match tried.map_err(|error: std::io::Error| error.to_string())? {
        (true, Some(EXPECTED_STATUS)) => removed.map_err(|error| error.to_string()),
        (false, _) => Err(format!("it did not end in time; {words}")),
        (true, _) => Err(words),
    }
}
