//! A cloud in memory for one test, and a client that sends it requests.

use std::{
    net::IpAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{
            AtomicU64,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::Duration,
};

use axum::body::Body;
use croft_api::{Error, Timestamp, Uuid, scalar::Password};
use croft_bundle::ArchiveFolder;
use croft_control::{
    Cx, Environment, Request as ControlRequest, SecretKey, Settings as Rules,
    alert::{WebhookAnswer, WebhookRequest, WebhookSender},
    bootstrap::{self, Bootstrap, PoolBootstrap},
    reconcile::Reconciler,
    telemetry::Collector,
};
use croft_http::{
    App, AppParts, Clock, Edge, MetadataSource, Passwords, Peer, Pending, Random, RuntimeTasks, Settings,
    Tasks,
};
use croft_sled::{
    Hypervisor as _,
    simulated::{Simulated, SimulatedOptions, Timing},
};
use croft_store::{Database, Tx, records::Quota, schema::CROFT, telemetry::Telemetry};
use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::repositories::TestRepositories;

pub const SILO: &str = "acme";
pub const USER: &str = "ada";
pub const PASSWORD: &str = "correct horse";

/// A clock that tests advance.
#[derive(Default)]
pub struct TestClock {
    microseconds: AtomicU64,
    moved: Notify,
}

impl TestClock {
    pub fn advance(&self, time: Duration) {
        self.microseconds.fetch_add(u64::try_from(time.as_micros()).unwrap(), SeqCst);
        self.moved.notify_waiters();
    }

    /// Resolves when the clock reaches this time.
    async fn reach(&self, time: Duration) {
        loop {
            let mut moved = pin!(self.moved.notified());
            moved.as_mut().enable();
            if self.monotonic() >= time {
                return;
            }
            moved.await;
        }
    }
}

/// Tasks that sleep on the test clock. Delays below a second, which only batch work, pass in real time.
struct TestTasks(Arc<TestClock>);

impl Tasks for TestTasks {
    fn spawn(&self, task: Pending<()>) {
        RuntimeTasks.spawn(task);
    }

    fn sleep(&self, time: Duration) -> Pending<()> {
        if time < Duration::from_secs(1) {
            return RuntimeTasks.sleep(time);
        }
        let (clock, end) = (Arc::clone(&self.0), self.0.monotonic() + time);
        Box::pin(async move { clock.reach(end).await })
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let start = Timestamp::from_second(1_790_000_000).unwrap();
        start.checked_add(self.monotonic()).unwrap()
    }

    fn monotonic(&self) -> Duration {
        Duration::from_micros(self.microseconds.load(SeqCst))
    }
}

/// A generator with the same sequence in every run.
#[derive(Default)]
pub struct TestRandom(AtomicU64);

impl Random for TestRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            // The multiplier of Knuth's MMIX generator.
            let next = |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let previous = self.0.fetch_update(Relaxed, Relaxed, |state| Some(next(state))).unwrap();
            *byte = (next(previous) >> 56) as u8;
        }
    }
}

struct Bytes<'a>(&'a TestRandom);

impl croft_control::Random for Bytes<'_> {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill(bytes);
    }
}

/// Hashes without cost. Records how often and how long it was called.
#[derive(Default)]
pub struct TestPasswords {
    pub verified: AtomicU64,
    pub hashed: AtomicU64,
    pub paused: Mutex<Vec<Duration>>,
    pub busy: std::sync::atomic::AtomicBool,
}

impl Passwords for TestPasswords {
    fn verify(&self, password: Password, hash: Option<String>) -> Pending<Result<bool, Error>> {
        self.verified.fetch_add(1, Relaxed);
        let answer = if self.busy.load(Relaxed) {
            Err(Error::unavailable("too many"))
        } else {
            Ok(hash.is_some_and(|hash| hash == format!("hash of {}", password.reveal())))
        };
        Box::pin(std::future::ready(answer))
    }

    fn hash(&self, password: Password, _: String) -> Pending<Result<String, Error>> {
        self.hashed.fetch_add(1, Relaxed);
        let answer = if self.busy.load(Relaxed) {
            Err(Error::unavailable("too many"))
        } else {
            Ok(format!("hash of {}", password.reveal()))
        };
        Box::pin(std::future::ready(answer))
    }

    fn pause(&self, time: Duration) -> Pending<()> {
        self.paused.lock().push(time);
        Box::pin(std::future::ready(()))
    }
}

