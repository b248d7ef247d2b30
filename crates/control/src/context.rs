use std::net::IpAddr;

use croft_api::{Error, ResourceKind, Result};
use croft_store::{
    Record, StoreError, Tx,
    records::{AuditSubject, Disk, Transferred},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    Random, SecretKey, Settings,
    activity_note::ActivityNote,
    alert_class::{self, AlertClass},
    session_activity::SessionActivity,
};

/// The state shared by all requests of one server.
#[derive(Debug)]
pub struct Environment {
    /// The operator's settings.
    pub settings: Settings,
    /// Seals secrets for storage in the database.
    pub secret_key: SecretKey,
    /// Uses of sessions that have not been written yet.
    pub activity: SessionActivity,
    /// Returns the HTTP status of an error, for audit entries. Provided by the HTTP layer.
    pub status: fn(&Error) -> u16,
    /// The known classes of alerts. Tests provide their own.
    pub alert_classes: &'static [AlertClass],
}

impl Environment {
    /// An environment without pending session uses.
    pub fn new(settings: Settings, secret_key: SecretKey, status: fn(&Error) -> u16) -> Self {
        let activity = SessionActivity::default();
        Self { settings, secret_key, activity, status, alert_classes: alert_class::CLASSES }
    }
}

/// The request that a rule runs for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The request id in logs and error answers.
    pub id: Uuid,
    /// When it arrived; `None` if the rule does not run for a request.
    pub started: Option<Timestamp>,
    /// Path and query as requested.
    pub uri: String,
    /// The peer's address.
    pub source: Option<IpAddr>,
    /// The user agent.
    pub user_agent: Option<String>,
}

/// An action to take after a rule has failed and its effects have been rolled back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterError {
    /// The host has lost the machine of this instance: fail the instance.
    MachineLost {
        /// The instance.
        instance_id: Uuid,
        /// The machine that was lost.
        machine_id: Uuid,
        /// The state that the request asked for.
        wanted: croft_store::records::WantedState,
    },
    /// An instance could not be started: record the reason.
    StartRefused {
        /// The instance.
        instance_id: Uuid,
        /// The reason.
        note: Box<ActivityNote>,
    },
    /// A wrong TOTP code was given: count it, because too many delay the user's next attempt.
    WrongCode {
        /// The user.
        user_id: Uuid,
    },
    /// A device request was confirmed too late, or asked for something that is not allowed: invalidate it.
    DeviceRequestOver {
        /// The request.
        request_id: Uuid,
        /// Whether its client is told that it was denied rather than expired.
        is_denied: bool,
    },
}

/// The progress of something that a host is making.
#[derive(Clone, Debug)]
pub struct Progress<T> {
    /// Its current view.
    pub view: T,
    /// Whether the host has finished, with or without success.
    pub is_over: bool,
}

/// The inputs of a rule, apart from the caller and the parameters.
pub struct Cx<'a, 't> {
    /// The transaction.
    pub tx: &'a mut Tx<'t>,
    /// The time of the operation, in whole microseconds.
    pub now: Timestamp,
    /// The random source for new ids and secrets.
    pub random: &'a mut dyn Random,
    /// The state shared by all requests.
    pub environment: &'a Environment,
    /// The request.
    pub request: &'a Request,
    /// Set by a rule that fails but requires an action afterwards.
    pub after_error: Option<AfterError>,
    /// Set by a rule that refuses only because a host is still making this disk or snapshot.
    pub unfinished: Option<Uuid>,
    /// Whether the caller of the rule waits for [`unfinished`](Self::unfinished) and runs the rule again, instead of
    /// answering with the refusal.
    pub runs_again: bool,
    /// The instance that the operation is about, once the caller is known to be allowed to see it: for the audit entry.
    pub instance_id: Option<Uuid>,
    /// What the operation is done to, as far as the caller is known to be allowed to see it: for the audit entry.
    pub(crate) subjects: Vec<AuditSubject>,
    /// The range of data transferred, for the audit entry of an operation that transfers data.
    pub transferred: Option<Transferred>,
    /// The user as whom the caller begins or ceases to view Croft, for the audit entry.
    pub viewed_as: Option<Uuid>,
}

