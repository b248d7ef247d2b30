//! The log: one line per event, to standard error, and to files of limited size for support bundles, written by a
//! separate thread.

mod queue;

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::PathBuf,
};

use jiff::Timestamp;
use queue::Queue;
use tracing_subscriber::EnvFilter;

use crate::{
    config::{Config, LogFormat},
    failure::{ExitKind, Failure, Result},
};

/// The files of the recent log, the newer one first.
pub const FILES: [&str; 2] = ["croft.log", "croft.log.1"];
/// A file of the recent log is rotated when it reaches this many bytes.
const MAX_FILE: u64 = 4 << 20;

/// The log of this program. Dropping it waits for pending lines.
pub struct Log(Queue);

impl Log {
    /// Waits until everything logged before is written.
    pub fn flush(&self) {
        self.0.flush();
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.0.flush();
    }
}

/// Starts logging as configured; the recent log is also stored in a directory.
pub fn start(config: &Config, folder: PathBuf) -> Result<Log> {
    let filter = filter(&config.log_level)?;
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(ExitKind::Failed, format!("cannot start logging: {error}"))
    };
    let format = config.log_format;
    let queue =
        Queue::start(TeeWriter(RecentLog { folder, file: None }), move |count| dropped(format, count))
            .map_err(|error| failed(&error))?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(queue.clone());
    let started = match config.log_format {
        LogFormat::Text => builder.with_ansi(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(false).try_init(),
    };
    started.map_err(|error| failed(&error))?;
    Ok(Log(queue))
}

/// The filter that a level names.
pub fn filter(level: &str) -> Result<EnvFilter> {
    EnvFilter::try_new(level).map_err(|error| {
        Failure::new(ExitKind::Configuration, format!("log-level {level:?}: {error}"))
            .hint("use error, warn, info, debug or trace, as in info,croft::request=warn")
    })
}

/// The line about dropped lines, in the format of the others.
fn dropped(format: LogFormat, count: u64) -> String {
    let (time, text) =
        (Timestamp::now(), "log lines were dropped because they could not be written fast enough");
    match format {
        LogFormat::Text => format!("{time:.6} WARN croft::logging: {text} count={count}\n"),
        LogFormat::Json => format!(
            "{{\"timestamp\":\"{time:.6}\",\"level\":\"WARN\",\"message\":\"{text}\",\"count\":{count},\
             \"target\":\"croft::logging\"}}\n"
        ),
    }
}

/// Writes to standard error and to the recent log.
struct TeeWriter(RecentLog);

impl Write for TeeWriter {
    /// If the recent log cannot be written, for example because the disk is full, lines still go to standard error.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.append(bytes);
        io::stderr().write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The recent log, in at most two files.
struct RecentLog {
    folder: PathBuf,
    file: Option<OpenFile>,
}

struct OpenFile {
    file: File,
    size: u64,
}

impl RecentLog {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut open = match self.file.take() {
            Some(open) => open,
            None => self.open()?,
        };
        if open.size >= MAX_FILE {
            fs::rename(self.folder.join(FILES[0]), self.folder.join(FILES[1]))?;
            open = self.open()?;
        }
        open.file.write_all(bytes)?;
        open.size += bytes.len() as u64;
        self.file = Some(open);
        Ok(())
    }

    fn open(&self) -> io::Result<OpenFile> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let path = self.folder.join(FILES[0]);
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        let size = file.metadata()?.len();
        Ok(OpenFile { file, size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_lines_are_reported_in_the_log_format() {
        assert!(dropped(LogFormat::Text, 7).ends_with(" fast enough count=7\n"));
        let line: serde_json::Value = serde_json::from_str(&dropped(LogFormat::Json, 7)).unwrap();
        assert_eq!((&line["level"], &line["count"]), (&"WARN".into(), &7.into()));
    }

    #[test]
    fn recent_log_size_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let line = vec![b'x'; 1 << 20];
        for _ in 0..3 {
            // As after a restart: the existing file is continued.
            let mut kept = RecentLog { folder: folder.path().join("logs"), file: None };
            for _ in 0..4 {
                kept.append(&line).unwrap();
            }
        }
        let sizes = FILES.map(|name| fs::metadata(folder.path().join("logs").join(name)).unwrap().len());
        assert_eq!(sizes, [MAX_FILE, MAX_FILE]);
        assert_eq!(fs::read_dir(folder.path().join("logs")).unwrap().count(), 2);
    }
}