/// A source of SAML metadata that returns one page for every URL and records the requests.
#[derive(Default)]
pub struct TestMetadata {
    pub page: Mutex<Option<String>>,
    pub requests: Mutex<Vec<String>>,
}

impl MetadataSource for TestMetadata {
    fn fetch(&self, url: String) -> Pending<Result<String, String>> {
        self.requests.lock().push(url);
        let answer =
            self.page.lock().clone().ok_or_else(|| "querying url returned: 404 Not Found".to_owned());
        Box::pin(std::future::ready(answer))
    }
}

/// Alert receivers that respond to all deliveries with the same status and record them.
#[derive(Default)]
pub struct TestWebhooks {
    pub status: AtomicU64,
    pub sent: Mutex<Vec<WebhookRequest>>,
}

impl WebhookSender for TestWebhooks {
    fn send(&self, request: WebhookRequest, done: Box<dyn FnOnce(WebhookAnswer) + Send>) {
        self.sent.lock().push(request);
        done(match self.status.load(Relaxed) {
            0 => WebhookAnswer::unreachable("connection refused"),
            status => WebhookAnswer::status(u16::try_from(status).unwrap(), 5),
        });
    }

    fn refusal(&self, endpoint: &str) -> Option<String> {
        endpoint.contains("10.0.0.1").then(|| "10.0.0.1 is not allowed".to_owned())
    }
}

pub struct Cloud {
    _final_check: FinalCheck,
    pub app: App,
    pub edge: Edge,
    pub clock: Arc<TestClock>,
    pub random: Arc<TestRandom>,
    pub passwords: Arc<TestPasswords>,
    pub metadata: Arc<TestMetadata>,
    pub webhooks: Arc<TestWebhooks>,
    pub repositories: TestRepositories,
    pub hypervisor: Arc<Simulated>,
    pub environment: Arc<Environment>,
    pub database: Database,
    pub archives: Arc<ArchiveFolder>,
    /// The parts of `app`, to build another one on the same database.
    pub parts: AppParts,
    reconciler: Mutex<Reconciler>,
    collector: Mutex<Collector>,
    _folder: tempfile::TempDir,
}

/// Checks the database at the end of a test that has not failed: no dangling references and no wrong counters may be
/// left.
struct FinalCheck(Database);

impl Drop for FinalCheck {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        for recount in [croft_control::usage::recount, croft_control::network_invariants::recount] {
            let wrong = self.0.read_blocking(recount).unwrap();
            assert_eq!(wrong, Vec::<String>::new());
        }
    }
}

impl Cloud {
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Self {
        Self::on(Database::in_memory(&CROFT).unwrap(), settings)
    }

    /// A cloud whose hosts take time.
    pub fn timed(timing: Timing) -> Self {
        Self::build(Database::in_memory(&CROFT).unwrap(), Settings::default(), Rules::default(), timing)
    }

    /// A cloud with other rules configured by the operator.
    pub fn with_rules(rules: Rules) -> Self {
        let database = Database::in_memory(&CROFT).unwrap();
        Self::build(database, Settings::default(), rules, Timing::INSTANT)
    }

    /// A cloud whose hosts take time and whose requests wait for them. The test runs the background work
    /// [alongside](Self::alongside).
    pub fn waiting(timing: Timing) -> Self {
        let database = Database::in_memory(&CROFT).unwrap();
        Self::build_waiting(database, Settings::default(), Rules::default(), timing)
    }

    pub fn on(database: Database, settings: Settings) -> Self {
        Self::build(database, settings, Rules::default(), Timing::INSTANT)
    }

    /// A cloud in which requests do not wait for hosts: most tests run the background work between requests.
    fn build(database: Database, settings: Settings, rules: Rules, timing: Timing) -> Self {
        let settings = Settings { wait_for_hosts: Duration::ZERO, ..settings };
        Self::build_waiting(database, settings, rules, timing)
    }

