//! Works off batches (`docs/rules/identity-and-system.md#batches`).
//!
//! An item is carried out and recorded in one transaction, so a crash leaves it either done and recorded, or queued. Batches
//! take turns: after its turn, a batch stands at the end of the queue.

use croft_api::{Error, Result, scalar::NameOrId};
use croft_store::{
    ListBy, Sort, Tx,
    records::{Batch, BatchItem, BatchItemState, BatchItemWait, BatchOperation, SiloUser},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::Work;
use crate::{
    AuthMethod, Caller, Cx, Operation, Request, batch,
    context::later,
    disk, execute, floating_ip, image,
    instance::{self, ProbeOutcome},
    operation, snapshot,
};

/// Batches served in one step.
const TURNS: usize = 4;
/// Items of one batch that are begun in one turn, in one transaction.
const TURN: usize = 16;
/// Items that are made ready again in one transaction.
const WAITS: usize = 100;
/// How long an item waits before it is begun again.
const PAUSE: SignedDuration = SignedDuration::from_secs(1);
/// How long an item is begun again, if a host is still making its target: as long as a request waits
/// (`docs/rules/compute-and-storage.md#requests-that-wait-for-hosts`).
const PATIENCE: SignedDuration = SignedDuration::from_secs(10);

/// Gives a turn to the batches that have waited longest.
pub(super) fn work_off(work: &mut Work<'_>) -> Result<()> {
    let now = work.now;
    // This runs at every step and nearly always finds nothing, so it is a single transaction.
    let (due, has_waited) = work.read(move |tx| {
        let due: Vec<Batch> = tx.up_to(Batch::DUE, now, TURNS)?;
        Ok((due, !tx.up_to::<BatchItem>(BatchItem::DUE, now, 1)?.is_empty()))
    })?;
    if has_waited {
        work.write(end_waits)?;
    }
    due.into_iter().try_for_each(|batch| serve(work, batch.meta.id))
}

/// When the next batch or item is due.
pub(super) fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let batches: Vec<Batch> = tx.up_to(Batch::DUE, Timestamp::MAX, 1)?;
    let items: Vec<BatchItem> = tx.up_to(BatchItem::DUE, Timestamp::MAX, 1)?;
    let batch = batches.first().and_then(|batch| batch.time_due);
    Ok(batch.into_iter().chain(items.first().and_then(BatchItem::waits_until)).min())
}

/// Makes items ready that have waited long enough.
fn end_waits(cx: &mut Cx<'_, '_>) -> Result<()> {
    for mut item in cx.tx.up_to::<BatchItem>(BatchItem::DUE, cx.now, WAITS)? {
        item.wait = item.wait.map(|wait| BatchItemWait { until: None, ..wait });
        cx.tx.update(&mut item)?;
        if let Some(mut batch) = cx.tx.get::<Batch>(item.batch_id)?
            && batch.time_due.is_none()
        {
            batch.time_due = Some(cx.now);
            cx.tx.update(&mut batch)?;
        }
    }
    Ok(())
}

/// One turn of a batch.
fn serve(work: &mut Work<'_>, batch: Uuid) -> Result<()> {
    let ready = work.read(move |tx| {
        let operation = tx.get::<Batch>(batch)?.map(|batch| batch.operation);
        let by = ListBy::lookup(BatchItem::READY, batch);
        let items: Vec<BatchItem> = tx.page(by, Sort::TimeAsc, None, TURN)?;
        let probes_host =
            matches!(operation, Some(BatchOperation::InstanceStop | BatchOperation::InstanceReboot));
        let items = items.into_iter().map(|item| {
            let probe = probes_host.then(|| instance::probe_unseen(tx, item.target_id)).transpose()?;
            Ok((item.meta.id, probe))
        });
        items.collect::<Result<Vec<_>>>()
    })?;
    let ask = |probe: instance::Probe| probe.ask(work.hypervisor);
    let items: Vec<(Uuid, ProbeOutcome)> =
        ready.into_iter().map(|(item, probe)| (item, probe.map_or(ProbeOutcome::Present, ask))).collect();
    work.write(move |cx| take_turn(cx, batch, &items))
}

/// Carries out items of a batch, and records what came of them.
fn take_turn(cx: &mut Cx<'_, '_>, batch: Uuid, items: &[(Uuid, ProbeOutcome)]) -> Result<()> {
    let Some(mut batch) = cx.tx.get::<Batch>(batch)? else { return Ok(()) };
    let before = batch.clone();
    for (item, outcome) in items {
        let item: Option<BatchItem> = cx.tx.get(*item)?;
        // It may have been canceled since it was read.
        let Some(mut item) = item.filter(|item| item.state == BatchItemState::Queued) else { continue };
        batch.time_started = batch.time_started.or(Some(cx.now));
        let since = item.wait.map_or(cx.now, |wait| wait.since);
        let is_patient = cx.now.duration_since(since) < PATIENCE;
        match carry_out(cx, &batch, item.target_id, outcome, is_patient)? {
            Attempt::Unfinished => {
                item.wait = Some(BatchItemWait { since, until: Some(later(cx.now, PAUSE)) });
            }
            Attempt::Ended(result) => {
                let refusal = result.err().map(|error| ((cx.environment.status)(&error), error));
                batch::end_item(&mut batch, &mut item, refusal, cx.now);
            }
        }
        cx.tx.update(&mut item)?;
    }
    let is_ready = cx.tx.exists::<BatchItem>(ListBy::lookup(BatchItem::READY, batch.meta.id))?;
    // Unless it was canceled since it was read.
    if batch != before || batch.time_due.is_some() || is_ready {
        batch::proceed(&mut batch, is_ready, cx.now);
        cx.tx.update(&mut batch)?;
    }
    Ok(())
}

