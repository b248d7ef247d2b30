//! The licenses of what the program contains, as their authors ask for.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::sbom::Part;
use crate::failure::{Failure, Outcome};

const HEAD: &str = "Croft contains the work of others. Each text below is the license of the packages that are named above it, \
                    as it comes with them; where a package has none, it is the common text of the license that it states.\n";

/// All texts, each once.
pub(super) fn of(parts: &[Part]) -> Outcome<Vec<u8>> {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for Part { package, licence } in parts {
        let mut texts = texts(&package.folder)?;
        if texts.is_empty() {
            texts = common(licence);
        }
        if texts.is_empty() {
            without.push(package.key());
        }
        for text in texts {
            by_text
                .entry(text)
                .or_default()
                .push(format!("{} {} ({licence})", package.name, package.version));
        }
    }
    if !without.is_empty() {
        return Err(Failure::new(format!("no text of their licenses is known: {}", without.join(", "))));
    }
    let mut sections: Vec<(Vec<String>, String)> =
        by_text.into_iter().map(|(text, packages)| (packages, text)).collect();
    sections.sort();
    let mut notices = HEAD.to_owned();
    for (packages, text) in sections {
        let line = "=".repeat(80);
        let _ = write!(notices, "\n{line}\n{}\n{}\n\n{text}\n", packages.join("\n"), "-".repeat(80));
    }
    Ok(notices.into_bytes())
}

/// The texts in a package's folder.
pub(super) fn texts(folder: &Path) -> Outcome<Vec<String>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|path| path.is_file() && is_notice(path));
    files.sort();
    let read = |path| -> Outcome<String> {
        let text = String::from_utf8_lossy(&fs::read(path)?).replace("\r\n", "\n");
        Ok(text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned())
    };
    files.iter().map(read).collect()
}

/// Whether a file is a license or a notice, by its name.
fn is_notice(path: &Path) -> bool {
    const STARTS: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];
    const SOURCES: [&str; 5] = ["rs", "js", "ts", "json", "toml"];
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_source = path.extension().is_some_and(|extension| SOURCES.iter().any(|known| extension == *known));
    STARTS.iter().any(|start| name.starts_with(start)) && !is_source
}

/// The common texts of the licenses that an expression names.
fn common(licence: &str) -> Vec<String> {
    let Ok(expression) = spdx::Expression::parse(licence) else { return Vec::new() };
    let named = expression.requirements().filter_map(|requirement| requirement.req.license.id());
    named.map(|id| id.text().trim_matches('\n').to_owned()).collect()
}
