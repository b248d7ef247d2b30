use croft_api::Result;
use croft_store::{
    ListBy, Sort, Tx,
    records::{Instance, InstanceActivity},
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{Cx, activity_note::ActivityNote, context::later, paging};

/// Maximum number of entries kept for each instance. The oldest are removed first.
const MAX_ENTRIES: u64 = 200;

/// Whether an entry describes the same event.
fn repeats(note: &ActivityNote, entry: &InstanceActivity) -> bool {
    entry.kind == note.kind && entry.cause == note.cause && entry.constraint == note.constraint
}

/// Records an event of an instance. If it repeats the latest entry, increments the count of that entry. Returns the
/// count.
pub(crate) fn record(cx: &mut Cx<'_, '_>, instance: &Instance, note: &ActivityNote) -> Result<u32> {
    let newest = newest(cx.tx, instance.meta.id)?;
    let time = match newest {
        Some(mut entry) if repeats(note, &entry) => {
            entry.count = entry.count.saturating_add(1);
            entry.time_last = cx.now.max(entry.time_last);
            entry.action.clone_from(&note.action);
            entry.advice.clone_from(&note.advice);
            entry.operator_detail.clone_from(&note.operator_detail);
            if note.serial_tail.is_some() {
                entry.serial_tail.clone_from(&note.serial_tail);
            }
            entry.meta.time_modified = cx.now;
            cx.tx.update(&mut entry)?;
            return Ok(entry.count);
        }
        // Entries of the same time are listed in the order in which they were recorded.
        Some(entry) => cx.now.max(later(entry.meta.time_created, SignedDuration::from_micros(1))),
        None => cx.now,
    };
    let mut meta = cx.new_meta();
    meta.time_created = time;
    let note = note.clone();
    cx.tx.insert(&InstanceActivity {
        meta,
        instance_id: instance.meta.id,
        silo_id: instance.silo_id,
        project_id: instance.project_id,
        kind: note.kind,
        cause: note.cause,
        action: note.action,
        advice: note.advice,
        constraint: note.constraint,
        operator_detail: note.operator_detail,
        serial_tail: note.serial_tail,
        time_last: time,
        count: 1,
    })?;
    drop_oldest(cx, instance.meta.id)?;
    Ok(1)
}

/// Like [`record`], for an instance known by its id; does nothing if it is gone.
pub(crate) fn record_for(cx: &mut Cx<'_, '_>, instance_id: Uuid, note: &ActivityNote) -> Result<()> {
    if let Some(instance) = cx.tx.get::<Instance>(instance_id)? {
        record(cx, &instance, note)?;
    }
    Ok(())
}

fn newest(tx: &mut Tx<'_>, instance_id: Uuid) -> Result<Option<InstanceActivity>> {
    let page: Vec<InstanceActivity> = tx.page(ListBy::Parent(instance_id), Sort::TimeDesc, None, 1)?;
    Ok(page.into_iter().next())
}

fn drop_oldest(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<()> {
    if cx.tx.count::<InstanceActivity>(ListBy::Parent(instance_id))? <= MAX_ENTRIES {
        return Ok(());
    }
    let oldest: Vec<InstanceActivity> = cx.tx.page(ListBy::Parent(instance_id), Sort::TimeAsc, None, 1)?;
    for entry in oldest {
        cx.tx.remove::<InstanceActivity>(entry.meta.id, cx.now)?;
    }
    Ok(())
}

/// Deletes the entries of an instance that is being deleted. They are erased with it.
pub(crate) fn delete_all(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<()> {
    for mut entry in paging::all::<InstanceActivity>(cx.tx, &ListBy::Parent(instance_id))? {
        cx.tx.delete(&mut entry, cx.now)?;
    }
    Ok(())
}
