//! The statements that create tables and indexes, for both dialects, from the tables' declarations.

use crate::{Dialect, KeyKind, Lookup, Order, Schema, Table, statements::LIVE};

/// What migration `number` does to the tables of a schema: creates the tables and adds the lookups that are
/// declared to exist since then.
pub(crate) fn table_steps(schema: &Schema, dialect: Dialect, number: u32) -> Vec<String> {
    let mut steps = Vec::new();
    for table in schema.tables {
        if table.since == number {
            create_table(table, dialect, &mut steps);
        } else if table.since < number {
            for lookup in table.lookups.iter().filter(|lookup| lookup.since == number) {
                let kind = column_type(lookup.kind, dialect);
                steps.push(format!("ALTER TABLE \"{}\" ADD COLUMN \"{}\" {kind}", table.name, lookup.column));
                lookup_indexes(table, lookup, &mut steps);
            }
        }
    }
    steps
}

/// The change log and the engine's own settings.
pub(crate) fn base_steps(dialect: Dialect) -> Vec<String> {
    let id = column_type(KeyKind::Id, dialect);
    let (sequence, integer) = match dialect {
        Dialect::Sqlite => ("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER"),
        Dialect::Postgres => ("BIGINT PRIMARY KEY", "BIGINT"),
    };
    let mut steps = vec![format!(
        "CREATE TABLE \"change_log\" (\"seq\" {sequence}, \"time\" {integer} NOT NULL, \"kind\" TEXT NOT NULL, \
         \"id\" {id} NOT NULL, \"parent_id\" {id} NOT NULL, \"silo_id\" {id}, \"project_id\" {id}, \
         \"action\" {integer} NOT NULL, \"generation\" {integer} NOT NULL)"
    )];
    if dialect == Dialect::Postgres {
        steps.push(
            "CREATE TABLE \"croft_setting\" (\"key\" TEXT PRIMARY KEY, \"value\" BIGINT NOT NULL)".into(),
        );
        steps.push("INSERT INTO \"croft_setting\" VALUES ('change_base', 0)".into());
    }
    steps
}

fn create_table(table: &Table, dialect: Dialect, steps: &mut Vec<String>) {
    let id = column_type(KeyKind::Id, dialect);
    let integer = column_type(KeyKind::Int, dialect);
    let text = column_type(KeyKind::Text, dialect);
    let document = match dialect {
        Dialect::Sqlite => "TEXT",
        Dialect::Postgres => "JSON",
    };
    let mut columns = vec![
        format!("\"id\" {id} PRIMARY KEY NOT NULL"),
        format!("\"parent_id\" {id} NOT NULL"),
        format!("\"time_created\" {integer} NOT NULL"),
        format!("\"time_modified\" {integer} NOT NULL"),
        format!("\"time_deleted\" {integer}"),
        format!("\"generation\" {integer} NOT NULL"),
    ];
    if table.named {
        columns.push(format!("\"name\" {text} NOT NULL"));
    }
    for lookup in table.lookups.iter().filter(|lookup| lookup.since <= table.since) {
        columns.push(format!("\"{}\" {}", lookup.column, column_type(lookup.kind, dialect)));
    }
    // The document comes last, so that reading a key column never walks through a long document.
    columns.push(format!("\"document\" {document} NOT NULL"));
    steps.push(format!("CREATE TABLE \"{}\" ({})", table.name, columns.join(", ")));
    table_indexes(table, steps);
    for lookup in table.lookups.iter().filter(|lookup| lookup.since <= table.since) {
        lookup_indexes(table, lookup, steps);
    }
}

fn table_indexes(table: &Table, steps: &mut Vec<String>) {
    let name = table.name;
    if table.named {
        steps.push(format!(
            "CREATE UNIQUE INDEX \"{name}_parent_name\" ON \"{name}\" (\"parent_id\", \"name\") WHERE {LIVE}"
        ));
    }
    for order in table.parent_orders {
        match order {
            Order::Name => {}
            Order::Id => index(name, "parent_id", &["parent_id", "id"], LIVE, steps),
            Order::Time => index(name, "parent_time", &["parent_id", "time_created", "id"], LIVE, steps),
        }
    }
    for order in table.all_orders {
        match order {
            Order::Name => index(name, "all_name", &["name", "id"], LIVE, steps),
            Order::Id => {}
            Order::Time => index(name, "all_time", &["time_created", "id"], LIVE, steps),
        }
    }
    index(name, "deleted", &["time_deleted"], "\"time_deleted\" IS NOT NULL", steps);
}

fn lookup_indexes(table: &Table, lookup: &Lookup, steps: &mut Vec<String>) {
    let (name, column) = (table.name, lookup.column);
    let condition = format!("{LIVE} AND \"{column}\" IS NOT NULL");
    if lookup.unique {
        steps.push(format!(
            "CREATE UNIQUE INDEX \"{name}_by_{column}\" ON \"{name}\" (\"{column}\") WHERE {condition}"
        ));
    } else {
        index(name, &format!("by_{column}"), &[column, "id"], &condition, steps);
    }
    for order in lookup.orders {
        match order {
            Order::Name => {
                index(name, &format!("by_{column}_name"), &[column, "name", "id"], &condition, steps);
            }
            Order::Id => {}
            Order::Time => {
                index(name, &format!("by_{column}_time"), &[column, "time_created", "id"], &condition, steps);
            }
        }
    }
}

fn index(table: &str, suffix: &str, columns: &[&str], condition: &str, steps: &mut Vec<String>) {
    let columns: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let columns = columns.join(", ");
    steps.push(format!("CREATE INDEX \"{table}_{suffix}\" ON \"{table}\" ({columns}) WHERE {condition}"));
}

fn column_type(kind: KeyKind, dialect: Dialect) -> &'static str {
    match (kind, dialect) {
        (KeyKind::Id | KeyKind::Bytes, Dialect::Sqlite) => "BLOB",
        (KeyKind::Text, Dialect::Sqlite) => "TEXT",
        (KeyKind::Int, Dialect::Sqlite) => "INTEGER",
        (KeyKind::Id, Dialect::Postgres) => "UUID",
        (KeyKind::Bytes, Dialect::Postgres) => "BYTEA",
        // Bytewise order, as in SQLite, whatever the database's locale.
        (KeyKind::Text, Dialect::Postgres) => "TEXT COLLATE \"C\"",
        (KeyKind::Int, Dialect::Postgres) => "BIGINT",
    }
}
