//! Debian's packages, unpacked into a folder without being installed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::requirements::apt_update;
use crate::shell::{capture, command, run, succeeds};

/// Depends on the newest kernel for virtual machines.
const KERNEL: &str = "linux-image-cloud-amd64";
/// What makes up the guest beside its kernel, and what makes its disk bootable.
const OTHERS: [&str; 5] = ["busybox-static", "syslinux", "syslinux-common", "mtools", "dosfstools"];

/// Where the packages were unpacked.
pub struct Unpacked {
    root: PathBuf,
}

impl Unpacked {
    /// Downloads and unpacks everything below `folder`.
    pub fn below(folder: &Path) -> Outcome<Self> {
        let kernel = kernel_package()?;
        let mut packages = vec![kernel.as_str()];
        packages.extend(OTHERS);
        let downloads = folder.join("packages");
        fs::create_dir_all(&downloads)?;
        download(&packages, &downloads)?;
        let root = folder.join("unpacked");
        for package in fs::read_dir(&downloads)? {
            run(command("dpkg-deb").arg("--extract").arg(package?.path()).arg(&root))?;
        }
        Ok(Self { root })
    }

    /// The one path that a package put at `path`, in which the last part may be only a beginning.
    pub fn path(&self, path: &str) -> Outcome<PathBuf> {
        let whole = self.root.join(path);
        let (folder, start) = (whole.parent().unwrap_or(&self.root), whole.file_name().unwrap_or_default());
        let found = fs::read_dir(folder)?
            .filter_map(Result::ok)
            .find(|entry| entry.file_name().as_encoded_bytes().starts_with(start.as_encoded_bytes()));
        found.map(|entry| entry.path()).ok_or_else(|| {
            Failure::new(format!("Debian's packages have no {path}; this program must be adapted"))
        })
    }

    /// Folders with programs that call each other, for PATH.
    pub fn programs(&self) -> String {
        let own = ["usr/bin", "sbin", "usr/sbin"].map(|folder| self.root.join(folder).display().to_string());
        let mut all = own.to_vec();
        all.extend(["/usr/sbin", "/sbin", "/usr/bin", "/bin"].map(str::to_owned));
        all.join(":")
    }
}

fn kernel_package() -> Outcome<String> {
    let query = || capture(command("apt-cache").args(["depends", KERNEL]));
    let mut answer = query().unwrap_or_default();
    if answer.is_empty() {
        apt_update()?;
        answer = query()?;
    }
    answer
        .lines()
        .find_map(|line| line.trim().strip_prefix("Depends: "))
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(format!("the package {KERNEL} does not say which kernel it stands for")))
}

fn download(packages: &[&str], folder: &Path) -> Outcome {
    let mut apt = command("apt-get");
    // The sandbox's own user could not write into a folder of ours.
    apt.current_dir(folder).args(["--option", "APT::Sandbox::User=", "download"]).args(packages);
    if succeeds(&mut apt)? {
        return Ok(());
    }
    apt_update()?;
    run(&mut apt)
}
