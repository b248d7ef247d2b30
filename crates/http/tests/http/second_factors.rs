//! Second factors: setting up, verification and removal, with a simulated browser.

use croft_control::second_factor;
use croft_store::{
    ListBy, Sort,
    records::{AuditActor, AuditEntry, AuditResult},
};
use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    authenticator::{Authenticator, PRESENT, VERIFIED, base64url},
    cloud::{Answer, Client, Cloud, PASSWORD, SILO, USER},
};

const FACTORS: &str = "/experimental/v1/me/second-factors";
const VERIFY: &str = "/experimental/v1/me/verify";
/// The host of the console.
const HOST: &str = "localhost:12220";
const ORIGIN: &str = "http://localhost:12220";

/// Decodes a TOTP secret from base32.
fn decoded(secret: &str) -> Vec<u8> {
    let bits = secret.bytes().map(|letter| match letter {
        b'A'..=b'Z' => letter - b'A',
        digit => digit - b'2' + 26,
    });
    let (mut bytes, mut word, mut filled) = (Vec::new(), 0_u32, 0);
    for five in bits {
        (word, filled) = (word << 5 | u32::from(five), filled + 5);
        if filled >= 8 {
            filled -= 8;
            bytes.push((word >> filled & 0xff) as u8);
        }
    }
    bytes
}

fn code(cloud: &Cloud, secret: &[u8]) -> String {
    second_factor::totp_code(secret, croft_http::Clock::now(&*cloud.clock))
}

/// Advances the clock to the next TOTP step.
fn advance_a_step(cloud: &Cloud) {
    cloud.clock.advance(std::time::Duration::from_secs(30));
}

/// A client of the administrator who has signed in with the password.
async fn browser(cloud: &Cloud) -> Client<'_> {
    cloud.signed_in().await.with("host", HOST)
}

/// Sets up an authenticator app for the administrator. Returns its secret and the recovery codes.
async fn add_app(cloud: &Cloud, client: &Client<'_>) -> (Vec<u8>, Vec<String>) {
    let begun = client.post(&format!("{FACTORS}/totp/begin"), json!({})).await.json();
    let secret = decoded(begun["secret"].as_str().unwrap());
    let body = json!({ "name": "phone", "set_up": begun["set_up"], "code": code(cloud, &secret) });
    let created = client.post(&format!("{FACTORS}/totp"), body).await;
    assert_eq!(created.status, 201, "{created:?}");
    advance_a_step(cloud);
    let codes = created.json()["recovery_codes"].clone();
    (secret, serde_json::from_value(codes).unwrap_or_default())
}

async fn verify(client: &Client<'_>, kind: &str, code: &str) -> Answer {
    client.post(VERIFY, json!({ "type": kind, "code": code })).await
}

