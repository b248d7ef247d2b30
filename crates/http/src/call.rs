//! One request to one operation: the wrapper that every handler must use.
//!
//! A handler accesses the database only through [`Call::read`] and [`Call::write`], which authenticate the caller and
//! write the audit entry in the rule's own transaction.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use axum::extract::FromRequestParts;
use croft_api::{Error, Uuid, scalar::Name};
use croft_control::{
    Caller, Credentials, Cx, Operation, Progress, Request, authn,
    endpoint::{self, SignIn},
    execute,
    instance::{Probe, ProbeOutcome},
    operation,
};
use croft_sled::{HypervisorError, RoutingDaemon, Screen, SerialLine};
use croft_store::StoreError;
use http::{HeaderValue, Method, StatusCode, header, request::Parts};
use jiff::SignedDuration;
use parking_lot::Mutex;
#[cfg(not(target_family = "wasm"))]
use tracing::Instrument as _;

use crate::{
    app::{App, Random},
    credentials::{SessionCookie, credentials},
    cross_site::is_foreign,
    edge::{RequestContext, RequestedUri},
    failure::{Failure, Result},
    load::InFlightGuard,
    pending_objects::WaitLimit,
    pools::Work,
};

/// Reads the progress of an object that a host is creating; `None` if it is gone, or there is nothing to wait for.
type ReadProgress<T> = fn(&mut Cx<'_, '_>, Uuid) -> Result<Option<Progress<T>>, Error>;

/// The address of the peer, added as an extension to each request by the listener.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// Whether the client's connection is encrypted, added as an extension to each request by the listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encrypted(pub bool);

/// A request to an operation, before authentication.
pub(crate) struct Call {
    pub(crate) app: App,
    pub(crate) credentials: Credentials,
    trace: Arc<RequestContext>,
    operation: Option<&'static Operation>,
    source: Option<IpAddr>,
    secure: bool,
    uri: Option<RequestedUri>,
    user_agent: Option<HeaderValue>,
}

impl FromRequestParts<App> for Call {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let missing = || Error::internal("a route stands outside the outermost layer");
        let trace = parts.extensions.get::<Arc<RequestContext>>().cloned().ok_or_else(missing)?;
        let endpoint = app.endpoints.find(&parts.method, &parts.extensions).unwrap_or(&app.endpoints.other);
        // Set once: a request goes to one route.
        let _ = trace.endpoint.set(Arc::clone(endpoint));
        let credentials = app.credentials(parts);
        // Browsers post responses from identity providers across sites. They are authenticated by signatures.
        if endpoint.operation != Some(&operation::LOGIN_SAML) {
            refuse_foreign(parts, &credentials)?;
        }
        Ok(Self {
            app: app.clone(),
            credentials,
            trace,
            operation: endpoint.operation,
            source: parts.extensions.get::<Peer>().map(|peer| peer.0),
            secure: app.is_secure(&parts.extensions),
            uri: parts.extensions.get::<RequestedUri>().cloned(),
            user_agent: parts.headers.get(header::USER_AGENT).cloned(),
        })
    }
}

/// The result of a rule that may write.
enum WriteOutcome<T> {
    /// It is committed.
    Done(T),
    /// The rule refused it.
    Refused(Failure),
    /// The rule refused it because a host is still making something, and nothing was committed.
    Unfinished(Uuid),
}

/// Why a write failed.
enum WriteError {
    /// The error of the rule.
    Refused(Error),
    /// Conflicts with other transactions persisted over all retries.
    Conflict,
}

impl From<StoreError> for WriteError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict => Self::Conflict,
            error => Self::Refused(error.into()),
        }
    }
}

impl WriteError {
    /// The error for the client.
    fn reason(self, operation: Option<&Operation>) -> Error {
        match (self, operation.and_then(|operation| operation.lost_race)) {
            (Self::Refused(error), _) => error,
            (Self::Conflict, Some(text)) => Error::invalid_request(text),
            (Self::Conflict, None) => StoreError::Conflict.into(),
        }
    }
}

