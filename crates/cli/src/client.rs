//! Calls of the API.

use std::{fs, fs::File, io, io::Read as _, sync::Arc, time::Duration};

use rustls_pki_types::{CertificateDer, pem::PemObject as _};
use serde_json::Value;
use ureq::{
    Agent, Body, SendBody,
    http::{self, Response},
    tls::{Certificate, RootCerts, TlsConfig},
};

use crate::{
    failure::{Failure, Result},
    request::{Content, Request},
};

/// The version of the contract that the client speaks.
const API_VERSION: &str = "20250730.0.0";

/// Longest response that is kept in memory, in bytes.
const LONGEST: u64 = 256 << 20;

/// A connection to a server, as somebody.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    server: String,
    token: Option<String>,
}

impl Client {
    /// A client of a server. `authority` is a file of certificates in PEM that are trusted beside the system's.
    ///
    /// # Errors
    ///
    /// The address is not one of a server, or the file cannot be read.
    pub fn new(server: &str, token: Option<String>, authority: Option<&str>) -> Result<Self> {
        let server = server.trim_end_matches('/').to_owned();
        if !(server.starts_with("https://") || server.starts_with("http://")) {
            return Err(Failure::Usage(format!(
                "`{server}` is not the address of a server, such as https://cloud.example.com"
            )));
        }
        let tls = TlsConfig::builder()
            .root_certs(roots(authority)?)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(Duration::from_secs(20)))
            .user_agent(format!("croft/{}", env!("CARGO_PKG_VERSION")))
            .tls_config(tls)
            .build();
        Ok(Self { agent: Agent::new_with_config(config), server, token })
    }

    /// The server's address, without a slash at the end.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The bearer token.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Sends a request, and returns the response if it is one of success.
    ///
    /// # Errors
    ///
    /// There is no response, or a refusal.
    pub fn send(&self, request: &Request) -> Result<Response<Body>> {
        let mut builder = http::Request::builder()
            .method(request.method.as_str())
            .uri(format!("{}{}", self.server, request.target()))
            .header("accept", "application/json, */*")
            .header("api-version", API_VERSION);
        if let Some(token) = &self.token {
            builder = builder.header("authorization", format!("Bearer {token}"));
        }
        let (builder, body) = match &request.content {
            Content::None => (builder, SendBody::none()),
            Content::Json(value) => with_json(builder, value.to_string()),
            Content::JsonText(text) => with_json(builder, text.clone()),
            Content::File(name) => {
                let builder = builder.header("content-type", "application/octet-stream");
                if name == "-" {
                    (builder, SendBody::from_owned_reader(io::stdin()))
                } else {
                    let file = File::open(name).map_err(Failure::io(format!("cannot read {name}")))?;
                    let length = file.metadata().map_err(Failure::io(format!("cannot read {name}")))?.len();
                    (builder.header("content-length", length), SendBody::from_owned_reader(file))
                }
            }
        };
        let wrong = |error: http::Error| Failure::Usage(format!("cannot make the request: {error}"));
        let response =
            self.agent.run(builder.body(body).map_err(wrong)?).map_err(|error| self.lost(&error))?;
        if response.status().is_success() { Ok(response) } else { Err(refusal(response)) }
    }

    /// Sends a request, and returns the JSON of the response; `null` if it is empty.
    ///
    /// # Errors
    ///
    /// There is no response, a refusal, or one that is not JSON.
    pub fn json(&self, request: &Request) -> Result<Value> {
        let response = self.send(request)?;
        let text = read(response).map_err(|error| self.broken(&error))?;
        if text.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&text).map_err(|_| {
            Failure::Unreachable(format!(
                "{} answered something that is not JSON. Is it the address of a Croft server?",
                self.server
            ))
        })
    }

    /// Posts a form without being signed in, and returns the status and the JSON of the response.
    ///
    /// # Errors
    ///
    /// There is no response, or one that is not JSON.
    pub fn form(&self, path: &str, fields: &[(&str, &str)]) -> Result<(u16, Value)> {
        let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let builder = http::Request::post(format!("{}{path}", self.server))
            .header("content-type", "application/x-www-form-urlencoded");
        let wrong = |error: http::Error| Failure::Usage(format!("cannot make the request: {error}"));
        let response =
            self.agent.run(builder.body(text).map_err(wrong)?).map_err(|error| self.lost(&error))?;
        let status = response.status().as_u16();
        let text = read(response).map_err(|error| self.broken(&error))?;
        Ok((status, serde_json::from_slice(&text).unwrap_or(Value::Null)))
    }

    fn lost(&self, error: &ureq::Error) -> Failure {
        Failure::Unreachable(format!("cannot reach {}: {error}", self.server))
    }

    fn broken(&self, error: &io::Error) -> Failure {
        Failure::Unreachable(format!("the response of {} ended early: {error}", self.server))
    }
}

fn with_json(builder: http::request::Builder, text: String) -> (http::request::Builder, SendBody<'static>) {
    let length = text.len();
    let body = SendBody::from_owned_reader(io::Cursor::new(text));
    (builder.header("content-type", "application/json").header("content-length", length), body)
}

/// The certificates that are trusted.
///
/// # Errors
///
/// The file cannot be read, or has no certificate.
pub fn trusted(authority: Option<&str>) -> Result<Vec<CertificateDer<'static>>> {
    let mut found = rustls_native_certs::load_native_certs().certs;
    if let Some(file) = authority {
        let text = fs::read(file).map_err(Failure::io(format!("cannot read {file}")))?;
        let own: std::result::Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
        match own {
            Ok(own) if !own.is_empty() => found.extend(own),
            _ => return Err(Failure::Usage(format!("{file} has no certificate in PEM"))),
        }
    }
    Ok(found)
}

fn roots(authority: Option<&str>) -> Result<RootCerts> {
    let roots: Vec<_> =
        trusted(authority)?.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    Ok(RootCerts::new_with_certs(&roots))
}

fn read(response: Response<Body>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    response.into_body().into_with_config().limit(LONGEST).reader().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refusal(response: Response<Body>) -> Failure {
    let status = response.status();
    let body: Value =
        read(response).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    let message = text("message").unwrap_or_else(|| format!("the server answered {status}"));
    Failure::Refused { status: status.as_u16(), code: text("error_code"), message }
}
