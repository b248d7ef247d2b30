//! Deliveries of alerts by the real program, to a receiver that misbehaves.

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

/// A request that arrived, and the way back.
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

    fn say(mut self, text: &str) {
        // Whoever asked may be gone.
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

/// A receiver whose answers the test gives.
struct Hook {
    address: SocketAddr,
    heard: Receiver<ReceivedRequest>,
}

impl Hook {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, heard) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if hear(stream.unwrap(), &tell).is_none() {
                    return;
                }
            }
        });
        Self { address, heard }
    }

    fn next(&self) -> ReceivedRequest {
        self.heard.recv_timeout(TIMEOUT).unwrap()
    }

    fn is_quiet(&self) -> bool {
        self.heard.try_recv().is_err()
    }
}

fn hear(stream: TcpStream, tell: &Sender<ReceivedRequest>) -> Option<()> {
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
    let heard = ReceivedRequest { headers, body, stream };
    heard.check_signature();
    tell.send(heard).ok()
}

const FINE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const BROKEN: &str = "HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n";
const MOVED: &str = "HTTP/1.1 302 Elsewhere\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n";
const CUT: &str = "HTTP/1.1 200 O";

const ALLOW: [&str; 2] = ["--webhook-allow", "127.0.0.0/8"];

/// Changes the database of a server that is not running.
fn change(folder: &TempDir, change: impl FnMut(&mut Tx<'_>) -> Result<(), StoreError> + Send + 'static) {
    let path = folder.path().join("data/croft.db");
    let database = Database::sqlite(&SqliteOptions::new(path), &schema::CROFT).unwrap();
    database.write_blocking(change).unwrap();
}

/// Raises alerts in the way that the server itself does: by rows of the database.
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

/// Lets time pass for what waits in the database of a server that is not running.
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

/// A server that has a receiver, and is not running.
fn prepared(hook: &Hook) -> (TempDir, String) {
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

/// State and attempts of the receiver's deliveries, the oldest first.
fn deliveries(server: &Server, cookie: &str) -> Vec<(String, Vec<String>)> {
    let page = ask(server, cookie, "GET", "/v1/alert-receivers/ops/deliveries", &Value::Null).json();
    let delivery = |item: &Value| {
        let attempts = item["attempts"]["webhook"].as_array().unwrap().iter();
        let results = attempts.map(|attempt| attempt["result"].as_str().unwrap().to_owned());
        (item["state"].as_str().unwrap().to_owned(), results.collect())
    };
    page["items"].as_array().unwrap().iter().map(delivery).collect()
}

/// Waits until that many attempts were recorded.
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
    let (folder, cookie) = prepared(&hook);
    raise(&folder, 1..=4);

    // The first is answered with an error, the second is sent elsewhere, the third is cut off; the fourth hangs while
    // the server is killed.
    let server = Server::start_in(folder, &ALLOW);
    for (number, answer) in [(1, BROKEN), (2, MOVED), (3, CUT)] {
        let heard = hook.next();
        assert_eq!(heard.number(), number, "in the order of the alerts");
        heard.say(answer);
    }
    let hanging = hook.next();
    assert_eq!(hanging.number(), 4);
    wait_for_attempts(&server, &cookie, 3);
    let folder = server.killed();
    assert!(hook.is_quiet());
    drop(hanging);

    // The next server leaves the request alone that may still be under way, until it cannot be any more.
    age(&folder, 60);
    let server = Server::start_in(folder, &ALLOW);
    for _ in 0..4 {
        let heard = hook.next();
        let answer = match heard.number() {
            1 | 4 => BROKEN,
            2 => FINE,
            3 => "",
            other => panic!("nobody raised {other}"),
        };
        heard.say(answer);
    }
    wait_for_attempts(&server, &cookie, 7);
    let folder = server.killed();
    age(&folder, 300);

    let server = Server::start_in(folder, &ALLOW);
    for _ in 0..3 {
        let heard = hook.next();
        let answer = if heard.number() == 1 { BROKEN } else { FINE };
        heard.say(answer);
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
    let heard = hook.next();
    assert_eq!(heard.number(), 5, "whatever had been due would have come before it");
    heard.say(FINE);
    wait_for_attempts(&server, &cookie, 11);
    assert!(hook.is_quiet());
}

#[test]
fn a_probe_of_the_real_program() {
    let hook = Hook::new();
    let (folder, cookie) = prepared(&hook);
    // What is not allowed is not contacted, and a probe says so.
    let server = Server::start_in(folder, &[]);
    let probe = ask(&server, &cookie, "POST", "/v1/alert-receivers/ops/probe", &json!({}));
    assert_eq!(probe.status, 200, "{}", probe.text());
    assert_eq!(probe.json()["probe"]["attempts"]["webhook"][0]["result"], "failed_unreachable");
    assert!(hook.is_quiet());
    let server = Server::start_in(server.stopped(), &ALLOW);
    let asked = thread::scope(|scope| {
        let asked =
            scope.spawn(|| ask(&server, &cookie, "POST", "/v1/alert-receivers/ops/probe", &json!({})));
        let heard = hook.next();
        assert_eq!(heard.header("x-croft-alert-class"), "probe");
        heard.say(FINE);
        asked.join().unwrap()
    });
    assert_eq!((asked.status, &asked.json()["probe"]["state"]), (200, &json!("delivered")));
}
