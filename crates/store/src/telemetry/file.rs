//! The telemetry file, and all of its SQL.

use std::{collections::HashMap, path::Path, sync::Arc};

use croft_oxql::model::{DatumType, FieldValue, Schema};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{
    block::Block,
    codec::Damaged,
    journal,
    state::{Plan, State},
};
use crate::{StoreError, engine::sqlite::store_error};

/// The application ID of a telemetry file.
const APPLICATION: i32 = 0x6372_7465;
/// The upgrades from each version of the layout to the next, the first entry from version 1 to 2. The version is in the
/// file's header (`PRAGMA user_version`). Released upgrades are never changed, and stored data stays as it is: a new
/// encoding of blocks is a new column that says which one a block has.
const UPGRADES: &[&str] = &[];

/// The layout at version 1.
const TABLES: &str = "
    CREATE TABLE schema (id INTEGER PRIMARY KEY, document TEXT NOT NULL);
    CREATE TABLE series (id INTEGER PRIMARY KEY, schema INTEGER NOT NULL, fields TEXT NOT NULL);
    CREATE TABLE block (
        series INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL,
        tier INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (series, first)
    ) WITHOUT ROWID;
    CREATE INDEX block_by_age ON block (tier, last);
    CREATE TABLE journal (segment INTEGER PRIMARY KEY, data BLOB NOT NULL);
";

impl From<Damaged> for StoreError {
    fn from(damaged: Damaged) -> Self {
        Self::Corrupt(damaged.to_string())
    }
}

/// A block as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stored {
    /// 0 with all points, 1 with those that [thinning](super::thin) left.
    pub(super) tier: u8,
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) count: u32,
    pub(super) data: Vec<u8>,
}

/// Which end of a timeseries is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

/// A connection to the file.
#[derive(Debug)]
pub(super) struct File {
    connection: Connection,
}

impl File {
    pub(super) fn in_memory() -> Result<Self, StoreError> {
        let file = Self { connection: Connection::open_in_memory().map_err(store_error)? };
        file.set_up(UPGRADES)?;
        Ok(file)
    }

