//! Changes and deletion of SAML providers, and their effect on users who sign in through them.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_control::saml;
use croft_saml::issuing::Signer as _;
use croft_store::{
    ListBy, Sort,
    records::{AuditEntry, ConsoleSession},
};
use http::StatusCode;
use serde_json::{Value, json};

use super::{
    ACS, CLIENT_ID, CORP, ISSUER, MINUTE, PATH, PROVIDERS, SSO, TestKey, add_provider, add_silo, answer,
    change, corp, form, key_pair, parameter, post, post_answer, post_to, provider, session, settings,
};
use crate::cloud::{Client, Cloud, SILO};

const OPTIONS: &str = "/experimental/v1/login-options?silo=corp";
const DISABLED: &str = "the identity provider \"okta\" is disabled; choose another one, or \
                        ask an administrator of the silo";

fn metadata(text: &str) -> Value {
    json!({ "type": "base64_encoded_xml", "data": BASE64_STANDARD.encode(text) })
}

async fn view(admin: &Client<'_>) -> Value {
    let answer = admin.get(&settings("okta")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Signs a user with these groups in through `okta`.
async fn signed_in<'a>(cloud: &'a Cloud, name: &str, groups: &[&str]) -> Client<'a> {
    let mut good = answer(cloud, &format!("{name}{}", groups.len()));
    good.name_id = name.to_owned();
    good.attributes = vec![("groups".into(), groups.iter().map(|group| (*group).to_owned()).collect())];
    session(cloud, &post_answer(cloud, &good).await)
}

/// Whether the provider accepts a response signed with this key.
async fn accepts(cloud: &Cloud, id: &str, key: TestKey) -> bool {
    let answered = post(cloud, &answer(cloud, id).field(key), None).await;
    if answered.status == 303 {
        return true;
    }
    answered.assert_unreadable_start("could not extract SAMLResponse assertion! ");
    false
}

fn last_change(tx: &mut croft_store::Tx<'_>) -> Result<i64, croft_store::StoreError> {
    tx.last_change()
}

#[tokio::test]
async fn provider_view_is_complete() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let shown = view(&admin).await;
    let plain = admin.get(&format!("{PROVIDERS}/okta?silo={CORP}")).await.json();
    for field in ["id", "name", "description", "time_created", "time_modified"] {
        assert_eq!(shown[field], plain[field], "{field}");
    }
    let by_id = format!("/experimental{PROVIDERS}/{}", plain["id"].as_str().unwrap());
    assert_eq!(admin.get(&by_id).await.json(), shown);
    let rest = json!({
        "enabled": true, "allow_unsolicited": true, "idp_entity_id": ISSUER, "sp_client_id": CLIENT_ID, "acs_url": ACS,
        "slo_url": "https://cloud.example/slo", "technical_contact_email": "ops@example.com",
        "group_attribute_name": "groups", "metadata_url": null, "sso_url": SSO, "public_cert": null,
        "next_public_cert": null, "time_last_sign_in": null,
        "signing_certificates": [{
            "sha256": "22123a7d7c5a73a7ca344388505663edd5b6977e5bbea5bb11d1fd8d0a0f8b07",
            "subject": "CN=Test identity provider", "from_old_metadata": false,
            "time_not_before": "2026-11-21T12:21:32Z", "time_not_after": "2126-10-28T12:21:32Z",
        }],
    });
    for (field, value) in rest.as_object().unwrap() {
        assert_eq!(&shown[field], value, "{field}");
    }

    let signed_in = answer(&cloud, "a");
    post_answer(&cloud, &signed_in).await;
    let first = view(&admin).await["time_last_sign_in"].clone();
    assert!(first.is_string());
    // The time of the last sign-in is stored at most once a minute, and is not a change of the provider.
    post_answer(&cloud, &answer(&cloud, "b")).await;
    assert_eq!(view(&admin).await["time_last_sign_in"], first);
    cloud.clock.advance(MINUTE);
    post_answer(&cloud, &answer(&cloud, "c")).await;
    let now = view(&admin).await;
    assert_ne!(now["time_last_sign_in"], first);
    assert_eq!(now["time_modified"], shown["time_modified"]);
}