    fn build_waiting(database: Database, settings: Settings, rules: Rules, timing: Timing) -> Self {
        let environment = Arc::new(Environment::new(rules, SecretKey::new([7; 32]), |error| {
            croft_http::status(error).as_u16()
        }));
        let options = SimulatedOptions { timing, ..SimulatedOptions::default() };
        let hypervisor = Arc::new(Simulated::new(options));
        let (clock, random) = (Arc::<TestClock>::default(), Arc::<TestRandom>::default());
        let passwords = Arc::<TestPasswords>::default();
        let metadata = Arc::<TestMetadata>::default();
        let telemetry = Telemetry::in_memory(croft_control::telemetry::schemas().to_vec()).unwrap();
        let webhooks = Arc::<TestWebhooks>::default();
        let folder = tempfile::tempdir().unwrap();
        let archives = Arc::new(ArchiveFolder::new(folder.path().join("bundles")));
        let repositories = TestRepositories::default();
        let parts = AppParts {
            database: database.clone(),
            telemetry: telemetry.clone(),
            server_id: Uuid::from_u128(0x5e),
            hypervisor: hypervisor.clone(),
            environment: environment.clone(),
            clock: clock.clone(),
            random: random.clone(),
            tasks: Arc::new(TestTasks(Arc::clone(&clock))),
            passwords: passwords.clone(),
            passkeys: Some(Arc::new(croft_passkeys::WebAuthn)),
            metadata: metadata.clone(),
            webhooks: webhooks.clone(),
            archives: archives.clone(),
            repositories: Arc::new(repositories.clone()),
            settings,
        };
        let app = App::new(parts.clone());
        let edge = croft_http::serve(app.clone(), croft_http::no_pages());
        let mut reconciler = Reconciler::new(environment.clone()).sending_by(webhooks.clone());
        reconciler.start(&database, clock.now(), &mut Bytes(&random), &*hypervisor).unwrap();
        let reconciler = Mutex::new(reconciler);
        let collector = Mutex::new(Collector::new(telemetry, Uuid::from_u128(0x5e)));
        let cloud = Self {
            _final_check: FinalCheck(database.clone()),
            app,
            edge,
            clock,
            random,
            passwords,
            metadata,
            webhooks,
            repositories,
            hypervisor,
            environment,
            database,
            archives,
            parts,
            reconciler,
            collector,
            _folder: folder,
        };
        cloud.set_up();
        cloud
    }

    fn set_up(&self) {
        let plenty = 1 << 50;
        let bootstrap = Bootstrap {
            silo_name: SILO.parse().unwrap(),
            admin_name: USER.parse().unwrap(),
            password_hash: format!("hash of {PASSWORD}"),
            must_change_password: false,
            quota: Quota { cpus: 1000, memory: plenty, storage: plenty },
            pool: PoolBootstrap::default(),
        };
        self.rule(move |cx| bootstrap::run(cx, &bootstrap).map(|_| ())).unwrap();
    }

    /// Runs a rule without a caller.
    pub fn rule<T: Send + 'static>(
        &self,
        mut rule: impl FnMut(&mut Cx<'_, '_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (environment, now, random) = (self.environment.clone(), self.clock.now(), self.random.clone());
        self.database.write_blocking(move |tx: &mut Tx<'_>| {
            let request = ControlRequest::default();
            rule(&mut Cx::new(tx, now, &mut Bytes(&random), &environment, &request))
        })
    }

    /// Runs the background work that is due.
    pub fn settle(&self) {
        let mut reconciler = self.reconciler.lock();
        for _ in 0..5 {
            reconciler
                .step(&self.database, self.clock.now(), &mut Bytes(&self.random), &*self.hypervisor)
                .unwrap();
        }
    }

    /// Runs the background work until `work` completes, and advances the clock while a host is busy.
    pub async fn alongside<T>(&self, work: impl Future<Output = T>) -> T {
        let mut changes = self.database.changes();
        let background = async {
            loop {
                self.settle();
                if self.hypervisor.next_event().is_some() {
                    self.clock.advance(Duration::from_millis(100));
                    tokio::task::yield_now().await;
                } else {
                    changes.changed().await;
                }
            }
        };
        tokio::select! {
            done = work => done,
            () = background => unreachable!("the background work has no end"),
        }
    }

    /// Collects all measurements that are due.
    pub fn measure(&self) {
        self.app.record_latencies();
        self.collector.lock().step(&self.database, self.clock.now(), &*self.hypervisor).unwrap();
    }

    /// Returns a client without credentials.
    pub fn anonymous(&self) -> Client<'_> {
        Client { cloud: self, headers: HeaderMap::new() }
    }

    /// Returns a client with a session of the administrator.
    pub async fn signed_in(&self) -> Client<'_> {
        let answer = self.sign_in(USER, PASSWORD).await;
        assert_eq!(answer.status, 204, "{answer:?}");
        let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        self.anonymous().with("cookie", &cookie)
    }

    pub async fn sign_in(&self, user: &str, password: &str) -> Answer {
        let body = json!({ "username": user, "password": password });
        self.anonymous().post(&format!("/v1/login/{SILO}/local"), body).await
    }

    /// Returns a client with an access token of the administrator.
    pub fn with_token(&self) -> Client<'_> {
        self.anonymous().with("authorization", &self.token())
    }

    /// Creates an access token of the administrator. Returns the `Authorization` header.
    pub fn token(&self) -> String {
        let token = self
            .rule(|cx| {
                let (silo, user) = (SILO.parse().unwrap(), USER.parse().unwrap());
                croft_control::token::create(cx, &silo, &user, &"test".parse().unwrap(), None)
            })
            .unwrap();
        format!("Bearer {}", token.text)
    }
}

