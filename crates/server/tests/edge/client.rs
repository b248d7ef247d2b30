//! The client on the command line, against a server.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Server, croft, text};

/// Somebody with a folder of profiles.
struct Person {
    folder: TempDir,
    server: Server,
}

impl Person {
    /// The administrator, signed in by a token.
    fn signed_in() -> Self {
        let person = Self { folder: tempfile::tempdir().unwrap(), server: Server::start(&[]) };
        let token = crate::program::run(&["admin", "token", "--data-dir", text(&person.server.data())]);
        let mut child = person.command(&["login", &person.url(), "--token-stdin"]);
        let mut child = child.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&token.stdout).unwrap();
        assert!(child.wait().unwrap().success());
        person.done(&["project", "create", "--name", "web", "--description", "Shop"]);
        person.done(&["profile", "set", "project", "web"]);
        person
    }

    fn url(&self) -> String {
        format!("http://{}", self.server.address())
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = croft(words);
        command.env("CROFT_CONFIG_FOLDER", self.folder.path());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// Runs a command that must succeed, and returns what it prints.
    fn done(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that must fail with this code, and returns the message.
    fn refused(&self, code: i32, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.done(&[words, &["--output", "json"]].concat())).unwrap()
    }

    /// Creates a disk and returns its view.
    fn disk(&self, name: &str) -> Value {
        let named = ["disk", "create", "--name", name, "--description", "", "--size", "1GiB", "--wait"];
        self.json(&[&named[..], &["--disk-source", r#"{"type":"blank","block_size":512}"#]].concat())
    }
}

#[test]
fn a_code_is_confirmed_to_sign_in_and_the_token_ends_with_the_sign_out() {
    let person = Person { folder: tempfile::tempdir().unwrap(), server: Server::start(&[]) };
    let said = person.refused(3, &["project", "list"]);
    assert!(said.contains("croft login"), "{said}");

    let cookie = person.server.sign_in(&person.server.password());
    let mut child = person.command(&["login", &person.url(), "--profile", "lab"]).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut code = None;
    let mut rest = Vec::new();
    for line in lines {
        if let Some(found) = line.strip_prefix("and enter the code ") {
            let body = json!({ "user_code": found });
            let confirmed =
                person.server.request("POST", "/device/confirm").header("cookie", &cookie).body(&body).send();
            assert_eq!(confirmed.status, 204, "{confirmed:?}");
            code = Some(found.to_owned());
        }
        rest.push(line);
    }
    assert!(child.wait().unwrap().success() && code.is_some(), "{rest:?}");
    assert!(rest.last().unwrap().ends_with("as admin of silo croft; profile lab."), "{rest:?}");

    let profiles = person.json(&["profile", "list"]);
    assert_eq!((&profiles[0]["name"], &profiles[0]["signed_in"]), (&json!("lab"), &json!(true)));
    assert_eq!(person.json(&["current-user", "access-token", "list"]).as_array().unwrap().len(), 1);
    // The token of a profile is not sent to another server.
    let said = person.refused(
        3,
        &["project", "list", "--server", &format!("{}/", person.url().replace("127.0.0.1", "localhost"))],
    );
    assert!(said.contains("credentials"), "{said}");

    person.done(&["logout"]);
    let tokens = person.server.request("GET", "/v1/me/access-tokens").header("cookie", &cookie).send();
    assert_eq!(tokens.json()["items"], json!([]));
    person.refused(3, &["project", "list"]);
}

#[test]
fn resources_are_created_waited_for_listed_and_deleted() {
    let person = Person::signed_in();
    assert_eq!(person.disk("data")["state"]["state"], "detached");
    person.disk("logs");
    let table = person.done(&["disk", "list", "--columns", "name,size,state.state"]);
    assert_eq!(table, "NAME  SIZE   STATE.STATE\ndata  1 GiB  detached\nlogs  1 GiB  detached\n");
    assert_eq!(person.done(&["disk", "list", "-o", "csv", "--columns", "name"]), "name\ndata\nlogs\n");
    assert_eq!(person.json(&["disk", "list", "--limit", "1"]).as_array().unwrap().len(), 1);
    assert!(person.done(&["disk", "view", "data"]).contains("size           1 GiB\n"));

    let said = person.refused(4, &["disk", "view", "missing"]);
    assert!(said.contains("not found") && said.contains("ObjectNotFound"), "{said}");
    assert!(person.refused(2, &["disk", "delete", "data"]).contains("--yes"));
    assert_eq!(person.done(&["disk", "delete", "data", "--yes", "--wait"]), "");
    person.refused(4, &["disk", "view", "data"]);

    let made = person.json(&["api", "/v1/projects"]);
    assert_eq!(made["items"][0]["name"], "web");
    assert!(
        person.refused(5, &["project", "list", "--server", "http://127.0.0.1:1"]).contains("cannot reach")
    );
    assert!(person.refused(2, &["project", "list", "--server", "cloud"]).contains("not the address"));
}

#[test]
fn an_interrupted_import_goes_on_where_it_stopped() {
    let person = Person::signed_in();
    let file = person.folder.path().join("disk.raw");
    let mut content = vec![7; 48 << 20];
    content[1 << 20..2 << 20].fill(0);
    fs::write(&file, &content).unwrap();
    let words =
        ["disk", "import", text(&file), "--disk", "debian", "--snapshot", "debian", "--image", "debian"];
    let words = [&words[..], &["--image-os", "Debian", "--image-version", "12"]].concat();

    let mut child = person.command(&words).spawn().unwrap();
    let progress = person.folder.path().join("imports");
    let done = || {
        let mut notes = fs::read_dir(&progress).ok()?.filter_map(|entry| fs::read(entry.ok()?.path()).ok());
        notes.find_map(|note| serde_json::from_slice::<Value>(&note).ok()?["done"].as_u64())
    };
    while done().is_none() {
        assert!(child.try_wait().unwrap().is_none(), "the import ended before it was noted");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(done().unwrap() < content.len() as u64, "it was interrupted");

    // Another file is not the one whose beginning was sent.
    let other = person.folder.path().join("other.raw");
    fs::write(&other, vec![8; 48 << 20]).unwrap();
    let said = person.refused(2, &["disk", "import", text(&other), "--disk", "debian"]);
    assert!(said.contains("did not begin with this file"), "{said}");

    person.done(&words);
    let image = person.json(&["image", "view", "debian"]);
    assert_eq!((&image["os"], &image["size"]), (&json!("Debian"), &json!(1 << 30)));
    assert_eq!(fs::read_dir(&progress).unwrap().count(), 0);
}

#[test]
fn the_serial_console_is_followed_until_the_escape() {
    let person = Person::signed_in();
    let named = ["instance", "create", "--name", "db", "--description", "", "--hostname", "db"];
    let sized = ["--ncpus", "1", "--memory", "1GiB", "--wait"];
    let disk = r#"{"type":"create","name":"boot","description":"","size":1073741824,"disk_source":{"type":"blank","block_size":512}}"#;
    person.done(
        &[&named[..], &sized, &["--boot-disk", disk, "--network-interfaces", r#"{"type":"none"}"#]].concat(),
    );

    let mut child =
        person.command(&["instance", "serial", "console", "db"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut first = [0; 16];
    screen.read_exact(&mut first).unwrap();
    keys.write_all(b"\x1d").unwrap();
    assert!(child.wait().unwrap().success());

    let said = person.refused(1, &["instance", "serial", "console", "missing"]);
    assert!(said.contains("not found"), "{said}");
}

#[test]
fn completions_and_manual_pages_have_the_commands() {
    let person = Person { folder: tempfile::tempdir().unwrap(), server: Server::start(&[]) };
    assert!(person.done(&["completions", "bash"]).contains("floating-ip"));
    let pages = person.folder.path().join("man");
    person.done(&["man", text(&pages)]);
    assert!(fs::read_to_string(pages.join("croft-vpc-subnet-create.1")).unwrap().contains("ipv4\\-block"));
    let help = person.done(&["instance", "--help"]);
    assert!(help.contains("Create an instance"), "{help}");
}