/// The error for a client that cannot see a machine's screen.
fn without_screen(error: HypervisorError) -> Error {
    match error {
        HypervisorError::Refused(reason) => Error::conflict(reason),
        other => Error::unavailable(other),
    }
}

/// Refuses cross-site requests. Requests with a token are allowed, because browsers never add one by themselves.
fn refuse_foreign(parts: &Parts, credentials: &Credentials) -> Result<()> {
    let harmless = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS)
        && !parts.headers.contains_key(header::UPGRADE);
    let ambient = credentials.session_cookie.is_some() || credentials.authorization.is_none();
    if !harmless && ambient && is_foreign(&parts.headers) {
        return Err(Error::Forbidden.into());
    }
    Ok(())
}

impl Call {
    /// The serial line of a machine.
    pub(crate) fn serial_line(&self, machine: Uuid) -> Result<Arc<SerialLine>> {
        let gone = || Error::unavailable("the hypervisor has no serial console for the machine");
        Ok(self.app.parts.hypervisor.serial(machine).ok_or_else(gone)?)
    }

    /// Connects to the screen of a machine.
    pub(crate) async fn screen(&self, machine: Uuid) -> Result<Screen> {
        let hypervisor = Arc::clone(&self.app.parts.hypervisor);
        let screen = self.block(Work::Hosts, move || hypervisor.screen(machine)).await?;
        Ok(screen.map_err(without_screen)?)
    }

    /// Takes a picture of the screen of a machine.
    pub(crate) async fn picture(&self, machine: Uuid) -> Result<bytes::Bytes> {
        let hypervisor = Arc::clone(&self.app.parts.hypervisor);
        let picture = self.block(Work::Hosts, move || hypervisor.picture(machine)).await?;
        Ok(picture.map_err(without_screen)?.into())
    }

    /// Queries a host, which may be slow.
    pub(crate) async fn ask(&self, probe: Probe) -> Result<ProbeOutcome> {
        let hypervisor = Arc::clone(&self.app.parts.hypervisor);
        self.block(Work::Hosts, move || probe.ask(&*hypervisor)).await
    }

