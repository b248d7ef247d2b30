//! Connections from addresses outside the allow-list. All addresses in 127.0.0.0/8 belong to this host.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{net::TcpSocket, runtime::Builder};

use crate::program::{Answer, Server, run, text};

const TIMEOUT: Duration = Duration::from_secs(30);
const PATH: &str = "/v1/system/networking/allow-list";

/// Connects from this address of the host.
fn connect(from: &str, to: &str) -> TcpStream {
    let (from, to): (SocketAddr, SocketAddr) = (format!("{from}:0").parse().unwrap(), to.parse().unwrap());
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(from).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream
}

/// The status of a response to this address, or `None` if the connection is closed without one.
fn status(server: &Server, from: &str) -> Option<u16> {
    let mut stream = connect(from, server.address());
    let sent = stream.write_all(server.request("GET", "/v1/ping").text().as_bytes());
    let mut bytes = Vec::new();
    match sent.and_then(|()| stream.read_to_end(&mut bytes)) {
        Ok(_) if bytes.is_empty() => None,
        Ok(_) => Some(Answer::read_from(&mut bytes.as_slice()).status),
        Err(error) => {
            let cut =
                matches!(error.kind(), std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe);
            assert!(cut && bytes.is_empty(), "{error}");
            None
        }
    }
}

fn eventually(server: &Server, from: &str, expected: Option<u16>) {
    let give_up = Instant::now() + TIMEOUT;
    loop {
        let seen = status(server, from);
        if seen == expected {
            return;
        }
        assert!(Instant::now() < give_up, "{from} gets {seen:?}: {}", server.log());
        std::thread::yield_now();
    }
}

fn list(entries: &[&str]) -> Value {
    json!({ "allowed_ips": { "allow": "list", "ips": entries } })
}

#[test]
fn connections_from_excluded_sources_are_closed_without_an_answer() {
    let server = Server::start(&["--tls-listen", "127.0.0.1:0"]);
    let cookie = server.sign_in(&server.password());
    assert_eq!(status(&server, "127.0.0.2"), Some(200));
    // Open a connection before the list takes effect.
    let mut open = connect("127.0.0.2", server.address());
    open.write_all(b"GET /v1/ping HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut first = [0; 15];
    open.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");

    let put = server.request("PUT", PATH).header("cookie", &cookie).body(&list(&["127.0.0.1/32"])).send();
    assert_eq!(put.status, 200, "{}", put.text());
    eventually(&server, "127.0.0.2", None);
    assert_eq!(status(&server, "127.0.0.1"), Some(200), "addresses on the list are not affected");
    let mut tls = connect("127.0.0.2", server.tls_address());
    let mut bytes = Vec::new();
    assert!(tls.read_to_end(&mut bytes).map_or(true, |count| count == 0), "closed before the handshake");
    let request = server.request("GET", "/v1/ping").text();
    open.write_all(request.as_bytes()).unwrap();
    let mut rest = String::new();
    open.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("HTTP/1.1 403 Forbidden"), "{rest}");

    let any = json!({ "allowed_ips": { "allow": "any" } });
    let put = server.request("PUT", PATH).header("cookie", &cookie).body(&any).send();
    assert_eq!(put.status, 200, "{}", put.text());
    eventually(&server, "127.0.0.2", Some(200));
}

#[test]
fn excluded_operator_regains_access_on_the_host() {
    let proxy = ["--trusted-proxy", "127.0.0.1"];
    let server = Server::start(&proxy);
    let cookie = server.sign_in(&server.password());
    let request = server.request("PUT", PATH).header("cookie", &cookie);
    let put = request.header("x-forwarded-for", "203.0.113.9").body(&list(&["203.0.113.9/32"])).send();
    assert_eq!(put.status, 200, "{}", put.text());
    eventually(&server, "127.0.0.1", Some(403));
    let behind = server.request("GET", "/v1/me").header("cookie", &cookie);
    assert_eq!(behind.header("x-forwarded-for", "203.0.113.9").send().status, 200);

    // After a restart, the list applies to the first connection.
    let server = Server::start_in(server.stopped(), &[]);
    assert_eq!(status(&server, "127.0.0.1"), None);
    let output = run(&["admin", "allow-any-source", "--data-dir", text(&server.data())]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    eventually(&server, "127.0.0.1", Some(200));
}
