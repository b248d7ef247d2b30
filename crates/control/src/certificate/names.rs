use std::fmt;

use x509_cert::{
    Certificate,
    der::{self, Tag, Tagged as _, oid::db::rfc4519::COMMON_NAME},
    ext::pkix::{SubjectAltName, name::GeneralName},
};

/// The host names that a certificate is for: its DNS names, or its common name if it has none.
pub(super) struct HostNames {
    names: Vec<String>,
    common: bool,
}

impl HostNames {
    pub(super) fn of(certificate: &Certificate) -> der::Result<Self> {
        let alternative = certificate.tbs_certificate().get_extension::<SubjectAltName>()?;
        let names = alternative.map(|(_, names)| names.0).unwrap_or_default();
        let names: Vec<String> = names
            .iter()
            .filter_map(|name| match name {
                GeneralName::DnsName(name) => Some(name.to_string()),
                _ => None,
            })
            .collect();
        if names.is_empty() {
            return Ok(Self { names: common_names(certificate), common: true });
        }
        Ok(Self { names, common: false })
    }

    /// Whether the certificate is for this host. A wildcard stands for exactly one label, the first.
    pub(super) fn cover(&self, host: &str) -> bool {
        self.names.iter().any(|name| covers(name, host))
    }
}

fn common_names(certificate: &Certificate) -> Vec<String> {
    let attributes = certificate.tbs_certificate().subject().iter();
    let common = attributes.filter(|attribute| attribute.oid == COMMON_NAME);
    // The kinds of text whose bytes are UTF-8, or a part of it.
    let texts = common.filter(|attribute| {
        matches!(attribute.value.tag(), Tag::Utf8String | Tag::PrintableString | Tag::Ia5String)
    });
    texts.filter_map(|attribute| Some(str::from_utf8(attribute.value.value()).ok()?.to_owned())).collect()
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
