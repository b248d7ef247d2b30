//! Signature wrapping: a valid signature of an original element, and a forged element that is to be used in its place.
//! The eight classical variants (Somorovsky et al., 2012), and related ones.

use crate::{answer, refusal, sign, signed};
use croft_saml::testing::TestKey;

/// The parts of a signed response: the text, the signed assertion, its signature, and the assertion without the
/// signature.
struct Original {
    text: String,
    assertion: String,
    signature: String,
    bare: String,
}

fn original() -> Original {
    let text = signed(&answer());
    let part = |start: &str, end: &str| {
        let from = text.find(start).unwrap();
        text[from..text.find(end).unwrap() + end.len()].to_owned()
    };
    let assertion = part("<saml:Assertion", "</saml:Assertion>");
    let signature = part("<ds:Signature ", "</ds:Signature>");
    let bare = assertion.replace(&signature, "");
    Original { text, assertion, signature, bare }
}

fn forged_assertion(id: &str) -> String {
    let mut answer = answer();
    answer.name_id = "admin".into();
    answer.assertion_id = id.into();
    answer.assertion()
}

fn check(name: &str, text: &str) {
    let refusal = refusal(text);
    assert!(refusal.starts_with("could not extract SAMLResponse assertion! "), "{name}: {refusal}");
}

fn inside(outer: &str, element: &str, content: &str) -> String {
    let end = format!("</{element}>");
    let place = outer.rfind(&end).unwrap();
    format!("{}{content}{}", &outer[..place], &outer[place..])
}

#[test]
fn wrapped_answers() {
    // 1 and 2: the signed response is moved into a forged one, inside the signature and beside it.
    let signed = sign(&answer().xml(), "_response", TestKey::Rsa);
    let start = signed.find("<ds:Signature ").unwrap();
    let end = signed.find("</ds:Signature>").unwrap() + "</ds:Signature>".len();
    let signature = &signed[start..end];
    let old = signed.replace(signature, "");
    let new = old.replace(">ada<", ">admin<").replace("_response", "_evil");
    let object = format!("<ds:Object>{old}</ds:Object>");
    let enveloping = inside(signature, "ds:Signature", &object);
    check("1", &new.replacen("<samlp:Status>", &format!("{enveloping}<samlp:Status>"), 1));
    check("2", &new.replacen("<samlp:Status>", &format!("{old}{signature}<samlp:Status>"), 1));
    // The same with the ID of the original.
    let new = old.replace(">ada<", ">admin<");
    check("1, one id", &new.replacen("<samlp:Status>", &format!("{enveloping}<samlp:Status>"), 1));
    check("2, one id", &new.replacen("<samlp:Status>", &format!("{old}{signature}<samlp:Status>"), 1));
}

#[test]
fn wrapped_assertions() {
    let Original { text, assertion, signature, bare } = original();
    let swap = |with: &str| text.replace(&assertion, with);
    for id in ["_evil", "_assertion"] {
        let forged_assertion = forged_assertion(id);
        let signed_evil = inside(&forged_assertion, "saml:Assertion", &signature);
        let cases = [
            ("3", format!("{forged_assertion}{assertion}")),
            ("3, after", format!("{assertion}{forged_assertion}")),
            ("4", inside(&forged_assertion, "saml:Assertion", &assertion)),
            ("5", format!("{signed_evil}{bare}")),
            ("6", inside(&forged_assertion, "saml:Assertion", &inside(&signature, "ds:Signature", &bare))),
            ("7", format!("<samlp:Extensions>{assertion}</samlp:Extensions>{forged_assertion}")),
            (
                "7, forged extension",
                format!("<samlp:Extensions>{forged_assertion}</samlp:Extensions>{assertion}"),
            ),
            (
                "8",
                inside(
                    &forged_assertion,
                    "saml:Assertion",
                    &inside(&signature, "ds:Signature", &format!("<ds:Object>{bare}</ds:Object>")),
                ),
            ),
            ("signature beside", format!("{signature}{forged_assertion}{bare}")),
            (
                "in advice",
                inside(
                    &forged_assertion,
                    "saml:Assertion",
                    &format!("<saml:Advice>{assertion}</saml:Advice>"),
                ),
            ),
        ];
        for (name, content) in cases {
            check(&format!("{name} {id}"), &swap(&content));
        }
    }
}

#[test]
fn an_id_that_two_elements_have() {
    let Original { text, .. } = original();
    for attribute in ["ID", "Id", "id", "xml:id"] {
        let twice = text.replace("<samlp:Status>", &format!("<samlp:Status {attribute}=\"_assertion\">"));
        check(attribute, &twice);
    }
}

#[test]
fn a_signed_assertion_that_is_not_the_outermost() {
    let Original { text, assertion, .. } = original();
    check("no answer around", &text.replace(&assertion, &format!("<x>{assertion}</x>")));
    check(
        "two signatures",
        &text.replace("<saml:Subject>", &format!("{}<saml:Subject>", original().signature)),
    );
    check(
        "in the status",
        &text.replace("</samlp:Status>", &format!("{}</samlp:Status>", original().signature)),
    );
}
