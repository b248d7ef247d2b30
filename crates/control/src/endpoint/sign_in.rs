//! The sign-in page of a host name (`docs/rules/identity-and-system.md#signing-in-from-a-page`).

use std::fmt;

use croft_api::{Error, Result, scalar::Name};
use croft_store::records::{IdentityMode, Silo};

use super::{fallback, named};
use crate::{Cx, authz};

/// A sign-in page. Its `Display` form is the path of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignIn {
    /// With a name and a password.
    Local {
        /// The silo.
        silo: Name,
    },
    /// Through an identity provider.
    Saml {
        /// The silo.
        silo: Name,
        /// The provider.
        provider: Name,
    },
}

impl fmt::Display for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local { silo } => write!(f, "/login/{silo}/local"),
            Self::Saml { silo, provider } => write!(f, "/login/{silo}/saml/{provider}"),
        }
    }
}

/// The sign-in page of a host's silo; `None` if the host belongs to no silo, and the user has to choose one.
///
/// # Errors
/// `InvalidRequest` for a silo that nobody can sign in to yet.
pub fn of_host(cx: &mut Cx<'_, '_>, host: &str) -> Result<Option<SignIn>> {
    match named(cx, host)? {
        Some(silo) => of_silo(cx, silo).map(Some),
        None => Ok(None),
    }
}

/// The sign-in page of a host's silo, or of the silo for unknown hosts.
///
/// # Errors
/// `InvalidRequest` if there is neither, or nobody can sign in to the silo yet.
pub fn of_any_host(cx: &mut Cx<'_, '_>, host: &str) -> Result<SignIn> {
    let silo = match named(cx, host)? {
        Some(silo) => Some(silo),
        None => fallback(cx.tx)?,
    };
    match silo {
        Some(silo) => of_silo(cx, silo),
        None => Err(Error::invalid_request(format!("HTTP request for unknown server name \"{host}\""))),
    }
}

/// The silo that a login page of this host offers first.
pub fn offered_silo(cx: &mut Cx<'_, '_>, host: Option<&str>) -> Result<Option<Name>> {
    let silo = match host {
        Some(host) => named(cx, host)?,
        None => None,
    };
    let silo = match silo {
        Some(silo) => Some(silo),
        None => fallback(cx.tx)?,
    };
    Ok(silo.map(|silo| silo.name))
}

fn of_silo(cx: &mut Cx<'_, '_>, silo: Silo) -> Result<SignIn> {
    if silo.identity_mode == IdentityMode::LocalOnly {
        return Ok(SignIn::Local { silo: silo.name });
    }
    match authz::fleet::enabled_provider(cx.tx, silo.meta.id)? {
        Some(provider) => Ok(SignIn::Saml { silo: silo.name, provider: provider.name }),
        None => Err(Error::invalid_request("no identity providers are configured for Silo")),
    }
}
