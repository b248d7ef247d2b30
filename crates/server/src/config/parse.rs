//! Parses option values, with errors that name the option.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
    path::Path,
};

use croft_control::endpoint::ExternalSuffix;
use croft_http::TrustedProxy;
use jiff::{SignedDuration, Span, SpanRelativeTo};
use rustls_pki_types::CertificateDer;

use super::Options;
use crate::{
    failure::{ExitKind, Failure, Result},
    outbound::{self, AllowedNetwork},
};

pub(super) fn within<T: PartialOrd + std::fmt::Display + Copy>(
    name: &str,
    value: T,
    range: &std::ops::RangeInclusive<T>,
) -> Result<T> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(invalid(&format!("{name} must be from {} to {}, not {value}", range.start(), range.end())))
}

pub(super) fn suffixes(texts: Option<Vec<String>>) -> Result<Vec<ExternalSuffix>> {
    let Some(texts) = texts.filter(|texts| !texts.is_empty()) else {
        return Ok(vec![ExternalSuffix::default()]);
    };
    let parsed: std::result::Result<_, _> = texts.iter().map(|text| text.trim().parse()).collect();
    parsed.map_err(|error| invalid(&format!("external-suffix: {error}")))
}

pub(super) fn proxies(texts: &[String]) -> Result<Vec<TrustedProxy>> {
    let parsed: std::result::Result<_, _> = texts.iter().map(|text| text.trim().parse()).collect();
    parsed.map_err(|error| invalid(&format!("trusted-proxy: {error}")))
}

pub(super) fn networks(texts: &[String]) -> Result<Vec<AllowedNetwork>> {
    let parsed: std::result::Result<_, _> = texts.iter().map(|text| text.trim().parse()).collect();
    parsed.map_err(|error: String| invalid(&format!("webhook-allow: {error}")))
}

/// At most three resolvers; the default port is that of DNS.
pub(super) fn resolvers(texts: &[String]) -> Result<Vec<SocketAddr>> {
    const MOST: usize = 3;
    if texts.len() > MOST {
        return Err(invalid(&format!(
            "dns-upstream: at most {MOST} resolvers are allowed, not {}",
            texts.len()
        )));
    }
    let resolver = |text: &String| {
        let text = text.trim();
        let address = text.parse().or_else(|_| text.parse().map(|ip: IpAddr| SocketAddr::new(ip, 53)));
        let usable = address.ok().filter(|address| !address.ip().is_unspecified() && address.port() != 0);
        usable.ok_or_else(|| {
            invalid(&format!("dns-upstream: {text:?} is not an IP address, or one with a port"))
        })
    };
    texts.iter().map(resolver).collect()
}

/// At least an hour: a mistaken unit would empty the log.
pub(super) fn audit_retention(text: &str) -> Result<SignedDuration> {
    let span: Option<Span> = text.trim().parse().ok();
    let duration = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
    duration.filter(|duration| *duration >= SignedDuration::from_hours(1)).ok_or_else(|| {
        invalid(&format!(
            "audit-retention: {text:?} is not a duration of at least an hour, such as 90d, 52w or 12h"
        ))
    })
}

pub(super) fn invalid(message: &str) -> Failure {
    Failure::new(ExitKind::Configuration, message).hint("croft serve --help explains every option")
}

pub(super) fn read_file(path: &Path) -> Result<Options> {
    let text = fs::read_to_string(path)
        .map_err(|error| invalid(&format!("cannot read the configuration {}: {error}", path.display())))?;
    toml::from_str(&text).map_err(|error| {
        // The error's own text quotes the line, which may contain the password of a database.
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        invalid(&format!("{}: line {line}: {}", path.display(), error.message()))
    })
}

pub(super) fn read_token(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path)
        .map_err(|error| invalid(&format!("cannot read the metrics token {}: {error}", path.display())))?;
    let token = text.lines().next().unwrap_or_default().trim();
    if token.len() < 16 {
        return Err(invalid(&format!(
            "the metrics token in {} must have at least 16 characters",
            path.display()
        )));
    }
    Ok(token.to_owned())
}

pub(super) fn read_authorities(path: &Path) -> Result<Vec<CertificateDer<'static>>> {
    outbound::read_authorities(path).map_err(|reason| invalid(&format!("webhook-ca: {reason}")))
}
