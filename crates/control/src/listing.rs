//! Lists that are searched, filtered, sorted and counted, of whatever kind (`docs/rules/compute-and-storage.md#searched-lists`).
//!
//! The rule of each kind finds out what is listed and whether the caller may list it. Everything else is here.

use std::collections::{BTreeMap, HashMap};

use croft_api::{
    Error, Result,
    list::{FoundPage, ListQuery, ListSelector, ListSortMode, ListTotal},
    page::Marker,
};
use croft_store::{
    ListBy, Record, Sort,
    records::{Label, LabelSet, LabelUse},
    search::{Audience, ListedOrder, ListedPlace, SearchPosition, SearchQuery},
};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

use crate::{
    Cx,
    label_selector::{LabelIndex, Selector},
    paging,
};

/// Longest text that is searched for, in characters.
pub(crate) const MAX_CHARACTERS: usize = 128;
/// Longest list of states, in bytes.
const MAX_STATES_BYTES: usize = 256;
/// Most rows that are looked at for one page of a list with filters. A page that ends there is short and has a token.
const MAX_ROWS: usize = 2_000;
/// Rows that are read at once.
const BATCH: usize = 250;
/// Longest list that is counted.
const MAX_COUNTED: usize = 10_000;
/// Records of which the share that passes the filters is taken, in longer lists.
const SAMPLE: usize = 1_000;

/// What is listed: the records of one parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    parent: Uuid,
    audience: Audience,
}

impl Within {
    /// What is in a project.
    pub(crate) const fn project(id: Uuid) -> Self {
        Self { parent: id, audience: Audience::Project(id) }
    }

    /// What is in a silo, and in none of its projects.
    pub(crate) const fn silo(id: Uuid) -> Self {
        Self { parent: id, audience: Audience::SiloViewers(id) }
    }
}

/// What filters ask of a record's labels.
type Labels = BTreeMap<String, String>;

/// The state of a record in a word, by which lists of its kind are filtered.
pub(crate) type StateOf<R> = fn(&R) -> &'static str;

/// What records have to be like. A further filter is a field here, and one of [`ListSelector`].
struct Filters<R> {
    search: Option<SearchQuery>,
    labels: Option<Selector>,
    states: Option<(Vec<String>, StateOf<R>)>,
}

impl<R: Record> Filters<R> {
    fn of<Of>(selector: &ListSelector<Of>, state: Option<StateOf<R>>) -> Result<Self> {
        let search = selector.q.as_deref().map(check).transpose()?.filter(|query| !query.is_empty());
        let labels = selector.label.as_deref().map(|text| Selector::parse("label", text)).transpose()?;
        let states = match (&selector.state, state) {
            (None, _) => None,
            (Some(_), None) => return Err(Error::invalid_value("state", "nothing in this list has a state")),
            (Some(text), _) if text.len() > MAX_STATES_BYTES => {
                return Err(Error::invalid_value("state", "names too many states; leave it out for all"));
            }
            (Some(text), Some(state)) => Some((text.split(',').map(str::to_owned).collect(), state)),
        };
        Ok(Self { search, labels, states })
    }

    const fn are_none(&self) -> bool {
        self.search.is_none() && self.labels.is_none() && self.states.is_none()
    }

    /// Those of the records that pass the filters, in their order.
    fn passing(&self, cx: &mut Cx<'_, '_>, within: Within, mut records: Vec<R>) -> Result<Vec<R>> {
        if let Some((states, state)) = &self.states {
            records.retain(|record| states.iter().any(|it| it == state(record)));
        }
        if self.search.is_none() && self.labels.is_none() {
            return Ok(records);
        }
        let (labels, none) = (labels_of(cx, within, &records)?, Labels::new());
        records.retain(|record| {
            let labels = labels.get(&record.meta().id).unwrap_or(&none);
            self.labels.as_ref().is_none_or(|selector| selector.fits(labels))
                && self.search.as_ref().is_none_or(|search| search.is_answered_by(record, labels))
        });
        Ok(records)
    }
}

