use croft_api::{
    Result,
    activity::{self as api, InstanceActivity as View, InstanceActivitySelector, NewestFirstSortMode},
    audit::AuditLogEntryResult,
    page::{PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Sort,
    records::{ActivityKind, AuditEntry, Instance, InstanceActivity, InstanceStage},
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{
    Caller, Cx, audit,
    authz::{self, Kind, Permission, ResourceScope},
    instance::find,
    instance::operation,
    paging,
};

/// How long a wait is current after it was last recorded. Waiting instances are retried more often than that.
const WAIT_COUNTS: SignedDuration = SignedDuration::from_mins(15);
/// Maximum number of entries examined for the current problem.
const LOOKED_AT: usize = 20;

/// What a caller may see beyond what every reader of the instance may see.
struct ViewerRights {
    silo: Uuid,
    hardware: bool,
    audit_log: bool,
}

/// `instance_activity_list`: events of an instance and operations on it, the newest first.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    query: &PageQuery<InstanceActivitySelector, NewestFirstSortMode>,
) -> Result<ResultsPage<View>> {
    let found = find(cx, caller, instance, query.selector.project.as_ref())?;
    let instance = found.authorize(cx, caller, &operation::INSTANCE_ACTIVITY_LIST)?;
    let sight = ViewerRights {
        silo: caller.silo_id,
        hardware: authz::permits(cx, caller, &ResourceScope::fleet(Kind::SLED), Permission::Read)?,
        audit_log: audit::is_readable(cx, caller)?,
    };
    if query.selector.unresolved == Some(true) {
        // The first page has everything.
        let entry = if query.after.is_none() { unresolved(cx, &instance)? } else { None };
        return Ok(query.results(entry.into_iter().map(|entry| of_entry(&sight, entry)).collect()));
    }
    let id = instance.meta.id;
    let own: Vec<InstanceActivity> = paging::page(cx.tx, ListBy::Parent(id), query)?;
    let asked: Vec<AuditEntry> = paging::page(cx.tx, ListBy::lookup(AuditEntry::INSTANCE, id), query)?;
    let mut items: Vec<View> = own.into_iter().map(|entry| of_entry(&sight, entry)).collect();
    for entry in asked {
        items.push(of_operation(cx, &sight, entry)?);
    }
    Ok(paging::page_of(items, query))
}

/// The current problem of an instance, if there is one.
fn unresolved(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<Option<InstanceActivity>> {
    let entries: Vec<InstanceActivity> =
        cx.tx.page(ListBy::Parent(instance.meta.id), Sort::TimeDesc, None, LOOKED_AT)?;
    let now = cx.now;
    let waits = |entry: &InstanceActivity| now.duration_since(entry.time_last) < WAIT_COUNTS;
    for entry in entries {
        let is_wrong = match entry.kind {
            // A state without problems: earlier entries do not matter.
            ActivityKind::MachineStarted | ActivityKind::Restarted => return Ok(None),
            ActivityKind::Failed | ActivityKind::HostLost => instance.stage == InstanceStage::Failed,
            ActivityKind::StartRefused => instance.machine().is_none(),
            ActivityKind::Waiting => instance.stage != InstanceStage::Stopped && waits(&entry),
            ActivityKind::StopForced | ActivityKind::HostIncident | ActivityKind::Operation => false,
        };
        if is_wrong {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

fn of_entry(sight: &ViewerRights, entry: InstanceActivity) -> View {
    View {
        id: entry.meta.id,
        kind: entry.kind.into(),
        time_created: entry.meta.time_created,
        time_last: entry.time_last,
        count: entry.count,
        cause: entry.cause,
        action: entry.action,
        advice: entry.advice,
        constraint: entry.constraint.filter(|one| sight.hardware || !one.kind.is_hardware()).map(Into::into),
        operator_detail: entry.operator_detail.filter(|_| sight.hardware),
        serial_tail: entry.serial_tail,
        operation: None,
    }
}

/// An entry of the audit log, without the source address, which only readers of the whole log may see.
fn of_operation(cx: &mut Cx<'_, '_>, sight: &ViewerRights, entry: AuditEntry) -> Result<View> {
    let operation = audit::to_operation(cx, sight.silo, sight.audit_log, &entry)?;
    let words = entry.operation_id.replace('_', " ");
    let cause = match &operation.result {
        AuditLogEntryResult::Success { .. } => format!("The operation \"{words}\" was carried out."),
        AuditLogEntryResult::Error { error_message, .. } => {
            format!("The operation \"{words}\" was refused: {error_message}")
        }
        AuditLogEntryResult::Unknown => format!("The operation \"{words}\" was asked for."),
    };
    let cause = match entry.transferred {
        None => cause,
        Some(bytes) => {
            format!("{cause} {} bytes were sent, {} received.", bytes.to_client, bytes.from_client)
        }
    };
    let time = entry.meta.time_created;
    Ok(View {
        id: entry.meta.id,
        kind: api::ActivityKind::Operation,
        time_created: time,
        time_last: time,
        count: 1,
        cause,
        action: None,
        advice: None,
        constraint: None,
        operator_detail: None,
        serial_tail: None,
        operation: Some(operation),
    })
}
