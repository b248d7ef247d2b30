//! Support bundles of a complete server.

use std::{
    fs,
    io::{Cursor, Read as _},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use zip::ZipArchive;

use crate::program::Server;

const BUNDLES: &str = "/experimental/v1/system/support-bundles";

fn state(server: &Server, cookie: &str, id: &str) -> Value {
    server.request("GET", &format!("{BUNDLES}/{id}")).header("cookie", cookie).send().json()["state"].clone()
}

#[test]
fn bundle_describes_the_server_without_secrets() {
    let metrics = tempfile::NamedTempFile::new().unwrap();
    fs::write(metrics.path(), "a-secret-token-for-metrics\n").unwrap();
    let server = Server::start(&["--metrics-token-file", metrics.path().to_str().unwrap()]);
    let password = server.password();
    let cookie = server.sign_in(&password);
    let body = json!({ "user_comment": null });
    let created = server.request("POST", BUNDLES).header("cookie", &cookie).body(&body).send();
    assert_eq!(created.status, 201);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let give_up = Instant::now() + Duration::from_mins(1);
    while state(&server, &cookie, &id) == "collecting" {
        assert!(Instant::now() < give_up, "{}", server.log());
        std::thread::yield_now();
    }
    assert_eq!(state(&server, &cookie, &id), "active", "{}", server.log());
    let path = server.data().join("bundles").join(format!("{id}.zip"));
    let mut zip = ZipArchive::new(Cursor::new(fs::read(&path).unwrap())).unwrap();
    let mut all = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        all.extend(file.name().unwrap().into_owned().into_bytes());
        file.read_to_end(&mut all).unwrap();
    }
    let text = String::from_utf8_lossy(&all);
    for expected in ["server/croft.log", "started", "\"hypervisor\": \"Simulated\"", "\"croft\": \"0.1.0\""] {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
    let session = cookie.split('=').nth(1).unwrap();
    for secret in [password.as_str(), session, "a-secret-token-for-metrics", "$argon2"] {
        assert!(!text.contains(secret), "{secret:?} is in the bundle");
    }
    let key = fs::read(server.data().join("secret.key")).unwrap();
    assert!(!all.windows(key.len()).any(|window| window == key), "the key is in the bundle");
    let gone = server.request("DELETE", &format!("{BUNDLES}/{id}")).header("cookie", &cookie).send();
    assert_eq!(gone.status, 204);
    while path.exists() {
        assert!(Instant::now() < give_up, "{}", server.log());
        std::thread::yield_now();
    }
}
