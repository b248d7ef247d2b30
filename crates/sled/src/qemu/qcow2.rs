use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{FileExt as _, OpenOptionsExt as _},
    path::Path,
};

/// Content is kept in clusters of 64 KiB, which is QEMU's own choice.
const CLUSTER_BITS: u32 = 16;
const CLUSTER: u64 = 1 << CLUSTER_BITS;
/// What one entry of the first table stands for: a second table of 8-byte entries, one for each cluster.
const PER_ENTRY: u64 = CLUSTER / 8 * CLUSTER;
/// Clusters that one block of 16-bit reference counts stands for.
const PER_BLOCK: u64 = CLUSTER / 2;
const HEADER_LENGTH: u32 = 104;
/// The format allows names of so many bytes.
const LONGEST_NAME: u32 = 1023;

/// Makes an empty qcow2 file of version 3 over another file, which it refers to by `backing`, relative to its own
/// folder. All that QEMU's own tool would do for it is written here, at the cost of a few small writes.
///
/// The format: QEMU's documentation, `docs/interop/qcow2`.
pub(super) fn create_overlay(
    path: &Path,
    size: u64,
    backing: &str,
    backing_format: &str,
) -> io::Result<File> {
    let entries = size.div_ceil(PER_ENTRY).max(1);
    let table_clusters = (entries * 8).div_ceil(CLUSTER);
    // The header, the table of reference counts, one block of them, then the first table.
    let clusters = 3 + table_clusters;
    if clusters > PER_BLOCK {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the disk is too large"));
    }
    let mut head = Vec::new();
    head.extend_from_slice(b"QFI\xfb");
    head.extend(3_u32.to_be_bytes());
    let name_length = u32::try_from(backing.len()).map_err(io::Error::other)?;
    let extension = extension(0xe279_2aca, backing_format.as_bytes())?;
    // The name follows the header and its extensions, of which the last is empty.
    let name_offset = u64::from(HEADER_LENGTH) + extension.len() as u64 + 8;
    head.extend(name_offset.to_be_bytes());
    head.extend(name_length.to_be_bytes());
    head.extend(CLUSTER_BITS.to_be_bytes());
    head.extend(size.to_be_bytes());
    head.extend(0_u32.to_be_bytes());
    head.extend(u32::try_from(entries).map_err(io::Error::other)?.to_be_bytes());
    head.extend((3 * CLUSTER).to_be_bytes());
    head.extend(CLUSTER.to_be_bytes());
    head.extend(1_u32.to_be_bytes());
    // Snapshots within the file and features: none.
    head.extend([0; 4 + 8 + 3 * 8]);
    // Reference counts of 2^4 bits.
    head.extend(4_u32.to_be_bytes());
    head.extend(HEADER_LENGTH.to_be_bytes());
    head.extend(extension);
    head.extend([0; 8]);
    head.extend_from_slice(backing.as_bytes());
    at(&mut head, CLUSTER);
    head.extend((2 * CLUSTER).to_be_bytes());
    at(&mut head, 2 * CLUSTER);
    for _ in 0..clusters {
        head.extend(1_u16.to_be_bytes());
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(&head)?;
    file.set_len(clusters * CLUSTER)?;
    Ok(file)
}

/// The name of the file that a qcow2 file is over, as it stands in the file.
pub(super) fn backing(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let mut head = [0; 20];
    file.read_exact_at(&mut head, 0)?;
    let wrong =
        || io::Error::new(io::ErrorKind::InvalidData, format!("{} is not an overlay", path.display()));
    let (magic, rest) = head.split_at(8);
    let (offset, length) = rest.split_at(8);
    let offset = u64::from_be_bytes(offset.try_into().map_err(|_| wrong())?);
    let length = u32::from_be_bytes(length.try_into().map_err(|_| wrong())?);
    if !magic.starts_with(b"QFI\xfb") || offset == 0 || length == 0 || length > LONGEST_NAME {
        return Err(wrong());
    }
    let mut name = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact_at(&mut name, offset)?;
    String::from_utf8(name).map_err(|_| wrong())
}

fn at(bytes: &mut Vec<u8>, offset: u64) {
    // Offsets in here are of a few clusters.
    bytes.resize(usize::try_from(offset).unwrap_or(usize::MAX), 0);
}

fn extension(kind: u32, content: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = kind.to_be_bytes().to_vec();
    bytes.extend(u32::try_from(content.len()).map_err(io::Error::other)?.to_be_bytes());
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qemu::golden;

    const BACKING: &str = "00000000-0000-0000-0000-000000000001";

    fn overlay(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("layer");
        create_overlay(&path, 1 << 30, BACKING, "raw").unwrap();
        path
    }

    #[test]
    fn overlays_of_every_version_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let written = std::fs::read(overlay(folder.path())).unwrap();
        // The names are in the first sector. The rest is nearly all zeros and only read by QEMU.
        for (version, head) in golden::bytes("overlay.qcow2.head", &written[..512]) {
            let path = folder.path().join("head");
            std::fs::write(&path, head).unwrap();
            assert_eq!(backing(&path).unwrap(), BACKING, "version {version}");
        }
    }

    #[test]
    fn invalid_overlay_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = overlay(folder.path());
        let written = std::fs::read(&path).unwrap();
        // Another format, no name, a name that is too long, and one beyond the end.
        for (place, value) in [(0, 0), (19, 0), (18, 4), (8, 0x7f)] {
            let mut wrong = written.clone();
            wrong[place] = value;
            std::fs::write(&path, wrong).unwrap();
            assert!(backing(&path).is_err(), "{place}: {value}");
        }
    }
}
