//! The statements that bring tables from one version to the next, for both dialects.

use crate::{
    Dialect, KeyKind, Schema,
    shape::{ColumnShape, IndexShape, Shape, TableShape},
};

/// What a migration does to the tables.
#[derive(Debug, Default)]
pub(crate) struct TableSteps {
    /// Creates and renames, so that what is stored can be changed.
    pub(crate) before_data: Vec<String>,
    /// Drops what was still there to be read.
    pub(crate) after_data: Vec<String>,
}

/// What migration `number` does to the tables of a schema.
pub(crate) fn table_steps(schema: &Schema, dialect: Dialect, number: u32) -> TableSteps {
    let (old, new) = (Shape::at(schema, number - 1), Shape::at(schema, number));
    let mut steps = TableSteps::default();
    let migration = schema.migrations.iter().find(|migration| migration.number == number);
    if let Some(own_tables) = migration.and_then(|migration| migration.own_tables) {
        steps.before_data.extend(own_tables(dialect));
    }
    for table in &new.tables {
        match old.tables.iter().find(|before| before.identity == table.identity) {
            None => create_table(table, dialect, &mut steps.before_data),
            Some(before) => change_table(before, table, dialect, &mut steps),
        }
    }
    for table in &old.tables {
        if !new.tables.iter().any(|after| after.identity == table.identity) {
            steps.after_data.push(format!("DROP TABLE \"{}\"", table.name));
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

fn create_table(table: &TableShape, dialect: Dialect, steps: &mut Vec<String>) {
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
    for ColumnShape { name, kind, .. } in &table.columns {
        columns.push(format!("\"{name}\" {}", column_type(*kind, dialect)));
    }
    // The document comes last, so that reading a key column never walks through a long document.
    columns.push(format!("\"document\" {document} NOT NULL"));
    steps.push(format!("CREATE TABLE \"{}\" ({})", table.name, columns.join(", ")));
    steps.extend(table.indexes.iter().map(|index| create_index(table.name, index)));
}

fn change_table(old: &TableShape, new: &TableShape, dialect: Dialect, steps: &mut TableSteps) {
    let TableSteps { before_data: before, after_data: after } = steps;
    // An index cannot be renamed in SQLite, and a column cannot be dropped while an index covers it.
    let gone = old.indexes.iter().filter(|index| !new.indexes.contains(index));
    before.extend(gone.map(|index| format!("DROP INDEX \"{}\"", index.name)));
    if old.name != new.name {
        before.push(format!("ALTER TABLE \"{}\" RENAME TO \"{}\"", old.name, new.name));
        before.push(format!(
            "UPDATE \"change_log\" SET \"kind\" = '{}' WHERE \"kind\" = '{}'",
            new.name, old.name
        ));
    }
    let table = new.name;
    for ColumnShape { identity, name, kind } in &new.columns {
        match old.columns.iter().find(|column| column.identity == *identity) {
            None => before.push(format!(
                "ALTER TABLE \"{table}\" ADD COLUMN \"{name}\" {}",
                column_type(*kind, dialect)
            )),
            Some(ColumnShape { name: before_name, .. }) if before_name != name => {
                before.push(format!("ALTER TABLE \"{table}\" RENAME COLUMN \"{before_name}\" TO \"{name}\""));
            }
            Some(_) => {}
        }
    }
    let added = new.indexes.iter().filter(|index| !old.indexes.contains(index));
    before.extend(added.map(|index| create_index(table, index)));
    for ColumnShape { identity, name, .. } in &old.columns {
        if !new.columns.iter().any(|column| column.identity == *identity) {
            after.push(format!("ALTER TABLE \"{table}\" DROP COLUMN \"{name}\""));
        }
    }
}

fn create_index(table: &str, index: &IndexShape) -> String {
    let IndexShape { name, columns, unique, condition } = index;
    let unique = if *unique { "UNIQUE " } else { "" };
    let columns: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    format!("CREATE {unique}INDEX \"{name}\" ON \"{table}\" ({}) WHERE {condition}", columns.join(", "))
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
