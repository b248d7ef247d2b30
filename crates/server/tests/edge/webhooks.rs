//! Deliveries of alerts by the real program to a faulty receiver.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use croft_api::Uuid;
use croft_store::{
    Database, ListBy, Meta, Sort, SqliteOptions, StoreError, Tx,
    records::{Alert, AlertDelivery, AlertQueue},
    schema,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::program::{Answer, Server};

const TIMEOUT: Duration = Duration::from_secs(30);
const SECRET: &str = "a secret of the receiver";

/// A received request, with the connection for the response.
struct ReceivedRequest {
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    stream: TcpStream,
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    fn number(&self) -> u64 {
        let body: Value = serde_json::from_slice(&self.body).unwrap();
        body["data"]["number"].as_u64().unwrap()
    }

    fn respond(mut self, text: &str) {
        // The client may have closed the connection.
        let _ = self.stream.write_all(text.as_bytes());
    }

    fn check_signature(&self) {
        let mut block = [0; 64];
        block[..SECRET.len()].copy_from_slice(SECRET.as_bytes());
        let inner =
            Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(&self.body).finalize();
        let outer = Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize();
        let right = outer.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let signature = self.header("x-croft-signature");
        assert!(
            signature.starts_with("a=sha256&id=") && signature.ends_with(&format!("&s={right}")),
            "{signature}"
        );
    }
}

/// A receiver whose responses the test determines.
struct Hook {
    address: SocketAddr,
    received: Receiver<ReceivedRequest>,
}

impl Hook {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if receive(stream.unwrap(), &sender).is_none() {
                    return;
                }
            }
        });
        Self { address, received }
    }

    fn next(&self) -> ReceivedRequest {
        self.received.recv_timeout(TIMEOUT).unwrap()
    }

    fn is_quiet(&self) -> bool {
        self.received.try_recv().is_err()
    }
}

fn receive(stream: TcpStream, sender: &Sender<ReceivedRequest>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut line, mut headers) = (String::new(), Vec::new());
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "POST /hook HTTP/1.1\r\n");
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_owned(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").unwrap().1.parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let received = ReceivedRequest { headers, body, stream };
    received.check_signature();
    sender.send(received).ok()
}

const FINE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const BROKEN: &str = "HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n";
const MOVED: &str = "HTTP/1.1 302 Elsewhere\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n";
const CUT: &str = "HTTP/1.1 200 O";

const ALLOW: [&str; 2] = ["--webhook-allow", "127.0.0.0/8"];

