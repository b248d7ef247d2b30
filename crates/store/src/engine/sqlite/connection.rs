//! Opening the file.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::{
    inspect, migrate,
    reader::{self, DirectReaders},
    store_error,
    writer::Writer,
};
use crate::{Schema, StoreError, change::ChangeSource, engine::queue::Workers};

/// How to open a SQLite database.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// The database file; created if missing. Its directory must exist.
    pub path: PathBuf,
    /// Reader threads, at least 1: for operations that take long, and when all connections for short ones are in use.
    pub readers: usize,
    /// Connections for operations that read on the thread of whoever asks: as many as threads ask at the same time.
    pub direct_readers: usize,
    /// Operations that may wait to read, and to write, before further ones are refused as overload.
    pub queue_length: usize,
    /// Largest number of operations in one commit.
    pub batch_limit: usize,
    /// Memory for pages, in KiB: for the writer, and for each reader.
    pub cache_kibibytes: u32,
    /// The most pages of 4096 bytes the file may grow to; `None` for what the disk holds.
    pub page_limit: Option<u32>,
}

impl SqliteOptions {
    /// Sensible values for a server.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            readers: 2,
            direct_readers: 2,
            queue_length: 1024,
            batch_limit: 256,
            cache_kibibytes: 4096,
            page_limit: None,
        }
    }
}

/// The size that the write-ahead log's file shrinks back to after readers made it grow.
const LOG_FILE_BYTES: u32 = 32 * 1024 * 1024;

/// How long a connection waits for another process, such as a backup.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens or creates the file, migrates it and starts the threads.
pub(crate) fn open(
    options: &SqliteOptions,
    schema: &'static Schema,
    changes: ChangeSource,
) -> Result<Workers, StoreError> {
    let place = |error: StoreError| with_place(error, &options.path);
    check_header(&options.path).map_err(place)?;
    let connection = open_writer(options, schema).map_err(place)?;
    let open_readers = |count: usize| {
        (0..count).map(|_| open_reader(options).map_err(place)).collect::<Result<Vec<_>, StoreError>>()
    };
    let readers = open_readers(options.readers.max(1))?;
    let direct = open_readers(options.direct_readers)?;

    let (mut workers, receivers) = Workers::new(options.queue_length);
    let version = open_reader(options).map_err(place)?;
    workers.read_directly(DirectReaders::new(direct, version, workers.counters()));
    let writer = Writer::new(connection, changes, workers.counters(), options.batch_limit)?;
    let queue = receivers.writes;
    workers.spawn("croft-store-writer", move || writer.run(&queue))?;
    for connection in readers {
        let (reads, counters) = (receivers.reads.clone(), workers.counters());
        workers.spawn("croft-store-reader", move || reader::run(&connection, &reads, &counters))?;
    }
    Ok(workers)
}

/// Refuses what is not a database before SQLite opens it.
pub(super) fn check_header(path: &Path) -> Result<(), StoreError> {
    const MAGIC: &[u8; 16] = b"SQLite format 3\0";
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::Unavailable(error.to_string())),
    };
    let mut header = Vec::with_capacity(MAGIC.len());
    file.by_ref()
        .take(MAGIC.len() as u64)
        .read_to_end(&mut header)
        .map_err(|error| StoreError::Unavailable(error.to_string()))?;
    if header.is_empty() || header == MAGIC {
        Ok(())
    } else {
        Err(StoreError::Corrupt("the file is not a SQLite database".into()))
    }
}

fn open_writer(options: &SqliteOptions, schema: &Schema) -> Result<Connection, StoreError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&options.path, flags).map_err(store_error)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(store_error)?;
    // Before the first change: switching to write-ahead mode already writes to the file.
    inspect(&connection)?.check(schema)?;
    configure_file(&connection, options)?;
    let mode: String =
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(store_error)?;
    if mode != "wal" {
        return Err(StoreError::Unavailable(format!(
            "the file system does not support a write-ahead log, only {mode}"
        )));
    }
    connection
        .execute_batch(&format!("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = {LOG_FILE_BYTES}"))
        .map_err(store_error)?;
    if let Some(pages) = options.page_limit {
        connection
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .map_err(store_error)?;
    }
    migrate(&connection, schema)?;
    Ok(connection)
}

fn open_reader(options: &SqliteOptions) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&options.path, flags).map_err(store_error)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(store_error)?;
    configure_file(&connection, options)?;
    Ok(connection)
}

fn configure_file(connection: &Connection, options: &SqliteOptions) -> Result<(), StoreError> {
    super::configure(connection)?;
    connection
        .execute_batch(&format!("PRAGMA cache_size = -{}; PRAGMA mmap_size = 0", options.cache_kibibytes))
        .map_err(store_error)
}

/// Adds the file's name to what the administrator reads.
pub(super) fn with_place(error: StoreError, path: &Path) -> StoreError {
    let place = |detail: String| format!("{}: {detail}", path.display());
    match error {
        StoreError::Corrupt(detail) => StoreError::Corrupt(place(detail)),
        StoreError::Unavailable(detail) => StoreError::Unavailable(place(detail)),
        StoreError::Full(detail) => StoreError::Full(place(detail)),
        other => other,
    }
}
