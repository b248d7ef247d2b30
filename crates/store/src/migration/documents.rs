//! What the data steps of migrations work on: rows and their JSON, whatever the program's record types have become.

use serde_json::Value as Json;
use uuid::Uuid;

use crate::{Key, StoreError, Tx, key::Value};

/// Rows read in one go.
const BATCH: i64 = 500;

/// The tables as a data step sees them. Tables and columns have the names that they have at the migration's version;
/// what the migration renames has its new name, and what it drops is still there.
pub struct Documents<'t, 's> {
    tx: &'t mut Tx<'s>,
}

/// A row that a data step may change.
#[derive(Clone, Debug)]
pub struct StoredRow {
    /// The row's id.
    pub id: Uuid,
    /// Whether the row is not soft-deleted.
    pub is_live: bool,
    /// The whole record.
    pub document: Json,
    columns: Vec<(&'static str, Key)>,
}

impl StoredRow {
    /// Writes the column of a lookup.
    pub fn set(&mut self, column: &'static str, key: impl Into<Key>) {
        self.columns.push((column, key.into()));
    }

    /// The UUID in a field of the document; `None` where the field is missing or null.
    ///
    /// # Errors
    /// The field holds something else.
    pub fn id_in(&self, field: &str) -> Result<Option<Uuid>, StoreError> {
        match self.document.get(field) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => text.parse().map(Some).map_err(StoreError::internal),
            Some(other) => Err(StoreError::Internal(format!("field {field} holds {other} and no id"))),
        }
    }
}

/// A row that a data step adds. Its id, times and generation are those in the document's `meta`.
#[derive(Clone, Debug)]
pub struct NewRow<'r> {
    /// What the row is listed under; nil for a root.
    pub parent: Uuid,
    /// The name, in tables with names.
    pub name: Option<&'r str>,
    /// The columns of lookups.
    pub columns: &'r [(&'static str, Key)],
    /// The whole record.
    pub document: Json,
}

impl<'t, 's> Documents<'t, 's> {
    pub(crate) fn new(tx: &'t mut Tx<'s>) -> Self {
        Self { tx }
    }

    /// Hands out every row of a table in the order of ids, soft-deleted ones too, and writes back those that were
    /// changed.
    ///
    /// # Errors
    /// A row cannot be read or written, or `change` failed.
    pub fn rewrite(
        &mut self,
        table: &str,
        mut change: impl FnMut(&mut Self, &mut StoredRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let first = format!("SELECT {COLUMNS} FROM \"{table}\" ORDER BY \"id\" LIMIT $1");
        let next = format!("SELECT {COLUMNS} FROM \"{table}\" WHERE \"id\" > $1 ORDER BY \"id\" LIMIT $2");
        let mut rows = self.rows(&first, &[Value::Int(BATCH)])?;
        while let Some(last) = rows.last().map(|row| row.id) {
            for mut row in rows {
                let before = row.document.clone();
                change(self, &mut row)?;
                if row.document != before || !row.columns.is_empty() {
                    self.put(table, &row)?;
                }
            }
            rows = self.rows(&next, &[Value::Id(last), Value::Int(BATCH)])?;
        }
        Ok(())
    }

    /// The row with this id, soft-deleted or not.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn get(&mut self, table: &str, id: Uuid) -> Result<Option<StoredRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM \"{table}\" WHERE \"id\" = $1");
        Ok(self.rows(&sql, &[Value::Id(id)])?.pop())
    }

