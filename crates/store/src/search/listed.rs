//! Lists in the order in which people read them, of any kind that is searched: the entries that stand under one parent.

use std::collections::HashMap;

use jiff::Timestamp;
use uuid::Uuid;

use super::{Searched, natural_key};
use crate::{Dialect, Record, StoreError, Tx, key::Value, statements::LIVE, transaction};

/// Numbers of records that one statement reads.
const RECORDS: [usize; 3] = [1, 8, 64];

/// What such a list is ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedOrder {
    /// By name in [natural order](natural_key).
    Name,
    /// By time of creation.
    Time,
}

impl ListedOrder {
    const ALL: [Self; 2] = [Self::Name, Self::Time];

    const fn column(self) -> &'static str {
        match self {
            Self::Name => "sort_name",
            Self::Time => "time_created",
        }
    }
}

/// The place of a record in such a list. The id decides among equals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListedPlace {
    /// In the order of names: the key of the name, and the id.
    Name(String, Uuid),
    /// In the order of time.
    Time(Timestamp, Uuid),
}

impl ListedPlace {
    /// The place of a record.
    pub fn of<R: Record>(record: &R, order: ListedOrder) -> Self {
        let meta = record.meta();
        match order {
            ListedOrder::Name => {
                Self::Name(record.searched().as_ref().map(sort_name).unwrap_or_default(), meta.id)
            }
            ListedOrder::Time => Self::Time(meta.time_created, meta.id),
        }
    }

    const fn order(&self) -> ListedOrder {
        match self {
            Self::Name(..) => ListedOrder::Name,
            Self::Time(..) => ListedOrder::Time,
        }
    }
}

/// By what a record is sorted among names.
pub(super) fn sort_name(searched: &Searched) -> String {
    let name = searched.fields.iter().find(|field| field.name == "name");
    name.map(|field| natural_key(&field.text)).unwrap_or_default()
}

/// What the migration that brought these lists does to the tables of the search, whose index is made anew after it.
pub(crate) fn tables(dialect: Dialect) -> Vec<String> {
    let (integer, text) = match dialect {
        Dialect::Sqlite => ("INTEGER", "TEXT"),
        Dialect::Postgres => ("BIGINT", "TEXT COLLATE \"C\""),
    };
    let column = |name: &str, of: &str, usual: &str| {
        format!("ALTER TABLE \"search_entry\" ADD COLUMN \"{name}\" {of} NOT NULL DEFAULT {usual}")
    };
    let index = |name: &str, columns: &str| {
        format!(
            "CREATE INDEX \"search_entry_{name}\" ON \"search_entry\" (\"parent_id\", \"kind\", {columns})"
        )
    };
    vec![
        column("sort_name", text, "''"),
        column("time_created", integer, "0"),
        index("by_name", "\"sort_name\", \"id\""),
        index("by_time", "\"time_created\", \"id\""),
        index("by_id", "\"id\""),
    ]
}

/// Reads a page of ids. Parameters: parent, kind, the two of the place if it is continued, the limit.
fn page(order: ListedOrder, descending: bool, continued: bool) -> String {
    let column = order.column();
    let (operator, direction) = if descending { ("<", " DESC") } else { (">", "") };
    let (after, limit) = if continued {
        (format!(" AND (\"{column}\", \"id\") {operator} ($3, $4)"), 5)
    } else {
        (String::new(), 3)
    };
    format!(
        "SELECT \"id\" FROM \"search_entry\" WHERE \"parent_id\" = $1 AND \"kind\" = $2{after} \
         ORDER BY \"{column}\"{direction}, \"id\"{direction} LIMIT ${limit}"
    )
}

/// Reads a page of ids in their order. Parameters: parent, kind, the id before, the limit.
const BY_ID: &str = "SELECT \"id\" FROM \"search_entry\" WHERE \"parent_id\" = $1 AND \"kind\" = $2 AND \"id\" > $3 \
     ORDER BY \"id\" LIMIT $4";

/// Counts, up to a limit. Parameters: parent, kind, the limit.
const COUNT: &str = "SELECT count(*) FROM (SELECT \"id\" FROM \"search_entry\" WHERE \"parent_id\" = $1 AND \"kind\" = $2 \
     ORDER BY \"id\" LIMIT $3) AS \"found\"";

/// Reads the id that so many come before. Parameters: parent, kind, how many.
const NTH: &str = "SELECT \"id\" FROM \"search_entry\" WHERE \"parent_id\" = $1 AND \"kind\" = $2 \
     ORDER BY \"id\" LIMIT 1 OFFSET $3";

