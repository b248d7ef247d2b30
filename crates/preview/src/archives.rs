//! Support bundles in memory.

use std::{
    collections::BTreeMap,
    io::{self, Cursor},
};

use croft_api::Uuid;
use croft_control::support_bundle::{Archives, Content, Member};
use parking_lot::Mutex;

/// The members of bundles, by bundle.
#[derive(Default)]
pub(crate) struct MemoryArchives(Mutex<BTreeMap<Uuid, Vec<Member>>>);

impl MemoryArchives {
    fn with<T>(&self, bundle: Uuid, part: impl FnOnce(&[Member]) -> T) -> io::Result<T> {
        self.0.lock().get(&bundle).map(|members| part(members)).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Archives for MemoryArchives {
    fn make(
        &self,
        bundle: Uuid,
        members: &[Member],
        is_wanted: &mut dyn FnMut() -> bool,
    ) -> io::Result<bool> {
        let is_wanted = is_wanted();
        if is_wanted {
            self.0.lock().insert(bundle, members.to_vec());
        }
        Ok(is_wanted)
    }

    fn remove(&self, bundle: Uuid) -> io::Result<()> {
        self.0.lock().remove(&bundle);
        Ok(())
    }

    fn open(&self, bundle: Uuid) -> io::Result<Box<dyn Content>> {
        let archive = self.with(bundle, zip)??;
        Ok(Box::new(Cursor::new(archive)))
    }

    fn names(&self, bundle: Uuid) -> io::Result<Vec<String>> {
        self.with(bundle, |members| members.iter().map(|member| member.name.clone()).collect())
    }

    fn member(&self, bundle: Uuid, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.with(bundle, |members| {
            members.iter().find(|member| member.name == name).map(|member| member.content.clone())
        })
    }
}

/// The common part of all entries: required version 2.0, names in UTF-8, no compression, and the earliest possible time
/// (1 January 1980).
const COMMON: [u8; 10] = [20, 0, 0, 8, 0, 0, 0, 0, 33, 0];

/// Creates a zip file with uncompressed members (PKWARE's APPNOTE.TXT, section 4.3).
fn zip(members: &[Member]) -> io::Result<Vec<u8>> {
    let too_big = |_| io::Error::from(io::ErrorKind::FileTooLarge);
    let long = |number: usize| u32::try_from(number).map(u32::to_le_bytes).map_err(too_big);
    let short = |number: usize| u16::try_from(number).map(u16::to_le_bytes).map_err(too_big);
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for Member { name, content } in members {
        let start = long(archive.len())?;
        let mut facts = COMMON.to_vec();
        facts.extend(crc32(content).to_le_bytes());
        facts.extend([long(content.len())?, long(content.len())?].as_flattened());
        facts.extend(short(name.len())?);
        facts.extend([0, 0]);
        archive.extend(b"PK\x03\x04");
        archive.extend(&facts);
        archive.extend(name.as_bytes());
        archive.extend(content);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(facts);
        // No comment, no attributes, first disk.
        directory.extend([0; 10]);
        directory.extend(start);
        directory.extend(name.as_bytes());
    }
    let (start, count) = (long(archive.len())?, short(members.len())?);
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count, count].as_flattened());
    archive.extend(long(directory.len())?);
    archive.extend(start);
    archive.extend([0, 0]);
    Ok(archive)
}

/// The CRC-32 checksum of zip files.
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |sum: u32| if sum & 1 == 1 { (sum >> 1) ^ POLYNOMIAL } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn archives_can_be_read_by_others() {
        let archives = MemoryArchives::default();
        let id = Uuid::from_u128(1);
        let members = [Member::folder("logs/"), Member::text("logs/büro.txt", "123456789")];
        assert!(archives.make(id, &members, &mut || true).unwrap());
        let mut archive = zip::ZipArchive::new(archives.open(id).unwrap()).unwrap();
        let names: Vec<_> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(names, archives.names(id).unwrap());
        let mut text = String::new();
        archive.by_name("logs/büro.txt").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "123456789");
        archives.remove(id).unwrap();
        assert!(archives.open(id).is_err());
    }
}
