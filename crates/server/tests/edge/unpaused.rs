//! Clients that do not pause between requests, with real files: a request that follows a creation waits until the
//! resource is ready.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use serde_json::{Value, json};

use crate::program::{Answer, Server, run, text};

const GIB: u64 = 1 << 30;
/// The number of concurrent clients. Each needs a few gigabytes of allocated storage on the host.
const CLIENTS: usize = 2;
/// How often each client repeats the sequence.
const TURNS: usize = 3;

/// Kills the machines of a data directory when dropped, because they survive their server.
struct Machines(PathBuf);

impl Drop for Machines {
    fn drop(&mut self) {
        for entry in fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok) {
            let runs_in = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
            if runs_in.starts_with(&self.0) {
                let _ = Command::new("kill").arg("-9").arg(entry.file_name()).status();
            }
        }
    }
}

/// Whether QEMU is installed. Without it the test is skipped.
fn has_qemu() -> bool {
    let folders = ["/usr/bin", "/usr/local/bin", "/bin"];
    let found = folders.iter().any(|folder| Path::new(folder).join("qemu-system-x86_64").is_file());
    assert!(found || env::var_os("CROFT_REQUIRE_QEMU").is_none(), "QEMU is not installed");
    found
}

/// A client with its own resource names.
struct Client<'a> {
    server: &'a Server,
    authorization: &'a str,
    name: String,
}

impl Client<'_> {
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        // An object named by its ID needs no project.
        let is_id = path.split('/').nth(3).is_some_and(|name| name.parse::<croft_api::Uuid>().is_ok());
        let project = if is_id { "" } else { "?project=web" };
        let request = self
            .server
            .request(method, &format!("{path}{project}"))
            .header("authorization", self.authorization);
        match body {
            Some(body) => request.header("content-type", "application/json").body(body),
            None => request,
        }
        .send()
    }

    /// Sends a request that must succeed. Checks the state in the response and returns the body.
    fn done(&self, method: &str, path: &str, body: &Value, state: &str) -> Value {
        let answer = self.ask(method, path, Some(body).filter(|body| !body.is_null()));
        assert!((200..300).contains(&answer.status), "{method} {path}: {answer:?} {}", answer.text());
        if state.is_empty() {
            return if answer.body.is_empty() { Value::Null } else { answer.json() };
        }
        let body = answer.json();
        let found = body["state"]["state"].as_str().or_else(|| body["state"].as_str());
        assert_eq!(found, Some(state), "{method} {path}: {body}");
        body
    }

    fn id(&self, kind: &str, body: Value, state: &str) -> String {
        self.done("POST", &format!("/v1/{kind}"), &body, state)["id"].as_str().unwrap().to_owned()
    }

    fn disk(&self, source: &Value, state: &str) -> String {
        let name = &self.name;
        self.id(
            "disks",
            json!({ "name": name, "description": "", "size": GIB, "disk_source": source }),
            state,
        )
    }

    fn blank(&self) -> String {
        self.disk(&json!({ "type": "blank", "block_size": 512 }), "detached")
    }

    fn snapshot(&self, disk: &str) -> String {
        self.id("snapshots", json!({ "name": self.name, "description": "", "disk": disk }), "ready")
    }

    fn image(&self, snapshot: &str) -> String {
        let source = json!({ "type": "snapshot", "id": snapshot });
        let body =
            json!({ "name": self.name, "description": "", "os": "none", "version": "1", "source": source });
        self.id("images", body, "")
    }

    fn delete(&self, kind: &str, id: &str) {
        let answer = self.ask("DELETE", &format!("/v1/{kind}/{id}"), None);
        assert_eq!(answer.status, 204, "DELETE {kind}: {}", answer.text());
    }

    fn import(&self) {
        let disk = self.disk(&json!({ "type": "importing_blocks", "block_size": 512 }), "import_ready");
        let step =
            |step: &str, body: &Value| self.done("POST", &format!("/v1/disks/{disk}/{step}"), body, "");
        step("bulk-write-start", &json!({}));
        step("bulk-write", &json!({ "offset": 512, "base64_encoded_data": "A".repeat(683) + "=" }));
        step("bulk-write-stop", &json!({}));
        step("finalize", &json!({ "snapshot_name": self.name }));
        self.done("GET", &format!("/v1/disks/{disk}"), &Value::Null, "detached");
        self.delete("disks", &disk);
        self.delete("snapshots", &self.name);
    }

    /// All operations on storage, each immediately after the one that it depends on.
    fn storage(&self) {
        self.delete("disks", &self.blank());
        self.import();

        let disk = self.blank();
        self.delete("snapshots", &self.snapshot(&disk));
        self.delete("disks", &disk);

        let disk = self.blank();
        let snapshot = self.snapshot(&disk);
        self.delete("disks", &disk);
        let image = self.image(&snapshot);
        self.delete("snapshots", &snapshot);
        let disk = self.disk(&json!({ "type": "image", "image_id": image }), "detached");
        self.delete("images", &image);
        let of_disk = json!({ "disk": disk });
        self.done("POST", "/v1/instances/idle/disks/attach", &of_disk, "attached");
        self.done("POST", "/v1/instances/idle/disks/detach", &of_disk, "detached");
        self.delete("disks", &disk);
    }

    /// Starts an instance from a new image, and immediately takes a snapshot of its disk.
    fn machine(&self) {
        let disk = self.blank();
        let image = self.image(&self.snapshot(&disk));
        self.delete("disks", &disk);
        let boot = self.disk(&json!({ "type": "image", "image_id": image }), "detached");
        let body = json!({
            "name": self.name, "description": "", "hostname": "db", "ncpus": 1, "memory": GIB,
            "network_interfaces": { "type": "none" }, "boot_disk": { "type": "attach", "name": self.name },
        });
        self.id("instances", body, "");
        let next = Self { name: format!("{}-next", self.name), ..*self };
        let snapshot = next.snapshot(&boot);
        let copy = next.disk(&json!({ "type": "snapshot", "snapshot_id": snapshot }), "detached");
        self.delete("snapshots", &snapshot);
        self.delete("disks", &copy);
    }
}

#[test]
fn requests_wait_for_resources_under_construction_on_a_real_host() {
    if !has_qemu() {
        return eprintln!("skipped: QEMU is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let _machines = Machines(folder.path().join("data/qemu/machines"));
    let words = ["--hypervisor", "qemu", "--acceleration", "tcg", "--guest-network", "isolated"];
    let server = Server::start_in(folder, &words);
    let token = run(&["admin", "token", "--data-dir", text(&server.data())]);
    let authorization = format!("Bearer {}", String::from_utf8(token.stdout).unwrap().trim());
    let client = |name: String| Client { server: &server, authorization: &authorization, name };
    let first = client("first".to_owned());
    first.done("POST", "/v1/projects", &json!({ "name": "web", "description": "" }), "");
    let idle = json!({
        "name": "idle", "description": "", "hostname": "idle", "ncpus": 1, "memory": GIB, "start": false,
        "network_interfaces": { "type": "none" },
    });
    first.id("instances", idle, "");
    thread::scope(|scope| {
        for number in 0..CLIENTS {
            let client = &client;
            scope.spawn(move || {
                for turn in 0..TURNS {
                    client(format!("c{number}-{turn}")).storage();
                }
            });
        }
    });
    client("db".to_owned()).machine();
}