#[tokio::test]
async fn absent_fields_are_kept_and_null_fields_cleared() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let before = view(&admin).await;
    cloud.clock.advance(MINUTE);
    let same = change(&admin, "okta", json!({})).await;
    assert_ne!(same["time_modified"], before["time_modified"]);
    for (field, value) in before.as_object().unwrap().iter().filter(|(field, _)| *field != "time_modified") {
        assert_eq!(&same[field], value, "{field}");
    }
    let new = json!({
        "description": "new", "idp_entity_id": "https://new.example", "sp_client_id": "new", "acs_url": "https://new/acs",
        "slo_url": "https://new/slo", "technical_contact_email": "new@example.com", "group_attribute_name": null,
    });
    let shown = change(&admin, "okta", new.clone()).await;
    for (field, value) in new.as_object().unwrap() {
        assert_eq!(&shown[field], value, "{field}");
    }
    assert_eq!(view(&admin).await, shown);
    let plain = admin.get(&format!("{PROVIDERS}/okta?silo={CORP}")).await.json();
    assert_eq!(
        (&plain["acs_url"], &plain["time_modified"]),
        (&json!("https://new/acs"), &shown["time_modified"])
    );
    // The change takes effect immediately.
    let other = post_answer(&cloud, &answer(&cloud, "a")).await;
    other.assert_unreadable_start("SAMLResponse issuer https://idp.example does not match");
    let shown = change(&admin, "okta", json!({ "group_attribute_name": "memberOf" })).await;
    assert_eq!(shown["group_attribute_name"], "memberOf");
}

#[tokio::test]
async fn disabled_provider_accepts_no_sign_in() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let mut twin = provider("twin");
    twin["acs_url"] = json!(ACS.replace("okta", "twin"));
    add_provider(&admin, twin).await;
    let ada = signed_in(&cloud, "ada", &[]).await;
    let local = cloud.signed_in().await;
    assert_eq!(ada.get("/v1/me").await.status, 200);

    let shown = change(&admin, "okta", json!({ "enabled": false })).await;
    assert_eq!(shown["enabled"], false);
    ada.get("/v1/me").await.assert_unauthorized();
    assert_eq!(local.get("/v1/me").await.status, 200, "sessions of other users continue");
    let options = cloud.anonymous().get(OPTIONS).await.json();
    assert_eq!(options["providers"], json!(["twin"]));
    let begun = cloud.anonymous().get(&format!("{PATH}/redirect")).await;
    begun.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", DISABLED);
    assert_eq!(begun.header("set-cookie"), "");
    let refused = post_answer(&cloud, &answer(&cloud, "between")).await;
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", DISABLED);
    // A disabled provider is still listed for administrators.
    let list = admin.get(&format!("/v1/system/identity-providers?silo={CORP}")).await.json();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);

    change(&admin, "okta", json!({ "enabled": true })).await;
    ada.get("/v1/me").await.assert_unauthorized();
    session(&cloud, &post_answer(&cloud, &answer(&cloud, "between")).await);
}

#[tokio::test]
async fn deleting_a_provider_ends_its_sessions() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let mut twin = provider("twin");
    twin["acs_url"] = json!(ACS.replace("okta", "twin"));
    add_provider(&admin, twin).await;
    change(&admin, "twin", json!({ "allow_unsolicited": true })).await;
    let ada = signed_in(&cloud, "ada", &["admins"]).await;
    let old = signed_in(&cloud, "eve", &[]).await;
    // Sessions of earlier versions did not store their provider.
    cloud
        .rule(|cx| {
            let all: Vec<ConsoleSession> = cx.tx.page(ListBy::All, Sort::TimeAsc, None, 100)?;
            let mut last = all.into_iter().next_back().unwrap();
            last.provider_id = None;
            Ok(cx.tx.update(&mut last)?)
        })
        .unwrap();
    let mut through_twin = answer(&cloud, "twin");
    through_twin.acs_url = ACS.replace("okta", "twin");
    let body = form(&through_twin.field(TestKey::Rsa), None);
    let bob = session(&cloud, &post_to(&cloud.anonymous(), "/login/corp/saml/twin", body).await);
    let seen = cloud.database.read_blocking(last_change).unwrap();

    let deleted = admin.delete(&settings("okta")).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    for ended in [&ada, &old] {
        ended.get("/v1/me").await.assert_unauthorized();
    }
    assert_eq!(bob.get("/v1/me").await.status, 200);
    let users = bob.get("/v1/users").await.json();
    assert_eq!(users["items"].as_array().unwrap().len(), 2, "users stay: {users}");
    assert_eq!(admin.get(&settings("okta")).await.status, 404);
    assert_eq!(admin.delete(&settings("okta")).await.status, 404);
    assert_eq!(cloud.anonymous().get(OPTIONS).await.json()["providers"], json!(["twin"]));
    let text = "not found: identity-provider with name \"okta\"";
    let refused = post_answer(&cloud, &answer(&cloud, "late")).await;
    refused.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", text);
    let changes = cloud.database.read_blocking(move |tx| tx.changes_since(seen, 100)).unwrap();
    assert!(changes.iter().any(|change| change.kind == "saml_identity_provider"), "{changes:?}");

    // A new provider with the same name shares nothing with the deleted one.
    add_provider(&admin, provider("okta")).await;
    assert_eq!(view(&admin).await["time_last_sign_in"], json!(null));
    let entries =
        cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::IdAsc, None, 1000)?)).unwrap();
    let count = |id: &str| entries.iter().filter(|entry| entry.operation_id == id).count();
    assert_eq!(count("saml_identity_provider_delete"), 2);
    assert_eq!(count("saml_identity_provider_update"), 2);
}

