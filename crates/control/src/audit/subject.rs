//! What the entries of the audit log are about: what an operation was done to, which its rule looked up, and what it
//! changed, which the store knows. No operation declares it.

use std::{collections::HashSet, sync::LazyLock};

use croft_store::{
    ChangedRecord, Record as _,
    records::{AuditSubject, Instance},
};
use uuid::Uuid;

use crate::{Cx, resource};

/// Most resources that an entry names.
const MAX_SUBJECTS: usize = 50;

/// The kinds of resources whose activity is asked for.
static KINDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| resource::addressed_kinds().map(|kind| kind.name).collect());

/// Begins an operation: what was changed before is not its doing.
pub fn begin(cx: &mut Cx<'_, '_>) {
    cx.subjects.clear();
    cx.tx.take_changed();
}

/// What the operation was done to, and what it changed. What an entry has taken is not in a later one: a cascade leaves an
/// entry for each of its parts.
pub(super) fn take(cx: &mut Cx<'_, '_>) -> Vec<AuditSubject> {
    let mut subjects: Vec<AuditSubject> = Vec::new();
    let changed = cx.tx.take_changed().into_iter().map(of_changed);
    let addressed = std::mem::take(&mut cx.subjects);
    for subject in
        addressed.into_iter().chain(changed).filter(|subject| KINDS.contains(subject.kind.as_str()))
    {
        if let Some(known) = subjects.iter_mut().find(|known| known.id == subject.id) {
            // A later change has the name that the resource has now.
            known.name = subject.name;
        } else if subjects.len() < MAX_SUBJECTS {
            subjects.push(subject);
        }
    }
    subjects
}

fn of_changed(ChangedRecord { kind, id, name, parent, scope }: ChangedRecord) -> AuditSubject {
    let kind = kind.to_owned();
    AuditSubject { kind, id, name, parent, silo_id: scope.silo, project_id: scope.project }
}

/// The first instance among them.
pub(super) fn instance_of(subjects: &[AuditSubject]) -> Option<Uuid> {
    subjects.iter().find(|subject| subject.kind == Instance::TABLE.name).map(|instance| instance.id)
}
