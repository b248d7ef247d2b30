//! The archive that a Linux kernel unpacks as its first root: cpio in the "newc" format.

/// What an entry is.
#[derive(Clone, Copy)]
enum Kind {
    Folder,
    File { executable: bool },
    Link,
}

impl Kind {
    const fn mode(self) -> u32 {
        match self {
            Self::Folder => 0o040_755,
            Self::File { executable: true } => 0o100_755,
            Self::File { executable: false } => 0o100_644,
            Self::Link => 0o120_777,
        }
    }
}

/// An archive in the making. All entries belong to root.
#[derive(Default)]
pub struct Archive {
    bytes: Vec<u8>,
    entries: u32,
}

impl Archive {
    /// Adds a folder; those above it must be there.
    pub fn folder(&mut self, path: &str) {
        self.entry(path, Kind::Folder, &[]);
    }

    /// Adds a file.
    pub fn file(&mut self, path: &str, executable: bool, content: &[u8]) {
        self.entry(path, Kind::File { executable }, content);
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: &str, target: &str) {
        self.entry(path, Kind::Link, target.as_bytes());
    }

    /// The whole archive.
    pub fn finish(mut self) -> Vec<u8> {
        self.header("TRAILER!!!", 0, 0, 1);
        self.bytes
    }

    fn entry(&mut self, path: &str, kind: Kind, content: &[u8]) {
        self.entries += 1;
        self.header(path, kind.mode(), content.len(), self.entries);
        self.bytes.extend_from_slice(content);
        self.pad();
    }

    fn header(&mut self, path: &str, mode: u32, size: usize, inode: u32) {
        let name_size = path.len() + 1;
        // inode, mode, uid, gid, links, mtime, size, four device numbers, length of the name, checksum
        let header = format!(
            "070701{inode:08x}{mode:08x}{0:08x}{0:08x}{1:08x}{0:08x}{size:08x}\
             {0:08x}{0:08x}{0:08x}{0:08x}{name_size:08x}{0:08x}",
            0, 1
        );
        self.bytes.extend_from_slice(header.as_bytes());
        self.bytes.extend_from_slice(path.as_bytes());
        self.bytes.push(0);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::Archive;

    #[test]
    fn entries_are_padded_and_headed() {
        let mut archive = Archive::default();
        archive.folder("etc");
        archive.file("etc/x", true, b"abcde");
        archive.link("sh", "busybox");
        let bytes = archive.finish();
        assert_eq!(bytes.len() % 4, 0);
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(text.matches("070701").count(), 4);
        assert!(text.starts_with("07070100000001000041ed"), "{text}");
        assert!(text.contains("etc/x\0abcde\0\0\0"), "{text}");
        assert!(text.contains("TRAILER!!!"));
    }
}
