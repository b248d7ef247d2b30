use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// Bytes of one file.
const PIECE: u64 = 1 << 20;

/// A line's output on disk, so that its history outlives the server: the first MiB and at least the most recent one, in
/// files named after the offset that they begin at. What a guest prints while no server runs is lost, so that it cannot
/// fill the host's storage.
#[derive(Debug)]
pub(super) struct SerialLog {
    folder: PathBuf,
    file: Option<File>,
    /// Where the file that is written begins, and how much it has.
    start: u64,
    length: u64,
}

/// What was logged before.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SavedOutput {
    /// The first MiB, or what there is of it.
    pub(super) head: Vec<u8>,
    /// The most recent output after it.
    pub(super) tail: Vec<u8>,
    /// Bytes that were ever logged.
    pub(super) total: u64,
}

impl SerialLog {
    /// Goes on where the files in a folder end.
    pub(super) fn open(folder: &Path) -> io::Result<(Self, SavedOutput)> {
        let starts = starts(folder)?;
        let mut logged = SavedOutput::default();
        for start in &starts {
            let bytes = fs::read(path(folder, *start))?;
            logged.total = start + bytes.len() as u64;
            if *start == 0 { logged.head = bytes } else { logged.tail.extend(bytes) }
        }
        let start = starts.last().copied().unwrap_or_default();
        let log = Self { folder: folder.to_owned(), file: None, start, length: logged.total - start };
        Ok((log, logged))
    }

    /// Adds output.
    pub(super) fn append(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.length >= PIECE {
                self.start += self.length;
                self.length = 0;
                self.file = None;
                self.forget()?;
            }
            let room = usize::try_from(PIECE - self.length).unwrap_or(usize::MAX);
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.file()?.write_all(now)?;
            self.length += now.len() as u64;
            bytes = later;
        }
        Ok(())
    }

    fn file(&mut self) -> io::Result<&mut File> {
        let file = if let Some(file) = self.file.take() {
            file
        } else {
            let path = path(&self.folder, self.start);
            OpenOptions::new().append(true).create(true).mode(0o600).open(path)?
        };
        Ok(self.file.insert(file))
    }

    /// Removes what lies between the first file and the last whole one.
    fn forget(&self) -> io::Result<()> {
        let kept = self.start.saturating_sub(PIECE);
        for start in starts(&self.folder)?.into_iter().filter(|start| (1..kept).contains(start)) {
            fs::remove_file(path(&self.folder, start))?;
        }
        Ok(())
    }
}

fn path(folder: &Path, start: u64) -> PathBuf {
    folder.join(format!("serial.{start}"))
}

/// The offsets that the files in a folder begin at, in order.
fn starts(folder: &Path) -> io::Result<Vec<u64>> {
    let mut starts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("serial.")).map(str::parse::<u64>);
        starts.extend(number.and_then(Result::ok));
    }
    starts.sort_unstable();
    Ok(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_of_the_log_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let (mut log, before) = SerialLog::open(folder.path()).unwrap();
        assert_eq!(before, SavedOutput::default());
        let megabyte = vec![b'a'; 1 << 20];
        log.append(b"begin").unwrap();
        for _ in 0..5 {
            log.append(&megabyte).unwrap();
        }
        log.append(b"end").unwrap();
        let (mut log, logged) = SerialLog::open(folder.path()).unwrap();
        assert_eq!(logged.total, 5 * (1 << 20) + 8);
        assert_eq!((logged.head.len(), &logged.head[..5]), (1 << 20, b"begin".as_slice()));
        assert!(logged.tail.len() >= 1 << 20 && logged.tail.ends_with(b"end"));
        log.append(b", and more").unwrap();
        let (_, logged) = SerialLog::open(folder.path()).unwrap();
        assert!(logged.tail.ends_with(b"end, and more"));
        assert!(fs::read_dir(folder.path()).unwrap().count() <= 4);
    }

    #[test]
    fn log_files_keep_their_names() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("serial.0"), "begin").unwrap();
        fs::write(folder.path().join("serial.1048576"), "end").unwrap();
        let (mut log, logged) = SerialLog::open(folder.path()).unwrap();
        let expected = SavedOutput { head: b"begin".to_vec(), tail: b"end".to_vec(), total: (1 << 20) + 3 };
        assert_eq!(logged, expected);
        log.append(b", and more").unwrap();
        assert_eq!(fs::read(folder.path().join("serial.1048576")).unwrap(), b"end, and more");
    }
}
