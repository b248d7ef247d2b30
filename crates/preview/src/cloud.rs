use std::{sync::Arc, time::Duration};

use croft_api::{Error, Result, Timestamp, Uuid};
use croft_control::{
    Cx, Environment, Request as ControlRequest, SecretKey, Settings as Rules, login,
    reconcile::Reconciler,
    support_bundle::{self, Member},
    telemetry,
};
use croft_demo::{DemoUser, InitialDemo, NoReceivers};
use croft_http::{App, AppParts, Edge, NoRepositories, Pending, Settings};
use croft_sled::{Hypervisor as _, simulated::Simulated};
use croft_store::{ChangeSignal, Database, Tx, schema::CROFT, telemetry::Telemetry};
use futures_util::future::select;
use jiff::SignedDuration;
use serde_json::json;

use crate::{
    archives::MemoryArchives,
    host_services::{HostServices, NoMetadata, PlainPasswords},
};

/// A user that the cloud can be used as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The user.
    pub id: Uuid,
    /// The display name.
    pub name: String,
    /// A short description of the user's rights.
    pub role: String,
}

/// The interval at which latencies of requests are recorded.
const LATENCIES: SignedDuration = SignedDuration::from_secs(10);

/// Paths that can be read once the demo is [opened](InitialDemo): the rest of the demo does not change their responses.
/// The console requests them before its first screen, which does not wait for the rest.
pub const OPEN: [&str; 4] =
    ["/v1/me", "/v1/me/groups", "/experimental/v1/me/permissions", "/experimental/v1/me/projects"];

/// Parts of the paths of measurements.
const MEASURED: [&str; 2] = ["/metrics/", "/timeseries/"];

/// The progress of creating the demo.
enum DemoState {
    /// Users and projects exist.
    Opened(Box<InitialDemo>),
    /// Everything except the measurements exists.
    Made,
    /// Everything exists.
    Complete,
    /// The demo could not be created, which is a defect.
    Failed(Error),
}

/// The server ID in measurements and bundles.
const SERVER: Uuid = Uuid::from_u128(0x0c70_f700_0000_4000_8000_0000_0000_0001);

/// The members of support bundles that describe the page.
struct Page;

impl support_bundle::Sources for Page {
    fn members(&self) -> Vec<Member> {
        let versions = json!({
            "croft": env!("CARGO_PKG_VERSION"),
            "hypervisor": "simulated",
            "machines": "This is a technical preview: no real machines run.",
        });
        vec![Member::json("server/versions.json", &versions)]
    }
}

/// A cloud in memory.
pub struct Cloud {
    services: HostServices,
    environment: Arc<Environment>,
    database: Database,
    hypervisor: Arc<Simulated>,
    app: App,
    edge: Edge,
    reconciler: Reconciler,
    measuring: telemetry::Collector,
    bundles: support_bundle::Collector,
    next_latencies: Timestamp,
    telemetry: Telemetry,
    people: Vec<Person>,
    set: DemoState,
}

impl Cloud {
    /// Opens a cloud with the users and projects of the demo. The rest of the demo is created when it is
    /// [needed](Self::edge).
    ///
    /// # Errors
    /// A rule refuses the creation, which is a defect.
    pub fn open(services: HostServices) -> Result<Self> {
        let database = Database::in_memory(&CROFT)?;
        let hypervisor = Arc::new(Simulated::new(croft_demo::hypervisor_options()));
        let secret_key = SecretKey::generate(&mut services.seeded_random());
        let status = |error: &Error| croft_http::status(error).as_u16();
        let environment = Arc::new(Environment::new(Rules::default(), secret_key, status));
        let reconciler = Reconciler::new(Arc::clone(&environment)).sending_by(Arc::new(NoReceivers));
        let archives = Arc::new(MemoryArchives::default());
        let telemetry = Telemetry::in_memory(telemetry::schemas().to_vec())?;
        let app = App::new(AppParts {
            database: database.clone(),
            telemetry: telemetry.clone(),
            server_id: SERVER,
            hypervisor: hypervisor.clone(),
            environment: Arc::clone(&environment),
            clock: Arc::clone(&services.clock),
            random: Arc::clone(&services.random),
            tasks: Arc::clone(&services.tasks),
            passwords: Arc::new(PlainPasswords(Arc::clone(&services.random))),
            passkeys: None,
            metadata: Arc::new(NoMetadata),
            webhooks: Arc::new(NoReceivers),
            archives: archives.clone(),
            repositories: Arc::new(NoRepositories),
            settings: Settings::default(),
        });
        let edge = croft_http::serve(app.clone(), croft_http::no_pages());
        let opening = InitialDemo::make(&database, &environment, &hypervisor, &mut services.seeded_random())?;
        let person =
            |user: DemoUser| Person { id: user.id, name: user.display_name, role: user.role.to_owned() };
        let people = database.read_blocking(croft_demo::users)?.into_iter().map(person).collect();
        Ok(Self {
            measuring: telemetry::Collector::new(telemetry.clone(), SERVER),
            bundles: support_bundle::Collector::new(
                SERVER,
                database.clone(),
                hypervisor.clone(),
                archives,
                Arc::new(Page),
            ),
            services,
            environment,
            database,
            hypervisor,
            app,
            edge,
            reconciler,
            next_latencies: Timestamp::UNIX_EPOCH,
            telemetry,
            people,
            set: DemoState::Opened(Box::new(opening)),
        })
    }

