//! Keeps `ARCHITECTURE.md` true: its diagram of the crates must have the dependencies that the manifests have, and the
//! list of decisions must have the pages of its folder.

use std::collections::BTreeSet;

use crate::shell::root;

/// A dependency of the first crate on the second, both by the names that the diagram has.
type Edge = (String, String);

/// The name of a crate in the diagram: that of its folder. `None` if the crate is not one of Croft's.
fn drawn_name(package: &str) -> Option<String> {
    if package == "croft" {
        Some("server".to_owned())
    } else {
        package.strip_prefix("croft-").map(str::to_owned)
    }
}

/// The edges of the Mermaid diagrams in `page`: each line `a --> b & c` says that `a` depends on `b` and `c`.
fn drawn(page: &str) -> BTreeSet<Edge> {
    let mut is_diagram = false;
    let mut edges = BTreeSet::new();
    for line in page.lines().map(str::trim) {
        if line.starts_with("```") {
            is_diagram = line == "```mermaid";
        } else if is_diagram && let Some((from, to)) = line.split_once("-->") {
            edges.extend(to.split('&').map(|to| (from.trim().to_owned(), to.trim().to_owned())));
        }
    }
    edges
}

/// What a manifest says: the edges from its crate to others of Croft's, for every target, but not those of tests alone.
fn declared(manifest: &str) -> BTreeSet<Edge> {
    let manifest: toml::Table = manifest.parse().unwrap();
    let from = drawn_name(manifest["package"]["name"].as_str().unwrap());
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let tables = targets.into_iter().flat_map(|targets| targets.values()).filter_map(toml::Value::as_table);
    std::iter::once(&manifest)
        .chain(tables)
        .flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| table.get(kind)))
        .flatten()
        .filter_map(toml::Value::as_table)
        .flat_map(|dependencies| dependencies.keys())
        .filter_map(|name| Some((from.clone()?, drawn_name(name)?)))
        .collect()
}

/// The edges that all manifests of the workspace declare.
fn manifests() -> BTreeSet<Edge> {
    let crates = root().join("crates").read_dir().unwrap().map(|entry| entry.unwrap().path());
    crates
        .chain([root().join("bench"), root().join("xtask")])
        .flat_map(|folder| declared(&std::fs::read_to_string(folder.join("Cargo.toml")).unwrap()))
        .collect()
}

/// One line for each edge.
fn lines<'a>(edges: impl Iterator<Item = &'a Edge>) -> String {
    edges.map(|(from, to)| format!("{from} --> {to}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_diagram_has_the_dependencies_of_the_manifests() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (drawn, declared) = (drawn(&page), manifests());
    assert!(declared.len() > 20, "the manifests were not found");
    let (missing, stale) = (lines(declared.difference(&drawn)), lines(drawn.difference(&declared)));
    assert!(
        missing.is_empty() && stale.is_empty(),
        "the diagram in ARCHITECTURE.md differs from the manifests\n\nadd:\n{missing}\n\nremove:\n{stale}"
    );
}

#[test]
fn the_architecture_fits_on_250_lines() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(page.lines().count() <= 250, "move what ARCHITECTURE.md decides to docs/decisions");
}

#[test]
fn the_list_of_decisions_has_every_page() {
    let folder = root().join("docs/decisions");
    let list = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut listed: Vec<String> = list
        .lines()
        .filter_map(|line| Some(line.strip_prefix("- [")?.strip_suffix(')')?.rsplit_once('(')?.1.to_owned()))
        .collect();
    let mut pages: Vec<String> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "README.md")
        .collect();
    listed.sort();
    pages.sort();
    assert_eq!(listed, pages, "docs/decisions/README.md lists each page once");
    for page in pages {
        let text = std::fs::read_to_string(folder.join(&page)).unwrap();
        assert!(text.starts_with(&format!("# {}. ", &page[..4])), "{page} begins with another number");
        for heading in ["## Context", "## Decision", "## Consequences"] {
            assert!(text.lines().any(|line| line == heading), "{page} has no {heading:?}");
        }
    }
}

#[test]
fn a_missing_and_a_stale_dependency_are_found() {
    let page = "a --> x\n```mermaid\ngraph LR\n  http --> api & gone\n```\n";
    let manifest = "[package]\nname = 'croft-http'\n[dependencies]\ncroft-api.workspace = true\nhttp = '1'\n\
                    [target.'cfg(unix)'.dependencies]\ncroft-store = { path = '../store' }\n\
                    [dev-dependencies]\ncroft-tuf.workspace = true\n";
    let (drawn, declared) = (drawn(page), declared(manifest));
    assert_eq!(lines(declared.difference(&drawn)), "http --> store");
    assert_eq!(lines(drawn.difference(&declared)), "http --> gone");
}

#[test]
fn the_server_is_drawn_by_the_name_of_its_folder() {
    assert_eq!(drawn_name("croft"), Some("server".to_owned()));
    assert_eq!(drawn_name("croft-api"), Some("api".to_owned()));
    assert_eq!(drawn_name("serde"), None);
}
