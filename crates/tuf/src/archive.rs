//! Files in an untrusted zip archive.

use std::{
    collections::BTreeMap,
    io::{self, Read, Seek, SeekFrom},
};

use sha2::{Digest as _, Sha256};
use zip::{CompressionMethod, ZipArchive};

/// Maximum number of files in an archive. The list of files is read completely before anything is verified.
const MOST_FILES: u64 = 10_000;
/// Maximum length of the list of files, in bytes.
const LARGEST_LIST: u64 = 4 << 20;
/// Length of the end record of an archive, without its comment.
const END: usize = 22;
/// Maximum length of the comment.
const COMMENT: usize = 0xffff;

/// An archive whose list of files was read.
pub(crate) struct Archive<R> {
    zip: ZipArchive<R>,
    /// The index of each file, by its path relative to the repository's folder.
    files: BTreeMap<String, usize>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the list of files.
    pub(crate) fn open(mut reader: R) -> Result<Self, String> {
        check_size_of_list(&mut reader)?;
        let mut zip = ZipArchive::new(reader).map_err(|error| error.to_string())?;
        if zip.len() as u64 > MOST_FILES {
            return Err(format!("it has more than {MOST_FILES} files"));
        }
        let mut files = BTreeMap::new();
        for number in 0..zip.len() {
            let file = zip.by_index_raw(number).map_err(|error| error.to_string())?;
            let name = std::str::from_utf8(file.name_raw()).map_err(|_| "a file name is not UTF-8")?;
            check_name(name)?;
            if file.is_symlink() || file.encrypted() {
                return Err(format!("the file {name:?} is a link, or is encrypted"));
            }
            if !matches!(file.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
                return Err(format!("the file {name:?} uses an unsupported compression method"));
            }
            if !file.is_dir() && files.insert(name.to_owned(), number).is_some() {
                return Err(format!("it contains the file {name:?} twice"));
            }
        }
        Ok(Self { zip, files: below_root(files)? })
    }

    /// Whether this file exists.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Reads a file with at most this number of bytes.
    pub(crate) fn read(&mut self, path: &str, most: u64) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.file(path, most)?.read_to_end(&mut bytes).map_err(|error| format!("{path}: {error}"))?;
        if bytes.len() as u64 > most {
            return Err(format!("{path} has more than {most} bytes"));
        }
        Ok(bytes)
    }

    /// The length and the SHA-256 of a file with at most this number of bytes.
    pub(crate) fn digest(&mut self, path: &str, most: u64) -> Result<(u64, [u8; 32]), String> {
        let mut hash = Sha256::new();
        let mut file = self.file(path, most)?;
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            let count = file.read(&mut buffer).map_err(|error| format!("{path}: {error}"))?;
            if count == 0 {
                return Ok((length, hash.finalize().into()));
            }
            length += count as u64;
            hash.update(&buffer[..count]);
        }
    }

    /// Reads up to one byte more than the maximum, so that longer files are detected.
    fn file(&mut self, path: &str, most: u64) -> Result<impl Read + '_, String> {
        let number = *self.files.get(path).ok_or_else(|| format!("{path} is missing"))?;
        let file = self.zip.by_index(number).map_err(|error| format!("{path}: {error}"))?;
        Ok(file.take(most.saturating_add(1)))
    }
}

/// Refuses an archive whose list of files would need too much memory, before it is read.
fn check_size_of_list(reader: &mut (impl Read + Seek)) -> Result<(), String> {
    let text = |error: io::Error| error.to_string();
    let length = reader.seek(SeekFrom::End(0)).map_err(text)?;
    let start = length.saturating_sub((END + COMMENT) as u64);
    reader.seek(SeekFrom::Start(start)).map_err(text)?;
    let mut tail = Vec::new();
    reader.take((END + COMMENT) as u64).read_to_end(&mut tail).map_err(text)?;
    // It is not known which one is the end record, so all must be within the limits.
    let ends = tail.windows(END).filter(|window| window.starts_with(b"PK\x05\x06"));
    let mut there_is_one = false;
    for end in ends {
        there_is_one = true;
        let files = u64::from(u16::from_le_bytes([end[10], end[11]]));
        let list = u64::from(u32::from_le_bytes([end[12], end[13], end[14], end[15]]));
        // The maximum values refer to ZIP64 records, which repositories of this size do not need.
        if files > MOST_FILES || list > LARGEST_LIST {
            return Err(format!("it has more than {MOST_FILES} files, or their names are too long"));
        }
    }
    reader.seek(SeekFrom::Start(0)).map_err(text)?;
    if there_is_one { Ok(()) } else { Err("it is not a zip archive, or is truncated".to_owned()) }
}

/// Refuses names that would be outside the folder that the archive is extracted to.
fn check_name(name: &str) -> Result<(), String> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let path = name.strip_suffix('/').unwrap_or(name);
    let odd = |character: char| character.is_control() || character == '\\' || character == ':';
    if path.split('/').all(plain) && !path.contains(odd) {
        return Ok(());
    }
    Err(format!("{name:?} is not a valid file name"))
}

/// The files relative to the folder of the repository: the top level of the archive, or its only folder.
fn below_root(files: BTreeMap<String, usize>) -> Result<BTreeMap<String, usize>, String> {
    const TIMESTAMP: &str = "metadata/timestamp.json";
    let mut roots = files.keys().filter_map(|name| name.strip_suffix(TIMESTAMP));
    let root = match (roots.next(), roots.next()) {
        (Some(root), None) if root.matches('/').count() <= 1 && (root.is_empty() || root.ends_with('/')) => {
            root.to_owned()
        }
        (None, _) => return Err(format!("{TIMESTAMP} is missing")),
        _ => return Err(format!("{TIMESTAMP} is in an unexpected place, or there is more than one")),
    };
    let below =
        files.into_iter().filter_map(|(name, number)| Some((name.strip_prefix(&root)?.to_owned(), number)));
    Ok(below.collect())
}
