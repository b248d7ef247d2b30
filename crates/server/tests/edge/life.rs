use std::{
    fs,
    io::Write as _,
    net::TcpStream,
    os::unix::{fs::PermissionsExt as _, net::UnixDatagram},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::program::{Answer, CHOSEN, Server, run};

#[test]
fn initial_password_file_exists_until_first_use() {
    let server = Server::start(&[]);
    let printed = server.printed();
    let file = server.data().join("initial-password");
    let place = format!("silo      croft\n    user      admin\n    password  is in {}\n", file.display());
    assert!(printed.contains(&place), "{printed}");
    let link = server.data().join("setup-link");
    assert!(printed.contains(&format!("    link      is in {}\n", link.display())), "{printed}");
    for file in [&file, &link] {
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let written = fs::read_to_string(&link).unwrap();
    let (page, filled_in) = written.trim().split_once('#').unwrap();
    assert_eq!(page, format!("http://{}/login/croft/local", server.address()));
    let password =
        percent_encoding::percent_decode_str(filled_in.strip_prefix("user=admin&password=").unwrap());
    assert_eq!(password.decode_utf8().unwrap(), server.password());
    assert!(printed.contains("Machines are simulated"), "{printed}");
    assert!(printed.ends_with(&format!("Croft is at http://{}\n", server.address())), "{printed}");
    let password = server.password();
    assert!(!printed.contains(&password) && !server.log().contains(&password));
    let cookie = server.sign_in(&password);
    let give_up = Instant::now() + Duration::from_secs(30);
    while file.exists() || link.exists() {
        assert!(Instant::now() < give_up, "the file is still there after the first sign-in");
        std::thread::yield_now();
    }
    let me = server.request("GET", "/v1/me").header("cookie", &cookie).send().json();
    assert_eq!(me["silo_name"], "croft");

    server.terminate();
    let folder = server.ended_with(0);
    let server = Server::start_in(folder, &[]);
    assert!(!server.printed().contains("password"), "{}", server.printed());
    let again = server.request("GET", "/v1/me").header("cookie", &cookie).send();
    assert_eq!(again.status, 200, "sessions survive a restart");
    server.sign_in(CHOSEN);
    let body = json!({ "username": "admin", "password": password });
    let printed = server.request("POST", "/v1/login/croft/local").body(&body).send();
    assert_eq!(printed.status, 401, "the printed password is valid for the first sign-in only");
}

#[test]
fn service_manager_is_notified_of_the_state() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let manager = UnixDatagram::bind(&socket).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let next_message = || {
        let mut message = [0; 64];
        let length = manager.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    };
    let server = Server::start_with(folder, &[], &[("NOTIFY_SOCKET", &socket)]);
    assert_eq!(next_message(), "READY=1\n");
    assert_eq!(server.get("/v1/ping").status, 200);
    server.terminate();
    assert_eq!(next_message(), "STOPPING=1\n");
    server.ended_with(0);
}

#[test]
fn a_request_under_way_is_finished() {
    let server = Server::start(&[]);
    let cookie = server.sign_in(&server.password());
    let body = json!({ "name": "web", "description": "" });
    let request = server.request("POST", "/v1/projects").header("cookie", &cookie).body(&body).text();
    let (begin, rest) = request.split_at(request.len() - 5);
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(begin.as_bytes()).unwrap();
    // A response on another connection shows that the server has accepted the first one.
    assert_eq!(server.get("/v1/ping").status, 200);
    server.terminate();
    while TcpStream::connect(server.address()).is_ok() {
        std::thread::yield_now();
    }
    stream.write_all(rest.as_bytes()).unwrap();
    assert_eq!(Answer::read(&mut stream).status, 201);
    server.ended_with(0);
}

#[test]
fn the_log_has_one_line_per_request_and_no_secrets() {
    let server = Server::start(&["--log-format", "json", "--log-level", "trace"]);
    let password = server.password();
    let cookie = server.sign_in(&password);
    let wrong = json!({ "username": "admin", "password": "a-wrong-guess" });
    assert_eq!(server.request("POST", "/v1/login/croft/local").body(&wrong).send().status, 401);
    let answer = server.request("GET", "/v1/me").header("cookie", &cookie).send();
    server.terminate();
    let folder = server.ended_with(0);
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids = lines.iter().filter(|line| line["request_id"] == answer.header("x-request-id"));
    let [line] = ids.collect::<Vec<_>>()[..] else { panic!("{log}") };
    assert_eq!((&line["operation"], &line["status"]), (&json!("current_user_view"), &json!(200)));
    assert_eq!(line["caller"], answer.json()["id"]);
    assert!(line["latency_us"].is_u64());
    let secret = cookie.strip_prefix("session=").unwrap();
    for secret in [&password, secret, "a-wrong-guess"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

#[test]
fn version_and_document() {
    let version = run(&["version"]);
    assert_eq!(version.stdout, format!("croft {}\n", env!("CARGO_PKG_VERSION")).into_bytes());
    let document: Value = serde_json::from_slice(&run(&["openapi"]).stdout).unwrap();
    assert_eq!(document["info"]["title"], "Croft API");
}

#[test]
fn configuration_from_a_file_and_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "0123456789abcdef\n").unwrap();
    let file = folder.path().join("croft.toml");
    let content = format!("metrics-token-file = {token:?}\nsession-absolute = 60\n");
    std::fs::write(&file, content).unwrap();
    let server = Server::start(&["--config", file.to_str().unwrap()]);
    let password = server.password();
    let body = json!({ "username": "admin", "password": password });
    let answer = server.request("POST", "/v1/login/croft/local").body(&body).send();
    assert!(answer.header("set-cookie").ends_with("; Max-Age=3600"), "{answer:?}");
    let metrics = server.request("GET", "/metrics").header("authorization", "Bearer 0123456789abcdef").send();
    assert_eq!(metrics.status, 200);
    assert_eq!(server.get("/metrics").status, 401);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_of_password_hashing_is_released() {
    let server = Server::start(&[]);
    server.sign_in(&server.password());
    let own = server.own_memory();
    // A debug build uses about 60 MiB at this point. A hash that is not released would add 64 MiB.
    assert!(own < 96 << 10, "{own} KiB; see .cargo/config.toml");
}

#[test]
fn server_files_are_readable_by_owner_only() {
    use std::os::unix::fs::MetadataExt as _;

    let server = Server::start(&["--audit-retention", "90d"]);
    server.sign_in(&server.password());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(server.data()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().mode() & 0o077, 0, "{}", entry.path().display());
        names.push(entry.file_name().into_string().unwrap());
    }
    for name in ["croft.db", "croft.db-wal", "croft.db-shm", "server.lock", "audit"] {
        assert!(names.iter().any(|found| found == name), "{name} is not among {names:?}");
    }
}
