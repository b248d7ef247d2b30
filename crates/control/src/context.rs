use std::net::IpAddr;

use croft_api::{Error, ResourceKind, Result};
use croft_store::{
    Record, StoreError, Tx,
    records::{Disk, Transferred},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    Random, SecretKey, Settings,
    alert_class::{self, AlertClass},
    note::Note,
    session_activity::SessionActivity,
};

/// What all requests of one server share.
#[derive(Debug)]
pub struct Environment {
    /// What the operator chose.
    pub settings: Settings,
    /// Seals what must not be readable in the database.
    pub secret_key: SecretKey,
    /// Uses of sessions that are still to be written.
    pub activity: SessionActivity,
    /// The HTTP status of an error, for audit entries; the edge knows it.
    pub status: fn(&Error) -> u16,
    /// The classes of alerts that there are; tests bring their own.
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
    /// Names the request in logs and error answers.
    pub id: Uuid,
    /// When it arrived; `None` for what is no request.
    pub started: Option<Timestamp>,
    /// Path and query as requested.
    pub uri: String,
    /// The peer's address.
    pub source: Option<IpAddr>,
    /// What the client calls itself.
    pub user_agent: Option<String>,
}

/// What must be done after a rule has failed and its effects have been rolled back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterError {
    /// The host has lost the machine of this instance: the instance becomes failed.
    MachineLost {
        /// The instance.
        instance_id: Uuid,
        /// The machine that was lost.
        machine_id: Uuid,
        /// What the request wanted the instance to be.
        wanted: croft_store::records::WantedState,
    },
    /// An instance was not started: what refused it is kept with the instance.
    StartRefused {
        /// The instance.
        instance_id: Uuid,
        /// What refused it.
        note: Box<Note>,
    },
    /// A wrong code of an app was shown: too many of them make their user wait.
    WrongCode {
        /// Whose code it would have been.
        user_id: Uuid,
    },
    /// The request of a device was confirmed too late, or asks for what is not allowed: it is used up.
    DeviceRequestOver {
        /// The request.
        request_id: Uuid,
        /// Whether its client is told that it was denied, and not that it expired.
        is_denied: bool,
    },
}

/// How far something is that a host makes.
#[derive(Clone, Debug)]
pub struct Progress<T> {
    /// What it looks like now.
    pub view: T,
    /// Whether the host is done with it, with or without success.
    pub is_over: bool,
}

/// Everything a rule may depend on, apart from the caller and the parameters.
pub struct Cx<'a, 't> {
    /// The transaction.
    pub tx: &'a mut Tx<'t>,
    /// The time of the operation, in whole microseconds.
    pub now: Timestamp,
    /// Randomness for new ids and secrets.
    pub random: &'a mut dyn Random,
    /// What all requests share.
    pub environment: &'a Environment,
    /// The request.
    pub request: &'a Request,
    /// Set by a rule that fails but leaves something to do.
    pub after_error: Option<AfterError>,
    /// Set by a rule that refuses only because a host is still making this disk or snapshot.
    pub unfinished: Option<Uuid>,
    /// Whether whoever runs the rule waits for what is [unfinished](Self::unfinished) and runs it again, so that such a
    /// refusal is not the answer.
    pub runs_again: bool,
    /// The instance that the operation is done to, once the caller was found to be allowed to see it: for its audit entry.
    pub instance_id: Option<Uuid>,
    /// What passes between client and server, for the audit entry of an operation that hands out or takes in data.
    pub transferred: Option<Transferred>,
}

impl<'a, 't> Cx<'a, 't> {
    /// A context at a time, which is cut to whole microseconds.
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
            transferred: None,
        }
    }

    /// What the operator chose.
    pub fn settings(&self) -> &'a Settings {
        &self.environment.settings
    }

    /// A new random (version 4) id.
    pub fn new_id(&mut self) -> Uuid {
        let mut bytes = [0; 16];
        self.random.fill_bytes(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }

    /// Bookkeeping of a record created now.
    pub fn new_meta(&mut self) -> croft_store::Meta {
        croft_store::Meta::new(self.new_id(), self.now)
    }

    /// To be called before a disk is refused for its state: says so if that state is not to last.
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
            transferred,
        } = self;
        tx.savepoint(|tx| {
            let mut inner = Cx::new(tx, *now, &mut **random, environment, request);
            inner.runs_again = *runs_again;
            inner.instance_id = *instance_id;
            inner.transferred = *transferred;
            let result = part(&mut inner);
            *after_error = inner.after_error.take();
            *unfinished = inner.unfinished.filter(|_| result.is_err());
            *instance_id = inner.instance_id;
            *transferred = inner.transferred.filter(|_| result.is_ok());
            result
        })
    }

    /// Inserts a record whose name may be taken.
    pub fn insert_named<R: Record>(&mut self, kind: ResourceKind, record: &R) -> Result<()> {
        self.tx.insert(record).map_err(|error| name_taken(error, kind, record.name()))
    }

    /// Updates a record whose new name may be taken.
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

/// A time and a duration after it; the end of time at most.
pub(crate) fn later(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}

/// The first whole microsecond that is not before a time.
pub(crate) fn next_whole_microsecond(time: Timestamp) -> Timestamp {
    let whole = whole_microseconds(time);
    if whole < time { later(whole, SignedDuration::from_micros(1)) } else { whole }
}

/// Cuts a time to whole microseconds, the precision of stored times.
pub(crate) fn whole_microseconds(time: Timestamp) -> Timestamp {
    // Every time in microseconds that jiff gives out it also takes back.
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}