    /// Queries the routing daemons of the switches, which may be slow.
    pub(crate) async fn ask_switches<T: Send + 'static>(
        &self,
        question: impl FnOnce(&[Arc<dyn RoutingDaemon>]) -> T + Send + 'static,
    ) -> Result<T> {
        let hypervisor = Arc::clone(&self.app.parts.hypervisor);
        self.block(Work::Hosts, move || question(&hypervisor.routing_daemons())).await
    }

    /// Runs slow cryptographic work off the threads that serve requests.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        self.block(Work::Signatures, work).await
    }

    /// Reads samples off the threads that serve requests, with a limit for each user.
    pub(crate) async fn query<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let share = match self.trace.caller.get() {
            Some(user) => Some(self.app.pools.share_of(*user).await),
            None => None,
        };
        let work = move || {
            // Held until the result is there, even if the client disconnects.
            let _share = share;
            work()
        };
        self.block(Work::Queries, work).await
    }

    /// Runs blocking work off the threads that serve requests.
    pub(crate) async fn block<T: Send + 'static>(
        &self,
        kind: Work,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        self.app.pools.run(kind, work).await
    }

    /// The declaration of the operation.
    pub(crate) fn operation(&self) -> Result<&'static Operation> {
        self.operation.ok_or_else(|| Error::internal("the operation is not declared in control").into())
    }

    /// Takes a slot among the requests in progress. This happens only once the whole request has arrived, so that slow
    /// senders do not block others. Signing in and out take none: they have their own queue, and users need them most
    /// when the server is busy.
    pub(crate) fn slot(&self) -> Result<InFlightGuard> {
        let overloaded = || Error::unavailable("too many requests in progress");
        Ok(self.app.load.enter().ok_or_else(overloaded)?)
    }

    /// Runs a rule that only reads.
    pub(crate) async fn read<T, F>(&self, mut rule: F) -> Result<T>
    where
        F: FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let _slot = self.slot()?;
        // Lets the requests that have already arrived take their slots first, so that excess requests are refused
        // immediately.
        #[cfg(not(target_family = "wasm"))]
        tokio::task::yield_now().await;
        let is_alone = self.app.load.in_flight() == 1;
        let (app, credentials, trace) = (self.app.clone(), self.credentials.clone(), self.trace.clone());
        let operation = self.operation;
        let request = Request { id: trace.id, ..Request::default() };
        let now = app.parts.clock.now();
        let read = move |tx: &mut croft_store::Tx<'_>| {
            let mut random = Bytes(&*app.parts.random);
            let mut cx = Cx::new(tx, now, &mut random, &app.parts.environment, &request);
            execute::read(&mut cx, &credentials, operation, |cx, caller| {
                let _ = trace.caller.set(caller.actor());
                if trace.wants_position {
                    // In the snapshot that the rule reads.
                    let _ = trace.position.set(cx.tx.last_change()?);
                }
                rule(cx, caller)
            })
        };
        // Many concurrent reads run on the database threads, so that the threads that serve requests can continue.
        let database = &self.app.parts.database;
        Ok(if is_alone { database.read(read).await } else { database.read_on_engine(read).await }?)
    }

    /// Runs the first step of a change, which only reads. If it fails, its audit entry is written.
    pub(crate) async fn prepare<T, F>(&self, rule: F) -> Result<T>
    where
        F: FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let (rule, mut patience) = (Arc::new(Mutex::new(rule)), WaitLimit::new(&self.app));
        loop {
            let is_patient = patience.lasts();
            let (rule, unfinished) = (Arc::clone(&rule), Arc::<Mutex<Option<Uuid>>>::default());
            let found = Arc::clone(&unfinished);
            let done = self.read(move |cx, caller| {
                let done = rule.lock()(cx, caller);
                *found.lock() = cx.unfinished.take().filter(|_| done.is_err());
                Ok(done)
            });
            let refusal = match done.await {
                Ok(Ok(done)) => return Ok(done),
                Ok(Err(refusal)) => refusal,
                // Refused before the rule has run. The refusal of the change has the entry.
                Err(failure) if failure.status() == StatusCode::FORBIDDEN => Error::Forbidden,
                Err(failure) => return Err(failure),
            };
            let unfinished = unfinished.lock().take();
            match unfinished {
                Some(id) if is_patient => patience.wait(id).await,
                _ => return self.write(move |_, _| Err(refusal.clone())).await,
            }
        }
    }

    /// Runs a rule that only reads, for automatic updates of a screen: it does not count as a use of the session, and
    /// takes no slot.
    pub(crate) async fn follow<T, F>(&self, mut rule: F) -> Result<T>
    where
        F: FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let (credentials, trace) = (self.credentials.clone(), Arc::clone(&self.trace));
        let followed = self.look_up(move |cx| {
            let caller = authn::recognize(cx, &credentials)?;
            let _ = trace.caller.set(caller.actor());
            rule(cx, &caller)
        });
        Ok(followed.await?)
    }

    /// Runs a lookup without authentication.
    pub(crate) async fn look_up<T, F>(&self, rule: F) -> Result<T, Error>
    where
        F: FnMut(&mut Cx<'_, '_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        self.app.look_up(rule).await
    }

    /// Runs a rule that may write, and writes its audit entry.
    pub(crate) async fn write<T, F>(&self, rule: F) -> Result<T>
    where
        F: FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let (rule, mut patience) = (Arc::new(Mutex::new(rule)), WaitLimit::new(&self.app));
        loop {
            let runs_again = patience.lasts();
            match self.write_once(&rule, runs_again).await {
                WriteOutcome::Done(done) => return Ok(done),
                WriteOutcome::Refused(failure) => return Err(failure),
                WriteOutcome::Unfinished(id) => patience.wait(id).await,
            }
        }
    }

    async fn write_once<T, F>(&self, rule: &Arc<Mutex<F>>, runs_again: bool) -> WriteOutcome<T>
    where
        F: FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let (slot, operation) = match (self.slot(), self.operation()) {
            (Ok(slot), Ok(operation)) => (slot, operation),
            (Err(failure), _) | (_, Err(failure)) => return WriteOutcome::Refused(failure),
        };
        let (rule, unfinished) = (Arc::clone(rule), Arc::<Mutex<Option<Uuid>>>::default());
        let (credentials, trace, found) =
            (self.credentials.clone(), self.trace.clone(), Arc::clone(&unfinished));
        let answer = self.change(move |cx| {
            cx.runs_again = runs_again;
            let answer = execute::write(cx, &credentials, operation, |cx, caller| {
                let _ = trace.caller.set(caller.actor());
                rule.lock()(cx, caller)
            });
            *found.lock() = cx.unfinished.take().filter(|_| answer.is_err());
            answer
        });
        let answer = answer.await;
        // Other requests are processed while this waits.
        drop(slot);
        let unfinished = unfinished.lock().take();
        match (answer, unfinished) {
            (Ok(Ok(done)), _) => WriteOutcome::Done(done),
            (Err(_), Some(id)) if runs_again => WriteOutcome::Unfinished(id),
            (Ok(Err(error)), _) => WriteOutcome::Refused(error.into()),
            (Err(failure), _) => WriteOutcome::Refused(failure),
        }
    }

    /// Waits for an object that a host is making. Returns it when it is finished or the wait times out; `None` if it is
    /// gone by then, or there is nothing to wait for.
    pub(crate) async fn finished<T: Send + 'static>(&self, id: Uuid, progress: ReadProgress<T>) -> Option<T> {
        let (mut patience, mut last) = (WaitLimit::new(&self.app), None);
        while patience.lasts() {
            // The change is committed even if its result cannot be read now.
            let Ok(Some(now)) = self.look_up(move |cx| progress(cx, id)).await else { break };
            last = Some(now.view);
            if now.is_over {
                break;
            }
            patience.wait(id).await;
        }
        last
    }

    /// Runs a part of signing in or out, which have no caller.
    pub(crate) async fn change<T, F>(&self, mut rule: F) -> Result<T>
    where
        F: FnMut(&mut Cx<'_, '_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let (app, request) = (self.app.clone(), self.request());
        let change = move |tx: &mut croft_store::Tx<'_>| {
            // Determined within the transaction, so that times are in the order of changes, regardless of how long each
            // waited.
            let now = app.parts.clock.now();
            let mut random = Bytes(&*app.parts.random);
            rule(&mut Cx::new(tx, now, &mut random, &app.parts.environment, &request))
                .map_err(WriteError::Refused)
        };
        let done = self.app.parts.database.write(change).await;
        Ok(done.map_err(|undone| undone.reason(self.operation))?)
    }

    /// Refuses a client that is no longer on the allow-list, for streams.
    pub(crate) fn check_source(&self) -> Result<()> {
        let allowed = self.source.is_none_or(|source| self.app.sources.allow(source));
        if allowed { Ok(()) } else { Err(Error::Forbidden.into()) }
    }

    /// Authenticates the caller, for responses that are not from a rule.
    pub(crate) async fn authenticate(&self) -> Result<()> {
        self.read(|_, _| Ok(())).await
    }

    /// The request as recorded in the audit log.
    fn request(&self) -> Request {
        Request {
            id: self.trace.id,
            started: Some(self.trace.started),
            uri: self.uri.as_ref().map(|uri| uri.0.to_string()).unwrap_or_default(),
            source: self.source,
            user_agent: self
                .user_agent
                .as_ref()
                .map(|value| String::from_utf8_lossy(value.as_bytes()).into()),
        }
    }

    /// Whether the response is encrypted, by this server or by a proxy.
    pub(crate) fn is_secure(&self) -> bool {
        self.secure
    }

    /// How to set session cookies.
    pub(crate) fn session_cookie(&self) -> SessionCookie {
        SessionCookie {
            secure: self.is_secure(),
            max_age: self.app.parts.environment.settings.session.absolute.as_secs(),
        }
    }

    /// The peer's address; the unspecified address if the peer has none.
    pub(crate) fn source(&self) -> IpAddr {
        self.source.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }

    /// The peer's address, if it is known.
    pub(crate) fn source_address(&self) -> Option<IpAddr> {
        self.source
    }

    /// Applies the delay of a throttle.
    pub(crate) async fn pause(&self, wait: SignedDuration) {
        let wait = Duration::try_from(wait).unwrap_or_default();
        if !wait.is_zero() {
            self.app.parts.passwords.pause(wait).await;
        }
    }
}