fn cookie(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

async fn pending(client: &Client<'_>) -> Value {
    client.get("/experimental/v1/me/account").await.json()["pending_step"].clone()
}

/// Returns the audit log entries of verifications: those that succeeded, and the others. All have the same time, so
/// their order is arbitrary.
fn verifications(cloud: &Cloud) -> (Vec<AuditEntry>, Vec<AuditEntry>) {
    let entries: Vec<AuditEntry> =
        cloud.rule(|cx| Ok(cx.tx.page(ListBy::All, Sort::TimeDesc, None, 1000)?)).unwrap();
    let shown = entries.into_iter().filter(|entry| entry.operation_id == "account_verify");
    let shown =
        shown.inspect(|entry| assert!(matches!(entry.actor, AuditActor::SiloUser { .. }), "{entry:?}"));
    shown.partition(|entry| matches!(entry.result, AuditResult::Success { http_status_code: 204 }))
}

#[tokio::test]
async fn authenticator_app_is_required_after_set_up() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    let begun = client.post(&format!("{FACTORS}/totp/begin"), json!({})).await;
    assert_eq!((begun.status, begun.header("cache-control")), (200, "no-store"));
    let begun = begun.json();
    let secret = begun["secret"].as_str().unwrap();
    let uri = format!("otpauth://totp/Croft:{SILO}%2F{USER}?secret={secret}&issuer=Croft");
    assert_eq!((secret.len(), begun["uri"].as_str().unwrap()), (32, uri.as_str()));
    assert_eq!(client.get(FACTORS).await.json()["items"], json!([]), "nothing is stored yet");
    let (secret, codes) = add_app(&cloud, &client).await;
    assert_eq!(codes.len(), 10);
    let listed = client.get(FACTORS).await.json()["items"].clone();
    let factor = &listed[0];
    assert_eq!((&factor["name"], &factor["kind"]), (&json!("phone"), &json!("totp")));
    assert_eq!(factor["time_last_used"], Value::Null);
    let left = client.get("/experimental/v1/me/recovery-codes").await.json();
    assert_eq!(left["left"], json!(10));
    assert!(left["time_created"].is_string());

    let pending_client = browser(&cloud).await;
    assert_eq!(pending(&pending_client).await, json!("verify_second_factor"));
    let options = pending_client.post(&format!("{VERIFY}/begin"), json!({})).await;
    assert_eq!(options.json(), json!({ "totp": true, "recovery_codes_left": 10, "passkey": null }));
    let wrong = verify(&pending_client, "totp", "12").await;
    let message = "unsupported value for \"code\": this is not the app's current code, or it was already \
                   used; wait for the next one";
    wrong.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", message);
    let right = verify(&pending_client, "totp", &code(&cloud, &secret)).await;
    assert_eq!(right.status, 204, "{right:?}");
    pending_client.get("/v1/me").await.assert_unauthorized();
    let signed_in = cloud.anonymous().with("cookie", &cookie(&right));
    assert_eq!(signed_in.get("/v1/me").await.status, 200);
    assert_eq!(pending(&signed_in).await, Value::Null);
    let recovered = verify(&browser(&cloud).await, "recovery_code", &codes[0].to_uppercase()).await;
    assert_eq!(recovered.status, 204);

    let path = format!("{FACTORS}/{}", factor["id"].as_str().unwrap());
    let renamed = signed_in.put(&path, json!({ "name": "old phone" })).await;
    assert_eq!(renamed.json()["name"], json!("old phone"));
    let new = signed_in.post("/experimental/v1/me/recovery-codes", json!({})).await;
    assert_eq!((new.status, new.json()["recovery_codes"].as_array().unwrap().len()), (201, 10));
    assert_eq!(signed_in.delete(&path).await.status, 204);
    let account = signed_in.get("/experimental/v1/me/account").await.json();
    assert_eq!(account["has_second_factor"], json!(false));
}

#[tokio::test]
async fn changes_require_a_recent_sign_in() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    cloud.clock.advance(std::time::Duration::from_secs(601));
    let late = client.post(&format!("{FACTORS}/totp/begin"), json!({})).await;
    let message = "You signed in too long ago to change your second factors. Sign in again to do it.";
    late.assert_error(StatusCode::FORBIDDEN, "SignInAgain", message);
}

#[tokio::test]
async fn concurrent_uses_of_a_code_succeed_once() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    let (secret, codes) = add_app(&cloud, &client).await;
    for (kind, text) in [("totp", code(&cloud, &secret)), ("recovery_code", codes[0].clone())] {
        let clients =
            [browser(&cloud).await, browser(&cloud).await, browser(&cloud).await, browser(&cloud).await];
        let attempts = clients.iter().map(|client| verify(client, kind, &text));
        let answers = futures_util::future::join_all(attempts).await;
        let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 400, 400, 400], "{kind}");
    }
}

#[tokio::test]
async fn code_guessing_is_delayed_despite_a_correct_password() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    add_app(&cloud, &client).await;
    let mut refused = 0;
    for guess in 0..60 {
        let answer = cloud.sign_in(USER, PASSWORD).await;
        if answer.status != 204 {
            refused += 1;
            continue;
        }
        let pending_client = cloud.anonymous().with("cookie", &cookie(&answer));
        let status = verify(&pending_client, "totp", &format!("{guess:06}")).await.status;
        assert!(matches!(status, 400 | 503), "{status}");
    }
    assert!(refused > 20, "{refused}");
}

