//! What Croft is built from: licences, sources, banned packages and known advisories of all lock files.
//!
//! The rules are in `supply-chain/policy.toml`. Nothing is asked of the network except what cargo itself needs to read
//! the packages' metadata, so advisories come from snapshots in the repository, which a person takes anew
//! (`cargo xtask advisories`).

mod advisories;
pub mod package;
mod policy;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use self::advisories::Snapshot;
use self::package::{Package, Registry, Source};
use self::policy::Policy;
use crate::failure::{Context, Failure, Outcome};
use crate::shell::{announce, capture, cargo, npm, root};

const POLICY: &str = "supply-chain/policy.toml";
/// What people install; npm packages of the console are within it.
const SHIPPED: &[&str] = &["croft", "croft-preview"];
/// The folders with a package-lock.json, and whether they are shipped.
const NPM_FOLDERS: &[(&str, bool)] = &[("console", true), ("e2e", false)];
/// How old a snapshot may get before the check asks for a new one.
const STALE_AFTER_DAYS: i64 = 60;

/// What `cargo xtask advisories` is asked for.
#[derive(clap::Args)]
pub struct Arguments {
    /// A clone of https://github.com/rustsec/advisory-db to take the advisories of Rust packages from
    #[allow(rustdoc::bare_urls, reason = "the help of the command line is plain text")]
    #[arg(long, value_name = "FOLDER", required_unless_present = "npm")]
    rustsec: Option<PathBuf>,
    /// Ask npm's registry for the advisories of the packages in the npm lock files
    #[arg(long)]
    npm: bool,
}

/// Compares the lock files with the policy and the snapshots; prints what is wrong, and tells whether nothing is.
pub fn check() -> Outcome<bool> {
    announce("Checking licences, sources and advisories of the dependencies.");
    let today = today();
    for registry in [Registry::Cargo, Registry::Npm] {
        let snapshot = snapshot(registry)?;
        if let Some(doubt) = doubt(&snapshot, today) {
            eprintln!("    note: {}: {doubt}", advisories::path_of(registry));
        }
    }
    let problems = problems_of_repository(today)?;
    for problem in &problems {
        eprintln!("    {problem}");
    }
    Ok(problems.is_empty())
}

/// Takes new snapshots of advisories.
pub fn refresh(arguments: &Arguments) -> Outcome {
    let today = today();
    if let Some(checkout) = &arguments.rustsec {
        let commit =
            capture(crate::shell::command("git").arg("-C").arg(checkout).args(["rev-parse", "HEAD"]))?;
        let source = format!("https://github.com/rustsec/advisory-db at {}", commit.trim());
        let advisories = advisories::of_rustsec(checkout)?;
        write(Registry::Cargo, &Snapshot { source, taken: today, complete: true, advisories })?;
    }
    if arguments.npm {
        let mut advisories = Vec::new();
        for (folder, _) in NPM_FOLDERS {
            // Its exit status says whether it found something.
            let output = npm(folder).args(["audit", "--json", "--audit"]).output()?;
            let report = serde_json::from_slice(&output.stdout).context("what npm audit printed")?;
            advisories.extend(advisories::of_npm_audit(&report)?);
        }
        advisories.sort_by(|a, b| (&a.package, &a.id).cmp(&(&b.package, &b.id)));
        advisories.dedup();
        let source = "npm audit of the lock files, https://registry.npmjs.org".to_owned();
        write(Registry::Npm, &Snapshot { source, taken: today, complete: true, advisories })?;
    }
    check()?;
    Ok(())
}

/// A package that the server contains, with its licence as an SPDX expression.
pub struct Part {
    pub package: Package,
    pub licence: String,
}

