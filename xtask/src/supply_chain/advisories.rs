//! Advisories: the snapshots in the repository, and how a person takes new ones.
//!
//! A snapshot holds facts alone: identifiers, names of packages and ranges of versions. Checks read it without network.

use std::path::Path;

use jiff::civil::Date;
use semver::{Prerelease, Version, VersionReq};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::package::Registry;
use crate::failure::{Context, Failure, Outcome};

/// Advisories of one database, as they were on one day.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Where they come from.
    pub source: String,
    /// The day they were taken on.
    pub taken: Date,
    /// Whether everything that the source then knew about our packages is here.
    pub complete: bool,
    pub advisories: Vec<Advisory>,
}

/// What one advisory says about one package.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advisory {
    pub id: String,
    /// The package's name within its registry.
    pub package: String,
    /// `vulnerability`, `unmaintained`, `unsound`, `notice`, or npm's severity.
    pub kind: String,
    /// Ranges it applies to; every version if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affected: Vec<VersionReq>,
    /// Ranges it does not apply to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unaffected: Vec<VersionReq>,
}

impl Advisory {
    /// Whether it applies to `version` of its package.
    pub fn applies_to(&self, version: &Version) -> bool {
        // A range never holds a pre-release by itself; whatever its release would be counted as, it is.
        let release = Version { pre: Prerelease::EMPTY, ..version.clone() };
        let affected = self.affected.is_empty()
            || self.affected.iter().any(|range| range.matches(version) || range.matches(&release));
        affected && !self.unaffected.iter().any(|range| range.matches(version))
    }
}

/// Where the snapshot for the packages of `registry` lies in the repository.
pub fn path_of(registry: Registry) -> &'static str {
    match registry {
        Registry::Cargo => "supply-chain/advisories-cargo.json",
        Registry::Npm => "supply-chain/advisories-npm.json",
    }
}

/// Every advisory in `checkout`, a clone of RustSec's advisory database.
pub fn of_rustsec(checkout: &Path) -> Outcome<Vec<Advisory>> {
    let folder = checkout.join("crates");
    let entries = |path: &Path| std::fs::read_dir(path).context(format!("cannot read {}", path.display()));
    let mut advisories = Vec::new();
    for package in entries(&folder)? {
        for file in entries(&package?.path())? {
            let path = file?.path();
            let text = std::fs::read_to_string(&path).context(format!("cannot read {}", path.display()))?;
            advisories.extend(rustsec_file(&text).context(path.display())?);
        }
    }
    if advisories.is_empty() {
        return Err(Failure::new(format!("there are no advisories in {}", folder.display())));
    }
    advisories.sort_by(|a, b| (&a.package, &a.id).cmp(&(&b.package, &b.id)));
    Ok(advisories)
}

/// What a file of RustSec's database says in its block of TOML; nothing if it was withdrawn.
fn rustsec_file(text: &str) -> Outcome<Option<Advisory>> {
    #[derive(Deserialize)]
    struct File {
        advisory: About,
        versions: Versions,
    }
    #[derive(Deserialize)]
    struct About {
        id: String,
        package: String,
        informational: Option<String>,
        withdrawn: Option<String>,
    }
    #[derive(Deserialize)]
    struct Versions {
        #[serde(default)]
        patched: Vec<VersionReq>,
        #[serde(default)]
        unaffected: Vec<VersionReq>,
    }

    let block = text
        .split_once("```toml\n")
        .and_then(|(_, rest)| rest.split_once("\n```"))
        .ok_or_else(|| Failure::new("there is no block of TOML"))?
        .0;
    let File { advisory, versions } = toml::from_str(block).context("the block of TOML")?;
    if advisory.withdrawn.is_some() {
        return Ok(None);
    }
    Ok(Some(Advisory {
        id: advisory.id,
        package: advisory.package,
        kind: advisory.informational.unwrap_or_else(|| "vulnerability".to_owned()),
        affected: Vec::new(),
        unaffected: [versions.patched, versions.unaffected].concat(),
    }))
}

/// Every advisory in `report`, what `npm audit --json` printed.
pub fn of_npm_audit(report: &Value) -> Outcome<Vec<Advisory>> {
    let packages = report["vulnerabilities"].as_object().ok_or_else(|| {
        Failure::new(format!("npm audit did not answer with a report: {}", report["message"]))
    })?;
    let mut advisories = Vec::new();
    // Beside advisories, `via` names packages that have this one through others.
    for advisory in packages.values().filter_map(|package| package["via"].as_array()).flatten() {
        if advisory.is_object() {
            advisories.push(npm_advisory(advisory)?);
        }
    }
    advisories.sort_by(|a, b| (&a.package, &a.id).cmp(&(&b.package, &b.id)));
    advisories.dedup();
    Ok(advisories)
}