/// The labels of those of the records that have some.
fn labels_of<R: Record>(cx: &mut Cx<'_, '_>, within: Within, records: &[R]) -> Result<HashMap<Uuid, Labels>> {
    if !cx.tx.exists::<LabelUse>(ListBy::Parent(within.parent))? {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = records.iter().map(|record| record.meta().id).collect();
    let sets: Vec<LabelSet> = cx.tx.get_all(&ids)?;
    Ok(sets.into_iter().map(|set| (set.meta.id, set.labels)).collect())
}

/// Reads what is searched for.
pub(crate) fn check(text: &str) -> Result<SearchQuery> {
    if text.chars().count() > MAX_CHARACTERS {
        let text = format!("must be no longer than {MAX_CHARACTERS} characters; search for a part of it");
        return Err(Error::invalid_value("q", text));
    }
    Ok(SearchQuery::new(text))
}

/// The records of a page.
pub(crate) struct Found<R> {
    records: Vec<R>,
    next: Option<ListedPlace>,
    total: Option<ListTotal>,
}

impl<R> Found<R> {
    /// The page with views of them.
    pub(crate) fn page<Of, V>(self, query: &ListQuery<Of>, view: impl FnMut(&R) -> V) -> FoundPage<V>
    where
        Of: Serialize + DeserializeOwned + Clone,
    {
        let marker = self.next.map(|place| match place {
            ListedPlace::Name(key, id) => Marker::NameAndId(key, id),
            ListedPlace::Time(time, id) => Marker::Time(time, id),
        });
        let page = query.results_after(self.records.iter().map(view).collect(), marker);
        FoundPage { items: page.items, next_page: page.next_page, total: self.total }
    }
}

/// Finds the records of the page that was asked for.
pub(crate) fn find<R: Record, Of>(
    cx: &mut Cx<'_, '_>,
    within: Within,
    query: &ListQuery<Of>,
    state: Option<StateOf<R>>,
) -> Result<Found<R>> {
    let mut filters = Filters::of(&query.selector, state)?;
    let start = Start::of(query)?;
    let (mut found, counted) = match few(cx, within, &mut filters)? {
        Some(records) => {
            let records = filters.passing(cx, within, records)?;
            let count = records.len();
            (start.page_of(records), Some(count))
        }
        None => (walk(cx, within, &filters, &start)?, None),
    };
    if query.selector.total {
        found.total = Some(match counted {
            Some(count) => exact(count),
            None => total(cx, within, &filters)?,
        });
    }
    Ok(found)
}

/// Where a page begins, and how long it is.
struct Start {
    order: ListedOrder,
    descending: bool,
    after: Option<ListedPlace>,
    limit: usize,
}

impl Start {
    fn of<Of>(query: &ListQuery<Of>) -> Result<Self> {
        let (order, descending) = match query.sort {
            ListSortMode::NameAscending => (ListedOrder::Name, false),
            ListSortMode::NameDescending => (ListedOrder::Name, true),
            ListSortMode::TimeAscending => (ListedOrder::Time, false),
            ListSortMode::TimeDescending => (ListedOrder::Time, true),
        };
        let after = match (&query.after, order) {
            (None, _) => None,
            (Some(Marker::NameAndId(key, id)), ListedOrder::Name) => {
                Some(ListedPlace::Name(key.clone(), *id))
            }
            (Some(Marker::Time(time, id)), ListedOrder::Time) => Some(ListedPlace::Time(*time, *id)),
            (Some(_), _) => return Err(Error::invalid_request("invalid page token")),
        };
        Ok(Self { order, descending, after, limit: paging::limit(query) })
    }

    fn place<R: Record>(&self, record: &R) -> ListedPlace {
        ListedPlace::of(record, self.order)
    }

    /// The page of records that are in memory.
    fn page_of<R: Record>(&self, records: Vec<R>) -> Found<R> {
        let is_after = |place: &ListedPlace| match &self.after {
            None => true,
            Some(after) if self.descending => place < after,
            Some(after) => place > after,
        };
        let mut placed: Vec<(ListedPlace, R)> =
            records.into_iter().map(|record| (self.place(&record), record)).collect();
        placed.retain(|(place, _)| is_after(place));
        placed.sort_by(|(one, _), (other, _)| if self.descending { other.cmp(one) } else { one.cmp(other) });
        let has_more = placed.len() > self.limit;
        placed.truncate(self.limit);
        let next = placed.last().filter(|_| has_more).map(|(place, _)| place.clone());
        Found { records: placed.into_iter().map(|(_, record)| record).collect(), next, total: None }
    }
}

/// The records that an index finds for one of the filters; none if it finds many, so that going through the list is faster.
fn few<R: Record>(cx: &mut Cx<'_, '_>, within: Within, filters: &mut Filters<R>) -> Result<Option<Vec<R>>> {
    if let Some(selector) = &filters.labels
        && let Some(records) = labelled(cx, within, selector)?
    {
        return Ok(Some(records));
    }
    let Some(search) = &filters.search else { return Ok(None) };
    let found = searched(cx, within, search)?;
    if found.is_some() {
        // It need not be asked of each of them again.
        filters.search = None;
    }
    Ok(found)
}

/// The records with a label that a selector asks for.
fn labelled<R: Record>(cx: &mut Cx<'_, '_>, within: Within, selector: &Selector) -> Result<Option<Vec<R>>> {
    let by = match selector.index(cx.tx, within.parent, R::TABLE.name)? {
        LabelIndex::Nothing => return Ok(Some(Vec::new())),
        LabelIndex::Labels(by) => by,
        LabelIndex::All => return Ok(None),
    };
    let labels: Vec<Label> = cx.tx.page(by, Sort::IdAsc, None, MAX_ROWS + 1)?;
    if labels.len() > MAX_ROWS {
        return Ok(None);
    }
    let ids: Vec<Uuid> = labels.iter().map(|label| label.resource_id).collect();
    Ok(Some(cx.tx.get_all(&ids)?))
}

/// The records that a search finds, unless it finds many things, of whatever kind.
fn searched<R: Record>(cx: &mut Cx<'_, '_>, within: Within, search: &SearchQuery) -> Result<Option<Vec<R>>> {
    let (mut position, mut looked_at, mut ids) = (SearchPosition::default(), 0, Vec::new());
    loop {
        let batch = cx.tx.search(search, &[within.audience], &position, BATCH)?;
        looked_at += batch.looked_at;
        let entries = batch.hits.iter().map(|hit| &hit.entry);
        let listed = entries.filter(|entry| entry.kind == R::TABLE.name && entry.parent == within.parent);
        ids.extend(listed.map(|entry| entry.id));
        let Some(next) = batch.next else { return Ok(Some(cx.tx.get_all(&ids)?)) };
        if looked_at >= MAX_ROWS {
            return Ok(None);
        }
        position = next;
    }
}

/// Goes through the list from where the page begins.
fn walk<R: Record>(
    cx: &mut Cx<'_, '_>,
    within: Within,
    filters: &Filters<R>,
    start: &Start,
) -> Result<Found<R>> {
    let one_more = start.limit + 1;
    let batch = if filters.are_none() { one_more } else { BATCH };
    let (mut records, mut looked_at, mut place) = (Vec::new(), 0, start.after.clone());
    loop {
        let read: Vec<R> =
            cx.tx.listed(within.parent, (start.order, start.descending), place.as_ref(), batch)?;
        looked_at += read.len();
        let is_end = read.len() < batch;
        if let Some(last) = read.last() {
            place = Some(start.place(last));
        }
        records.extend(filters.passing(cx, within, read)?);
        if records.len() > start.limit {
            records.truncate(start.limit);
            let next = records.last().map(|last| start.place(last));
            return Ok(Found { records, next, total: None });
        }
        if is_end || looked_at >= MAX_ROWS {
            return Ok(Found { records, next: place.filter(|_| !is_end), total: None });
        }
    }
}

fn exact(count: usize) -> ListTotal {
    ListTotal { count: count as u64, is_exact: true }
}

/// How many records pass the filters.
fn total<R: Record>(cx: &mut Cx<'_, '_>, within: Within, filters: &Filters<R>) -> Result<ListTotal> {
    let listed = cx.tx.count_listed::<R>(within.parent, MAX_COUNTED + 1)?;
    let is_counted = listed <= MAX_COUNTED;
    if filters.are_none() && is_counted {
        return Ok(exact(listed));
    }
    let all = if is_counted { listed as u64 } else { estimate::<R>(cx, within)? };
    if filters.are_none() {
        return Ok(ListTotal { count: rounded(all), is_exact: false });
    }
    let most = if is_counted { MAX_COUNTED } else { SAMPLE };
    let (mut passed, mut seen, mut after) = (0, 0, Uuid::nil());
    while seen < most {
        let read: Vec<R> = cx.tx.listed_by_id(within.parent, after, BATCH.min(most - seen))?;
        let Some(last) = read.last() else { break };
        after = last.meta().id;
        seen += read.len();
        passed += filters.passing(cx, within, read)?.len();
    }
    if is_counted {
        return Ok(exact(passed));
    }
    let count = all.saturating_mul(passed as u64) / (seen.max(1) as u64);
    Ok(ListTotal { count: rounded(count), is_exact: false })
}

/// About how many records there are. Ids are random, so the share of all ids that the first ones take up tells it.
fn estimate<R: Record>(cx: &mut Cx<'_, '_>, within: Within) -> Result<u64> {
    let Some(id) = cx.tx.listed_at::<R>(within.parent, MAX_COUNTED)? else { return Ok(MAX_COUNTED as u64) };
    let share = (id.as_u128() >> 96).max(1);
    let all = (MAX_COUNTED as u128) << 32;
    Ok(u64::try_from(all / share).unwrap_or(u64::MAX).max(MAX_COUNTED as u64))
}

/// The number in two digits.
fn rounded(count: u64) -> u64 {
    let unit = 10_u64.pow(count.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (count + unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn estimates_have_two_digits() {
        let numbers = [0, 7, 42, 104, 105, 12_345, 999_999];
        assert_eq!(numbers.map(rounded), [0, 7, 42, 100, 110, 12_000, 1_000_000]);
    }
}
