//! Keeps `docs/security.md` honest: every test that its tables name must exist.
//!
//! The last column of each table names tests. Rust tests are written `crate::module::function`; files of tests are paths
//! from the repository's root, and what stands in double quotes after one is part of its text.

use std::path::{Path, PathBuf};

use crate::shell::root;

/// The cells that name tests, with the numbers of their lines. A table names tests if its last heading says so.
fn cells(page: &str) -> Vec<(usize, &str)> {
    let mut names_tests = false;
    let mut cells = Vec::new();
    for (index, line) in page.lines().enumerate() {
        let Some(row) = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
            names_tests = false;
            continue;
        };
        let cell = row.rsplit('|').next().unwrap_or(row).trim();
        if cell == "Test" {
            names_tests = true;
        } else if names_tests {
            cells.push((index + 1, cell));
        }
    }
    cells
}

/// What stands between pairs of `mark`.
fn between(text: &str, mark: char) -> impl Iterator<Item = &str> {
    text.split(mark).skip(1).step_by(2)
}

/// What `cell` names and is not in `sources`, the files of the repository by their paths.
fn missing(cell: &str, sources: &[(PathBuf, String)]) -> Vec<String> {
    let mut missing = Vec::new();
    let mut files = Vec::new();
    for name in between(cell, '`') {
        if name.contains("::") {
            if !sources.iter().any(|(path, text)| has_test(path, text, name)) {
                missing.push(name.to_owned());
            }
        } else if let Some((_, text)) = sources.iter().find(|(path, _)| path == Path::new(name)) {
            files.push(text);
        } else {
            missing.push(name.to_owned());
        }
    }
    for title in between(cell, '"') {
        if !files.iter().any(|text| text.contains(title)) {
            missing.push(format!("{title:?}"));
        }
    }
    missing
}

/// Whether the file at `path` has the Rust test `name`: the function by that name, in a file whose path or modules have
/// the other segments.
fn has_test(path: &Path, text: &str, name: &str) -> bool {
    let mut segments: Vec<&str> = name.split("::").collect();
    let Some(function) = segments.pop() else { return false };
    let stem = path.with_extension("");
    path.extension().is_some_and(|extension| extension == "rs")
        && text.contains(&format!("fn {function}("))
        && segments.iter().all(|segment| {
            stem.components().any(|component| component.as_os_str() == *segment)
                || text.contains(&format!("mod {segment} {{"))
        })
}

/// All Rust and TypeScript sources of the repository, by their paths from its root.
fn sources() -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    let mut open: Vec<PathBuf> =
        ["bench", "console/src", "crates", "e2e/tests", "xtask/src"].map(|folder| root().join(folder)).into();
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|kind| ["rs", "ts", "tsx"].iter().any(|known| kind == *known))
            {
                let text = std::fs::read_to_string(&path).unwrap();
                sources.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    sources
}

#[test]
fn the_tests_that_the_security_page_names_exist() {
    let page = std::fs::read_to_string(root().join("docs/security.md")).unwrap();
    let sources = sources();
    let cells = cells(&page);
    assert!(cells.len() > 100, "the tables were not found");
    let missing: Vec<String> = cells
        .iter()
        .flat_map(|(line, cell)| {
            missing(cell, &sources).into_iter().map(move |name| format!("line {line}: {name}"))
        })
        .collect();
    assert!(missing.is_empty(), "docs/security.md names tests that do not exist:\n{}", missing.join("\n"));
}

#[test]
fn a_test_is_found_by_its_place_and_name() {
    let sources = [
        (
            PathBuf::from("crates/http/tests/http/edge.rs"),
            "#[test]\nfn it_works() {}\nmod inner {\n".to_owned(),
        ),
        (PathBuf::from("console/src/a.test.ts"), "it('adds numbers')".to_owned()),
    ];
    assert!(missing("`http::edge::it_works`, `http::edge::inner::it_works`", &sources).is_empty());
    assert!(missing("`console/src/a.test.ts` \"adds numbers\"", &sources).is_empty());
    assert!(missing("", &sources).is_empty());
    for wrong in [
        "`http::edge::it`",
        "`store::edge::it_works`",
        "`console/src/b.test.ts`",
        "`console/src/a.test.ts` \"subtracts\"",
    ] {
        assert_eq!(missing(wrong, &sources).len(), 1, "{wrong}");
    }
}

#[test]
fn only_columns_of_tests_are_read() {
    let page = "| A | Test |\n|---|---|\n| x | `a::b` |\n\n| A | B |\n|---|---|\n| x | `c::d` |\n";
    assert_eq!(cells(page), [(2, "---"), (3, "`a::b`")]);
}
