//! Batches: one operation on many resources (`docs/rules/identity-and-system.md#batches`).
//!
//! Rules only record what is wanted. The [reconciler](crate::reconcile) carries out the items on behalf of the owner.

use std::collections::HashMap;

use croft_api::{
    Error, ResourceKind, Result,
    activity::NewestFirstSortMode,
    batch::{self as api, BatchCreate},
    page::{Marker, NoSelector, PageQuery, ResultsPage, TimeAndIdSortMode},
};
use croft_store::{
    ListBy, Meta, Tx,
    records::{Batch, BatchItem, BatchItemError, BatchItemState, BatchRequest},
};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    AuthMethod, Caller, Cx, Declaration, LookupResult, ReadScope, Resource, SiloDeletion, audit,
    authz::{self, Kind, ResourceScope},
    cascade,
    context::later,
    paging,
    resource::SiloOwners,
};

crate::authz::kinds! {
    /// A user's batch.
    BATCH = Row::of_user().owner("rlcm");
}

crate::authz::operations! {
    extensions {
        BATCH_LIST = reads(Kind::BATCH, Permission::List);
        BATCH_CREATE = changes(Kind::BATCH, Permission::Create, 201);
        BATCH_VIEW = reads(Kind::BATCH, Permission::Read);
        BATCH_ITEM_LIST = reads(Kind::BATCH, Permission::Read);
        BATCH_CANCEL = changes(Kind::BATCH, Permission::Modify, 200);
        BATCH_RETRY = changes(Kind::BATCH, Permission::Modify, 200);
    }
}

impl Resource for Batch {
    const DECLARATION: Declaration =
        Declaration::new(ReadScope::OfUser(Kind::BATCH), SiloDeletion::Goes(cascade::with_users::<Self>))
            .message(ResourceKind::Batch);
}

impl Resource for BatchItem {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(remove_items));
}

/// Most items of a batch.
pub const MAX_ITEMS: usize = 1000;
/// Most batches of a user that have not ended.
pub const MAX_UNFINISHED: u64 = 16;
/// How long a batch is kept after its end.
pub const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Longest idempotency key, in characters.
const MAX_KEY: usize = 128;
/// Maximum length of the stored message of an error, in bytes. Messages may quote input.
const MAX_MESSAGE: usize = 512;
/// Batches removed in one transaction.
const PURGE_BATCH: usize = 8;

fn to_view(batch: &Batch) -> api::Batch {
    api::Batch {
        id: batch.meta.id,
        idempotency_key: batch.idempotency_key.clone(),
        operation: batch.operation.into(),
        state: state(batch),
        total: batch.total,
        succeeded: batch.succeeded,
        failed: batch.failed,
        canceled: batch.canceled,
        time_created: batch.meta.time_created,
        time_started: batch.time_started,
        time_finished: batch.time_finished,
    }
}

fn state(batch: &Batch) -> api::BatchState {
    match (batch.time_started, batch.time_finished) {
        (None, None) => api::BatchState::Queued,
        (Some(_), None) => api::BatchState::Running,
        (_, Some(_)) if batch.canceled > 0 => api::BatchState::Canceled,
        (_, Some(_)) if batch.failed > 0 => api::BatchState::Failed,
        (_, Some(_)) => api::BatchState::Succeeded,
    }
}

fn item_view(item: BatchItem) -> api::BatchItem {
    api::BatchItem {
        id: item.meta.id,
        position: item.position,
        target_id: item.target_id,
        state: item.state.into(),
        error: item.error.map(Into::into),
        time_finished: item.time_finished,
    }
}

fn own(caller: &Caller) -> ResourceScope {
    ResourceScope::user(Kind::BATCH, caller.silo_id, caller.user_id)
}

fn find(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<LookupResult<Batch>> {
    Ok(LookupResult::new(cx.tx.get(id)?, id))
}

/// `batch_list`: the caller's batches.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NewestFirstSortMode>,
) -> Result<ResultsPage<api::Batch>> {
    authz::require(cx, caller, &own(caller), &operation::BATCH_LIST)?;
    let batches: Vec<Batch> = paging::page(cx.tx, ListBy::Parent(caller.user_id), query)?;
    Ok(query.results(batches.iter().map(to_view).collect()))
}

