//! The data directory: its permissions, its space, and who uses it.

use std::{
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use rustix::fs::{Access, access, statvfs};

use super::Finding;
use crate::{
    data_directory::DataDirectory,
    failure::{ExitKind, Failure},
};

const CHOOSE: &str =
    "run this as the user that the server runs as, or choose another directory with --data-dir";

/// Whether the server can use the directory, and others cannot.
pub(super) fn directory(path: &Path) -> Finding {
    const CHECK: &str = "data-directory";
    let shown = absolute(path);
    let problem =
        |text: String| Finding::problem(CHECK, &Failure::new(ExitKind::DataDirectory, text).hint(CHOOSE));
    let may = |place: &Path| access(place, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK);
    match fs::metadata(path) {
        Ok(found) if !found.is_dir() => problem(format!("{} is not a directory", shown.display())),
        Ok(found) => match may(path) {
            Err(error) => problem(format!("this user cannot use {}: {error}", shown.display())),
            Ok(()) if found.mode() & 0o077 != 0 => Finding::warning(
                CHECK,
                format!("others may use {} (mode {:04o})", shown.display(), found.mode() & 0o7777),
                format!("run `chmod 0700 {}`; the next start does so", shown.display()),
            ),
            Ok(()) => Finding::ok(CHECK, format!("{}, for its owner only", shown.display())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = existing(&shown);
            match may(&above) {
                Ok(()) if above.is_dir() => {
                    Finding::ok(CHECK, format!("{} is created by the first start", shown.display()))
                }
                Ok(()) => problem(format!("{} is not a directory", above.display())),
                Err(error) => problem(format!(
                    "this user cannot create {} in {}: {error}",
                    shown.display(),
                    above.display()
                )),
            }
        }
        Err(error) => problem(format!("cannot look at {}: {error}", shown.display())),
    }
}

/// Whether a server uses the directory, and how it names its process.
pub(super) fn server(path: &Path) -> (Finding, Option<String>) {
    const CHECK: &str = "server";
    match DataDirectory::user(path) {
        Ok(Some(process)) => {
            (Finding::ok(CHECK, format!("process {process} uses the data directory")), Some(process))
        }
        Ok(None) => (Finding::ok(CHECK, "none uses the data directory"), None),
        Err(error) => {
            let text = format!("cannot find out whether a server uses the data directory: {error}");
            (Finding::warning(CHECK, text, CHOOSE), None)
        }
    }
}

/// The space for the database and the disks of guests.
pub(super) fn space(path: &Path) -> Finding {
    let place = existing(&absolute(path));
    match statvfs(&place) {
        Ok(found) => of_space(found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize),
        Err(error) => {
            Finding::warning("disk-space", format!("cannot look at {}: {error}", place.display()), CHOOSE)
        }
    }
}

pub(super) fn of_space(available: u64, total: u64) -> Finding {
    const CHECK: &str = "disk-space";
    /// With less, the database and the log cannot work.
    const LEAST: u64 = 64 << 20;
    /// With less, no image and no disk has room.
    const USEFUL: u64 = 4 << 30;
    const MEND: &str = "free some space, or choose a directory on a larger file system with --data-dir";
    let text = format!("{} free of {}", gibibytes(available), gibibytes(total));
    // The host keeps a twentieth of the file system free of disks.
    let for_disks = available.saturating_sub(total / 20);
    if available < LEAST {
        let failure = Failure::new(ExitKind::DataDirectory, format!("{text}: the database has no room"));
        Finding::problem(CHECK, &failure.hint(MEND))
    } else if for_disks < USEFUL {
        Finding::warning(
            CHECK,
            format!("{text}, of which guests' disks can use {}", gibibytes(for_disks)),
            MEND,
        )
    } else {
        Finding::ok(CHECK, text)
    }
}

/// With one digit after the point.
fn gibibytes(bytes: u64) -> String {
    let tenths = u128::from(bytes) * 10 / (1 << 30);
    format!("{}.{} GiB", tenths / 10, tenths % 10)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The path, or what exists above it.
fn existing(path: &Path) -> PathBuf {
    path.ancestors().find(|place| place.exists()).unwrap_or(path).to_owned()
}
