//! The one task that reads the change log for all streams.

use std::{
    collections::{BTreeSet, HashMap},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use croft_api::{Error, Uuid, event::ResetReason};
use croft_control::{
    authn,
    event::{self, AccessCache, AccessInvalidation, ReadRequirement},
};
use croft_store::Change;
use futures_util::future::{Either, select};
use parking_lot::Mutex;

use super::{
    Events,
    subscriber::{Filter, Subscriber},
    wire,
};
use crate::app::App;

/// Changes dispatched at once.
const BATCH: usize = 500;
/// Minimum interval between reads of the log: commits come in bursts, and one read serves all of them.
const DEBOUNCE: Duration = Duration::from_millis(2);
/// Delay after a failed read.
const AFTER_FAILURE: Duration = Duration::from_millis(200);
/// How often every stream's credentials and source address are checked, and a heartbeat is sent.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Cached access of the users whose streams are open.
type AccessCaches = Arc<Mutex<HashMap<Uuid, AccessCache>>>;

/// Changes with their access decisions.
struct Batch {
    changes: Arc<Vec<Change>>,
    needs: Vec<Option<ReadRequirement>>,
    invalidations: Vec<AccessInvalidation>,
    /// For each user, whether each change can be seen.
    seen: HashMap<Uuid, Vec<bool>>,
}

/// Reads while there are streams and the server is running.
pub(super) async fn run(app: App, events: Events) {
    let _guard = Guard(events.clone());
    let mut changes = app.parts.database.changes();
    let caches = AccessCaches::default();
    let tasks = &app.parts.tasks;
    let (mut send_heartbeat, mut beat_is_due) = (tasks.sleep(HEARTBEAT), false);
    loop {
        match can_read(&app, &events, &caches).await {
            Ok(ReadOutcome::More) => continue,
            Ok(ReadOutcome::Nothing) => tasks.sleep(DEBOUNCE).await,
            Err(error) => {
                let detail = error.detail();
                tracing::warn!(%error, detail, "cannot read changes for live event streams");
                tasks.sleep(AFTER_FAILURE).await;
                if !app.closing.has_begun() {
                    continue;
                }
            }
        }
        if beat_is_due {
            send_heartbeat = tasks.sleep(HEARTBEAT);
            if let Err(error) = check(&app, subscribers(&events, |_| true)).await {
                tracing::warn!(%error, "cannot check the credentials of live event streams");
            }
            let listening: BTreeSet<Uuid> = users(&events).into_iter().map(|(user, _)| user).collect();
            caches.lock().retain(|user, _| listening.contains(user));
            let position = events.0.state.lock().position;
            for subscriber in subscribers(&events, |_| true) {
                subscriber.send_heartbeat(position);
            }
        }
        let left = events.0.left.listen();
        if is_over(&app, &events) {
            return;
        }
        let (news, end) = (pin!(changes.changed()), pin!(app.closing.begun()));
        // The heartbeat is checked first, so that it is sent even if there are many changes.
        let first = select(&mut send_heartbeat, select(news, select(left, end))).await;
        beat_is_due = matches!(first, Either::Left(_));
    }
}

/// Starts another reader if this one panics: otherwise streams would stay open without events.
struct Guard(Events);

impl Drop for Guard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.0.state.lock().stop();
        }
    }
}

/// Whether there are no streams left. The next stream starts another reader.
fn is_over(app: &App, events: &Events) -> bool {
    let mut state = events.0.state.lock();
    let over = state.audiences.is_empty() || app.closing.has_begun();
    if over {
        state.stop();
    }
    over
}

fn subscribers(events: &Events, mut which: impl FnMut(&Subscriber) -> bool) -> Vec<Arc<Subscriber>> {
    let state = events.0.state.lock();
    state.audiences.values().flatten().filter(|subscriber| which(subscriber)).cloned().collect()
}

enum ReadOutcome {
    More,
    Nothing,
}

