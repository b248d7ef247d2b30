//! A complete control plane for tests.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use croft_api::{
    Error, Result,
    disk::Disk,
    floating_ip::FloatingIp,
    instance::{Instance, InstanceCreate, InstanceState},
    instance_preview::InstancePreview,
    page::{NameOrIdSortMode, PageQuery},
    project::{OptionalProjectSelector, Project, ProjectSelector},
    scalar::{Name, NameOrId},
    vpc::OptionalVpcSelector,
};
use croft_control::{
    Caller, Credentials, Cx, Environment, Operation, Random as _, Request, SecretKey, SeededRandom, Settings,
    bootstrap::{self, Bootstrap, PoolBootstrap},
    disk, execute, floating_ip, instance, inventory, operation, project,
    reconcile::Reconciler,
    subnet, vpc,
};
use croft_sled::{
    Hypervisor, QueueOptions, Queued,
    simulated::{Simulated, SimulatedOptions, Timing},
};
use croft_store::{Database, SqliteOptions, schema};
use event_listener::Listener as _;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit_invariants::{self as invariants, FinalCheck};

pub const GIB: u64 = 1 << 30;

/// A user with a token.
#[derive(Clone, Debug)]
pub struct User {
    pub id: Uuid,
    pub silo: Uuid,
    pub credentials: Credentials,
}

/// A control plane.
pub struct Cloud {
    /// Checks the whole database at the end of the test.
    _final_check: FinalCheck,
    pub db: Database,
    pub hypervisor: Arc<Simulated>,
    /// The source of host events: the hypervisor, or what a test has put before it.
    pub host: Arc<dyn Hypervisor>,
    pub environment: Arc<Environment>,
    pub now: Timestamp,
    pub admin: User,
    random: SeededRandom,
    reconciler: Reconciler,
    options: SimulatedOptions,
}

pub fn status(error: &Error) -> u16 {
    match error {
        Error::NotFound { .. } | Error::NotFoundText(_) => 404,
        Error::Exists { .. }
        | Error::ExistsText(_)
        | Error::InvalidRequest(_)
        | Error::InvalidValue { .. }
        | Error::Parse(_) => 400,
        Error::Unauthenticated { .. } => 401,
        Error::Forbidden | Error::ForbiddenText(_) | Error::SignInAgain(_) => 403,
        Error::Conflict(_) => 409,
        Error::Gone => 410,
        Error::InsufficientCapacity(_) => 507,
        Error::Unavailable { .. } | Error::NotNow(_) | Error::MachineLost { .. } => 503,
        Error::Internal { .. } => 500,
    }
}

/// Durations with which no operation completes immediately.
pub fn timing() -> Timing {
    let seconds = SignedDuration::from_secs;
    Timing { start: seconds(4), stop: seconds(2), reboot: seconds(3), disk: seconds(1), speed: 1.0 }
}

/// Hosts whose operations take time.
pub fn simulated() -> SimulatedOptions {
    SimulatedOptions { timing: timing(), ..SimulatedOptions::default() }
}

impl Cloud {
    pub fn new() -> Self {
        Self::with(simulated(), memory())
    }

    /// A control plane with a given database and hosts.
    pub fn with(options: SimulatedOptions, db: Database) -> Self {
        let environment = Arc::new(Environment::new(Settings::default(), SecretKey::new([7; 32]), status));
        let nobody = User { id: Uuid::nil(), silo: Uuid::nil(), credentials: Credentials::default() };
        let hypervisor = Arc::new(Simulated::new(options.clone()));
        let mut cloud = Self {
            _final_check: FinalCheck::of(&db),
            db,
            host: hypervisor.clone(),
            hypervisor,
            reconciler: Reconciler::new(Arc::clone(&environment)),
            environment,
            now: Timestamp::from_second(1_700_000_000).unwrap(),
            admin: nobody,
            random: SeededRandom::new([7; 32]),
            options,
        };
        cloud.start();
        let quota = inventory::capacity(&cloud.environment.settings, &cloud.hypervisor.sleds());
        let outcome = cloud.rule(move |cx| {
            let bootstrap = Bootstrap {
                silo_name: Name::literal("croft"),
                admin_name: "admin".parse().unwrap(),
                password_hash: "hash".to_owned(),
                must_change_password: false,
                quota,
                pool: PoolBootstrap::default(),
            };
            bootstrap::run(cx, &bootstrap)
        });
        let Ok(bootstrap::Outcome::Created { silo_id, user_id }) = outcome else { panic!("{outcome:?}") };
        cloud.admin = cloud.with_token(user_id, silo_id, "croft", "admin");
        cloud
    }

