use std::net::IpAddr;

use croft_api::{Error, ResourceKind, Result};
use croft_store::{Record, StoreError, Tx, records::Transferred};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    alert::{self, AlertClass},
    endpoint::ExternalSuffix,
    seal::SecretKey,
    session::SessionActivity,
};

/// Where random bytes come from: the operating system at the edge, a seeded generator in tests.
pub trait Random {
    /// Fills the whole slice.
    fn fill_bytes(&mut self, bytes: &mut [u8]);
}

/// Random bytes drawn from one seed: the same seed gives the same bytes. A seed of 32 unpredictable bytes makes them
/// as unpredictable.
#[derive(Clone, Debug)]
pub struct SeededRandom {
    seed: [u8; 32],
    counter: u64,
    block: Vec<u8>,
}

impl SeededRandom {
    /// Starts from a seed.
    pub const fn new(seed: [u8; 32]) -> Self {
        Self { seed, counter: 0, block: Vec::new() }
    }

    /// Takes a seed from another source, to be carried where the source cannot go.
    pub fn drawn(source: &mut dyn Random) -> Self {
        let mut seed = [0; 32];
        source.fill_bytes(&mut seed);
        Self::new(seed)
    }
}

impl Random for SeededRandom {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            if self.block.is_empty() {
                let block = Sha256::new().chain_update(self.seed).chain_update(self.counter.to_be_bytes());
                self.block = block.finalize().to_vec();
                self.counter += 1;
            }
            *byte = self.block.pop().unwrap_or_default();
        }
    }
}

/// What an operator may choose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Sessions of browsers.
    pub session: SessionSettings,
    /// The DNS names below which each silo has a host name of its own; at least one.
    pub external_suffixes: Vec<ExternalSuffix>,
    /// How disks are laid out on storage pools.
    pub storage: StorageSettings,
    /// Networks of VPCs and external addresses.
    pub network: NetworkSettings,
    /// Most support bundles that are kept.
    pub support_bundles: u32,
    /// Support bundles that were made this long ago are removed; none are without it.
    pub support_bundle_retention: Option<SignedDuration>,
    /// Alerts that were raised this long ago are erased with their deliveries; none are without it.
    pub alert_retention: Option<SignedDuration>,
    /// What was deleted this long ago is erased.
    pub deleted_retention: SignedDuration,
    /// After an automatic restart, the next one has to wait this long.
    pub auto_restart_cooldown: SignedDuration,
    /// A guest that has not gone down after this long is ended.
    pub stop_timeout: SignedDuration,
    /// How often the machines of the fleet are looked at, whether or not their hosts reported something.
    pub watch_interval: SignedDuration,
    /// How long a host that could not be reached is left alone.
    pub retry_interval: SignedDuration,
    /// Whether lists of what was provisioned begin with what it was at their start.
    pub metrics_begin_with_value: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            session: SessionSettings::default(),
            external_suffixes: vec![ExternalSuffix::default()],
            storage: StorageSettings::default(),
            network: NetworkSettings::default(),
            support_bundles: 10,
            support_bundle_retention: Some(SignedDuration::from_hours(30 * 24)),
            alert_retention: Some(SignedDuration::from_hours(30 * 24)),
            deleted_retention: SignedDuration::from_hours(30 * 24),
            auto_restart_cooldown: SignedDuration::from_hours(1),
            stop_timeout: SignedDuration::from_mins(10),
            watch_interval: SignedDuration::from_secs(30),
            retry_interval: SignedDuration::from_secs(5),
            metrics_begin_with_value: false,
        }
    }
}

/// What an operator may choose about networks (`docs/rules/networking.md#network-limits`,
/// `docs/rules/networking.md#subnets` and `docs/rules/networking.md#ranges-of-pools`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSettings {
    /// Whether pools may have IPv6 ranges.
    pub ipv6_pools: bool,
    /// The prefix length of the largest IPv4 block that a subnet may have, 1 to 29.
    pub shortest_subnet_prefix: u8,
    /// The prefix length of the smallest one, up to [`NetworkSettings::LONGEST_PREFIX`].
    pub longest_subnet_prefix: u8,
}

impl NetworkSettings {
    /// In a block with a longer prefix than this nothing is left beside the reserved addresses.
    pub const LONGEST_PREFIX: u8 = 29;
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self { ipv6_pools: true, shortest_subnet_prefix: 8, longest_subnet_prefix: 26 }
    }
}

/// How long sessions live (`docs/rules/identity-and-system.md#sessions`).
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// A session that is not used for longer than this ends.
    pub idle: SignedDuration,
    /// A session ends this long after its sign-in, however much it is used.
    pub absolute: SignedDuration,
    /// The last use of a session is written at most this often.
    pub write_interval: SignedDuration,
}

impl Default for SessionSettings {
    fn default() -> Self {
        Self {
            idle: SignedDuration::from_mins(480),
            absolute: SignedDuration::from_mins(1440),
            write_interval: SignedDuration::from_secs(10),
        }
    }
}

/// How disks are laid out (`docs/rules/compute-and-storage.md#storage-space`).
#[derive(Clone, Debug)]
pub struct StorageSettings {
    /// Copies of each disk, each on a pool of its own.
    pub copies: usize,
    /// What a copy takes, in percent of the disk's size.
    pub overhead_percent: u64,
    /// Bytes of each pool that disks may not take.
    pub reserved_per_pool: u64,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self { copies: 3, overhead_percent: 125, reserved_per_pool: 250 << 30 }
    }
}

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
        Self { settings, secret_key, activity, status, alert_classes: alert::CLASSES }
    }
}

/// The request that a rule runs for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Names the request in logs and error answers.
    pub id: Uuid,
    /// When it arrived; none for what is no request.
    pub started: Option<Timestamp>,
    /// Path and query as asked for.
    pub uri: String,
    /// The peer's address.
    pub source: Option<IpAddr>,
    /// What the client calls itself.
    pub user_agent: Option<String>,
}

/// What is still to be done when a rule has failed and its effects are undone.
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
        note: Box<crate::instance::Note>,
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

/// Everything a rule may depend on beside the caller and the parameters.
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

    /// Runs a part whose effects are undone if it fails, while the rest may go on.
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

/// The first whole microsecond that is not before a time.
pub(crate) fn next_whole_microsecond(time: Timestamp) -> Timestamp {
    let whole = whole_microseconds(time);
    if whole < time { crate::instance::later(whole, SignedDuration::from_micros(1)) } else { whole }
}

/// Cuts a time to whole microseconds, the precision of stored times.
pub(crate) fn whole_microseconds(time: Timestamp) -> Timestamp {
    // Every time in microseconds that jiff gives out it also takes back.
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}
