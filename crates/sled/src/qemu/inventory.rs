use std::{fs, io, path::Path, thread};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{files, hardware::Hardware, options::QemuOptions, record, volumes::Volumes};
use crate::{PoolInventory, SledInventory};

/// Who this host is, the same at every start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    sled: Uuid,
    pool: Uuid,
}

/// This host and what it offers: its hardware threads several times over, three quarters of its memory, and the free
/// space of its storage with what disks take already.
pub(super) fn sled(options: &QemuOptions, volumes: &Volumes) -> io::Result<SledInventory> {
    let identity = identity(&options.folder.join("host.json"))?;
    let space = rustix::fs::statvfs(&options.folder)?;
    // A twentieth of the file system stays free of disks: the database may be on it, and cannot even delete without.
    let reserve = space.f_blocks * space.f_frsize / 20;
    let size = (space.f_bavail * space.f_frsize + volumes.allocated()).saturating_sub(reserve);
    let hardware_threads = u32::try_from(thread::available_parallelism()?.get()).unwrap_or(u32::MAX);
    let physical_memory = memory()?;
    let hardware = Hardware::of_this_host();
    Ok(SledInventory {
        id: identity.sled,
        baseboard: hardware.baseboard(identity.sled),
        cubby: 0,
        is_spare: false,
        hardware_threads,
        physical_memory,
        threads: u64::from(hardware_threads) * options.cpus_per_thread.max(1),
        guest_memory: physical_memory / 4 * 3,
        disks: hardware.disks(identity.sled),
        pools: vec![PoolInventory { id: identity.pool, size }],
        links: hardware.links(),
    })
}

fn identity(path: &Path) -> io::Result<Identity> {
    match fs::read(path) {
        Ok(content) => record::read(&content).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("cannot read {}: {error}", path.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let identity = Identity { sled: Uuid::new_v4(), pool: Uuid::new_v4() };
            files::replace(path, &record::write(&identity)?)?;
            Ok(identity)
        }
        Err(error) => Err(error),
    }
}

/// All memory of the host, in bytes.
fn memory() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/meminfo")?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes =
        line.and_then(|rest| rest.trim().strip_suffix(" kB")).and_then(|number| number.parse::<u64>().ok());
    kibibytes
        .map(|kibibytes| kibibytes << 10)
        .ok_or_else(|| io::Error::other("/proc/meminfo has no MemTotal"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qemu::golden;

    #[test]
    fn identities_of_every_version_are_read() {
        let identity = Identity { sled: Uuid::from_u128(1), pool: Uuid::from_u128(2) };
        golden::check("host.json", &[(0, identity), (1, identity)], &[]);
    }

    #[test]
    fn host_keeps_its_identity_or_reports_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.json");
        let made = identity(&path).unwrap();
        assert_eq!(identity(&path).unwrap(), made);
        for (content, why) in [(golden::newer("host.json"), "a newer version"), (b"{}".to_vec(), "damaged")] {
            fs::write(&path, &content).unwrap();
            let error = identity(&path).unwrap_err().to_string();
            assert!(error.contains(&path.display().to_string()) && error.contains(why), "{error}");
            assert_eq!(fs::read(&path).unwrap(), content, "the file is not changed");
        }
    }
}
