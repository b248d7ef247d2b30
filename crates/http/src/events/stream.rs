//! A stream: catches up with the log by itself, then receives changes from the reader.

use std::{
    convert::Infallible,
    net::IpAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::body::Body;
use bytes::Bytes;
use croft_api::{
    Error, Uuid,
    event::{EventsQuery, ResetReason},
};
use croft_control::{Credentials, Cx, authn, event, event::AccessCache, project};
use croft_store::Change;
use futures_util::future::{Either, select};

use super::{
    Permit, ReaderSlot,
    subscriber::{Filter, StreamChunk, Subscriber},
    wire,
};
use crate::{
    app::{App, Pending},
    call::Call,
    closing::OpenStream,
    failure::{Failure, Result},
};

/// Number of changes read at once while catching up.
const PAGE: usize = 500;
/// Maximum number of pages for catching up. After that, fetching everything again is faster for the client.
const MOST_PAGES: usize = 20;

/// Opens a stream for a caller, after the last change that the client has received.
pub(crate) async fn open(call: &Call, query: EventsQuery, seen: Option<i64>) -> Result<Body> {
    let kinds = query.kinds.as_deref().map(kinds).transpose()?;
    let (who, actor, project, begun) = call
        .follow(move |cx, caller| {
            let project = query.project.as_ref().map(|project| project::view(cx, caller, project));
            let project = project.transpose()?.map(|project| project.id);
            Ok(((caller.user_id, caller.silo_id), caller.actor(), project, cx.tx.last_change()?))
        })
        .await?;
    let app = call.app.clone();
    // Before the response: the server waits for every stream that it has started.
    let refused = || Error::unavailable("too many streams are open");
    let permit = app.events.admit(actor).ok_or_else(refused)?;
    let open = app.closing.open_stream().ok_or_else(refused)?;
    let stream = Stream {
        app,
        who,
        actor,
        credentials: call.credentials.clone(),
        source: call.source_address(),
        filter: Filter { project, kinds },
        phase: Phase::At(Cursor { seen, begun, pages: 0 }),
        preamble: Some(Bytes::from_static(wire::PREAMBLE)),
        _permit: permit,
        _open: open,
    };
    Ok(Body::from_stream(stream))
}

/// The kinds in a query.
fn kinds(text: &str) -> Result<std::collections::BTreeSet<&'static str>> {
    let known = |name: &str| {
        let unknown = || format!("unable to parse query string: unknown kind of resource \"{name}\"");
        event::kind(name).ok_or_else(|| Failure::unreadable(unknown()))
    };
    text.split(',').map(known).collect()
}

struct Stream {
    app: App,
    /// The user and the user's silo.
    who: (Uuid, Uuid),
    /// Who has signed in: another one while an administrator views Croft as the user.
    actor: Uuid,
    credentials: Credentials,
    source: Option<IpAddr>,
    filter: Filter,
    phase: Phase,
    preamble: Option<Bytes>,
    _permit: Permit,
    /// Counts the stream while it is open.
    _open: OpenStream,
}

enum Phase {
    /// The page after this cursor must be read.
    At(Cursor),
    /// A page is being read; `None` if that fails or the server is shutting down.
    CatchingUp(Pending<Option<Page>>),
    Live(ReaderSlot),
    Over,
}

/// The position of a stream that catches up.
#[derive(Clone, Copy)]
struct Cursor {
    /// The last change that the client has received, if any.
    seen: Option<i64>,
    /// The last change when the stream was opened.
    begun: i64,
    pages: usize,
}

/// A page of the log, for one stream.
struct Page {
    pieces: Vec<Bytes>,
    /// Its end.
    cursor: Cursor,
    /// Whether there may be more.
    full: bool,
}

impl futures_util::Stream for Stream {
    type Item = Result<Bytes, Infallible>;

