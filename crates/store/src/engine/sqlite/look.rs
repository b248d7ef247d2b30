//! Looking at a file that may belong to a running server, or to another program.

use std::{fmt::Write as _, fs, os::unix::ffi::OsStrExt as _, path::Path};

use rusqlite::{Connection, OpenFlags};

use super::{
    SqliteSession, configure,
    connection::{BUSY_TIMEOUT, check_header, with_place},
    inspect, store_error,
};
use crate::{Inspection, Schema, StoreError, Tx};

/// Looks at a file without writing to it; `None` if it does not exist.
pub(crate) fn look<T>(
    path: &Path,
    schema: &Schema,
    read: impl FnOnce(&mut Tx<'_>) -> T,
) -> Result<Option<Inspection<T>>, StoreError> {
    let place = |error: StoreError| with_place(error, path);
    if !path.try_exists().map_err(|error| place(StoreError::Unavailable(error.to_string())))? {
        return Ok(None);
    }
    check_header(path).map_err(place)?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let looked = (|| {
        let connection = Connection::open_with_flags(address(path), flags).map_err(store_error)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(store_error)?;
        configure(&connection)?;
        // One snapshot for all that is read.
        connection.execute_batch("BEGIN").map_err(store_error)?;
        let state = inspect(&connection)?;
        state.check(schema)?;
        let content =
            state.is_current(schema).then(|| read(&mut Tx::new(&mut SqliteSession::new(&connection), false)));
        Ok(Inspection::new(&state, schema, content))
    })();
    looked.map(Some).map_err(place)
}

/// A URI of the file. Without a write-ahead log in use, SQLite is told that nobody writes: it would create the log's files
/// to read, which a server of another user could not use.
fn address(path: &Path) -> String {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let is_in_use = fs::metadata(log).is_ok_and(|log| log.len() > 0);
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                uri.push(char::from(*byte));
            }
            other => {
                let _ = write!(uri, "%{other:02x}");
            }
        }
    }
    uri.push_str(if is_in_use { "?mode=ro" } else { "?immutable=1" });
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Database, Migration, SqliteOptions,
        schema::{CROFT, TABLES},
    };

    fn names(folder: &Path) -> Vec<String> {
        let names =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_looked_at_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        // A name that means something in a URI.
        let path = folder.path().join("croft 100%?#.db");
        let look_at = || look(&path, &CROFT, |tx| tx.last_change().unwrap());
        assert_eq!(look_at().unwrap(), None);
        assert!(names(folder.path()).is_empty());

        let database = Database::sqlite(&SqliteOptions::new(&path), &CROFT).unwrap();
        let beside = look_at().unwrap().unwrap();
        drop(database);
        let known = CROFT.version();
        assert_eq!(beside, Inspection { version: known, known, content: Some(0), ..beside.clone() });
        let before = (names(folder.path()), fs::read(&path).unwrap());
        assert_eq!(look_at().unwrap().unwrap(), beside);
        assert_eq!((names(folder.path()), fs::read(&path).unwrap()), before);
    }

    #[test]
    fn older_newer_and_foreign_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("croft.db");
        let known = CROFT.version();
        let later: Vec<Migration> =
            CROFT.migrations.iter().copied().chain([Migration::tables(known + 1, "nothing")]).collect();
        let newer: &Schema = Box::leak(Box::new(Schema::new(TABLES, later.leak())));
        drop(Database::sqlite(&SqliteOptions::new(&path), &CROFT).unwrap());
        let older = look(&path, newer, |_| ()).unwrap().unwrap();
        assert_eq!((older.version, older.known, older.content), (known, known + 1, None));
        drop(Database::sqlite(&SqliteOptions::new(&path), newer).unwrap());
        let refused = look(&path, &CROFT, |_| ()).unwrap_err();
        assert_eq!(refused, StoreError::TooNew { found: known + 1, known });
        fs::write(&path, "this is no database").unwrap();
        assert!(matches!(look(&path, &CROFT, |_| ()).unwrap_err(), StoreError::Corrupt(_)));
    }
}
