//! What each resource declares about its deletion, beside its rules.

use croft_api::{Error, Result};
use uuid::Uuid;

use crate::{
    Caller, Cx, LookupResult, Operation, Protected as _, Resource,
    authz::{self, Permission},
    dependents::{Dependent, Dependents},
    resource::{DeletableKind, Subject},
};

/// A resource whose deletion is declared. Its rule is refused from this declaration ([`require`]), and
/// [`deletion`](crate::deletion) says what the rule would do.
pub(crate) trait Deletable: Resource {
    /// The operation that deletes one.
    const DELETION: Operation;
    /// The path of the operation, up to the id.
    const PATH: &'static str;
    /// What the [declaration](crate::Declaration) of the resource has.
    const DELETABLE: DeletableKind = DeletableKind {
        table: Self::TABLE,
        operation: Self::DELETION,
        path: Self::PATH,
        find: find::<Self>,
        get: get::<Self>,
        delete: Self::delete,
    };

    /// Looks one up by its id.
    fn find(cx: &mut Cx<'_, '_>, _caller: &Caller, id: Uuid) -> Result<LookupResult<Self>> {
        Ok(LookupResult::new(cx.tx.get(id)?, id))
    }

    /// What people call it, and where it is.
    fn describe(&self) -> Dependent {
        Dependent::of(self)
    }

    /// Runs the rule.
    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()>;

    /// Fails if its own state does not allow the deletion, or the caller needs more than the permission.
    fn refuse(&self, _cx: &mut Cx<'_, '_>, _caller: &Caller) -> Result<()> {
        Ok(())
    }

    /// What prevents the deletion, in the order in which refusals name it.
    fn blockers(&self, _cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        Ok(Vec::new())
    }

    /// What the deletion deletes along, and what it changes.
    fn effects(&self, _cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        Ok(Vec::new())
    }

    /// What the deletion leaves behind as it is although it refers to the resource.
    fn kept(&self, _cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        Ok(Vec::new())
    }
}

/// Fails if a resource cannot be deleted now, with the error of what prevents it.
pub(crate) fn require<R: Deletable>(cx: &mut Cx<'_, '_>, caller: &Caller, record: &R) -> Result<()> {
    record.refuse(cx, caller)?;
    let blockers = record.blockers(cx)?;
    first_refusal(cx, &blockers)?.map_or(Ok(()), Err)
}

/// The error of the first blockers that there are.
pub(crate) fn first_refusal(cx: &mut Cx<'_, '_>, blockers: &[Dependents]) -> Result<Option<Error>> {
    for blockers in blockers {
        let first = blockers.first(cx.tx, 1)?;
        if let Some(refusal) = first.first().and_then(|first| blockers.refusal(first)) {
            return Ok(Some(refusal));
        }
    }
    Ok(None)
}

fn find<R: Deletable>(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<Subject> {
    let record = R::find(cx, caller, id)?.authorize(cx, caller, Permission::Read)?;
    let kept = record.kept(cx)?;
    Ok(Subject { kept, ..subject(cx, caller, &*record)? })
}

fn get<R: Deletable>(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<Option<Subject>> {
    let record: Option<R> = cx.tx.get(id)?;
    record.map(|record| subject(cx, caller, &record)).transpose()
}

fn subject<R: Deletable>(cx: &mut Cx<'_, '_>, caller: &Caller, record: &R) -> Result<Subject> {
    let may_delete = authz::permits(cx, caller, &record.place(), (&R::DELETION).into())?;
    let refusal = if may_delete { refusal(record.refuse(cx, caller))? } else { Some(Error::Forbidden) };
    // A deletion waits for what a host is still making.
    let refusal = refusal.filter(|_| cx.unfinished.take().is_none());
    let (blockers, effects) = (record.blockers(cx)?, record.effects(cx)?);
    Ok(Subject { record: record.describe(), refusal, blockers, effects, kept: Vec::new() })
}

/// The error with which a rule would refuse; others are errors of this request.
fn refusal(result: Result<()>) -> Result<Option<Error>> {
    match result {
        Ok(()) => Ok(None),
        Err(error @ (Error::Internal { .. } | Error::Unavailable { .. })) => Err(error),
        Err(refusal) => Ok(Some(refusal)),
    }
}
