//! Exports old entries of the audit log to files in the data directory, with one JSON object on each line.
//!
//! A file is written with the extension `.part`, synced, and renamed to `.new`, which makes it pending; once its
//! entries are deleted from the database it gets its final name. So the extension says how to continue after a crash.

use std::{
    fs::{self, DirBuilder, File},
    io::{self, BufRead as _, BufReader, BufWriter, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use croft_api::{Timestamp, Uuid, audit::AuditLogEntry};
use croft_control::audit::{self, Exports};
use croft_http::Closing;
use croft_store::Database;
use jiff::SignedDuration;
use serde::Deserialize;
use tokio::task::JoinHandle;

use crate::{
    config::Config,
    data_directory::{self, AUDIT_FOLDER},
    failure::{ExitKind, Failure, Result},
    system::now,
};

/// Interval between exports: short enough to keep the database small, long enough to avoid many files.
const PERIOD: Duration = Duration::from_hours(6);
/// Delay after a failed export.
const AFTER_FAILURE: Duration = Duration::from_mins(5);

/// The suffix of a finished file.
const FINISHED: &str = "jsonl";
/// The suffix of a pending file.
const PENDING: &str = "jsonl.new";
/// The suffix of a partial file.
const PART: &str = "jsonl.part";

/// Starts the task, unless entries are kept forever. It ends when the server shuts down.
pub fn start(config: &Config, database: &Database, closing: &Closing) -> Result<Option<JoinHandle<()>>> {
    let Some(retention) = config.audit_retention else { return Ok(None) };
    let folder = config.data_dir.join(AUDIT_FOLDER);
    let exports = AuditFolder::open(&folder).map_err(|error| {
        let message = format!("cannot use {}: {error}", folder.display());
        Failure::new(ExitKind::DataDirectory, message)
            .hint("audit-retention is set, so old entries of the audit log are written there")
    })?;
    Ok(Some(tokio::spawn(follow(Arc::new(exports), retention, database.clone(), closing.clone()))))
}

async fn follow(exports: Arc<AuditFolder>, retention: SignedDuration, database: Database, closing: Closing) {
    loop {
        let step = tokio::task::spawn_blocking({
            let (exports, database) = (exports.clone(), database.clone());
            move || audit::export_old(&database, &*exports, retention, now())
        });
        let pause = match step.await {
            Ok(Ok(0)) => PERIOD,
            Ok(Ok(count)) => {
                tracing::info!(count, folder = %exports.folder.display(), "exported old entries of the audit log");
                Duration::ZERO
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, detail = error.detail(), "old entries of the audit log stay in the database");
                AFTER_FAILURE
            }
            Err(error) => {
                tracing::error!(%error, "the export of old entries of the audit log was interrupted");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = closing.begun() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// The directory of the files, used by one server at a time.
struct AuditFolder {
    folder: PathBuf,
}

/// The fields that are read from an exported entry.
#[derive(Deserialize)]
struct ExportedEntry {
    id: Uuid,
}

impl AuditFolder {
    fn open(folder: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The files with this suffix, sorted.
    fn files(&self, end: &str) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.ends_with(&format!(".{end}")) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    /// An unused file name that starts with `stem`.
    fn free(&self, stem: &str) -> PathBuf {
        let mut path = self.folder.join(format!("{stem}.{FINISHED}"));
        let mut number = 1;
        while path.exists() {
            number += 1;
            path = self.folder.join(format!("{stem}.{number}.{FINISHED}"));
        }
        path
    }

    fn sync(&self) -> io::Result<()> {
        File::open(&self.folder)?.sync_all()
    }
}

impl Exports for AuditFolder {
    fn pending(&self) -> io::Result<Option<Vec<Uuid>>> {
        let files = self.files(PENDING)?;
        if files.is_empty() {
            return Ok(None);
        }
        let mut ids = Vec::new();
        for path in &files {
            for line in BufReader::new(File::open(path)?).lines() {
                let kept: ExportedEntry = serde_json::from_str(&line?).map_err(|error| {
                    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
                })?;
                ids.push(kept.id);
            }
        }
        Ok(Some(ids))
    }

    fn keep(&self, entries: &[AuditLogEntry]) -> io::Result<()> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Ok(()) };
        let stem = format!("{}-{}", moment(first.time_completed), moment(last.time_completed));
        let part = self.folder.join(format!("{stem}.{PART}"));
        let written = write(&part, entries);
        if written.is_err() {
            // A partial file is useless, and its space is needed.
            let _ = fs::remove_file(&part);
        }
        written?;
        fs::rename(&part, self.folder.join(format!("{stem}.{PENDING}")))?;
        self.sync()
    }

    fn done(&self) -> io::Result<()> {
        for path in self.files(PENDING)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let stem = name.strip_suffix(&format!(".{PENDING}")).unwrap_or(name);
            // Entries that were restored from a backup are exported again, into another file.
            fs::rename(&path, self.free(stem))?;
        }
        self.sync()
    }
}

/// A time in a file name.
fn moment(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn write(path: &Path, entries: &[AuditLogEntry]) -> io::Result<()> {
    let file = data_directory::private(path)?;
    file.set_len(0)?;
    let mut lines = BufWriter::new(file);
    for entry in entries {
        serde_json::to_writer(&mut lines, entry)?;
        lines.write_all(b"\n")?;
    }
    lines.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

#[cfg(test)]
mod tests;
