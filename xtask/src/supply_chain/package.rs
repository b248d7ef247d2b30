//! The packages that the lock files name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use semver::Version;
use serde::Deserialize;
use serde_json::Value;

use crate::failure::{Context, Outcome};

/// Where packages are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registry {
    Cargo,
    Npm,
}

/// Where a package comes from.
#[derive(Debug, PartialEq, Eq)]
pub enum Source {
    /// This repository.
    Workspace,
    /// The public registry, with a checksum in the lock file.
    Registry,
    /// Anywhere else; says where.
    Other(String),
}

/// One version of a package.
#[derive(Debug)]
pub struct Package {
    pub registry: Registry,
    pub name: String,
    pub version: Version,
    /// What its metadata states as its licence.
    pub licence: Option<String>,
    pub source: Source,
    /// Its checksum, as the lock file has it.
    pub checksum: Option<String>,
    /// Where its files are, once it is fetched.
    pub folder: PathBuf,
    /// Whether it is part of what people install, rather than of builds and tests.
    pub shipped: bool,
}

impl Package {
    /// Its name as the policy writes it.
    pub fn key(&self) -> String {
        let registry = match self.registry {
            Registry::Cargo => "cargo",
            Registry::Npm => "npm",
        };
        format!("{registry}:{}", self.name)
    }
}

/// The packages in `lock`, the text of a Cargo.lock; `metadata` is what `cargo metadata` says about them.
///
/// Shipped is what the packages named `roots` depend on otherwise than for builds and tests.
pub fn of_cargo(lock: &str, metadata: &str, roots: &[&str]) -> Outcome<Vec<Package>> {
    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    #[derive(Deserialize)]
    struct Lock {
        package: Vec<Locked>,
    }
    #[derive(Deserialize)]
    struct Locked {
        name: String,
        version: Version,
        source: Option<String>,
        checksum: Option<String>,
    }

    let lock: Lock = toml::from_str(lock).context("Cargo.lock")?;
    let metadata: Metadata = serde_json::from_str(metadata).context("what cargo metadata printed")?;
    let shipped = metadata.reachable(roots);
    let about: BTreeMap<_, _> = metadata
        .packages
        .iter()
        .map(|package| ((package.name.as_str(), &package.version), package))
        .collect();
    let packages = lock.package.into_iter().map(|locked| {
        let about = about.get(&(locked.name.as_str(), &locked.version)).copied();
        let checksum = locked.checksum;
        let source = match (locked.source, &checksum) {
            (Some(source), Some(_)) if source == CRATES_IO => Source::Registry,
            (Some(source), Some(_)) => Source::Other(source),
            (Some(source), None) => Source::Other(format!("{source} without a checksum")),
            (None, _) if about.is_some_and(|about| metadata.workspace_members.contains(&about.id)) => {
                Source::Workspace
            }
            (None, _) => Source::Other("a folder outside of the workspace".to_owned()),
        };
        Package {
            registry: Registry::Cargo,
            licence: about.and_then(|about| about.license.clone()),
            shipped: about.is_some_and(|about| shipped.contains(about.id.as_str())),
            folder: about.and_then(|about| about.manifest_path.parent()).unwrap_or(Path::new("")).to_owned(),
            name: locked.name,
            version: locked.version,
            source,
            checksum,
        }
    });
    Ok(packages.collect())
}

/// The part of `cargo metadata` that is looked at.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<About>,
    workspace_members: BTreeSet<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct About {
    id: String,
    name: String,
    version: Version,
    license: Option<String>,
    #[serde(default)]
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// `build`, `dev`, or nothing for an ordinary dependency.
    kind: Option<String>,
}

impl Metadata {
    /// The ids of all packages that those named `roots` are made of.
    fn reachable(&self, roots: &[&str]) -> BTreeSet<&str> {
        let nodes: BTreeMap<_, _> = self.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let mut open: Vec<&str> = self
            .packages
            .iter()
            .filter(|package| roots.contains(&package.name.as_str()))
            .map(|package| package.id.as_str())
            .collect();
        let mut found = BTreeSet::new();
        while let Some(id) = open.pop() {
            if found.insert(id)
                && let Some(node) = nodes.get(id)
            {
                let ordinary =
                    |dependency: &&Dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none());
                open.extend(node.deps.iter().filter(ordinary).map(|dependency| dependency.pkg.as_str()));
            }
        }
        found
    }
}

/// The packages in `lock`, the text of a package-lock.json; `shipped` tells whether its folder is shipped at all.
pub fn of_npm(lock: &str, shipped: bool) -> Outcome<Vec<Package>> {
    let lock: Value = serde_json::from_str(lock).context("package-lock.json")?;
    let Some(entries) = lock["packages"].as_object() else { return Ok(Vec::new()) };
    let is = |entry: &Value, field: &str| entry[field] == true;
    entries
        .iter()
        .map(|(path, entry)| {
            let name = path.rsplit("node_modules/").next().unwrap_or(path);
            let version = entry["version"].as_str().unwrap_or("none");
            Ok(Package {
                registry: Registry::Npm,
                name: entry["name"].as_str().unwrap_or(name).to_owned(),
                version: Version::parse(version).context(format!("the version {version:?} of {path:?}"))?,
                licence: entry["license"].as_str().map(str::to_owned),
                source: npm_source(path, entry),
                checksum: entry["integrity"].as_str().map(str::to_owned),
                folder: PathBuf::from(path),
                shipped: shipped && !is(entry, "dev") && !is(entry, "devOptional"),
            })
        })
        .collect()
}

fn npm_source(path: &str, entry: &Value) -> Source {
    const NPM: &str = "https://registry.npmjs.org/";

    if path.is_empty() {
        return Source::Workspace;
    }
    match entry["resolved"].as_str() {
        Some(resolved) if !resolved.starts_with(NPM) => Source::Other(resolved.to_owned()),
        _ if entry["link"] == true || !path.starts_with("node_modules/") => Source::Other(path.to_owned()),
        // What another package carries within itself is covered by that one's checksum.
        _ if entry["integrity"].is_string() || entry["inBundle"] == true => Source::Registry,
        _ => Source::Other("a place without a checksum".to_owned()),
    }
}
