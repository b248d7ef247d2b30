//! Giving out numbers: addresses of pools and subnets, hardware addresses of VPCs.
//!
//! What is free is kept, as [runs](FreeRun) of consecutive numbers that never touch; what is taken is known by whoever
//! took it. Each function reads and writes a fixed number of rows, found through an index.

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Marker, Sort,
    records::{FreeRun, Number, NumberKind},
};
use uuid::Uuid;

use crate::{Cx, Declaration, Resource, SiloDeletion, paging};

impl Resource for FreeRun {
    // Those of VPCs and subnets went with them; those of pools are the fleet's.
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// The lowest number that is free, of one kind or of any: then IPv4 addresses come before IPv6 addresses.
pub(crate) fn lowest(cx: &mut Cx<'_, '_>, owner: Uuid, kind: Option<NumberKind>) -> Result<Option<Number>> {
    let run = first_run(cx, owner, kind)?;
    Ok(run.map(|run| Number { kind: run.kind, value: run.first }))
}

/// Takes the [lowest] number that is free; `None` if there is none.
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

/// Where the numbers of a kind begin in a list that their sort keys order.
pub(crate) fn before_all(kind: NumberKind) -> Marker {
    Marker::Name(kind.key_prefix().to_owned(), Uuid::nil())
}

/// Takes certain numbers, both ends included. False, and nothing taken, if one of them is not free.
pub(crate) fn take(cx: &mut Cx<'_, '_>, owner: Uuid, first: Number, last: Number) -> Result<bool> {
    match at_or_before(cx, owner, first)? {
        Some(run) if run.last >= last.value => {
            cut(cx, run, first.value, last.value)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Gives numbers back, or gives them to an owner for the first time, both ends included.
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

/// Forgets what is free of an owner that is being deleted.
pub(crate) fn forget(cx: &mut Cx<'_, '_>, owner: Uuid) -> Result<()> {
    for run in paging::all::<FreeRun>(cx.tx, &ListBy::Parent(owner))? {
        cx.tx.remove::<FreeRun>(run.meta.id, cx.now)?;
    }
    Ok(())
}

/// The run that a number is in, if it is free; otherwise the last one before it, of the same kind.
fn at_or_before(cx: &mut Cx<'_, '_>, owner: Uuid, number: Number) -> Result<Option<FreeRun>> {
    // The least text that comes after the number's own key and before that of the next number.
    let marker = Marker::Name(format!("{}~", number.sort_key()), Uuid::nil());
    let runs: Vec<FreeRun> = cx.tx.page(ListBy::Parent(owner), Sort::NameDesc, Some(marker), 1)?;
    Ok(runs.into_iter().next().filter(|run| run.kind == number.kind))
}

/// Takes numbers out of the run that they are in.
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
