//! What of a record stands in the columns of its row. Taken once from the record, so that what writes rows is compiled
//! once and not for each table.

use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    Action, Key, Meta, Record, Scope, StoreError, Table, change::PendingChange, key::Value, search::Searched,
};

/// Whom and what a change concerns.
pub(crate) struct Subject<'r> {
    pub(crate) table: &'static Table,
    pub(crate) meta: &'r Meta,
    pub(crate) name: Option<&'r str>,
    pub(crate) parent: Uuid,
    pub(crate) scope: Scope,
}

impl<'r> Subject<'r> {
    pub(crate) fn of<R: Record>(record: &'r R) -> Self {
        Self {
            table: R::TABLE,
            meta: record.meta(),
            name: record.name(),
            parent: record.parent(),
            scope: record.scope(),
        }
    }

    /// The entry of the change log.
    pub(crate) fn change(&self, action: Action, time: Timestamp) -> PendingChange {
        PendingChange {
            time,
            kind: self.table.name,
            id: self.meta.id,
            name: self.name.map(str::to_owned),
            parent: self.parent,
            silo: self.scope.silo,
            project: self.scope.project,
            action,
            generation: self.meta.generation,
        }
    }
}

/// A record as it is written.
pub(crate) struct Columns<'r> {
    pub(crate) subject: Subject<'r>,
    document: String,
    lookups: Vec<Key>,
    pub(crate) searched: Option<Searched>,
}

impl<'r> Columns<'r> {
    /// Fails if the record does not fit the declaration of its table.
    pub(crate) fn of<R: Record>(record: &'r R) -> Result<Self, StoreError> {
        let document = serde_json::to_string(record)?;
        let (subject, lookups) = (Subject::of(record), record.lookups());
        Self { subject, document, lookups, searched: record.searched() }.checked()
    }

    fn checked(self) -> Result<Self, StoreError> {
        let (table, keys) = (self.subject.table, &self.lookups);
        let declared = table.lookups;
        if keys.len() != declared.len()
            || declared.iter().zip(keys).any(|(lookup, key)| !key.fits(lookup.kind))
        {
            return Err(StoreError::Internal(format!(
                "the lookups {keys:?} do not fit the declaration of table {}",
                table.name
            )));
        }
        match (table.named, self.subject.name) {
            (true, Some(_)) | (false, None) => Ok(self),
            (true, None) => {
                Err(StoreError::Internal(format!("a record of table {} has no name", table.name)))
            }
            (false, Some(_)) => {
                Err(StoreError::Internal(format!("table {} is not declared with names", table.name)))
            }
        }
    }

    /// The values of a new row.
    pub(crate) fn inserted(&self) -> Result<Vec<Value<'_>>, StoreError> {
        let Subject { meta, parent, .. } = self.subject;
        let mut values = Vec::with_capacity(8 + self.lookups.len());
        values.extend([
            Value::Id(meta.id),
            Value::Id(parent),
            Value::Int(meta.time_created.as_microsecond()),
            Value::Int(meta.time_modified.as_microsecond()),
            Value::from(meta.time_deleted),
            generation(meta.generation)?,
            Value::Document(&self.document),
        ]);
        self.push_keys(&mut values);
        Ok(values)
    }

    /// The values of a change of what no index covers, of the row of this generation.
    pub(crate) fn updated_document(&self, old: u64) -> Result<Vec<Value<'_>>, StoreError> {
        let Subject { meta, parent, .. } = self.subject;
        let mut values = Vec::with_capacity(7 + self.lookups.len());
        values.extend([
            Value::Int(meta.time_modified.as_microsecond()),
            generation(meta.generation)?,
            Value::Document(&self.document),
            Value::Id(meta.id),
            generation(old)?,
            Value::Id(parent),
        ]);
        self.push_keys(&mut values);
        Ok(values)
    }

    /// The values of a change of all columns, of the row of this generation.
    pub(crate) fn updated_row(&self, old: u64) -> Result<Vec<Value<'_>>, StoreError> {
        let Subject { meta, parent, .. } = self.subject;
        let mut values = Vec::with_capacity(8 + self.lookups.len());
        values.extend([
            Value::Int(meta.time_modified.as_microsecond()),
            Value::from(meta.time_deleted),
            generation(meta.generation)?,
            Value::Document(&self.document),
            Value::Id(parent),
        ]);
        self.push_keys(&mut values);
        values.extend([Value::Id(meta.id), generation(old)?]);
        Ok(values)
    }

    fn push_keys<'a>(&'a self, values: &mut Vec<Value<'a>>) {
        values.extend(self.subject.name.map(Value::Text));
        values.extend(self.lookups.iter().map(Key::as_value));
    }
}

pub(crate) fn generation(generation: u64) -> Result<Value<'static>, StoreError> {
    i64::try_from(generation).map(Value::Int).map_err(StoreError::internal)
}