    fn start(&mut self) {
        self.reconciler.start(&self.db, self.now, &mut self.random, &*self.host).unwrap();
    }

    /// Simulates a restart of the server: only the database is kept.
    pub fn restart_server(&mut self) {
        self.hypervisor = Arc::new(Simulated::new(self.options.clone()));
        self.host = self.hypervisor.clone();
        self.environment = Arc::new(Environment::new(Settings::default(), SecretKey::new([7; 32]), status));
        self.reconciler = Reconciler::new(Arc::clone(&self.environment));
        self.start();
    }

    /// Puts queues before the hypervisor, so that callers never wait.
    pub fn queue(&mut self) {
        let options = QueueOptions { moment: Duration::ZERO, ..QueueOptions::default() };
        self.host = Arc::new(Queued::new(self.hypervisor.clone(), options));
    }

    /// Runs the background work after each host event, until a condition holds. No time passes.
    pub fn until(&mut self, what: &str, holds: impl Fn(&mut Self) -> bool) {
        let end = Instant::now() + Duration::from_mins(1);
        loop {
            let news = self.host.listen();
            self.settle();
            if holds(self) {
                return;
            }
            assert!(news.wait_deadline(end).is_some(), "never: {what}");
        }
    }

    pub fn request() -> Request {
        Request {
            id: Uuid::from_u128(42),
            started: None,
            uri: "/v1/test?project=web".to_owned(),
            source: Some([127, 0, 0, 1].into()),
            user_agent: Some("test".to_owned()),
        }
    }

    /// Runs a rule without a caller, as a write.
    pub fn rule<T: Send + 'static>(
        &mut self,
        mut rule: impl FnMut(&mut Cx<'_, '_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut seed = [0; 32];
        self.random.fill_bytes(&mut seed);
        let (environment, now) = (Arc::clone(&self.environment), self.now);
        self.db.write_blocking(move |tx| {
            let (mut random, request) = (SeededRandom::new(seed), Self::request());
            rule(&mut Cx::new(tx, now, &mut random, &environment, &request))
        })
    }

