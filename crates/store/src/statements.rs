//! The SQL of one table, built once from its declaration.
//!
//! The same text serves both engines. SQLite numbers `$n` parameters by first appearance, so every statement
//! mentions its parameters in ascending order.

use crate::{ListBy, Lookup, Order, Sort, StoreError, Table};

/// Rows that are not soft-deleted: the condition of every partial index.
pub(crate) const LIVE: &str = "\"time_deleted\" IS NULL";

/// The four statements of one list in one order.
#[derive(Debug, Default)]
pub(crate) struct List {
    first: String,
    after: String,
    first_descending: String,
    after_descending: String,
}

/// The statements of one source of lists: all rows, one parent, or one value of a lookup.
#[derive(Debug)]
pub(crate) struct Source {
    /// By position in [`Order::ALL`]; `None` where the table declares no such order.
    lists: [Option<List>; 3],
    pub(crate) count: String,
    pub(crate) exists: String,
}

/// The statements of one lookup.
#[derive(Debug)]
pub(crate) struct LookupStatements {
    pub(crate) find: String,
    pub(crate) up_to: String,
    pub(crate) source: Source,
}

/// All statements of one table.
#[derive(Debug)]
pub(crate) struct Statements {
    pub(crate) insert: String,
    pub(crate) update_document: String,
    pub(crate) update: String,
    pub(crate) remove: String,
    pub(crate) purge: String,
    pub(crate) get: String,
    pub(crate) get_any: String,
    pub(crate) get_by_name: String,
    pub(crate) all: Source,
    pub(crate) parent: Source,
    pub(crate) lookups: Vec<LookupStatements>,
}

impl Statements {
    pub(crate) fn new(table: &Table) -> Self {
        let name = table.name;
        Self {
            insert: insert(table),
            update_document: update_document(table),
            update: update(table),
            remove: format!("DELETE FROM \"{name}\" WHERE \"id\" = $1"),
            purge: format!(
                "DELETE FROM \"{name}\" WHERE \"id\" IN (SELECT \"id\" FROM \"{name}\" \
                 WHERE \"time_deleted\" IS NOT NULL AND \"time_deleted\" < $1 \
                 ORDER BY \"time_deleted\" LIMIT $2)"
            ),
            get: format!("SELECT \"document\" FROM \"{name}\" WHERE \"id\" = $1 AND {LIVE}"),
            get_any: format!("SELECT \"document\" FROM \"{name}\" WHERE \"id\" = $1"),
            get_by_name: format!(
                "SELECT \"document\" FROM \"{name}\" WHERE \"parent_id\" = $1 AND \"name\" = $2 AND {LIVE}"
            ),
            all: Source::new(table, None, false, |order| {
                order == Order::Id || table.all_orders.contains(&order)
            }),
            parent: Source::new(table, Some("parent_id"), true, |order| table.parent_orders.contains(&order)),
            lookups: table.lookups.iter().map(|lookup| LookupStatements::new(table, lookup)).collect(),
        }
    }

    /// The statements of a source, with what the error calls it when the table lacks it.
    pub(crate) fn source(&self, table: &Table, by: &ListBy) -> Result<&Source, StoreError> {
        match by {
            ListBy::All => Ok(&self.all),
            ListBy::Parent(_) if table.indexes_parent() => Ok(&self.parent),
            ListBy::Parent(_) => {
                Err(StoreError::Internal(format!("table {} declares no list by parent", table.name)))
            }
            ListBy::Lookup(lookup, _) => Ok(&self.lookups[table.position(lookup)?].source),
        }
    }

    /// Every statement that reads, with a name for reports.
    pub(crate) fn reading(&self, table: &Table) -> Vec<(String, &str)> {
        let mut all: Vec<(String, &str)> = vec![
            ("get".into(), &self.get),
            ("get any".into(), &self.get_any),
            ("purge".into(), &self.purge),
            ("update".into(), &self.update),
            ("update document".into(), &self.update_document),
        ];
        if table.named {
            all.push(("get by name".into(), &self.get_by_name));
        }
        self.all.reading("all", &mut all);
        if table.indexes_parent() {
            self.parent.reading("parent", &mut all);
        }
        for (lookup, statements) in table.lookups.iter().zip(&self.lookups) {
            let column = lookup.column;
            all.push((format!("find by {column}"), &statements.find));
            all.push((format!("up to {column}"), &statements.up_to));
            statements.source.reading(column, &mut all);
        }
        all
    }
}

impl LookupStatements {
    fn new(table: &Table, lookup: &Lookup) -> Self {
        let (name, column) = (table.name, lookup.column);
        let tie = if lookup.unique { "" } else { ", \"id\"" };
        let first = if lookup.unique { "" } else { " ORDER BY \"id\" LIMIT 1" };
        Self {
            find: format!("SELECT \"document\" FROM \"{name}\" WHERE \"{column}\" = $1 AND {LIVE}{first}"),
            up_to: format!(
                "SELECT \"document\" FROM \"{name}\" WHERE \"{column}\" <= $1 AND {LIVE} \
                 ORDER BY \"{column}\"{tie} LIMIT $2"
            ),
            source: Source::new(table, Some(column), false, |order| lookup.orders.contains(&order)),
        }
    }
}

