//! The format of the JSON files that a server leaves for a later one.

use std::io;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The format version that this program writes, for all kinds of files. It is increased when one of them changes so
/// that an earlier program would misread it. A field that earlier files lack, and earlier programs may ignore, needs no
/// new version.
///
/// Files without a number are of version 0.
pub(super) const VERSION: u32 = 1;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    /// It has a newer format.
    #[error(
        "it was written by a newer version of Croft (format {0}; this program reads formats up to \
         {VERSION}); run that version"
    )]
    Newer(u32),
    /// It is malformed.
    #[error("it is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

#[derive(Deserialize)]
struct Form {
    #[serde(default)]
    version: u32,
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    record: &'a T,
}

/// Reads a record from the content of its file.
pub(super) fn read<T: DeserializeOwned>(content: &[u8]) -> Result<T, ReadError> {
    let Form { version } = serde_json::from_slice(content)?;
    if version > VERSION {
        return Err(ReadError::Newer(version));
    }
    Ok(serde_json::from_slice(content)?)
}

/// The content of a record's file.
pub(super) fn write<T: Serialize>(record: &T) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&Versioned { version: VERSION, record })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Example {
        id: u32,
    }

    #[test]
    fn record_round_trips() {
        let content = write(&Example { id: 7 }).unwrap();
        assert_eq!(String::from_utf8_lossy(&content), r#"{"version":1,"id":7}"#);
        assert_eq!(read::<Example>(&content).unwrap(), Example { id: 7 });
    }

    #[test]
    fn files_without_version_are_read() {
        assert_eq!(read::<Example>(br#"{"id":7}"#).unwrap(), Example { id: 7 });
    }

    #[test]
    fn newer_and_damaged_files_have_different_errors() {
        // Other fields of a newer file do not matter.
        let newer = read::<Example>(br#"{"version":2,"ids":[7]}"#).unwrap_err();
        assert!(matches!(newer, ReadError::Newer(2)));
        assert!(newer.to_string().starts_with("it was written by a newer version of Croft"), "{newer}");
        for damaged in [&br#"{"id":7"#[..], br#"{"version":1}"#, br#"{"version":"1","id":7}"#, b""] {
            assert!(matches!(read::<Example>(damaged), Err(ReadError::Damaged(_))));
        }
    }
}
