//! The files of a package, and archives of them that come out the same each time.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::fresh;
use crate::failure::{Context, Failure, Outcome};
use crate::shell::{command, run};

/// Files by their paths, each with its permissions.
#[derive(Default)]
pub(super) struct Tree {
    files: BTreeMap<String, (u32, Vec<u8>)>,
    /// Folders with other permissions than the usual, which may be empty.
    folders: BTreeMap<String, u32>,
}

impl Tree {
    pub(super) fn add(&mut self, path: &str, mode: u32, content: Vec<u8>) {
        self.files.insert(path.to_owned(), (mode, content));
    }

    pub(super) fn add_folder(&mut self, path: &str, mode: u32) {
        self.folders.insert(path.to_owned(), mode);
    }

    /// The size of all files, in KiB.
    pub(super) fn kibibytes(&self) -> usize {
        self.files.values().map(|(_, content)| content.len().div_ceil(1024)).sum()
    }

    /// Writes everything to an empty folder.
    pub(super) fn write(&self, folder: &Path) -> Outcome {
        fresh(folder)?;
        set_mode(folder, 0o755)?;
        for (path, mode) in self.folders.iter().map(|(path, mode)| (path.as_str(), *mode)) {
            make_folders(folder, Path::new(path))?;
            set_mode(&folder.join(path), mode)?;
        }
        for (path, (mode, content)) in &self.files {
            let path = Path::new(path);
            make_folders(folder, path.parent().unwrap_or(Path::new("")))?;
            fs::write(folder.join(path), content)?;
            set_mode(&folder.join(path), *mode)?;
        }
        Ok(())
    }

    /// Writes everything below a folder, and answers a tar archive of it.
    pub(super) fn archive(&self, folder: &Path, epoch: &str) -> Outcome<PathBuf> {
        self.write(folder)?;
        let archive = folder.with_extension("tar");
        // What is at the top, without an entry for the folder itself.
        let mut top: Vec<_> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<_>>()?;
        top.sort();
        let mut tar = command("tar");
        tar.args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.arg(format!("--mtime=@{epoch}"))
            .arg("--file")
            .arg(&archive)
            .arg("--directory")
            .arg(folder)
            .args(top);
        run(&mut tar)?;
        Ok(archive)
    }
}

/// Compresses a file, without its name and time in the result.
pub(super) fn compress(from: &Path, to: &Path) -> Outcome {
    let output = fs::File::create(to)?;
    let mut gzip = command("gzip");
    gzip.args(["-9", "--no-name", "--stdout"]).arg(from).stdout(Stdio::from(output));
    if gzip.status().context("cannot start gzip")?.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("cannot compress {}", from.display())))
    }
}

/// Makes folders below `base` with the usual permissions, whatever the mask of this process.
fn make_folders(base: &Path, path: &Path) -> Outcome {
    let mut whole = base.to_owned();
    for part in path {
        whole.push(part);
        if !whole.is_dir() {
            fs::create_dir(&whole)?;
            set_mode(&whole, 0o755)?;
        }
    }
    Ok(())
}

fn set_mode(path: &Path, mode: u32) -> Outcome {
    Ok(fs::set_permissions(path, Permissions::from_mode(mode))?)
}
