use std::fmt;

use x509_cert::der;

use crate::x509::Certificate;

/// The host names of a certificate: its DNS names, or its common names if it has none.
pub(super) struct HostNames {
    names: Vec<String>,
    common: bool,
}

impl HostNames {
    pub(super) fn of(certificate: &Certificate) -> Result<Self, der::Error> {
        let names = certificate.dns_names()?;
        if names.is_empty() {
            let names = certificate.common_names().into_iter().map(str::to_owned).collect();
            return Ok(Self { names, common: true });
        }
        Ok(Self { names, common: false })
    }

    /// Whether the certificate covers this host. A wildcard matches exactly one label, the first.
    pub(super) fn cover(&self, host: &str) -> bool {
        self.names.iter().any(|name| covers(name, host))
    }
}

fn covers(name: &str, host: &str) -> bool {
    match name.strip_prefix("*.") {
        Some(rest) => host
            .split_once('.')
            .is_some_and(|(label, parent)| !label.is_empty() && parent.eq_ignore_ascii_case(rest)),
        None => name.eq_ignore_ascii_case(host),
    }
}

impl fmt::Display for HostNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = if self.common { " (from its common name, as it has no DNS names)" } else { "" };
        match self.names.as_slice() {
            [] => f.write_str("Certificate contained hostnames (none)"),
            names => write!(f, "Certificate contained hostnames \"{}\"{source}", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn wildcards_stand_for_the_first_label() {
        let host = "acme.sys.croft.internal";
        for name in ["acme.sys.croft.internal", "ACME.sys.Croft.internal", "*.sys.croft.internal"] {
            assert!(covers(name, host), "{name}");
        }
        for name in ["", "*", "*.croft.internal", "*.*.croft.internal", "a*.sys.croft.internal", "acme", "*."]
        {
            assert!(!covers(name, host), "{name}");
        }
        assert!(!covers("*.", "acme"));
    }
}
