//! A server process, and an HTTP client without TLS.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

const TIMEOUT: Duration = Duration::from_secs(30);

/// The password that administrators choose at the first sign-in.
pub const CHOSEN: &str = "four words of mine";

/// The program with these arguments.
pub fn croft(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croft"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program and waits for its end.
pub fn run(words: &[&str]) -> Output {
    croft(words).output().unwrap()
}

/// A running server, which is killed when dropped.
pub struct Server {
    folder: TempDir,
    child: Child,
    address: String,
    tls: Option<String>,
    password: Option<String>,
}

impl Server {
    pub fn start(words: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), words)
    }

    pub fn start_in(folder: TempDir, words: &[&str]) -> Self {
        Self::start_with(folder, words, &[])
    }

    /// Starts a server with paths in environment variables.
    pub fn start_with(folder: TempDir, words: &[&str], environment: &[(&str, &Path)]) -> Self {
        let ready = folder.path().join("ready");
        if ready.exists() {
            fs::remove_file(&ready).unwrap();
        }
        let mut command = croft(&["serve", "--listen", "127.0.0.1:0"]);
        if !words.contains(&"--hypervisor") {
            command.args(["--hypervisor", "simulated"]);
        }
        command.args(words).arg("--data-dir").arg(folder.path().join("data")).arg("--ready-file").arg(&ready);
        command.envs(environment.iter().copied());
        for (stream, name) in [(0, "out"), (1, "log")] {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            if stream == 0 {
                command.stdout(file)
            } else {
                command.stderr(file)
            };
        }
        let mut child = command.spawn().unwrap();
        let give_up = Instant::now() + TIMEOUT;
        while !ready.exists() {
            if let Some(status) = child.try_wait().unwrap() {
                panic!("{status}: {}", fs::read_to_string(folder.path().join("log")).unwrap());
            }
            assert!(Instant::now() < give_up, "the server did not become ready");
            std::thread::yield_now();
        }
        let urls = fs::read_to_string(&ready).unwrap();
        let after = |scheme: &str| urls.lines().find_map(|url| url.strip_prefix(scheme)).map(str::to_owned);
        let (address, tls) = (after("http://").unwrap(), after("https://"));
        let password = fs::read_to_string(folder.path().join("data").join("initial-password")).ok();
        Self { folder, child, address, tls, password }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// The address for TLS connections.
    pub fn tls_address(&self) -> &str {
        self.tls.as_deref().expect("a server with --tls-listen")
    }

    pub fn printed(&self) -> String {
        fs::read_to_string(self.folder.path().join("out")).unwrap()
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// The initial password, from the file that the first start writes.
    pub fn password(&self) -> String {
        self.password.as_deref().expect("the administrator has not signed in yet").trim().to_owned()
    }

    /// The anonymous memory of the process, in KiB.
    #[cfg(target_os = "linux")]
    pub fn own_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Sends SIGTERM to the server.
    pub fn terminate(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }

    /// Stops the server. Returns its folder.
    pub fn stopped(self) -> TempDir {
        self.terminate();
        self.ended_with(0)
    }

    /// Kills the server. Returns its folder.
    pub fn killed(mut self) -> TempDir {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }

    /// Waits until the server exits with this code. Returns its folder.
    pub fn ended_with(mut self, code: i32) -> TempDir {
        let give_up = Instant::now() + TIMEOUT;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < give_up, "the server did not end");
            std::thread::yield_now();
        };
        assert_eq!(status.code(), Some(code), "{}", self.log());
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }

    pub fn request(&self, method: &str, uri: &str) -> Request<'_> {
        Request {
            server: self,
            method: method.into(),
            uri: uri.into(),
            headers: Vec::new(),
            body: String::new(),
        }
    }

    pub fn get(&self, uri: &str) -> Answer {
        self.request("GET", uri).send()
    }

    /// Signs in and returns the cookie. Changes an initial password to [`CHOSEN`].
    pub fn sign_in(&self, password: &str) -> String {
        let body = json!({ "username": "admin", "password": password });
        let answer = self.request("POST", "/v1/login/croft/local").body(&body).send();
        assert_eq!(answer.status, 204, "{answer:?}");
        let cookie = answer.headers["set-cookie"].split(';').next().unwrap().to_owned();
        let account =
            self.request("GET", "/experimental/v1/me/account").header("cookie", &cookie).send().json();
        if account["pending_step"] == "choose_password" {
            let body = json!({ "current_password": password, "new_password": CHOSEN });
            let change = self.request("POST", "/experimental/v1/me/password").header("cookie", &cookie);
            assert_eq!(change.body(&body).send().status, 204);
        }
        cookie
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A request under construction.
pub struct Request<'a> {
    server: &'a Server,
    method: String,
    uri: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Request<'_> {
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    #[must_use]
    pub fn body(mut self, body: &Value) -> Self {
        self.body = body.to_string();
        self
    }

    #[must_use]
    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        let body = query(fields);
        Self { body, ..self.header("content-type", "application/x-www-form-urlencoded") }
    }

    /// The request in wire format.
    pub fn text(&self) -> String {
        let headers: Vec<_> =
            self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let headers = headers.concat();
        let host = self.headers.iter().find(|(name, _)| name == "host");
        let host = host.map_or_else(|| format!("host: {}\r\n", self.server.address), |_| String::new());
        format!(
            "{} {} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: {}\r\n{headers}\r\n{}",
            self.method,
            self.uri,
            self.body.len(),
            self.body
        )
    }

    pub fn send(self) -> Answer {
        let mut stream = TcpStream::connect(&self.server.address).unwrap();
        stream.write_all(self.text().as_bytes()).unwrap();
        Answer::read(&mut stream)
    }
}

/// A complete response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads a response until the server closes the connection.
    pub fn read(stream: &mut TcpStream) -> Self {
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        Self::read_from(stream)
    }

    /// Reads a response until the end of the input.
    pub fn read_from(stream: &mut impl std::io::Read) -> Self {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a complete head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = BTreeMap::new();
        for (name, value) in lines.map(|line| line.split_once(": ").unwrap()) {
            // Of several cookies, keep the first, which is the session's.
            headers.entry(name.to_owned()).or_insert_with(|| value.to_owned());
        }
        Self { status, headers, body: bytes[end + 4..].to_vec() }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A path as text, for a command line.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Encodes fields as a form or query.
pub fn query(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| {
        percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
    };
    let fields: Vec<_> =
        fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    fields.join("&")
}