/// Reads new changes and dispatches them.
async fn can_read(app: &App, events: &Events, caches: &AccessCaches) -> Result<ReadOutcome, Error> {
    let position = events.0.state.lock().position;
    let changes: Vec<Change> =
        app.parts.database.read(move |tx| Ok::<_, Error>(tx.changes_since(position, BATCH)?)).await?;
    let Some(last) = changes.last().map(|change| change.seq) else { return Ok(ReadOutcome::Nothing) };
    let full = changes.len() == BATCH;
    let mut batch = Batch::new(app, changes).await?;
    check_ended(app, events, &batch).await?;
    batch.invalidate(caches);
    loop {
        let users = users(events);
        batch.ask(app, caches, users).await?;
        if batch.dispatch(events, position, last) {
            break;
        }
    }
    if full { Ok(ReadOutcome::More) } else { Ok(ReadOutcome::Nothing) }
}

/// The users with streams, with their silos.
fn users(events: &Events) -> Vec<(Uuid, Uuid)> {
    let state = events.0.state.lock();
    state.audiences.values().filter_map(|audience| audience.first().map(|one| (one.user, one.silo))).collect()
}

/// Ends the streams of users whose credentials have just ended.
async fn check_ended(app: &App, events: &Events, batch: &Batch) -> Result<(), Error> {
    let users: BTreeSet<Uuid> = batch.changes.iter().filter_map(event::ended_credentials_of).collect();
    if users.is_empty() {
        return Ok(());
    }
    let of_these =
        |subscriber: &Subscriber| [subscriber.actor, subscriber.user].iter().any(|user| users.contains(user));
    check(app, subscribers(events, of_these)).await
}

/// Ends those of these streams whose credentials are invalid, or whose source address is no longer allowed.
async fn check(app: &App, subscribers: Vec<Arc<Subscriber>>) -> Result<(), Error> {
    let asked = subscribers.clone();
    let good = app
        .look_up(move |cx| {
            let good = asked.iter().map(|subscriber| match authn::recognize(cx, &subscriber.credentials) {
                Ok(caller) => Ok(caller.user_id == subscriber.user),
                Err(Error::Unauthenticated { .. }) => Ok(false),
                Err(error) => Err(error),
            });
            good.collect::<Result<Vec<bool>, Error>>()
        })
        .await?;
    for (subscriber, good) in subscribers.iter().zip(good) {
        if !good || subscriber.source.is_some_and(|source| !app.sources.allow(source)) {
            subscriber.end();
        }
    }
    Ok(())
}

impl Batch {
    async fn new(app: &App, changes: Vec<Change>) -> Result<Self, Error> {
        let changes = Arc::new(changes);
        let invalidations = if changes.iter().any(event::may_invalidate_access) {
            let asked = Arc::clone(&changes);
            app.look_up(move |cx| {
                asked.iter().filter_map(|change| event::access_invalidation(cx, change).transpose()).collect()
            })
            .await?
        } else {
            Vec::new()
        };
        let needs = changes.iter().map(event::needs).collect();
        Ok(Self { changes, needs, invalidations, seen: HashMap::new() })
    }

    /// Invalidates the cached access of users whose rights may have changed, so that changes are only sent to users who
    /// may read them now.
    fn invalidate(&self, caches: &AccessCaches) {
        if self.invalidations.is_empty() {
            return;
        }
        for cache in caches.lock().values_mut() {
            if self
                .invalidations
                .iter()
                .any(|invalidation| invalidation.invalidates(cache.user(), cache.silo()))
            {
                cache.forget();
            }
        }
    }

    fn concerns(&self, user: Uuid, silo: Uuid) -> bool {
        self.invalidations.iter().any(|invalidation| invalidation.concerns(user, silo))
    }

