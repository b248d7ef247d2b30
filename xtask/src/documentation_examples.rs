//! Sees to it that examples in the documentation are run: most crates have none, and building all of them for the
//! examples of one takes minutes, so those crates say `doctest = false`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::root;

/// Words behind the opening of a block that rustdoc does not run.
const NOT_RUN: [&str; 7] = ["text", "json", "sh", "toml", "sql", "ignore", "compile_fail"];

/// The lines of Rust source at which an example begins that rustdoc would run.
fn examples(source: &str) -> Vec<usize> {
    let mut examples = Vec::new();
    let mut is_open = false;
    for (index, line) in source.lines().enumerate() {
        let line = line.trim_start();
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            is_open = false;
            continue;
        };
        let Some(language) = text.trim().strip_prefix("```") else { continue };
        if !is_open && !NOT_RUN.contains(&language) {
            examples.push(index + 1);
        }
        is_open = !is_open;
    }
    examples
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn examples_are_told_from_other_blocks() {
    let source = "/// ```\n/// let a = 1;\n/// ```\nfn a() {}\n//! ```text\n//! a -> b\n//! ```\n//! ```no_run\n//! ```\n";
    assert_eq!(examples(source), [1, 8]);
}

#[test]
fn every_example_is_run() {
    let mut missed = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        if !manifest.contains("doctest = false") {
            continue;
        }
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files {
            let lines = examples(&fs::read_to_string(&file).unwrap());
            missed.extend(lines.iter().map(|line| format!("{}:{line}", file.display())));
        }
    }
    assert_eq!(missed, [""; 0], "examples in crates whose manifest says `doctest = false`");
}
