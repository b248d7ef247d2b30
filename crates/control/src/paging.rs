use std::cmp::Ordering;

use croft_api::{
    Result,
    activity::NewestFirstSortMode,
    alert::AlertClassSortMode,
    page::{
        IdSortMode, Listed, Marker as ApiMarker, NameOrIdSortMode, NameSortMode, PageQuery, ResultsPage,
        SortMode, TimeAndIdSortMode,
    },
};
use croft_store::{ListBy, Marker, Record, Sort, Tx};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

/// Conversion from a sort mode of the contract to an order of the store.
pub(crate) trait StoreSort: Copy {
    /// The order of the store.
    fn sort(self) -> Sort;
}

impl StoreSort for NameOrIdSortMode {
    fn sort(self) -> Sort {
        match self {
            Self::NameAscending => Sort::NameAsc,
            Self::NameDescending => Sort::NameDesc,
            Self::IdAscending => Sort::IdAsc,
        }
    }
}

impl StoreSort for NameSortMode {
    fn sort(self) -> Sort {
        match self {
            Self::NameAscending => Sort::NameAsc,
        }
    }
}

impl StoreSort for AlertClassSortMode {
    fn sort(self) -> Sort {
        match self {
            Self::NameAscending => Sort::NameAsc,
        }
    }
}

impl StoreSort for IdSortMode {
    fn sort(self) -> Sort {
        match self {
            Self::IdAscending => Sort::IdAsc,
        }
    }
}

impl StoreSort for TimeAndIdSortMode {
    fn sort(self) -> Sort {
        match self {
            Self::TimeAndIdAscending => Sort::TimeAsc,
            Self::TimeAndIdDescending => Sort::TimeDesc,
        }
    }
}

impl StoreSort for NewestFirstSortMode {
    fn sort(self) -> Sort {
        match self {
            Self::TimeAndIdDescending => Sort::TimeDesc,
        }
    }
}

/// The requested page of records.
pub(crate) fn page<R: Record, Selector, Mode: StoreSort>(
    tx: &mut Tx<'_>,
    by: ListBy,
    query: &PageQuery<Selector, Mode>,
) -> Result<Vec<R>> {
    Ok(tx.page(by, query.sort.sort(), start(query), limit(query))?)
}

/// The requested page, without records that `keep` refuses.
pub(crate) fn page_where<R: Record, Selector, Mode: StoreSort>(
    tx: &mut Tx<'_>,
    by: &ListBy,
    query: &PageQuery<Selector, Mode>,
    keep: impl Fn(&R) -> bool,
) -> Result<Vec<R>> {
    filter_map_page(tx, by, query, |_, record| Ok(keep(&record).then_some(record)))
}

