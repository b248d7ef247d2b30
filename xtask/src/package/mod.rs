//! What people install: a Debian package, a tarball and a container image, with their checksums and a list of what is in them.

mod debian;
mod image;
mod notices;
mod program;
mod sbom;
pub mod test;
#[cfg(test)]
mod tests;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use crate::console;
use crate::failure::{Context, Outcome};
use crate::requirements::{C_TOOLS, install};
use crate::shell::{announce, capture, command, root, target_directory};
use crate::test::release_program;
use program::Program;
use tree::Tree;

/// What all packages have in common.
struct Release {
    version: String,
    /// Debian's name of the processor.
    architecture: String,
    /// The time of everything in the packages, in seconds: that of the commit, so that they can be made again.
    epoch: String,
    program: Program,
    notices: Vec<u8>,
    sbom: Vec<u8>,
}

/// Builds everything and writes it to `target/package`.
pub fn package() -> Outcome {
    let release = release()?;
    let folder = target_directory().join("package");
    fresh(&folder)?;
    let mut files = vec![debian::build(&release, &release.version, &folder)?];
    files.push(tarball(&release, &folder)?);
    files.extend(image::build(&release, &folder)?);
    let sbom = folder.join(format!("croft-{}.cdx.json", release.version));
    fs::write(&sbom, &release.sbom)?;
    files.push(sbom);
    checksums(&folder, &files)?;
    announce(&format!("The packages are in {}:", folder.display()));
    for file in &files {
        let size = fs::metadata(file)?.len();
        println!("{size:>10}  {}", name_of(file));
    }
    Ok(())
}

/// Builds the program and collects what is in it.
fn release() -> Outcome<Release> {
    install(&[C_TOOLS])?;
    console::build()?;
    release_program()?;
    announce("Collecting what the program is made of.");
    let parts = sbom::parts()?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let epoch = epoch()?;
    Ok(Release {
        architecture: capture(command("dpkg").arg("--print-architecture"))?.trim().to_owned(),
        program: Program::look(&target_directory().join("release/croft"))?,
        notices: notices::of(&parts)?,
        sbom: sbom::document(&parts, &version, &epoch)?,
        version,
        epoch,
    })
}

/// `SOURCE_DATE_EPOCH`, or the time of the commit.
fn epoch() -> Outcome<String> {
    match std::env::var_os("SOURCE_DATE_EPOCH").and_then(|set| set.into_string().ok()) {
        Some(set) => Ok(set),
        None => Ok(capture(command("git").args(["log", "-1", "--format=%ct"]))?.trim().to_owned()),
    }
}

/// The program with its unit, its configuration and its papers, for systems without Debian's packages.
fn tarball(release: &Release, folder: &Path) -> Outcome<PathBuf> {
    let name = format!("croft-{}-linux-{}", release.version, release.architecture);
    let mut tree = Tree::default();
    tree.add(&format!("{name}/croft"), 0o755, release.program.content.clone());
    for (file, source) in [
        ("croft.toml", "packaging/croft.toml"),
        ("croft.service", "packaging/systemd/croft.service"),
        ("unprivileged.conf", "packaging/systemd/unprivileged.conf"),
        ("README.md", "packaging/README.md"),
        ("LICENSE-MIT", "LICENSE-MIT"),
        ("LICENSE-APACHE", "LICENSE-APACHE"),
    ] {
        tree.add(&format!("{name}/{file}"), 0o644, read(source)?);
    }
    tree.add(&format!("{name}/third-party-notices"), 0o644, release.notices.clone());
    let path = folder.join(format!("{name}.tar.gz"));
    tree::compress(&tree.archive(&folder.join("work/tarball"), &release.epoch)?, &path)?;
    Ok(path)
}

/// Writes the checksums of files beside them, as `sha256sum --check` reads them.
fn checksums(folder: &Path, files: &[PathBuf]) -> Outcome {
    let mut sums = command("sha256sum");
    sums.current_dir(folder).args(files.iter().map(|file| name_of(file)));
    fs::write(folder.join("SHA256SUMS"), capture(&mut sums)?)?;
    fs::remove_dir_all(folder.join("work")).context("cannot remove what the packages were made from")
}

/// The SHA-256 of a file, in hexadecimal.
fn sha256(path: &Path) -> Outcome<String> {
    let printed = capture(command("sha256sum").arg(path))?;
    Ok(printed.split(' ').next().unwrap_or_default().to_owned())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file of the repository.
fn read(path: &str) -> Outcome<Vec<u8>> {
    fs::read(root().join(path)).context(format!("cannot read {path}"))
}

/// A file of the repository that is text.
fn text(path: &str) -> Outcome<String> {
    fs::read_to_string(root().join(path)).context(format!("cannot read {path}"))
}

/// An empty folder.
fn fresh(folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    Ok(())
}
