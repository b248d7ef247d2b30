//! Declarations of tables and of the lists they offer.

use std::{fmt, sync::OnceLock};

use jiff::Timestamp;
use uuid::Uuid;

use crate::{Key, KeyKind, Record, StoreError, statements::Statements};

/// What a list is ordered by, in either direction. Each declared order costs one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By name, then id.
    Name,
    /// By id.
    Id,
    /// By time of creation, then id.
    Time,
}

impl Order {
    pub(crate) const ALL: [Self; 3] = [Self::Name, Self::Id, Self::Time];
}

/// How a page is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Names ascending.
    NameAsc,
    /// Names descending.
    NameDesc,
    /// Ids ascending.
    IdAsc,
    /// Oldest first.
    TimeAsc,
    /// Newest first.
    TimeDesc,
}

impl Sort {
    pub(crate) const fn order(self) -> Order {
        match self {
            Self::NameAsc | Self::NameDesc => Order::Name,
            Self::IdAsc => Order::Id,
            Self::TimeAsc | Self::TimeDesc => Order::Time,
        }
    }

    pub(crate) const fn descending(self) -> bool {
        matches!(self, Self::NameDesc | Self::TimeDesc)
    }
}

/// Which rows a list holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListBy {
    /// The live rows of one parent.
    Parent(Uuid),
    /// The live rows with one value of a lookup. A null finds nothing.
    Lookup(&'static Lookup, Key),
    /// All live rows of the table.
    All,
}

impl ListBy {
    /// The live rows with one value of a lookup.
    pub fn lookup(lookup: &'static Lookup, key: impl Into<Key>) -> Self {
        Self::Lookup(lookup, key.into())
    }
}

/// Where a page starts: after the row that has these values. It need not exist any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// For [`Sort::NameAsc`] and [`Sort::NameDesc`]. The id decides only in lists where names repeat.
    Name(String, Uuid),
    /// For [`Sort::IdAsc`].
    Id(Uuid),
    /// For [`Sort::TimeAsc`] and [`Sort::TimeDesc`]. To start at a moment rather than after a row, use the nil
    /// id ascending and the maximal id descending.
    Time(Timestamp, Uuid),
}

impl Marker {
    /// The marker that continues after this record.
    pub fn after<R: Record>(record: &R, sort: Sort) -> Self {
        let meta = record.meta();
        match sort.order() {
            Order::Name => Self::Name(record.name().unwrap_or_default().to_owned(), meta.id),
            Order::Id => Self::Id(meta.id),
            Order::Time => Self::Time(meta.time_created, meta.id),
        }
    }
}

/// An indexed column of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The column's name.
    pub column: &'static str,
    /// The column's type.
    pub kind: KeyKind,
    /// Whether a value may stand in one live row only.
    pub unique: bool,
    /// The orders in which rows with one value can be listed.
    pub orders: &'static [Order],
    /// The migration that adds the column.
    pub since: u32,
}

impl Lookup {
    /// A lookup that may find many rows, listed by id.
    pub const fn new(column: &'static str, kind: KeyKind) -> Self {
        Self { column, kind, unique: false, orders: &[Order::Id], since: 1 }
    }

    /// A lookup whose value may stand in one live row only.
    pub const fn unique(column: &'static str, kind: KeyKind) -> Self {
        Self { column, kind, unique: true, orders: &[], since: 1 }
    }

    /// Sets the orders in which the rows with one value can be listed.
    #[must_use]
    pub const fn orders(mut self, orders: &'static [Order]) -> Self {
        self.orders = orders;
        self
    }

    /// Says that a later migration adds the column.
    #[must_use]
    pub const fn since(mut self, migration: u32) -> Self {
        self.since = migration;
        self
    }
}

