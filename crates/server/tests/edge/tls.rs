use std::{
    io::Write as _,
    net::TcpStream,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto::ring::default_provider,
    pki_types::CertificateDer,
};
use serde_json::{Value, json};

use crate::program::{Answer, CHOSEN, Server};

const TIMEOUT: Duration = Duration::from_secs(30);
pub const TLS: [&str; 2] = ["--tls-listen", "127.0.0.1:0"];

/// A self-signed certificate.
pub struct TestCertificate {
    body: Value,
    der: CertificateDer<'static>,
}

pub fn self_signed(name: &str, host: &str, last_year: i32) -> TestCertificate {
    let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(last_year, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let body = json!({
        "name": name, "description": "", "service": "external_api",
        "cert": certificate.pem(), "key": key.serialize_pem(),
    });
    TestCertificate { body, der: certificate.der().clone() }
}

/// The configuration of a client that trusts only this certificate.
pub fn trusting(certificate: &TestCertificate) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.der.clone()).unwrap();
    ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}

/// Connects as a client that trusts only this certificate.
fn connect(
    server: &Server,
    host: &str,
    trusted: &TestCertificate,
) -> std::io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let name = host.to_owned().try_into().unwrap();
    let mut connection = ClientConnection::new(Arc::new(trusting(trusted)), name).unwrap();
    let mut stream = TcpStream::connect(server.tls_address()).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    while connection.is_handshaking() {
        connection.complete_io(&mut stream)?;
    }
    Ok(StreamOwned::new(connection, stream))
}

/// Connects as soon as the server presents this certificate.
pub fn eventually(
    server: &Server,
    host: &str,
    trusted: &TestCertificate,
) -> StreamOwned<ClientConnection, TcpStream> {
    let give_up = Instant::now() + TIMEOUT;
    loop {
        match connect(server, host, trusted) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < give_up, "{error}: {}", server.log()),
        }
        std::thread::yield_now();
    }
}

fn ask(mut stream: StreamOwned<ClientConnection, TcpStream>, request: &str) -> Answer {
    stream.write_all(request.as_bytes()).unwrap();
    Answer::read_from(&mut stream)
}

pub fn create(server: &Server, cookie: &str, certificate: &TestCertificate) {
    let request = server.request("POST", "/v1/certificates").header("cookie", cookie).body(&certificate.body);
    let answer = request.send();
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert!(!answer.text().contains("PRIVATE KEY"), "{}", answer.text());
}

pub const HOST: &str = "croft.sys.croft.internal";

#[test]
fn certificate_changes_apply_without_a_restart() {
    let server = Server::start(&TLS);
    let cookie = server.sign_in(&server.password());
    let (first, second) = (self_signed("first", HOST, 2100), self_signed("second", HOST, 2101));
    assert!(connect(&server, HOST, &first).is_err(), "there is no certificate yet");
    assert!(
        server.log().contains("no silo has a certificate: TLS handshakes are refused"),
        "{}",
        server.log()
    );

    create(&server, &cookie, &first);
    drop(eventually(&server, HOST, &first));
    create(&server, &cookie, &second);
    drop(eventually(&server, HOST, &second));
    assert!(connect(&server, HOST, &first).is_err(), "the certificate that expires last is presented");

    let delete = server.request("DELETE", "/v1/certificates/second").header("cookie", &cookie).send();
    assert_eq!(delete.status, 204);
    let stream = eventually(&server, HOST, &first);
    assert_eq!(ask(stream, &server.request("GET", "/v1/ping").text()).json()["status"], "ok");
}

#[test]
fn each_silo_serves_its_certificate_and_unknown_names_the_fallback() {
    let server = Server::start(&TLS);
    let cookie = server.sign_in(&server.password());
    let acme = self_signed("web", "acme.sys.croft.internal", 2100);
    let body = json!({
        "name": "acme", "description": "", "discoverable": true, "identity_mode": "saml_jit",
        "tls_certificates": [acme.body], "mapped_fleet_roles": {},
        "quotas": { "cpus": 0, "memory": 0, "storage": 0 },
    });
    let silo = server.request("POST", "/v1/system/silos").header("cookie", &cookie).body(&body).send();
    assert_eq!(silo.status, 201, "{}", silo.text());
    drop(eventually(&server, "acme.sys.croft.internal", &acme));
    // A wildcard also covers names of no silo, so that the fallback for them can be observed.
    let wildcard = self_signed("wildcard", "*.sys.croft.internal", 2100);
    create(&server, &cookie, &wildcard);
    for host in [HOST, "unknown.sys.croft.internal"] {
        drop(eventually(&server, host, &wildcard));
    }
    drop(connect(&server, "acme.sys.croft.internal", &acme).unwrap());
}

