//! The cost of the most expensive known responses, in steps, which are the same on every host.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_saml::{
    Budget, Refusal, ServiceProvider, VerificationKey,
    testing::{TestKey, sign},
};

use crate::{ACS, CLIENT, ISSUER, answer, now};

/// Maximum steps per byte of a document whose sender has no key.
const PER_BYTE: u64 = 20;
/// Maximum steps for verifying two signatures with one key, and for the fixed costs of each response.
const FIXED: u64 = 400_000;

fn check(text: &str) -> (u64, Result<(), Refusal>) {
    let keys = [VerificationKey::from_certificate(TestKey::Rsa.certificate()).unwrap()];
    let provider =
        ServiceProvider { idp_entity_id: ISSUER, client_id: CLIENT, acs_url: ACS, keys: &keys, now: now() };
    let mut budget = Budget::default();
    let result = provider.accept(&STANDARD.encode(text), &mut budget);
    (budget.spent(), result.map(|_| ()))
}

/// A response with these declarations in its outermost element and this content in its assertion.
fn document(declarations: &str, content: &str) -> String {
    let text = answer().xml().replacen("<samlp:Response ", &format!("<samlp:Response{declarations} "), 1);
    text.replacen("<saml:Conditions", &format!("<x>{content}</x><saml:Conditions"), 1)
}

/// Concatenates the text of each number below `count`.
fn numbered(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |all, number| all + &text(number))
}

fn declarations(count: usize, length: usize) -> String {
    numbered(count, |number| format!(" xmlns:n{number}=\"{}\"", "u".repeat(length)))
}