/// What a migration changed of a table that was there before. The declaration says what the table is now; its
/// [history](Table::history) says what it was.
#[derive(Debug, PartialEq, Eq)]
pub enum Edit {
    /// The table had another name.
    Renamed {
        /// Its name before.
        from: &'static str,
    },
    /// The column of a lookup had another name.
    LookupRenamed {
        /// The column's name in the declaration.
        lookup: &'static str,
        /// Its name before.
        from: &'static str,
    },
    /// There was one more lookup. Its column is dropped after the migration's data step, which can still read it.
    LookupDropped(&'static Lookup),
    /// The rows with one value of a lookup could not be listed in this order.
    LookupOrderAdded {
        /// The column's name in the declaration.
        lookup: &'static str,
        /// The order.
        order: Order,
    },
    /// The rows of one parent could not be listed in this order.
    ParentOrderAdded(Order),
    /// The rows of one parent could be listed in this order, too.
    ParentOrderDropped(Order),
    /// All rows could not be listed in this order.
    AllOrderAdded(Order),
    /// All rows could be listed in this order, too.
    AllOrderDropped(Order),
}

/// The declaration of one table.
pub struct Table {
    /// Singular, in snake case; also the change log's kind.
    pub name: &'static str,
    /// Whether records have names, unique among the live rows of one parent.
    pub named: bool,
    /// The orders in which the rows of one parent can be listed.
    pub parent_orders: &'static [Order],
    /// The orders in which all rows can be listed; by id is always possible.
    pub all_orders: &'static [Order],
    /// The indexed columns.
    pub lookups: &'static [&'static Lookup],
    /// Whether changes are written to the change log.
    pub logged: bool,
    /// Whether changes that are [announced](crate::Tx::announce) are written to the change log although others are not.
    pub announced: bool,
    /// Whether removals are written to the change log although other changes are not.
    pub logs_removals: bool,
    /// Whether soft-deleted records are kept for good.
    pub keeps_deleted: bool,
    /// The migration that creates the table.
    pub since: u32,
    /// What later migrations changed of it, each edit with the migration's number, in ascending order.
    pub history: &'static [(u32, Edit)],
    statements: OnceLock<Statements>,
}

impl Table {
    /// A table of records without names; all rows can be listed by id, and looked up.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            named: false,
            parent_orders: &[],
            all_orders: &[],
            lookups: &[],
            logged: true,
            announced: false,
            logs_removals: false,
            keeps_deleted: false,
            since: 1,
            history: &[],
            statements: OnceLock::new(),
        }
    }

    /// A table of records with names; the rows of one parent can be listed by name and by id.
    pub const fn named(name: &'static str) -> Self {
        let mut table = Self::new(name);
        table.named = true;
        table.parent_orders = &[Order::Name, Order::Id];
        table
    }

    /// Sets the orders in which the rows of one parent can be listed.
    #[must_use]
    pub const fn by_parent(mut self, orders: &'static [Order]) -> Self {
        self.parent_orders = orders;
        self
    }

    /// Sets the orders, beside by id, in which all rows can be listed.
    #[must_use]
    pub const fn by_all(mut self, orders: &'static [Order]) -> Self {
        self.all_orders = orders;
        self
    }

    /// Sets the indexed columns.
    #[must_use]
    pub const fn lookups(mut self, lookups: &'static [&'static Lookup]) -> Self {
        self.lookups = lookups;
        self
    }

    /// Keeps the table's changes out of the change log: for counters and sessions, which change at every request
    /// and interest nobody.
    #[must_use]
    pub const fn unlogged(mut self) -> Self {
        self.logged = false;
        self
    }

    /// Like [`Table::unlogged`], but some changes are [announced](crate::Tx::announce): for records that hold counters
    /// beside what people change.
    #[must_use]
    pub const fn announced_only(mut self) -> Self {
        self.logged = false;
        self.announced = true;
        self
    }

    /// Like [`Table::unlogged`], but the end of a record is of interest: for sessions, whose end others have to notice.
    #[must_use]
    pub const fn log_removals_only(mut self) -> Self {
        self.logged = false;
        self.logs_removals = true;
        self
    }

    /// Keeps soft-deleted records for good: for whom the audit log tells of.
    #[must_use]
    pub const fn keep_deleted(mut self) -> Self {
        self.keeps_deleted = true;
        self
    }

    /// Says that a later migration creates the table.
    #[must_use]
    pub const fn since(mut self, migration: u32) -> Self {
        self.since = migration;
        self
    }

    /// Says what later migrations changed of the table, in ascending order of their numbers. A lookup that was added says
    /// [`since`](Lookup::since) itself.
    #[must_use]
    pub const fn history(mut self, history: &'static [(u32, Edit)]) -> Self {
        self.history = history;
        self
    }

    pub(crate) fn statements(&self) -> &Statements {
        self.statements.get_or_init(|| Statements::new(self))
    }

    /// Whether some index starts with the parent, so that its rows can be listed or counted.
    pub(crate) fn indexes_parent(&self) -> bool {
        self.named || !self.parent_orders.is_empty()
    }

    /// The position of a lookup among the table's.
    pub(crate) fn position(&self, lookup: &Lookup) -> Result<usize, StoreError> {
        self.lookups
            .iter()
            .position(|own| std::ptr::eq(*own, lookup) || own.column == lookup.column)
            .ok_or_else(|| {
                StoreError::Internal(format!("table {} has no lookup {}", self.name, lookup.column))
            })
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Table").field("name", &self.name).finish_non_exhaustive()
    }
}
