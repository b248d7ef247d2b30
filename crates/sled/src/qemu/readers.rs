//! Who may read a file beside its owner: a list of users kept by the file system (a POSIX access control list).

use std::{fs, io, os::unix::fs::PermissionsExt as _, path::Path};

use rustix::{
    fs::{XattrFlags, removexattr, setxattr},
    io::Errno,
};

/// Where the kernel takes the list from and keeps it.
const NAME: &str = "system.posix_acl_access";
/// The only version of its form there is.
const VERSION: u32 = 2;
const READ: u16 = 4;
const NOTHING: u16 = 0;
/// Stands where an entry names nobody.
const NOBODY: u32 = u32::MAX;

/// Whom an entry is about.
#[derive(Clone, Copy)]
enum Tag {
    Owner = 1,
    User = 2,
    Group = 4,
    /// The most that users who are named may do.
    Mask = 16,
    Others = 32,
}

/// Lets the owner and these users read a file, and nobody do anything else with it.
pub(super) fn allow(path: &Path, users: &[u32]) -> io::Result<()> {
    if users.is_empty() {
        forget(path)?;
        return fs::set_permissions(path, fs::Permissions::from_mode(0o400));
    }
    setxattr(path, NAME, &list(users), XattrFlags::empty()).map_err(|error| match error {
        Errno::NOSPC | Errno::TOOBIG => io::Error::other(format!(
            "{} machines use {}, and this file system cannot store that many access control entries: run \
             some of the machines on another host, or keep the data directory on XFS",
            users.len(),
            path.display()
        )),
        error => error.into(),
    })
}

/// Removes the list of a file. Its other permissions stay.
pub(super) fn forget(path: &Path) -> io::Result<()> {
    match removexattr(path, NAME) {
        Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether the file system of a folder keeps such lists.
pub(super) fn are_kept_in(folder: &Path) -> io::Result<bool> {
    let trial = folder.join("trial");
    fs::write(&trial, [])?;
    let kept = setxattr(&trial, NAME, &list(&[1]), XattrFlags::empty());
    fs::remove_file(&trial)?;
    match kept {
        Ok(()) => Ok(true),
        Err(Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn list(users: &[u32]) -> Vec<u8> {
    let mut users = users.to_vec();
    users.sort_unstable();
    users.dedup();
    let named = users.into_iter().map(|user| (Tag::User, READ, user));
    let entries = [(Tag::Owner, READ, NOBODY)].into_iter().chain(named).chain([
        (Tag::Group, NOTHING, NOBODY),
        (Tag::Mask, READ, NOBODY),
        (Tag::Others, NOTHING, NOBODY),
    ]);
    let mut list = VERSION.to_le_bytes().to_vec();
    for (tag, may, id) in entries {
        list.extend((tag as u16).to_le_bytes());
        list.extend(may.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}
