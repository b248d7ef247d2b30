//! Requirements on the content of correctly signed responses.

use crate::{ACS, CLIENT, accept, answer, now, refusal, refusal_of, seconds, sign, signed};
use croft_saml::testing::TestKey;

fn extraction(reason: &str) -> String {
    format!("could not extract SAMLResponse assertion! {reason}")
}

#[test]
fn the_issuer() {
    let mut other = answer();
    other.issuer = "https://elsewhere.example".into();
    let expected = "SAMLResponse issuer https://elsewhere.example does not match configured idp entity id";
    assert_eq!(refusal_of(&other), expected);
    other.issuer = format!("https://{}", "e".repeat(10_000));
    assert!(refusal_of(&other).len() < 200, "the message does not repeat long input");
    other.issuer = "  ".into();
    assert_eq!(refusal_of(&other), "SAMLResponse has a blank issuer!");
    let text = signed(&answer());
    let start = text.find("<saml:Issuer xmlns").unwrap();
    let end = text.find("<samlp:Status>").unwrap();
    assert_eq!(refusal(&format!("{}{}", &text[..start], &text[end..])), "SAMLResponse has no issuer!");

    // The issuer of the response is correct, but that of the signed assertion is not.
    let inner =
        answer().xml().replace("<saml:Issuer>https://idp.example", "<saml:Issuer>https://evil.example");
    assert!(
        refusal(&sign(&inner, "_assertion", TestKey::Rsa)).contains("https://evil.example does not match")
    );
}

#[test]
fn the_status() {
    let mut answer = answer();
    answer.status = "urn:oasis:names:tc:SAML:2.0:status:Requester".into();
    let reason = "the provider refused: urn:oasis:names:tc:SAML:2.0:status:Requester";
    assert_eq!(refusal_of(&answer), extraction(reason));
}

#[test]
fn the_audience_and_the_destination() {
    let mut other = answer();
    other.audience = "https://other.example/sp".into();
    assert_eq!(
        refusal_of(&other),
        extraction(&format!("an assertion that is not for the audience {CLIENT}"))
    );
    let mut other = answer();
    other.acs_url = "https://other.example/acs".into();
    let reason = format!("the response is for https://other.example/acs, not for {ACS}");
    assert_eq!(refusal_of(&other), extraction(&reason));

    // The destination is unsigned if only the assertion is signed. The recipient of the assertion must still match.
    let text = signed(&other).replace("Destination=\"https://other.example/acs\"", "");
    assert_eq!(
        refusal(&text),
        extraction(&format!("the subject confirmation is not for the recipient {ACS}"))
    );

    let none = answer().xml().replace("saml:AudienceRestriction>", "saml:OneTimeUse>");
    let none = none.replace(&format!("<saml:Audience>{CLIENT}</saml:Audience>"), "");
    let text = sign(&none, "_assertion", TestKey::Rsa);
    assert_eq!(refusal(&text), extraction("an assertion without an audience"));
    let unknown = answer().xml().replace("saml:AudienceRestriction>", "saml:Sundays>");
    let text = sign(&unknown, "_assertion", TestKey::Rsa);
    assert_eq!(refusal(&text), extraction("an unknown condition Sundays"));
}

#[test]
fn the_times() {
    let mut late = answer();
    late.made = now() - seconds(90);
    assert!(accept(&signed(&late)).is_ok());
    late.made = now() - seconds(91);
    assert_eq!(refusal_of(&late), extraction("issued too long ago, at 2026-03-01T11:58:29Z"));

    // A new response with an old assertion.
    let old = late.made.to_string();
    let fresh = late.xml().replacen(&old, &now().to_string(), 1);
    let text = sign(&fresh, "_assertion", TestKey::Rsa);
    assert_eq!(refusal(&text), extraction("issued too long ago, at 2026-03-01T11:58:29Z"));

    let mut early = answer();
    early.made = now() + seconds(180);
    assert!(accept(&signed(&early)).is_ok());
    early.made = now() + seconds(181);
    assert_eq!(refusal_of(&early), extraction("issued in the future, at 2026-03-01T12:03:01Z"));

    let mut ended = answer();
    ended.end = now() - seconds(179);
    assert!(accept(&signed(&ended)).is_ok());
    ended.end = now() - seconds(180);
    assert_eq!(refusal_of(&ended), extraction("not valid on or after 2026-03-01T11:57:00Z"));

    let text =
        answer().xml().replace("NotBefore=\"2026-03-01T12:00:00Z\"", "NotBefore=\"2026-03-01T12:03:01Z\"");
    let text = sign(&text, "_assertion", TestKey::Rsa);
    assert_eq!(refusal(&text), extraction("not valid before 2026-03-01T12:03:01Z"));

    let text = answer().xml().replace("NotBefore=\"2026-03-01T12:00:00Z\"", "NotBefore=\"noon\"");
    assert!(refusal(&sign(&text, "_assertion", TestKey::Rsa)).contains("NotBefore \"noon\" is not a time"));

    let text =
        answer().xml().replace("AuthnInstant=", "SessionNotOnOrAfter=\"2026-03-01T11:00:00Z\" AuthnInstant=");
    let text = sign(&text, "_assertion", TestKey::Rsa);
    assert_eq!(refusal(&text), extraction("the session at the provider has ended"));
}

