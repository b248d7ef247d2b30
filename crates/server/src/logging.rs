//! The log: one line per event, to standard error, and to a file of limited size for support bundles.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::PathBuf,
    sync::Arc,
};

use parking_lot::Mutex;
use tracing_subscriber::{EnvFilter, fmt::writer::MakeWriterExt as _};

use crate::{
    config::{Config, LogFormat},
    failure::{ExitKind, Failure, Result},
};

/// The files that the log of late is in, the newer one first.
pub const FILES: [&str; 2] = ["croft.log", "croft.log.1"];
/// A file of the log is put aside when it has grown to this many bytes.
const MAX_FILE: u64 = 4 << 20;

/// Begins logging as configured; the log of late is also kept in a folder.
pub fn start(config: &Config, folder: PathBuf) -> Result<()> {
    let filter = EnvFilter::try_new(&config.log_level).map_err(|error| {
        Failure::new(ExitKind::Configuration, format!("log-level {:?}: {error}", config.log_level))
            .hint("use error, warn, info, debug or trace, as in info,croft::request=warn")
    })?;
    let writer = io::stderr.and(Arc::new(Kept { folder, file: Mutex::default() }));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    let started = match config.log_format {
        LogFormat::Text => builder.with_ansi(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(false).try_init(),
    };
    started.map_err(|error| Failure::new(ExitKind::Failed, format!("cannot begin logging: {error}")))
}

/// The log of late, in two files at most.
struct Kept {
    folder: PathBuf,
    file: Mutex<Option<Open>>,
}

struct Open {
    file: File,
    size: u64,
}

impl Kept {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut current = self.file.lock();
        let mut open = match current.take() {
            Some(open) => open,
            None => self.open()?,
        };
        if open.size >= MAX_FILE {
            fs::rename(self.folder.join(FILES[0]), self.folder.join(FILES[1]))?;
            open = self.open()?;
        }
        open.file.write_all(bytes)?;
        open.size += bytes.len() as u64;
        *current = Some(open);
        Ok(())
    }

    fn open(&self) -> io::Result<Open> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let path = self.folder.join(FILES[0]);
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        let size = file.metadata()?.len();
        Ok(Open { file, size })
    }
}

impl Write for &Kept {
    /// A log that cannot be kept, because the disk is full for example, is written to standard error all the same.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.append(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_of_late_is_kept_within_limits() {
        let folder = tempfile::tempdir().unwrap();
        let line = vec![b'x'; 1 << 20];
        for _ in 0..3 {
            // As after a restart: what is there is gone on with.
            let kept = Kept { folder: folder.path().join("logs"), file: Mutex::default() };
            for _ in 0..4 {
                (&kept).write_all(&line).unwrap();
            }
        }
        let sizes = FILES.map(|name| fs::metadata(folder.path().join("logs").join(name)).unwrap().len());
        assert_eq!(sizes, [MAX_FILE, MAX_FILE]);
        assert_eq!(fs::read_dir(folder.path().join("logs")).unwrap().count(), 2);
    }
}
