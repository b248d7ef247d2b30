//! The file with the key that encrypts secrets in the database; see `croft_control::seal`.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

use croft_api::{Error, Result as RuleResult};
use croft_control::{SecretKey, key_check, seal};
use croft_store::{Database, Tx};

use crate::{
    data_directory::DataDirectory,
    failure::{ExitKind, Failure, Result},
    system::{SystemRandom, now},
};

/// The hint for a missing key.
const RESTORE: &str = "restore secret.key from the same backup as the database, or copy it from the server \
                       that used this database before; without it the private keys in the database cannot \
                       be decrypted";

/// The key of a data directory, created at the first start. The database is bound to it.
///
/// # Errors
/// The database belongs to another key, or to one whose file is missing: continuing would leave private keys unreadable
/// without notice.
pub fn obtain(directory: &DataDirectory, database: &Database) -> Result<SecretKey> {
    let path = directory.secret_key();
    let key = match read(&path)? {
        Some(key) => key,
        None if database.read_blocking(key_check::is_established).map_err(broken)? => {
            return Err(lost(&path));
        }
        None => make(&path)?,
    };
    establish(database, &key, &path)?;
    Ok(key)
}

/// The key of a data directory that a server has used before.
///
/// # Errors
/// There is none, or the database belongs to another.
pub fn existing(directory: &DataDirectory, database: &Database) -> Result<SecretKey> {
    let path = directory.secret_key();
    let key = read(&path)?.ok_or_else(|| lost(&path))?;
    establish(database, &key, &path)?;
    Ok(key)
}

/// The key in a file and the file's permissions; `None` if there is no file. Nothing is changed.
///
/// # Errors
/// The file cannot be read, or is not a key.
pub fn look(path: &Path) -> Result<Option<(SecretKey, u32)>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, &error)),
    };
    let mode = fs::metadata(path).map_err(|error| unusable(path, &error))?.mode() & 0o777;
    let length = bytes.len();
    let key = bytes.try_into().map_err(|_| {
        unusable(path, &format!("it has {length} bytes instead of {}", seal::KEY_LENGTH)).hint(RESTORE)
    })?;
    Ok(Some((SecretKey::new(key), mode)))
}

/// The failure of a database that was encrypted with another key.
pub fn foreign(path: &Path) -> Failure {
    let message = format!("the database was encrypted with another key than the one in {}", path.display());
    Failure::new(ExitKind::DataDirectory, message).hint(RESTORE)
}

fn establish(database: &Database, key: &SecretKey, path: &Path) -> Result<()> {
    let key = key.clone();
    let establish = move |tx: &mut Tx<'_>| -> RuleResult<bool> {
        key_check::establish(tx, &key, &mut SystemRandom, now())
    };
    if database.write_blocking(establish).map_err(broken)? {
        return Ok(());
    }
    Err(foreign(path))
}

/// The failure of a database whose key file is missing.
pub fn lost(path: &Path) -> Failure {
    let message = format!("the key file {} of this database is missing", path.display());
    Failure::new(ExitKind::DataDirectory, message).hint(RESTORE)
}

fn broken(error: Error) -> Failure {
    Failure::new(ExitKind::Database, error.detail().map_or_else(|| error.message(), str::to_owned))
}

fn unusable(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(ExitKind::DataDirectory, format!("cannot use the key file {}: {why}", path.display()))
}

fn read(path: &Path) -> Result<Option<SecretKey>> {
    let Some((key, mode)) = look(path)? else { return Ok(None) };
    if mode & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))
            .map_err(|error| unusable(path, &error))?;
    }
    Ok(Some(key))
}

/// Creates a key and writes it atomically and durably.
fn make(path: &Path) -> Result<SecretKey> {
    let key = SecretKey::generate(&mut SystemRandom);
    write(path, key.reveal()).map_err(|error| {
        let message = format!("cannot write the key file {}: {error}", path.display());
        Failure::new(ExitKind::DataDirectory, message)
            .hint("choose a directory that this user may write to with --data-dir")
    })?;
    Ok(key)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)?;
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use croft_store::schema::CROFT;
    use tempfile::TempDir;

    use super::*;

    fn place() -> (TempDir, DataDirectory, Database) {
        let folder = tempfile::tempdir().unwrap();
        let directory = DataDirectory::open(folder.path()).unwrap();
        (folder, directory, Database::in_memory(&CROFT).unwrap())
    }

    #[test]
    fn the_key_file_is_created_once_with_owner_permissions() {
        let (_folder, directory, database) = place();
        let first = obtain(&directory, &database).unwrap();
        let path = directory.secret_key();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(obtain(&directory, &database).unwrap().reveal(), first.reveal());
        assert_eq!(existing(&directory, &database).unwrap().reveal(), first.reveal());
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn lost_wrong_and_damaged_keys_have_different_errors() {
        let (_folder, directory, database) = place();
        let failure = |found: Result<SecretKey>| found.err().unwrap().to_string();
        assert!(failure(existing(&directory, &database)).contains("is missing"));
        obtain(&directory, &database).unwrap();
        let path = directory.secret_key();
        fs::write(&path, [0; 32]).unwrap();
        assert!(failure(obtain(&directory, &database)).contains("encrypted with another key"));
        fs::write(&path, "short").unwrap();
        assert!(failure(obtain(&directory, &database)).contains("it has 5 bytes instead of 32"));
        fs::remove_file(&path).unwrap();
        let lost = failure(obtain(&directory, &database));
        assert!(lost.contains("is missing") && lost.contains("hint: restore secret.key"), "{lost}");
        assert!(!path.exists());
    }
}
