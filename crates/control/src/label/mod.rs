//! Labels of resources (`docs/rules/identity-and-system.md#labels`).
//!
//! Every kind of resource with a name has them. Whoever may read a resource reads its labels, and whoever may modify it
//! changes them, so the rules here ask what the kind declares.

mod in_use;

use std::collections::BTreeSet;

use croft_api::{
    Error, Result,
    label::{self as api, LabelsPath, LabelsSelector, LabelsSortMode, LabelsUpdate, Quoted},
    page::{Marker as ApiMarker, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{
    LabelTarget, ListBy, Marker, Record, Scope, Sort, StoreError, labelled,
    records::{AuditSubject, FLEET, Instance, IpPool, Label, LabelSet, LabelUse, Project, Silo},
    search::SearchEntry,
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, ReadScope, Resource, SiloDeletion,
    authz::{self, Permission},
    event::AccessCache,
    label_selector::{LabelIndex, Selector},
    paging, project,
    resource::{self, AddressedKind, ReadRequirement},
    silo,
};

pub use in_use::in_use;

crate::authz::operations! {
    extensions {
        LABELS_LIST = open_reads(Kind::SILO_USER, 200);
        LABELS_IN_USE = open_reads(Kind::SILO_USER, 200);
        LABELS_VIEW = open_reads(Kind::SILO_USER, 200);
        LABELS_UPDATE = open_changes(Kind::SILO_USER, 200);
    }
}

// Labels are removed with the resource that they are of, so a silo that goes has none left.
impl Resource for LabelSet {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(|_, _| Ok(())));
}

impl Resource for Label {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(|_, _| Ok(())));
}

impl Resource for LabelUse {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(|_, _| Ok(())));
}

/// Most resources that a list is asked for by their ids.
const MAX_IDS: usize = 100;
/// Most rows of an index that are looked at for one page. A page that ends there is short and has a token to go on with.
const MAX_ROWS: usize = 2_000;
/// Rows that are read at once.
const BATCH: usize = 128;

/// The kinds of resources that can have labels: those that have names.
fn kinds() -> impl Iterator<Item = AddressedKind> {
    resource::addressed_kinds().filter(|kind| labelled(kind.name).is_some())
}

fn kind_named(text: &str) -> Result<AddressedKind> {
    AddressedKind::named(text, kinds(), "labels")
}

impl AddressedKind {
    /// Whether some of a list may be readable for somebody who may not read all of it.
    fn is_read_one_by_one(self) -> bool {
        [Project::TABLE.name, Silo::TABLE.name, IpPool::TABLE.name].contains(&self.name)
    }

    /// What labels of a resource are listed by.
    fn place_of_labels(self, entry: &SearchEntry) -> Uuid {
        let silo = entry.scope.silo.unwrap_or(FLEET);
        match self.read_scope {
            ReadScope::OfUser(_) => entry.parent,
            _ if self.name == Silo::TABLE.name => FLEET,
            _ if self.name == Project::TABLE.name => silo,
            _ => entry.scope.project.unwrap_or(silo),
        }
    }
}

/// What labels are listed by, and who may read all that is in it.
#[derive(Clone, Copy)]
struct Place {
    id: Uuid,
    scope: Scope,
}

impl Place {
    const FLEET: Self = Self { id: FLEET, scope: Scope::FLEET };

    fn project(cx: &mut Cx<'_, '_>, caller: &Caller, selector: &NameOrId) -> Result<Self> {
        let project = project::enter(cx, caller, selector)?;
        let id = project.meta.id;
        Ok(Self { id, scope: Scope::project(project.silo_id, id) })
    }

    fn silo(cx: &mut Cx<'_, '_>, caller: &Caller, selector: Option<&NameOrId>) -> Result<Self> {
        let id = match selector {
            None => caller.silo_id,
            Some(selector) => silo::enter(cx, caller, selector)?.meta.id,
        };
        Ok(Self { id, scope: Scope::silo(id) })
    }

