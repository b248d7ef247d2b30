use serde_json::json;

use crate::program::{Answer, Server};

fn silo(server: &Server, name: &str, mode: &str) {
    let cookie = server.sign_in(&server.password());
    let body = json!({
        "name": name, "description": "", "discoverable": true, "identity_mode": mode, "tls_certificates": [],
        "quotas": { "cpus": 0, "memory": 0, "storage": 0 }, "mapped_fleet_roles": {},
    });
    let answer = server.request("POST", "/v1/system/silos").header("cookie", &cookie).body(&body).send();
    assert_eq!(answer.status, 201, "{}", answer.text());
}

fn at(server: &Server, host: &str, uri: &str) -> Answer {
    server.request("GET", uri).header("host", host).send()
}

fn location(server: &Server, host: &str, uri: &str) -> String {
    let answer = at(server, host, uri);
    assert_eq!((answer.status, answer.header("cache-control")), (302, "no-store"), "{}", answer.text());
    answer.header("location").to_owned()
}

fn message(answer: &Answer) -> String {
    assert_eq!(answer.status, 400);
    answer.json()["message"].as_str().unwrap().to_owned()
}

#[test]
fn host_name_of_a_silo_redirects_to_its_login_page() {
    let server = Server::start(&["--external-suffix", "example.com", "--external-suffix", "cloud.test"]);
    silo(&server, "acme", "local_only");
    for host in ["acme.sys.example.com", "ACME.sys.cloud.test:8443"] {
        let to = location(&server, host, "/projects/web?a=b");
        assert_eq!(to, "/login/acme/local?redirect_uri=%2Fprojects%2Fweb%3Fa%3Db");
        assert_eq!(location(&server, host, "/login"), "/login/acme/local");
        // The parameter is encoded once, as it was sent.
        let to = location(&server, host, "/login?redirect_uri=%2Fprojects%3Fa%3D%2520");
        assert_eq!(to, "/login/acme/local?redirect_uri=%2Fprojects%3Fa%3D%2520");
        assert!(
            message(&at(&server, host, "/login?redirect_uri=http%3A%2F%2Fx")).contains("not a relative URI")
        );
    }
    // The suffix is not one of this server, so the host is treated like any other name.
    let to = location(&server, "acme.sys.croft.internal", "/projects");
    assert_eq!(to, location(&server, "localhost", "/projects"));
    assert_eq!(at(&server, "acme.sys.croft.internal", "/login").status, 200);
}

#[test]
fn saml_silo_without_provider_has_no_login_page() {
    let server = Server::start(&[]);
    silo(&server, "acme", "saml_jit");
    for page in ["/projects", "/login"] {
        let refused = message(&at(&server, "acme.sys.croft.internal", page));
        assert_eq!(refused, "no identity providers are configured for Silo");
    }
}

#[test]
fn page_requires_a_host_header() {
    let server = Server::start(&[]);
    assert_eq!(message(&at(&server, "", "/projects")), "request missing \"host\" header");
    assert_eq!(at(&server, "", "/login/croft/local").status, 200);
}
