//! The tables of the search: how records come into them, and how they are read.
//!
//! Both are of the store's own, like the change log: they hold nothing that does not follow from the records.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use croft_api::search::SearchMatch;
use uuid::Uuid;

use super::{
    Audience, Field, Form, SearchQuery, Searched, listed,
    query::Step,
    terms::{self, Term},
};
use crate::{
    Dialect, ListBy, Marker, Record, Scope, Sort, StoreError, Tx, columns::Subject, engine::Row,
    for_each_record, key::Value, labels, records::LabelSet, transaction::row_limit,
};

/// Numbers of ranges that one statement reads. A statement is filled up with ranges that hold nothing.
const RANGES: [usize; 3] = [1, 8, 64];
/// Numbers of entries that one statement reads.
const ENTRIES: [usize; 3] = [1, 8, 64];
/// Most rows that are read of one range at once.
const ROWS: usize = 128;

/// What is kept of a searched record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchEntry {
    /// The name of the record's table.
    pub kind: String,
    /// The record's id.
    pub id: Uuid,
    /// Where it belongs to.
    pub scope: Scope,
    /// What it is part of; nil for a root.
    pub parent: Uuid,
    /// What can be found of it.
    pub fields: Vec<Field>,
}

impl SearchEntry {
    /// The text of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.name == name).map(|field| field.text.as_str())
    }

    /// The record's name, if it has one. Of a piece of hardware the serial number.
    pub fn name(&self) -> Option<&str> {
        self.field("name").or_else(|| self.field("serial"))
    }
}

/// A record that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// Where it stands among the answers.
    pub position: SearchPosition,
    /// The record.
    pub entry: SearchEntry,
    /// Why it was found.
    pub matched: SearchMatch,
}

/// A place among the answers of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPosition {
    step: usize,
    key: String,
    /// The number of an entry, or among ids the id.
    last: u128,
}

impl SearchPosition {
    /// As page tokens have it.
    pub fn parts(&self) -> (String, Uuid) {
        (format!("{} {}", self.step, self.key), Uuid::from_u128(self.last))
    }

    /// From what page tokens have; none if they were not made here.
    pub fn from_parts(text: &str, last: Uuid) -> Option<Self> {
        let (step, key) = text.split_once(' ')?;
        let is_key = !key.contains('\0') && key.chars().count() <= terms::KEPT.max(36);
        is_key.then_some(())?;
        Some(Self { step: step.parse().ok()?, key: key.to_owned(), last: last.as_u128() })
    }

    /// The number of the last entry; the terms of entries have none above the greatest.
    fn number(&self) -> i64 {
        i64::try_from(self.last).unwrap_or(i64::MAX)
    }
}

/// Some of the answers of a search.
#[derive(Clone, Debug)]
pub struct SearchBatch {
    /// What was found.
    pub hits: Vec<SearchHit>,
    /// How many rows were looked at for it.
    pub looked_at: usize,
    /// After which place the search goes on; none at its end.
    pub next: Option<SearchPosition>,
}

/// An entry as it is stored.
struct Stored {
    document: String,
    number: i64,
    entry: SearchEntry,
    audiences: Vec<i64>,
}

/// What of an entry stands in its document.
#[derive(serde::Serialize, serde::Deserialize)]
struct Document {
    f: Vec<Field>,
    a: Vec<i64>,
}

/// The tables, for a new database and for the migration that brought the search.
pub(crate) fn tables(dialect: Dialect) -> Vec<String> {
    let (number, integer, id, text, table_end) = match dialect {
        Dialect::Sqlite => ("INTEGER PRIMARY KEY", "INTEGER", "BLOB", "TEXT", " WITHOUT ROWID"),
        Dialect::Postgres => {
            let number = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
            (number, "BIGINT", "UUID", "TEXT COLLATE \"C\"", "")
        }
    };
    vec![
        format!(
            "CREATE TABLE \"search_entry\" (\"number\" {number}, \"kind\" {text} NOT NULL, \"id\" {id} NOT NULL, \
             \"silo_id\" {id}, \"project_id\" {id}, \"parent_id\" {id} NOT NULL, \"document\" TEXT NOT NULL)"
        ),
        "CREATE UNIQUE INDEX \"search_entry_id\" ON \"search_entry\" (\"id\", \"kind\")".to_owned(),
        format!(
            "CREATE TABLE \"search_term\" (\"audience\" {integer} NOT NULL, \"term\" {text} NOT NULL, \
             \"entry\" {integer} NOT NULL, PRIMARY KEY (\"audience\", \"term\", \"entry\")){table_end}"
        ),
    ]
}

