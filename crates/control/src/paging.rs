use croft_api::{
    Result,
    page::{IdSortMode, Marker as ApiMarker, NameOrIdSortMode, PageQuery},
};
use croft_store::{ListBy, Marker, Record, Sort, Tx};
use uuid::Uuid;

/// An order of the contract as an order of the store.
pub(crate) trait StoreSort: Copy {
    /// That order.
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

impl StoreSort for IdSortMode {
    fn sort(self) -> Sort {
        match self {
            Self::IdAscending => Sort::IdAsc,
        }
    }
}

/// The records of the page that was asked for.
pub(crate) fn page<R: Record, Selector, Mode: StoreSort>(
    tx: &mut Tx<'_>,
    by: ListBy,
    query: &PageQuery<Selector, Mode>,
) -> Result<Vec<R>> {
    let sort = query.sort.sort();
    let after = query.after.as_ref().map(|marker| match marker {
        ApiMarker::Id(id) => Marker::Id(*id),
        ApiMarker::Time(time, id) => Marker::Time(*time, *id),
        // Names do not repeat in the lists of the contract: the id lets no other record of that name in.
        ApiMarker::Name(name) if sort == Sort::NameDesc => Marker::Name(name.clone(), Uuid::nil()),
        ApiMarker::Name(name) => Marker::Name(name.clone(), Uuid::max()),
    });
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    Ok(tx.page(by, sort, after, limit)?)
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
