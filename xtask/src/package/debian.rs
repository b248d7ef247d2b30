//! The Debian package.

use std::path::{Path, PathBuf};

use super::tree::Tree;
use super::{Release, read, text};
use crate::failure::{Context, Outcome};
use crate::shell::{capture, command, run};

/// Where the papers are.
const PAPERS: &str = "usr/share/doc/croft";

/// Builds the package under a version, and answers its path.
pub(super) fn build(release: &Release, version: &str, folder: &Path) -> Outcome<PathBuf> {
    let mut tree = Tree::default();
    tree.add("usr/bin/croft", 0o755, release.program.content.clone());
    tree.add("usr/lib/systemd/system/croft.service", 0o644, read("packaging/systemd/croft.service")?);
    tree.add("etc/croft/croft.toml", 0o640, read("packaging/croft.toml")?);
    tree.add_folder("etc/croft", 0o750);
    tree.add(&format!("{PAPERS}/README.md"), 0o644, read("packaging/README.md")?);
    tree.add(&format!("{PAPERS}/copyright"), 0o644, copyright()?.into_bytes());
    tree.add(&format!("{PAPERS}/third-party-notices"), 0o644, release.notices.clone());
    tree.add(&format!("{PAPERS}/croft.cdx.json"), 0o644, release.sbom.clone());
    let example = format!("{PAPERS}/examples/unprivileged.conf");
    tree.add(&example, 0o644, read("packaging/systemd/unprivileged.conf")?);
    let control = control(&text("packaging/debian/control")?, release, version, tree.kibibytes());

    let staged = folder.join("work/debian");
    tree.write(&staged)?;
    let sums = sums(&staged)?;
    tree.add("DEBIAN/control", 0o644, control.into_bytes());
    tree.add("DEBIAN/conffiles", 0o644, b"/etc/croft/croft.toml\n".to_vec());
    tree.add("DEBIAN/md5sums", 0o644, sums.into_bytes());
    for script in ["postinst", "prerm", "postrm"] {
        tree.add(&format!("DEBIAN/{script}"), 0o755, read(&format!("packaging/debian/{script}"))?);
    }
    tree.write(&staged)?;
    let path = folder.join(format!("croft_{version}_{}.deb", release.architecture));
    let mut dpkg = command("dpkg-deb");
    // With several threads the result would depend on how many there are.
    dpkg.args(["--root-owner-group", "--threads-max=1", "-Zxz", "--build"]);
    run(dpkg.arg(&staged).arg(&path).env("SOURCE_DATE_EPOCH", &release.epoch))?;
    Ok(path)
}

fn control(template: &str, release: &Release, version: &str, kibibytes: usize) -> String {
    filled(
        template,
        &[
            ("VERSION", version),
            ("ARCHITECTURE", &release.architecture),
            ("SIZE", &kibibytes.to_string()),
            ("LIBRARIES", &release.program.dependencies()),
        ],
    )
}

/// The copyright file with the text of the license that Debian does not have everywhere.
fn copyright() -> Outcome<String> {
    let license = text("LICENSE-MIT")?;
    let indented: Vec<String> = license
        .lines()
        .map(|line| if line.is_empty() { " .".to_owned() } else { format!(" {line}") })
        .collect();
    Ok(filled(&text("packaging/debian/copyright")?, &[("MIT", &indented.join("\n"))]))
}

/// A text with values in the place of `@NAME@`.
pub(super) fn filled(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

/// The checksums of all files, as `dpkg --verify` reads them.
fn sums(staged: &Path) -> Outcome<String> {
    let mut find = command("sh");
    find.current_dir(staged)
        .args(["-c", "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 md5sum"]);
    capture(&mut find).context("cannot make the checksums of the package")
}
