use std::{fs, path::Path};

use tempfile::TempDir;

use crate::program::{Server, text};

/// A minimal build of the console.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    fs::create_dir(folder.path().join("assets")).unwrap();
    write("index.html", "<html>index</html>");
    write("login.html", "<html><meta name=\"croft-default-silo\" content=\"\" /></html>");
    write("assets/main-12345678.js", "main()");
    write("assets/main-12345678.js.gz", "compressed");
    write("assets/only-12345678.css.gz", "compressed");
    write("assets/note.exe", "no");
    for (name, _) in TYPES {
        write(&format!("assets/{name}"), name);
    }
    folder
}

const TYPES: [(&str, &str); 10] = [
    ("a.css", "text/css"),
    ("a.html", "text/html; charset=utf-8"),
    ("a.js", "text/javascript"),
    ("a.map", "application/json"),
    ("a.png", "image/png"),
    ("a.svg", "image/svg+xml"),
    ("a.txt", "text/plain; charset=utf-8"),
    ("a.webp", "image/webp"),
    ("a.woff", "application/font-woff"),
    ("a.woff2", "font/woff2"),
];

fn start(folder: &Path) -> Server {
    Server::start(&["--console-dir", text(folder)])
}

#[test]
fn page_names_the_hypervisor() {
    let folder = folder();
    let page = "<html><meta name=\"croft-machines\" content=\"\" />index</html>";
    fs::write(folder.path().join("index.html"), page).unwrap();
    let server = start(folder.path());
    let cookie = server.sign_in(&server.password());
    let answer = server.request("GET", "/projects").header("cookie", &cookie).send();
    assert!(
        answer.text().contains("content=\"simulated Machines are simulated (as configured): "),
        "{}",
        answer.text()
    );
}

#[test]
fn pages_require_a_session() {
    let folder = folder();
    let server = start(folder.path());
    let cookie = server.sign_in(&server.password());
    let pages = [
        "/",
        "/projects",
        "/projects/web/instances?x=1",
        "/projects/",
        "/projects-new",
        "/settings/profile",
        "/system/silos",
        "/lookup/i/db",
        "/images",
        "/overview",
        "/search",
        "/utilization",
        "/access",
        "/device/verify",
        "/device/success",
        "/explorer",
    ];
    for page in pages {
        let answer = server.request("GET", page).header("cookie", &cookie).send();
        assert_eq!((answer.status, answer.text().as_str()), (200, "<html>index</html>"), "{page}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("content-length"), "18");
        assert_eq!(answer.header("x-frame-options"), "DENY");
        let head = server.request("HEAD", page).header("cookie", &cookie).send();
        assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, "18", 0));

        for stranger in [None, Some("session=stale")] {
            let request = server.request("GET", page);
            let request = stranger
                .map(|cookie| ("cookie", cookie))
                .into_iter()
                .fold(request, |r, (k, v)| r.header(k, v));
            let answer = request.send();
            assert_eq!(answer.status, 302, "{page}");
            let location = answer.header("location");
            let encoded = page.replace('/', "%2F").replace('?', "%3F").replace('=', "%3D");
            assert_eq!(location, format!("/login/croft/local?redirect_uri={encoded}"));
        }
    }
}

#[test]
fn login_pages_are_open_and_know_the_silo() {
    let folder = folder();
    let server = start(folder.path());
    let pages = [
        "/login",
        "/login?redirect_uri=%2Fprojects",
        "/login/croft/local",
        "/login/nowhere/local",
        "/login/croft/saml/keycloak",
    ];
    for page in pages {
        let answer = server.get(page);
        let expected = "<html><meta name=\"croft-default-silo\" content=\"croft\" /></html>";
        assert_eq!((answer.status, answer.text().as_str()), (200, expected), "{page}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    let bad = ["", "foo", "http%3A%2F%2Fevil%2Fx", "%2F%2Fevil", "%2F%5Cevil", "%2F%09%2Fevil"];
    for page in ["/login", "/login/croft/local", "/login/croft/saml/keycloak"] {
        for value in bad {
            let answer = server.get(&format!("{page}?redirect_uri={value}"));
            assert_eq!(answer.status, 400, "{page} {value}");
            let message = answer.json()["message"].as_str().unwrap().to_owned();
            assert!(message.ends_with("\" is not a relative URI"), "{message}");
        }
    }
}

#[test]
fn assets() {
    let folder = folder();
    let server = start(folder.path());
    for (name, kind) in TYPES {
        let answer = server.get(&format!("/assets/{name}"));
        assert_eq!((answer.status, answer.header("content-type")), (200, kind), "{name}");
        assert_eq!(answer.header("content-length"), name.len().to_string());
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
    let compressed = |name: &str, accept: &str| {
        server.request("GET", &format!("/assets/{name}")).header("accept-encoding", accept).send()
    };
    let answer = compressed("main-12345678.js", "br;q=1.0, gzip;q=0.1");
    assert_eq!((answer.text().as_str(), answer.header("content-encoding")), ("compressed", "gzip"));
    assert_eq!(answer.header("content-type"), "text/javascript");
    assert_eq!(compressed("main-12345678.js", "identity").text(), "main()");
    assert_eq!(compressed("only-12345678.css", "gzip").status, 200);
    assert_eq!(compressed("only-12345678.css", "identity").status, 404);
    for missing in
        ["/assets/none.js", "/assets/note.exe", "/assets/", "/assets/main", "/index.html", "/login.html"]
    {
        let answer = server.get(missing);
        assert_eq!((answer.status, answer.json()["message"].as_str()), (404, Some("Not Found")), "{missing}");
    }
    for outside in ["/assets/../index.html", "/assets/%2e%2e/index.html"] {
        assert_eq!(server.get(outside).status, 400, "{outside}");
    }
    assert_eq!(server.get("/assets/%2e%2e%2findex.html").status, 404);
}

#[test]
fn unknown_pages_are_not_found_and_pages_allow_only_reads() {
    let folder = folder();
    let server = start(folder.path());
    let cookie = server.sign_in(&server.password());
    for path in ["/nothing", "/v1/nothing", "/project", "/favicon.ico"] {
        let answer = server.request("GET", path).header("cookie", &cookie).send();
        assert_eq!((answer.status, answer.json()["message"].as_str()), (404, Some("Not Found")), "{path}");
    }
    let answer = server.request("POST", "/projects").header("cookie", &cookie).send();
    assert_eq!(answer.status, 405);
}

#[test]
fn missing_console_is_reported() {
    let empty = tempfile::tempdir().unwrap();
    let server = start(empty.path());
    assert!(server.printed().contains("built without the console"), "{}", server.printed());
    let cookie = server.sign_in(&server.password());
    let answer = server.request("GET", "/").header("cookie", &cookie).send();
    assert_eq!(answer.status, 404);
    assert!(answer.text().contains("The console was not built"), "{answer:?}");
    assert_eq!(server.get("/v1/ping").status, 200);
}