#[tokio::test]
async fn provider_changes_during_sign_in_take_effect() {
    let body = |cloud: &Cloud| form(&answer(cloud, "a").field(TestKey::Rsa), None);
    for (what, text) in [
        (json!({ "description": "x" }), "changed while its response was checked: sign in again"),
        (json!({ "enabled": false }), "is disabled"),
        (Value::Null, "credentials missing or invalid"),
    ] {
        let cloud = corp().await;
        let (admin, body) = (cloud.with_token(), body(&cloud));
        let (silo, name) = (CORP.parse().unwrap(), "okta".parse().unwrap());
        let verifier = cloud.rule(move |cx| saml::verifier(cx, &silo, &name)).unwrap();
        let checked = verifier.check(body.as_bytes()).unwrap();
        if what.is_null() {
            assert_eq!(admin.delete(&settings("okta")).await.status, 204);
        } else {
            change(&admin, "okta", what).await;
        }
        let refused = cloud.rule(move |cx| saml::complete(cx, &checked, &[])).unwrap().err().unwrap();
        assert!(refused.message().contains(text), "{refused}");
        // The refused attempt has not consumed the response, so it can be sent again.
        if refused.message().contains("sign in again") {
            session(&cloud, &post_answer(&cloud, &answer(&cloud, "a")).await);
        }
    }
}

#[tokio::test]
async fn old_and_new_provider_keys_are_accepted_during_rotation() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let new = metadata(&TestKey::OtherRsa.metadata("https://idp.example/new"));
    let update = json!({ "idp_metadata_source": new, "keep_old_certificates": true });
    let shown = change(&admin, "okta", update).await;
    assert_eq!(shown["sso_url"], "https://idp.example/new");
    let certificates = |shown: &Value| -> Vec<_> {
        let list = shown["signing_certificates"].as_array().unwrap().iter();
        list.map(|one| (one["subject"].as_str().unwrap().to_owned(), one["from_old_metadata"] == true))
            .collect()
    };
    let (first, second) = ("CN=Test identity provider".to_owned(), "CN=Another test provider".to_owned());
    assert_eq!(certificates(&shown), [(second.clone(), false), (first, true)]);
    assert!(accepts(&cloud, "old", TestKey::Rsa).await);
    assert!(accepts(&cloud, "new", TestKey::OtherRsa).await);
    // Other changes keep the old certificates.
    change(&admin, "okta", json!({ "description": "x" })).await;
    assert!(accepts(&cloud, "still", TestKey::Rsa).await);

    let shown = change(&admin, "okta", json!({ "keep_old_certificates": false })).await;
    assert_eq!(certificates(&shown), [(second, false)]);
    assert!(!accepts(&cloud, "gone", TestKey::Rsa).await);
    assert!(accepts(&cloud, "stays", TestKey::OtherRsa).await);

    // By default, the old certificates are removed, as is necessary after a key was stolen.
    let third = metadata(&TestKey::P256.metadata(SSO));
    change(&admin, "okta", json!({ "idp_metadata_source": third })).await;
    assert!(!accepts(&cloud, "stolen", TestKey::OtherRsa).await);
    assert!(accepts(&cloud, "third", TestKey::P256).await);
}