#[tokio::test]
async fn second_factor_verification_is_audited() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    let (secret, _) = add_app(&cloud, &client).await;
    let pending_client = browser(&cloud).await;
    verify(&pending_client, "totp", "x").await;
    verify(&pending_client, "totp", &code(&cloud, &secret)).await;
    let (right, wrong) = verifications(&cloud);
    assert_eq!((right.len(), wrong.len()), (1, 1));
    assert!(matches!(wrong[0].result, AuditResult::Error { http_status_code: 400, .. }));
    let text = format!("{right:?}{wrong:?}");
    assert!(!text.contains(&code(&cloud, &secret)));
}

#[tokio::test]
async fn new_sign_in_ends_the_previous_session_of_the_browser() {
    let cloud = Cloud::new();
    let (before, elsewhere) = (cloud.signed_in().await, cloud.signed_in().await);
    let body = |password: &str| json!({ "username": USER, "password": password });
    let path = format!("/v1/login/{SILO}/local");
    before.post(&path, body("wrong")).await.assert_unauthorized();
    assert_eq!(before.get("/v1/me").await.status, 200, "a wrong password does not end the session");
    let again = before.post(&path, body(PASSWORD)).await;
    assert_eq!(again.status, 204);
    before.get("/v1/me").await.assert_unauthorized();
    let now = cloud.anonymous().with("cookie", &cookie(&again));
    assert_eq!((now.get("/v1/me").await.status, elsewhere.get("/v1/me").await.status), (200, 200));
}

// Passkeys

async fn begin_passkey(client: &Client<'_>) -> Value {
    let begun = client.post(&format!("{FACTORS}/passkeys/begin"), json!({})).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    begun.json()
}

async fn finish_passkey(client: &Client<'_>, begun: &Value, credential: Value) -> Answer {
    let body = json!({ "name": "key", "set_up": begun["set_up"], "credential": credential });
    client.post(&format!("{FACTORS}/passkeys"), body).await
}

async fn add_passkey(client: &Client<'_>, authenticator: &Authenticator) {
    let begun = begin_passkey(client).await;
    let created = finish_passkey(client, &begun, authenticator.make(&begun["options"])).await;
    assert_eq!(created.status, 201, "{created:?}");
}

/// Returns the passkey challenge of a session that waits for a second factor.
async fn challenge(client: &Client<'_>) -> Value {
    let options = client.post(&format!("{VERIFY}/begin"), json!({})).await;
    options.json()["passkey"].clone()
}

async fn answer(client: &Client<'_>, challenge: &Value, credential: Value) -> Answer {
    let body = json!({ "type": "passkey", "state": challenge["state"], "credential": credential });
    client.post(VERIFY, body).await
}

fn assert_wrong(answer: &Answer) {
    let message = "unsupported value for \"credential\": the passkey's response is not valid; try again, or \
                   use another second factor";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", message);
}