    /// Opens the file for writing, creating it if necessary.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "a page has no files"))]
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_at(path, UPGRADES)
    }

    fn open_at(path: &Path, upgrades: &[&str]) -> Result<Self, StoreError> {
        let file = Self { connection: Connection::open(path).map_err(store_error)? };
        file.execute("PRAGMA busy_timeout = 5000")?;
        // Before the first change, so that a file of a newer version is not modified.
        file.version(upgrades)?;
        file.execute(
            "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
             PRAGMA cache_size = -8192; PRAGMA journal_size_limit = 33554432;",
        )?;
        file.set_up(upgrades)?;
        Ok(file)
    }

    /// Opens the file to read.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "a page has no files"))]
    pub(super) fn reader(path: &Path) -> Result<Self, StoreError> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let file = Self { connection: Connection::open_with_flags(path, flags).map_err(store_error)? };
        file.execute("PRAGMA cache_size = -4096; PRAGMA busy_timeout = 5000;")?;
        Ok(file)
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(store_error)
    }

    fn number(&self, sql: &str) -> Result<i64, StoreError> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(store_error)
    }

    /// The version of the file's layout; 0 if it is empty.
    fn version(&self, upgrades: &[&str]) -> Result<u32, StoreError> {
        if self.number("SELECT count(*) FROM sqlite_schema")? == 0 {
            return Ok(0);
        }
        let application = self.number("PRAGMA application_id")?;
        let found = u32::try_from(self.number("PRAGMA user_version")?).unwrap_or_default();
        if application != i64::from(APPLICATION) || found == 0 {
            return Err(StoreError::Corrupt("it holds no telemetry".into()));
        }
        let known = u32::try_from(upgrades.len()).map_err(StoreError::internal)? + 1;
        if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(found) }
    }

    /// Upgrades the file to the latest version of the layout, atomically.
    fn set_up(&self, upgrades: &[&str]) -> Result<(), StoreError> {
        let found = self.version(upgrades)?;
        let missing: Vec<&str> = [TABLES].iter().chain(upgrades).skip(found as usize).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let version = found as usize + missing.len();
        self.transaction(|| {
            missing.iter().try_for_each(|step| self.execute(step))?;
            self.execute(&format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {version}"))
        })
    }

    /// Runs a function in a transaction.
    fn transaction<T>(&self, part: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.execute("BEGIN IMMEDIATE")?;
        let result = part().and_then(|value| self.execute("COMMIT").map(|()| value));
        if result.is_err() && !self.connection.is_autocommit() {
            // The original error is more useful than one of the rollback.
            let _ = self.execute("ROLLBACK");
        }
        result
    }

    /// Everything in the file that is also held in memory.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "a page has no files"))]
    pub(super) fn load(&self) -> Result<State, StoreError> {
        let mut state = State::default();
        let mut places = HashMap::new();
        self.each("SELECT id, document FROM schema ORDER BY id", |row| {
            let (id, document): (i64, String) = (row.get(0)?, row.get(1)?);
            Ok((id, document))
        })?
        .into_iter()
        .try_for_each(|(id, document)| {
            let schema: Schema = serde_json::from_slice(document.as_bytes()).map_err(damaged)?;
            places.insert(id, state.load_schema(Arc::new(schema)));
            Ok::<(), StoreError>(())
        })?;
        let sql = "SELECT id, schema, fields,
            (SELECT last FROM block WHERE series = series.id ORDER BY first DESC LIMIT 1) FROM series ORDER BY id";
        let series = self.each(sql, |row| {
            let (id, schema, fields): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((id, schema, fields, row.get(3)?))
        })?;
        for (id, schema, fields, last) in series {
            let schema = *places.get(&schema).ok_or(Damaged)?;
            let fields: Vec<FieldValue> = serde_json::from_slice(fields.as_bytes()).map_err(damaged)?;
            state.load_series(id.cast_unsigned(), schema, fields.into(), last);
        }
        let types: HashMap<u64, DatumType> = state
            .series
            .iter()
            .map(|(id, series)| (*id, state.schemas[series.schema].schema.datum_type))
            .collect();
        let segments = self.each("SELECT segment, data FROM journal ORDER BY segment", |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
        })?;
        for (segment, data) in segments {
            state.load_segment(segment, journal::entries(&data, &types)?);
        }
        Ok(state)
    }

    fn each<T>(
        &self,
        sql: &str,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare(sql).map_err(store_error)?;
        let rows = statement.query_map([], read).map_err(store_error)?;
        rows.collect::<rusqlite::Result<_>>().map_err(store_error)
    }

    /// Carries out a flush.
    pub(super) fn commit(&self, plan: &Plan) -> Result<(), StoreError> {
        let segment = (!plan.entries.is_empty()).then(|| journal::encode(plan.entries.clone()));
        self.transaction(|| {
            let mut statement = self.prepare("INSERT INTO schema (id, document) VALUES (?1, ?2)")?;
            for (place, schema) in &plan.schemas {
                let document = serde_json::to_string(&**schema)?;
                statement.execute(params![row_number(*place), document]).map_err(store_error)?;
            }
            let mut statement =
                self.prepare("INSERT INTO series (id, schema, fields) VALUES (?1, ?2, ?3)")?;
            for (id, schema, fields) in &plan.series {
                let fields = serde_json::to_string(&**fields)?;
                let row = params![id.cast_signed(), row_number(*schema), fields];
                statement.execute(row).map_err(store_error)?;
            }
            for (series, block) in &plan.blocks {
                let Block { first, last, count, data, .. } = &**block;
                let (first, last, count, data) = (*first, *last, *count, data.clone());
                self.put_block(*series, &Stored { tier: 0, first, last, count, data })?;
            }
            for (series, block) in &plan.thinned {
                self.put_block(*series, block)?;
            }
            if let Some(segment) = &segment {
                let mut statement = self.prepare("INSERT INTO journal (segment, data) VALUES (?1, ?2)")?;
                statement.execute(params![plan.segment, segment]).map_err(store_error)?;
            }
            let mut statement = self.prepare("DELETE FROM journal WHERE segment < ?1")?;
            statement.execute([plan.oldest_segment]).map_err(store_error)?;
            Ok(())
        })
    }

    fn prepare(&self, sql: &str) -> Result<rusqlite::CachedStatement<'_>, StoreError> {
        self.connection.prepare_cached(sql).map_err(store_error)
    }

    fn put_block(&self, series: u64, block: &Stored) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO block (series, first, last, count, tier, data) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let Stored { tier, first, last, count, data } = block;
        let row = params![series.cast_signed(), first, last, count, tier, data];
        self.prepare(sql)?.execute(row).map_err(store_error).map(drop)
    }

    /// The blocks of a timeseries that may have points between two times, until `take` says that it is enough.
    pub(super) fn blocks(
        &self,
        series: u64,
        from: i64,
        to: i64,
        direction: Direction,
        mut take: impl FnMut(Stored) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        // Blocks of one timeseries do not overlap, so the last one that begins before is the first that matters.
        const FROM: &str = "FROM block WHERE series = ?1 AND first <= ?3 AND last >= ?2 AND first >= ifnull(
            (SELECT max(first) FROM block WHERE series = ?1 AND first <= ?2), ?2) ORDER BY first";
        let columns = "SELECT tier, first, last, count, data";
        let sql = match direction {
            Direction::Forward => format!("{columns} {FROM}"),
            Direction::Backward => format!("{columns} {FROM} DESC"),
        };
        let mut statement = self.prepare(&sql)?;
        let mut rows = statement.query(params![series.cast_signed(), from, to]).map_err(store_error)?;
        while let Some(row) = rows.next().map_err(store_error)? {
            if !take(stored(row).map_err(store_error)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Bytes in use.
    pub(super) fn size(&self) -> Result<u64, StoreError> {
        let pages = self.number("PRAGMA page_count")? - self.number("PRAGMA freelist_count")?;
        Ok(pages.saturating_mul(self.number("PRAGMA page_size")?).max(0).cast_unsigned())
    }

    /// Removes at most `limit` of the oldest blocks that end before a time. Returns how many.
    pub(super) fn remove_before(&self, time: i64, limit: usize) -> Result<usize, StoreError> {
        let sql = "DELETE FROM block WHERE (series, first) IN (SELECT series, first FROM block \
                   WHERE tier = ?1 AND last < ?2 ORDER BY last LIMIT ?3)";
        self.transaction(|| {
            let mut removed = 0;
            // The coarser tier is the older one.
            for tier in [1, 0] {
                let left = limit - removed;
                let row = params![tier, time, row_number(left)];
                removed += self.prepare(sql)?.execute(row).map_err(store_error)?;
            }
            Ok(removed)
        })
    }

    /// Those timeseries that have no blocks.
    pub(super) fn series_without_blocks(&self) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT id FROM series WHERE NOT EXISTS (SELECT 1 FROM block WHERE series = series.id)";
        self.each(sql, |row| row.get::<_, i64>(0).map(i64::cast_unsigned))
    }

    /// Removes timeseries.
    pub(super) fn remove_series(&self, ids: &[u64]) -> Result<(), StoreError> {
        self.transaction(|| {
            let mut statement = self.prepare("DELETE FROM series WHERE id = ?1")?;
            ids.iter().try_for_each(|id| statement.execute([id.cast_signed()]).map(drop).map_err(store_error))
        })
    }

    /// A timeseries that has blocks of full detail that end before a time.
    pub(super) fn series_to_thin(&self, time: i64) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT series FROM block WHERE tier = 0 AND last < ?1 ORDER BY last LIMIT 1";
        let found = self.connection.query_row(sql, [time], |row| row.get::<_, i64>(0)).optional();
        Ok(found.map_err(store_error)?.map(i64::cast_unsigned))
    }

    /// The blocks of full detail of a timeseries that end before a time, at most `limit`.
    pub(super) fn blocks_to_thin(
        &self,
        series: u64,
        time: i64,
        limit: usize,
    ) -> Result<Vec<Stored>, StoreError> {
        let sql = "SELECT tier, first, last, count, data FROM block WHERE series = ?1 AND tier = 0 AND last < ?2 \
                   ORDER BY first LIMIT ?3";
        let mut statement = self.prepare(sql)?;
        let rows = statement.query_map(params![series.cast_signed(), time, row_number(limit)], stored);
        rows.map_err(store_error)?.collect::<rusqlite::Result<_>>().map_err(store_error)
    }

    /// Puts blocks of less detail in the place of others.
    pub(super) fn replace(&self, series: u64, old: &[Stored], new: &[Stored]) -> Result<(), StoreError> {
        self.transaction(|| {
            let mut statement = self.prepare("DELETE FROM block WHERE series = ?1 AND first = ?2")?;
            for block in old {
                statement.execute(params![series.cast_signed(), block.first]).map_err(store_error)?;
            }
            new.iter().try_for_each(|block| self.put_block(series, block))
        })
    }
}

