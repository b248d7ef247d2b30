//! The search over everything that a caller may read (`docs/rules/identity-and-system.md#search`).
//!
//! The store finds what one of the caller's [audiences](Audience) may find. Whether the caller may read it is decided for
//! each record by what its kind declares, as for events.

use std::collections::{BTreeSet, HashMap};

use croft_api::{
    Error, Result,
    page::{Marker, PageQuery, ResultsPage},
    search::{SearchPlace, SearchResult, SearchSelector, SearchSortMode},
};
use croft_store::{
    ListBy, Record, Sort,
    records::{Disk, Instance, IpPoolSiloLink},
    search::{self, Audience, SearchEntry, SearchHit, SearchPosition, SearchQuery},
};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, Permission, ResourceScope},
    event::AccessCache,
    listing, paging, project,
};

crate::authz::operations! {
    extensions {
        SEARCH_LIST = open_reads(Kind::SILO_USER, 200);
    }
}

/// Longest list of kinds, in bytes.
const MAX_KINDS_BYTES: usize = 1024;
/// Most rows of the index that are looked at for one page. A page that ends there is short and has a token to go on with.
const MAX_ROWS: usize = 2_000;
/// Most projects of which each is searched by itself. Who has roles on more of them searches all of the silo, and is shown
/// theirs.
const MAX_PROJECTS: usize = 64;
/// Most pools of a silo that are searched.
const MAX_POOLS: usize = 64;
/// Deepest nesting of resources that is shown.
const MAX_PLACES: usize = 8;

/// `search_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<SearchSelector, SearchSortMode>,
) -> Result<ResultsPage<SearchResult>> {
    let SearchSelector { q, kind } = &query.selector;
    let search = check(q)?;
    let kinds = kind.as_deref().map(kinds).transpose()?;
    let mut position = start(query)?;
    let limit = paging::limit(query);
    let mut reader = Reader::of(cx, caller)?;
    let (mut items, mut looked_at) = (Vec::new(), 0);
    let next = 'page: loop {
        let wanted = (limit - items.len()).max(16);
        let batch = cx.tx.search(&search, &reader.audiences, &position, wanted)?;
        looked_at += batch.looked_at;
        for hit in batch.hits {
            if items.len() == limit {
                break 'page Some(position);
            }
            position = hit.position.clone();
            let is_wanted = kinds.as_ref().is_none_or(|kinds| kinds.contains(hit.entry.kind.as_str()));
            if is_wanted && reader.access.can_view(cx, &hit.entry)? {
                items.push(reader.view_of(cx, hit)?);
            }
        }
        let Some(next) = batch.next else { break None };
        position = next;
        if looked_at >= MAX_ROWS {
            break Some(position);
        }
    };
    let marker = next.map(|position| {
        let (text, last) = position.parts();
        Marker::NameAndId(text, last)
    });
    Ok(query.results_after(items, marker))
}

fn check(text: &str) -> Result<SearchQuery> {
    let search = listing::check(text)?;
    if search.is_empty() {
        return Err(Error::invalid_value("q", "must say what to search for"));
    }
    Ok(search)
}

/// The kinds that a list names.
fn kinds(text: &str) -> Result<BTreeSet<&'static str>> {
    if text.len() > MAX_KINDS_BYTES {
        return Err(Error::invalid_value("kind", "names too many kinds; leave it out to search all"));
    }
    let known: BTreeSet<&str> = search::kinds().collect();
    let wanted = text.split(',').map(str::trim).filter(|kind| !kind.is_empty());
    wanted
        .map(|kind| {
            known.get(kind).copied().ok_or_else(|| {
                let known = known.iter().copied().collect::<Vec<_>>().join(", ");
                Error::invalid_value(
                    "kind",
                    format!("nothing of the kind \"{kind}\" is searched; one of {known}"),
                )
            })
        })
        .collect()
}

