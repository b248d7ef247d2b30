//! The host names of silos: `<silo>.sys.<suffix>`, for any of the configured suffixes
//! (`docs/rules/identity-and-system.md#signing-in-from-a-page`).

use std::{fmt, str::FromStr};

use croft_api::scalar::{Name, ScalarError};

use super::Settings;

/// The label between a silo's name and the suffix.
const BRANCH: &str = "sys";
/// Maximum length of a DNS name.
const MAX_HOST: usize = 253;
/// Maximum length of a DNS label, and so of a silo's name.
const MAX_LABEL: usize = 63;

/// A DNS suffix of silos' host names, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExternalSuffix(String);

impl Default for ExternalSuffix {
    /// `internal` is reserved for private use as a top-level domain.
    fn default() -> Self {
        Self("croft.internal".to_owned())
    }
}

impl FromStr for ExternalSuffix {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let longest = MAX_HOST - MAX_LABEL - BRANCH.len() - 2;
        if name.len() <= longest && name.split('.').all(is_label) {
            return Ok(Self(name));
        }
        Err(ScalarError(format!(
            "\"{text}\" is not a DNS name of at most {longest} characters, such as croft.internal"
        )))
    }
}

fn is_label(label: &str) -> bool {
    (1..=MAX_LABEL).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

impl fmt::Display for ExternalSuffix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Settings {
    /// The host names of a silo, one for each suffix.
    pub fn host_names(&self, silo: &Name) -> Vec<String> {
        self.external_suffixes.iter().map(|suffix| format!("{silo}.{BRANCH}.{suffix}")).collect()
    }

    /// The silo name in a host name, whether or not that silo exists. Ignores port and case.
    pub fn silo_of_host(&self, host: &str) -> Option<Name> {
        let host = host_without_port(host).to_ascii_lowercase();
        let host = host.strip_suffix('.').unwrap_or(&host);
        let label = self.external_suffixes.iter().find_map(|suffix| {
            host.strip_suffix(suffix.0.as_str())?.strip_suffix('.')?.strip_suffix(BRANCH)?.strip_suffix('.')
        });
        label?.parse().ok()
    }
}

fn host_without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(suffixes: &[&str]) -> Settings {
        let external_suffixes = suffixes.iter().map(|suffix| suffix.parse().unwrap()).collect();
        Settings { external_suffixes, ..Settings::default() }
    }

    #[test]
    fn suffixes() {
        for text in ["croft.internal", "localhost", "A.example.COM.", "1a.b-c"] {
            assert!(text.parse::<ExternalSuffix>().is_ok(), "{text}");
        }
        let long = format!("{}a", "a.".repeat(100));
        for text in ["", ".", "a..b", ".a", "-a", "a-", "a_b", "a b", "ä.de", "a:1", long.as_str()] {
            assert!(text.parse::<ExternalSuffix>().is_err(), "{text}");
        }
        assert_eq!("A.example.COM.".parse::<ExternalSuffix>().unwrap().to_string(), "a.example.com");
    }

    #[test]
    fn silo_is_found_by_host_name() {
        let settings = settings(&["croft.internal", "example.com"]);
        let silo = |host: &str| settings.silo_of_host(host).map(|name| name.to_string());
        assert_eq!(silo("acme.sys.croft.internal").as_deref(), Some("acme"));
        assert_eq!(silo("ACME.Sys.Example.com:8443").as_deref(), Some("acme"));
        assert_eq!(silo("acme.sys.example.com.").as_deref(), Some("acme"));
        for other in [
            "",
            "localhost:80",
            "[::1]:80",
            "sys.example.com",
            ".sys.example.com",
            "a.b.sys.example.com",
            "acmesys.example.com",
            "acme.sys.example.org",
            "acme.sysexample.com",
            "acme.sys.example.com:x",
        ] {
            assert_eq!(silo(other), None, "{other}");
        }
        let name = Name::literal("acme");
        assert_eq!(settings.host_names(&name), ["acme.sys.croft.internal", "acme.sys.example.com"]);
        for host in settings.host_names(&name) {
            assert_eq!(settings.silo_of_host(&host), Some(name.clone()));
        }
    }
}
