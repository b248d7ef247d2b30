//! Settings of the host's own links that are changed while guests pass by them, and put back when they no longer do.
//!
//! What they were is recorded before they are changed, below `/run`: a host that starts anew has its settings anew.

use std::{collections::BTreeMap, fmt::Write as _, fs, io, path::PathBuf};

use super::{super::files, commands::Namespace, names::Owner, service::folder_of};

/// What was changed, by the path below `/proc/sys/net`.
pub(super) struct Switches {
    file: PathBuf,
    changed: BTreeMap<String, Change>,
}

/// What a setting was before, and what it was set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    before: i64,
    after: i64,
}

impl Switches {
    /// What a server of this owner changed and did not put back.
    pub(super) fn of(owner: Owner) -> Self {
        let file = folder_of(owner).join("switches");
        Self { changed: read(&fs::read_to_string(&file).unwrap_or_default()), file }
    }

    /// What a setting was before it was changed; `None` if it was not.
    pub(super) fn before(&self, path: &str) -> Option<i64> {
        self.changed.get(path).map(|change| change.before)
    }

    /// Has these settings be in force, in their order, and those that were changed earlier be what they were. Who changed
    /// one since then has the last word. Settings that the host does not have are left out.
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
        // Both are recorded until all of it is done, and then what remains.
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

/// What a file says. Lines that cannot be understood are left out.
fn read(text: &str) -> BTreeMap<String, Change> {
    let change = |line: &str| {
        let mut words = line.split(' ');
        let (path, before, after) = (words.next()?, words.next()?, words.next()?);
        Some((path.to_owned(), Change { before: before.parse().ok()?, after: after.parse().ok()? }))
    };
    text.lines().filter_map(change).collect()
}

/// What a file is to say.
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