/// What came of the attempt to carry out an item.
enum Attempt {
    /// It is done or refused.
    Ended(Result<()>),
    /// It is to be begun again later; nothing was changed.
    Unfinished,
}

/// Runs the operation of an item on behalf of the batch's owner, with an entry in the audit log like any request. Fails
/// only if the whole turn must be repeated.
fn carry_out(
    cx: &mut Cx<'_, '_>,
    batch: &Batch,
    target: Uuid,
    outcome: &ProbeOutcome,
    is_patient: bool,
) -> Result<Attempt> {
    let request = Request {
        id: batch.request.id,
        started: None,
        uri: uri(batch, target),
        source: batch.request.source_ip,
        user_agent: batch.request.user_agent.clone(),
    };
    let method = if batch.request.by_token { AuthMethod::Token } else { AuthMethod::SessionCookie };
    // A caller of its own for each item: roles are looked up anew.
    let caller = Caller::new(batch.user_id, batch.silo_id, method, None);
    let Cx { tx, now, random, environment, .. } = cx;
    let mut is_unfinished = false;
    let ran = tx.savepoint(|tx| {
        let mut cx = Cx::new(tx, *now, &mut **random, environment, &request);
        cx.runs_again = is_patient;
        let ran = execute::write_as(&mut cx, &caller, operation_of(batch.operation), |cx, caller| {
            require_user(cx, caller)?;
            run(cx, caller, batch.operation, target, outcome)
        });
        is_unfinished = cx.unfinished.is_some();
        ran
    });
    match ran {
        Ok(result) => Ok(Attempt::Ended(result)),
        Err(_) if is_unfinished && is_patient => Ok(Attempt::Unfinished),
        Err(error @ Error::Unavailable { .. }) => Err(error),
        Err(error) => {
            let detail = error.detail();
            tracing::error!(batch = %batch.meta.id, %target, detail, "an item of a batch could not be carried out");
            Ok(if is_patient { Attempt::Unfinished } else { Attempt::Ended(Err(error)) })
        }
    }
}

/// Batches are removed with their users; nothing is done for a user who is gone in another way.
fn require_user(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    match cx.tx.get::<SiloUser>(caller.user_id)? {
        Some(_) => Ok(()),
        None => Err(Error::Forbidden),
    }
}

/// The URI of the request for the operation alone, with the batch. URIs of requests have no fragment, so clients cannot
/// forge one.
fn uri(batch: &Batch, target: Uuid) -> String {
    let (collection, action) = match batch.operation {
        BatchOperation::InstanceStart => ("instances", "/start"),
        BatchOperation::InstanceStop => ("instances", "/stop"),
        BatchOperation::InstanceReboot => ("instances", "/reboot"),
        BatchOperation::InstanceDelete => ("instances", ""),
        BatchOperation::DiskDelete => ("disks", ""),
        BatchOperation::SnapshotDelete => ("snapshots", ""),
        BatchOperation::ImageDelete => ("images", ""),
        BatchOperation::FloatingIpDelete => ("floating-ips", ""),
    };
    format!("/v1/{collection}/{target}{action}#batch={}", batch.meta.id)
}

const fn operation_of(operation: BatchOperation) -> &'static Operation {
    match operation {
        BatchOperation::InstanceStart => &operation::INSTANCE_START,
        BatchOperation::InstanceStop => &operation::INSTANCE_STOP,
        BatchOperation::InstanceReboot => &operation::INSTANCE_REBOOT,
        BatchOperation::InstanceDelete => &operation::INSTANCE_DELETE,
        BatchOperation::DiskDelete => &operation::DISK_DELETE,
        BatchOperation::SnapshotDelete => &operation::SNAPSHOT_DELETE,
        BatchOperation::ImageDelete => &operation::IMAGE_DELETE,
        BatchOperation::FloatingIpDelete => &operation::FLOATING_IP_DELETE,
    }
}

/// Runs the rule of the operation alone.
fn run(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    operation: BatchOperation,
    target: Uuid,
    outcome: &ProbeOutcome,
) -> Result<()> {
    let target = NameOrId::Id(target);
    match operation {
        BatchOperation::InstanceStart => instance::start(cx, caller, &target, None).map(drop),
        BatchOperation::InstanceStop => instance::stop(cx, caller, &target, None, outcome).map(drop),
        BatchOperation::InstanceReboot => instance::reboot(cx, caller, &target, None, outcome).map(drop),
        BatchOperation::InstanceDelete => instance::delete(cx, caller, &target, None),
        BatchOperation::DiskDelete => disk::delete(cx, caller, &target, None),
        BatchOperation::SnapshotDelete => snapshot::delete(cx, caller, &target, None).map(drop),
        BatchOperation::ImageDelete => image::delete(cx, caller, &target, None).map(drop),
        BatchOperation::FloatingIpDelete => floating_ip::delete(cx, caller, &target, None),
    }
}
