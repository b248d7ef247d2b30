//! `croft doctor`: what it finds, and that it leaves everything as it is.

use std::{fs, net::TcpListener, process::Output};

use serde_json::Value;

use crate::program::{Server, croft, run, text};

fn report(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn of<'a>(report: &'a Value, check: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|found| found["check"] == check).unwrap_or_else(|| panic!("no {check}: {report}"))
}

#[test]
fn a_new_host_is_checked_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let output = run(&["doctor", "--json", "--listen", "127.0.0.1:0", "--data-dir", text(&data)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = report(&output);
    assert_eq!((&report["can_start"], &report["version"]), (&true.into(), &env!("CARGO_PKG_VERSION").into()));
    for check in ["user", "qemu-system-x86_64", "nft", "machines", "guest-networks", "disk-space", "clock"] {
        assert!(!of(&report, check)["text"].as_str().unwrap().is_empty());
    }
    for check in ["data-directory", "database", "secret-key"] {
        let found = of(&report, check);
        assert!(found["level"] == "ok" && found["text"].as_str().unwrap().contains("first start"), "{found}");
    }
    for found in report["checks"].as_array().unwrap() {
        assert_eq!(found["mend"].is_string(), found["level"] != "ok", "{found}");
    }
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "something was created");
}

#[test]
fn a_running_server_is_no_problem() {
    let server = Server::start(&["--tls-listen", "127.0.0.1:0"]);
    let words = ["--json", "--listen", server.address(), "--tls-listen", server.tls_address()];
    let mut doctor = croft(&["doctor"]);
    let output = doctor.args(words).arg("--data-dir").arg(server.data()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found = report(&output);
    assert!(of(&found, "server")["text"].as_str().unwrap().starts_with("process "), "{found}");
    assert!(of(&found, "address")["text"].as_str().unwrap().contains("while the server runs"), "{found}");
    assert!(of(&found, "database")["text"].as_str().unwrap().contains("as this program has it"), "{found}");
    assert!(of(&found, "machines")["text"].as_str().unwrap().contains("as before in this data directory"));
    assert_eq!(of(&found, "certificate")["level"], "warning");
    assert!(!found.to_string().contains(&server.password()), "a secret is shown");
    // The server did not notice.
    assert_eq!(server.get("/v1/ping").status, 200);
}

#[test]
fn what_prevents_the_start_is_told_with_what_to_do() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("croft.db"), "this is no database ".repeat(100)).unwrap();
    let words =
        ["doctor", "--hypervisor", "simulated", "--listen", &address, "--data-dir", text(folder.path())];
    let output = run(&words);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let problems: Vec<&str> = said.lines().filter(|line| line.starts_with("problem")).collect();
    assert_eq!(problems.len(), 2, "{said}");
    assert!(problems[0].contains("the file is not a SQLite database"), "{said}");
    assert!(problems[1].contains(&format!("cannot listen on {address}")), "{said}");
    assert!(said.contains("mend: another program uses this port"), "{said}");
    assert!(said.contains("The server cannot start: 2 problems"), "{said}");
    assert!(!said.contains('\x1b'), "no colors where nobody sees them");
}

#[test]
fn a_wrong_configuration_is_a_problem() {
    let output = run(&["doctor", "--json", "--workers", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let report = report(&output);
    assert_eq!(report["can_start"], false);
    assert!(of(&report, "options")["text"].as_str().unwrap().contains("workers must be from 1 to 64"));
}

#[test]
fn the_printed_configuration_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let (file, data) = (folder.path().join("croft.toml"), folder.path().join("data"));
    let printed = run(&["config", "--data-dir", text(&data)]);
    fs::write(&file, printed.stdout).unwrap();
    let output = run(&[
        "doctor",
        "--json",
        "--hypervisor",
        "simulated",
        "--listen",
        "127.0.0.1:0",
        "--config",
        text(&file),
    ]);
    let report = report(&output);
    assert!(of(&report, "data-directory")["text"].as_str().unwrap().starts_with(text(&data)), "{report}");
}
