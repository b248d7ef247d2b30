//! A real PostgreSQL server for the tests of the store and of the server.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use tempfile::TempDir;

/// A PostgreSQL server in a temporary folder, which is stopped when dropped.
pub struct PostgresServer {
    programs: PathBuf,
    directory: TempDir,
    port: u16,
    process: Child,
    databases: AtomicU32,
    /// Additional arguments of the server.
    arguments: Vec<String>,
}

impl PostgresServer {
    /// Starts a server. Returns `None` if PostgreSQL is not installed, or fails if `CROFT_REQUIRE_POSTGRES=1`.
    pub fn start() -> Option<Self> {
        let Some(programs) = installed_programs() else {
            #[expect(clippy::disallowed_methods, reason = "tests have no configuration of their own")]
            let required = std::env::var("CROFT_REQUIRE_POSTGRES").is_ok_and(|value| value == "1");
            assert!(!required, "CROFT_REQUIRE_POSTGRES=1, but no PostgreSQL server is installed");
            eprintln!("PostgreSQL is not installed: its tests WERE NOT RUN");
            return None;
        };
        let directory = TempDir::new().unwrap();
        if is_root() {
            // PostgreSQL refuses to run as root.
            let (user, group) = account("postgres").or_else(|| account("nobody")).unwrap();
            chown(directory.path(), Some(user), Some(group)).unwrap();
        }
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
        let data = directory.path().join("data");
        let output = command(&programs.join("initdb"))
            .args([
                "--no-sync",
                "--auth=trust",
                "--username=croft",
                "--encoding=UTF8",
                "--locale=C",
                "--pgdata",
            ])
            .arg(&data)
            .output()
            .unwrap();
        assert!(output.status.success(), "initdb failed: {}", String::from_utf8_lossy(&output.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = launch(&programs, directory.path(), port, &[]);
        let databases = AtomicU32::new(0);
        let server = Self { programs, directory, port, process, databases, arguments: Vec::new() };
        server.wait_until_ready();
        Some(server)
    }

    /// Creates an empty database. Returns its name.
    pub fn create_database(&self) -> String {
        let name = format!("croft_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.client("postgres").batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        name
    }

    /// Returns the content of a database as statements. They are the same for the same content.
    pub fn dump(&self, database: &str) -> String {
        let output = command(&self.programs.join("pg_dump"))
            .args(["--inserts", "--no-owner", "--no-privileges", "--no-comments", "--dbname"])
            .arg(self.uri(database))
            .output()
            .unwrap();
        assert!(output.status.success(), "pg_dump failed: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        // Remove comments with versions, client commands with random numbers, and settings of newer servers.
        let is_noise = |line: &&str| {
            line.is_empty()
                || ["--", "\\", "SET ", "SELECT pg_catalog.set_config("]
                    .iter()
                    .any(|start| line.starts_with(start))
        };
        text.lines().filter(|line| !is_noise(line)).flat_map(|line| [line, "\n"]).collect()
    }

    /// Closes all connections, as a restart or a network failure does.
    pub fn disconnect_all(&self) {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'croft'";
        self.client("postgres").batch_execute(sql).unwrap();
    }

    pub fn stop(&mut self) {
        let status = command(&self.programs.join("pg_ctl"))
            .args(["stop", "--wait", "--silent", "--mode=immediate", "--pgdata"])
            .arg(self.directory.path().join("data"))
            .status();
        if !status.is_ok_and(|status| status.success()) {
            drop(self.process.kill());
        }
        drop(self.process.wait());
    }

    pub fn start_again(&mut self) {
        self.process = launch(&self.programs, self.directory.path(), self.port, &self.arguments);
        self.wait_until_ready();
    }

    /// Restarts the server with TLS on loopback addresses. Returns the port.
    pub fn serve_tls(&mut self, certificate: &str, key: &str) -> u16 {
        let write = |name: &str, content: &str| {
            let path = self.directory.path().join(name);
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            if is_root() {
                let (user, group) = account("postgres").or_else(|| account("nobody")).unwrap();
                chown(&path, Some(user), Some(group)).unwrap();
            }
            path.display().to_string()
        };
        let (certificate, key) = (write("server.crt", certificate), write("server.key", key));
        self.arguments = [
            "listen_addresses=localhost".to_owned(),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={certificate}"),
            format!("ssl_key_file={key}"),
        ]
        .into_iter()
        .flat_map(|setting| ["-c".to_owned(), setting])
        .collect();
        self.stop();
        self.start_again();
        self.port
    }

    pub fn client(&self, database: &str) -> postgres::Client {
        postgres::Client::connect(&self.url(database).replace("application_name=croft ", ""), postgres::NoTls)
            .unwrap()
    }

    /// The URL of a database.
    pub fn uri(&self, database: &str) -> String {
        let folder = self.directory.path().display().to_string().replace('/', "%2F");
        format!("postgresql://croft@{folder}:{}/{database}", self.port)
    }

    /// The connection string of a database.
    pub fn url(&self, database: &str) -> String {
        format!(
            "host={} port={} user=croft application_name=croft dbname={database}",
            self.directory.path().display(),
            self.port
        )
    }

    fn wait_until_ready(&self) {
        let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
        while postgres::Client::connect(&self.url("postgres"), postgres::NoTls).is_err() {
            assert!(std::time::Instant::now() < deadline, "PostgreSQL did not start");
            std::thread::yield_now();
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn launch(programs: &Path, directory: &Path, port: u16, arguments: &[String]) -> Child {
    command(&programs.join("postgres"))
        .arg("-D")
        .arg(directory.join("data"))
        .arg("-k")
        .arg(directory)
        .args([
            "-p",
            &port.to_string(),
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
            "-c",
            "shared_buffers=16MB",
        ])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A command that runs as an unprivileged user. The server is killed when the thread that started it ends.
fn command(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let (user, group) = account("postgres").or_else(|| account("nobody")).unwrap();
    let mut command = Command::new("setpriv");
    command
        .args([format!("--reuid={user}"), format!("--regid={group}")])
        .args(["--clear-groups", "--pdeathsig=KILL", "--"])
        .arg(program)
        .current_dir("/");
    command
}

fn installed_programs() -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .filter(|(_, programs)| programs.join("initdb").exists() && programs.join("postgres").exists())
        .collect();
    found.sort();
    found.pop().map(|(_, programs)| programs)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

fn account(name: &str) -> Option<(u32, u32)> {
    let accounts = fs::read_to_string("/etc/passwd").ok()?;
    let line = accounts.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut numbers = line.split(':').skip(2).map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}
