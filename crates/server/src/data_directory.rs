//! The data directory, in which the server stores everything on this host.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use croft_api::Uuid;
use croft_control::Random as _;
use rustix::fs::{FlockOperation, flock};

use crate::{
    failure::{ExitKind, Failure, Result},
    system::SystemRandom,
};

/// The file that a server locks, with the number of its process.
const LOCK: &str = "server.lock";
/// The name of the database file.
pub const DATABASE: &str = "croft.db";
/// The name of the key file.
const SECRET_KEY: &str = "secret.key";
/// The directory of the recent log.
pub const LOGS_FOLDER: &str = "logs";
/// The directory of exported audit entries.
pub const AUDIT_FOLDER: &str = "audit";
/// The directory of support bundles.
pub const BUNDLES_FOLDER: &str = "bundles";

/// A directory that only its owner can enter.
pub struct DataDirectory {
    path: PathBuf,
}

/// Holds the lock of the directory while it lives; the kernel releases the lock however this process ends.
pub struct DirectoryLock {
    _file: File,
}

impl DataDirectory {
    /// Opens a directory, creating it if necessary.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |what: &str, error: &io::Error| {
            Failure::new(
                ExitKind::DataDirectory,
                format!("cannot {what} the data directory {}: {error}", path.display()),
            )
            .hint("choose a directory that this user may write to with --data-dir")
        };
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| failed("create", &error))?;
        let metadata = fs::metadata(path).map_err(|error| failed("look at", &error))?;
        if metadata.mode() & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))
                .map_err(|error| failed("restrict the permissions of", &error))?;
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Opens a directory that a server has used before. It is neither created nor changed: the administrator may be
    /// another user than the server, which could not use files they create.
    pub fn existing(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Ok(Self::at(path));
        }
        let message = format!("there is no data directory {}", path.display());
        Err(Failure::new(ExitKind::DataDirectory, message)
            .hint("name the server's data directory with --data-dir; `croft serve` creates a new one"))
    }

    /// A directory as it is, whether it exists or not: to look at it.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The process that uses a directory, as far as it names itself; `None` if there is none.
    pub fn user(path: &Path) -> io::Result<Option<String>> {
        let file = match File::open(path.join(LOCK)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        // Released at the end of this function.
        match flock(&file, FlockOperation::NonBlockingLockShared) {
            Ok(()) => Ok(None),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(Some(io::read_to_string(&file)?.trim().to_owned())),
            Err(error) => Err(error.into()),
        }
    }

    /// The database file, created if necessary, readable by its owner only.
    pub fn database(&self) -> Result<PathBuf> {
        self.private_database(DATABASE)
    }

    /// The file of the store of samples, like the database file.
    pub fn telemetry(&self) -> Result<PathBuf> {
        self.private_database("telemetry.sqlite3")
    }

    /// SQLite gives the same permissions to the files that it creates beside one.
    fn private_database(&self, name: &str) -> Result<PathBuf> {
        let path = self.path.join(name);
        let closed = private(&path).and_then(|_| {
            let beside = ["-wal", "-shm"].map(|end| self.path.join(format!("{name}{end}")));
            beside.iter().filter(|path| path.exists()).try_for_each(|path| close(path))
        });
        closed.map(|()| path.clone()).map_err(|error| {
            Failure::new(
                ExitKind::DataDirectory,
                format!("cannot restrict the permissions of {}: {error}", path.display()),
            )
            .hint("choose a directory that this user may write to with --data-dir")
        })
    }

    /// The server's ID in samples, which is the same at every start.
    pub fn server_id(&self) -> Result<Uuid> {
        let path = self.path.join("server.id");
        let failed = |error: io::Error| {
            Failure::new(ExitKind::DataDirectory, format!("cannot use {}: {error}", path.display()))
        };
        let kept = fs::read_to_string(&path).unwrap_or_default();
        if let Ok(id) = kept.trim().parse() {
            return Ok(id);
        }
        // Only the continuity of timeseries depends on it, so an unreadable one is replaced.
        let id = new_id();
        let mut file = private(&path).map_err(failed)?;
        file.set_len(0).and_then(|()| writeln!(file, "{id}")).map_err(failed)?;
        Ok(id)
    }

    /// The file with the key that seals secrets.
    pub fn secret_key(&self) -> PathBuf {
        self.path.join(SECRET_KEY)
    }

    /// Locks the directory.
    pub fn lock(&self) -> Result<DirectoryLock> {
        let path = self.path.join(LOCK);
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new(ExitKind::DataDirectory, format!("cannot lock {}: {error}", path.display()))
                .hint("choose a directory that this user may write to with --data-dir")
        };
        let mut file = private(&path).map_err(|error| failed(&error))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                let holder = fs::read_to_string(&path).unwrap_or_default();
                let holder = match holder.trim() {
                    "" => String::new(),
                    id => format!(" (process {id})"),
                };
                let directory = self.path.display();
                return Err(Failure::new(
                    ExitKind::DataDirectory,
                    format!("another Croft server{holder} uses the data directory {directory}"),
                )
                .hint("stop that server, or give this one a directory of its own with --data-dir"));
            }
            Err(error) => return Err(failed(&error)),
        }
        let written = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        written.map_err(|error| failed(&error))?;
        Ok(DirectoryLock { _file: file })
    }
}

fn new_id() -> Uuid {
    let mut bytes = [0; 16];
    SystemRandom.fill_bytes(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// Opens a file that only its owner can read, creating it if necessary.
pub fn private(path: &Path) -> io::Result<File> {
    let file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    close(path)?;
    Ok(file)
}

/// Removes permissions of other users, which a file of an earlier version or a copy may have.
fn close(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_is_accessible_to_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        DataDirectory::open(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        DataDirectory::open(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn database_is_readable_by_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let directory = DataDirectory::open(folder.path()).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        let path = directory.database().unwrap();
        assert_eq!(mode(&path), 0o600);
        let log = folder.path().join("croft.db-wal");
        fs::write(&log, "").unwrap();
        for path in [&path, &log] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
        }
        directory.database().unwrap();
        assert_eq!((mode(&path), mode(&log)), (0o600, 0o600));
    }

    #[test]
    fn second_server_is_refused_with_the_holder_of_the_directory() {
        let folder = tempfile::tempdir().unwrap();
        let directory = DataDirectory::open(folder.path()).unwrap();
        let lock = directory.lock().unwrap();
        let refused = directory.lock().err().unwrap();
        assert_eq!(refused.kind, ExitKind::DataDirectory);
        assert!(refused.to_string().contains(&format!("(process {})", std::process::id())), "{refused}");
        let user = || DataDirectory::user(folder.path()).unwrap();
        assert_eq!(user(), Some(std::process::id().to_string()));
        drop(lock);
        assert_eq!(user(), None);
        directory.lock().unwrap();
    }

    #[test]
    fn file_instead_of_directory_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let failure = DataDirectory::open(file.path()).err().unwrap();
        assert!(failure.to_string().contains("cannot create the data directory"), "{failure}");
    }
}
