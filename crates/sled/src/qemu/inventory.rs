use std::{fs, io, path::Path, thread};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{files, options::QemuOptions, volumes::Volumes};
use crate::{PoolInventory, SledInventory};

/// Who this host is, the same at every start.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
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
    let threads = thread::available_parallelism()?.get() as u64 * options.cpus_per_thread.max(1);
    Ok(SledInventory {
        id: identity.sled,
        serial: serial(identity.sled),
        threads,
        guest_memory: memory()? / 4 * 3,
        pools: vec![PoolInventory { id: identity.pool, size }],
    })
}

fn identity(path: &Path) -> io::Result<Identity> {
    match fs::read(path) {
        Ok(content) => Ok(serde_json::from_slice(&content)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let identity = Identity { sled: Uuid::new_v4(), pool: Uuid::new_v4() };
            files::replace(path, &serde_json::to_vec(&identity)?)?;
            Ok(identity)
        }
        Err(error) => Err(error),
    }
}

/// The baseboard's own number where it says one, or one made up.
fn serial(sled: Uuid) -> String {
    let own = fs::read_to_string("/sys/class/dmi/id/board_serial").unwrap_or_default();
    let own = own.trim();
    if own.is_empty() || own.eq_ignore_ascii_case("none") {
        let id = sled.simple().to_string().to_uppercase();
        return format!("HOST{}", &id[..8]);
    }
    own.to_owned()
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
