use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::StatusCode;
use serde_json::json;

use super::{CORP, PROVIDERS, SSO, TestKey, add_provider, add_silo, corp, key_pair, provider};
use crate::cloud::{Cloud, SILO};

#[tokio::test]
async fn a_provider_is_created_seen_and_listed() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let mut body = provider("signed");
    body["signing_keypair"] = key_pair(TestKey::Rsa, TestKey::Rsa);
    let created = add_provider(&admin, body.clone()).await;
    assert_eq!(created["public_cert"], body["signing_keypair"]["public_cert"]);
    assert_eq!(created["group_attribute_name"], "groups");
    assert_eq!(created.get("private_key"), None);
    assert_eq!(created.get("signing_keypair"), None);

    let by_name = admin.get(&format!("{PROVIDERS}/signed?silo={CORP}")).await.json();
    let by_id = admin.get(&format!("{PROVIDERS}/{}", created["id"].as_str().unwrap())).await.json();
    assert_eq!((&by_name, &by_id), (&created, &created));
    let plain = admin.get(&format!("{PROVIDERS}/okta?silo={CORP}")).await.json();
    assert_eq!(plain["public_cert"], json!(null));

    let list = admin.get(&format!("/v1/system/identity-providers?silo={CORP}")).await.json();
    let names: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect();
    assert_eq!(names, ["okta", "signed"]);
    assert_eq!(list["items"][0]["provider_type"], "saml");
    let list = admin.get(&format!("/v1/system/identity-providers?silo={SILO}")).await.json();
    assert_eq!(list["items"], json!([]));
    admin
        .get("/v1/system/identity-providers")
        .await
        .assert_unreadable_start("unable to parse query string: ");

    let again = admin.post(&format!("{PROVIDERS}?silo={CORP}"), provider("okta")).await;
    let text = "already exists: saml-identity-provider \"okta\"";
    again.assert_error(StatusCode::BAD_REQUEST, "ObjectAlreadyExists", text);
}

#[tokio::test]
async fn provider_is_selected_by_name_or_id() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let id =
        admin.get(&format!("{PROVIDERS}/okta?silo={CORP}")).await.json()["id"].as_str().unwrap().to_owned();
    let refused = |text| (400, Some("InvalidRequest".to_owned()), String::from(text));
    let both = admin.get(&format!("{PROVIDERS}/{id}?silo={CORP}")).await;
    assert_eq!(both.error(), refused("when providing provider as an ID, silo should not be specified"));
    let neither = admin.get(&format!("{PROVIDERS}/okta")).await;
    assert_eq!(neither.error(), refused("provider should either be a UUID or silo should be specified"));
    let unknown = admin.get(&format!("{PROVIDERS}/none?silo={CORP}")).await;
    let text = "not found: saml-identity-provider with name \"none\"";
    unknown.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", text);
    let unknown = admin.get(&format!("{PROVIDERS}/okta?silo=none")).await;
    unknown.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", "not found: silo with name \"none\"");
}

#[tokio::test]
async fn only_saml_silos_have_providers() {
    let cloud = Cloud::new();
    let answer = cloud.with_token().post(&format!("{PROVIDERS}?silo={SILO}"), provider("okta")).await;
    let text = "cannot create identity providers in this kind of Silo";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
}

#[tokio::test]
async fn key_pairs_are_checked_for_those_who_may_create_a_provider() {
    let cloud = corp().await;
    let uri = format!("{PROVIDERS}?silo={CORP}");
    let mut body = provider("new");
    let start = "unable to parse JSON body: signing_keypair";
    // Metadata is not fetched if the key pair is refused.
    body["idp_metadata_source"] = json!({ "type": "url", "url": "https://idp.example/metadata" });
    for pair in [
        key_pair(TestKey::OtherRsa, TestKey::Rsa),
        key_pair(TestKey::P256, TestKey::P256),
        json!({ "public_cert": "*", "private_key": "" }),
        json!({ "public_cert": "", "private_key": "" }),
        json!({ "public_cert": "", "private_key": BASE64_STANDARD.encode(vec![0x30; 600_000]) }),
    ] {
        body["signing_keypair"] = pair;
        cloud.with_token().post(&uri, body.clone()).await.assert_unreadable_start(start);
        // Unauthenticated clients cannot make the server compute with large keys.
        cloud.anonymous().post(&uri, body.clone()).await.assert_unauthorized();
    }
    body["signing_keypair"] = key_pair(TestKey::OtherRsa, TestKey::Rsa);
    let (_, _, text) = cloud.with_token().post(&uri, body.clone()).await.error();
    assert!(text.contains("data signed with key not verified with certificate! "), "{text}");
    body["signing_keypair"] = key_pair(TestKey::Rsa, TestKey::Rsa);
    cloud.anonymous().post(&uri, body).await.assert_unauthorized();
    assert!(cloud.metadata.requests.lock().is_empty());
}

#[tokio::test]
async fn inline_metadata_is_accepted() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    let uri = format!("{PROVIDERS}?silo={CORP}");
    let with = |data: &str| {
        let mut body = provider("new");
        body["idp_metadata_source"]["data"] = json!(data);
        body
    };
    let (status, code, text) = admin.post(&uri, with("*")).await.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidValue")));
    let start = "unsupported value for \"data\": error getting decoding base64 data: ";
    assert!(text.starts_with(start), "{text}");
    assert!(admin.post(&uri, with("/w==")).await.error().2.starts_with(start));
    let (status, code, text) = admin.post(&uri, with("PGEvPg==")).await.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidRequest")));
    let start = "idp_metadata_document_string could not be parsed as an EntityDescriptor! ";
    assert!(text.starts_with(start), "{text}");
}

#[tokio::test]
async fn metadata_that_are_fetched() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    add_silo(&admin, "other", "saml_jit", true).await;
    let mut body = provider("fetched");
    body["idp_metadata_source"] = json!({ "type": "url", "url": "https://idp.example/metadata" });
    let uri = format!("{PROVIDERS}?silo={CORP}");

    // Metadata is not fetched for callers who may not create a provider.
    cloud.anonymous().post(&uri, body.clone()).await.assert_unauthorized();
    assert_eq!(admin.post(&format!("{PROVIDERS}?silo={SILO}"), body.clone()).await.status, 400);
    assert_eq!(admin.post(&format!("{PROVIDERS}?silo=none"), body.clone()).await.status, 404);
    assert!(cloud.metadata.requests.lock().is_empty());

    let answer = admin.post(&uri, body.clone()).await;
    let text = "unsupported value for \"url\": querying url returned: 404 Not Found";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", text);
    *cloud.metadata.page.lock() = Some(TestKey::Rsa.metadata(SSO));
    add_provider(&admin, body).await;
    assert_eq!(cloud.metadata.requests.lock().len(), 2);
}