const COLUMNS: &str =
    "\"number\", \"kind\", \"id\", \"silo_id\", \"project_id\", \"parent_id\", \"document\"";

/// Reads the entry of a record, by its id and its kind.
fn by_record() -> String {
    format!("SELECT {COLUMNS} FROM \"search_entry\" WHERE \"id\" = $1 AND \"kind\" = $2")
}

/// Reads an entry by the id of its record. Of several, the kind decides: a VPC comes before its firewall.
fn by_id() -> String {
    format!("SELECT {COLUMNS} FROM \"search_entry\" WHERE \"id\" = $1 ORDER BY \"kind\" LIMIT 1")
}

/// Reads entries by their numbers.
fn by_numbers(count: usize) -> String {
    let numbers: Vec<String> = (1..=count).map(|number| format!("${number}")).collect();
    format!("SELECT {COLUMNS} FROM \"search_entry\" WHERE \"number\" IN ({})", numbers.join(", "))
}

/// Reads entries by their ids, in the order of those.
fn by_ids() -> String {
    format!(
        "SELECT {COLUMNS} FROM \"search_entry\" WHERE (\"id\", \"kind\") > ($1, $2) AND \"id\" <= $3 \
         ORDER BY \"id\", \"kind\" LIMIT $4"
    )
}

/// Reads the first terms of each of several ranges. Parameters: for each range the audience, the term and the entry after
/// which it begins, the term before which it ends, and the limit.
fn ranges(count: usize) -> String {
    let range = |number: usize| {
        let first = 5 * number + 1;
        format!(
            "SELECT CAST({number} AS BIGINT) AS \"range\", \"term\", \"entry\" FROM (SELECT \"term\", \"entry\" FROM \"search_term\" \
             WHERE \"audience\" = ${} AND (\"term\", \"entry\") > (${}, ${}) AND \"term\" < ${} \
             ORDER BY \"term\", \"entry\" LIMIT ${}) AS \"found\"",
            first,
            first + 1,
            first + 2,
            first + 3,
            first + 4
        )
    };
    (0..count).map(range).collect::<Vec<_>>().join(" UNION ALL ")
}

/// Every statement that reads, with a name for reports.
pub(crate) fn reading() -> Vec<(String, String)> {
    let mut all = vec![
        ("entry of a record".to_owned(), by_record()),
        ("entry by id".to_owned(), by_id()),
        ("entries by ids".to_owned(), by_ids()),
    ];
    all.extend(ENTRIES.map(|count| (format!("{count} entries"), by_numbers(count))));
    all.extend(RANGES.map(|count| (format!("{count} ranges of terms"), ranges(count))));
    all.extend(listed::reading());
    all
}

/// A range of terms of one audience, from a place on.
struct Range<'q> {
    audience: i64,
    after: (&'q str, i64),
    before: &'q str,
}

/// The places of entries, the entries, and whether there are no more of their step.
type Found = (Vec<SearchPosition>, Vec<SearchEntry>, bool);

/// A row of the index.
type TermRow = (String, i64);

