//! Settings of the host's own links that are changed while guests use the links, and restored afterwards.
//!
//! The old values are recorded below `/run` before they are changed. A reboot resets both.

use std::{collections::BTreeMap, fmt::Write as _, fs, io, path::PathBuf};

use super::{super::files, commands::Namespace, names::Owner, service::folder_of};

/// The changed settings, by path below `/proc/sys/net`.
pub(super) struct Switches {
    file: PathBuf,
    changed: BTreeMap<String, Change>,
}

/// The value of a setting before the change, and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    before: i64,
    after: i64,
}

impl Switches {
    /// The recorded changes of this owner's servers.
    pub(super) fn of(owner: Owner) -> Self {
        let file = folder_of(owner).join("switches");
        Self { changed: read(&fs::read_to_string(&file).unwrap_or_default()), file }
    }

    /// The original value of a setting; `None` if it was not changed.
    pub(super) fn before(&self, path: &str) -> Option<i64> {
        self.changed.get(path).map(|change| change.before)
    }

    /// Applies these settings in order, and restores those that were changed earlier and are not among them. A setting
    /// that somebody else has changed since is not restored. Settings that do not exist are skipped.
    pub(super) fn set(mut self, host: Namespace<'_>, wanted: &BTreeMap<String, i64>) -> io::Result<()> {
        let mut lines = Vec::new();
        let earlier = std::mem::take(&mut self.changed);
        for (path, after) in wanted {
            let Some(current) = host.setting(path)? else { continue };
            let before = earlier.get(path).map_or(current, |change| change.before);
            if before != *after {
                self.changed.insert(path.clone(), Change { before, after: *after });
            }
            if current != *after {
                lines.push(format!("{path}={after}"));
            }
        }
        let mut dropped = self.changed.clone();
        for (path, change) in earlier.into_iter().filter(|(path, _)| !wanted.contains_key(path)) {
            if host.setting(&path)? == Some(change.after) {
                lines.push(format!("{path}={}", change.before));
                dropped.insert(path, change);
            }
        }
        // Old and new records are kept until all settings are applied, then only the new.
        self.keep(&dropped)?;
        if !lines.is_empty() {
            host.settings(&lines.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        self.keep(&self.changed)
    }

    fn keep(&self, changed: &BTreeMap<String, Change>) -> io::Result<()> {
        let text = write(changed);
        if fs::read_to_string(&self.file).unwrap_or_default() == text {
            return Ok(());
        }
        fs::create_dir_all(self.file.parent().unwrap_or(&self.file))?;
        files::replace(&self.file, text.as_bytes())
    }
}

/// Parses a file. Invalid lines are ignored.
fn read(text: &str) -> BTreeMap<String, Change> {
    let change = |line: &str| {
        let mut words = line.split(' ');
        let (path, before, after) = (words.next()?, words.next()?, words.next()?);
        Some((path.to_owned(), Change { before: before.parse().ok()?, after: after.parse().ok()? }))
    };
    text.lines().filter_map(change).collect()
}

/// The content of a file.
fn write(changed: &BTreeMap<String, Change>) -> String {
    let mut text = String::new();
    for (path, Change { before, after }) in changed {
        let _ = writeln!(text, "{path} {before} {after}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qemu::golden;

    #[test]
    fn changed_settings_of_every_version_are_read() {
        let changed = BTreeMap::from([
            ("ipv4/ip_forward".to_owned(), Change { before: 0, after: 1 }),
            ("ipv6/conf/eth0/accept_ra".to_owned(), Change { before: 1, after: 2 }),
        ]);
        for (version, text) in golden::texts("switches", &write(&changed)) {
            assert_eq!(read(&text), changed, "version {version}");
        }
        assert_eq!(read("what/nobody knows\n"), BTreeMap::new());
    }
}