impl<'a, 't> Cx<'a, 't> {
    /// Creates a context at a time, which is truncated to whole microseconds.
    pub fn new(
        tx: &'a mut Tx<'t>,
        now: Timestamp,
        random: &'a mut dyn Random,
        environment: &'a Environment,
        request: &'a Request,
    ) -> Self {
        Self {
            tx,
            now: whole_microseconds(now),
            random,
            environment,
            request,
            after_error: None,
            unfinished: None,
            runs_again: false,
            instance_id: None,
            subjects: Vec::new(),
            transferred: None,
            viewed_as: None,
        }
    }

    /// The operator's settings.
    pub fn settings(&self) -> &'a Settings {
        &self.environment.settings
    }

    /// Generates a random (version 4) id.
    pub fn new_id(&mut self) -> Uuid {
        self.random.id()
    }

    /// Metadata of a record created now.
    pub fn new_meta(&mut self) -> croft_store::Meta {
        croft_store::Meta::new(self.new_id(), self.now)
    }

    /// Must be called before a disk is refused for its state. Records whether that state is temporary.
    pub(crate) fn note_unfinished(&mut self, disk: &Disk) {
        if disk.is_being_made() {
            self.unfinished = Some(disk.meta.id);
        }
    }

    /// Runs a part whose effects are rolled back if it fails, while the rest may continue.
    pub fn attempt<T>(&mut self, part: impl FnOnce(&mut Cx<'_, '_>) -> Result<T>) -> Result<T> {
        let Self {
            tx,
            now,
            random,
            environment,
            request,
            after_error,
            unfinished,
            runs_again,
            instance_id,
            subjects,
            transferred,
            viewed_as,
        } = self;
        tx.savepoint(|tx| {
            let mut inner = Cx::new(tx, *now, &mut **random, environment, request);
            inner.runs_again = *runs_again;
            inner.instance_id = *instance_id;
            inner.subjects = std::mem::take(subjects);
            inner.transferred = *transferred;
            inner.viewed_as = *viewed_as;
            let result = part(&mut inner);
            *after_error = inner.after_error.take();
            *unfinished = inner.unfinished.filter(|_| result.is_err());
            *instance_id = inner.instance_id;
            *subjects = inner.subjects;
            *viewed_as = inner.viewed_as;
            *transferred = inner.transferred.filter(|_| result.is_ok());
            result
        })
    }

    /// Runs a part and rolls its effects back, whether or not it succeeds.
    pub fn dry_run<T>(&mut self, part: impl FnOnce(&mut Cx<'_, '_>) -> Result<T>) -> Result<T> {
        let (mut done, subjects) = (None, self.subjects.len());
        let undone = self.attempt(|cx| {
            done = Some(part(cx)?);
            Err::<(), _>(Error::internal("a dry run is rolled back"))
        });
        (self.after_error, self.unfinished, self.instance_id) = (None, None, None);
        self.subjects.truncate(subjects);
        match (done, undone) {
            (Some(done), _) => Ok(done),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => Err(Error::internal("a dry run has no result")),
        }
    }

    /// Inserts a record; fails with an error about the name if it is taken.
    pub fn insert_named<R: Record>(&mut self, kind: ResourceKind, record: &R) -> Result<()> {
        self.tx.insert(record).map_err(|error| name_taken(error, kind, record.name()))
    }

    /// Updates a record; fails with an error about the name if it is taken.
    pub fn update_named<R: Record>(&mut self, kind: ResourceKind, record: &mut R) -> Result<()> {
        self.tx.update(record).map_err(|error| name_taken(error, kind, record.name()))
    }
}

fn name_taken(error: StoreError, kind: ResourceKind, name: Option<&str>) -> Error {
    match (error, name) {
        (StoreError::Exists, Some(name)) => Error::exists(kind, name),
        (error, _) => error.into(),
    }
}

/// Adds a duration to a time, saturating at the maximum time.
pub(crate) fn later(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}

/// Rounds a time up to whole microseconds.
pub(crate) fn next_whole_microsecond(time: Timestamp) -> Timestamp {
    let whole = whole_microseconds(time);
    if whole < time { later(whole, SignedDuration::from_micros(1)) } else { whole }
}

/// Truncates a time to whole microseconds, the precision of stored times.
pub(crate) fn whole_microseconds(time: Timestamp) -> Timestamp {
    // jiff accepts every number of microseconds that it returns.
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}
