//! The store's operations on one PostgreSQL connection.

use bytes::BytesMut;
use postgres::{
    Statement,
    error::SqlState,
    types::{FromSql, IsNull, ToSql, Type, to_sql_checked},
};
use uuid::Uuid;

use super::connection::{CHANGE_BITS, Connection};
use crate::{
    Change, StoreError,
    change::PendingChange,
    engine::{Row, Session, change_from_row},
    key::Value,
};

/// Why a statement failed, as far as the transaction around it is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It collided with another transaction: running everything again may succeed.
    Collision,
    /// The connection is gone.
    Lost(String),
    /// Anything else.
    Error(StoreError),
}

impl Failure {
    /// The error that is answered when nothing else helps.
    pub(super) fn into_error(self) -> StoreError {
        match self {
            Self::Collision => StoreError::Conflict,
            Self::Lost(detail) => {
                StoreError::Unavailable(format!("the connection to PostgreSQL was lost: {detail}"))
            }
            Self::Error(error) => error,
        }
    }

    /// The server's message, or else the client's with its cause.
    pub(super) fn describe(error: &postgres::Error) -> String {
        if let Some(error) = error.as_db_error() {
            return format!("{} ({})", error.message(), error.code().code());
        }
        match std::error::Error::source(error) {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        }
    }
}

impl From<&postgres::Error> for Failure {
    fn from(error: &postgres::Error) -> Self {
        let detail = Self::describe(error);
        let Some(code) = error.code() else {
            let lost = error.is_closed()
                || std::error::Error::source(error)
                    .is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
            return if lost { Self::Lost(detail) } else { Self::Error(StoreError::Internal(detail)) };
        };
        let lost = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
        if [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(code) {
            return Self::Collision;
        }
        if lost.contains(code) || code.code().starts_with("08") {
            return Self::Lost(detail);
        }
        Self::Error(if *code == SqlState::UNIQUE_VIOLATION {
            StoreError::Exists
        } else if *code == SqlState::DISK_FULL {
            StoreError::Full(detail)
        } else if [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].contains(code) {
            StoreError::Corrupt(detail)
        } else if *code == SqlState::DUPLICATE_TABLE {
            StoreError::Corrupt(format!("the database has another program's tables: {detail}"))
        } else if code.code().starts_with("53")
            || code.code().starts_with("58")
            || *code == SqlState::LOCK_NOT_AVAILABLE
        {
            StoreError::Unavailable(detail)
        } else {
            StoreError::Internal(detail)
        })
    }
}

/// A connection within a transaction that somebody else opened and will close.
pub(super) struct PostgresSession<'a> {
    connection: &'a mut Connection,
    change_base: i64,
    failure: Option<Failure>,
}

impl<'a> PostgresSession<'a> {
    pub(super) fn new(connection: &'a mut Connection, change_base: i64) -> Self {
        Self { connection, change_base, failure: None }
    }

    /// The failure, if any, that has spoilt the transaction.
    pub(super) fn failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.connection.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.connection.client.prepare(sql).map_err(|error| self.failed(&error))?;
        self.connection.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Runs a statement about terms of an entry.
    fn of_terms(
        &mut self,
        sql: &str,
        entry: i64,
        audiences: &[i64],
        terms: &[String],
    ) -> Result<(), StoreError> {
        if terms.is_empty() {
            return Ok(());
        }
        let statement = self.prepare(sql)?;
        let result = self.connection.client.execute(&statement, &[&audiences, &terms, &entry]);
        result.map(drop).map_err(|error| self.failed(&error))
    }

    /// Remembers the first failure, since later ones only say that the transaction is spoilt.
    fn failed(&mut self, error: &postgres::Error) -> StoreError {
        let failure = Failure::from(error);
        self.failure.get_or_insert_with(|| failure.clone());
        failure.into_error()
    }
}