#[tokio::test]
async fn a_passkey_is_set_up_and_used() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    let begun = begin_passkey(&client).await;
    let options = &begun["options"];
    assert_eq!(options["rp"], json!({ "id": "localhost", "name": "Croft" }));
    assert_eq!(options["user"]["name"], json!(format!("{SILO}/{USER}")));
    assert_eq!(options["authenticatorSelection"]["userVerification"], json!("preferred"));
    assert_eq!((&options["attestation"], &options["excludeCredentials"]), (&json!("none"), &json!([])));
    let mut authenticator = Authenticator::new(7, ORIGIN);
    let created = finish_passkey(&client, &begun, authenticator.make(options)).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.json()["recovery_codes"].as_array().unwrap().len(), 10);
    assert_eq!(client.get(FACTORS).await.json()["items"][0]["kind"], json!("passkey"));
    let more = begin_passkey(&client).await;
    let descriptor =
        json!({ "type": "public-key", "id": base64url(&authenticator.id), "transports": ["usb"] });
    assert_eq!(more["options"]["excludeCredentials"], json!([descriptor.clone()]));

    for counter in [0, 0, 5] {
        authenticator.counter = counter;
        let pending_client = browser(&cloud).await;
        let challenge = challenge(&pending_client).await;
        assert_eq!(challenge["options"]["allowCredentials"], json!([descriptor.clone()]));
        assert_eq!(challenge["options"]["rpId"], json!("localhost"));
        let right = authenticator.answer(&challenge["options"]);
        let verified = answer(&pending_client, &challenge, right.clone()).await;
        assert_eq!(verified.status, 204, "{verified:?}");
        let signed_in = cloud.anonymous().with("cookie", &cookie(&verified));
        assert_eq!(signed_in.get("/v1/me").await.status, 200);
        let again = answer(&signed_in, &challenge, right.clone()).await;
        assert_eq!(again.status, 400, "a response is accepted once: {again:?}");
        let other = browser(&cloud).await;
        let elsewhere = answer(&other, &challenge, right).await;
        assert_eq!(elsewhere.status, 400, "and only in the session that requested it: {elsewhere:?}");
    }
}

#[tokio::test]
async fn cloned_passkey_is_detected() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    let mut authenticator = Authenticator::new(7, ORIGIN);
    authenticator.counter = 3;
    add_passkey(&client, &authenticator).await;
    for (counter, status) in [(4, 204), (4, 400), (0, 400), (3, 400), (5, 204)] {
        authenticator.counter = counter;
        let pending_client = browser(&cloud).await;
        let challenge = challenge(&pending_client).await;
        let verified = answer(&pending_client, &challenge, authenticator.answer(&challenge["options"])).await;
        assert_eq!(verified.status, status, "{counter}");
    }
    let (right, wrong) = verifications(&cloud);
    assert_eq!((right.len(), wrong.len()), (2, 3));
    let reports_copy = |entry: &AuditEntry| format!("{:?}", entry.result).contains("may have been copied");
    assert!(wrong.iter().all(reports_copy), "{wrong:?}");
}

#[tokio::test]
async fn passkey_registration_for_another_origin_or_challenge_is_refused() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    let begun = begin_passkey(&client).await;
    let options = &begun["options"];
    let created_by = |modify: fn(&mut Authenticator)| {
        let mut authenticator = Authenticator::new(7, ORIGIN);
        modify(&mut authenticator);
        authenticator.make(options)
    };
    let mut wrong = vec![
        created_by(|authenticator| authenticator.origin = "https://localhost:12220".into()),
        created_by(|authenticator| authenticator.origin = "http://localhost".into()),
        created_by(|authenticator| authenticator.rp_id = "elsewhere.test".into()),
        created_by(|authenticator| authenticator.is_framed = true),
        created_by(|authenticator| authenticator.flags = 0),
        created_by(|authenticator| authenticator.id = Vec::new()),
        json!({}),
    ];
    let mut renamed = created_by(|_| ());
    renamed["rawId"] = json!(base64url(b"another"));
    wrong.push(renamed);
    let other = begin_passkey(&client).await;
    wrong.push(Authenticator::new(7, ORIGIN).make(&other["options"]));
    wrong.push(Authenticator::new(7, ORIGIN).answer(options));
    let mut cut = created_by(|_| ());
    let object = cut["response"]["attestationObject"].as_str().unwrap();
    cut["response"]["attestationObject"] = json!(&object[..object.len() / 2]);
    wrong.push(cut);
    for credential in wrong {
        assert_wrong(&finish_passkey(&client, &begun, credential).await);
    }
    assert_eq!(client.get(FACTORS).await.json()["items"], json!([]));
    assert_eq!(finish_passkey(&client, &begun, created_by(|_| ())).await.status, 201);
    let twice = finish_passkey(&client, &other, Authenticator::new(7, ORIGIN).make(&other["options"])).await;
    assert!(twice.error().2.contains("already set up"), "{twice:?}");
}

