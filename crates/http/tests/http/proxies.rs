use croft_http::Settings;
use croft_store::{ListBy, Sort, records::AuditEntry};
use serde_json::json;

use crate::cloud::{Cloud, PASSWORD, SILO, USER};

/// Signs in with the headers of a proxy, forged or not. Returns the cookie and the address in the audit log.
async fn signed_in(settings: Settings) -> (String, String) {
    let cloud = Cloud::with(settings);
    let client = cloud
        .anonymous()
        .with("x-forwarded-for", "203.0.113.9, 198.51.100.4")
        .with("x-forwarded-proto", "https");
    let body = json!({ "username": USER, "password": PASSWORD });
    let answer = client.post(&format!("/v1/login/{SILO}/local"), body).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    let entries =
        cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::TimeAsc, None, 9)?)).unwrap();
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    (answer.header("set-cookie").to_owned(), entry.source_ip.unwrap().to_string())
}

#[tokio::test]
async fn trusted_proxy_determines_the_client_address() {
    let trusted_proxies = vec!["192.0.2.0/24".parse().unwrap()];
    let (cookie, address) = signed_in(Settings { trusted_proxies, ..Settings::default() }).await;
    assert!(cookie.contains("; Secure"), "{cookie}");
    assert_eq!(address, "198.51.100.4");
}

#[tokio::test]
async fn forwarded_headers_of_untrusted_peers_are_ignored() {
    let trusted_proxies = vec!["10.0.0.1".parse().unwrap()];
    let (cookie, address) = signed_in(Settings { trusted_proxies, ..Settings::default() }).await;
    assert!(!cookie.contains("Secure"), "{cookie}");
    assert_eq!(address, "192.0.2.7");
}
