//! The file and the connections to it.

#[cfg(not(target_family = "wasm"))]
use std::{
    fs, io,
    path::{Path, PathBuf},
};

use parking_lot::{Mutex, MutexGuard};

use super::{file::File, state::State};
use crate::StoreError;

enum Readers {
    /// The connection that writes reads, too.
    Writer,
    /// Connections of their own to a file.
    #[cfg(not(target_family = "wasm"))]
    Own { path: PathBuf, idle: Mutex<Vec<File>> },
}

/// Where samples end up.
pub(super) struct Storage {
    writer: Mutex<File>,
    readers: Readers,
}

impl Storage {
    pub(super) fn in_memory() -> Result<(Self, State), StoreError> {
        let file = File::in_memory()?;
        Ok((Self { writer: Mutex::new(file), readers: Readers::Writer }, State::default()))
    }

    /// Opens a file and loads the in-memory state. A file that is damaged, or of a newer version, is moved away.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn open(path: PathBuf) -> Result<(Self, State), StoreError> {
        let opened = File::open(&path).and_then(|file| file.load().map(|state| (file, state)));
        let (file, state) = match opened {
            Err(error @ StoreError::Corrupt(_)) => {
                move_aside(&path, &error)?;
                (File::open(&path)?, State::default())
            }
            Err(error @ StoreError::TooNew { found, .. }) => {
                keep_newer_file(&path, found, &error)?;
                (File::open(&path)?, State::default())
            }
            other => other?,
        };
        let readers = Readers::Own { path, idle: Mutex::default() };
        Ok((Self { writer: Mutex::new(file), readers }, state))
    }

    /// The connection that writes, as soon as nobody else does.
    pub(super) fn writer(&self) -> MutexGuard<'_, File> {
        self.writer.lock()
    }

    /// Reads something.
    pub(super) fn read<T>(&self, part: impl FnOnce(&File) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match &self.readers {
            Readers::Writer => part(&self.writer()),
            #[cfg(not(target_family = "wasm"))]
            Readers::Own { path, idle } => {
                let waiting = idle.lock().pop();
                let file = match waiting {
                    Some(file) => file,
                    None => File::reader(path)?,
                };
                let result = part(&file);
                // After a failure the next read gets a fresh connection.
                if result.is_ok() {
                    idle.lock().push(file);
                }
                result
            }
        }
    }

    /// Puts an empty file in the place of one that turned out to be damaged.
    pub(super) fn replace_damaged(&self, writer: &mut File, why: &StoreError) -> Result<(), StoreError> {
        match &self.readers {
            Readers::Writer => {
                tracing::error!(%why, "the telemetry file is damaged; starting with an empty one");
                *writer = File::in_memory()?;
            }
            #[cfg(not(target_family = "wasm"))]
            Readers::Own { path, idle } => {
                *writer = File::in_memory()?;
                idle.lock().clear();
                move_aside(path, why)?;
                *writer = File::open(path)?;
            }
        }
        Ok(())
    }
}

/// The path with something added to the file's name.
#[cfg(not(target_family = "wasm"))]
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// A missing file is not an error.
#[cfg(not(target_family = "wasm"))]
fn if_there(path: &Path, result: io::Result<()>) -> Result<(), StoreError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::Unavailable(format!("{}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Keeps a damaged file for diagnosis, replacing an earlier one.
#[cfg(not(target_family = "wasm"))]
fn move_aside(path: &Path, why: &StoreError) -> Result<(), StoreError> {
    let damaged = beside(path, ".damaged");
    tracing::error!(path = %path.display(), kept = %damaged.display(), %why,
        "the telemetry file cannot be read; starting with an empty one. The cloud itself is not affected");
    if_there(path, fs::rename(path, damaged))?;
    ["-wal", "-shm"].into_iter().try_for_each(|end| if_there(path, fs::remove_file(beside(path, end))))
}

/// Moves a file of a newer version to a free name, together with its write-ahead log.
#[cfg(not(target_family = "wasm"))]
fn keep_newer_file(path: &Path, version: u32, why: &StoreError) -> Result<(), StoreError> {
    let named = |number: u32| beside(path, &format!(".version-{version}.{number}"));
    let kept = (1..=u32::MAX).map(named).find(|name| !name.exists()).ok_or_else(|| {
        StoreError::Unavailable(format!("{}: there is no free name to move it to", path.display()))
    })?;
    tracing::error!(path = %path.display(), kept = %kept.display(), %why,
        "the telemetry file was written by a newer version; keeping it under another name and starting with \
         an empty one. To restore it, stop the server, move the file back, and run the newer version");
    if_there(path, fs::rename(beside(path, "-wal"), beside(&kept, "-wal")))?;
    if_there(path, fs::remove_file(beside(path, "-shm")))?;
    if_there(path, fs::rename(path, kept))
}