/// A client that sends the same headers with each request.
#[derive(Clone)]
pub struct Client<'a> {
    cloud: &'a Cloud,
    headers: HeaderMap,
}

impl Client<'_> {
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, value.parse().unwrap());
        self
    }

    /// Sends a request and returns the response before its body is complete.
    pub async fn begin(
        &self,
        edge: &Edge,
        method: Method,
        uri: &str,
        body: impl Into<Body>,
    ) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(uri).body(body.into()).unwrap();
        *request.headers_mut() = self.headers.clone();
        request.extensions_mut().insert(Peer(IpAddr::from([192, 0, 2, 7])));
        edge.clone().handle(request).await
    }

    pub async fn send(&self, method: Method, uri: &str, body: impl Into<Body>) -> Answer {
        let response = self.begin(&self.cloud.edge, method, uri, body).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status.as_u16(), headers: parts.headers, body: body.to_vec() }
    }

    pub async fn get(&self, uri: &str) -> Answer {
        self.send(Method::GET, uri, Body::empty()).await
    }

    pub async fn post(&self, uri: &str, body: Value) -> Answer {
        self.send(Method::POST, uri, body.to_string()).await
    }

    pub async fn put(&self, uri: &str, body: Value) -> Answer {
        self.send(Method::PUT, uri, body.to_string()).await
    }

    pub async fn delete(&self, uri: &str) -> Answer {
        self.send(Method::DELETE, uri, Body::empty()).await
    }

    pub async fn create_project(&self, name: &str) {
        let answer = self.post("/v1/projects", json!({ "name": name, "description": "" })).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }

    /// Deletes a project that contains only the VPC it was created with.
    pub async fn delete_project(&self, name: &str) {
        for uri in [
            format!("/v1/vpc-subnets/default?project={name}&vpc=default"),
            format!("/v1/vpcs/default?project={name}"),
            format!("/v1/projects/{name}"),
        ] {
            let answer = self.delete(&uri).await;
            assert_eq!(answer.status, 204, "{answer:?}");
        }
    }

    /// Creates and starts an instance with a boot disk in an existing project.
    pub async fn create_instance(&self, project: &str, name: &str) {
        let body = json!({
            "name": name, "description": "", "hostname": name, "ncpus": 2, "memory": 1_u64 << 30,
            "boot_disk": {
                "type": "create", "name": format!("{name}-boot"), "description": "", "size": 1_u64 << 30,
                "disk_source": { "type": "blank", "block_size": 512 },
            },
        });
        let answer = self.post(&format!("/v1/instances?project={project}"), body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        self.cloud.settle();
    }
}

/// A complete response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns status, code and message of an error, after checking the parts that every error has.
    pub fn error(&self) -> (u16, Option<String>, String) {
        assert_eq!(self.header(header::CONTENT_TYPE.as_str()), "application/json", "{self:?}");
        let body = self.json();
        assert_eq!(body["request_id"].as_str().unwrap(), self.header("x-request-id"));
        assert_ne!(body.get("error_code"), Some(&Value::Null));
        let code = body.get("error_code").map(|code| code.as_str().unwrap().to_owned());
        (self.status, code, body["message"].as_str().unwrap().to_owned())
    }

    /// Checks that the request was refused because it could not be parsed.
    pub fn assert_unreadable(&self, message: &str) {
        let (status, code, text) = self.error();
        assert_eq!((status, code.as_deref(), text.as_str()), (400, None, message));
    }

    pub fn assert_unreadable_start(&self, start: &str) {
        let (status, code, text) = self.error();
        assert_eq!((status, code.as_deref()), (400, None), "{text}");
        assert!(text.starts_with(start), "{text:?} does not start with {start:?}");
    }

    pub fn assert_error(&self, status: StatusCode, code: &str, message: &str) {
        assert_eq!(self.error(), (status.as_u16(), Some(code.to_owned()), message.to_owned()));
    }

    pub fn assert_unauthorized(&self) {
        self.assert_error(StatusCode::UNAUTHORIZED, "Unauthorized", "credentials missing or invalid");
    }
}
