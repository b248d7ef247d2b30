//! Allocation of numbers: addresses of pools and subnets, hardware addresses of VPCs.
//!
//! Free numbers are stored as maximal [runs](FreeRun) of consecutive numbers; allocated numbers are stored by their
//! users. Each function reads and writes a fixed number of rows, found through an index.

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Marker, Sort,
    records::{FreeRun, Number, NumberKind},
};
use uuid::Uuid;

use crate::{Cx, Declaration, Resource, SiloDeletion, paging};

impl Resource for FreeRun {
    // Those of VPCs and subnets are deleted with them; those of pools belong to the fleet.
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// Returns the lowest free number, of one kind or of any. IPv4 addresses sort before IPv6 addresses.
pub(crate) fn lowest(cx: &mut Cx<'_, '_>, owner: Uuid, kind: Option<NumberKind>) -> Result<Option<Number>> {
    let run = first_run(cx, owner, kind)?;
    Ok(run.map(|run| Number { kind: run.kind, value: run.first }))
}

/// Allocates the [lowest] free number; `None` if there is none.
pub(crate) fn take_lowest(
    cx: &mut Cx<'_, '_>,
    owner: Uuid,
    kind: Option<NumberKind>,
) -> Result<Option<Number>> {
    let Some(run) = first_run(cx, owner, kind)? else { return Ok(None) };
    let number = Number { kind: run.kind, value: run.first };
    cut(cx, run, number.value, number.value)?;
    Ok(Some(number))
}

fn first_run(cx: &mut Cx<'_, '_>, owner: Uuid, kind: Option<NumberKind>) -> Result<Option<FreeRun>> {
    let marker = kind.map(before_all);
    let runs: Vec<FreeRun> = cx.tx.page(ListBy::Parent(owner), Sort::NameAsc, marker, 1)?;
    Ok(runs.into_iter().next().filter(|run| kind.is_none_or(|kind| kind == run.kind)))
}

/// The position at which the numbers of a kind start in a list sorted by key.
pub(crate) fn before_all(kind: NumberKind) -> Marker {
    Marker::Name(kind.key_prefix().to_owned(), Uuid::nil())
}

/// Whether all numbers of a range are free, both ends included.
pub(crate) fn are_free(cx: &mut Cx<'_, '_>, owner: Uuid, first: Number, last: Number) -> Result<bool> {
    Ok(at_or_before(cx, owner, first)?.is_some_and(|run| run.last >= last.value))
}

/// Allocates a range of numbers, both ends included. Returns false, and allocates nothing, if one of them is not free.
pub(crate) fn take(cx: &mut Cx<'_, '_>, owner: Uuid, first: Number, last: Number) -> Result<bool> {
    match at_or_before(cx, owner, first)? {
        Some(run) if run.last >= last.value => {
            cut(cx, run, first.value, last.value)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Frees a range of numbers, both ends included. Also used to give an owner its first numbers.
pub(crate) fn give(cx: &mut Cx<'_, '_>, owner: Uuid, first: Number, last: Number) -> Result<()> {
    let before = at_or_before(cx, owner, last)?;
    if before.as_ref().is_some_and(|run| run.last >= first.value) {
        return Err(Error::internal(format!("{} of {owner} was free already", first.sort_key())));
    }
    let before = before.filter(|run| run.last.checked_add(1) == Some(first.value));
    let next = last.value.checked_add(1).map(|value| Number { kind: last.kind, value });
    let after: Option<FreeRun> = match next {
        Some(next) => cx.tx.get_by_name(owner, &next.sort_key())?,
        None => None,
    };
    let end = after.as_ref().map_or(last.value, |run| run.last);
    if let (Some(_), Some(after)) = (&before, &after) {
        cx.tx.remove::<FreeRun>(after.meta.id, cx.now)?;
    }
    match (before, after) {
        (Some(mut run), _) => {
            run.last = end;
            Ok(cx.tx.update(&mut run)?)
        }
        (None, Some(mut run)) => {
            (run.key, run.first) = (first.sort_key(), first.value);
            Ok(cx.tx.update(&mut run)?)
        }
        (None, None) => insert(cx, owner, first, last.value),
    }
}

/// Removes the runs of an owner that is being deleted.
pub(crate) fn forget(cx: &mut Cx<'_, '_>, owner: Uuid) -> Result<()> {
    for run in paging::all::<FreeRun>(cx.tx, &ListBy::Parent(owner))? {
        cx.tx.remove::<FreeRun>(run.meta.id, cx.now)?;
    }
    Ok(())
}

/// The run that contains a number, if it is free; otherwise the last one before it, of the same kind.
fn at_or_before(cx: &mut Cx<'_, '_>, owner: Uuid, number: Number) -> Result<Option<FreeRun>> {
    // The least text greater than the number's own key, which is less than that of the next number.
    let marker = Marker::Name(format!("{}~", number.sort_key()), Uuid::nil());
    let runs: Vec<FreeRun> = cx.tx.page(ListBy::Parent(owner), Sort::NameDesc, Some(marker), 1)?;
    Ok(runs.into_iter().next().filter(|run| run.kind == number.kind))
}

/// Removes numbers from the run that contains them.
fn cut(cx: &mut Cx<'_, '_>, mut run: FreeRun, first: u128, last: u128) -> Result<()> {
    let rest = last.checked_add(1).filter(|next| *next <= run.last);
    let rest = rest.map(|value| Number { kind: run.kind, value });
    let (owner, end) = (run.owner_id, run.last);
    match (first > run.first, rest) {
        (false, None) => {
            cx.tx.remove::<FreeRun>(run.meta.id, cx.now)?;
        }
        (false, Some(rest)) => {
            (run.key, run.first) = (rest.sort_key(), rest.value);
            cx.tx.update(&mut run)?;
        }
        (true, rest) => {
            run.last = first - 1;
            cx.tx.update(&mut run)?;
            if let Some(rest) = rest {
                insert(cx, owner, rest, end)?;
            }
        }
    }
    Ok(())
}

fn insert(cx: &mut Cx<'_, '_>, owner_id: Uuid, first: Number, last: u128) -> Result<()> {
    let (meta, key) = (cx.new_meta(), first.sort_key());
    Ok(cx.tx.insert(&FreeRun { meta, owner_id, key, kind: first.kind, first: first.value, last })?)
}
