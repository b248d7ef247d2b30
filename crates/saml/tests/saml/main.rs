//! Responses to a service provider, valid and invalid.

// Helpers may unwrap like tests. Clippy's exception covers only functions that are marked as tests.
#![allow(clippy::unwrap_used)]

mod checks;
mod forged;
mod fuzz;
mod metadata;
mod others;
mod requests;
mod work;
mod wrapping;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_saml::{
    Assertion, Budget, Refusal, ServiceProvider, VerificationKey,
    testing::{TestAnswer, TestKey, sign},
};
use jiff::{SignedDuration, Timestamp};

const ISSUER: &str = "https://idp.example";
const CLIENT: &str = "https://cloud.example/sp";
const ACS: &str = "https://cloud.example/login/acme/saml/idp";

/// Noon of 2026-03-01.
fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn seconds(count: i64) -> SignedDuration {
    SignedDuration::from_secs(count)
}

fn answer() -> TestAnswer {
    TestAnswer::new(ISSUER, CLIENT, ACS, now())
}

/// Checks a response as a service provider that trusts these keys.
fn accept_with(keys: &[TestKey], text: &str) -> Result<Assertion, Refusal> {
    let keys: Vec<_> =
        keys.iter().map(|key| VerificationKey::from_certificate(key.certificate()).unwrap()).collect();
    let provider =
        ServiceProvider { idp_entity_id: ISSUER, client_id: CLIENT, acs_url: ACS, keys: &keys, now: now() };
    provider.accept(&STANDARD.encode(text), &mut Budget::default())
}

fn accept(text: &str) -> Result<Assertion, Refusal> {
    accept_with(&[TestKey::Rsa], text)
}

fn refusal(text: &str) -> String {
    accept(text).unwrap_err().to_string()
}

/// The refusal of a response whose assertion is signed.
fn refusal_of(answer: &TestAnswer) -> String {
    refusal(&signed(answer))
}

/// Signs the assertion of a response.
fn signed(answer: &TestAnswer) -> String {
    sign(&answer.xml(), &answer.assertion_id, TestKey::Rsa)
}

#[test]
fn each_kind_of_key_and_each_place_of_the_signature() {
    for key in [TestKey::Rsa, TestKey::P256, TestKey::P384, TestKey::P521] {
        let answer = answer();
        let assertion = sign(&answer.xml(), "_assertion", key);
        let response = sign(&answer.xml(), "_response", key);
        let both = sign(&assertion, "_response", key);
        for text in [assertion, response, both] {
            let accepted = accept_with(&[TestKey::OtherRsa, key], &text).unwrap();
            assert_eq!(accepted.name_id, "ada");
            assert_eq!(accepted.id, "_assertion");
            assert_eq!(accepted.in_response_to, None);
            assert_eq!(accepted.acceptable_until, now() + seconds(90));
        }
    }
}

#[test]
fn attributes_are_read_as_they_are_named() {
    let mut answer = answer();
    answer.attributes = vec![
        ("groups".into(), vec!["dev, ops".into(), "<!-- a -->admins<!-- b -->".into()]),
        ("Groups".into(), vec!["no".into()]),
        ("groups".into(), vec!["more".into(), "<b>element</b>".into(), String::new()]),
    ];
    let accepted = accept(&signed(&answer)).unwrap();
    assert_eq!(accepted.values("groups").collect::<Vec<_>>(), ["dev, ops", "admins", "more", ""]);
    assert_eq!(accepted.values("none").count(), 0);
}

#[test]
fn a_field_may_be_broken_into_lines() {
    let field = answer().field(TestKey::Rsa);
    let lines: Vec<_> = field.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let keys = [VerificationKey::from_certificate(TestKey::Rsa.certificate()).unwrap()];
    let provider =
        ServiceProvider { idp_entity_id: ISSUER, client_id: CLIENT, acs_url: ACS, keys: &keys, now: now() };
    assert_eq!(provider.accept(&lines.join("\r\n"), &mut Budget::default()).unwrap().name_id, "ada");
}