/// `batch_create`. Whether the targets exist, and what the caller may do with them, is decided when each item is begun.
///
/// # Errors
/// `Conflict` if the key belongs to another batch with other content, or if too many batches of the caller have not ended.
pub fn create(cx: &mut Cx<'_, '_>, caller: &Caller, params: &BatchCreate) -> Result<api::Batch> {
    authz::require(cx, caller, &own(caller), &operation::BATCH_CREATE)?;
    let total = check(params)?;
    let content_hash = content_hash(params)?;
    let key = Batch::key(caller.user_id, &params.idempotency_key);
    if let Some(batch) = cx.tx.find::<Batch>(Batch::KEY, key)? {
        return if batch.content_hash == content_hash {
            Ok(to_view(&batch))
        } else {
            Err(Error::conflict(
                "another batch with other operations has this idempotency key; use a new key for each batch",
            ))
        };
    }
    require_room(cx, caller)?;
    let batch = Batch {
        meta: cx.new_meta(),
        user_id: caller.user_id,
        silo_id: caller.silo_id,
        idempotency_key: params.idempotency_key.clone(),
        content_hash,
        operation: params.operation.into(),
        request: request(cx, caller),
        total,
        succeeded: 0,
        failed: 0,
        canceled: 0,
        time_started: None,
        time_finished: None,
        time_due: Some(cx.now),
    };
    cx.tx.insert(&batch)?;
    for (position, item) in (0..).zip(&params.items) {
        // Items are listed in the order of their times.
        let time = later(batch.meta.time_created, SignedDuration::from_micros(position.into()));
        let item = BatchItem {
            meta: Meta::new(cx.new_id(), time),
            batch_id: batch.meta.id,
            silo_id: batch.silo_id,
            position,
            target_id: item.target_id,
            state: BatchItemState::Queued,
            error: None,
            wait: None,
            time_finished: None,
        };
        cx.tx.insert(&item)?;
    }
    Ok(to_view(&batch))
}

/// Returns the number of items.
fn check(params: &BatchCreate) -> Result<u32> {
    let key = params.idempotency_key.chars().count();
    if key == 0 || key > MAX_KEY {
        let text = format!("must have 1 to {MAX_KEY} characters");
        return Err(Error::invalid_value("idempotency_key", text));
    }
    let total = params.items.len();
    if total == 0 || total > MAX_ITEMS {
        let text = format!("must have 1 to {MAX_ITEMS} items; make several batches of more");
        return Err(Error::invalid_value("items", text));
    }
    let mut positions = HashMap::with_capacity(total);
    for (position, item) in params.items.iter().enumerate() {
        if let Some(first) = positions.insert(item.target_id, position) {
            let text = format!("items {first} and {position} name the same target; name each target once");
            return Err(Error::invalid_value("items", text));
        }
    }
    u32::try_from(total).map_err(Error::internal)
}

fn content_hash(params: &BatchCreate) -> Result<Vec<u8>> {
    let content = serde_json::to_vec(&(params.operation, &params.items)).map_err(Error::internal)?;
    Ok(Sha256::digest(content).to_vec())
}

fn require_room(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    let unfinished = cx.tx.count::<Batch>(ListBy::lookup(Batch::UNFINISHED, caller.user_id))?;
    if unfinished < MAX_UNFINISHED {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "you have {MAX_UNFINISHED} batches that have not ended; wait until one of them has, or cancel one"
    )))
}

fn request(cx: &Cx<'_, '_>, caller: &Caller) -> BatchRequest {
    let user_agent = cx.request.user_agent.as_deref();
    BatchRequest {
        id: cx.request.id,
        source_ip: cx.request.source,
        user_agent: user_agent.map(|text| audit::cut(text, audit::MAX_USER_AGENT)),
        by_token: caller.method == AuthMethod::Token,
    }
}

/// `batch_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::Batch> {
    Ok(to_view(&*find(cx, id)?.authorize(cx, caller, &operation::BATCH_VIEW)?))
}

/// `batch_item_list`: in the order of the batch.
pub fn item_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    id: Uuid,
    query: &PageQuery<NoSelector, TimeAndIdSortMode>,
) -> Result<ResultsPage<api::BatchItem>> {
    let batch = find(cx, id)?.authorize(cx, caller, &operation::BATCH_ITEM_LIST)?;
    let items: Vec<BatchItem> = paging::page(cx.tx, ListBy::Parent(batch.meta.id), query)?;
    let last = items.last().map(|last| Marker::Time(last.meta.time_created, last.meta.id));
    Ok(query.results_after(items.into_iter().map(item_view).collect(), last))
}

