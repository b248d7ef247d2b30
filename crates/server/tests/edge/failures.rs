use std::{fs, net::TcpListener, process::Output};

use crate::program::{Server, run, text};

/// Checks that the program exited with this code and printed one line with the reason and one with a hint.
fn assert_exited(output: &Output, code: i32, expected_reason: &str, expected_hint: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    let error = stderr.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default();
    assert!(error.contains(expected_reason), "{stderr}");
    let hint = stderr.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap_or_default();
    assert!(hint.contains(expected_hint), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn the_data_directory_is_in_use() {
    let server = Server::start(&[]);
    let output = run(&["serve", "--listen", "127.0.0.1:0", "--data-dir", text(&server.data())]);
    assert_exited(&output, 3, "another Croft server (process ", "--data-dir");
}

#[test]
fn the_port_is_in_use() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["serve", "--listen", &address, "--data-dir", text(folder.path())]);
    assert_exited(&output, 5, &format!("cannot listen on {address}"), "--listen");
    assert!(output.stdout.is_empty(), "no password is printed if the server does not start");
    // Nor was an administrator created: the next start is the first.
    let first = Server::start_in(folder, &[]);
    first.sign_in(&first.password());
}

#[test]
fn the_data_directory_cannot_be_used() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let inside = file.path().join("data");
    for path in [file.path(), &inside] {
        let output = run(&["serve", "--listen", "127.0.0.1:0", "--data-dir", text(path)]);
        assert_exited(&output, 3, "cannot create the data directory", "--data-dir");
    }
}

#[test]
fn the_database_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("croft.db");
    fs::write(&database, "this is no database ".repeat(1000)).unwrap();
    let before = fs::read(&database).unwrap();
    let output = run(&["serve", "--listen", "127.0.0.1:0", "--data-dir", text(folder.path())]);
    assert_exited(&output, 4, "the database cannot be used", "restore a backup");
    assert_eq!(fs::read(&database).unwrap(), before);
}

#[test]
fn unreachable_postgresql_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(folder.path()), "--database-url"];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgresql://croft:secret-word@{}/croft", listener.local_addr().unwrap());
    drop(listener);
    let output = run(&[&common[..], &[&url]].concat());
    assert_exited(&output, 4, "the database is unavailable", "can be reached");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("secret-word"));
    let output = run(&[&common[..], &["mysql://somewhere"]].concat());
    assert_exited(&output, 2, "not a PostgreSQL URL", "postgresql://");
}

#[test]
fn missing_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(folder.path())];
    let with = |words: &[&str]| run(&[&common[..], words].concat());
    assert_exited(&with(&["--workers", "0"]), 2, "workers must be from 1 to 64, not 0", "--help");
    assert_exited(
        &with(&["--config", "/nonexistent"]),
        2,
        "cannot read the configuration /nonexistent",
        "--help",
    );
    assert_exited(&with(&["--log-level", "croft=loud"]), 2, "log-level", "error, warn, info");
    assert_eq!(with(&["--listen", "somewhere"]).status.code(), Some(2));
    assert_eq!(with(&["--colour", "red"]).status.code(), Some(2));
}

#[test]
fn change_of_hypervisor_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(folder.path()), "--hypervisor"];
    std::fs::write(folder.path().join("hypervisor"), "simulated\n").unwrap();
    let output = run(&[&common[..], &["qemu"]].concat());
    assert_exited(
        &output,
        2,
        "belong to the hypervisor \"simulated\"",
        "use --hypervisor simulated, or another",
    );
    std::fs::write(folder.path().join("hypervisor"), "qemu\n").unwrap();
    let output = run(&[&common[..], &["simulated"]].concat());
    assert_exited(&output, 2, "belong to the hypervisor \"qemu\"", "use --hypervisor qemu, or another");
}
