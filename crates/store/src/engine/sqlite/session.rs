//! The store's operations on one SQLite connection.

use rusqlite::{
    CachedStatement, Connection, ErrorCode, ToSql, ffi, params_from_iter,
    types::{ToSqlOutput, ValueRef},
};
use uuid::Uuid;

use crate::{
    Change, StoreError,
    change::PendingChange,
    columns::generation,
    engine::{Row, Session, change_from_row},
    key::Value,
};

/// A connection within a transaction that somebody else opened and will close.
pub(crate) struct SqliteSession<'a> {
    connection: &'a Connection,
    failure: Option<StoreError>,
}

impl<'a> SqliteSession<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self { connection, failure: None }
    }

    /// The failure, if any, after which nothing done in the transaction can be kept.
    pub(crate) fn failure(&mut self) -> Option<StoreError> {
        self.failure.take()
    }

    fn prepare(&mut self, sql: &str) -> Result<CachedStatement<'a>, StoreError> {
        let connection = self.connection;
        connection.prepare_cached(sql).map_err(|error| self.failed(error))
    }

    fn failed(&mut self, error: rusqlite::Error) -> StoreError {
        let error = store_error(error);
        if matches!(error, StoreError::Full(_) | StoreError::Corrupt(_) | StoreError::Unavailable(_)) {
            self.failure = Some(error.clone());
        }
        error
    }

    /// Runs a statement for each term of an entry and each audience.
    fn each_term(
        &mut self,
        sql: &str,
        entry: i64,
        audiences: &[i64],
        terms: &[String],
    ) -> Result<(), StoreError> {
        let mut statement = self.prepare(sql)?;
        for audience in audiences {
            for term in terms {
                let result = statement.execute((audience, term, entry));
                result.map_err(|error| self.failed(error))?;
            }
        }
        Ok(())
    }

    fn run(&mut self, sql: &str) -> Result<(), StoreError> {
        self.execute(sql, &[]).map(|_| ())
    }
}

impl Session for SqliteSession<'_> {
    fn execute(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<usize, StoreError> {
        let mut statement = self.prepare(sql)?;
        statement.execute(params_from_iter(parameters)).map_err(|error| self.failed(error))
    }

    fn execute_checked(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<usize, StoreError> {
        // A violated index undoes only the statement, which is all that is asked.
        self.execute(sql, parameters)
    }

    fn query(
        &mut self,
        sql: &str,
        parameters: &[Value<'_>],
        handle: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.prepare(sql)?;
        let mut rows = statement.query(params_from_iter(parameters)).map_err(|error| self.failed(error))?;
        while let Some(row) = rows.next().map_err(|error| self.failed(error))? {
            handle(row)?;
        }
        Ok(())
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.failed(error))
    }

    fn begin_nested(&mut self) -> Result<(), StoreError> {
        self.run("SAVEPOINT croft_part")
    }

    fn keep_nested(&mut self) -> Result<(), StoreError> {
        self.run("RELEASE croft_part")
    }

    fn undo_nested(&mut self) -> Result<(), StoreError> {
        // Some failures make SQLite roll back the whole transaction; then there is no savepoint left.
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.run("ROLLBACK TO croft_part")?;
        self.run("RELEASE croft_part")
    }

    fn write_terms(&mut self, entry: i64, audiences: &[i64], terms: &[String]) -> Result<(), StoreError> {
        self.each_term(
            "INSERT INTO \"search_term\" (\"audience\", \"term\", \"entry\") VALUES ($1, $2, $3) \
             ON CONFLICT DO NOTHING",
            entry,
            audiences,
            terms,
        )
    }

    fn erase_terms(&mut self, entry: i64, audiences: &[i64], terms: &[String]) -> Result<(), StoreError> {
        self.each_term(
            "DELETE FROM \"search_term\" WHERE \"audience\" = $1 AND \"term\" = $2 AND \"entry\" = $3",
            entry,
            audiences,
            terms,
        )
    }

    fn write_changes(&mut self, changes: &[PendingChange]) -> Result<(), StoreError> {
        let sql = "INSERT INTO \"change_log\" \
                   (\"time\", \"kind\", \"id\", \"parent_id\", \"silo_id\", \"project_id\", \"action\", \
                   \"generation\") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        for change in changes {
            let id = |id: Option<Uuid>| id.map_or(Value::Null, Value::Id);
            let parameters = [
                Value::Int(change.time.as_microsecond()),
                Value::Text(change.kind),
                Value::Id(change.id),
                Value::Id(change.parent),
                id(change.silo),
                id(change.project),
                Value::Int(change.action.number()),
                generation(change.generation)?,
            ];
            self.execute(sql, &parameters)?;
        }
        Ok(())
    }

    fn read_changes(&mut self, seq: i64, limit: i64) -> Result<Vec<Change>, StoreError> {
        let sql = "SELECT \"seq\", \"time\", \"kind\", \"id\", \"parent_id\", \"silo_id\", \"project_id\", \"action\", \
                   \"generation\" FROM \"change_log\" WHERE \"seq\" > $1 ORDER BY \"seq\" LIMIT $2";
        let mut changes = Vec::new();
        self.query(sql, &[Value::Int(seq), Value::Int(limit)], &mut |row| {
            changes.push(change_from_row(row)?);
            Ok(())
        })?;
        Ok(changes)
    }

    fn last_change(&mut self) -> Result<i64, StoreError> {
        let mut last = 0;
        self.query("SELECT coalesce(max(\"seq\"), 0) FROM \"change_log\"", &[], &mut |row| {
            last = row.integer(0)?;
            Ok(())
        })?;
        Ok(last)
    }

    fn problems(&mut self) -> Result<Vec<String>, StoreError> {
        let mut problems = Vec::new();
        self.query("PRAGMA quick_check", &[], &mut |row| {
            let line = row.text(0)?.to_owned();
            if line != "ok" {
                problems.push(line);
            }
            Ok(())
        })?;
        Ok(problems)
    }
}

