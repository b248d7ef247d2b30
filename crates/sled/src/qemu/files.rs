use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _, chown, fchown},
    path::Path,
};

use rustix::process::geteuid;

/// The users that machines run as when the server is root: one of its own for each machine, out of a range that no
/// distribution hands out, so that a guest that breaks out of QEMU finds no files but its own.
///
/// They need no entry in the host's list of users, and so cannot be logged in as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accounts {
    /// The group that all of them have, for the files that they share.
    pub(super) group: u32,
    first: u32,
}

/// How many users the range has.
const ACCOUNTS: u32 = 1 << 16;

impl Accounts {
    /// `None` unless this process may switch users.
    pub(super) fn available() -> Option<Self> {
        const FIRST: u32 = 0x7c72_0000;
        geteuid().is_root().then_some(Self { group: FIRST, first: FIRST })
    }

    /// The user of test guests, which no machine uses.
    pub(super) const fn of_trials(self) -> u32 {
        self.first + ACCOUNTS
    }

    /// The user that layers are merged as while no machine has them.
    pub(super) const fn of_merges(self) -> u32 {
        self.first + ACCOUNTS + 1
    }

    /// The user that gives the guests of a VPC, by its VNI, their addresses and names: no machine is, and no other VPC's.
    pub(super) const fn of_network(self, vni: u32) -> u32 {
        self.first + 2 * ACCOUNTS + (vni & 0xff_ffff)
    }

    /// A user that none of `taken` is.
    pub(super) fn choose(self, taken: &[u32]) -> Option<u32> {
        (self.first + 1..self.first + ACCOUNTS).find(|user| !taken.contains(user))
    }
}

/// Makes a folder that the machines' users may pass through, but not look into.
pub(super) fn passable_folder(path: &Path, accounts: Option<Accounts>) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    if let Some(accounts) = accounts {
        chown(path, Some(0), Some(accounts.group))?;
        fs::set_permissions(path, Permissions::from_mode(0o710))?;
    }
    Ok(())
}

/// Makes a folder that belongs to a user alone.
pub(super) fn private_folder(path: &Path, owner: Option<u32>) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    if owner.is_some() {
        chown(path, owner, owner)?;
    }
    Ok(())
}

/// Creates a folder with one file in it, and changes the owner of both. The folder is changed last: in a folder of
/// another user, names may become symbolic links.
pub(super) fn private_folder_with(
    path: &Path,
    owner: Option<u32>,
    name: &str,
    content: &[u8],
) -> io::Result<()> {
    private_folder(path, None)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path.join(name))?;
    file.write_all(content)?;
    if owner.is_some() {
        fchown(&file, owner, owner)?;
    }
    private_folder(path, owner)
}

/// Atomically replaces a file: a crash leaves the old one or the new one.
pub(super) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    sync_folder_of(path)
}

/// Removes a file durably; does nothing if there is none.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_folder_of(path),
    }
}

/// Removes a folder with its content; does nothing if there is none.
pub(super) fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Syncs the parent folder of a file.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}
