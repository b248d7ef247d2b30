use croft_api::{Error, Result};
use jiff::Timestamp;
use rustls_pki_types::{CertificateDer, pem::PemObject as _};

use super::{names::HostNames, private_key::PrivateKey};
use crate::x509::Certificate;

/// The properties of a valid certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// When the certificate expires.
    pub time_expires: Timestamp,
}

/// Checks a chain and its key in PEM. Returns the first failure, in the order of the cited section. The certificate
/// must cover at least one of `hosts`, the host names of the silo.
///
/// # Errors
/// `InvalidValue` of `certificate` or `private-key`, with the section's text.
pub fn check(now: Timestamp, hosts: &[String], chain: &str, key: &str) -> Result<Checked> {
    let members: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain.as_bytes()).collect();
    let members = members.map_err(unreadable)?;
    let chain: Result<Vec<_>, _> = members.iter().map(|member| Certificate::from_der(member)).collect();
    let chain = chain.map_err(unreadable)?;
    let Some(leaf) = chain.first() else { return Err(refused("Certificate exists, but is empty")) };
    if chain.iter().any(|member| time_expires(member) < now) {
        return Err(refused("Certificate exists, but is expired"));
    }
    check_names(leaf, hosts)?;
    if !leaf.may_serve().map_err(unreadable)? {
        return Err(refused("Unsupported certificate purpose (not usable for server auth)"));
    }
    let key = PrivateKey::from_pem(key).map_err(|error| {
        Error::invalid_value("private-key", format!("Failed to parse private key: {error}"))
    })?;
    if !key.belongs_to(&leaf.public_key().map_err(unreadable)?) {
        return Err(refused("Certificate and private key do not match"));
    }
    Ok(Checked { time_expires: time_expires(leaf) })
}

fn refused(text: impl std::fmt::Display) -> Error {
    Error::invalid_value("certificate", text)
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    refused(format!("Failed to parse certificate: {error}"))
}

/// The time at which a certificate expires.
fn time_expires(certificate: &Certificate) -> Timestamp {
    let seconds = i64::try_from(certificate.expires()).ok();
    seconds.and_then(|seconds| Timestamp::from_second(seconds).ok()).unwrap_or(Timestamp::MAX)
}

fn check_names(leaf: &Certificate, hosts: &[String]) -> Result<()> {
    let names = HostNames::of(leaf).map_err(unreadable)?;
    if hosts.iter().any(|host| names.cover(host)) {
        return Ok(());
    }
    let hosts = hosts.join(", ");
    Err(refused(format!("Certificate not valid for given hostnames \"{hosts}\": {names}")))
}