#[tokio::test]
async fn number_of_certificates_is_bounded() {
    let many = |count: usize| {
        let certificate = |_| {
            let pair = rcgen::KeyPair::generate().unwrap();
            let certificate = rcgen::CertificateParams::new(Vec::new()).unwrap().self_signed(&pair).unwrap();
            let text = BASE64_STANDARD.encode(certificate.der());
            format!("<ds:X509Certificate>{text}</ds:X509Certificate>")
        };
        let certificates = (0..count).map(certificate).collect::<Vec<_>>().concat();
        let one = TestKey::Rsa.metadata(SSO);
        let start = one.find("<ds:X509Certificate>").unwrap();
        let end = one.find("</ds:X509Certificate>").unwrap() + "</ds:X509Certificate>".len();
        metadata(&format!("{}{certificates}{}", &one[..start], &one[end..]))
    };
    let cloud = corp().await;
    let admin = cloud.with_token();
    change(&admin, "okta", json!({ "idp_metadata_source": many(5) })).await;
    let update = |count| json!({ "idp_metadata_source": many(count), "keep_old_certificates": true });
    let refused = admin.put(&settings("okta"), update(4)).await;
    let text = "the old and the new metadata have more than 8 signing certificates together: provide metadata with fewer, or do not keep the old ones";
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    let shown = change(&admin, "okta", update(3)).await;
    assert_eq!(shown["signing_certificates"].as_array().unwrap().len(), 8);
    // Keeping old certificates keeps those of the previous metadata only.
    let shown = change(&admin, "okta", update(1)).await;
    assert_eq!(shown["signing_certificates"].as_array().unwrap().len(), 4);
}

/// Whether a request to `okta` is signed with this key.
async fn signed_with(cloud: &Cloud, key: TestKey) -> bool {
    let answer = cloud.anonymous().get(&format!("{PATH}/redirect")).await;
    let location = answer.header("location");
    let Some(signature) = parameter(location, "Signature") else { return false };
    let (query, _) = location.split_once('?').unwrap().1.split_once("&Signature=").unwrap();
    BASE64_STANDARD.decode(signature).unwrap() == key.sign(query.as_bytes())
}

#[tokio::test]
async fn the_next_key_pair_is_shown_before_it_signs() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let (first, second) =
        (key_pair(TestKey::Rsa, TestKey::Rsa), key_pair(TestKey::OtherRsa, TestKey::OtherRsa));
    let refused = admin.put(&settings("okta"), json!({ "use_next_signing_keypair": true })).await;
    let text = "there is no next key pair: set next_signing_keypair first";
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);

    let shown = change(&admin, "okta", json!({ "signing_keypair": first })).await;
    assert_eq!((&shown["public_cert"], &shown["next_public_cert"]), (&first["public_cert"], &json!(null)));
    assert!(signed_with(&cloud, TestKey::Rsa).await);
    let shown = change(&admin, "okta", json!({ "next_signing_keypair": second })).await;
    let shown = (&shown["public_cert"], &shown["next_public_cert"]);
    assert_eq!(shown, (&first["public_cert"], &second["public_cert"]));
    assert!(signed_with(&cloud, TestKey::Rsa).await);

    let both = json!({ "use_next_signing_keypair": true, "signing_keypair": first });
    assert_eq!(admin.put(&settings("okta"), both).await.status, 400);
    let shown = change(&admin, "okta", json!({ "use_next_signing_keypair": true })).await;
    assert_eq!((&shown["public_cert"], &shown["next_public_cert"]), (&second["public_cert"], &json!(null)));
    assert!(signed_with(&cloud, TestKey::OtherRsa).await);
    let shown = change(&admin, "okta", json!({ "signing_keypair": null })).await;
    assert_eq!(shown["public_cert"], json!(null));
    assert!(!signed_with(&cloud, TestKey::OtherRsa).await && !signed_with(&cloud, TestKey::Rsa).await);
    assert!(!shown.to_string().contains("private_key"));
}

