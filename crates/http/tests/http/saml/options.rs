use http::StatusCode;
use serde_json::json;

use super::{CORP, add_provider, add_silo, corp, provider};
use crate::cloud::SILO;

const OPTIONS: &str = "/experimental/v1/login-options";

#[tokio::test]
async fn sign_in_options_are_listed() {
    let cloud = corp().await;
    let admin = cloud.with_token();
    add_silo(&admin, "hidden", "saml_jit", false).await;
    add_provider(&admin, provider("azure")).await;
    let nobody = cloud.anonymous();

    let answer = nobody.get(OPTIONS).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let silos = answer.json()["silos"].clone();
    let corp = json!({ "name": CORP, "identity_mode": "saml_jit" });
    assert!(silos.as_array().unwrap().contains(&corp), "{silos}");
    assert!(!silos.to_string().contains("hidden"), "{silos}");

    let answer = nobody.get(&format!("{OPTIONS}?silo={CORP}")).await.json();
    assert_eq!(answer, json!({ "silo": CORP, "identity_mode": "saml_jit", "providers": ["azure", "okta"] }));
    let answer = nobody.get(&format!("{OPTIONS}?silo={SILO}")).await.json();
    assert_eq!(answer, json!({ "silo": SILO, "identity_mode": "local_only", "providers": [] }));
    let answer = nobody.get(&format!("{OPTIONS}?silo=hidden")).await.json();
    assert_eq!(answer["providers"], json!([]));
    let answer = nobody.get(&format!("{OPTIONS}?silo=none")).await;
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", "not found: silo with name \"none\"");
    nobody.get(&format!("{OPTIONS}?silo=A")).await.assert_unreadable_start("unable to parse query string: ");
    assert_eq!(nobody.post(OPTIONS, json!({})).await.status, 405);
}