/// The requested page of mapped records, skipping those mapped to `None`.
pub(crate) fn filter_map_page<R: Record, T, Selector, Mode: StoreSort>(
    tx: &mut Tx<'_>,
    by: &ListBy,
    query: &PageQuery<Selector, Mode>,
    mut map: impl FnMut(&mut Tx<'_>, R) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let (sort, limit) = (query.sort.sort(), limit(query));
    let (mut after, mut kept) = (start(query), Vec::new());
    loop {
        let missing = limit - kept.len();
        let page: Vec<R> = tx.page(by.clone(), sort, after, missing)?;
        let full = page.len() == missing;
        after = page.last().map(|last| Marker::after(last, sort));
        for record in page {
            kept.extend(map(tx, record)?);
        }
        if !full || kept.len() == limit {
            return Ok(kept);
        }
    }
}

/// The requested page of a list that is in memory, because no index has its order.
pub(crate) fn page_of<T: Listed, Selector, Mode>(
    mut items: Vec<T>,
    query: &PageQuery<Selector, Mode>,
) -> ResultsPage<T>
where
    Selector: Clone + Serialize + DeserializeOwned,
    Mode: SortMode + StoreSort,
{
    let sort = query.sort.sort();
    let in_order = |order: Ordering| if sort == Sort::NameDesc { order.reverse() } else { order };
    let is_after = |item: &T| match &query.after {
        None => true,
        Some(ApiMarker::NameAndId(name, id)) => {
            in_order((item.name(), item.id()).cmp(&(name.as_str(), *id))).is_gt()
        }
        Some(ApiMarker::Name(name)) => in_order(item.name().cmp(name)).is_gt(),
        Some(ApiMarker::Id(id)) => item.id() > *id,
        Some(ApiMarker::Time(time, id)) => {
            let order = (item.time(), item.id()).cmp(&(*time, *id));
            if sort == Sort::TimeDesc { order.is_lt() } else { order.is_gt() }
        }
    };
    items.retain(is_after);
    items.sort_by(|one, other| match sort {
        Sort::NameAsc | Sort::NameDesc => in_order(one.name().cmp(other.name())),
        Sort::IdAsc => one.id().cmp(&other.id()),
        Sort::TimeAsc => (one.time(), one.id()).cmp(&(other.time(), other.id())),
        Sort::TimeDesc => (other.time(), other.id()).cmp(&(one.time(), one.id())),
    });
    items.truncate(limit(query));
    query.results(items)
}

/// The requested page of a list of ids that is in memory.
pub(crate) fn cut<Selector>(mut ids: Vec<Uuid>, query: &PageQuery<Selector, IdSortMode>) -> Vec<Uuid> {
    let after = match &query.after {
        Some(ApiMarker::Id(id)) => Some(*id),
        _ => None,
    };
    ids.retain(|id| after.is_none_or(|after| *id > after));
    ids.sort_unstable();
    ids.truncate(limit(query));
    ids
}

fn start<Selector, Mode: StoreSort>(query: &PageQuery<Selector, Mode>) -> Option<Marker> {
    query.after.as_ref().map(|marker| match marker {
        ApiMarker::Id(id) => Marker::Id(*id),
        ApiMarker::Time(time, id) => Marker::Time(*time, *id),
        ApiMarker::NameAndId(name, id) => Marker::Name(name.clone(), *id),
        // Names are unique in the lists of the contract, so the nil id excludes records of the same name.
        ApiMarker::Name(name) if query.sort.sort() == Sort::NameDesc => {
            Marker::Name(name.clone(), Uuid::nil())
        }
        ApiMarker::Name(name) => Marker::Name(name.clone(), Uuid::max()),
    })
}

/// Maximum number of records on the requested page.
pub(crate) fn limit<Selector, Mode>(query: &PageQuery<Selector, Mode>) -> usize {
    usize::try_from(query.limit).unwrap_or(usize::MAX)
}

/// Whether any live record matches. Stops at the first match. The list must be sortable by id.
pub(crate) fn any<R: Record>(
    tx: &mut Tx<'_>,
    by: &ListBy,
    mut fits: impl FnMut(&mut Tx<'_>, &R) -> Result<bool>,
) -> Result<bool> {
    const BATCH: usize = 100;
    let mut after = None;
    loop {
        let page: Vec<R> = tx.page(by.clone(), Sort::IdAsc, after, BATCH)?;
        for record in &page {
            if fits(tx, record)? {
                return Ok(true);
            }
        }
        match page.last() {
            Some(last) if page.len() == BATCH => after = Some(Marker::after(last, Sort::IdAsc)),
            _ => return Ok(false),
        }
    }
}

/// Every live record of a list that can be sorted by id.
pub(crate) fn all<R: Record>(tx: &mut Tx<'_>, by: &ListBy) -> Result<Vec<R>> {
    const BATCH: usize = 1000;
    let mut records = Vec::new();
    loop {
        let after = records.last().map(|last: &R| Marker::after(last, Sort::IdAsc));
        let page: Vec<R> = tx.page(by.clone(), Sort::IdAsc, after, BATCH)?;
        let full = page.len() == BATCH;
        records.extend(page);
        if !full {
            return Ok(records);
        }
    }
}
