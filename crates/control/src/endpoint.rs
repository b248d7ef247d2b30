//! Maps host names to silos (`docs/rules/identity-and-system.md#signing-in-from-a-page`): `<silo>.sys.<suffix>`, for
//! any of the configured suffixes.

mod sign_in;

use croft_api::{Result, scalar::Name};
use croft_store::{
    ListBy, Tx,
    records::{Certificate, IdentityMode, Silo},
};
use jiff::Timestamp;
use uuid::Uuid;
use zeroize::Zeroizing;

pub use sign_in::{SignIn, of_any_host, of_host, offered_silo};

pub use crate::settings::ExternalSuffix;
use crate::{Cx, Environment, certificate, paging, silo};

/// The silo of a request's host name; `None` if there is no such silo.
pub fn named(cx: &mut Cx<'_, '_>, host: &str) -> Result<Option<Silo>> {
    let Some(name) = cx.settings().silo_of_host(host) else { return Ok(None) };
    let silo: Option<Silo> = cx.tx.get_by_name(Uuid::nil(), name.as_str())?;
    Ok(silo.filter(|silo| !silo::is_built_in(silo.meta.id)))
}

/// The silo for unknown hosts: the one with the lowest id of those with passwords, except the built-in ones.
pub fn fallback(tx: &mut Tx<'_>) -> Result<Option<Silo>> {
    let silos: Vec<Silo> = paging::all(tx, &ListBy::Parent(Uuid::nil()))?;
    let local =
        |silo: &Silo| silo.identity_mode == IdentityMode::LocalOnly && !silo::is_built_in(silo.meta.id);
    Ok(silos.into_iter().find(local))
}

/// A silo's TLS certificate and key.
pub struct SiloCertificate {
    /// The silo.
    pub silo: Name,
    /// The certificate's identity, for comparisons and for the log.
    pub certificate_id: Uuid,
    /// When it expires.
    pub expires: Timestamp,
    /// The chain in PEM.
    pub chain: String,
    /// The private key in PEM, or the reason why it cannot be read.
    pub key: Result<Zeroizing<Vec<u8>>>,
}

/// The certificates of the TLS listener.
#[derive(Default)]
pub struct Endpoints {
    /// The silos that have a certificate, each with the one that expires last.
    pub served: Vec<SiloCertificate>,
    /// The silo for unknown host names.
    pub fallback: Option<Name>,
}

/// Reads all certificates of the TLS listener.
pub fn all(tx: &mut Tx<'_>, environment: &Environment) -> Result<Endpoints> {
    let silos: Vec<Silo> = paging::all(tx, &ListBy::Parent(Uuid::nil()))?;
    let mut served = Vec::new();
    for silo in silos {
        let certificates: Vec<Certificate> = paging::all(tx, &ListBy::Parent(silo.meta.id))?;
        if let Some(latest) = certificates.into_iter().max_by_key(|c| (c.time_expires, c.meta.id)) {
            served.push(SiloCertificate {
                silo: silo.name,
                certificate_id: latest.meta.id,
                expires: latest.time_expires,
                key: certificate::open_key(environment, &latest),
                chain: latest.chain,
            });
        }
    }
    let fallback = fallback(tx)?.map(|silo| silo.name);
    Ok(Endpoints { served, fallback })
}
