//! A minimal identity provider without authentication.

use std::{fmt::Write as _, sync::Arc};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse as _, Response},
    routing::get,
};
use croft_api::{Error, Timestamp};
use croft_demo::{DemoPerson, PEOPLE, PROVIDER, ProviderPlace, SILO};
use croft_http::{App, Query, Result as HttpResult, attribute};
use croft_saml::issuing::{IssuingKey, ResponseContent, is_id, request_id};
use http::{HeaderValue, header};
use rcgen::{CertificateParams, KeyPair};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::failure::{ExitKind, Failure, Result};

/// The URL of the page for selecting a user.
const CHOICE: &str = "/demo/identity-provider";
/// The URL that the page posts to.
const ANSWER: &str = "/demo/identity-provider/answer";
/// The provider's entity ID.
const ENTITY: &str = "urn:croft:demo:identity-provider";
/// The entity ID of this server.
const CLIENT: &str = "urn:croft:demo";

/// Submits the form with the response.
const SCRIPT: &str = "document.forms[0].submit()";
const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;\
    color-scheme:light dark}button{font:inherit;display:block;width:100%;margin:.5rem 0;padding:.75rem 1rem;\
    text-align:left;cursor:pointer}small{display:block}";

/// The provider: a key, which exists only in memory, and its certificate.
pub struct IdentityProvider {
    key: IssuingKey,
    certificate: String,
    policy: HeaderValue,
}

impl IdentityProvider {
    /// A provider with a new key.
    pub fn new() -> Result<Self> {
        let failed = |reason: &dyn std::fmt::Display| {
            Failure::new(ExitKind::Failed, format!("the demo's identity provider has no key: {reason}"))
        };
        let pair = KeyPair::generate().map_err(|error| failed(&error))?;
        let certificate = CertificateParams::new(vec![PROVIDER.to_owned()])
            .and_then(|params| params.self_signed(&pair))
            .map_err(|error| failed(&error))?;
        let key = IssuingKey::from_pkcs8(&pair.serialize_der()).ok_or_else(|| failed(&"not of its kind"))?;
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; form-action 'self'; \
             frame-ancestors 'none'; base-uri 'none'",
            base64(&Sha256::digest(SCRIPT)),
            base64(&Sha256::digest(STYLE))
        );
        Ok(Self {
            key,
            certificate: base64(certificate.der()),
            policy: HeaderValue::try_from(policy).map_err(|error| failed(&error))?,
        })
    }

    /// The provider's settings for this server. Both are on the same host, whatever its name.
    pub fn place(&self) -> ProviderPlace {
        ProviderPlace {
            sso_location: CHOICE.to_owned(),
            acs_url: acs_url(),
            entity_id: ENTITY.to_owned(),
            client_id: CLIENT.to_owned(),
            certificate: self.certificate.clone(),
        }
    }

    /// A signed response about a user, as a field of a form.
    fn signed_response(
        &self,
        person: &DemoPerson,
        request: Option<String>,
        id: String,
        now: Timestamp,
    ) -> String {
        let mut answer = ResponseContent::new(ENTITY, CLIENT, &acs_url(), now);
        answer.assertion_id = id;
        answer.in_response_to = request;
        person.name.clone_into(&mut answer.name_id);
        let groups: Vec<String> = person.groups.iter().map(|group| (*group).to_owned()).collect();
        if !groups.is_empty() {
            answer.attributes = vec![("groups".to_owned(), groups)];
        }
        answer.field(&self.key)
    }

    fn page(&self, title: &str, content: &str) -> Response {
        let html = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head>\n<body><main>\
             <h1>{title}</h1>\n{content}</main></body></html>\n"
        );
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::CONTENT_SECURITY_POLICY, self.policy.clone()),
        ];
        (headers, html).into_response()
    }
}

/// The URL for responses.
fn acs_url() -> String {
    format!("/login/{SILO}/saml/{PROVIDER}")
}

fn base64(bytes: &[u8]) -> String {
    croft_saml::issuing::base64(bytes)
}

/// The provider's two pages.
pub fn router(provider: &Arc<IdentityProvider>) -> Router<App> {
    let (chosen, answered) = (Arc::clone(provider), Arc::clone(provider));
    Router::new()
        .route(CHOICE, get(move |query| std::future::ready(choose(&chosen, &query))))
        .route(ANSWER, get(move |State(app), query| std::future::ready(answer(&answered, &app, query))))
}

/// A sign-in request, as sent by browsers.
#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "SAMLRequest")]
    request: Option<String>,
    #[serde(rename = "RelayState")]
    relay_state: Option<String>,
}

/// The selected user.
#[derive(Deserialize)]
struct SignInChoice {
    person: String,
    request: Option<String>,
    #[serde(rename = "RelayState")]
    relay_state: Option<String>,
}

fn hidden(name: &str, value: &str) -> String {
    format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", attribute(value))
}

fn choose(provider: &IdentityProvider, Query(asked): &Query<Asked>) -> Response {
    let mut form = format!("<p>No password is needed.</p>\n<form action=\"{ANSWER}\">");
    let request = asked.request.as_deref().and_then(request_id);
    for (name, value) in [("request", &request), ("RelayState", &asked.relay_state)] {
        form.push_str(&value.as_ref().map_or_else(String::new, |value| hidden(name, value)));
    }
    for DemoPerson { name, label, .. } in PEOPLE {
        let _ = writeln!(
            form,
            "<button name=\"person\" value=\"{name}\" aria-label=\"{name}\">{name}<small>{label}</small></button>"
        );
    }
    form.push_str("</form>\n");
    provider.page("Who are you?", &form)
}

fn answer(
    provider: &IdentityProvider,
    app: &App,
    Query(chosen): Query<SignInChoice>,
) -> HttpResult<Response> {
    let person = PEOPLE.iter().find(|person| person.name == chosen.person);
    let person = person.ok_or_else(|| Error::invalid_request("the demo has no such user"))?;
    if chosen.request.as_ref().is_some_and(|id| !is_id(id)) {
        return Err(Error::invalid_request("the request ID is not valid").into());
    }
    let mut bytes = [0; 16];
    app.parts.random.fill(&mut bytes);
    let id = format!("_{:032x}", u128::from_be_bytes(bytes));
    let signed = provider.signed_response(person, chosen.request, id, app.parts.clock.now());
    let relay = chosen.relay_state.map_or_else(String::new, |state| hidden("RelayState", &state));
    let form = format!(
        "<form method=\"post\" action=\"{}\">{}{relay}<button>Continue as {}</button></form>\n\
         <script>{SCRIPT}</script>\n",
        acs_url(),
        hidden("SAMLResponse", &signed),
        person.name
    );
    Ok(provider.page("Signing in", &form))
}
