//! Files as earlier versions wrote them, in `tests/golden`: a folder for each version of their form
//! ([`record::VERSION`]), of which none is ever changed.
//!
//! `CROFT_WRITE_GOLDEN=1` has the tests write those of the present version.

use std::{
    fmt::Debug,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::record::{self, ReadError, VERSION};

fn path(version: u32, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(version.to_string()).join(name)
}

/// The files of this name, by the version that wrote them; the newest one is what this program writes.
pub(super) fn bytes(name: &str, written: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let newest = path(VERSION, name);
    if std::env::var_os("CROFT_WRITE_GOLDEN").is_some() {
        fs::create_dir_all(newest.parent().unwrap()).unwrap();
        fs::write(&newest, written).unwrap();
    }
    let read = |version: u32| match fs::read(path(version, name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && version != VERSION => None,
        content => Some((version, content.unwrap())),
    };
    let all: Vec<_> = (0..=VERSION).filter_map(read).collect();
    let (_, kept) = all.last().unwrap();
    assert_eq!(
        String::from_utf8_lossy(written),
        String::from_utf8_lossy(kept),
        "{name} differs from the stored form of version {VERSION}"
    );
    all
}

/// The same of files that are text.
pub(super) fn texts(name: &str, written: &str) -> Vec<(u32, String)> {
    let all = bytes(name, written.as_bytes());
    all.into_iter().map(|(version, content)| (version, String::from_utf8(content).unwrap())).collect()
}

/// A record as a later version may write it.
pub(super) fn newer(name: &str) -> Vec<u8> {
    let mut record: Value = serde_json::from_slice(&fs::read(path(VERSION, name)).unwrap()).unwrap();
    record["version"] = (VERSION + 1).into();
    serde_json::to_vec(&record).unwrap()
}

/// Checks that the records of every version are read as these ones, that the last of them is written as the present
/// version has it, that a record which lacks one of the optional fields is read as the one beside the field, that one which
/// lacks another is refused, and so is one of a newer version.
pub(super) fn check<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(
    name: &str,
    versions: &[(u32, T)],
    optional: &[(&str, T)],
) {
    let (_, present) = versions.last().unwrap();
    let read: Vec<(u32, T)> = bytes(name, &record::write(present).unwrap())
        .into_iter()
        .map(|(version, content)| (version, record::read(&content).unwrap()))
        .collect();
    assert_eq!(read, versions, "{name}");

    let whole = record::write(present).unwrap();
    let whole: serde_json::Map<String, Value> = serde_json::from_slice(&whole).unwrap();
    for field in whole.keys().filter(|field| *field != "version") {
        let mut record = whole.clone();
        record.remove(field);
        let read = record::read::<T>(&serde_json::to_vec(&record).unwrap());
        match optional.iter().find(|(name, _)| name == field) {
            Some((_, expected)) => assert_eq!(&read.unwrap(), expected, "{name} without {field}"),
            None => assert!(matches!(read, Err(ReadError::Damaged(_))), "{name} without {field}: {read:?}"),
        }
    }
    assert!(matches!(record::read::<T>(&newer(name)), Err(ReadError::Newer(_))), "{name}");
}