    /// Runs an operation like the server does: caller, audit, commit.
    pub fn act<T: Send + 'static>(
        &mut self,
        user: &User,
        operation: &'static Operation,
        mut rule: impl FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let credentials = user.credentials.clone();
        self.rule(move |cx| execute::write(cx, &credentials, operation, |cx, caller| rule(cx, caller)))?
    }

    /// Runs an operation that reads.
    pub fn see<T: Send + 'static>(
        &self,
        user: &User,
        mut rule: impl FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let credentials = user.credentials.clone();
        let (environment, now) = (Arc::clone(&self.environment), self.now);
        self.db.read_blocking(move |tx| {
            let (mut random, request) = (SeededRandom::new([1; 32]), Self::request());
            let mut cx = Cx::new(tx, now, &mut random, &environment, &request);
            execute::read(&mut cx, &credentials, None, |cx, caller| rule(cx, caller))
        })
    }

    /// Runs everything that is due now.
    pub fn settle(&mut self) -> Timestamp {
        for _ in 0..100 {
            let next = self.reconciler.step(&self.db, self.now, &mut self.random, &*self.host).unwrap();
            if next > self.now {
                return next;
            }
        }
        panic!("the reconciler does not finish");
    }

    /// Advances time, running the reconciler when it is due.
    pub fn pass(&mut self, duration: SignedDuration) {
        let target = self.now + duration;
        loop {
            let next = self.settle();
            if self.now >= target {
                return;
            }
            self.now = next.min(target);
        }
    }

    pub fn pass_seconds(&mut self, seconds: i64) {
        self.pass(SignedDuration::from_secs(seconds));
    }

    // Resources, as the administrator

    pub fn project(&mut self, name: &str) -> Project {
        let admin = self.admin.clone();
        self.try_project(&admin, name).unwrap()
    }

    pub fn try_project(&mut self, user: &User, name: &str) -> Result<Project> {
        let params = serde_json::from_value(json!({"name": name, "description": ""})).unwrap();
        self.act(user, &operation::PROJECT_CREATE, move |cx, caller| project::create(cx, caller, &params))
    }

    pub fn try_disk(&mut self, project: &str, name: &str, size: u64) -> Result<Disk> {
        let source = json!({"type": "blank", "block_size": 512});
        self.try_disk_with(project, json!({"name": name, "size": size, "disk_source": source}))
    }

    pub fn try_disk_with(&mut self, project: &str, mut params: Value) -> Result<Disk> {
        params["description"] = json!("");
        let params = serde_json::from_value(params).unwrap();
        let (admin, project) = (self.admin.clone(), by_name(project));
        self.act(&admin, &operation::DISK_CREATE, move |cx, caller| {
            disk::create(cx, caller, &project, &params)
        })
    }

    pub fn disk(&mut self, project: &str, name: &str) -> Disk {
        self.try_disk(project, name, GIB).unwrap()
    }

    /// Creates an instance of 1 vCPU and 1 GiB, with additional parameters.
    pub fn try_instance(&mut self, project: &str, name: &str, extra: &Value) -> Result<Instance> {
        let params = instance_params(name, extra);
        let (admin, project) = (self.admin.clone(), by_name(project));
        self.act(&admin, &operation::INSTANCE_CREATE, move |cx, caller| {
            instance::create(cx, caller, &project, &params)
        })
    }

    /// Previews the creation of such an instance.
    pub fn preview_instance(&mut self, project: &str, name: &str, extra: &Value) -> Result<InstancePreview> {
        let params = instance_params(name, extra);
        let (admin, project) = (self.admin.clone(), by_name(project));
        self.act(&admin, &operation::INSTANCE_PREVIEW, move |cx, caller| {
            instance::preview(cx, caller, &project, &params)
        })
    }

    pub fn instance(&mut self, project: &str, name: &str) -> Instance {
        self.try_instance(project, name, &json!({})).unwrap()
    }

    /// Creates an instance and waits until it runs.
    pub fn running(&mut self, project: &str, name: &str) -> Instance {
        let instance = self.try_instance(project, name, &json!({"start": true})).unwrap();
        self.pass_seconds(10);
        let view = self.view(instance.id);
        assert_eq!(view.run_state, InstanceState::Running);
        view
    }

    pub fn view(&self, id: Uuid) -> Instance {
        self.try_view(id).unwrap()
    }

    pub fn try_view(&self, id: Uuid) -> Result<Instance> {
        self.see(&self.admin, move |cx, caller| instance::view(cx, caller, &NameOrId::Id(id), None))
    }

    pub fn state(&self, id: Uuid) -> InstanceState {
        self.view(id).run_state
    }

    pub fn disk_view(&self, id: Uuid) -> Disk {
        self.see(&self.admin, move |cx, caller| disk::view(cx, caller, &NameOrId::Id(id), None)).unwrap()
    }

    pub fn disk_state(&self, id: Uuid) -> &'static str {
        self.disk_view(id).state.label()
    }

    pub fn start_instance(&mut self, id: Uuid) -> Result<Instance> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::INSTANCE_START, move |cx, caller| {
            instance::start(cx, caller, &NameOrId::Id(id), None)
        })
    }

    pub fn stop_instance(&mut self, id: Uuid) -> Result<Instance> {
        let outcome = self.probe(id, &operation::INSTANCE_STOP)?;
        let admin = self.admin.clone();
        self.act(&admin, &operation::INSTANCE_STOP, move |cx, caller| {
            instance::stop(cx, caller, &NameOrId::Id(id), None, &outcome)
        })
    }

    pub fn reboot_instance(&mut self, id: Uuid) -> Result<Instance> {
        let outcome = self.probe(id, &operation::INSTANCE_REBOOT)?;
        let admin = self.admin.clone();
        self.act(&admin, &operation::INSTANCE_REBOOT, move |cx, caller| {
            instance::reboot(cx, caller, &NameOrId::Id(id), None, &outcome)
        })
    }

    fn probe(&self, id: Uuid, operation: &'static Operation) -> Result<instance::ProbeOutcome> {
        let probe = self.see(&self.admin, move |cx, caller| {
            instance::probe(cx, caller, &NameOrId::Id(id), None, operation)
        })?;
        Ok(probe.ask(&*self.host))
    }

    pub fn delete_instance(&mut self, id: Uuid) -> Result<()> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::INSTANCE_DELETE, move |cx, caller| {
            instance::delete(cx, caller, &NameOrId::Id(id), None)
        })
    }

    pub fn attach(&mut self, instance: Uuid, disk: NameOrId) -> Result<Disk> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::INSTANCE_DISK_ATTACH, move |cx, caller| {
            instance::disk_attach(cx, caller, &NameOrId::Id(instance), None, &disk)
        })
    }

    pub fn detach(&mut self, instance: Uuid, disk: NameOrId) -> Result<Disk> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::INSTANCE_DISK_DETACH, move |cx, caller| {
            instance::disk_detach(cx, caller, &NameOrId::Id(instance), None, &disk)
        })
    }

    pub fn delete_disk(&mut self, id: Uuid) -> Result<()> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::DISK_DELETE, move |cx, caller| {
            disk::delete(cx, caller, &NameOrId::Id(id), None)
        })
    }

    pub fn delete_project(&mut self, project: &str) -> Result<()> {
        let (admin, project) = (self.admin.clone(), by_name(project));
        self.act(&admin, &operation::PROJECT_DELETE, move |cx, caller| project::delete(cx, caller, &project))
    }

    pub fn try_floating_ip(&mut self, project: &str, params: Value) -> Result<FloatingIp> {
        let params = serde_json::from_value(params).unwrap();
        let (admin, project) = (self.admin.clone(), by_name(project));
        self.act(&admin, &operation::FLOATING_IP_CREATE, move |cx, caller| {
            floating_ip::create(cx, caller, &project, &params)
        })
    }

    pub fn floating_ip(&mut self, project: &str, name: &str) -> FloatingIp {
        self.try_floating_ip(project, json!({"name": name, "description": ""})).unwrap()
    }

    /// Deletes an empty project with its default VPC.
    pub fn remove_project(&mut self, project: &str) {
        self.remove_project_as(&self.admin.clone(), project);
    }

    pub fn remove_project_as(&mut self, user: &User, project: &str) {
        self.remove_network(user, project);
        let project = by_name(project);
        self.act(user, &operation::PROJECT_DELETE, move |cx, caller| project::delete(cx, caller, &project))
            .unwrap();
    }

    /// Deletes the default VPC of a project.
    pub fn remove_network(&mut self, user: &User, project: &str) {
        let default = by_name("default");
        let within = OptionalVpcSelector { vpc: Some(by_name("default")), project: Some(by_name(project)) };
        let subnet = default.clone();
        self.act(user, &operation::VPC_SUBNET_DELETE, move |cx, caller| {
            subnet::delete(cx, caller, &subnet, &within)
        })
        .unwrap();
        let project = by_name(project);
        self.act(user, &operation::VPC_DELETE, move |cx, caller| {
            vpc::delete(cx, caller, &default, Some(&project))
        })
        .unwrap();
    }

    pub fn disks_of(&self, instance: Uuid) -> Vec<String> {
        let query = PageQuery {
            selector: OptionalProjectSelector { project: None },
            sort: NameOrIdSortMode::NameAscending,
            after: None,
            limit: 100,
        };
        let page = self.see(&self.admin, move |cx, caller| {
            instance::disk_list(cx, caller, &NameOrId::Id(instance), &query)
        });
        page.unwrap().items.into_iter().map(|disk| disk.name.to_string()).collect()
    }

    /// Sets an instance's record to a state that no operation creates.
    pub fn modify_instance_record(
        &mut self,
        id: Uuid,
        modify: impl Fn(&mut croft_store::records::Instance) + Send + 'static,
    ) {
        self.rule(move |cx| {
            let mut instance = cx.tx.get::<croft_store::records::Instance>(id)?.unwrap();
            modify(&mut instance);
            Ok(cx.tx.update(&mut instance)?)
        })
        .unwrap();
    }

    /// Sets a disk's record to a state that no operation creates.
    pub fn modify_disk_record(
        &mut self,
        id: Uuid,
        modify: impl Fn(&mut croft_store::records::Disk) + Send + 'static,
    ) {
        self.rule(move |cx| {
            let mut disk = cx.tx.get::<croft_store::records::Disk>(id)?.unwrap();
            modify(&mut disk);
            Ok(cx.tx.update(&mut disk)?)
        })
        .unwrap();
    }

    /// Checks that counters and reservations are consistent.
    pub fn check_invariants(&self) {
        invariants::check(&self.db);
    }
}

pub fn memory() -> Database {
    Database::in_memory(&schema::CROFT).unwrap()
}

pub fn file(folder: &std::path::Path) -> Database {
    Database::sqlite(&SqliteOptions::new(folder.join("croft.db")), &schema::CROFT).unwrap()
}

pub fn by_name(name: &str) -> NameOrId {
    NameOrId::Name(name.parse().unwrap())
}

pub fn list_of(project: &str) -> PageQuery<ProjectSelector, NameOrIdSortMode> {
    let selector = ProjectSelector { project: by_name(project) };
    PageQuery { selector, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 }
}

/// The message of a refusal.
pub fn refusal<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.unwrap_err().message()
}

/// Status and message of a refusal.
pub fn refused<T: std::fmt::Debug>(result: Result<T>) -> (u16, String) {
    let error = result.unwrap_err();
    (status(&error), error.message())
}

/// The parameters of an instance of 1 vCPU and 1 GiB, with additional ones.
fn instance_params(name: &str, extra: &Value) -> InstanceCreate {
    let mut params =
        json!({"name": name, "description": "", "hostname": name, "ncpus": 1, "memory": GIB, "start": false});
    for (key, value) in extra.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    serde_json::from_value(params).unwrap()
}
