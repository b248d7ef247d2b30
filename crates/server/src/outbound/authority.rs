use std::{fs, path::Path};

use rustls::RootCertStore;
use rustls_pki_types::{CertificateDer, pem::PemObject as _};

/// Reads the certificate authorities in a PEM file.
///
/// # Errors
/// The file cannot be read, or contains none, or one that cannot be used. The text names the file.
pub fn read_authorities(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let name = path.display();
    let text = fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let found = found.map_err(|error| format!("{name} is not a PEM file: {error}"))?;
    if found.is_empty() {
        return Err(format!("{name} contains no certificate"));
    }
    let mut roots = RootCertStore::empty();
    for (index, certificate) in found.iter().enumerate() {
        let number = index + 1;
        roots
            .add(certificate.clone())
            .map_err(|error| format!("certificate {number} in {name} cannot be used: {error}"))?;
    }
    Ok(found)
}

/// The authorities that this host trusts.
pub fn system_authorities() -> Vec<CertificateDer<'static>> {
    rustls_native_certs::load_native_certs().certs
}

/// The authorities of this host and these.
pub(super) fn roots(own: &[CertificateDer<'static>]) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(system_authorities());
    roots.add_parsable_certificates(own.iter().cloned());
    if roots.is_empty() {
        return Err("this host has no trusted certificate authorities".to_owned());
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(content: &str) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), content).unwrap();
        read_authorities(file.path()).unwrap_err()
    }

    #[test]
    fn files_without_certificate_authority_are_refused() {
        assert!(refusal("").ends_with("contains no certificate"));
        assert!(refusal("nothing of the kind\n").ends_with("contains no certificate"));
        let torn = refusal("-----BEGIN CERTIFICATE-----\nAAAA\n");
        assert!(torn.contains("is not a PEM file"), "{torn}");
        let empty = refusal("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assert!(empty.contains("certificate 1 in") && empty.contains("cannot be used"), "{empty}");
        assert!(read_authorities(Path::new("/nonexistent.pem")).unwrap_err().contains("cannot read"));
    }
}