    /// The next data to send; `None` at the end of the stream.
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(preamble) = self.preamble.take() {
            return Poll::Ready(Some(Ok(preamble)));
        }
        loop {
            let pieces = match &mut self.phase {
                Phase::Over => return Poll::Ready(None),
                Phase::At(cursor) => {
                    let cursor = *cursor;
                    self.phase = Phase::CatchingUp(self.read(cursor));
                    continue;
                }
                Phase::CatchingUp(page) => {
                    let page = ready!(page.as_mut().poll(cx));
                    self.caught_up(page)
                }
                // No need to wait for the shutdown here: the reader ends the stream.
                Phase::Live(seat) => {
                    let StreamChunk { pieces, last } = ready!(seat.subscriber.poll_take(cx));
                    if last {
                        self.phase = Phase::Over;
                    }
                    pieces
                }
            };
            if !pieces.is_empty() {
                return Poll::Ready(Some(Ok(wire::join(&pieces))));
            }
        }
    }
}

impl Stream {
    /// Continues after a page: with the next one, or with the reader if it is at the same position.
    fn caught_up(&mut self, page: Option<Page>) -> Vec<Bytes> {
        let Some(Page { pieces, cursor, full }) = page else {
            self.phase = Phase::Over;
            return Vec::new();
        };
        let seat = if full { None } else { self.join(cursor.seen) };
        self.phase = seat.map_or(Phase::At(cursor), Phase::Live);
        pieces
    }

    /// Joins the reader, unless it has read further.
    fn join(&self, seen: Option<i64>) -> Option<ReaderSlot> {
        let subscriber = Subscriber::new(
            self.who,
            self.actor,
            self.credentials.clone(),
            self.source,
            self.filter.clone(),
            seen?,
        );
        self.app.events.join(&self.app, Arc::new(subscriber))
    }

    /// Reads the page after a cursor.
    fn read(&self, cursor: Cursor) -> Pending<Option<Page>> {
        let (credentials, filter, who) = (self.credentials.clone(), self.filter.clone(), self.who);
        let app = self.app.clone();
        Box::pin(async move {
            let reading = app.look_up(move |cx| {
                // In the same snapshot as the changes: if credentials end later, the reader notices.
                let caller = authn::recognize(cx, &credentials)?;
                if (caller.user_id, caller.silo_id) != who {
                    return Err(Error::unauthenticated("the credentials now belong to another user"));
                }
                read(cx, who, cursor, &filter)
            });
            match select(pin!(reading), pin!(app.closing.begun())).await {
                // The client learns the reason when it reconnects: the credentials are invalid, or the database is
                // unavailable.
                Either::Left((page, _)) => page.ok(),
                Either::Right(_) => None,
            }
        })
    }
}

fn read(cx: &mut Cx<'_, '_>, who: (Uuid, Uuid), cursor: Cursor, filter: &Filter) -> Result<Page, Error> {
    let begin = |position, reason| {
        let pieces = vec![wire::reset(position, reason)];
        Page { pieces, cursor: Cursor { seen: Some(position), pages: 0, ..cursor }, full: true }
    };
    let Some(seen) = cursor.seen else { return Ok(begin(cursor.begun, ResetReason::Started)) };
    let last = cx.tx.last_change()?;
    let known = cx.tx.oldest_change()? <= seen && seen <= last;
    if !known || cursor.pages >= MOST_PAGES {
        return Ok(begin(last, ResetReason::Expired));
    }
    let changes = cx.tx.changes_since(seen, PAGE)?;
    let mut pieces = Vec::new();
    if may_have_changed(cx, &changes, who)? {
        pieces.push(wire::reset(seen, ResetReason::Access));
    }
    let mut cache = AccessCache::new(who.0, who.1);
    for change in changes.iter().filter(|change| filter.accepts(change)) {
        if let Some(needs) = event::needs(change)
            && cache.can_read(cx, needs)?
        {
            pieces.push(wire::change(change));
        }
    }
    let position = changes.last().map_or(seen, |change| change.seq);
    let further = Cursor { seen: Some(position), pages: cursor.pages + 1, ..cursor };
    Ok(Page { pieces, cursor: further, full: changes.len() == PAGE })
}

/// Whether the user's rights may have changed meanwhile.
fn may_have_changed(
    cx: &mut Cx<'_, '_>,
    changes: &[Change],
    (user, silo): (Uuid, Uuid),
) -> Result<bool, Error> {
    for change in changes {
        if event::access_invalidation(cx, change)?
            .is_some_and(|invalidation| invalidation.concerns(user, silo))
        {
            return Ok(true);
        }
    }
    Ok(false)
}