/// `batch_cancel`: items that have not been begun become canceled. Does nothing if the batch has ended.
pub fn cancel(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::Batch> {
    let mut batch = find(cx, id)?.authorize(cx, caller, &operation::BATCH_CANCEL)?.into_inner();
    if batch.time_finished.is_some() {
        return Ok(to_view(&batch));
    }
    for mut item in items(cx.tx, batch.meta.id)? {
        if item.state == BatchItemState::Queued {
            item.state = BatchItemState::Canceled;
            item.time_finished = Some(cx.now);
            cx.tx.update(&mut item)?;
            batch.canceled += 1;
        }
    }
    proceed(&mut batch, false, cx.now);
    cx.tx.update(&mut batch)?;
    Ok(to_view(&batch))
}

/// `batch_retry`: items that failed or were canceled are queued again. Does nothing if there are none.
///
/// # Errors
/// `Conflict` if the batch has ended and too many others of the caller have not.
pub fn retry(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::Batch> {
    let mut batch = find(cx, id)?.authorize(cx, caller, &operation::BATCH_RETRY)?.into_inner();
    if batch.failed + batch.canceled == 0 {
        return Ok(to_view(&batch));
    }
    if batch.time_finished.is_some() {
        require_room(cx, caller)?;
    }
    for mut item in items(cx.tx, batch.meta.id)? {
        if matches!(item.state, BatchItemState::Failed | BatchItemState::Canceled) {
            item.state = BatchItemState::Queued;
            (item.error, item.wait, item.time_finished) = (None, None, None);
            cx.tx.update(&mut item)?;
        }
    }
    (batch.failed, batch.canceled) = (0, 0);
    (batch.time_started, batch.time_finished) = (None, None);
    batch.time_due = Some(cx.now);
    batch.request = request(cx, caller);
    batch.meta.time_modified = cx.now;
    cx.tx.update(&mut batch)?;
    Ok(to_view(&batch))
}

fn items(tx: &mut Tx<'_>, batch: Uuid) -> Result<Vec<BatchItem>> {
    paging::all(tx, &ListBy::Parent(batch))
}

/// Records the end of an item, with the status that its error is answered with if it failed.
pub(crate) fn end_item(
    batch: &mut Batch,
    item: &mut BatchItem,
    refusal: Option<(u16, Error)>,
    now: Timestamp,
) {
    (item.wait, item.time_finished) = (None, Some(now));
    item.error = refusal.map(|(http_status_code, error)| BatchItemError {
        http_status_code,
        error_code: error.code().map(str::to_owned),
        message: audit::cut(&error.message(), MAX_MESSAGE),
    });
    if item.error.is_some() {
        item.state = BatchItemState::Failed;
        batch.failed += 1;
    } else {
        item.state = BatchItemState::Succeeded;
        batch.succeeded += 1;
    }
}

/// Puts the batch at the end of the queue if it has an item that can be begun, and ends it once no item is left.
pub(crate) fn proceed(batch: &mut Batch, is_ready: bool, now: Timestamp) {
    batch.time_due = is_ready.then(|| later(now, SignedDuration::from_micros(1)));
    if batch.queued() == 0 {
        batch.time_finished = batch.time_finished.or(Some(now));
    }
    batch.meta.time_modified = now;
}

/// Removes batches that ended long ago. Returns whether there may be more.
pub(crate) fn expire(cx: &mut Cx<'_, '_>) -> Result<bool> {
    let last = cx.now.checked_sub(KEPT).unwrap_or(Timestamp::MIN);
    let ended: Vec<Batch> = cx.tx.up_to(Batch::FINISHED, last, PURGE_BATCH)?;
    for batch in &ended {
        remove(cx.tx, batch.meta.id, cx.now)?;
    }
    Ok(ended.len() == PURGE_BATCH)
}

fn remove(tx: &mut Tx<'_>, batch: Uuid, now: Timestamp) -> Result<()> {
    cascade::remove_all::<BatchItem>(tx, &ListBy::Parent(batch), now)?;
    tx.remove::<Batch>(batch, now)?;
    Ok(())
}

/// Removes the batches of a user. What of them has not been begun is not done.
pub(crate) fn remove_of(tx: &mut Tx<'_>, user: Uuid, now: Timestamp) -> Result<()> {
    let batches: Vec<Batch> = paging::all(tx, &ListBy::Parent(user))?;
    batches.iter().try_for_each(|batch| remove(tx, batch.meta.id, now))
}

/// Removes the items of the batches of a silo's users. The batches themselves are removed after them.
fn remove_items(cx: &mut Cx<'_, '_>, owners: &SiloOwners) -> Result<()> {
    for user in &owners.users {
        for batch in paging::all::<Batch>(cx.tx, &ListBy::Parent(*user))? {
            cascade::remove_all::<BatchItem>(cx.tx, &ListBy::Parent(batch.meta.id), cx.now)?;
        }
    }
    Ok(())
}