impl Source {
    fn new(table: &Table, column: Option<&str>, names_unique: bool, offers: impl Fn(Order) -> bool) -> Self {
        let name = table.name;
        let condition =
            column.map_or_else(|| LIVE.to_owned(), |column| format!("\"{column}\" = $1 AND {LIVE}"));
        let used = usize::from(column.is_some());
        Self {
            lists: Order::ALL
                .map(|order| offers(order).then(|| List::new(name, &condition, used, order, names_unique))),
            count: format!("SELECT count(*) FROM \"{name}\" WHERE {condition}"),
            exists: format!("SELECT 1 FROM \"{name}\" WHERE {condition} LIMIT 1"),
        }
    }

    /// The statement for a page, or none where the table declares no such order.
    pub(crate) fn list(&self, sort: Sort, continued: bool) -> Option<&str> {
        let position = Order::ALL.iter().position(|order| *order == sort.order())?;
        let list = self.lists[position].as_ref()?;
        Some(match (continued, sort.descending()) {
            (false, false) => &list.first,
            (true, false) => &list.after,
            (false, true) => &list.first_descending,
            (true, true) => &list.after_descending,
        })
    }

    fn reading<'a>(&'a self, source: &str, all: &mut Vec<(String, &'a str)>) {
        for (order, list) in Order::ALL.iter().zip(&self.lists) {
            let Some(list) = list else { continue };
            let order = format!("{order:?}").to_lowercase();
            all.push((format!("list {source} by {order}"), &list.first));
            all.push((format!("list {source} by {order}, continued"), &list.after));
            all.push((format!("list {source} by {order}, descending"), &list.first_descending));
            all.push((format!("list {source} by {order}, descending, continued"), &list.after_descending));
        }
        all.push((format!("count {source}"), &self.count));
        all.push((format!("exists {source}"), &self.exists));
    }
}

impl List {
    fn new(table: &str, condition: &str, used: usize, order: Order, names_unique: bool) -> Self {
        let columns: &[&str] = match order {
            Order::Name if names_unique => &["name"],
            Order::Name => &["name", "id"],
            Order::Id => &["id"],
            Order::Time => &["time_created", "id"],
        };
        let statement = |continued: bool, descending: bool| {
            let (operator, direction) = if descending { ("<", " DESC") } else { (">", "") };
            let mut next = used;
            let mut parameter = || {
                next += 1;
                format!("${next}")
            };
            let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
            let marker = if continued {
                let parameters: Vec<String> = columns.iter().map(|_| parameter()).collect();
                format!(" AND ({}) {operator} ({})", quoted.join(", "), parameters.join(", "))
            } else {
                String::new()
            };
            let limit = parameter();
            let sorted: Vec<String> = quoted.iter().map(|column| format!("{column}{direction}")).collect();
            let sorted = sorted.join(", ");
            format!(
                "SELECT \"document\" FROM \"{table}\" WHERE {condition}{marker} ORDER BY {sorted} LIMIT {limit}"
            )
        };
        Self {
            first: statement(false, false),
            after: statement(true, false),
            first_descending: statement(false, true),
            after_descending: statement(true, true),
        }
    }
}

/// Parameters: id, parent, created, modified, deleted, generation, document, the name if named, the lookups.
fn insert(table: &Table) -> String {
    let mut columns =
        vec!["id", "parent_id", "time_created", "time_modified", "time_deleted", "generation", "document"];
    columns.extend(key_columns(table));
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let parameters: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
    format!(
        "INSERT INTO \"{}\" ({}) VALUES ({}) ON CONFLICT DO NOTHING",
        table.name,
        quoted.join(", "),
        parameters.join(", ")
    )
}

/// Changes the document where no indexed column changes, which leaves every index alone.
///
/// Parameters: modified, generation, document, id, old generation, parent, the name if named, the lookups.
fn update_document(table: &Table) -> String {
    let unchanged: Vec<String> = key_columns(table)
        .enumerate()
        .map(|(offset, column)| format!(" AND \"{column}\" IS NOT DISTINCT FROM ${}", 7 + offset))
        .collect();
    let unchanged = unchanged.concat();
    format!(
        "UPDATE \"{}\" SET \"time_modified\" = $1, \"generation\" = $2, \"document\" = $3 \
         WHERE \"id\" = $4 AND \"generation\" = $5 AND {LIVE} AND \"parent_id\" = $6{unchanged}",
        table.name
    )
}

/// Parameters: modified, deleted, generation, document, parent, the name if named, the lookups, id, old generation.
fn update(table: &Table) -> String {
    let changed: Vec<String> = key_columns(table)
        .enumerate()
        .map(|(offset, column)| format!(", \"{column}\" = ${}", 6 + offset))
        .collect();
    let next = 6 + changed.len();
    let changed = changed.concat();
    format!(
        "UPDATE \"{}\" SET \"time_modified\" = $1, \"time_deleted\" = $2, \"generation\" = $3, \
         \"document\" = $4, \"parent_id\" = $5{changed} \
         WHERE \"id\" = ${next} AND \"generation\" = ${} AND {LIVE}",
        table.name,
        next + 1
    )
}

fn key_columns(table: &Table) -> impl Iterator<Item = &'static str> {
    let name = table.named.then_some("name");
    name.into_iter().chain(table.lookups.iter().map(|lookup| lookup.column))
}