impl App {
    /// The credentials in a request, unverified.
    pub fn credentials(&self, parts: &Parts) -> Credentials {
        credentials(&parts.headers, self.is_secure(&parts.extensions))
    }

    /// Whether the credentials are those of a user who is fully signed in; for pages, which are not operations.
    ///
    /// # Errors
    /// The database is unavailable.
    pub async fn signed_in(&self, credentials: Credentials) -> Result<bool> {
        match self.look_up(move |cx| authn::resolve(cx, &credentials).map(|_| ())).await {
            Ok(()) => Ok(true),
            Err(Error::Unauthenticated { .. } | Error::ForbiddenText(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The sign-in page of this host's silo; `None` if the host belongs to no silo.
    ///
    /// # Errors
    /// Nobody can sign in to the silo yet, or the database is unavailable.
    pub async fn sign_in_of(&self, host: String) -> Result<Option<SignIn>> {
        Ok(self.look_up(move |cx| endpoint::of_host(cx, &host)).await?)
    }

    /// The sign-in page of this host's silo, or of the default silo.
    ///
    /// # Errors
    /// There is no silo for it, nobody can sign in to the silo yet, or the database is unavailable.
    pub async fn sign_in_of_any(&self, host: String) -> Result<SignIn> {
        Ok(self.look_up(move |cx| endpoint::of_any_host(cx, &host)).await?)
    }

    /// The silo that a login page of this host offers first.
    ///
    /// # Errors
    /// The database is unavailable.
    pub async fn offered_silo(&self, host: Option<String>) -> Result<Option<Name>> {
        Ok(self.look_up(move |cx| endpoint::offered_silo(cx, host.as_deref())).await?)
    }

    /// Runs a rule that only reads, without a caller.
    pub(crate) async fn look_up<T, F>(&self, mut rule: F) -> Result<T, Error>
    where
        F: FnMut(&mut Cx<'_, '_>) -> Result<T, Error> + Send + 'static,
        T: Send + 'static,
    {
        let (app, now, request) = (self.clone(), self.parts.clock.now(), Request::default());
        let look_up = move |tx: &mut croft_store::Tx<'_>| {
            let mut random = Bytes(&*app.parts.random);
            rule(&mut Cx::new(tx, now, &mut random, &app.parts.environment, &request))
        };
        self.parts.database.read(look_up).await
    }
}

/// Runs a future to completion, even if the client disconnects.
pub(crate) async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T> {
    #[cfg(not(target_family = "wasm"))]
    let done = tokio::spawn(work.in_current_span()).await.map_err(Error::internal)?;
    #[cfg(target_family = "wasm")]
    let done = work.await;
    Ok(done)
}

/// The random source in the form that rules use.
pub(crate) struct Bytes<'a>(pub(crate) &'a dyn Random);

impl croft_control::Random for Bytes<'_> {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_have_the_message_of_the_operation() {
        let reason = |operation| WriteError::from(StoreError::Conflict).reason(operation);
        let deletion = Error::invalid_request("deletion failed due to concurrent modification");
        let range = Error::invalid_request("IP range deletion failed due to concurrent modification");
        for (operation, text) in [
            (&operation::VPC_DELETE, &deletion),
            (&operation::VPC_SUBNET_DELETE, &deletion),
            (&operation::INTERNET_GATEWAY_DELETE, &deletion),
            (&operation::IP_POOL_DELETE, &deletion),
            (&operation::IP_POOL_RANGE_REMOVE, &range),
            (&operation::IP_POOL_SERVICE_RANGE_REMOVE, &range),
        ] {
            assert_eq!(reason(Some(operation)), *text, "{}", operation.id);
        }
        for operation in [None, Some(&operation::DISK_CREATE)] {
            assert!(matches!(reason(operation), Error::Unavailable { .. }));
        }
        let full = WriteError::from(StoreError::Full("no space".into())).reason(Some(&operation::VPC_DELETE));
        assert!(matches!(full, Error::Unavailable { .. }));
    }
}