/// The packages of others that the server contains: those that its crates are compiled with here, and those of the console.
pub fn parts_of_server() -> Outcome<Vec<Part>> {
    let policy: Policy = toml::from_str(&read(POLICY)?).context(POLICY)?;
    let metadata = capture(cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    // Metadata has the features that all packages of the workspace ask for together; the server is built alone.
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--package", "croft", "--edges", "normal,no-proc-macro"]);
    let tree = capture(tree.args(["--prefix", "none", "--format", "{p}"]))?;
    let compiled: BTreeSet<(&str, &str)> = tree.lines().filter_map(in_tree).collect();
    let mut packages = package::of_cargo(&read("Cargo.lock")?, &metadata, &["croft"])?;
    packages
        .retain(|package| compiled.contains(&(package.name.as_str(), package.version.to_string().as_str())));
    let mut console = package::of_npm(&read("console/package-lock.json")?, true)?;
    console.retain(|package| package.shipped);
    for package in &mut console {
        package.folder = root().join("console").join(&package.folder);
    }
    packages.extend(console);
    packages.retain(|package| package.source != Source::Workspace);
    packages.sort_by(|a, b| (a.key(), &a.version).cmp(&(b.key(), &b.version)));
    packages.dedup_by(|a, b| (a.key(), &a.version) == (b.key(), &b.version));
    packages.into_iter().map(|package| part(package, &policy)).collect()
}

/// The name and the version in a line of `cargo tree`.
fn in_tree(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

fn part(package: Package, policy: &Policy) -> Outcome<Part> {
    let stated = policy.licences.stated.get(&package.key()).or(package.licence.as_ref());
    let stated = stated.ok_or_else(|| Failure::new(format!("{} states no licence", package.key())))?;
    let canonical = spdx::Expression::canonicalize(stated).map_err(|error| {
        Failure::new(format!("{}: {stated:?} is not an SPDX expression: {}", package.key(), error.reason))
    })?;
    let licence = canonical.unwrap_or_else(|| stated.clone());
    Ok(Part { package, licence })
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

fn read(path: &str) -> Outcome<String> {
    std::fs::read_to_string(root().join(path)).context(format!("cannot read {path}"))
}

fn snapshot(registry: Registry) -> Outcome<Snapshot> {
    let path = advisories::path_of(registry);
    serde_json::from_str(&read(path)?).context(path)
}

fn write(registry: Registry, snapshot: &Snapshot) -> Outcome {
    let path = advisories::path_of(registry);
    let text = serde_json::to_string_pretty(snapshot)? + "\n";
    std::fs::write(root().join(path), text).context(format!("cannot write {path}"))?;
    announce(&format!("Wrote {path}: {} advisories.", snapshot.advisories.len()));
    Ok(())
}

/// Why a snapshot should be taken anew, if it should.
fn doubt(snapshot: &Snapshot, today: Date) -> Option<String> {
    let mut doubt = String::new();
    if !snapshot.complete {
        write!(doubt, "incomplete ({}); ", snapshot.source).expect("a string can be written to");
    }
    if snapshot.taken.saturating_add(Span::new().days(STALE_AFTER_DAYS)) < today {
        write!(doubt, "taken on {}; ", snapshot.taken).expect("a string can be written to");
    }
    (!doubt.is_empty()).then(|| doubt + "docs/development.md says how to take a new one")
}

fn problems_of_repository(today: Date) -> Outcome<Vec<String>> {
    let policy: Policy = toml::from_str(&read(POLICY)?).context(POLICY)?;
    let metadata = capture(cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    let mut packages = package::of_cargo(&read("Cargo.lock")?, &metadata, SHIPPED)?;
    for (folder, shipped) in NPM_FOLDERS {
        packages.extend(package::of_npm(&read(&format!("{folder}/package-lock.json"))?, *shipped)?);
    }
    let snapshots =
        [(Registry::Cargo, snapshot(Registry::Cargo)?), (Registry::Npm, snapshot(Registry::Npm)?)];
    Ok(problems(&packages, &policy, &snapshots, today))
}

/// What is wrong with `packages`, one line each.
fn problems(
    packages: &[Package],
    policy: &Policy,
    snapshots: &[(Registry, Snapshot)],
    today: Date,
) -> Vec<String> {
    let mut problems = Vec::new();
    for package in packages {
        let mut add = |text: String| problems.push(format!("{} {}: {text}", package.key(), package.version));
        if let Source::Other(place) = &package.source {
            add(format!("comes from {place}, not from the public registry"));
        }
        if let Err(failure) = licence(package, policy) {
            add(failure.to_string());
        }
        for ban in policy.banned.iter().filter(|ban| ban.package == package.key()) {
            if package.shipped || !ban.shipped_only {
                add(format!("is banned: {}", ban.reason));
            }
        }
    }
    problems.extend(problems_with_advisories(packages, policy, snapshots, today));
    let known: Vec<String> = packages.iter().map(Package::key).collect();
    for stated in policy.licences.stated.keys().filter(|stated| !known.contains(stated)) {
        problems.push(format!("{stated}: {POLICY} states its licence, but no lock file has it"));
    }
    problems.sort();
    problems.dedup();
    problems
}

/// An error unless the licence of `package` is one that the policy allows.
fn licence(package: &Package, policy: &Policy) -> Outcome {
    let stated = policy.licences.stated.get(&package.key()).or(package.licence.as_ref());
    let stated = stated.ok_or_else(|| Failure::new("states no licence"))?;
    let expression = spdx::Expression::parse_mode(stated, spdx::ParseMode::LAX)
        .map_err(|error| Failure::new(format!("{stated:?} is not an SPDX expression: {}", error.reason)))?;
    let allowed = expression.evaluate(|wanted| {
        wanted.license.id().is_some_and(|id| {
            let named = |list: &[String]| list.iter().any(|allowed| allowed == id.name);
            named(&policy.licences.allowed) || !package.shipped && named(&policy.licences.allowed_unshipped)
        })
    });
    if allowed { Ok(()) } else { Err(Failure::new(format!("its licence {stated} is not allowed"))) }
}

/// Advisories that apply and are not accepted, or no longer, and acceptances that nothing needs.
fn problems_with_advisories(
    packages: &[Package],
    policy: &Policy,
    snapshots: &[(Registry, Snapshot)],
    today: Date,
) -> Vec<String> {
    let mut problems = Vec::new();
    let mut unused: BTreeSet<&str> =
        policy.accepted.iter().map(|accepted| accepted.advisory.as_str()).collect();
    for package in packages {
        let snapshot = snapshots.iter().filter(|(registry, _)| *registry == package.registry);
        for advisory in snapshot.flat_map(|(_, snapshot)| &snapshot.advisories) {
            if advisory.package != package.name || !advisory.applies_to(&package.version) {
                continue;
            }
            unused.remove(advisory.id.as_str());
            let about = format!("{} {}: {} ({})", package.key(), package.version, advisory.id, advisory.kind);
            match policy.accepted.iter().find(|accepted| accepted.advisory == advisory.id) {
                None => problems.push(about),
                Some(accepted) if accepted.until < today => {
                    problems.push(format!("{about} was accepted until {}", accepted.until));
                }
                Some(accepted) if accepted.reason.trim().is_empty() => {
                    problems.push(format!("{about} is accepted without a reason"));
                }
                Some(_) => {}
            }
        }
    }
    problems
        .extend(unused.into_iter().map(|id| format!("{id}: {POLICY} accepts it, but it applies to nothing")));
    problems
}

#[cfg(test)]
mod tests;
