//! What hangs on a resource, and its deletion together with it (`docs/rules/identity-and-system.md#deletions`).
//!
//! What depends on what, and how a deletion is refused, is declared beside the rules of each resource, and their rules
//! are refused from the same declarations.

mod plan;
mod view;

use std::collections::BTreeSet;

use croft_api::{
    Error, Result,
    deletion::{Deletion, DeletionCreate},
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Request, audit,
    resource::{DeletableKind, deletable_kinds},
};
use plan::{Plan, Step, described};

crate::authz::operations! {
    extensions {
        DELETION_VIEW = open_reads(Kind::SILO_USER, 200);
        DELETION_CREATE = open_changes(Kind::SILO_USER, 204).lost_race(DELETION_RACED);
    }
}

/// Most resources that are deleted in one transaction.
pub const MAX_DELETED: usize = 1000;
/// Most kinds of one request.
const MAX_KINDS: usize = 32;

/// The kinds of resources whose deletion is described, by the names of their tables, with their operations.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    deletable_kinds().map(|kind| (kind.table.name, kind.operation.id))
}

fn kind(name: &str) -> Result<&'static DeletableKind> {
    described(name).ok_or_else(|| {
        let known = deletable_kinds().map(|kind| kind.table.name).collect::<Vec<_>>().join(", ");
        Error::invalid_value("kind", format!("the deletion of \"{name}\" is not described; one of {known}"))
    })
}

/// `deletion_view`: what hangs on a resource that the caller may read.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, name: &str, id: Uuid) -> Result<Deletion> {
    let plan = Plan::of(cx, caller, kind(name)?, id)?;
    view::view(cx, caller, plan)
}

/// `deletion_create`: deletes a resource and the parts of these kinds, each by its own rule and with its own entry in the
/// audit log. All are deleted or none.
///
/// # Errors
/// `Conflict` if what hangs on the resource is no longer what the caller was shown. The error of a rule that refuses, which
/// says what it is about.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    name: &str,
    id: Uuid,
    params: &DeletionCreate,
) -> Result<()> {
    let root = kind(name)?;
    let plan = Plan::of(cx, caller, root, id)?;
    cx.subjects.push(plan.subject());
    if params.also.len() > MAX_KINDS {
        return Err(Error::invalid_value("also", format!("must have at most {MAX_KINDS} kinds")));
    }
    if let Some(denial @ (Error::Forbidden | Error::ForbiddenText(_))) = plan.refusal {
        return Err(denial);
    }
    if plan.revision != params.revision {
        return Err(Error::conflict(
            "what hangs on the resource has changed since it was shown; look at it again, then delete it",
        ));
    }
    let also: BTreeSet<&str> = params.also.iter().map(String::as_str).collect();
    for wanted in &also {
        plan.require_along(wanted)?;
    }
    let Plan { steps, mut after, .. } = plan;
    after.insert(0, Step { kind: root, id, name: None, along_with: None });
    let is_wanted = |step: &Step| step.along_with.is_none_or(|group| also.contains(group));
    steps
        .iter()
        .chain(&after)
        .filter(|step| is_wanted(step))
        .try_for_each(|step| delete(cx, caller, step))?;
    // The entries of the deletions say it already.
    cx.subjects.clear();
    Ok(())
}

/// Runs the rule of one resource, with an entry in the audit log.
fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, step: &Step) -> Result<()> {
    // URIs of requests have no fragment, so clients cannot forge one.
    let separator = if step.kind.path.contains('#') { '&' } else { '#' };
    let uri = format!("{}{}{separator}deletion={}", step.kind.path, step.id, cx.request.id);
    let request = Request { uri, ..cx.request.clone() };
    let Cx { tx, now, random, environment, unfinished, runs_again, .. } = cx;
    let mut inner = Cx::new(tx, *now, &mut **random, environment, &request);
    inner.runs_again = *runs_again;
    let deleted = (step.kind.delete)(&mut inner, caller, step.id);
    *unfinished = inner.unfinished;
    deleted.map_err(|error| step.explain(error))?;
    audit::record(&mut inner, Some(caller), &step.kind.operation, None)
}
