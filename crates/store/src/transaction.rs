//! What an operation can do.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::{
    Action, Change, ChangedRecord, Key, ListBy, Lookup, Marker, Observer, Order, Record, Sort, StoreError,
    Table,
    change::PendingChange,
    columns::{Columns, Subject},
    engine::{Row, Session},
    key::Value,
};

/// What a document that was found is given to.
type DocumentSink<'a> = dyn FnMut(&str) -> Result<(), StoreError> + 'a;

/// The transaction in which an operation runs: a consistent snapshot of every table, and for writers the changes
/// made so far. An operation that returns an error leaves no trace.
pub struct Tx<'a> {
    session: &'a mut dyn Session,
    writable: bool,
    changes: Vec<PendingChange>,
    /// How many of the changes [`Tx::take_changed`] has told of.
    taken: usize,
    wrote: bool,
    /// Sees the statements of migrations.
    observer: Option<Observer>,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(session: &'a mut dyn Session, writable: bool) -> Self {
        Self { session, writable, changes: Vec::new(), taken: 0, wrote: false, observer: None }
    }

    /// Stores a new record. [`StoreError::Exists`] if its id, its name under its parent, or one of its unique
    /// lookups is taken.
    pub fn insert<R: Record>(&mut self, record: &R) -> Result<(), StoreError> {
        self.require_writable()?;
        self.insert_row(&Columns::of(record)?)
    }

    fn insert_row(&mut self, columns: &Columns<'_>) -> Result<(), StoreError> {
        let subject = &columns.subject;
        if self.session.execute(&subject.table.statements().insert, &columns.inserted()?)? == 0 {
            return Err(StoreError::Exists);
        }
        if let Some(searched) = &columns.searched {
            self.index_new(subject, searched)?;
        }
        self.log(subject, Action::Created, subject.meta.time_created);
        Ok(())
    }

    /// The live record with this id.
    pub fn get<R: Record>(&mut self, id: Uuid) -> Result<Option<R>, StoreError> {
        self.one(&R::TABLE.statements().get, &[Value::Id(id)])
    }

    /// The record with this id, even if soft-deleted.
    pub fn get_any<R: Record>(&mut self, id: Uuid) -> Result<Option<R>, StoreError> {
        self.one(&R::TABLE.statements().get_any, &[Value::Id(id)])
    }

    /// The live record with this name under this parent.
    pub fn get_by_name<R: Record>(&mut self, parent: Uuid, name: &str) -> Result<Option<R>, StoreError> {
        if !R::TABLE.named {
            return Err(StoreError::Internal(format!(
                "the records of table {} have no names",
                R::TABLE.name
            )));
        }
        self.one(&R::TABLE.statements().get_by_name, &[Value::Id(parent), Value::Text(name)])
    }

    /// The live record with the lowest id among those with this value of a lookup.
    pub fn find<R: Record>(
        &mut self,
        lookup: &'static Lookup,
        key: impl Into<Key>,
    ) -> Result<Option<R>, StoreError> {
        let key = checked_key(lookup, key.into())?;
        let statements = &R::TABLE.statements().lookups[R::TABLE.position(lookup)?];
        self.one(&statements.find, &[key.as_value()])
    }

    /// A page of at most `limit` live records in order, after `after`. The marker's kind must be the sort's. The
    /// table must declare the order for this list ([`Order`]).
    pub fn page<R: Record>(
        &mut self,
        by: ListBy,
        sort: Sort,
        after: Option<Marker>,
        limit: usize,
    ) -> Result<Vec<R>, StoreError> {
        let mut found = Vec::with_capacity(limit.min(128));
        self.documents_of_page(R::TABLE, &by, sort, after.as_ref(), limit, &mut gather(&mut found))?;
        Ok(found)
    }

    fn documents_of_page(
        &mut self,
        table: &'static Table,
        by: &ListBy,
        sort: Sort,
        after: Option<&Marker>,
        limit: usize,
        take: &mut DocumentSink<'_>,
    ) -> Result<(), StoreError> {
        let source = table.statements().source(table, by)?;
        let sql = source.list(sort, after.is_some()).ok_or_else(|| {
            StoreError::Internal(format!("table {} declares no list {by:?} sorted {sort:?}", table.name))
        })?;
        let mut parameters = Vec::with_capacity(4);
        push_source(by, &mut parameters)?;
        match (after, sort.order()) {
            (None, _) => {}
            (Some(Marker::Name(name, id)), Order::Name) => {
                parameters.push(Value::Text(name));
                if !matches!(by, ListBy::Parent(_)) {
                    parameters.push(Value::Id(*id));
                }
            }
            (Some(Marker::Id(id)), Order::Id) => parameters.push(Value::Id(*id)),
            (Some(Marker::Time(time, id)), Order::Time) => {
                parameters.extend([Value::Int(time.as_microsecond()), Value::Id(*id)]);
            }
            (Some(marker), _) => {
                return Err(StoreError::Internal(format!("marker {marker:?} does not fit sort {sort:?}")));
            }
        }
        parameters.push(row_limit(limit));
        self.documents(sql, &parameters, take)
    }

    /// At most `limit` live records whose lookup is at most `last`, in the lookup's order: what is due by a time,
    /// or expired.
    pub fn up_to<R: Record>(
        &mut self,
        lookup: &'static Lookup,
        last: impl Into<Key>,
        limit: usize,
    ) -> Result<Vec<R>, StoreError> {
        let last = checked_key(lookup, last.into())?;
        let statements = &R::TABLE.statements().lookups[R::TABLE.position(lookup)?];
        let mut found = Vec::new();
        self.documents(&statements.up_to, &[last.as_value(), row_limit(limit)], &mut gather(&mut found))?;
        Ok(found)
    }

    /// Whether the list holds any live record.
    pub fn exists<R: Record>(&mut self, by: ListBy) -> Result<bool, StoreError> {
        self.exists_in(R::TABLE, &by)
    }

    fn exists_in(&mut self, table: &'static Table, by: &ListBy) -> Result<bool, StoreError> {
        let mut parameters = Vec::with_capacity(1);
        push_source(by, &mut parameters)?;
        let mut found = false;
        self.session.query(&table.statements().source(table, by)?.exists, &parameters, &mut |_| {
            found = true;
            Ok(())
        })?;
        Ok(found)
    }

    /// How many live records the list holds. Takes time in proportion to the answer.
    pub fn count<R: Record>(&mut self, by: ListBy) -> Result<u64, StoreError> {
        self.count_in(R::TABLE, &by)
    }

    /// How many live records a table has, whatever they are. Takes time in proportion to the answer.
    pub fn count_rows(&mut self, table: &'static Table) -> Result<u64, StoreError> {
        self.count_in(table, &ListBy::All)
    }

    fn count_in(&mut self, table: &'static Table, by: &ListBy) -> Result<u64, StoreError> {
        let mut parameters = Vec::with_capacity(1);
        push_source(by, &mut parameters)?;
        let count = self.integer(&table.statements().source(table, by)?.count, &parameters)?;
        u64::try_from(count).map_err(StoreError::internal)
    }

    /// Stores the changed record if it has not been changed since it was read, and raises its generation. The caller
    /// sets `time_modified`. [`StoreError::Conflict`] if it was changed or deleted; [`StoreError::Exists`] if the new
    /// name or unique lookup is taken. After an error the record is as before the call.
    pub fn update<R: Record>(&mut self, record: &mut R) -> Result<(), StoreError> {
        self.store_changed(record, Action::Updated)
    }

    /// Soft-deletes the record if it has not been changed since it was read: its name and unique lookups are free
    /// again.
    pub fn delete<R: Record>(&mut self, record: &mut R, now: Timestamp) -> Result<(), StoreError> {
        let before = record.meta().clone();
        let meta = record.meta_mut();
        meta.time_modified = now;
        meta.time_deleted = Some(now);
        let result = self.store_changed(record, Action::Deleted);
        if result.is_err() {
            *record.meta_mut() = before;
        }
        result
    }

    /// Removes a record for good, deleted or not: for sessions, tokens and the like. Returns whether it was there.
    pub fn remove<R: Record>(&mut self, id: Uuid, now: Timestamp) -> Result<bool, StoreError> {
        self.require_writable()?;
        let statements = R::TABLE.statements();
        if !R::TABLE.logged && !R::TABLE.logs_removals && !R::SEARCHED {
            return Ok(self.session.execute(&statements.remove, &[Value::Id(id)])? > 0);
        }
        let Some(record) = self.get_any::<R>(id)? else { return Ok(false) };
        self.session.execute(&statements.remove, &[Value::Id(id)])?;
        if R::SEARCHED {
            self.index_gone(&Subject::of(&record))?;
        }
        self.log(&Subject::of(&record), Action::Removed, now);
        Ok(true)
    }

    /// Removes up to `limit` records of a table that were soft-deleted before a time, without logging. Tells how many.
    pub fn purge(
        &mut self,
        table: &'static Table,
        before: Timestamp,
        limit: usize,
    ) -> Result<usize, StoreError> {
        self.require_writable()?;
        let parameters = [Value::Int(before.as_microsecond()), row_limit(limit)];
        self.session.execute(&table.statements().purge, &parameters)
    }

    /// Runs a part of the operation whose effects are rolled back if it fails, while the rest continues.
    pub fn savepoint<T, E>(&mut self, part: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.session.begin_nested()?;
        let (logged, taken) = (self.changes.len(), self.taken);
        let result = part(self);
        if result.is_ok() {
            self.session.keep_nested()?;
        } else {
            self.session.undo_nested()?;
            self.changes.truncate(logged);
            self.taken = taken;
        }
        result
    }

    /// What this transaction changed since the last call, in the order of the changes: only what goes to the change log. A
    /// record that changed several times is there as often.
    pub fn take_changed(&mut self) -> Vec<ChangedRecord> {
        let changed = self.changes[self.taken..].iter().map(PendingChange::record).collect();
        self.taken = self.changes.len();
        changed
    }

    /// Up to `limit` changes after `seq` (0 for the first), in order. Changes of the running transaction are not
    /// among them.
    pub fn changes_since(&mut self, seq: i64, limit: usize) -> Result<Vec<Change>, StoreError> {
        self.session.read_changes(seq, i64::try_from(limit).unwrap_or(i64::MAX))
    }

    /// The sequence number of the latest change, or 0: where a reader starts that wants only what comes.
    pub fn last_change(&mut self) -> Result<i64, StoreError> {
        self.session.last_change()
    }

    /// Writes into the change log that a record changed where it stands now: for those who see it there, before it is
    /// [updated](Tx::update) to stand elsewhere, and for tables of which not every change is logged.
    pub fn announce<R: Record>(&mut self, record: &R, now: Timestamp) -> Result<(), StoreError> {
        self.announce_subject(&Subject::of(record), now)
    }

    /// Writes into the change log that a record changed which is not at hand itself.
    pub(crate) fn announce_subject(
        &mut self,
        subject: &Subject<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.require_writable()?;
        if subject.table.logged || subject.table.announced {
            self.changes.push(subject.change(Action::Updated, now));
        }
        Ok(())
    }

    /// The sequence number of the oldest change that is kept, or 0: whoever has seen it, or a later one, can go on from
    /// there without a gap.
    pub fn oldest_change(&mut self) -> Result<i64, StoreError> {
        Ok(self.session.kept_changes(0)?.0)
    }

    /// The sequence number of the change that this many newer ones follow, or 0 if there are fewer.
    pub fn change_before(&mut self, newer: usize) -> Result<i64, StoreError> {
        Ok(self.session.kept_changes(i64::try_from(newer).unwrap_or(i64::MAX))?.1)
    }

    /// Removes the changes up to `seq`, at most `limit` of them, from the change log. Tells how many. The latest
    /// change is always kept, so that sequence numbers are never given out again.
    pub fn prune_changes(&mut self, seq: i64, limit: usize) -> Result<usize, StoreError> {
        self.require_writable()?;
        let last = self.last_change()?;
        let sql = "DELETE FROM \"change_log\" WHERE \"seq\" IN \
                   (SELECT \"seq\" FROM \"change_log\" WHERE \"seq\" <= $1 ORDER BY \"seq\" LIMIT $2)";
        self.session.execute(sql, &[Value::Int(seq.min(last - 1)), row_limit(limit)])
    }

    /// The connection, for statements about the store's own tables.
    pub(crate) fn session(&mut self) -> &mut dyn Session {
        self.session
    }

    pub(crate) fn problems(&mut self) -> Result<Vec<String>, StoreError> {
        self.session.problems()
    }

    /// Writes the pending changes to the log. Returns whether the operation wrote anything.
    pub(crate) fn finish(&mut self) -> Result<bool, StoreError> {
        if !self.changes.is_empty() {
            self.session.write_changes(&self.changes)?;
            self.changes.clear();
            self.taken = 0;
        }
        Ok(self.wrote)
    }

    /// Shows the statements of migrations to an observer from now on.
    pub(crate) fn observe(&mut self, observer: Option<Observer>) {
        self.observer = observer;
    }

    fn observed(&self, sql: &str) {
        if let Some(observer) = self.observer {
            observer(sql);
        }
    }

    /// Runs a statement of a migration that changes tables.
    pub(crate) fn execute_script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.observed(sql);
        self.session.script(sql)
    }

    /// Runs a statement of a migration that changes rows. Tells how many rows it changed.
    pub(crate) fn execute(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<usize, StoreError> {
        self.observed(sql);
        self.require_writable()?;
        self.session.execute(sql, parameters)
    }

    /// Hands out the rows that a query of a migration finds.
    pub(crate) fn query(
        &mut self,
        sql: &str,
        parameters: &[Value<'_>],
        take: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.observed(sql);
        self.session.query(sql, parameters, take)
    }

    /// The single integer that a query answers.
    pub(crate) fn integer(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<i64, StoreError> {
        let mut answer = 0;
        self.session.query(sql, parameters, &mut |row| {
            answer = row.integer(0)?;
            Ok(())
        })?;
        Ok(answer)
    }

    fn store_changed<R: Record>(&mut self, record: &mut R, action: Action) -> Result<(), StoreError> {
        self.require_writable()?;
        let old = record.meta().generation;
        record.meta_mut().generation = old + 1;
        let result = Columns::of(record).and_then(|columns| self.write_changed(&columns, old, action));
        if result.is_err() {
            record.meta_mut().generation = old;
        }
        result
    }

    fn write_changed(&mut self, columns: &Columns<'_>, old: u64, action: Action) -> Result<(), StoreError> {
        let written = action == Action::Updated && self.write_document(columns, old)?;
        if !written && !self.write_row(columns, old)? {
            return Err(StoreError::Conflict);
        }
        if let Some(searched) = &columns.searched {
            match action {
                Action::Deleted => self.index_gone(&columns.subject)?,
                _ => self.index_changed(&columns.subject, searched)?,
            }
        }
        self.log(&columns.subject, action, columns.subject.meta.time_modified);
        Ok(())
    }

    /// Writes what no index covers. False if a key column differs, or the generation.
    fn write_document(&mut self, columns: &Columns<'_>, old: u64) -> Result<bool, StoreError> {
        let sql = &columns.subject.table.statements().update_document;
        Ok(self.session.execute(sql, &columns.updated_document(old)?)? > 0)
    }

    /// Writes all columns. False if the generation differs.
    fn write_row(&mut self, columns: &Columns<'_>, old: u64) -> Result<bool, StoreError> {
        let sql = &columns.subject.table.statements().update;
        Ok(self.session.execute_checked(sql, &columns.updated_row(old)?)? > 0)
    }

    fn log(&mut self, subject: &Subject<'_>, action: Action, time: Timestamp) {
        if subject.table.logged || (action == Action::Removed && subject.table.logs_removals) {
            self.changes.push(subject.change(action, time));
        }
    }

    fn one<T: DeserializeOwned>(
        &mut self,
        sql: &str,
        parameters: &[Value<'_>],
    ) -> Result<Option<T>, StoreError> {
        let mut found = None;
        self.documents(sql, parameters, &mut |document| {
            found = Some(decode(document)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Hands out the documents that a query finds.
    fn documents(
        &mut self,
        sql: &str,
        parameters: &[Value<'_>],
        take: &mut DocumentSink<'_>,
    ) -> Result<(), StoreError> {
        self.session.query(sql, parameters, &mut |row| take(row.text(0)?))
    }

    fn require_writable(&mut self) -> Result<(), StoreError> {
        if !self.writable {
            return Err(StoreError::Internal("an operation started to read tried to write".into()));
        }
        self.wrote = true;
        Ok(())
    }
}

fn checked_key(lookup: &Lookup, key: Key) -> Result<Key, StoreError> {
    if key.fits(lookup.kind) {
        Ok(key)
    } else {
        Err(StoreError::Internal(format!(
            "lookup {} is of kind {:?}, not {key:?}",
            lookup.column, lookup.kind
        )))
    }
}

/// Takes documents by adding their records to a list.
fn gather<T: DeserializeOwned>(found: &mut Vec<T>) -> impl FnMut(&str) -> Result<(), StoreError> {
    |document| {
        found.push(decode(document)?);
        Ok(())
    }
}

/// Reads bytes, as is done with what is sent: in the preview the same compiled code reads both.
pub(crate) fn decode<T: DeserializeOwned>(document: &str) -> Result<T, StoreError> {
    Ok(serde_json::from_slice(document.as_bytes())?)
}

fn push_source<'a>(by: &'a ListBy, parameters: &mut Vec<Value<'a>>) -> Result<(), StoreError> {
    match by {
        ListBy::All => {}
        ListBy::Parent(parent) => parameters.push(Value::Id(*parent)),
        ListBy::Lookup(lookup, key) => {
            if !key.fits(lookup.kind) {
                return Err(StoreError::Internal(format!("lookup {} cannot be {key:?}", lookup.column)));
            }
            parameters.push(key.as_value());
        }
    }
    Ok(())
}

pub(crate) fn row_limit(limit: usize) -> Value<'static> {
    Value::Int(i64::try_from(limit).unwrap_or(i64::MAX))
}