#[tokio::test]
async fn passkey_assertion_for_another_origin_or_challenge_is_refused() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    add_passkey(&client, &Authenticator::new(7, ORIGIN)).await;
    let mut verifying = Authenticator::new(8, ORIGIN);
    verifying.flags = PRESENT | VERIFIED;
    add_passkey(&client, &verifying).await;
    let pending_client = browser(&cloud).await;
    // All wrong responses are to the same challenge, and none is refused by throttling.
    let challenge = challenge(&pending_client).await;
    let options = &challenge["options"];
    let given = |modify: fn(&mut Authenticator)| {
        let mut authenticator = Authenticator::new(7, ORIGIN);
        modify(&mut authenticator);
        authenticator.answer(options)
    };
    let mut forged = given(|_| ());
    forged["response"]["signature"] =
        Authenticator::new(9, ORIGIN).answer(options)["response"]["signature"].clone();
    let mut other_user = given(|_| ());
    other_user["response"]["userHandle"] = json!(base64url(b"somebody"));
    let mut unknown = given(|_| ());
    unknown["rawId"] = json!(base64url(b"unknown"));
    let mut unverified = Authenticator::new(8, ORIGIN);
    unverified.flags = PRESENT;
    let wrong = [
        given(|given| given.origin = "http://localhost:1".into()),
        given(|given| given.rp_id = "elsewhere.test".into()),
        given(|given| given.is_framed = true),
        given(|given| given.flags = 0),
        given(|given| given.flags = PRESENT | 8),
        Authenticator::new(7, ORIGIN).answer(&json!({ "challenge": base64url(&[1; 32]) })),
        unverified.answer(options),
        forged,
        other_user,
        unknown,
        json!({}),
    ];
    for credential in wrong {
        assert_wrong(&answer(&pending_client, &challenge, credential).await);
    }
    assert_eq!(answer(&pending_client, &challenge, verifying.answer(options)).await.status, 204);
}

#[tokio::test]
async fn passkeys_require_a_host_name_and_a_secure_context() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    add_passkey(&client, &Authenticator::new(7, ORIGIN)).await;
    let begin = format!("{FACTORS}/passkeys/begin");
    for (host, why) in [("127.0.0.1:12220", "at the address 127.0.0.1"), ("cloud.test", "Passkeys need TLS")]
    {
        let refused = client.clone().with("host", host).post(&begin, json!({})).await;
        let (status, code, message) = refused.error();
        assert_eq!((status, code.as_deref()), (400, Some("InvalidRequest")));
        assert!(message.contains(why), "{message}");
        let pending_client = cloud.signed_in().await.with("host", host);
        assert_eq!(challenge(&pending_client).await, Value::Null, "{host}");
    }
    let settings = croft_http::Settings { secure_cookies: true, ..croft_http::Settings::default() };
    let cloud = Cloud::with(settings);
    let client = cloud.signed_in().await.with("host", "cloud.test");
    add_passkey(&client, &Authenticator::new(7, "https://cloud.test")).await;
    let pending_client = cloud.signed_in().await.with("host", "other.test");
    assert_eq!(challenge(&pending_client).await, Value::Null, "the passkey belongs to another host name");
    let pending_client = cloud.signed_in().await.with("host", "cloud.test");
    let challenge = challenge(&pending_client).await;
    let given = Authenticator::new(7, "https://cloud.test").answer(&challenge["options"]);
    assert_eq!(answer(&pending_client, &challenge, given).await.status, 204);
}

#[tokio::test]
async fn missing_passkey_support_is_reported() {
    let cloud = Cloud::new();
    let client = browser(&cloud).await;
    let parts = croft_http::AppParts { passkeys: None, ..cloud.parts.clone() };
    let edge = croft_http::serve(croft_http::App::new(parts), croft_http::no_pages());
    let path = format!("{FACTORS}/passkeys/begin");
    let response = client.begin(&edge, http::Method::POST, &path, "").await;
    assert_eq!(response.status(), 400);
}
