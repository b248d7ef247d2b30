use croft_api::{
    Result,
    activity::{ActivityConstraint, ActivityKind},
};
use croft_store::{
    ListBy, Sort, Tx,
    records::{Instance, InstanceActivity},
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{Cx, instance::later, paging};

/// Most entries that are kept of one instance: the newest.
const MAX_ENTRIES: u64 = 200;

/// What is to be written down about an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What happened.
    pub kind: ActivityKind,
    /// Why, in words.
    pub cause: String,
    /// What Croft did about it.
    pub action: Option<String>,
    /// What a person can do about it.
    pub advice: Option<String>,
    /// What causes it, if that is one thing.
    pub constraint: Option<ActivityConstraint>,
    /// Details for those alone who may see the hardware.
    pub operator_detail: Option<String>,
    /// The last lines of the serial console.
    pub serial_tail: Option<String>,
}

impl Note {
    /// That this happened, for this reason.
    pub fn new(kind: ActivityKind, cause: impl Into<String>) -> Self {
        Self {
            kind,
            cause: cause.into(),
            action: None,
            advice: None,
            constraint: None,
            operator_detail: None,
            serial_tail: None,
        }
    }

    /// Says what Croft did about it.
    #[must_use]
    pub fn action(mut self, text: impl Into<String>) -> Self {
        self.action = Some(text.into());
        self
    }

    /// Says what a person can do about it.
    #[must_use]
    pub fn advice(mut self, text: impl Into<String>) -> Self {
        self.advice = Some(text.into());
        self
    }

    fn repeats(&self, entry: &InstanceActivity) -> bool {
        entry.kind == self.kind && entry.cause == self.cause && entry.constraint == self.constraint
    }
}

/// Writes down what happened to an instance. What happens again for the same reason, with nothing else between, is counted
/// in the entry that is there. Answers how many times in a row it has happened.
pub(crate) fn record(cx: &mut Cx<'_, '_>, instance: &Instance, note: &Note) -> Result<u32> {
    let newest = newest(cx.tx, instance.meta.id)?;
    let time = match newest {
        Some(mut entry) if note.repeats(&entry) => {
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
        // What happens at one time is told in the order in which it was written down.
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

/// Like [`record`], of an instance known by its id; nothing happens if it is gone.
pub(crate) fn record_for(cx: &mut Cx<'_, '_>, instance_id: Uuid, note: &Note) -> Result<()> {
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

/// Deletes the entries of an instance that is being deleted. They are erased when it is.
pub(crate) fn delete_all(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<()> {
    for mut entry in paging::all::<InstanceActivity>(cx.tx, &ListBy::Parent(instance_id))? {
        cx.tx.delete(&mut entry, cx.now)?;
    }
    Ok(())
}