/// Changes the database of a stopped server.
fn change(folder: &TempDir, change: impl FnMut(&mut Tx<'_>) -> Result<(), StoreError> + Send + 'static) {
    let path = folder.path().join("data/croft.db");
    let database = Database::sqlite(&SqliteOptions::new(path), &schema::CROFT).unwrap();
    database.write_blocking(change).unwrap();
}

/// Raises alerts as the server does, by inserting rows.
fn raise(folder: &TempDir, numbers: std::ops::RangeInclusive<u64>) {
    change(folder, move |tx| {
        for number in numbers.clone() {
            let id = Uuid::from_u128(u128::from(number));
            let time = Timestamp::now() + SignedDuration::from_micros(i64::try_from(number).unwrap());
            let data: Map<String, Value> = [("number".to_owned(), json!(number))].into_iter().collect();
            tx.insert(&Alert {
                meta: Meta::new(id, time),
                class: "disk.faulted".into(),
                data,
                dispatched: false,
            })?;
        }
        Ok(())
    });
}

/// Moves the due times in the database of a stopped server back, as if this time had passed.
fn age(folder: &TempDir, seconds: i64) {
    change(folder, move |tx| {
        let earlier = |due: &mut Option<Timestamp>| {
            *due = due.map(|due| due - SignedDuration::from_secs(seconds));
        };
        for mut queue in tx.page::<AlertQueue>(ListBy::All, Sort::IdAsc, None, 100)? {
            earlier(&mut queue.time_due);
            tx.update(&mut queue)?;
        }
        for mut delivery in tx.page::<AlertDelivery>(ListBy::All, Sort::IdAsc, None, 100)? {
            earlier(&mut delivery.time_due);
            tx.update(&mut delivery)?;
        }
        Ok(())
    });
}

fn ask(server: &Server, cookie: &str, method: &str, uri: &str, body: &Value) -> Answer {
    server.request(method, uri).header("cookie", cookie).body(body).send()
}

/// A stopped server that has a receiver.
fn stopped_server(hook: &Hook) -> (TempDir, String) {
    let server = Server::start(&ALLOW);
    let cookie = server.sign_in(&server.password());
    let receiver = json!({
        "name": "ops", "description": "", "endpoint": format!("http://localhost:{}/hook", hook.address.port()),
        "secrets": [SECRET], "subscriptions": ["disk.*"],
    });
    let answer = ask(&server, &cookie, "POST", "/v1/webhook-receivers", &receiver);
    assert_eq!(answer.status, 201, "{}", answer.text());
    (server.stopped(), cookie)
}

/// States and attempts of the receiver's deliveries, oldest first.
fn deliveries(server: &Server, cookie: &str) -> Vec<(String, Vec<String>)> {
    let page = ask(server, cookie, "GET", "/v1/alert-receivers/ops/deliveries", &Value::Null).json();
    let delivery = |item: &Value| {
        let attempts = item["attempts"]["webhook"].as_array().unwrap().iter();
        let results = attempts.map(|attempt| attempt["result"].as_str().unwrap().to_owned());
        (item["state"].as_str().unwrap().to_owned(), results.collect())
    };
    page["items"].as_array().unwrap().iter().map(delivery).collect()
}

/// Waits until this number of attempts is recorded.
fn wait_for_attempts(server: &Server, cookie: &str, count: usize) {
    let give_up = Instant::now() + TIMEOUT;
    loop {
        let found = deliveries(server, cookie);
        if found.iter().map(|(_, attempts)| attempts.len()).sum::<usize>() == count {
            return;
        }
        assert!(Instant::now() < give_up, "{found:?} {}", server.log());
        thread::yield_now();
    }
}

#[test]
fn deliveries_complete_despite_receiver_faults_and_kills() {
    let hook = Hook::new();
    let (folder, cookie) = stopped_server(&hook);
    raise(&folder, 1..=4);

    // The responses are an error, a redirect and a truncated one; the fourth request is pending while the server is
    // killed.
    let server = Server::start_in(folder, &ALLOW);
    for (number, answer) in [(1, BROKEN), (2, MOVED), (3, CUT)] {
        let received = hook.next();
        assert_eq!(received.number(), number, "in the order of the alerts");
        received.respond(answer);
    }
    let hanging = hook.next();
    assert_eq!(hanging.number(), 4);
    wait_for_attempts(&server, &cookie, 3);
    let folder = server.killed();
    assert!(hook.is_quiet());
    drop(hanging);

    // The next server does not repeat the pending request until its time limit has passed.
    age(&folder, 60);
    let server = Server::start_in(folder, &ALLOW);
    for _ in 0..4 {
        let received = hook.next();
        let answer = match received.number() {
            1 | 4 => BROKEN,
            2 => FINE,
            3 => "",
            other => panic!("unexpected alert {other}"),
        };
        received.respond(answer);
    }
    wait_for_attempts(&server, &cookie, 7);
    let folder = server.killed();
    age(&folder, 300);

    let server = Server::start_in(folder, &ALLOW);
    for _ in 0..3 {
        let received = hook.next();
        let answer = if received.number() == 1 { BROKEN } else { FINE };
        received.respond(answer);
    }
    wait_for_attempts(&server, &cookie, 10);
    let results = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (http, unreachable) = ("failed_http_error", "failed_unreachable");
    let expected = [
        ("failed".to_owned(), results(&[http, http, http])),
        ("delivered".to_owned(), results(&[http, "succeeded"])),
        ("delivered".to_owned(), results(&[unreachable, unreachable, "succeeded"])),
        ("delivered".to_owned(), results(&[http, "succeeded"])),
    ];
    assert_eq!(deliveries(&server, &cookie), expected);
    let folder = server.killed();
    age(&folder, 100_000);
    raise(&folder, 5..=5);
    let server = Server::start_in(folder, &ALLOW);
    let received = hook.next();
    assert_eq!(received.number(), 5, "no other delivery is due");
    received.respond(FINE);
    wait_for_attempts(&server, &cookie, 11);
    assert!(hook.is_quiet());
}

#[test]
fn a_probe_of_the_real_program() {
    let hook = Hook::new();
    let (folder, cookie) = stopped_server(&hook);
    // A receiver that is not allowed is not contacted, and the test probe reports that.
    let server = Server::start_in(folder, &[]);
    let probe = ask(&server, &cookie, "POST", "/v1/alert-receivers/ops/probe", &json!({}));
    assert_eq!(probe.status, 200, "{}", probe.text());
    assert_eq!(probe.json()["probe"]["attempts"]["webhook"][0]["result"], "failed_unreachable");
    assert!(hook.is_quiet());
    let server = Server::start_in(server.stopped(), &ALLOW);
    let response = thread::scope(|scope| {
        let response =
            scope.spawn(|| ask(&server, &cookie, "POST", "/v1/alert-receivers/ops/probe", &json!({})));
        let received = hook.next();
        assert_eq!(received.header("x-croft-alert-class"), "probe");
        received.respond(FINE);
        response.join().unwrap()
    });
    assert_eq!((response.status, &response.json()["probe"]["state"]), (200, &json!("delivered")));
}