/// Reads the live records with these ids.
fn by_ids(table: &str, count: usize) -> String {
    let ids: Vec<String> = (1..=count).map(|number| format!("${number}")).collect();
    format!("SELECT \"document\" FROM \"{table}\" WHERE \"id\" IN ({}) AND {LIVE}", ids.join(", "))
}

/// Every statement that reads, with a name for reports; those about records of a kind for disks.
pub(super) fn reading() -> Vec<(String, String)> {
    let mut all = vec![
        ("list by id".to_owned(), BY_ID.to_owned()),
        ("count to a limit".to_owned(), COUNT.to_owned()),
        ("id at a place".to_owned(), NTH.to_owned()),
    ];
    for order in ListedOrder::ALL {
        let by = format!("list by {}", order.column());
        all.push((by.clone(), page(order, false, false)));
        all.push((format!("{by}, continued"), page(order, false, true)));
        all.push((format!("{by}, descending"), page(order, true, false)));
        all.push((format!("{by}, descending, continued"), page(order, true, true)));
    }
    all.extend(RECORDS.map(|count| (format!("{count} records"), by_ids("disk", count))));
    all
}

impl Tx<'_> {
    /// A page of at most `limit` live records of one parent, after a place, whose order must be the list's.
    pub fn listed<R: Record>(
        &mut self,
        parent: Uuid,
        (order, descending): (ListedOrder, bool),
        after: Option<&ListedPlace>,
        limit: usize,
    ) -> Result<Vec<R>, StoreError> {
        if after.is_some_and(|after| after.order() != order) {
            return Err(StoreError::Internal(format!("the place {after:?} is not one by {order:?}")));
        }
        let mut parameters = vec![Value::Id(parent), Value::Text(R::TABLE.name)];
        match after {
            None => {}
            Some(ListedPlace::Name(key, id)) => parameters.extend([Value::Text(key), Value::Id(*id)]),
            Some(ListedPlace::Time(time, id)) => {
                parameters.extend([Value::Int(time.as_microsecond()), Value::Id(*id)]);
            }
        }
        parameters.push(transaction::row_limit(limit));
        let ids = self.ids(&page(order, descending, after.is_some()), &parameters)?;
        self.get_all(&ids)
    }

    /// At most `limit` live records of one parent in the order of their ids, which are random: a sample.
    pub fn listed_by_id<R: Record>(
        &mut self,
        parent: Uuid,
        after: Uuid,
        limit: usize,
    ) -> Result<Vec<R>, StoreError> {
        let of = [Value::Id(parent), Value::Text(R::TABLE.name)];
        let parameters = [of[0], of[1], Value::Id(after), transaction::row_limit(limit)];
        let ids = self.ids(BY_ID, &parameters)?;
        self.get_all(&ids)
    }

    /// How many live records a parent has; no more than `most` are counted.
    pub fn count_listed<R: Record>(&mut self, parent: Uuid, most: usize) -> Result<usize, StoreError> {
        let parameters = [Value::Id(parent), Value::Text(R::TABLE.name), transaction::row_limit(most)];
        usize::try_from(self.integer(COUNT, &parameters)?).map_err(StoreError::internal)
    }

    /// The id of a live record that so many others of its parent come before in the order of ids.
    pub fn listed_at<R: Record>(
        &mut self,
        parent: Uuid,
        position: usize,
    ) -> Result<Option<Uuid>, StoreError> {
        let parameters = [Value::Id(parent), Value::Text(R::TABLE.name), transaction::row_limit(position)];
        Ok(self.ids(NTH, &parameters)?.pop())
    }

    /// The live records with these ids, in their order. Those that are none are left out.
    pub fn get_all<R: Record>(&mut self, ids: &[Uuid]) -> Result<Vec<R>, StoreError> {
        let mut found: HashMap<Uuid, R> = HashMap::with_capacity(ids.len());
        for chunk in ids.chunks(RECORDS[RECORDS.len() - 1]) {
            let size = RECORDS.into_iter().find(|size| *size >= chunk.len()).unwrap_or(chunk.len());
            let filled = chunk.iter().copied().chain(std::iter::repeat(Uuid::nil())).take(size);
            let parameters: Vec<Value<'_>> = filled.map(Value::Id).collect();
            self.session().query(&by_ids(R::TABLE.name, size), &parameters, &mut |row| {
                let record: R = transaction::decode(row.text(0)?)?;
                found.insert(record.meta().id, record);
                Ok(())
            })?;
        }
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    fn ids(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<Vec<Uuid>, StoreError> {
        let mut ids = Vec::new();
        self.session().query(sql, parameters, &mut |row| {
            ids.extend(row.id(0)?);
            Ok(())
        })?;
        Ok(ids)
    }
}