#[tokio::test]
async fn provider_changes_require_administrator() {
    let cloud = corp().await;
    add_silo(&cloud.with_token(), "other", "saml_jit", true).await;
    let owner = signed_in(&cloud, "ada", &["admins"]).await;
    let member = signed_in(&cloud, "bob", &[]).await;
    let uri = settings("okta");
    let by_id =
        format!("/experimental{PROVIDERS}/{}", view(&cloud.with_token()).await["id"].as_str().unwrap());
    // Only those who may change the provider can make the server check keys and fetch metadata.
    let body = json!({
        "signing_keypair": key_pair(TestKey::OtherRsa, TestKey::Rsa),
        "idp_metadata_source": { "type": "url", "url": "https://idp.example/metadata" },
    });
    let nobody = cloud.anonymous();
    nobody.get(&uri).await.assert_unauthorized();
    nobody.put(&uri, body.clone()).await.assert_unauthorized();
    nobody.delete(&uri).await.assert_unauthorized();
    for uri in [&uri, &by_id] {
        assert_eq!(member.get(uri).await.status, 404);
        assert_eq!(member.put(uri, body.clone()).await.status, 404);
        assert_eq!(member.delete(uri).await.status, 404);
    }
    assert!(cloud.metadata.requests.lock().is_empty());
    let start = "unable to parse JSON body: signing_keypair: ";
    owner.put(&by_id, body).await.assert_unreadable_start(start);
    let next = json!({ "next_signing_keypair": key_pair(TestKey::OtherRsa, TestKey::Rsa) });
    owner
        .put(&by_id, next)
        .await
        .assert_unreadable_start("unable to parse JSON body: next_signing_keypair: ");
    assert!(cloud.metadata.requests.lock().is_empty());
    assert_eq!(owner.put(&by_id, json!({ "description": "mine" })).await.status, 200);

    // An administrator of another silo cannot change the provider or learn that it exists.
    let mut twin = provider("okta");
    twin["acs_url"] = json!(ACS.replace("corp", "other"));
    let admin = cloud.with_token();
    let created = admin.post(&format!("{PROVIDERS}?silo=other"), twin).await;
    assert_eq!(created.status, 201, "{created:?}");
    let theirs = format!("/experimental{PROVIDERS}/{}", created.json()["id"].as_str().unwrap());
    assert_eq!(owner.get(&theirs).await.status, 404);
    assert_eq!(owner.put(&theirs, json!({ "enabled": false })).await.status, 404);
    assert_eq!(owner.delete(&theirs).await.status, 404);
    assert_eq!(admin.delete(&theirs).await.status, 204);
    let named = format!("/experimental{PROVIDERS}/okta?silo={SILO}");
    assert_eq!(admin.put(&named, json!({})).await.status, 404);
    assert_eq!(admin.put(&format!("/experimental{PROVIDERS}/okta"), json!({})).await.status, 400);
}

#[tokio::test]
async fn new_metadata_are_fetched() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let url = "https://idp.example/metadata";
    let body = json!({ "idp_metadata_source": { "type": "url", "url": url } });
    let refused = admin.put(&settings("okta"), body.clone()).await;
    let text = "unsupported value for \"url\": querying url returned: 404 Not Found";
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", text);
    assert!(accepts(&cloud, "a", TestKey::Rsa).await, "the provider is unchanged");
    *cloud.metadata.page.lock() = Some("<nonsense/>".to_owned());
    assert_eq!(admin.put(&settings("okta"), body.clone()).await.status, 400);
    *cloud.metadata.page.lock() = Some(TestKey::P384.metadata(SSO));
    let shown = change(&admin, "okta", body).await;
    assert_eq!(shown["metadata_url"], url);
    assert!(accepts(&cloud, "b", TestKey::P384).await && !accepts(&cloud, "c", TestKey::Rsa).await);
    let given = json!({ "idp_metadata_source": metadata(&TestKey::P521.metadata(SSO)) });
    assert_eq!(change(&admin, "okta", given).await["metadata_url"], json!(null));
}

#[tokio::test]
async fn last_fleet_administrator_can_still_sign_in() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let ada = signed_in(&cloud, "ada", &[]).await;
    let id = ada.get("/v1/me").await.json()["id"].clone();
    let policy = json!({ "role_assignments": [
        { "identity_id": id, "identity_type": "silo_user", "role_name": "admin" },
    ] });
    let answer = admin.put("/v1/system/policy", policy).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = admin.put("/v1/policy", json!({ "role_assignments": [] })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = "this would leave no fleet administrator who can sign in; assign the role admin on the fleet \
                to another user who can sign in first";
    for refused in
        [ada.put(&settings("okta"), json!({ "enabled": false })).await, ada.delete(&settings("okta")).await]
    {
        refused.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    }
    assert_eq!(ada.get("/v1/me").await.status, 200);
    let mut twin = provider("twin");
    twin["acs_url"] = json!(ACS.replace("okta", "twin"));
    add_provider(&ada, twin).await;
    assert_eq!(ada.delete(&settings("okta")).await.status, 204);
}
