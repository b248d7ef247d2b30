//! SAML sign-in, from the creation of the provider to the session.

mod binding;
mod changes;
mod fuzz;
mod options;
mod providers;
mod sign_in;
mod users;

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_http::{Clock as _, Settings};
use croft_saml::testing::{TestAnswer, TestKey};
use http::Method;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};

use crate::cloud::{Answer, Client, Cloud};

const CORP: &str = "corp";
const PROVIDERS: &str = "/v1/system/identity-providers/saml";
const ISSUER: &str = "https://idp.example";
const CLIENT_ID: &str = "https://cloud.example/sp";
const SSO: &str = "https://idp.example/sso";
const ACS: &str = "https://cloud.example/login/corp/saml/okta";
const PATH: &str = "/login/corp/saml/okta";

/// A body that creates a provider.
fn provider(name: &str) -> Value {
    json!({
        "name": name, "description": "", "acs_url": ACS, "slo_url": "https://cloud.example/slo",
        "idp_entity_id": ISSUER, "sp_client_id": CLIENT_ID, "technical_contact_email": "ops@example.com",
        "group_attribute_name": "groups",
        "idp_metadata_source": {
            "type": "base64_encoded_xml", "data": BASE64_STANDARD.encode(TestKey::Rsa.metadata(SSO)),
        },
    })
}

fn key_pair(certificate: TestKey, key: TestKey) -> Value {
    json!({
        "public_cert": BASE64_STANDARD.encode(certificate.certificate()),
        "private_key": BASE64_STANDARD.encode(key.private_key()),
    })
}

async fn add_silo(admin: &Client<'_>, name: &str, mode: &str, discoverable: bool) {
    let body = json!({
        "name": name, "description": "", "discoverable": discoverable, "identity_mode": mode,
        "quotas": { "cpus": 10, "memory": 1_u64 << 40, "storage": 1_u64 << 40 }, "tls_certificates": [],
        "admin_group_name": "admins",
    });
    let answer = admin.post("/v1/system/silos", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
}

async fn add_provider(admin: &Client<'_>, body: Value) -> Value {
    let answer = admin.post(&format!("{PROVIDERS}?silo={CORP}"), body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

/// Changes a provider of the silo `corp`. Returns its settings.
async fn change(admin: &Client<'_>, name: &str, body: Value) -> Value {
    let answer = admin.put(&settings(name), body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// The URI of a provider's settings in the silo `corp`.
fn settings(name: &str) -> String {
    format!("/experimental{PROVIDERS}/{name}?silo={CORP}")
}

/// A cloud with the silo `corp`, whose users sign in through `okta`, with unsolicited responses allowed.
async fn corp() -> Cloud {
    let cloud = strict_corp(Settings::default()).await;
    change(&cloud.with_token(), "okta", json!({ "allow_unsolicited": true })).await;
    cloud
}

/// The same, without unsolicited responses.
async fn strict_corp(settings: Settings) -> Cloud {
    let cloud = Cloud::with(settings);
    let admin = cloud.with_token();
    add_silo(&admin, CORP, "saml_jit", true).await;
    add_provider(&admin, provider("okta")).await;
    cloud
}

/// A valid response issued now, with this assertion ID.
fn answer(cloud: &Cloud, id: &str) -> TestAnswer {
    let mut answer = TestAnswer::new(ISSUER, CLIENT_ID, ACS, cloud.clock.now());
    answer.assertion_id = format!("_{id}");
    answer
}

/// The form that the browser posts.
fn form(response: &str, relay_state: Option<&str>) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let relay = relay_state.map_or_else(String::new, |state| format!("&RelayState={}", encode(state)));
    format!("SAMLResponse={}{relay}", encode(response))
}

async fn post_to(client: &Client<'_>, path: &str, body: String) -> Answer {
    let client = client.clone().with("content-type", "application/x-www-form-urlencoded");
    client.send(Method::POST, path, body).await
}

/// Posts a response to the provider `okta`, as the browser does from the provider's page.
async fn post(cloud: &Cloud, response: &str, relay_state: Option<&str>) -> Answer {
    let browser =
        cloud.anonymous().with("sec-fetch-site", "cross-site").with("origin", "https://idp.example");
    post_to(&browser, PATH, form(response, relay_state)).await
}

async fn post_answer(cloud: &Cloud, answer: &TestAnswer) -> Answer {
    post(cloud, &answer.field(TestKey::Rsa), None).await
}

/// A client with the session that this response has opened.
fn session<'a>(cloud: &'a Cloud, answer: &Answer) -> Client<'a> {
    assert_eq!(answer.status, 303, "{answer:?}");
    let cookie = answer.header("set-cookie").split(';').next().unwrap();
    cloud.anonymous().with("cookie", cookie)
}

/// Returns a decoded query parameter of an address.
fn parameter(location: &str, name: &str) -> Option<String> {
    let (_, query) = location.split_once('?')?;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.into_iter().find(|(key, _)| *key == name)?;
    Some(percent_decode_str(value).decode_utf8().unwrap().into_owned())
}

/// Returns the ID of the request in the redirect to the provider.
fn request_id(location: &str) -> String {
    let bytes = BASE64_STANDARD.decode(parameter(location, "SAMLRequest").unwrap()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::DeflateDecoder::new(&bytes[..]), &mut text).unwrap();
    let start = text.find(" ID=\"").unwrap() + 5;
    text[start..].split('"').next().unwrap().to_owned()
}

const MINUTE: Duration = Duration::from_mins(1);