    /// The live row with the lowest id among those with this value of a column.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn find(
        &mut self,
        table: &str,
        column: &str,
        key: impl Into<Key>,
    ) -> Result<Option<StoredRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM \"{table}\" WHERE \"{column}\" = $1 AND \"time_deleted\" IS NULL \
             ORDER BY \"id\" LIMIT 1"
        );
        Ok(self.rows(&sql, &[key.into().as_value()])?.pop())
    }

    /// Writes a row's document and the columns that were set. Its generation stays: no program works on the database
    /// while it is migrated.
    ///
    /// # Errors
    /// It cannot be written, for instance because a unique lookup is taken.
    pub fn put(&mut self, table: &str, row: &StoredRow) -> Result<(), StoreError> {
        let document = row.document.to_string();
        let columns = ["document"].into_iter().chain(row.columns.iter().map(|(column, _)| *column));
        let set: Vec<_> =
            columns.zip(1..).map(|(column, place)| format!("\"{column}\" = ${place}")).collect();
        let (set, id) = (set.join(", "), row.columns.len() + 2);
        let sql = format!("UPDATE \"{table}\" SET {set} WHERE \"id\" = ${id}");
        let mut values = vec![Value::Document(&document)];
        values.extend(row.columns.iter().map(|(_, key)| key.as_value()));
        values.push(Value::Id(row.id));
        self.tx.execute(&sql, &values).map(drop)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The document has no `meta`, or the id, the name or a unique lookup is taken.
    pub fn insert(&mut self, table: &str, row: &NewRow<'_>) -> Result<(), StoreError> {
        type Meta = (Uuid, i64, i64, Option<i64>, i64);
        let (id, created, modified, deleted, generation): Meta =
            serde_json::from_value(row.document["meta"].clone())?;
        let document = row.document.to_string();
        let mut columns = vec![
            ("id", Value::Id(id)),
            ("parent_id", Value::Id(row.parent)),
            ("time_created", Value::Int(created)),
            ("time_modified", Value::Int(modified)),
            ("time_deleted", deleted.map_or(Value::Null, Value::Int)),
            ("generation", Value::Int(generation)),
            ("document", Value::Document(&document)),
        ];
        columns.extend(row.name.map(|name| ("name", Value::Text(name))));
        columns.extend(row.columns.iter().map(|(column, key)| (*column, key.as_value())));
        let names: Vec<String> = columns.iter().map(|(column, _)| format!("\"{column}\"")).collect();
        let places: Vec<String> = (1..=columns.len()).map(|place| format!("${place}")).collect();
        let sql = format!("INSERT INTO \"{table}\" ({}) VALUES ({})", names.join(", "), places.join(", "));
        let values: Vec<Value<'_>> = columns.into_iter().map(|(_, value)| value).collect();
        self.tx.execute(&sql, &values).map(drop)
    }

    fn rows(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<Vec<StoredRow>, StoreError> {
        let mut rows = Vec::new();
        self.tx.query(sql, parameters, &mut |row| {
            let id = row.id(0)?.ok_or_else(|| StoreError::Corrupt("a row has no id".into()))?;
            let document = parse(row.text(2)?)?;
            rows.push(StoredRow { id, is_live: row.integer(1)? == 1, document, columns: Vec::new() });
            Ok(())
        })?;
        Ok(rows)
    }
}

/// What [`Documents::rows`] reads: the id, whether the row is live, the document.
const COLUMNS: &str =
    "\"id\", CAST(CASE WHEN \"time_deleted\" IS NULL THEN 1 ELSE 0 END AS BIGINT), \"document\"";

/// Reads a document. One with whole numbers that do not fit 64 bits is refused: as JSON values they would lose digits.
fn parse(document: &str) -> Result<Json, StoreError> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    fn is_exact(value: &Json) -> bool {
        match value {
            Json::Number(number) => {
                !number.is_f64() || number.as_f64().is_some_and(|number| number.abs() < EXACT)
            }
            Json::Array(values) => values.iter().all(is_exact),
            Json::Object(fields) => fields.values().all(is_exact),
            Json::Null | Json::Bool(_) | Json::String(_) => true,
        }
    }
    let value = serde_json::from_str(document)?;
    if is_exact(&value) {
        Ok(value)
    } else {
        Err(StoreError::Internal("a document holds a number that a data step cannot keep exactly".into()))
    }
}
