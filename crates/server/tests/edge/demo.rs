use std::process::Output;

use crate::program::{Answer, Server, query, run};

const CHOICE: &str = "/demo/identity-provider";
const REDIRECT: &str = "/login/maze-war/saml/mock-idp/redirect?redirect_uri=%2Fprojects";
const ACS: &str = "/login/maze-war/saml/mock-idp";

/// The value of a hidden field.
fn hidden(page: &str, name: &str) -> String {
    let mark = format!("name=\"{name}\" value=\"");
    let start = page.find(&mark).unwrap_or_else(|| panic!("no {name} in {page}")) + mark.len();
    page[start..].split('"').next().unwrap().to_owned()
}

/// Signs in with the demo's identity provider as this person. Returns the response to the SAML response.
fn complete_sign_in(server: &Server, person: &str) -> Answer {
    let begun = server.get(REDIRECT);
    assert_eq!(begun.status, 302, "{begun:?}");
    let location = begun.header("location");
    assert!(location.starts_with(&format!("{CHOICE}?SAMLRequest=")), "{location}");
    let page = server.get(location);
    assert!(page.header("content-security-policy").contains("form-action 'self'"), "{page:?}");
    let page = page.text();
    assert!(page.contains(&format!(">{person}<")), "{page}");
    let (request, relay) = (hidden(&page, "request"), hidden(&page, "RelayState"));
    let chosen = query(&[("request", &request), ("RelayState", &relay), ("person", person)]);
    let answer = server.get(&format!("{CHOICE}/answer?{chosen}"));
    assert_eq!(answer.status, 200, "{answer:?}");
    let page = answer.text();
    let fields =
        [("SAMLResponse", hidden(&page, "SAMLResponse")), ("RelayState", hidden(&page, "RelayState"))];
    let cookie = begun.header("set-cookie").split(';').next().unwrap();
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    server.request("POST", ACS).header("cookie", cookie).form(&fields).send()
}

fn sign_in(server: &Server, person: &str) -> String {
    let answer = complete_sign_in(server, person);
    assert_eq!((answer.status, answer.header("location")), (303, "/projects"), "{answer:?}");
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

fn status(server: &Server, cookie: &str, uri: &str) -> u16 {
    server.request("GET", uri).header("cookie", cookie).send().status
}

#[test]
fn people_sign_in_and_see_what_their_roles_allow() {
    let server = Server::start(&["--demo"]);
    for text in [server.printed(), server.log()] {
        assert!(text.contains("anyone who can reach this server can sign in as any user"), "{text}");
    }
    assert!(server.printed().contains("Sign in to the silo \"maze-war\" with \"mock-idp\""));
    server.sign_in(&server.password());
    for (person, projects, main, system) in [
        ("Hannah Arendt", 200, 200, 200),
        ("Hans Jonas", 200, 200, 403),
        ("Jacob Klein", 403, 200, 403),
        ("Simone de Beauvoir", 403, 404, 403),
    ] {
        let cookie = sign_in(&server, person);
        let me = server.request("GET", "/v1/me").header("cookie", &cookie).send().json();
        assert_eq!(me["display_name"], person);
        let seen = |uri| status(&server, &cookie, uri);
        assert_eq!(
            (seen("/v1/projects"), seen("/v1/projects/mock-project"), seen("/v1/system/policy")),
            (projects, main, system),
            "{person}"
        );
    }
    let hannah = sign_in(&server, "Hannah Arendt");
    let groups = server.request("GET", "/v1/me/groups").header("cookie", &hannah).send().json();
    assert_eq!(groups["items"][0]["display_name"], "web-devs");
    let instance = "/v1/instances/db1?project=mock-project";
    let instance = server.request("GET", instance).header("cookie", &hannah).send().json();
    assert_eq!(instance["run_state"], "running");
}

#[test]
fn unknown_demo_users_are_refused() {
    let server = Server::start(&["--demo"]);
    for query in ["person=Nobody", "person=Hannah+Arendt&request=a%22b", ""] {
        let answer = server.get(&format!("{CHOICE}/answer?{query}"));
        assert_eq!(answer.status, 400, "{answer:?}");
    }
    let page = server.get(&format!("{CHOICE}?RelayState=%22%3E%3Cscript%3E&SAMLRequest=nonsense")).text();
    assert!(!page.contains("<script>") && page.contains("&quot;&gt;&lt;script&gt;"), "{page}");
}

#[test]
fn demo_survives_restart_and_its_provider_requires_the_demo_option() {
    let server = Server::start(&["--demo"]);
    let cookie = sign_in(&server, "Hannah Arendt");
    let deleted = "/v1/disks/disk-3?project=mock-project";
    let answer = server.request("DELETE", deleted).header("cookie", &cookie).send();
    assert_eq!(answer.status, 204, "{answer:?}");
    let folder = server.stopped();

    let server = Server::start_in(folder, &["--demo"]);
    assert!(!server.printed().contains("password "), "{}", server.printed());
    let cookie = sign_in(&server, "Hannah Arendt");
    assert_eq!(status(&server, &cookie, deleted), 404, "changes are kept");
    let folder = server.stopped();

    let server = Server::start_in(folder, &[]);
    assert_eq!(status(&server, &cookie, "/v1/me"), 200);
    for path in [CHOICE, &format!("{CHOICE}/answer?person=Hannah+Arendt")] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert!(!server.printed().contains("demonstration"));
}

#[test]
fn demo_requires_an_empty_database_and_simulated_machines() {
    let server = Server::start(&[]);
    let cookie = server.sign_in(&server.password());
    let body = serde_json::json!({ "name": "web", "description": "" });
    assert_eq!(
        server.request("POST", "/v1/projects").header("cookie", &cookie).body(&body).send().status,
        201
    );
    assert_eq!(server.get(CHOICE).status, 404);
    let folder = server.stopped();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let start = |words: &[&str]| -> Output {
        let always = ["serve", "--listen", "127.0.0.1:0", "--demo", "--data-dir", data];
        run(&[&always[..], words].concat())
    };
    let refused = start(&[]);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert!(stderr.contains("this one has other data") && stderr.contains("--data-dir"), "{stderr}");
    let refused = start(&["--hypervisor", "qemu"]);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert!(stderr.contains("demo needs simulated machines"), "{stderr}");
}
