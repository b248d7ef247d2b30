use croft_api::{Error, Result};
use jiff::Timestamp;
use rustls_pki_types::{CertificateDer, pem::PemObject as _};
use x509_cert::{
    Certificate,
    der::{Decode as _, oid::db::rfc5280::ID_KP_SERVER_AUTH},
    ext::pkix::ExtendedKeyUsage,
};

use super::{names::HostNames, private_key::PrivateKey};

/// What is worth knowing of a certificate that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// After this time the server's own certificate is of no use.
    pub time_expires: Timestamp,
}

/// Checks a chain and its key in PEM, in the order that the section gives; the first failure is answered. `hosts` are
/// the host names of the silo that it is for, at least one of which the certificate must cover.
///
/// # Errors
/// `InvalidValue` of `certificate` or `private-key`, with the section's text.
pub fn check(now: Timestamp, hosts: &[String], chain: &str, key: &str) -> Result<Checked> {
    let chain =
        parse_chain(chain).map_err(|error| refused(format!("Failed to parse certificate: {error}")))?;
    let Some(leaf) = chain.first() else { return Err(refused("Certificate exists, but is empty")) };
    if chain.iter().any(|member| time_expires(member) < now) {
        return Err(refused("Certificate exists, but is expired"));
    }
    check_names(leaf, hosts)?;
    if !may_serve(leaf)? {
        return Err(refused("Unsupported certificate purpose (not usable for server auth)"));
    }
    let key = PrivateKey::from_pem(key).map_err(|error| {
        Error::invalid_value("private-key", format!("Failed to parse private key: {error}"))
    })?;
    if !key.belongs_to(leaf.tbs_certificate().subject_public_key_info()) {
        return Err(refused("Certificate and private key do not match"));
    }
    Ok(Checked { time_expires: time_expires(leaf) })
}

fn refused(text: impl std::fmt::Display) -> Error {
    Error::invalid_value("certificate", text)
}

fn parse_chain(text: &str) -> Result<Vec<Certificate>, String> {
    CertificateDer::pem_slice_iter(text.as_bytes())
        .map(|member| {
            let member = member.map_err(|error| error.to_string())?;
            Certificate::from_der(&member).map_err(|error| error.to_string())
        })
        .collect()
}

/// The last moment at which a certificate is valid.
fn time_expires(certificate: &Certificate) -> Timestamp {
    let seconds = certificate.tbs_certificate().validity().not_after.to_unix_duration().as_secs();
    i64::try_from(seconds).ok().and_then(|s| Timestamp::from_second(s).ok()).unwrap_or(Timestamp::MAX)
}

fn check_names(leaf: &Certificate, hosts: &[String]) -> Result<()> {
    let names =
        HostNames::of(leaf).map_err(|error| refused(format!("Failed to parse certificate: {error}")))?;
    if hosts.iter().any(|host| names.cover(host)) {
        return Ok(());
    }
    let hosts = hosts.join(", ");
    Err(refused(format!("Certificate not valid for given hostnames \"{hosts}\": {names}")))
}

/// Whether a certificate says that servers may show it, or nothing about its use.
fn may_serve(leaf: &Certificate) -> Result<bool> {
    let usage = leaf.tbs_certificate().get_extension::<ExtendedKeyUsage>();
    let usage = usage.map_err(|error| refused(format!("Failed to parse certificate: {error}")))?;
    Ok(usage.is_none_or(|(_, usage)| usage.0.contains(&ID_KP_SERVER_AUTH)))
}
