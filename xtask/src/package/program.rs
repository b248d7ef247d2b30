//! The program as it is built for release, and the libraries of the system that it needs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::shell::{announce, capture, command};

/// The built program.
pub(super) struct Program {
    pub(super) content: Vec<u8>,
    /// The newest version of the C library that it asks for.
    glibc: String,
    /// Whether it needs the compiler's library that unwinds stacks.
    unwinds: bool,
    /// The libraries, and the loader, by the paths where programs look for them.
    pub(super) libraries: Vec<PathBuf>,
}

impl Program {
    /// Looks at a program and prints what it needs.
    pub(super) fn look(path: &Path) -> Outcome<Self> {
        let content = fs::read(path).context(format!("cannot read {}", path.display()))?;
        let libraries = linked(&capture(command("ldd").arg(path))?);
        let headers = capture(command("objdump").args(["--private-headers"]).arg(path))?;
        let needed = needed(&headers);
        let glibc =
            glibc(&headers).ok_or_else(|| Failure::new("the program asks for no version of glibc"))?;
        announce(&format!(
            "The program has {} bytes and needs glibc {glibc} with {}; all else is in it.",
            content.len(),
            needed.join(", ")
        ));
        if let Some(other) = needed.iter().find(|name| !is_known(name)) {
            return Err(Failure::new(format!(
                "the program needs {other}, of which the package does not know where it comes from"
            )));
        }
        let unwinds = needed.contains(&UNWINDER);
        Ok(Self { content, glibc, unwinds, libraries })
    }

    /// Debian's packages with the libraries.
    pub(super) fn dependencies(&self) -> String {
        let unwinder = if self.unwinds { ", libgcc-s1" } else { "" };
        format!("libc6 (>= {}){unwinder}", self.glibc)
    }
}

const UNWINDER: &str = "libgcc_s.so.1";

/// Whether a library is the unwinder, or a part of the C library.
fn is_known(name: &str) -> bool {
    name == UNWINDER || ["libc.so.", "libm.so.", "ld-linux"].iter().any(|start| name.starts_with(start))
}

/// The names that stand behind NEEDED in what objdump prints.
pub(super) fn needed(headers: &str) -> Vec<&str> {
    headers.lines().filter_map(|line| line.trim().strip_prefix("NEEDED")).map(str::trim).collect()
}

/// The newest version of glibc that objdump prints.
pub(super) fn glibc(headers: &str) -> Option<String> {
    let versions = headers.split_whitespace().filter_map(|word| word.strip_prefix("GLIBC_"));
    let numbers = |version: &&str| -> Option<Vec<u32>> {
        version.split('.').map(|number| number.parse().ok()).collect()
    };
    versions.filter(|version| numbers(version).is_some()).max_by_key(numbers).map(str::to_owned)
}

/// The paths that ldd prints, with the loader's.
pub(super) fn linked(printed: &str) -> Vec<PathBuf> {
    let paths = printed.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')));
    paths.map(PathBuf::from).collect()
}