impl Tx<'_> {
    /// Goes on with a search after a place, or begins it: the answers among the next rows of the index that one of the
    /// audiences may find, about as many as are wanted.
    pub fn search(
        &mut self,
        query: &SearchQuery,
        audiences: &[Audience],
        after: &SearchPosition,
        wanted: usize,
    ) -> Result<SearchBatch, StoreError> {
        let end = SearchBatch { hits: Vec::new(), looked_at: 0, next: None };
        let Some(step) = query.steps.get(after.step) else { return Ok(end) };
        let (places, entries, is_end) = match step {
            Step::Ids(first, last) => self.search_ids((*first, *last), after, wanted)?,
            Step::Terms(_, ranges) => self.search_terms(ranges, audiences, after, wanted)?,
        };
        let looked_at = places.len();
        let next = match places.last() {
            Some(last) if !is_end => Some(last.clone()),
            _ => {
                let next = SearchPosition { step: after.step + 1, ..SearchPosition::default() };
                Some(next).filter(|next| next.step < query.steps.len())
            }
        };
        let mut hits = Vec::new();
        for (position, entry) in places.into_iter().zip(entries) {
            // Anywhere but at its place, a record was found before or will be found later.
            let place = query.place(&entry.kind, entry.id, &entry.fields);
            if let Some((step, key, matched)) = place
                && (step, &key) == (position.step, &position.key)
            {
                hits.push(SearchHit { position, entry, matched });
            }
        }
        Ok(SearchBatch { hits, looked_at, next })
    }

    /// What the search keeps of the record with this id.
    pub fn searched(&mut self, id: Uuid) -> Result<Option<SearchEntry>, StoreError> {
        let mut found = self.stored(&by_id(), &[Value::Id(id)])?;
        Ok(found.pop().map(|stored| stored.entry))
    }

    /// What the search keeps of a record of this kind.
    pub fn searched_as(&mut self, kind: &str, id: Uuid) -> Result<Option<SearchEntry>, StoreError> {
        let mut found = self.stored(&by_record(), &[Value::Id(id), Value::Text(kind)])?;
        Ok(found.pop().map(|stored| stored.entry))
    }

    fn search_ids(
        &mut self,
        (first, last): (Uuid, Uuid),
        after: &SearchPosition,
        wanted: usize,
    ) -> Result<Found, StoreError> {
        let after_id = Uuid::from_u128(after.last.max(first.as_u128()));
        let limit = wanted.clamp(1, ROWS);
        let parameters = [Value::Id(after_id), Value::Text(&after.key), Value::Id(last), row_limit(limit)];
        let stored = self.stored(&by_ids(), &parameters)?;
        let is_end = stored.len() < limit;
        let entries: Vec<SearchEntry> = stored.into_iter().map(|stored| stored.entry).collect();
        let place = |entry: &SearchEntry| SearchPosition {
            step: after.step,
            key: entry.kind.clone(),
            last: entry.id.as_u128(),
        };
        Ok((entries.iter().map(place).collect(), entries, is_end))
    }

    fn search_terms(
        &mut self,
        wanted_ranges: &[(String, String)],
        audiences: &[Audience],
        after: &SearchPosition,
        wanted: usize,
    ) -> Result<Found, StoreError> {
        let mut ranges = Vec::with_capacity(wanted_ranges.len() * audiences.len());
        for (from, before) in wanted_ranges.iter().filter(|(_, before)| after.key < *before) {
            let start =
                if after.key < *from { (from.as_str(), 0) } else { (after.key.as_str(), after.number()) };
            let of_audience =
                |audience: &Audience| Range { audience: audience.number(), after: start, before };
            ranges.extend(audiences.iter().map(of_audience));
        }
        let limit = wanted.clamp(8, ROWS);
        let (mut rows, mut complete_to) = (Vec::new(), None);
        for chunk in ranges.chunks(RANGES[RANGES.len() - 1]) {
            let mut counts = vec![(0, None); chunk.len()];
            self.terms_of(chunk, limit, &mut |range, row| {
                counts[range].0 += 1;
                counts[range].1 = Some(row.clone());
                rows.push(row);
            })?;
            // Beyond the last row of a range that was not read to its end, rows may be missing.
            let cut = counts.into_iter().filter(|(count, _)| *count == limit).filter_map(|(_, last)| last);
            complete_to = complete_to.into_iter().chain(cut).min();
        }
        rows.sort_unstable();
        rows.dedup();
        let mut is_end = complete_to.is_none();
        if let Some(complete_to) = complete_to {
            rows.retain(|row| *row <= complete_to);
        }
        if rows.len() > limit {
            rows.truncate(limit);
            is_end = false;
        }
        let entries = self.entries(rows.iter().map(|(_, number)| *number))?;
        let places = rows.into_iter().map(|(key, number)| SearchPosition {
            step: after.step,
            key,
            last: number.unsigned_abs().into(),
        });
        Ok((places.collect(), entries, is_end))
    }

    fn terms_of(
        &mut self,
        wanted: &[Range<'_>],
        limit: usize,
        take: &mut dyn FnMut(usize, TermRow),
    ) -> Result<(), StoreError> {
        if wanted.is_empty() {
            return Ok(());
        }
        let size = RANGES.into_iter().find(|size| *size >= wanted.len()).unwrap_or(wanted.len());
        let mut parameters = Vec::with_capacity(5 * size);
        for Range { audience, after: (term, entry), before } in wanted {
            let place = [Value::Text(term), Value::Int(*entry), Value::Text(before)];
            parameters.push(Value::Int(*audience));
            parameters.extend(place);
            parameters.push(row_limit(limit));
        }
        for _ in wanted.len()..size {
            let nothing = [Value::Int(0), Value::Text(""), Value::Int(0), Value::Text(""), Value::Int(0)];
            parameters.extend(nothing);
        }
        self.session().query(&ranges(size), &parameters, &mut |row| {
            let range = usize::try_from(row.integer(0)?).map_err(StoreError::internal)?;
            take(range, (row.text(1)?.to_owned(), row.integer(2)?));
            Ok(())
        })
    }

    /// The entries with these numbers, in their order.
    fn entries(&mut self, numbers: impl Iterator<Item = i64>) -> Result<Vec<SearchEntry>, StoreError> {
        let numbers: Vec<i64> = numbers.collect();
        let mut found = HashMap::with_capacity(numbers.len());
        for chunk in numbers.chunks(ENTRIES[ENTRIES.len() - 1]) {
            let size = ENTRIES.into_iter().find(|size| *size >= chunk.len()).unwrap_or(chunk.len());
            let filled = chunk.iter().copied().chain(std::iter::repeat(-1)).take(size);
            let parameters: Vec<Value<'_>> = filled.map(Value::Int).collect();
            for stored in self.stored(&by_numbers(size), &parameters)? {
                found.insert(stored.number, stored.entry);
            }
        }
        let missing = |number| StoreError::Corrupt(format!("the search knows no entry {number}"));
        let entry = |number| found.get(&number).cloned().ok_or_else(|| missing(number));
        numbers.into_iter().map(entry).collect()
    }

    fn stored(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<Vec<Stored>, StoreError> {
        let mut found = Vec::new();
        self.session().query(sql, parameters, &mut |row| {
            found.push(stored_from_row(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Lets a new record be found.
    pub(crate) fn index_new(&mut self, record: &Subject<'_>, searched: &Searched) -> Result<(), StoreError> {
        let (document, audiences) = document(searched, record.scope)?;
        let sql = "INSERT INTO \"search_entry\" (\"kind\", \"id\", \"silo_id\", \"project_id\", \"parent_id\", \
                   \"document\", \"sort_name\", \"time_created\") VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
                   RETURNING \"number\"";
        let sort_name = listed::sort_name(searched);
        let parameters = [
            Value::Text(record.table.name),
            Value::Id(record.meta.id),
            Value::from(record.scope.silo),
            Value::from(record.scope.project),
            Value::Id(searched.parent(record.parent)),
            Value::Text(&document),
            Value::Text(&sort_name),
            Value::Int(record.meta.time_created.as_microsecond()),
        ];
        let mut number = 0;
        self.session().query(sql, &parameters, &mut |row| {
            number = row.integer(0)?;
            Ok(())
        })?;
        self.session().write_terms(number, &audiences, &keys(&searched.fields))
    }

    /// Lets a record be found as it is now.
    pub(crate) fn index_changed(
        &mut self,
        record: &Subject<'_>,
        searched: &Searched,
    ) -> Result<(), StoreError> {
        let found =
            self.stored(&by_record(), &[Value::Id(record.meta.id), Value::Text(record.table.name)])?.pop();
        let Some(Stored { document: old_document, number, entry, audiences: old_audiences }) = found else {
            return self.index_new(record, searched);
        };
        // The record knows nothing of its labels.
        let labels: Vec<&Field> = entry.fields.iter().filter(|field| field.form == Form::Pair).collect();
        let searched = &with_labels(searched, &labels);
        if entry.scope != record.scope {
            self.labels_moved(record.meta.id, record.scope, record.meta.time_modified)?;
        }
        let (document, audiences) = document(searched, record.scope)?;
        let parent = searched.parent(record.parent);
        if document == old_document && entry.scope == record.scope && entry.parent == parent {
            return Ok(());
        }
        let sql = "UPDATE \"search_entry\" SET \"silo_id\" = $1, \"project_id\" = $2, \"parent_id\" = $3, \
                   \"document\" = $4, \"sort_name\" = $5 WHERE \"number\" = $6";
        let sort_name = listed::sort_name(searched);
        let parameters = [
            Value::from(record.scope.silo),
            Value::from(record.scope.project),
            Value::Id(parent),
            Value::Text(&document),
            Value::Text(&sort_name),
            Value::Int(number),
        ];
        self.session().execute(sql, &parameters)?;
        let (old, new) = (keys(&entry.fields), keys(&searched.fields));
        let (gone, come) =
            if old_audiences == audiences { (without(&old, &new), without(&new, &old)) } else { (old, new) };
        self.session().erase_terms(number, &old_audiences, &gone)?;
        self.session().write_terms(number, &audiences, &come)
    }

    /// Lets a record be found by its labels, in the place of those that it had.
    pub(crate) fn index_labels(
        &mut self,
        kind: &str,
        id: Uuid,
        labels: &BTreeMap<String, String>,
    ) -> Result<(), StoreError> {
        let found = self.stored(&by_record(), &[Value::Id(id), Value::Text(kind)])?.pop();
        let Some(Stored { number, mut entry, audiences, .. }) = found else { return Ok(()) };
        let old = keys(&entry.fields);
        entry.fields.retain(|field| field.form != Form::Pair);
        entry.fields.extend(labels.iter().map(|(key, value)| Field::of_label(key, value)));
        let new = keys(&entry.fields);
        let document = serde_json::to_string(&Document { f: entry.fields, a: audiences.clone() })?;
        let sql = "UPDATE \"search_entry\" SET \"document\" = $1 WHERE \"number\" = $2";
        self.session().execute(sql, &[Value::Text(&document), Value::Int(number)])?;
        self.session().erase_terms(number, &audiences, &without(&old, &new))?;
        self.session().write_terms(number, &audiences, &without(&new, &old))
    }

    /// Lets a record not be found any more.
    pub(crate) fn index_gone(&mut self, record: &Subject<'_>) -> Result<(), StoreError> {
        let of_record = [Value::Id(record.meta.id), Value::Text(record.table.name)];
        let found = self.stored(&by_record(), &of_record)?.pop();
        let Some(Stored { number, entry, audiences, .. }) = found else { return Ok(()) };
        if labels::labelled(record.table.name).is_some() {
            self.labels_gone(record.meta.id, record.meta.time_modified)?;
        }
        self.session().erase_terms(number, &audiences, &keys(&entry.fields))?;
        self.session()
            .execute("DELETE FROM \"search_entry\" WHERE \"number\" = $1", &[Value::Int(number)])?;
        Ok(())
    }
}

fn with_labels<'s>(searched: &'s Searched, labels: &[&Field]) -> Cow<'s, Searched> {
    let mut searched = Cow::Borrowed(searched);
    if !labels.is_empty() {
        searched.to_mut().fields.extend(labels.iter().copied().cloned());
    }
    searched
}

/// The keys of one list that are not in another. Both are sorted.
fn without(some: &[String], others: &[String]) -> Vec<String> {
    some.iter().filter(|key| others.binary_search(key).is_err()).cloned().collect()
}

fn keys(fields: &[Field]) -> Vec<String> {
    terms::of(fields).into_iter().map(|Term { key, .. }| key).collect()
}

fn document(searched: &Searched, scope: Scope) -> Result<(String, Vec<i64>), StoreError> {
    let audiences = searched.audiences(scope);
    let document = Document { f: searched.fields.clone(), a: audiences.clone() };
    Ok((serde_json::to_string(&document)?, audiences))
}

fn stored_from_row(row: &dyn Row) -> Result<Stored, StoreError> {
    let missing = || StoreError::Corrupt("an entry of the search lacks an id".into());
    let document = row.text(6)?;
    let Document { f, a } = serde_json::from_str(document)?;
    Ok(Stored {
        document: document.to_owned(),
        number: row.integer(0)?,
        entry: SearchEntry {
            kind: row.text(1)?.to_owned(),
            id: row.id(2)?.ok_or_else(missing)?,
            scope: Scope { silo: row.id(3)?, project: row.id(4)? },
            parent: row.id(5)?.ok_or_else(missing)?,
            fields: f,
        },
        audiences: a,
    })
}

/// Indexes all records of a table.
type IndexAll = fn(&mut Tx<'_>) -> Result<(), StoreError>;

macro_rules! index_all {
    ($($record:ident)*) => { &[$(index_all_of::<crate::records::$record>),*] };
}

/// Makes the index anew from all records: once all migrations have run, of which one brought the search or changed what is
/// found of records. Documents are then in the form that this program stores.
pub(crate) fn rebuild(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    static ALL: &[IndexAll] = for_each_record!(index_all);
    tx.execute("DELETE FROM \"search_term\"", &[])?;
    tx.execute("DELETE FROM \"search_entry\"", &[])?;
    ALL.iter().try_for_each(|index| index(tx))?;
    each_of::<LabelSet>(tx, |tx, set| tx.index_labels(&set.kind, set.meta.id, &set.labels))
}

fn index_all_of<R: Record>(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    if !R::SEARCHED {
        return Ok(());
    }
    each_of::<R>(tx, |tx, record| match record.searched() {
        Some(searched) => tx.index_new(&Subject::of(record), &searched),
        None => Ok(()),
    })
}

fn each_of<R: Record>(
    tx: &mut Tx<'_>,
    mut take: impl FnMut(&mut Tx<'_>, &R) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    const BATCH: usize = 500;
    let mut after = None;
    loop {
        let records: Vec<R> = tx.page(ListBy::All, Sort::IdAsc, after, BATCH)?;
        records.iter().try_for_each(|record| take(tx, record))?;
        match records.last() {
            Some(last) if records.len() == BATCH => after = Some(Marker::after(last, Sort::IdAsc)),
            _ => return Ok(()),
        }
    }
}
