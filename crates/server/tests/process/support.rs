//! A real server process for one test, and a client for it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use oxide::types::{
    BlockSize, ByteCount, DiskSource, InstanceCreate, InstanceDiskAttachment,
    InstanceNetworkInterfaceAttachment, InstanceState,
};
use oxide::{Client, ClientConfig, ClientInstancesExt, ClientProjectsExt};
use tempfile::TempDir;

/// Bytes in a gibibyte.
pub const GIB: u64 = 1 << 30;

/// A running server with its own data directory, which is killed when dropped.
pub struct Server {
    folder: TempDir,
    process: Child,
    url: String,
    token: String,
    database: Option<String>,
}

impl Server {
    /// Starts a server on an empty data directory.
    pub fn start() -> Self {
        Self::start_in(tempfile::tempdir().expect("a temporary folder"), None)
    }

    /// Starts a server on a PostgreSQL database.
    pub fn start_on(database: &str) -> Self {
        Self::start_in(tempfile::tempdir().expect("a temporary folder"), Some(database.to_owned()))
    }

    fn start_in(folder: TempDir, database: Option<String>) -> Self {
        let (process, url) = launch(folder.path(), database.as_deref());
        let token = token(folder.path(), database.as_deref());
        Self { folder, process, url, token, database }
    }

    /// The server's URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Starts a server on the same data, which must exit by itself.
    pub fn refused(&self) -> Output {
        serve(self.folder.path(), self.database.as_deref()).output().expect("the server runs")
    }

    /// Starts a second server on the same database and waits until it exits.
    pub fn refused_beside(&self) -> Output {
        serve(self.another_host().path(), self.database.as_deref()).output().expect("the server runs")
    }

    /// Looks at the database with `croft doctor`, from a host beside this one.
    pub fn examined_beside(&self) -> Output {
        let words = ["doctor", "--listen", "127.0.0.1:0", "--hypervisor", "simulated"];
        let host = self.another_host();
        croft(host.path(), self.database.as_deref(), &words).output().expect("croft doctor runs")
    }

    /// Starts another server on the same database.
    pub fn successor(&self) -> Self {
        Self::start_in(self.another_host(), self.database.clone())
    }

    /// A data directory of another host with the same key.
    fn another_host(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("data")).expect("a data directory");
        let key = Path::new("data").join("secret.key");
        std::fs::copy(self.folder.path().join(&key), folder.path().join(&key)).expect("the key is copied");
        folder
    }

    /// Waits until the process exits by itself. Returns its exit code and standard error.
    pub fn ended(&mut self) -> (Option<i32>, String) {
        let status = self.process.wait().expect("the server ends");
        (status.code(), std::fs::read_to_string(log(self.folder.path())).expect("the log"))
    }

    /// A client with an access token of the administrator.
    pub fn client(&self) -> Client {
        let config = ClientConfig::default().with_host_and_token(&self.url, &self.token);
        Client::new_authenticated_config(&config).expect("a client")
    }

    /// The data directory.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Kills the process without a chance to clean up, as a power failure does.
    pub fn kill(&mut self) {
        self.process.kill().expect("the server is running");
        self.process.wait().expect("the server has ended");
    }

    /// Starts the server again on the same data.
    pub fn restart(&mut self) {
        (self.process, self.url) = launch(self.folder.path(), self.database.as_deref());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn croft(folder: &Path, database: Option<&str>, words: &[&str]) -> Command {
    let mut croft = Command::new(env!("CARGO_BIN_EXE_croft"));
    croft.args(words).arg("--data-dir").arg(folder.join("data")).stdin(Stdio::null());
    if let Some(database) = database {
        croft.env("CROFT_DATABASE_URL", database);
    }
    croft
}

fn serve(folder: &Path, database: Option<&str>) -> Command {
    let mut serve = croft(folder, database, &["serve", "--listen", "127.0.0.1:0", "--log-level", "warn"]);
    serve.args(["--hypervisor", "simulated", "--simulated-speed", "100"]);
    serve
}

fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}

fn launch(folder: &Path, database: Option<&str>) -> (Child, String) {
    let ready = folder.join("ready");
    // A file of an earlier server would be mistaken for this one's.
    if ready.exists() {
        std::fs::remove_file(&ready).expect("the old ready file goes");
    }
    let errors = std::fs::File::create(log(folder)).expect("a file for the log");
    let mut process = serve(folder, database)
        .arg("--ready-file")
        .arg(&ready)
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .expect("the server starts");
    let give_up = Instant::now() + Duration::from_secs(30);
    loop {
        if let Ok(url) = std::fs::read_to_string(&ready)
            && url.ends_with('\n')
        {
            return (process, url.trim().to_owned());
        }
        if let Some(status) = process.try_wait().expect("the server's status") {
            let errors = std::fs::read_to_string(log(folder)).unwrap_or_default();
            panic!("the server ended at once: {status}: {errors}");
        }
        assert!(Instant::now() < give_up, "the server did not become ready");
        std::thread::yield_now();
    }
}

/// Creates a token on the server's host, as an operator does.
fn token(folder: &Path, database: Option<&str>) -> String {
    let output = croft(folder, database, &["admin", "token"]).output().expect("croft admin token runs");
    assert!(output.status.success(), "croft admin token: {}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");
    let token = printed.split_whitespace().find(|word| word.starts_with("croft-token-"));
    token.unwrap_or_else(|| panic!("no token in {printed:?}")).to_owned()
}

/// The source of an empty disk.
pub fn blank() -> DiskSource {
    DiskSource::Blank { block_size: BlockSize::try_from(512).expect("a block size") }
}

/// Creates a project.
pub async fn create_project(client: &Client, name: &str) {
    let create = client.project_create().body_map(|body| body.name(name).description(""));
    create.send().await.expect("project_create");
}

/// Creates and starts an instance with a boot disk in the project `web`.
pub async fn create_instance(client: &Client, name: &str) {
    let instance = InstanceCreate::builder()
        .name(name)
        .description("")
        .hostname(name)
        .ncpus(1)
        .memory(ByteCount(GIB))
        .network_interfaces(InstanceNetworkInterfaceAttachment::None)
        .boot_disk(InstanceDiskAttachment::Create {
            name: format!("{name}-boot").parse().expect("a disk name"),
            description: String::new(),
            size: ByteCount(GIB),
            disk_source: blank(),
        });
    client.instance_create().project("web").body(instance).send().await.expect("instance_create");
}

/// Waits until an instance of the project `web` is in this state.
pub async fn wait_for_state(client: &Client, instance: &str, wanted: InstanceState) {
    wait_until(&format!("the instance is {wanted}"), async || {
        let answer = client.instance_view().project("web").instance(instance).send().await;
        answer.expect("instance_view").run_state == wanted
    })
    .await;
}

/// Polls until `condition` holds.
pub async fn wait_until(what: &str, condition: impl AsyncFn() -> bool) {
    wait_within(Duration::from_secs(20), what, condition).await;
}

/// Polls until `condition` holds, at most for this time.
pub async fn wait_within(limit: Duration, what: &str, condition: impl AsyncFn() -> bool) {
    let mut again = tokio::time::interval(Duration::from_millis(20));
    let holds = async {
        while !condition().await {
            again.tick().await;
        }
    };
    tokio::time::timeout(limit, holds).await.unwrap_or_else(|_| panic!("never: {what}"));
}
