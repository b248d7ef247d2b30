//! The interface to an implementation of passkeys, and the site that they belong to.

use std::{convert::Infallible, net::IpAddr, sync::Arc};

use axum::extract::FromRequestParts;
use croft_api::{Error, Result};
use croft_control::second_factor::{PasskeyCheck, PasskeyOwner, PasskeyRefusal, StoredPasskey, UsedPasskey};
use http::{request::Parts, uri::Authority};
use serde_json::Value;

use crate::{app::App, transport::authority};

/// The only host name that browsers treat as secure without TLS.
const LOCAL: &str = "localhost";

/// The site of a passkey, as defined by the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeySite {
    /// The host name, without a port: the RP ID.
    pub rp_id: String,
    /// Scheme, host name and port.
    pub origin: String,
}

/// Options for the browser, and the state that is needed to check its response.
#[derive(Clone, Debug)]
pub struct PasskeyQuestion {
    /// Options for the browser, as JSON.
    pub options: Value,
    /// Opaque state for the check. It must be sealed before it is sent to the browser.
    pub state: String,
}

/// Creates options for authenticators and checks their responses, which is slow.
pub trait Passkeys: Send + Sync + 'static {
    /// Creates options for a new passkey.
    fn ask_for_new(&self, site: &PasskeySite, owner: &PasskeyOwner) -> Result<PasskeyQuestion>;

    /// Checks the response.
    fn check_new(
        &self,
        site: &PasskeySite,
        state: &str,
        answer: &Value,
    ) -> Result<StoredPasskey, PasskeyRefusal>;

    /// Creates options for the use of one of these passkeys.
    fn ask_for_use(&self, site: &PasskeySite, passkeys: &[StoredPasskey]) -> Result<PasskeyQuestion>;

    /// Checks the response.
    fn check_use(
        &self,
        site: &PasskeySite,
        asked: &PasskeyCheck,
        answer: &Value,
    ) -> Result<UsedPasskey, PasskeyRefusal>;
}

/// The origin that the client believes it is at.
#[derive(Clone, Debug)]
pub(crate) struct ClientOrigin {
    authority: Option<Authority>,
    secure: bool,
}

impl FromRequestParts<App> for ClientOrigin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let authority = authority(&parts.headers, &parts.uri);
        Ok(Self { authority, secure: app.is_secure(&parts.extensions) })
    }
}

impl ClientOrigin {
    /// The implementation of passkeys, and the site.
    ///
    /// # Errors
    /// `InvalidRequest` if passkeys are not possible, with a text that says what to do instead.
    pub(crate) fn passkeys(&self, app: &App) -> Result<(Arc<dyn Passkeys>, PasskeySite)> {
        let checker = app.parts.passkeys.clone().ok_or_else(|| {
            Error::invalid_request("This cloud does not offer passkeys. Use an authenticator app.")
        })?;
        Ok((checker, self.site()?))
    }

    fn site(&self) -> Result<PasskeySite> {
        let unnamed = || Error::invalid_request("The request does not name a host.");
        let authority = self.authority.as_ref().ok_or_else(unnamed)?;
        let rp_id = authority.host().to_ascii_lowercase();
        if rp_id.trim_matches(['[', ']']).parse::<IpAddr>().is_ok() {
            return Err(Error::invalid_request(format!(
                "Passkeys need a host name, and you opened the console at the address {rp_id}. Open it by \
                 the server's name, or use an authenticator app."
            )));
        }
        if !self.secure && rp_id != LOCAL {
            return Err(Error::invalid_request(
                "Passkeys need TLS. Open the console by https, or use an authenticator app.",
            ));
        }
        let (scheme, usual) = if self.secure { ("https", 443) } else { ("http", 80) };
        let port = authority.port_u16().filter(|port| *port != usual);
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let origin = format!("{scheme}://{rp_id}{port}");
        Ok(PasskeySite { rp_id, origin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(authority: &str, secure: bool) -> Result<(String, String)> {
        let site = ClientOrigin { authority: authority.parse().ok(), secure }.site()?;
        Ok((site.rp_id, site.origin))
    }

    fn is(rp_id: &str, origin: &str) -> (String, String) {
        (rp_id.to_owned(), origin.to_owned())
    }

    #[test]
    fn passkeys_require_a_host_name_and_a_secure_context() {
        assert_eq!(site("cloud.example", true), Ok(is("cloud.example", "https://cloud.example")));
        assert_eq!(site("Cloud.example:443", true), Ok(is("cloud.example", "https://cloud.example")));
        assert_eq!(site("cloud.example:8443", true), Ok(is("cloud.example", "https://cloud.example:8443")));
        assert_eq!(site("localhost:12220", false), Ok(is("localhost", "http://localhost:12220")));
        assert_eq!(site("localhost:80", false), Ok(is("localhost", "http://localhost")));
        for (authority, secure, why) in [
            ("192.0.2.1", true, "at the address 192.0.2.1"),
            ("[2001:db8::1]:8443", true, "at the address [2001:db8::1]"),
            ("127.0.0.1:12220", false, "at the address 127.0.0.1"),
            ("cloud.example", false, "need TLS"),
            ("localhost.example", false, "need TLS"),
            ("", true, "does not name a host"),
        ] {
            let refused = site(authority, secure).unwrap_err().message();
            assert!(refused.contains(why), "{authority}: {refused}");
        }
    }
}