    /// Creates the missing part of the demo, by the ordinary operations, except the measurements.
    fn make(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.set, DemoState::Made) {
            DemoState::Opened(opening) => {
                let now = self.services.clock.now();
                self.keep_failure(opening.go_on(now))
            }
            DemoState::Failed(error) => self.keep_failure(Err(error)),
            further => {
                self.set = further;
                Ok(())
            }
        }
    }

    /// Creates everything that is missing. The background work continues from there.
    fn complete(&mut self) -> Result<()> {
        self.make()?;
        if matches!(self.set, DemoState::Made) {
            self.set = DemoState::Complete;
            let taken_over = self.take_over();
            self.keep_failure(taken_over)?;
        }
        Ok(())
    }

    fn take_over(&mut self) -> Result<()> {
        let now = self.services.clock.now();
        telemetry::backfill(&self.database, &self.telemetry, &self.hypervisor, now)?;
        let random = &mut self.services.seeded_random();
        self.reconciler.start(&self.database, now, random, &*self.hypervisor)?;
        self.measuring.start(&self.database)
    }

    fn keep_failure(&mut self, made: Result<()>) -> Result<()> {
        made.inspect_err(|error| self.set = DemoState::Failed(error.clone()))
    }

    fn rule<T: Send + 'static>(
        &self,
        mut rule: impl FnMut(&mut Cx<'_, '_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (environment, now) = (Arc::clone(&self.environment), self.services.clock.now());
        let mut random = self.services.seeded_random();
        self.database.write_blocking(move |tx: &mut Tx<'_>| {
            rule(&mut Cx::new(tx, now, &mut random, &environment, &ControlRequest::default()))
        })
    }

    /// The users, the one with the most rights first.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// Opens a session for a user without authentication. Returns the value of a `cookie` header.
    ///
    /// # Errors
    /// No user has this name.
    pub fn sign_in(&self, name: &str) -> Result<String> {
        let person = self.people.iter().find(|person| person.name == name);
        let id = person.ok_or_else(|| Error::invalid_request(format!("there is no user \"{name}\"")))?.id;
        let session = self.rule(move |cx| login::without_proof(cx, id))?;
        Ok(format!("session={}", session.token))
    }

    /// The handler of a request. If the request needs more than users and projects, the rest of the demo is created
    /// first.
    ///
    /// # Errors
    /// A rule refuses the creation, which is a defect.
    pub fn edge(&mut self, method: &str, url: &str) -> Result<Edge> {
        let path = url.split_once('?').map_or(url, |(path, _)| path);
        if MEASURED.iter().any(|part| path.contains(part)) {
            self.complete()?;
        } else if method != "GET" || !OPEN.contains(&path) {
            self.make()?;
        }
        Ok(self.edge.clone())
    }

    /// Notifies about commits.
    pub fn changes(&self) -> ChangeSignal {
        self.database.changes()
    }

    /// Resolves when an event occurs that is not in the database yet.
    pub fn news(&self) -> Pending<()> {
        let (machines, deliveries) = (self.hypervisor.listen(), self.reconciler.listen());
        Box::pin(async move {
            select(machines, deliveries).await;
        })
    }

    /// Creates the missing part of the demo and runs the background work that is due. Returns how long there is nothing
    /// to do if no event occurs.
    ///
    /// # Errors
    /// A part of the work failed. The next call repeats it.
    pub fn step(&mut self) -> Result<Duration> {
        self.complete()?;
        let now = self.services.clock.now();
        if self.next_latencies <= now {
            self.app.record_latencies();
            self.next_latencies = now.saturating_add(LATENCIES).unwrap_or(Timestamp::MAX);
        }
        let random = &mut self.services.seeded_random();
        let work = self.reconciler.step(&self.database, now, random, &*self.hypervisor)?;
        let measuring = self.measuring.step(&self.database, now, &*self.hypervisor)?;
        if self.bundles.step(now)? {
            return Ok(Duration::ZERO);
        }
        Ok(Duration::try_from(work.min(measuring).duration_since(now)).unwrap_or_default())
    }
}
