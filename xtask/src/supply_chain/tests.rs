use jiff::civil::{Date, date};
use serde_json::json;

use super::advisories::Snapshot;
use super::package::{self, Package, Registry};
use super::policy::Policy;
use super::{doubt, problems, problems_of_repository, today};

const TODAY: Date = date(2026, 6, 1);

const POLICY: &str = r#"
[licences]
allowed = ["MIT", "Apache-2.0"]
allowed_unshipped = ["CC0-1.0"]

[[banned]]
package = "cargo:banned"
reason = "there is a better one"

[[banned]]
package = "cargo:for-tests"
shipped_only = true
reason = "it is for tests alone"

[[accepted]]
advisory = "RUSTSEC-2000-0001"
until = "2026-06-01"
reason = "It does no harm here."
"#;

/// A lock file with `packages` (name, source, checksum), and the metadata of a program that uses all of them.
fn cargo_packages(packages: &[(&str, &str, bool)], licence: &str, kind: Option<&str>) -> Vec<Package> {
    use std::fmt::Write as _;

    let mut lock = String::from("version = 4\n[[package]]\nname = \"program\"\nversion = \"0.1.0\"\n");
    let mut about = vec![json!({ "id": "program", "name": "program", "version": "0.1.0", "license": "MIT" })];
    let mut dependencies = Vec::new();
    for (name, source, checksum) in packages {
        let checksum = if *checksum { "checksum = \"00\"\n" } else { "" };
        write!(
            lock,
            "[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\nsource = \"{source}\"\n{checksum}"
        )
        .unwrap();
        about.push(json!({ "id": name, "name": name, "version": "1.0.0", "license": licence }));
        dependencies.push(json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] }));
    }
    let metadata = json!({ "packages": about, "workspace_members": ["program"],
        "resolve": { "nodes": [{ "id": "program", "deps": dependencies }] } });
    package::of_cargo(&lock, &metadata.to_string(), &["program"]).unwrap()
}

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn npm_packages(entry: serde_json::Value) -> Vec<Package> {
    let lock = json!({ "packages": {
        "": { "name": "console", "version": "0.1.0", "license": "MIT" },
        "node_modules/@scope/used": entry,
    } });
    package::of_npm(&lock.to_string(), true).unwrap()
}

fn snapshots() -> Vec<(Registry, Snapshot)> {
    let snapshot = |advisories| {
        let snapshot =
            json!({ "source": "a test", "taken": "2026-06-01", "complete": true, "advisories": advisories });
        serde_json::from_value(snapshot).unwrap()
    };
    let cargo = json!([
        { "id": "RUSTSEC-2000-0001", "package": "tolerated", "kind": "unsound" },
        { "id": "RUSTSEC-2000-0002", "package": "leaky", "kind": "vulnerability", "unaffected": [">=1.0.1"] },
        { "id": "RUSTSEC-2000-0003", "package": "repaired", "kind": "vulnerability", "unaffected": [">=1.0.0"] },
    ]);
    let npm = json!([{ "id": "GHSA-aaaa-bbbb-cccc", "package": "@scope/used", "kind": "high", "affected": ["<2.0.0"] }]);
    vec![(Registry::Cargo, snapshot(cargo)), (Registry::Npm, snapshot(npm))]
}

/// The problems of `packages` and of one that has the advisory which the policy accepts.
fn problems_of(packages: Vec<Package>) -> Vec<String> {
    let mut packages = packages;
    packages.extend(cargo_packages(&[("tolerated", CRATES_IO, true)], "MIT", None));
    problems(&packages, &toml::from_str::<Policy>(POLICY).unwrap(), &snapshots(), TODAY)
}

#[test]
fn the_lock_files_of_the_repository_pass() {
    assert_eq!(problems_of_repository(today()).unwrap(), Vec::<String>::new());
}

#[test]
fn a_package_of_the_registry_with_an_allowed_licence_passes() {
    assert!(problems_of(cargo_packages(&[("fine", CRATES_IO, true)], "MIT/Apache-2.0", None)).is_empty());
    assert!(
        problems_of(cargo_packages(&[("fine", CRATES_IO, true)], "MIT OR GPL-3.0-only", None)).is_empty()
    );
}