fn npm_advisory(advisory: &Value) -> Outcome<Advisory> {
    let text = |field: &str| {
        advisory[field]
            .as_str()
            .ok_or_else(|| Failure::new(format!("an advisory has no {field}: {advisory}")))
    };
    let url = text("url")?;
    Ok(Advisory {
        id: url.rsplit('/').next().unwrap_or(url).to_owned(),
        package: text("name")?.to_owned(),
        kind: text("severity")?.to_owned(),
        affected: npm_ranges(text("range")?)?,
        unaffected: Vec::new(),
    })
}

/// npm's ranges as Cargo writes them: `>=1.0.0 <1.2.3 || <0.9.0` has two.
fn npm_ranges(ranges: &str) -> Outcome<Vec<VersionReq>> {
    ranges
        .split("||")
        .map(|range| {
            let comparators: Vec<&str> = range.split_whitespace().collect();
            VersionReq::parse(&comparators.join(", ")).context(format!("the range {range:?}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Advisory, npm_ranges, of_npm_audit, of_rustsec, rustsec_file};
    use semver::{Version, VersionReq};
    use serde_json::json;

    const RUSTSEC: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2000-0001\"\npackage = \"leaky\"\n\
        date = \"2000-01-01\"\nurl = \"https://example.org\"\n\n[versions]\npatched = [\">= 1.2.3\"]\n\
        unaffected = [\"< 1.1\"]\n```\n\n# A title\n\nProse.\n";

    fn ranges(texts: &[&str]) -> Vec<VersionReq> {
        texts.iter().map(|text| VersionReq::parse(text).unwrap()).collect()
    }

    fn applies(advisory: &Advisory, version: &str) -> bool {
        advisory.applies_to(&Version::parse(version).unwrap())
    }

    #[test]
    fn a_rustsec_advisory_applies_below_its_patch() {
        let advisory = rustsec_file(RUSTSEC).unwrap().unwrap();
        assert_eq!((advisory.id.as_str(), advisory.kind.as_str()), ("RUSTSEC-2000-0001", "vulnerability"));
        assert!(!applies(&advisory, "1.0.9"));
        assert!(applies(&advisory, "1.1.0"));
        assert!(applies(&advisory, "1.2.3-rc.1"));
        assert!(!applies(&advisory, "1.2.3"));
    }

    #[test]
    fn a_withdrawn_rustsec_advisory_is_left_out() {
        let text = RUSTSEC.replace("date = \"2000-01-01\"", "withdrawn = \"2001-01-01\"");
        assert_eq!(rustsec_file(&text).unwrap(), None);
        let text = RUSTSEC.replace("date = \"2000-01-01\"", "informational = \"unmaintained\"");
        assert_eq!(rustsec_file(&text).unwrap().unwrap().kind, "unmaintained");
    }

    #[test]
    fn a_checkout_of_rustsec_is_read_file_by_file() {
        let checkout = tempfile::tempdir().unwrap();
        assert!(of_rustsec(checkout.path()).is_err());
        let package = checkout.path().join("crates/leaky");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(package.join("RUSTSEC-2000-0001.md"), RUSTSEC).unwrap();
        assert_eq!(of_rustsec(checkout.path()).unwrap().len(), 1);
        std::fs::write(package.join("RUSTSEC-2000-0002.md"), "no TOML").unwrap();
        assert!(of_rustsec(checkout.path()).unwrap_err().to_string().contains("RUSTSEC-2000-0002.md"));
    }

    #[test]
    fn npm_ranges_are_read() {
        assert_eq!(npm_ranges(">=1.0.0 <1.2.3 || <0.9.0").unwrap(), ranges(&[">=1.0.0, <1.2.3", "<0.9.0"]));
        assert_eq!(npm_ranges("*").unwrap(), ranges(&["*"]));
        assert!(npm_ranges("latest").is_err());
    }

    #[test]
    fn a_report_of_npm_audit_is_read() {
        let leaky = json!({ "source": 1, "name": "leaky", "dependency": "leaky", "title": "A title",
            "url": "https://github.com/advisories/GHSA-aaaa-bbbb-cccc", "severity": "high", "range": "<1.2.3" });
        let report = json!({ "vulnerabilities": {
            "leaky": { "name": "leaky", "via": [leaky], "effects": ["user"] },
            "user": { "name": "user", "via": ["leaky"] },
            "again": { "name": "leaky", "via": [leaky] },
        } });
        let [advisory] = &of_npm_audit(&report).unwrap()[..] else { panic!("one advisory") };
        assert_eq!((advisory.id.as_str(), advisory.package.as_str()), ("GHSA-aaaa-bbbb-cccc", "leaky"));
        assert!(applies(advisory, "1.2.2") && applies(advisory, "1.2.0-rc.1") && !applies(advisory, "1.2.3"));
        let refused = of_npm_audit(&json!({ "message": "405 Method Not Allowed" })).unwrap_err();
        assert!(refused.to_string().contains("405"));
    }
}