fn row_number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn stored(row: &rusqlite::Row<'_>) -> rusqlite::Result<Stored> {
    let (tier, first, last) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Stored { tier, first, last, count: row.get(3)?, data: row.get(4)? })
}

fn damaged(error: serde_json::Error) -> StoreError {
    StoreError::Corrupt(format!("a stored document is damaged: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schemas(file: &File) -> Vec<String> {
        file.each("SELECT document FROM schema", |row| row.get(0)).unwrap()
    }

    #[test]
    fn upgraded_file_keeps_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("telemetry.sqlite3");
        let file = File::open(&path).unwrap();
        file.execute("INSERT INTO schema (document) VALUES ('{}')").unwrap();
        drop(file);

        let later =
            ["ALTER TABLE block ADD COLUMN encoding INTEGER NOT NULL DEFAULT 1", "DROP INDEX block_by_age"];
        let file = File::open_at(&path, &later).unwrap();
        assert_eq!(file.version(&later), Ok(3));
        assert_eq!(schemas(&file), ["{}"]);
        assert_eq!(file.number("SELECT count(encoding) FROM block"), Ok(0));
        drop(file);
        // This version cannot read the file and does not change it.
        let before = std::fs::read(&path).unwrap();
        assert_eq!(File::open(&path).unwrap_err(), StoreError::TooNew { found: 3, known: 1 });
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn failed_upgrade_does_not_change_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("telemetry.sqlite3");
        drop(File::open(&path).unwrap());
        let later = ["ALTER TABLE block ADD COLUMN encoding INTEGER", "DROP TABLE missing"];
        assert!(File::open_at(&path, &later).is_err());
        let file = File::open_at(&path, &later[..1]).unwrap();
        assert_eq!(file.version(&later), Ok(2));
    }
}