    /// The place that a request names for resources of a kind.
    fn of(
        cx: &mut Cx<'_, '_>,
        caller: &Caller,
        kind: AddressedKind,
        project: Option<&NameOrId>,
        silo: Option<&NameOrId>,
    ) -> Result<Self> {
        let refuse = |parameter: &str, place: &str| {
            let text = format!("is not used with this kind: {} {place}; leave it out", kind.name);
            Err(Error::invalid_value(parameter, text))
        };
        let in_silo = kind.name == Project::TABLE.name
            || (matches!(kind.read_scope, ReadScope::Silo(_) | ReadScope::User(_))
                && kind.name != Silo::TABLE.name);
        match (kind.read_scope, project, silo) {
            (_, Some(_), _) if in_silo => refuse("project", "is found by its silo"),
            (_, None, silo) if in_silo => Self::silo(cx, caller, silo),
            (ReadScope::Project(_) | ReadScope::Probe, _, Some(_)) => {
                refuse("silo", "is found by its project")
            }
            (ReadScope::Image, Some(_), Some(_)) => refuse("silo", "of a project is found by its project"),
            (ReadScope::Project(_) | ReadScope::Probe, None, None) => {
                let text = format!("is required for this kind: {} is in a project", kind.name);
                Err(Error::invalid_value("project", text))
            }
            (ReadScope::Project(_) | ReadScope::Probe | ReadScope::Image, Some(project), None) => {
                Self::project(cx, caller, project)
            }
            (ReadScope::Image, None, silo) => Self::silo(cx, caller, silo),
            (_, Some(_), _) => refuse("project", "is in no project"),
            (_, None, Some(_)) => refuse("silo", "is found without it"),
            (ReadScope::OfUser(_), None, None) => {
                Ok(Self { id: caller.user_id, scope: Scope::silo(caller.silo_id) })
            }
            (_, None, None) => Ok(Self::FLEET),
        }
    }

    /// What must be readable for all resources of a kind in this place to be readable.
    fn needs(self, kind: AddressedKind) -> ReadRequirement {
        kind.read_scope.needs(self.scope, Uuid::nil(), self.id)
    }
}

fn permits(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    needs: ReadRequirement,
    permission: Permission,
) -> Result<bool> {
    let mut known = Vec::new();
    for place in needs.places() {
        known.push((place, authz::permits(cx, caller, &place, permission)?));
    }
    let answer = |place: &_| known.iter().find(|(known, _)| known == place).map(|(_, permitted)| *permitted);
    Ok(needs.answer(answer).unwrap_or(false))
}

fn to_view(kind: &str, id: Uuid, name: Option<&str>, set: Option<&LabelSet>) -> api::Labels {
    let labels = set.into_iter().flat_map(|set| &set.labels);
    api::Labels {
        kind: kind.to_owned(),
        id,
        name: name.map(str::to_owned),
        revision: set.map_or(0, |set| set.meta.generation),
        labels: labels
            .map(|(key, value)| api::ResourceLabel { key: key.clone(), value: value.clone() })
            .collect(),
    }
}

/// The resource, if the caller may read it.
fn find(cx: &mut Cx<'_, '_>, caller: &Caller, path: &LabelsPath) -> Result<(AddressedKind, SearchEntry)> {
    let kind = kind_named(&path.kind)?;
    let entry = kind.find(cx, caller, path.id)?;
    if kind.name == Instance::TABLE.name {
        cx.instance_id = Some(path.id);
    }
    Ok((kind, entry))
}

/// `labels_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, path: &LabelsPath) -> Result<api::Labels> {
    let (kind, entry) = find(cx, caller, path)?;
    let set: Option<LabelSet> = cx.tx.get(path.id)?;
    Ok(to_view(kind.name, path.id, entry.name(), set.as_ref()))
}

/// `labels_update`: the labels are replaced.
///
/// # Errors
/// `Conflict` if they have been changed since the revision that the request names.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    path: &LabelsPath,
    params: &LabelsUpdate,
) -> Result<api::Labels> {
    let (kind, entry) = find(cx, caller, path)?;
    cx.subjects.push(AuditSubject::found(&entry));
    let needs = kind.read_scope.needs(entry.scope, entry.id, entry.parent);
    if !permits(cx, caller, needs, Permission::Modify)? {
        return Err(Error::Forbidden);
    }
    let labels = api::check(&params.labels)?;
    let before: Option<LabelSet> = cx.tx.get(path.id)?;
    let revision = before.as_ref().map_or(0, |set| set.meta.generation);
    let conflict = || {
        Error::conflict(format!(
            "the labels have been changed since revision {}; read them again and repeat the change",
            params.revision
        ))
    };
    if revision != params.revision {
        return Err(conflict());
    }
    if before.as_ref().map_or(labels.is_empty(), |set| set.labels == labels) {
        return Ok(to_view(kind.name, path.id, entry.name(), before.as_ref()));
    }
    let place = kind.place_of_labels(&entry);
    let target = LabelTarget { kind: kind.name.to_owned(), id: path.id, scope: entry.scope, place };
    let random = &mut *cx.random;
    let set = match cx.tx.set_labels(&target, labels, revision, cx.now, || random.id()) {
        Err(StoreError::Conflict | StoreError::Exists) => return Err(conflict()),
        set => set?,
    };
    cx.tx.announce_labels(&target, cx.now)?;
    Ok(to_view(kind.name, path.id, entry.name(), Some(&set)))
}

