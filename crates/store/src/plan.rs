//! How the database will run the store's statements.

use rusqlite::{Connection, params_from_iter, types::Null};

use crate::{
    Schema, StoreError,
    engine::sqlite::{open_in_memory, store_error},
    search,
};

/// The plan of one statement, as SQLite explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryPlan {
    /// The table.
    pub table: &'static str,
    /// What the statement is for, such as `list parent by name, continued`.
    pub purpose: String,
    /// The statement.
    pub statement: String,
    /// The steps.
    pub steps: Vec<String>,
}

impl QueryPlan {
    /// Whether some step sorts, walks a whole table without an index, or walks an index without a constraint though
    /// the statement has one.
    pub fn is_slow(&self) -> bool {
        let over_all_rows = self.purpose.contains(" all");
        let counts_all = matches!(self.purpose.as_str(), "count all" | "exists all");
        // What a step before it finds, no more than it was limited to.
        let is_of_a_step = |step: &str| {
            step.strip_prefix("SCAN ").is_some_and(|name| self.steps.contains(&format!("CO-ROUTINE {name}")))
        };
        let scans_more = |step: &String| {
            let is_wanted = counts_all || (over_all_rows && step.contains("USING INDEX"));
            step.starts_with("SCAN") && !is_wanted && !is_of_a_step(step)
        };
        self.steps.iter().any(|step| step.contains("TEMP B-TREE") || scans_more(step))
    }
}

/// Explains every statement on an empty database of the schema.
pub(crate) fn explain(schema: &Schema) -> Result<Vec<QueryPlan>, StoreError> {
    let connection = open_in_memory(schema)?;
    let mut plans = Vec::new();
    for table in schema.tables {
        for (purpose, sql) in table.statements().reading(table) {
            plans.push(explained(&connection, table.name, purpose, sql)?);
        }
    }
    if schema.migrations.iter().any(|migration| migration.reindexes) {
        for (purpose, sql) in search::index::reading() {
            plans.push(explained(&connection, "search", purpose, &sql)?);
        }
    }
    Ok(plans)
}

fn explained(
    connection: &Connection,
    table: &'static str,
    purpose: String,
    sql: &str,
) -> Result<QueryPlan, StoreError> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).map_err(store_error)?;
    let unbound = vec![Null; statement.parameter_count()];
    let steps = statement
        .query_map(params_from_iter(unbound), |row| row.get::<_, String>("detail"))
        .and_then(Iterator::collect)
        .map_err(store_error)?;
    Ok(QueryPlan { table, purpose, statement: sql.to_owned(), steps })
}
