use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::StatusCode;
use serde_json::json;

use super::{
    ACS, CORP, MINUTE, PATH, SSO, TestKey, add_provider, answer, corp, form, key_pair, parameter, post,
    post_answer, post_to, provider, request_id, session,
};
use crate::cloud::{Answer, Cloud};

/// Checks for status 400 without a code, and the message.
fn assert_refused(answer: &Answer, text: &str) {
    answer.assert_unreadable(text);
    assert_eq!(answer.header("set-cookie"), "");
}

/// Starts a sign-in. Returns the address of the provider and the cookie.
async fn begin(cloud: &Cloud, query: &str) -> (String, String) {
    let answer = cloud.anonymous().get(&format!("{PATH}/redirect{query}")).await;
    assert_eq!(answer.status, 302, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store");
    let cookie = answer.header("set-cookie").split(';').next().unwrap();
    (answer.header("location").to_owned(), cookie.to_owned())
}

#[tokio::test]
async fn sign_in_through_the_provider() {
    let cloud = corp().await;
    let (location, cookie) = begin(&cloud, "?redirect_uri=%2Fprojects%2Fweb%3Fx%3D1").await;
    assert!(location.starts_with(&format!("{SSO}?SAMLRequest=")), "{location}");
    assert_eq!(parameter(&location, "Signature"), None);
    let relay_state = parameter(&location, "RelayState").unwrap();
    let state = BASE64_STANDARD.decode(&relay_state).unwrap();
    assert_eq!(state, br#"{"redirect_uri":"/projects/web?x=1"}"#);

    let mut good = answer(&cloud, "first");
    good.in_response_to = Some(request_id(&location));
    let field = good.field(TestKey::Rsa);
    let browser = cloud.anonymous().with("cookie", &cookie);
    let done = post_to(&browser, PATH, form(&field, Some(&relay_state))).await;
    assert_eq!((done.status, done.header("location")), (303, "/projects/web?x=1"));
    let cookie = done.header("set-cookie");
    let (value, rest) = cookie.strip_prefix("session=").unwrap().split_once(';').unwrap();
    assert_eq!((value.len(), rest), (40, " Path=/; HttpOnly; SameSite=Lax; Max-Age=86400"));
    let me = session(&cloud, &done).get("/v1/me").await.json();
    assert_eq!((&me["display_name"], &me["silo_name"]), (&json!("ada"), &json!(CORP)));

    // Refused: the same response again, and another response to the same request.
    let text = "SAMLResponse answers a request that was already answered";
    assert_refused(&post_to(&browser, PATH, form(&field, Some(&relay_state))).await, text);
    good.assertion_id = "_second".into();
    assert_refused(&post_to(&browser, PATH, form(&good.field(TestKey::Rsa), None)).await, text);
}

#[tokio::test]
async fn unsolicited_answer_is_accepted_once() {
    let cloud = corp().await;
    let unsolicited = answer(&cloud, "unsolicited");
    let done = post_answer(&cloud, &unsolicited).await;
    assert_eq!((done.status, done.header("location")), (303, "/"));
    session(&cloud, &done).get("/v1/me").await;
    let text = "SAMLResponse holds an assertion that was used before";
    assert_refused(&post_answer(&cloud, &unsolicited).await, text);
    // Still refused just before the assertion expires.
    cloud.clock.advance(std::time::Duration::from_secs(90));
    cloud.settle();
    assert_refused(&post_answer(&cloud, &unsolicited).await, text);
}

#[tokio::test]
async fn answers_to_unknown_requests_are_refused() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    add_provider(&admin, provider("other")).await;
    let foreign = cloud.anonymous().get("/login/corp/saml/other/redirect").await;
    let unsolicited = "SAMLResponse answers a request that nobody made";
    let (location, cookie) = begin(&cloud, "").await;
    let own = request_id(&location);
    let browser = cloud.anonymous().with("cookie", &cookie);
    let altered = format!("{}A", &own[..own.len() - 1]);
    for id in ["", "_", "x", "_AAAA", &altered, &own[1..], &request_id(foreign.header("location"))] {
        let mut forged = answer(&cloud, "forged");
        forged.in_response_to = Some(id.to_owned());
        let form = form(&forged.field(TestKey::Rsa), None);
        assert_refused(&post_to(&browser, PATH, form).await, unsolicited);
    }
    cloud.clock.advance(31 * MINUTE);
    let mut late = answer(&cloud, "late");
    late.in_response_to = Some(own);
    let text = "SAMLResponse answers a request that has expired";
    assert_refused(&post_to(&browser, PATH, form(&late.field(TestKey::Rsa), None)).await, text);
}

#[tokio::test]
async fn sign_in_redirects_to_the_provider() {
    let cloud = corp().await;
    let nobody = cloud.anonymous();
    for uri in ["", "foo", "http://x/y", "//x/y", "/\\x"] {
        let answer = nobody.get(&format!("/login/none/saml/none/redirect?redirect_uri={uri}")).await;
        let text = format!("unable to parse query string: \"{uri}\" is not a relative URI");
        answer.assert_unreadable(&text);
    }
    let answer = nobody.get("/login/none/saml/okta/redirect").await;
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", "not found: silo with name \"none\"");
    let answer = nobody.get("/login/corp/saml/none/redirect").await;
    let text = "not found: identity-provider with name \"none\"";
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", text);
    assert_eq!(nobody.post("/login/corp/saml/okta/redirect", json!({})).await.status, 405);
    for (path, status) in
        [("/login/none/saml/okta", 404), ("/login/corp/saml/none", 404), ("/login/A/saml/okta", 400)]
    {
        assert_eq!(post_to(&nobody, path, form("x", None)).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn requests_are_signed_if_a_key_pair_is_configured() {
    let cloud = corp().await;
    let mut body = provider("signing");
    body["signing_keypair"] = key_pair(TestKey::Rsa, TestKey::Rsa);
    add_provider(&cloud.with_token(), body).await;
    let answer = cloud.anonymous().get("/login/corp/saml/signing/redirect").await;
    let location = answer.header("location");
    let algorithm = parameter(location, "SigAlg").unwrap();
    assert_eq!(algorithm, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
    let signature = BASE64_STANDARD.decode(parameter(location, "Signature").unwrap()).unwrap();
    assert_eq!(signature.len(), 256);
    assert_eq!(
        parameter(location, "RelayState").unwrap(),
        BASE64_STANDARD.encode(r#"{"redirect_uri":null}"#)
    );
}

#[tokio::test]
async fn relay_state_redirects_to_a_local_path() {
    let cloud = corp().await;
    let cases = [
        (r#"{"redirect_uri":"/a/b?c#d"}"#, "/a/b?c#d"),
        (r#"{"redirect_uri":"/ä"}"#, "/%C3%A4"),
        (r#"{"redirect_uri":null}"#, "/"),
        (r#"{"redirect_uri":"https://evil.example"}"#, "/"),
        (r#"{"redirect_uri":"//evil.example"}"#, "/"),
        ("nonsense", "/"),
    ];
    for (number, (state, location)) in cases.into_iter().enumerate() {
        let field = answer(&cloud, &format!("relay{number}")).field(TestKey::Rsa);
        let done = post(&cloud, &field, Some(&BASE64_STANDARD.encode(state))).await;
        assert_eq!((done.status, done.header("location")), (303, location), "{state}");
    }
    for state in ["", "not base64", "%"] {
        let field = answer(&cloud, &format!("bad{state}")).field(TestKey::Rsa);
        let done = post(&cloud, &field, Some(state)).await;
        assert_eq!((done.status, done.header("location")), (303, "/"), "{state}");
    }
}

#[tokio::test]
async fn invalid_answers_are_refused() {
    let cloud = corp().await;
    let nobody = cloud.anonymous();
    let start = "error reading url encoded POST body! ";
    for body in ["", "SAMLRequest=x", "SAMLResponse=a&SAMLResponse=b"] {
        post_to(&nobody, PATH, body.to_owned()).await.assert_unreadable_start(start);
    }
    post(&cloud, "*", None).await.assert_unreadable_start("error base64 decoding SAMLResponse! ");
    post(&cloud, "/w==", None).await.assert_unreadable_start("decoded SAMLResponse not utf8 string! ");
    post(&cloud, "PGEvPg==", None).await.assert_unreadable_start("could not parse SAMLResponse string! ");
    let unsigned = BASE64_STANDARD.encode(answer(&cloud, "unsigned").xml());
    assert_refused(&post(&cloud, &unsigned, None).await, "assertion is missing signature!");
    let foreign = answer(&cloud, "foreign").field(TestKey::OtherRsa);
    post(&cloud, &foreign, None).await.assert_unreadable_start("could not extract SAMLResponse assertion! ");

    let mut other = answer(&cloud, "issuer");
    other.issuer = "https://elsewhere.example".into();
    let text = "SAMLResponse issuer https://elsewhere.example does not match configured idp entity id";
    assert_refused(&post_answer(&cloud, &other).await, text);
    let mut other = answer(&cloud, "audience");
    other.audience = "https://elsewhere.example".into();
    post_answer(&cloud, &other).await.assert_unreadable_start("could not extract SAMLResponse assertion! ");
    let mut old = answer(&cloud, "old");
    old.made -= jiff::SignedDuration::from_secs(91);
    post_answer(&cloud, &old).await.assert_unreadable_start("could not extract SAMLResponse assertion! ");

    // A response to another provider of the same silo.
    let mut twin = provider("twin");
    twin["acs_url"] = json!(ACS.replace("okta", "twin"));
    add_provider(&cloud.with_token(), twin).await;
    let field = answer(&cloud, "misdirected").field(TestKey::Rsa);
    let answer = post_to(&nobody, "/login/corp/saml/twin", form(&field, None)).await;
    answer.assert_unreadable_start("could not extract SAMLResponse assertion! ");
    let large = "x".repeat((1 << 20) + 1);
    post_to(&nobody, PATH, large)
        .await
        .assert_unreadable("request body exceeded maximum size of 1048576 bytes");
}

#[tokio::test]
async fn sign_ins_are_in_the_audit_log() {
    use croft_store::{
        ListBy, Sort,
        records::{AuditActor, AuditEntry, AuditResult},
    };

    let cloud = corp().await;
    post_answer(&cloud, &answer(&cloud, "good")).await;
    for _ in 0..100 {
        assert_eq!(post(&cloud, "*", None).await.status, 400);
    }
    let entries =
        cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::IdAsc, None, 1000)?)).unwrap();
    let entries: Vec<_> = entries.into_iter().filter(|entry| entry.operation_id == "login_saml").collect();
    assert!(entries.iter().all(|entry| entry.auth_method.is_none() && entry.request_uri == PATH));
    let (good, refused): (Vec<_>, Vec<_>) =
        entries.iter().partition(|entry| entry.result == AuditResult::Success { http_status_code: 303 });
    assert_eq!(good.len(), 1);
    assert!(matches!(good[0].actor, AuditActor::SiloUser { .. }), "{good:?}");
    assert!(refused.iter().all(|entry| entry.actor == AuditActor::Unauthenticated));
    // The number of entries for refused sign-ins is limited.
    assert_eq!(entries.len(), 21, "{entries:?}");
}

#[tokio::test]
async fn saml_sign_in_ends_the_previous_session() {
    let cloud = corp().await;
    let before = session(&cloud, &post_answer(&cloud, &answer(&cloud, "first")).await);
    let again = form(&answer(&cloud, "second").field(TestKey::Rsa), None);
    let now = session(&cloud, &post_to(&before, PATH, again).await);
    before.get("/v1/me").await.assert_unauthorized();
    assert_eq!(now.get("/v1/me").await.status, 200);
}
