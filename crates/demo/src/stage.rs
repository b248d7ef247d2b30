//! Runs the operations of the demo: with which user, time and randomness.

use std::{collections::VecDeque, sync::Arc};

use croft_api::{Error, Result, scalar::NameOrId};
use croft_control::{
    Caller, Cx, Environment, Operation, Random, Request, SeededRandom, audit, reconcile::Reconciler,
};
use croft_http::read_body;
use croft_sled::simulated::Simulated;
use croft_store::{Database, Tx};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// Ids are the same in every demo, secrets are not: requests for the length of an id use a fixed seed, all others the
/// given random source.
#[derive(Clone)]
pub struct Bytes {
    ids: SeededRandom,
    secrets: SeededRandom,
    chosen: VecDeque<Uuid>,
}

/// Length of the random bytes of an id; secrets are longer.
const ID_LENGTH: usize = 16;

impl Bytes {
    pub fn new(secrets: &mut dyn Random) -> Self {
        Self {
            ids: SeededRandom::new([0x44; 32]),
            secrets: SeededRandom::from_random(secrets),
            chosen: VecDeque::new(),
        }
    }
}

impl Random for Bytes {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        if bytes.len() > ID_LENGTH {
            return self.secrets.fill_bytes(bytes);
        }
        match self.chosen.pop_front() {
            Some(id) if bytes.len() == ID_LENGTH => bytes.copy_from_slice(id.as_bytes()),
            _ => self.ids.fill_bytes(bytes),
        }
    }
}

/// A user who performs operations.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    pub user_id: Uuid,
    pub silo_id: Uuid,
}

/// A transaction in which users perform operations.
pub struct DemoTransaction<'a, 't> {
    pub tx: &'a mut Tx<'t>,
    bytes: &'a mut Bytes,
    environment: &'a Environment,
    /// Sets the time of the next operation.
    pub now: Timestamp,
}

impl DemoTransaction<'_, '_> {
    /// Runs a rule as the system.
    pub fn rule<T>(&mut self, rule: impl FnOnce(&mut Cx<'_, '_>) -> Result<T>) -> Result<T> {
        let request = Request {
            id: Uuid::nil(),
            started: Some(self.now),
            uri: "/demo".to_owned(),
            source: None,
            user_agent: Some("croft-demo".to_owned()),
        };
        rule(&mut Cx::new(self.tx, self.now, self.bytes, self.environment, &request))
    }

    /// Runs an operation as a user, with a body in its wire form, including its audit entry.
    pub fn act<P: DeserializeOwned, T>(
        &mut self,
        person: &Person,
        operation: &Operation,
        body: &str,
        rule: impl FnOnce(&mut Cx<'_, '_>, &Caller, &P) -> Result<T>,
    ) -> Result<T> {
        let body = read_body::<P>(body.as_bytes());
        let body = body.map_err(|failure| failed(operation, &Error::internal(failure.message())))?;
        let (mut rule, mut answer) = (Some(rule), None);
        self.perform(person, operation, &mut |cx, caller| {
            if let Some(rule) = rule.take() {
                answer = Some(rule(cx, caller, &body)?);
            }
            Ok(())
        })?;
        answer.ok_or_else(|| failed(operation, &Error::internal("it was not run")))
    }

    /// The part that does not depend on the operation, so that it is compiled only once.
    fn perform(
        &mut self,
        person: &Person,
        operation: &Operation,
        rule: &mut dyn FnMut(&mut Cx<'_, '_>, &Caller) -> Result<()>,
    ) -> Result<()> {
        let caller = Caller::assumed(person.user_id, person.silo_id);
        self.rule(|cx| {
            audit::begin(cx);
            rule(cx, &caller).map_err(|error| failed(operation, &error))?;
            if operation.audited {
                audit::record(cx, Some(&caller), operation, None)?;
            }
            Ok(())
        })
    }

    /// Sets the next generated id.
    pub fn choose_id(&mut self, id: Uuid) {
        self.bytes.chosen.push_back(id);
    }

    /// Generates a secret in hexadecimal digits.
    pub fn secret(&mut self) -> String {
        let mut bytes = [0; 32];
        self.bytes.fill_bytes(&mut bytes);
        hex::encode(bytes)
    }
}

/// The error of an operation of the demo.
fn failed(operation: &Operation, error: &Error) -> Error {
    let detail = error.detail().map_or_else(|| error.message(), str::to_owned);
    Error::internal(format!("{} of the demo: {detail}", operation.id))
}

/// The cloud that is being filled.
pub struct DemoCloud {
    pub database: Database,
    pub hypervisor: Arc<Simulated>,
    environment: Arc<Environment>,
    reconciler: Reconciler,
    bytes: Bytes,
    /// The random source of the reconciler, which only generates ids.
    others: SeededRandom,
}

impl DemoCloud {
    pub fn new(
        database: &Database,
        environment: &Arc<Environment>,
        hypervisor: &Arc<Simulated>,
        secrets: &mut dyn Random,
        reconciler: Reconciler,
    ) -> Self {
        Self {
            database: database.clone(),
            hypervisor: Arc::clone(hypervisor),
            environment: Arc::clone(environment),
            reconciler,
            bytes: Bytes::new(secrets),
            others: SeededRandom::new([0x52; 32]),
        }
    }

    /// Registers the hosts, before anything else is requested of them.
    pub fn take_over(&mut self, at: Timestamp) -> Result<()> {
        self.reconciler.start(&self.database, at, &mut self.others, &*self.hypervisor)
    }

    /// Runs operations in one transaction.
    pub fn scene<T: Send + 'static>(
        &mut self,
        at: Timestamp,
        mut script: impl FnMut(&mut DemoTransaction<'_, '_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (bytes, environment) = (self.bytes.clone(), Arc::clone(&self.environment));
        let (answer, bytes) = self.database.write_blocking(move |tx| {
            // The transaction may be retried.
            let mut bytes = bytes.clone();
            let mut stage = DemoTransaction { tx, bytes: &mut bytes, environment: &environment, now: at };
            let answer = script(&mut stage)?;
            Ok::<_, Error>((answer, bytes))
        })?;
        self.bytes = bytes;
        Ok(answer)
    }

    /// Runs the background work that is due at a time.
    pub fn pass(&mut self, now: Timestamp) -> Result<()> {
        self.reconciler.step(&self.database, now, &mut self.others, &*self.hypervisor).map(|_| ())
    }
}

/// A name of the demo, as a selector.
pub fn named(name: &str) -> Result<NameOrId> {
    Ok(NameOrId::Name(name.parse().map_err(Error::from)?))
}

/// Parses a time of the demo.
pub fn date(text: &str) -> Result<Timestamp> {
    text.parse().map_err(Error::internal)
}