#[test]
fn a_forbidden_licence_is_told() {
    let found = problems_of(cargo_packages(&[("used", CRATES_IO, true)], "MIT AND GPL-3.0-only", None));
    assert_eq!(found, ["cargo:used 1.0.0: its licence MIT AND GPL-3.0-only is not allowed"]);
    let found = problems_of(npm_packages(json!({ "version": "3.0.0", "integrity": "sha512-x" })));
    assert_eq!(found, ["npm:@scope/used 3.0.0: states no licence"]);
    let found = problems_of(npm_packages(
        json!({ "version": "3.0.0", "integrity": "sha512-x", "license": "SEE LICENSE" }),
    ));
    assert!(found[0].contains("is not an SPDX expression"), "{found:?}");
}

#[test]
fn some_licences_are_allowed_for_builds_and_tests_alone() {
    let used = [("used", CRATES_IO, true)];
    assert_eq!(problems_of(cargo_packages(&used, "CC0-1.0", None)).len(), 1);
    assert!(problems_of(cargo_packages(&used, "CC0-1.0", Some("dev"))).is_empty());
}

#[test]
fn a_source_beside_the_registry_is_told() {
    let git = "git+https://example.org/used#0123";
    let found = problems_of(cargo_packages(&[("used", git, true)], "MIT", None));
    assert_eq!(found, [format!("cargo:used 1.0.0: comes from {git}, not from the public registry")]);
    let mirror = "registry+https://mirror.example.org/index";
    assert_eq!(problems_of(cargo_packages(&[("used", mirror, true)], "MIT", None)).len(), 1);
    assert_eq!(problems_of(cargo_packages(&[("used", CRATES_IO, false)], "MIT", None)).len(), 1);

    for entry in [
        json!({ "version": "3.0.0", "license": "MIT" }),
        json!({ "version": "3.0.0", "license": "MIT", "link": true, "resolved": "../used" }),
        json!({ "version": "3.0.0", "license": "MIT", "integrity": "x", "resolved": "https://mirror.example.org/used.tgz" }),
        json!({ "version": "3.0.0", "license": "MIT", "resolved": "git+ssh://git@example.org/used.git#0123" }),
    ] {
        let found = problems_of(npm_packages(entry));
        assert!(found.len() == 1 && found[0].contains("comes from"), "{found:?}");
    }
}

#[test]
fn a_banned_package_is_told() {
    let found = problems_of(cargo_packages(&[("banned", CRATES_IO, true)], "MIT", Some("dev")));
    assert_eq!(found, ["cargo:banned 1.0.0: is banned: there is a better one"]);
    let for_tests = [("for-tests", CRATES_IO, true)];
    assert_eq!(problems_of(cargo_packages(&for_tests, "MIT", None)).len(), 1);
    assert!(problems_of(cargo_packages(&for_tests, "MIT", Some("dev"))).is_empty());
}

#[test]
fn an_advisory_is_told() {
    let used = [("leaky", CRATES_IO, true), ("repaired", CRATES_IO, true)];
    let found = problems_of(cargo_packages(&used, "MIT", Some("build")));
    assert_eq!(found, ["cargo:leaky 1.0.0: RUSTSEC-2000-0002 (vulnerability)"]);
    let entry = |version| json!({ "version": version, "license": "MIT", "integrity": "sha512-x" });
    assert_eq!(
        problems_of(npm_packages(entry("1.9.9"))),
        ["npm:@scope/used 1.9.9: GHSA-aaaa-bbbb-cccc (high)"]
    );
    assert!(problems_of(npm_packages(entry("2.0.0"))).is_empty());
}

#[test]
fn an_acceptance_ends_and_must_be_needed() {
    let policy: Policy = toml::from_str(POLICY).unwrap();
    let packages = cargo_packages(&[("tolerated", CRATES_IO, true)], "MIT", None);
    let found = problems(&packages, &policy, &snapshots(), date(2026, 6, 2));
    assert_eq!(found, ["cargo:tolerated 1.0.0: RUSTSEC-2000-0001 (unsound) was accepted until 2026-06-01"]);
    let found = problems(&[], &policy, &snapshots(), TODAY);
    assert_eq!(
        found,
        [format!("RUSTSEC-2000-0001: {} accepts it, but it applies to nothing", super::POLICY)]
    );
}

#[test]
fn an_old_or_incomplete_snapshot_is_doubted() {
    let [(_, mut snapshot), _] = <[_; 2]>::try_from(snapshots()).ok().unwrap();
    assert_eq!(doubt(&snapshot, TODAY), None);
    assert!(doubt(&snapshot, date(2026, 8, 1)).unwrap().contains("taken on 2026-06-01"));
    snapshot.complete = false;
    assert!(doubt(&snapshot, TODAY).unwrap().contains("incomplete"));
}