fn references<'a>(parameters: &'a [Value<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    parameters.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl Session for PostgresSession<'_> {
    fn execute(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<usize, StoreError> {
        let statement = self.prepare(sql)?;
        let result = self.connection.client.execute(&statement, &references(parameters));
        let changed = result.map_err(|error| self.failed(&error))?;
        usize::try_from(changed).map_err(StoreError::internal)
    }

    fn execute_checked(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<usize, StoreError> {
        // A violated index spoils the transaction back to the last savepoint.
        self.begin_nested()?;
        let result = self.execute(sql, parameters);
        if result == Err(StoreError::Exists) {
            self.undo_nested()?;
        } else if result.is_ok() {
            self.keep_nested()?;
        }
        result
    }

    fn query(
        &mut self,
        sql: &str,
        parameters: &[Value<'_>],
        handle: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let statement = self.prepare(sql)?;
        let result = self.connection.client.query(&statement, &references(parameters));
        let rows = result.map_err(|error| self.failed(&error))?;
        rows.iter().try_for_each(|row| handle(row))
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.connection.client.batch_execute(sql).map_err(|error| self.failed(&error))
    }

    fn begin_nested(&mut self) -> Result<(), StoreError> {
        self.script("SAVEPOINT croft_part")
    }

    fn keep_nested(&mut self) -> Result<(), StoreError> {
        self.script("RELEASE croft_part")
    }

    fn undo_nested(&mut self) -> Result<(), StoreError> {
        // A collision or a lost connection cannot be undone in part: the engine runs everything again.
        if matches!(self.failure, Some(Failure::Collision | Failure::Lost(_))) {
            return Ok(());
        }
        self.failure = None;
        self.script("ROLLBACK TO croft_part; RELEASE croft_part")
    }

    fn write_terms(&mut self, entry: i64, audiences: &[i64], terms: &[String]) -> Result<(), StoreError> {
        let sql = "INSERT INTO \"search_term\" (\"audience\", \"term\", \"entry\") \
                   SELECT \"audiences\".\"audience\", \"terms\".\"term\", $3 FROM unnest($1::bigint[]) AS \"audiences\" (\"audience\"), \
                   unnest($2::text[]) AS \"terms\" (\"term\") ON CONFLICT DO NOTHING";
        self.of_terms(sql, entry, audiences, terms)
    }

    fn erase_terms(&mut self, entry: i64, audiences: &[i64], terms: &[String]) -> Result<(), StoreError> {
        let sql = "DELETE FROM \"search_term\" WHERE \"audience\" = ANY($1::bigint[]) AND \"term\" = ANY($2::text[]) \
                   AND \"entry\" = $3";
        self.of_terms(sql, entry, audiences, terms)
    }

    fn write_changes(&mut self, changes: &[PendingChange]) -> Result<(), StoreError> {
        if changes.len() >= 1 << CHANGE_BITS {
            return Err(StoreError::Internal(format!("{} changes in one transaction", changes.len())));
        }
        // The sequence number starts with the transaction's id: readers stop before the oldest transaction that
        // still runs, so no change appears behind a reader's back.
        let sql = format!(
            "INSERT INTO \"change_log\" SELECT \
             $1 + (pg_current_xact_id()::text::bigint << {CHANGE_BITS}) + rows.position, rows.time, rows.kind, \
             rows.id, rows.parent, rows.silo, rows.project, rows.action, rows.generation \
             FROM unnest($2::bigint[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::bigint[], \
             $9::bigint[]) \
             WITH ORDINALITY AS rows (time, kind, id, parent, silo, project, action, generation, position)"
        );
        let statement = self.prepare(&sql)?;
        let times: Vec<i64> = changes.iter().map(|change| change.time.as_microsecond()).collect();
        let kinds: Vec<&str> = changes.iter().map(|change| change.kind).collect();
        let ids: Vec<Uuid> = changes.iter().map(|change| change.id).collect();
        let parents: Vec<Uuid> = changes.iter().map(|change| change.parent).collect();
        let silos: Vec<Option<Uuid>> = changes.iter().map(|change| change.silo).collect();
        let projects: Vec<Option<Uuid>> = changes.iter().map(|change| change.project).collect();
        let actions: Vec<i64> = changes.iter().map(|change| change.action.number()).collect();
        let generations = changes.iter().map(|change| i64::try_from(change.generation));
        let generations: Vec<i64> = generations.collect::<Result<_, _>>().map_err(StoreError::internal)?;
        let base = self.change_base;
        self.connection
            .client
            .execute(
                &statement,
                &[&base, &times, &kinds, &ids, &parents, &silos, &projects, &actions, &generations],
            )
            .map_err(|error| self.failed(&error))?;
        Ok(())
    }

    fn read_changes(&mut self, seq: i64, limit: i64) -> Result<Vec<Change>, StoreError> {
        let sql = format!(
            "SELECT \"seq\", \"time\", \"kind\", \"id\", \"parent_id\", \"silo_id\", \"project_id\", \"action\", \
             \"generation\" FROM \"change_log\" WHERE \"seq\" < {SETTLED} AND \"seq\" > $2 ORDER BY \"seq\" LIMIT $3"
        );
        let mut changes = Vec::new();
        self.query(&sql, &[Value::Int(self.change_base), Value::Int(seq), Value::Int(limit)], &mut |row| {
            changes.push(change_from_row(row)?);
            Ok(())
        })?;
        Ok(changes)
    }

    fn last_change(&mut self) -> Result<i64, StoreError> {
        let sql = format!("SELECT coalesce(max(\"seq\"), 0) FROM \"change_log\" WHERE \"seq\" < {SETTLED}");
        let mut last = 0;
        self.query(&sql, &[Value::Int(self.change_base)], &mut |row| {
            last = row.integer(0)?;
            Ok(())
        })?;
        Ok(last)
    }

    fn problems(&mut self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }
}

/// The first sequence number that a running transaction may still add to; `$1` is the base.
const SETTLED: &str = "$1 + (pg_snapshot_xmin(pg_current_snapshot())::text::bigint << 20)";

const _: () = assert!(CHANGE_BITS == 20, "SETTLED shifts by the same distance");

impl Row for postgres::Row {
    fn text(&self, column: usize) -> Result<&str, StoreError> {
        self.try_get::<_, Raw<'_>>(column).map(|raw| raw.0).map_err(StoreError::internal)
    }

    fn integer(&self, column: usize) -> Result<i64, StoreError> {
        self.try_get(column).map_err(StoreError::internal)
    }

    fn id(&self, column: usize) -> Result<Option<Uuid>, StoreError> {
        self.try_get(column).map_err(StoreError::internal)
    }
}

/// A text or JSON column as it came, to parse documents without a copy.
struct Raw<'a>(&'a str);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(str::from_utf8(raw)?))
    }

    fn accepts(kind: &Type) -> bool {
        [Type::TEXT, Type::JSON].contains(kind)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Id(id) => id.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
            Self::Int(number) => number.to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
            Self::Document(document) => document.to_sql(&Type::TEXT, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::UUID, Type::TEXT, Type::INT8, Type::BYTEA, Type::JSON].contains(kind)
    }

    to_sql_checked!();
}