/// Changes the signature of a signed text.
fn with_signature(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

/// Documents that are refused before parsing, and documents just within the limits.
fn bodies() -> Vec<(&'static str, String)> {
    let prefixes = numbered(50, |number| format!("<n{number}:e/>"));
    let attributes = numbered(50, |number| format!(" n{number}:a=''"));
    vec![
        ("namespaces and elements, too many", document(&declarations(1000, 1), &"<a/>".repeat(40_000))),
        ("namespaces and elements, as many as may be", document(&declarations(50, 1), &prefixes.repeat(160))),
        ("namespaces with long names", document(&declarations(50, 200), &prefixes.repeat(160))),
        (
            "namespaces that each element declares anew",
            document("", &format!("<a{}/>", declarations(50, 10)).repeat(80)),
        ),
        (
            "namespaces that are used by attributes",
            document(&declarations(50, 1), &format!("<a{attributes}/>").repeat(330)),
        ),
        ("elements without end", document("", &"<a/>".repeat(40_000))),
        ("levels of nested elements", document("", &("<a>".repeat(20_000) + &"</a>".repeat(20_000)))),
        (
            "levels of nested elements, as many as may be",
            document("", &("<a>".repeat(61) + &"</a>".repeat(61)).repeat(160)),
        ),
        ("one attribute", document("", &format!("<a b='{}'/>", "\"".repeat(200_000)))),
        ("attributes that grow", document("", &format!("<a b='{}'/>", "\"".repeat(15_000)).repeat(12))),
        ("attributes of one element", document("", &format!("<a{}/>", " b=''".repeat(100_000)))),
        (
            "attributes of many elements",
            document("", &format!("<a{}/>", numbered(62, |n| format!(" b{n}=''"))).repeat(320)),
        ),
        ("text that grows", document("", &">".repeat(200_000))),
        ("comments", document("", &"<!---->".repeat(30_000))),
        ("references to characters", document("", &"&#13;".repeat(30_000))),
        ("ids", document("", &"<a ID='_assertion'/>".repeat(9_000))),
        ("issuers", document("", &"<saml:Issuer/>".repeat(9_000))),
        ("nothing but openings", "<".repeat(200_000)),
        ("an opening and no end", format!("<a {}", "b=\"".repeat(60_000))),
        ("comments without end", "<!--".repeat(50_000)),
    ]
}

/// Signatures that are expensive to verify.
fn signatures() -> Vec<(&'static str, String)> {
    let form =
        "<ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" PrefixList=\"xs\"/>";
    let enveloped = "<ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>";
    let exclusive = "<ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>";
    let list = |count: usize| numbered(count, |number| format!("n{number} "));
    let content = "<a/>".repeat(9_000);
    let signed = sign(&document(&declarations(50, 10), &content), "_assertion", TestKey::OtherRsa);
    let listing = |count: usize| form.replace("\"xs\"", &format!("\"{}\"", list(count)));
    let method =
        |parameter: &str| exclusive.replace("/>", &format!(">{parameter}</ds:CanonicalizationMethod>"));
    let reference = {
        let start = signed.find("<ds:Reference").unwrap();
        let end = signed.find("</ds:Reference>").unwrap() + "</ds:Reference>".len();
        signed[start..end].to_owned()
    };
    vec![
        ("a list of prefixes", with_signature(&signed, form, &listing(32))),
        ("a list of prefixes that is too long", with_signature(&signed, form, &listing(2_000))),
        ("a list of prefixes that is far too long", with_signature(&signed, form, &listing(20_000))),
        ("many lists of prefixes", with_signature(&signed, form, &form.repeat(3_000))),
        ("a list for what is signed first", with_signature(&signed, exclusive, &method(&listing(32)))),
        (
            "a long form of what is signed first",
            with_signature(&signed, exclusive, &method(&form.repeat(5_000))),
        ),
        ("many transformations", with_signature(&signed, enveloped, &enveloped.repeat(5_000))),
        ("many references", with_signature(&signed, &reference, &reference.repeat(600))),
        (
            "what is signed first is long",
            with_signature(&signed, "<ds:Reference ", &format!("{}<ds:Reference ", "<n0:a/>".repeat(900))),
        ),
        (
            "what is signed first is deep",
            with_signature(
                &signed,
                "<ds:Reference ",
                &format!("{}{}<ds:Reference ", "<n0:a>".repeat(50), "</n0:a>".repeat(50)),
            ),
        ),
        (
            "a value that is long",
            with_signature(
                &signed,
                "<ds:SignatureValue>",
                &format!("<ds:SignatureValue>{}", "A".repeat(100_000)),
            ),
        ),
        ("two signatures", sign(&signed, "_response", TestKey::OtherRsa)),
        ("many signatures", with_signature(&signed, "<x>", &format!("<x>{}", "<ds:Signature/>".repeat(900)))),
    ]
}

#[test]
fn what_a_stranger_can_cause_grows_with_what_they_send_and_not_faster() {
    for (name, text) in bodies() {
        // Unsigned, and signed with a key that is not the provider's, in case the signature is verified.
        let mut texts = vec![text.clone()];
        if check(&text).1 == Err(Refusal::Unsigned) {
            let once = sign(&text, "_response", TestKey::OtherRsa);
            texts.push(sign(&once, "_assertion", TestKey::OtherRsa));
        }
        for text in texts {
            refused_cheaply(name, &text);
        }
    }
    for (name, text) in signatures() {
        refused_cheaply(name, &text);
    }
}

fn refused_cheaply(name: &str, text: &str) {
    let (spent, result) = check(text);
    let refusal = result.expect_err(name).to_string();
    assert!(refusal.len() < 400, "{name}: {refusal}");
    let most = PER_BYTE * u64::try_from(text.len()).unwrap() + FIXED;
    assert!(spent <= most, "{name}: {spent} steps for {} bytes: {refusal}", text.len());
}

/// Responses signed by the provider may be long, but their cost is limited, too.
#[test]
fn what_a_provider_can_cause_has_an_end() {
    let groups = numbered(3000, |number| {
        format!(
            "<saml:AttributeValue xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xs:type=\"xs:string\">\
             group number {number}</saml:AttributeValue>"
        )
    });
    let text = document("", &groups);
    let text = sign(&sign(&text, "_assertion", TestKey::Rsa), "_response", TestKey::Rsa);
    let (spent, result) = check(&text);
    result.unwrap();
    assert!(spent <= PER_BYTE * u64::try_from(text.len()).unwrap() + FIXED, "{spent}");

    // Each element uses a long namespace that its ancestors do not use.
    let prefixes = numbered(50, |number| format!("<n{number}:e/>"));
    let text = sign(&document(&declarations(50, 230), &prefixes.repeat(160)), "_assertion", TestKey::Rsa);
    let (spent, result) = check(&text);
    result.unwrap();
    assert!(spent < 20_000_000, "{spent}");

    let mut budget = Budget::new(1000);
    let keys = [VerificationKey::from_certificate(TestKey::Rsa.certificate()).unwrap()];
    let provider =
        ServiceProvider { idp_entity_id: ISSUER, client_id: CLIENT, acs_url: ACS, keys: &keys, now: now() };
    let refusal = provider.accept(&STANDARD.encode(&text), &mut budget).unwrap_err();
    let expected = "could not extract SAMLResponse assertion! it would take too much work to verify";
    assert_eq!(refusal.to_string(), expected);
    assert!(budget.spent() <= 1000);
}
