//! Records that depend on a resource that is to be deleted.

use croft_api::{Error, Result, deletion::DeletionEffect};
use croft_store::{ListBy, Order, Record, Scope, Sort, Tx};
use uuid::Uuid;

use crate::paging;

/// Most records that are read to find those that no index finds.
const MAX_SCANNED: u64 = 10_000;

/// A record that depends on another one.
#[derive(Clone, Debug)]
pub(crate) struct Dependent {
    /// The record, or a part of one.
    pub(crate) id: Uuid,
    /// What people call it, if it has a name.
    pub(crate) name: Option<String>,
    /// Its scope.
    pub(crate) scope: Scope,
    /// Its parent.
    pub(crate) parent: Uuid,
}

impl Dependent {
    /// A record, by its name.
    pub(crate) fn of<R: Record>(record: &R) -> Self {
        let name = record.name().map(str::to_owned);
        Self { id: record.meta().id, name, scope: record.scope(), parent: record.parent() }
    }

    /// Sets what people call it.
    pub(crate) fn named(mut self, name: impl ToString) -> Self {
        self.name = Some(name.to_string());
        self
    }
}

type Count = Box<dyn Fn(&mut Tx<'_>) -> Result<u64>>;
type First = Box<dyn Fn(&mut Tx<'_>, usize) -> Result<Vec<Dependent>>>;
type Refusal = Box<dyn Fn(&str) -> Error>;

/// Records of one kind that depend on a resource in the same way. They are read when they are asked for.
pub(crate) struct Dependents {
    /// Their kind: the name of their table, or of what a part of a record is called.
    pub(crate) kind: &'static str,
    /// The table whose readers may read them.
    pub(crate) table: &'static str,
    /// What the deletion of the resource means for them.
    pub(crate) effect: DeletionEffect,
    /// Whether they may be deleted along with the resource on request.
    pub(crate) may_go_along: bool,
    /// Whether there may be more than were found.
    pub(crate) is_incomplete: bool,
    count: Count,
    first: First,
    refusal: Option<Refusal>,
}

impl Dependents {
    /// The records of a list.
    pub(crate) fn list<R: Record>(effect: DeletionEffect, by: ListBy) -> Self {
        Self::labeled::<R>(effect, by, Dependent::of)
    }

    /// The records of a list, which have no names of their own.
    pub(crate) fn labeled<R: Record>(effect: DeletionEffect, by: ListBy, view: fn(&R) -> Dependent) -> Self {
        let (counted, sort) = (by.clone(), sort_of::<R>(&by));
        let count: Count = Box::new(move |tx| Ok(tx.count::<R>(counted.clone())?));
        let first: First = Box::new(move |tx, limit| {
            let records: Vec<R> = tx.page(by.clone(), sort, None, limit)?;
            Ok(records.iter().map(view).collect())
        });
        Self { count, first, ..Self::parts(R::TABLE.name, R::TABLE.name, effect, Vec::new()) }
    }

    /// These records.
    pub(crate) fn found<R: Record>(effect: DeletionEffect, records: &[R]) -> Self {
        Self::parts(R::TABLE.name, R::TABLE.name, effect, records.iter().map(Dependent::of).collect())
    }

    /// Those of the first [`MAX_SCANNED`] records of a list that fit: for what no index finds.
    pub(crate) fn scanned<R: Record>(
        effect: DeletionEffect,
        tx: &mut Tx<'_>,
        by: &ListBy,
        fits: impl Fn(&R) -> bool,
    ) -> Result<Self> {
        let (mut looked_at, mut fitting) = (0, Vec::new());
        let is_incomplete = paging::any(tx, by, |_, record: &R| {
            looked_at += 1;
            if looked_at <= MAX_SCANNED && fits(record) {
                fitting.push(record.clone());
            }
            Ok(looked_at > MAX_SCANNED)
        })?;
        Ok(Self { is_incomplete, ..Self::found(effect, &fitting) })
    }

    /// Parts of records, of which the readers of a table may know.
    pub(crate) fn parts(
        kind: &'static str,
        table: &'static str,
        effect: DeletionEffect,
        all: Vec<Dependent>,
    ) -> Self {
        let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
        Self {
            kind,
            table,
            effect,
            may_go_along: false,
            is_incomplete: false,
            count: Box::new(move |_| Ok(total)),
            first: Box::new(move |_, limit| Ok(all.iter().take(limit).cloned().collect())),
            refusal: None,
        }
    }

    /// Says that they may be deleted along with the resource on request.
    #[must_use]
    pub(crate) fn along(mut self) -> Self {
        self.may_go_along = true;
        self
    }

    /// Sets the error that refuses the deletion because of them, given the name of the first.
    #[must_use]
    pub(crate) fn refused(mut self, refusal: impl Fn(&str) -> Error + 'static) -> Self {
        self.refusal = Some(Box::new(refusal));
        self
    }

    /// Sets the message of the error that refuses the deletion because of them.
    #[must_use]
    pub(crate) fn refused_because(self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.refused(move |_| Error::invalid_request(text.clone()))
    }

    /// How many there are.
    pub(crate) fn count(&self, tx: &mut Tx<'_>) -> Result<u64> {
        (self.count)(tx)
    }

    /// The first of them, by name if their list can be sorted by name.
    pub(crate) fn first(&self, tx: &mut Tx<'_>, limit: usize) -> Result<Vec<Dependent>> {
        (self.first)(tx, limit)
    }

    /// The error that refuses the deletion because of this one; `None` if they do not prevent it.
    pub(crate) fn refusal(&self, first: &Dependent) -> Option<Error> {
        self.refusal.as_ref().map(|refusal| refusal(first.name.as_deref().unwrap_or_default()))
    }
}

fn sort_of<R: Record>(by: &ListBy) -> Sort {
    let orders = match by {
        ListBy::Parent(_) if R::TABLE.named => &[Order::Name][..],
        ListBy::Parent(_) => R::TABLE.parent_orders,
        ListBy::Lookup(lookup, _) => lookup.orders,
        ListBy::All => R::TABLE.all_orders,
    };
    if orders.contains(&Order::Name) { Sort::NameAsc } else { Sort::IdAsc }
}