fn start(query: &PageQuery<SearchSelector, SearchSortMode>) -> Result<SearchPosition> {
    let position = match &query.after {
        None => Some(SearchPosition::default()),
        Some(Marker::NameAndId(text, last)) => SearchPosition::from_parts(text, *last),
        Some(_) => None,
    };
    position.ok_or_else(|| Error::invalid_request("invalid page token"))
}

/// What is known of the caller's rights, and of what results are part of.
struct Reader {
    audiences: Vec<Audience>,
    access: AccessCache,
    places: Places,
}

/// What resources are part of.
#[derive(Default)]
pub(crate) struct Places(HashMap<Uuid, Option<SearchEntry>>);

impl Places {
    /// What a record with a parent is part of, from the outside to the inside. Whoever may read the record may read that, too.
    pub(crate) fn of(&mut self, cx: &mut Cx<'_, '_>, parent: Uuid) -> Result<Vec<SearchPlace>> {
        let mut within = Vec::new();
        let mut next = parent;
        while !next.is_nil() && within.len() < MAX_PLACES {
            let Some(place) = self.get(cx, next)? else { break };
            next = place.parent;
            let name = place.name().map(str::to_owned);
            within.push(SearchPlace { name, kind: place.kind, id: place.id });
        }
        within.reverse();
        Ok(within)
    }

    fn get(&mut self, cx: &mut Cx<'_, '_>, id: Uuid) -> Result<Option<SearchEntry>> {
        if let Some(known) = self.0.get(&id) {
            return Ok(known.clone());
        }
        let found = cx.tx.searched(id)?;
        self.0.insert(id, found.clone());
        Ok(found)
    }
}

impl Reader {
    fn of(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<Self> {
        let silo = caller.silo_id;
        let mut audiences = vec![Audience::Silo(silo), Audience::User(caller.user_id)];
        let fleet = ResourceScope::fleet(Kind::FLEET);
        if authz::permits(cx, caller, &fleet, Permission::Read)? {
            audiences.push(Audience::Fleet);
        }
        let own_silo = project::own_silo(caller);
        if authz::permits(cx, caller, &own_silo, (&project::operation::PROJECT_LIST).into())? {
            audiences.push(Audience::SiloViewers(silo));
        } else {
            let projects = authz::projects_with_a_role(cx, caller)?;
            if projects.len() <= MAX_PROJECTS {
                audiences.extend(projects.into_iter().map(Audience::Project));
            } else {
                audiences.push(Audience::SiloViewers(silo));
            }
        }
        let by = ListBy::lookup(IpPoolSiloLink::SILO, silo);
        let links: Vec<IpPoolSiloLink> = cx.tx.page(by, Sort::IdAsc, None, MAX_POOLS)?;
        audiences.extend(links.iter().map(|link| Audience::Record(link.ip_pool_id)));
        let access = AccessCache::new(caller.user_id, silo);
        Ok(Self { audiences, access, places: Places::default() })
    }

    fn view_of(&mut self, cx: &mut Cx<'_, '_>, hit: SearchHit) -> Result<SearchResult> {
        let SearchHit { entry, matched, .. } = hit;
        Ok(SearchResult {
            name: entry.name().map(str::to_owned),
            description: entry.field("description").map(str::to_owned),
            within: self.places.of(cx, entry.parent)?,
            state: state(cx, &entry)?,
            matched,
            kind: entry.kind,
            id: entry.id,
        })
    }
}

fn state(cx: &mut Cx<'_, '_>, entry: &SearchEntry) -> Result<Option<String>> {
    if entry.kind == Instance::TABLE.name {
        let instance: Option<Instance> = cx.tx.get(entry.id)?;
        return Ok(instance.map(|instance| instance.run_state().label().to_owned()));
    }
    if entry.kind == Disk::TABLE.name {
        let disk: Option<Disk> = cx.tx.get(entry.id)?;
        return Ok(disk.map(|disk| disk.state().label().to_owned()));
    }
    Ok(None)
}