impl Row for rusqlite::Row<'_> {
    fn text(&self, column: usize) -> Result<&str, StoreError> {
        match self.get_ref(column).map_err(store_error)? {
            ValueRef::Text(bytes) => str::from_utf8(bytes)
                .map_err(|error| StoreError::Corrupt(format!("a text is not UTF-8: {error}"))),
            other => Err(wrong_type(other)),
        }
    }

    fn integer(&self, column: usize) -> Result<i64, StoreError> {
        match self.get_ref(column).map_err(store_error)? {
            ValueRef::Integer(number) => Ok(number),
            other => Err(wrong_type(other)),
        }
    }

    fn id(&self, column: usize) -> Result<Option<Uuid>, StoreError> {
        match self.get_ref(column).map_err(store_error)? {
            ValueRef::Null => Ok(None),
            ValueRef::Blob(bytes) => Uuid::from_slice(bytes).map(Some).map_err(StoreError::internal),
            other => Err(wrong_type(other)),
        }
    }
}

fn wrong_type(found: ValueRef<'_>) -> StoreError {
    StoreError::Corrupt(format!("a column holds a value of type {}", found.data_type()))
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Id(id) => ValueRef::Blob(id.as_bytes()),
            Self::Text(text) | Self::Document(text) => ValueRef::Text(text.as_bytes()),
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// What an error of SQLite means to the store.
pub(crate) fn store_error(error: rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(failure, message) = &error else {
        return StoreError::internal(error);
    };
    let detail = message.clone().unwrap_or_else(|| failure.to_string());
    let exists = [ffi::SQLITE_CONSTRAINT_UNIQUE, ffi::SQLITE_CONSTRAINT_PRIMARYKEY];
    match failure.code {
        ErrorCode::ConstraintViolation if exists.contains(&failure.extended_code) => StoreError::Exists,
        ErrorCode::DiskFull => StoreError::Full(detail),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Corrupt(detail),
        ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::ReadOnly
        | ErrorCode::PermissionDenied
        | ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => StoreError::Unavailable(detail),
        _ => StoreError::internal(error),
    }
}
