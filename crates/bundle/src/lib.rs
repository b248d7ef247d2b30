//! Support bundles as zip files in a folder: what [`croft_control::support_bundle`] collects is kept here.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, BufWriter, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use croft_control::support_bundle::{Archives, Content, Member};
use uuid::Uuid;
use zip::{ZipArchive, ZipWriter, result::ZipError, write::SimpleFileOptions};

/// A folder with a zip file for each bundle, for nobody but its owner to read.
#[derive(Clone, Debug)]
pub struct ArchiveFolder {
    folder: PathBuf,
}

impl ArchiveFolder {
    /// The folder need not exist: it is made for the first bundle.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, bundle: Uuid) -> PathBuf {
        self.folder.join(format!("{bundle}.zip"))
    }

    /// Where an archive is until it is complete.
    fn part(&self, bundle: Uuid) -> PathBuf {
        self.folder.join(format!("{bundle}.part"))
    }

    fn zip(&self, bundle: Uuid) -> io::Result<ZipArchive<File>> {
        Ok(ZipArchive::new(File::open(self.path(bundle))?)?)
    }
}

impl Archives for ArchiveFolder {
    fn make(
        &self,
        bundle: Uuid,
        members: &[Member],
        is_wanted: &mut dyn FnMut() -> bool,
    ) -> io::Result<bool> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let part = self.part(bundle);
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
        if !write(&file, members, is_wanted)? {
            remove(&part)?;
            return Ok(false);
        }
        file.sync_all()?;
        fs::rename(&part, self.path(bundle))?;
        File::open(&self.folder)?.sync_all()?;
        Ok(true)
    }

    fn remove(&self, bundle: Uuid) -> io::Result<()> {
        remove(&self.part(bundle))?;
        remove(&self.path(bundle))
    }

    fn open(&self, bundle: Uuid) -> io::Result<Box<dyn Content>> {
        Ok(Box::new(File::open(self.path(bundle))?))
    }

    fn names(&self, bundle: Uuid) -> io::Result<Vec<String>> {
        self.zip(bundle)?.file_names().map(|name| Ok(name?.into_owned())).collect()
    }

    fn member(&self, bundle: Uuid, name: &str) -> io::Result<Option<Vec<u8>>> {
        let mut zip = self.zip(bundle)?;
        let mut member = match zip.by_name(name) {
            Ok(member) => member,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if member.is_dir() {
            return Ok(None);
        }
        let mut content = Vec::new();
        member.read_to_end(&mut content)?;
        Ok(Some(content))
    }
}

/// Answers false if the bundle is not wanted any more.
fn write(file: &File, members: &[Member], is_wanted: &mut dyn FnMut() -> bool) -> io::Result<bool> {
    let mut zip = ZipWriter::new(BufWriter::new(file));
    let options = SimpleFileOptions::default().unix_permissions(0o600);
    for member in members {
        if !is_wanted() {
            return Ok(false);
        }
        if member.name.ends_with('/') {
            zip.add_directory(member.name.as_str(), options.unix_permissions(0o700))?;
        } else {
            zip.start_file(member.name.as_str(), options)?;
            zip.write_all(&member.content)?;
        }
    }
    zip.finish()?.flush()?;
    Ok(true)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    const BUNDLE: Uuid = Uuid::from_u128(7);

    fn members() -> Vec<Member> {
        vec![
            Member::text("bundle_id.txt", "7\n"),
            Member::folder("sp_task_dumps/"),
            Member::text("rack/one/inventory.json", "{}".repeat(100_000)),
        ]
    }

    #[test]
    fn archive_round_trips() {
        let folder = tempfile::tempdir().unwrap();
        let archives = ArchiveFolder::new(folder.path().join("bundles"));
        assert!(archives.make(BUNDLE, &members(), &mut || true).unwrap());
        let names = archives.names(BUNDLE).unwrap();
        assert_eq!(names, ["bundle_id.txt", "sp_task_dumps/", "rack/one/inventory.json"]);
        assert_eq!(archives.member(BUNDLE, "bundle_id.txt").unwrap(), Some(b"7\n".to_vec()));
        let inventory = archives.member(BUNDLE, "rack/one/inventory.json").unwrap().unwrap();
        assert_eq!(inventory.len(), 200_000);
        for name in ["rack/one", "sp_task_dumps/", "../bundle_id.txt", ""] {
            assert_eq!(archives.member(BUNDLE, name).unwrap(), None, "{name}");
        }
        let path = archives.path(BUNDLE);
        let file = fs::metadata(&path).unwrap();
        assert!(file.len() < 10_000, "the archive is compressed");
        assert_eq!(
            (file.mode() & 0o777, fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o777),
            (0o600, 0o700)
        );
    }

    #[test]
    fn an_archive_that_is_not_wanted_any_more_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let archives = ArchiveFolder::new(folder.path().to_owned());
        let mut left = 2;
        let mut is_wanted = || {
            left -= 1;
            left > 0
        };
        assert!(!archives.make(BUNDLE, &members(), &mut is_wanted).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(archives.open(BUNDLE).err().unwrap().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_was_removed_can_be_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let archives = ArchiveFolder::new(folder.path().to_owned());
        archives.make(BUNDLE, &members(), &mut || true).unwrap();
        let mut open = archives.open(BUNDLE).unwrap();
        archives.remove(BUNDLE).unwrap();
        archives.remove(BUNDLE).unwrap();
        let mut content = Vec::new();
        open.read_to_end(&mut content).unwrap();
        assert!(content.starts_with(b"PK"));
    }
}
