//! What the tables of a schema are at a version: computed from the declarations by undoing what later migrations change.

use std::fmt::Write as _;

use crate::{Edit, KeyKind, Lookup, Order, Schema, Table, statements::LIVE};

/// The tables at one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) tables: Vec<TableShape>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableShape {
    /// The same at every version, whatever the table is called: its place among the schema's declarations.
    pub(crate) identity: usize,
    pub(crate) name: &'static str,
    pub(crate) named: bool,
    pub(crate) columns: Vec<ColumnShape>,
    pub(crate) indexes: Vec<IndexShape>,
}

/// The column of a lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColumnShape {
    /// The same at every version: the column's latest name.
    pub(crate) identity: &'static str,
    pub(crate) name: &'static str,
    pub(crate) kind: KeyKind,
}

/// An index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndexShape {
    pub(crate) name: String,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) unique: bool,
    pub(crate) condition: String,
}

impl Shape {
    /// The tables of a schema at a version; none at version 0.
    pub(crate) fn at(schema: &Schema, version: u32) -> Self {
        let declared = schema.tables.iter().map(|table| (*table, u32::MAX));
        let dropped = schema.dropped.iter().map(|(by, table)| (*table, *by));
        let tables = declared.chain(dropped).enumerate();
        let present = tables.filter(|(_, (table, dropped))| (table.since..*dropped).contains(&version));
        Self {
            tables: present.map(|(identity, (table, _))| TableShape::at(identity, table, version)).collect(),
        }
    }

    /// A short text that differs where the tables do.
    pub(crate) fn fingerprint(&self) -> String {
        format!("{:016x}", hash(self.description().as_bytes()))
    }

    /// Everything about the tables, a line for each table, column and index. Sorted, since the order in which tables
    /// are declared makes no difference to what is stored.
    fn description(&self) -> String {
        let mut lines = Vec::new();
        for table in &self.tables {
            lines.push(format!("table {} named={}", table.name, table.named));
            for column in &table.columns {
                lines.push(format!("column {}.{} {:?}", table.name, column.name, column.kind));
            }
            for IndexShape { name, columns, unique, condition } in &table.indexes {
                lines.push(format!("index {name} {} unique={unique} {condition}", columns.join(",")));
            }
        }
        lines.sort_unstable();
        lines.iter().fold(String::new(), |mut text, line| {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{line}");
            text
        })
    }
}

/// FNV-1a with 64 bits: enough where two that are the same do no harm.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A lookup as it was at a version.
struct LookupShape {
    lookup: &'static Lookup,
    column: &'static str,
    orders: Vec<Order>,
}

impl TableShape {
    fn at(identity: usize, table: &'static Table, version: u32) -> Self {
        let mut shape = RevertedShape::declared(table, version);
        // From the latest to the earliest, each reverted.
        for (_, edit) in table.history.iter().rev().filter(|(migration, _)| *migration > version) {
            shape.undo(edit, version);
        }
        let column = |lookup: &LookupShape| ColumnShape {
            identity: lookup.lookup.column,
            name: lookup.column,
            kind: lookup.lookup.kind,
        };
        Self {
            identity,
            name: shape.name,
            named: table.named,
            columns: shape.lookups.iter().map(column).collect(),
            indexes: shape.indexes(table.named),
        }
    }
}

/// A declaration of which later edits are being undone.
struct RevertedShape {
    name: &'static str,
    parent_orders: Vec<Order>,
    all_orders: Vec<Order>,
    lookups: Vec<LookupShape>,
}

impl RevertedShape {
    fn declared(table: &'static Table, version: u32) -> Self {
        let present = table.lookups.iter().filter(|lookup| lookup.since.max(table.since) <= version);
        Self {
            name: table.name,
            parent_orders: table.parent_orders.to_vec(),
            all_orders: table.all_orders.to_vec(),
            lookups: present.map(|lookup| LookupShape::new(lookup)).collect(),
        }
    }

    fn undo(&mut self, edit: &'static Edit, version: u32) {
        match edit {
            Edit::Renamed { from } => self.name = from,
            Edit::LookupRenamed { lookup, from } => {
                if let Some(found) = self.lookup(lookup) {
                    found.column = from;
                }
            }
            Edit::LookupDropped(lookup) if lookup.since <= version => {
                self.lookups.push(LookupShape::new(lookup));
            }
            Edit::LookupDropped(_) => {}
            Edit::LookupOrderAdded { lookup, order } => {
                if let Some(found) = self.lookup(lookup) {
                    found.orders.retain(|own| own != order);
                }
            }
            Edit::ParentOrderAdded(order) => self.parent_orders.retain(|own| own != order),
            Edit::ParentOrderDropped(order) => self.parent_orders.push(*order),
            Edit::AllOrderAdded(order) => self.all_orders.retain(|own| own != order),
            Edit::AllOrderDropped(order) => self.all_orders.push(*order),
        }
    }

    /// A lookup by its latest name.
    fn lookup(&mut self, column: &str) -> Option<&mut LookupShape> {
        self.lookups.iter_mut().find(|lookup| lookup.lookup.column == column)
    }

    fn indexes(&self, named: bool) -> Vec<IndexShape> {
        let mut indexes = Vec::new();
        let mut add = |suffix: &str, unique: bool, columns: &[&'static str], condition: &str| {
            let (name, condition) = (format!("{}_{suffix}", self.name), condition.to_owned());
            indexes.push(IndexShape { name, columns: columns.to_vec(), unique, condition });
        };
        if named {
            add("parent_name", true, &["parent_id", "name"], LIVE);
        }
        for order in &self.parent_orders {
            match order {
                Order::Name => {}
                Order::Id => add("parent_id", false, &["parent_id", "id"], LIVE),
                Order::Time => add("parent_time", false, &["parent_id", "time_created", "id"], LIVE),
            }
        }
        for order in &self.all_orders {
            match order {
                Order::Name => add("all_name", false, &["name", "id"], LIVE),
                Order::Id => {}
                Order::Time => add("all_time", false, &["time_created", "id"], LIVE),
            }
        }
        add("deleted", false, &["time_deleted"], "\"time_deleted\" IS NOT NULL");
        for LookupShape { lookup, column, orders } in &self.lookups {
            let condition = format!("{LIVE} AND \"{column}\" IS NOT NULL");
            let suffix = format!("by_{column}");
            if lookup.unique {
                add(&suffix, true, &[column], &condition);
            } else {
                add(&suffix, false, &[column, "id"], &condition);
            }
            for order in orders {
                match order {
                    Order::Name => {
                        add(&format!("{suffix}_name"), false, &[column, "name", "id"], &condition);
                    }
                    Order::Id => {}
                    Order::Time => {
                        add(&format!("{suffix}_time"), false, &[column, "time_created", "id"], &condition);
                    }
                }
            }
        }
        indexes
    }
}

impl LookupShape {
    fn new(lookup: &'static Lookup) -> Self {
        Self { lookup, column: lookup.column, orders: lookup.orders.to_vec() }
    }
}