#[test]
fn tls_sets_secure_cookies_and_plain_requests_still_work() {
    let server = Server::start(&TLS);
    let (plain, tls) = (server.address(), server.tls_address());
    let url = format!("Croft is at http://{plain} and https://{tls}\n");
    assert!(server.printed().ends_with(&url), "{}", server.printed());
    let password = server.password();
    let cookie = server.sign_in(&password);
    let certificate = self_signed("web", HOST, 2100);
    create(&server, &cookie, &certificate);

    let login = json!({ "username": "admin", "password": CHOSEN });
    let login = server.request("POST", "/v1/login/croft/local").body(&login);
    let secure = ask(eventually(&server, HOST, &certificate), &login.text());
    assert_eq!(secure.header("strict-transport-security"), "max-age=31536000");
    let set = secure.header("set-cookie").to_owned();
    assert!(set.starts_with("__Host-session="), "{set}");
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400"), "{set}");
    let set = login.send().header("set-cookie").to_owned();
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400"), "{set}");

    let device = |body: &str| {
        format!(
            "POST /device/auth HTTP/1.1\r\nhost: {HOST}\r\nconnection: close\r\ncontent-length: {}\r\n\
             content-type: application/x-www-form-urlencoded\r\n\r\n{body}",
            body.len()
        )
    };
    let device = device("client_id=6a49b1dc-3ea7-4b7c-b8f1-0b8ed1dbd3d4");
    let device = ask(eventually(&server, HOST, &certificate), &device);
    assert_eq!(device.json()["verification_uri"], format!("https://{HOST}/device/verify"));
}

#[test]
fn a_request_by_tls_is_finished_when_the_server_ends() {
    let server = Server::start(&TLS);
    let cookie = server.sign_in(&server.password());
    let certificate = self_signed("web", HOST, 2100);
    create(&server, &cookie, &certificate);
    let mut stream = eventually(&server, HOST, &certificate);
    let body = json!({ "name": "web", "description": "" });
    // The same session, in the cookie of a browser that signed in with TLS.
    let secure = format!("__Host-{cookie}");
    let request = server.request("POST", "/v1/projects").header("cookie", &secure).body(&body).text();
    let (begin, rest) = request.split_at(request.len() - 5);
    stream.write_all(begin.as_bytes()).unwrap();
    stream.flush().unwrap();
    // A response on another connection shows that the server has accepted the first one.
    let other = eventually(&server, HOST, &certificate);
    assert_eq!(ask(other, &server.request("GET", "/v1/ping").text()).status, 200);
    // A connection without a handshake does not delay the shutdown.
    let silent = TcpStream::connect(server.tls_address()).unwrap();
    server.terminate();
    while TcpStream::connect(server.tls_address()).is_ok() {
        std::thread::yield_now();
    }
    stream.write_all(rest.as_bytes()).unwrap();
    assert_eq!(Answer::read_from(&mut stream).status, 201);
    server.ended_with(0);
    drop(silent);
}

fn assert_no_key_below(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_no_key_below(&path);
        } else {
            let content = std::fs::read(&path).unwrap();
            let sealed = !content.windows(11).any(|bytes| bytes == b"PRIVATE KEY");
            assert!(sealed, "a key is not sealed in {}", path.display());
        }
    }
}

#[test]
fn certificates_survive_a_restart_with_sealed_keys() {
    let server = Server::start(&TLS);
    let cookie = server.sign_in(&server.password());
    let certificate = self_signed("web", HOST, 2100);
    create(&server, &cookie, &certificate);
    server.terminate();
    let folder = server.ended_with(0);
    assert_no_key_below(&folder.path().join("data"));
    let server = Server::start_in(folder, &TLS);
    drop(connect(&server, HOST, &certificate).unwrap());
}
