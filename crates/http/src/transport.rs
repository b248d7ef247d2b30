//! Handling of unencrypted requests to a server that has TLS.

use std::{
    net::IpAddr,
    num::NonZeroU16,
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
};

use axum::{
    extract::Request,
    response::{IntoResponse as _, Response},
};
use croft_api::Error;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, uri::Authority};

use crate::{app::App, call::Encrypted, failure::Result, proxy::is_trusted};

/// The HSTS header: browsers must use TLS for a year. Without subdomains, because other hosts below the same suffix may
/// belong to other servers.
pub(crate) static STRICT_TRANSPORT: (HeaderName, HeaderValue) =
    (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));

/// The port that unencrypted requests are redirected to. `None` until TLS is served. Cheap to clone; all clones are the
/// same.
#[derive(Clone, Debug, Default)]
pub struct TlsPort(Arc<AtomicU16>);

impl TlsPort {
    /// Sets the TLS port, or `None` if TLS is no longer served.
    pub fn announce(&self, port: Option<NonZeroU16>) {
        self.0.store(port.map_or(0, NonZeroU16::get), Ordering::Relaxed);
    }

    fn get(&self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.0.load(Ordering::Relaxed))
    }
}

impl App {
    /// Whether the response to a request is encrypted, by this server or by a proxy.
    pub(crate) fn is_secure(&self, extensions: &Extensions) -> bool {
        let encrypted = extensions.get::<Encrypted>().is_some_and(|encrypted| encrypted.0);
        encrypted || self.parts.settings.secure_cookies
    }

    /// The response to an unencrypted request that must use TLS; `None` if the request is served.
    ///
    /// Requests from this host are served, for checks of its health and proxies on it, and so are those by trusted
    /// proxies, which have a listener for people of their own. A browser that asks for a page is sent to TLS. Programs
    /// are refused: one that followed would send its credentials unencrypted each time, and nobody would notice.
    pub(crate) fn refuse_plain(
        &self,
        connected: Option<IpAddr>,
        request: &Request,
    ) -> Option<Result<Response>> {
        let uri = request.uri();
        let port = self.tls_port.get()?;
        let peer = connected?;
        let proxies = &self.parts.settings.trusted_proxies;
        if self.is_secure(request.extensions()) || peer.is_loopback() || is_trusted(proxies, peer) {
            return None;
        }
        let target = target(uri, request.headers(), port);
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        if let Some(target) = target.as_ref().filter(|_| reads && !is_for_programs(uri.path()))
            && let Ok(location) = HeaderValue::try_from(target)
        {
            // Not cached, so that it ends with the setting.
            let headers =
                [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
            return Some(Ok((StatusCode::PERMANENT_REDIRECT, headers).into_response()));
        }
        let place = target.unwrap_or_else(|| format!("port {port}"));
        Some(Err(Error::invalid_request(format!(
            "use TLS at {place}; this request was sent without encryption, so change any password or token in it"
        ))
        .into()))
    }
}

/// The host and port in the request, if it has a valid `Host`.
pub(crate) fn authority(headers: &HeaderMap, uri: &Uri) -> Option<Authority> {
    let named = headers.get(header::HOST).map(|value| value.to_str().unwrap_or_default());
    let authority: Authority = match named {
        Some(host) => host.parse().ok()?,
        None => uri.authority()?.clone(),
    };
    (!authority.as_str().contains('@') && !authority.host().is_empty()).then_some(authority)
}

/// The same URI with `https`.
fn target(uri: &Uri, headers: &HeaderMap, port: NonZeroU16) -> Option<String> {
    let sent = || headers.get(header::HOST)?.to_str().ok()?.parse::<Authority>().ok();
    let host = uri.authority().cloned().or_else(sent)?;
    let host = host.host();
    let port = if port.get() == 443 { String::new() } else { format!(":{port}") };
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    (!host.is_empty()).then(|| format!("https://{host}{port}{path}"))
}

/// Whether a path is for programs rather than for browsers.
fn is_for_programs(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    matches!(first, "v1" | "experimental" | "metrics" | "openapi.json" | "openapi-croft.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_address_keeps_path_and_query() {
        let of = |uri: &'static str, host: Option<&'static str>, port| {
            let headers =
                host.map(|host| (header::HOST, HeaderValue::from_static(host))).into_iter().collect();
            target(&Uri::from_static(uri), &headers, NonZeroU16::new(port).unwrap())
        };
        let found = of("/projects?a=b", Some("cloud.example:12220"), 443);
        assert_eq!(found.as_deref(), Some("https://cloud.example/projects?a=b"));
        assert_eq!(of("/", Some("[::1]:80"), 8443).as_deref(), Some("https://[::1]:8443/"));
        assert_eq!(of("http://a/x", Some("b"), 443).as_deref(), Some("https://a/x"));
        assert_eq!((of("/", None, 443), of("/", Some("a b"), 443)), (None, None));
    }

    #[test]
    fn paths_for_programs() {
        for path in ["/v1/ping", "/experimental/v1/events", "/openapi.json", "/metrics"] {
            assert!(is_for_programs(path), "{path}");
        }
        for path in ["/", "/projects", "/login/main/local", "/device/verify", "/assets/a.js"] {
            assert!(!is_for_programs(path), "{path}");
        }
    }
}