/// `labels_list`: the labels of resources of one kind in one place that have labels.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<LabelsSelector, LabelsSortMode>,
) -> Result<ResultsPage<api::Labels>> {
    let LabelsSelector { kind, project, silo, selector, ids } = &query.selector;
    let kind = kind_named(kind)?;
    let selector = selector.as_deref().map(|text| Selector::parse("selector", text)).transpose()?;
    let ids = ids.as_deref().map(read_ids).transpose()?;
    let place = Place::of(cx, caller, kind, project.as_ref(), silo.as_ref())?;
    let reads_all = permits(cx, caller, place.needs(kind), Permission::Read)?;
    if !reads_all && !kind.is_read_one_by_one() {
        return Err(Error::Forbidden);
    }
    let access = AccessCache::new(caller.user_id, caller.silo_id);
    let mut lister = Lister { kind, place, selector, access: (!reads_all).then_some(access) };
    if let Some(ids) = ids {
        let mut items = Vec::new();
        for id in ids {
            items.extend(lister.view_of(cx, id)?);
        }
        return Ok(query.results_after(items, None));
    }
    let after = match &query.after {
        Some(ApiMarker::Id(id)) => Some(Marker::Id(*id)),
        _ => None,
    };
    let limit = paging::limit(query);
    let index = lister.selector.as_ref().map(|selector| selector.index(cx.tx, place.id, kind.name));
    let (items, next) = match index.transpose()? {
        Some(LabelIndex::Nothing) => (Vec::new(), None),
        Some(LabelIndex::All) => {
            let text = "needs a requirement for a label that is there, such as \"env\" or \"env=prod\"";
            return Err(Error::invalid_value("selector", text));
        }
        Some(LabelIndex::Labels(by)) => {
            lister.page::<Label>(cx, &by, after, limit, |label| label.resource_id)?
        }
        None => {
            let by = ListBy::lookup(LabelSet::KIND, LabelSet::kind_key(place.id, kind.name));
            lister.page::<LabelSet>(cx, &by, after, limit, |set| set.meta.id)?
        }
    };
    Ok(query.results_after(items, next.map(ApiMarker::Id)))
}

fn read_ids(text: &str) -> Result<BTreeSet<Uuid>> {
    let invalid = |text: String| Error::invalid_value("ids", text);
    let mut ids = BTreeSet::new();
    for text in text.split(',') {
        let id = text.trim().parse().map_err(|_| invalid(format!("{} is no ID", Quoted(text))))?;
        ids.insert(id);
        if ids.len() > MAX_IDS {
            return Err(invalid(format!(
                "names more than {MAX_IDS} resources; ask for them in several requests"
            )));
        }
    }
    Ok(ids)
}

/// What a list is about.
struct Lister {
    kind: AddressedKind,
    place: Place,
    selector: Option<Selector>,
    /// None if the caller may read all of it.
    access: Option<AccessCache>,
}

impl Lister {
    /// A page of an index, and after which row the next one begins.
    fn page<R: Record>(
        &mut self,
        cx: &mut Cx<'_, '_>,
        by: &ListBy,
        mut after: Option<Marker>,
        limit: usize,
        resource: impl Fn(&R) -> Uuid,
    ) -> Result<(Vec<api::Labels>, Option<Uuid>)> {
        let (mut items, mut looked_at) = (Vec::new(), 0);
        loop {
            let rows: Vec<R> = cx.tx.page(by.clone(), Sort::IdAsc, after, BATCH)?;
            let is_end = rows.len() < BATCH;
            for (number, row) in rows.iter().enumerate() {
                items.extend(self.view_of(cx, resource(row))?);
                let is_last = is_end && number + 1 == rows.len();
                if items.len() == limit && !is_last {
                    return Ok((items, Some(row.meta().id)));
                }
            }
            looked_at += rows.len();
            let last = rows.last().map(|row| row.meta().id);
            if is_end || looked_at >= MAX_ROWS {
                return Ok((items, last.filter(|_| !is_end)));
            }
            after = last.map(Marker::Id);
        }
    }

    /// The labels of a resource, if it is wanted and the caller may read it.
    fn view_of(&mut self, cx: &mut Cx<'_, '_>, id: Uuid) -> Result<Option<api::Labels>> {
        let Some(set) = cx.tx.get::<LabelSet>(id)? else { return Ok(None) };
        let is_here = set.kind == self.kind.name && set.place_id == self.place.id && !set.labels.is_empty();
        if !is_here || self.selector.as_ref().is_some_and(|selector| !selector.fits(&set.labels)) {
            return Ok(None);
        }
        let Some(entry) = cx.tx.searched_as(self.kind.name, id)? else { return Ok(None) };
        if let Some(access) = &mut self.access
            && !access.can_view(cx, &entry)?
        {
            return Ok(None);
        }
        Ok(Some(to_view(self.kind.name, id, entry.name(), Some(&set))))
    }
}