    /// Determines which changes these users may read.
    async fn ask(&mut self, app: &App, caches: &AccessCaches, users: Vec<(Uuid, Uuid)>) -> Result<(), Error> {
        let mut missing = Vec::new();
        {
            let mut caches = caches.lock();
            for (user, silo) in users {
                let cache = caches.entry(user).or_insert_with(|| AccessCache::new(user, silo));
                let seen: Option<Vec<bool>> = self
                    .needs
                    .iter()
                    .map(|needs| needs.map_or(Some(false), |needs| cache.knows(needs)))
                    .collect();
                match seen {
                    Some(seen) => drop(self.seen.insert(user, seen)),
                    None => missing.push(user),
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let (needs, caches) = (self.needs.clone(), Arc::clone(caches));
        let found = app
            .look_up(move |cx| {
                let mut caches = caches.lock();
                let mut found = Vec::with_capacity(missing.len());
                for user in &missing {
                    let Some(cache) = caches.get_mut(user) else { continue };
                    let seen: Result<Vec<bool>, Error> = needs
                        .iter()
                        .map(|needs| needs.map_or(Ok(false), |needs| cache.can_read(cx, needs)))
                        .collect();
                    found.push((*user, seen?));
                }
                Ok(found)
            })
            .await?;
        self.seen.extend(found);
        Ok(())
    }

    /// Dispatches the changes to the streams. Returns false if a user has joined whose access is unknown.
    fn dispatch(&self, events: &Events, before: i64, last: i64) -> bool {
        let mut state = events.0.state.lock();
        if state.audiences.keys().any(|user| !self.seen.contains_key(user)) {
            return false;
        }
        state.position = last;
        let mut told = EncodedEvents::new(&self.changes);
        for (user, audience) in &state.audiences {
            let seen = &self.seen[user];
            let visible: Vec<usize> = (0..seen.len()).filter(|index| seen[*index]).collect();
            let invalidated = audience.first().is_some_and(|one| self.concerns(*user, one.silo));
            if visible.is_empty() && !invalidated {
                continue;
            }
            let mut alike: Vec<(&Filter, Option<Bytes>)> = Vec::new();
            for subscriber in audience {
                if invalidated && subscriber.from < last {
                    let position = before.max(subscriber.from);
                    subscriber.push(wire::reset(position, ResetReason::Access), position);
                }
                let (filter, wants_all) = (&subscriber.filter, subscriber.from <= before);
                let known = alike.iter().find(|(other, _)| wants_all && *other == filter);
                let piece = match known {
                    Some((_, piece)) => piece.clone(),
                    None => told.piece(&visible, filter, subscriber.from),
                };
                if wants_all && known.is_none() {
                    alike.push((filter, piece.clone()));
                }
                if let Some(piece) = piece {
                    subscriber.push(piece, last);
                }
            }
        }
        true
    }
}

/// Encoded changes, shared by all streams that receive the same ones.
struct EncodedEvents<'a> {
    changes: &'a [Change],
    pieces: Vec<Option<Bytes>>,
    joined: HashMap<Vec<usize>, Bytes>,
}

impl<'a> EncodedEvents<'a> {
    fn new(changes: &'a [Change]) -> Self {
        Self { changes, pieces: vec![None; changes.len()], joined: HashMap::new() }
    }

    /// The changes at these positions that match the stream's filter and that it has not processed; `None` if there are
    /// none.
    fn piece(&mut self, visible: &[usize], filter: &Filter, from: i64) -> Option<Bytes> {
        let accepts = |change: &Change| change.seq > from && filter.accepts(change);
        let places: Vec<usize> =
            visible.iter().copied().filter(|place| accepts(&self.changes[*place])).collect();
        if places.is_empty() {
            return None;
        }
        if let Some(joined) = self.joined.get(&places) {
            return Some(joined.clone());
        }
        let mut piece = |place: usize| {
            self.pieces[place].get_or_insert_with(|| wire::change(&self.changes[place])).clone()
        };
        let pieces: Vec<Bytes> = places.iter().map(|place| piece(*place)).collect();
        Some(self.joined.entry(places).or_insert_with(|| wire::join(&pieces)).clone())
    }
}