#[test]
fn the_subject() {
    let text = answer().xml();
    let start = text.find("<saml:Subject>").unwrap();
    let end = text.find("<saml:Conditions").unwrap();
    let without = format!("{}{}", &text[..start], &text[end..]);
    assert_eq!(refusal(&sign(&without, "_assertion", TestKey::Rsa)), "no subject in assertion");

    let without = text.replace("<saml:NameID>ada</saml:NameID>", "");
    assert_eq!(refusal(&sign(&without, "_assertion", TestKey::Rsa)), "no subject name id in assertion");
    for name in ["", " <!-- x --> ", "<b>ada</b>"] {
        let mut answer = answer();
        answer.name_id = name.into();
        assert_eq!(refusal_of(&answer), "no subject name id in assertion", "{name}");
    }
    let text = text.replace("cm:bearer", "cm:holder-of-key");
    let text = sign(&text, "_assertion", TestKey::Rsa);
    assert_eq!(refusal(&text), extraction("a subject without a bearer confirmation"));
}

#[test]
fn a_comment_does_not_cut_the_name() {
    for name in
        ["admin<!-- -->@x", "<!-- -->admin@x", "adm<?pi?>in@<!-- a --><!-- b -->x", "<![CDATA[admin]]>@x"]
    {
        let mut answer = answer();
        answer.name_id = name.into();
        assert_eq!(accept(&signed(&answer)).unwrap().name_id, "admin@x");
    }
    // Comments added after signing do not change the canonical form, so they must not change the name.
    let mut answer = answer();
    answer.name_id = "admin@x.evil".into();
    let text = signed(&answer).replace("admin@x.evil", "admin@x<!-- -->.evil");
    assert_eq!(accept(&text).unwrap().name_id, "admin@x.evil");
}

#[test]
fn an_assertion_that_nobody_signed_in_for() {
    let text = answer().xml();
    let start = text.find("<saml:AuthnStatement").unwrap();
    let end = text.find("</saml:Assertion>").unwrap();
    let without = format!("{}{}", &text[..start], &text[end..]);
    let reason = "an assertion without an authentication statement";
    assert_eq!(refusal(&sign(&without, "_assertion", TestKey::Rsa)), extraction(reason));
}

#[test]
fn the_request_that_is_answered() {
    let mut solicited = answer();
    solicited.in_response_to = Some("_request".into());
    let text = signed(&solicited);
    assert_eq!(accept(&text).unwrap().in_response_to.as_deref(), Some("_request"));
    // Removing InResponseTo where it is unsigned does not make the response unsolicited.
    let stripped = text.replacen(" InResponseTo=\"_request\"", "", 1);
    assert_eq!(accept(&stripped).unwrap().in_response_to.as_deref(), Some("_request"));
    let changed = text.replacen("InResponseTo=\"_request\"", "InResponseTo=\"_other\"", 1);
    assert_eq!(refusal(&changed), extraction("a response to two requests"));
    // Adding InResponseTo where it is unsigned does not make it a response to that request.
    let added = |text: &str| text.replacen("ID=\"_response\"", "ID=\"_response\" InResponseTo=\"_x\"", 1);
    assert_eq!(accept(&added(&signed(&answer()))).unwrap().in_response_to, None);
    let whole = croft_saml::testing::sign(&added(&answer().xml()), "_response", TestKey::Rsa);
    assert_eq!(accept(&whole).unwrap().in_response_to.as_deref(), Some("_x"));
}

#[test]
fn what_is_no_answer() {
    assert_eq!(refusal("<a/>"), "could not parse SAMLResponse string! the outermost element is a");
    assert!(refusal("").starts_with("could not parse SAMLResponse string! "));
    let text = signed(&answer());
    let entity = format!("<!DOCTYPE x [<!ENTITY a \"b\">]>{text}");
    assert_eq!(refusal(&entity), "could not parse SAMLResponse string! a document type is not allowed");
    assert!(refusal(&text.replace("ada", "&a;")).starts_with("could not parse SAMLResponse string! "));
    let old = text.replacen("Version=\"2.0\"", "Version=\"1.1\"", 1);
    assert_eq!(refusal(&old), extraction("not SAML version 2.0"));
    let encrypted = answer().xml().replace("saml:Assertion", "saml:EncryptedAssertion");
    assert_eq!(refusal(&encrypted), extraction("encrypted assertions are not supported"));
}
