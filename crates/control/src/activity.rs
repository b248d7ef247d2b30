//! What was done to a resource (`docs/rules/identity-and-system.md#activity-of-resources`): the entries of the audit log
//! that are about it, for everybody who may read it, without what only readers of the whole log may see.

use croft_api::{
    Result,
    activity::{self as api, ActivityPath, ActivityResource, NewestFirstSortMode},
    page::{Marker, NoSelector, PageQuery, ResultsPage},
};
use croft_store::{
    ListBy, Record as _,
    records::{AuditEntry, AuditSubject, Instance, Project, ResourceActivity},
    search::SearchEntry,
};
use uuid::Uuid;

use crate::{
    Caller, Cx, audit,
    event::AccessCache,
    paging,
    resource::{self, AddressedKind},
    search::Places,
};

crate::authz::operations! {
    extensions {
        ACTIVITY_LIST = open_reads(Kind::SILO_USER, 200);
    }
}

/// `activity_list`: the operations on a resource, the newest first.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    path: &ActivityPath,
    query: &PageQuery<NoSelector, NewestFirstSortMode>,
) -> Result<ResultsPage<api::ResourceActivity>> {
    let kind = AddressedKind::named(&path.kind, resource::addressed_kinds(), "activity")?;
    kind.find(cx, caller, path.id)?;
    let (entries, last) = page(cx, kind, path.id, query)?;
    let mut viewer = Viewer {
        reads_audit_log: audit::is_readable(cx, caller)?,
        access: AccessCache::new(caller.user_id, caller.silo_id),
        places: Places::default(),
    };
    let items = entries.into_iter().map(|entry| viewer.view(cx, path.id, entry)).collect::<Result<_>>()?;
    Ok(query.results_after(items, last))
}

/// A page of the entries about a resource, and the place of the last.
fn page(
    cx: &mut Cx<'_, '_>,
    kind: AddressedKind,
    id: Uuid,
    query: &PageQuery<NoSelector, NewestFirstSortMode>,
) -> Result<(Vec<AuditEntry>, Option<Marker>)> {
    let lookup = match kind.name {
        name if name == Instance::TABLE.name => Some(AuditEntry::INSTANCE),
        name if name == Project::TABLE.name => Some(AuditEntry::PROJECT),
        _ => None,
    };
    if let Some(lookup) = lookup {
        let entries: Vec<AuditEntry> = paging::page(cx.tx, ListBy::lookup(lookup, id), query)?;
        let last = entries.last().map(|entry| Marker::Time(entry.meta.time_created, entry.meta.id));
        return Ok((entries, last));
    }
    let rows: Vec<ResourceActivity> = paging::page(cx.tx, ListBy::Parent(id), query)?;
    let last = rows.last().map(|row| Marker::Time(row.meta.time_created, row.meta.id));
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        entries.extend(cx.tx.get::<AuditEntry>(row.entry_id)?);
    }
    Ok((entries, last))
}

/// What a caller may know of entries.
struct Viewer {
    reads_audit_log: bool,
    access: AccessCache,
    places: Places,
}

impl Viewer {
    fn view(&mut self, cx: &mut Cx<'_, '_>, about: Uuid, entry: AuditEntry) -> Result<api::ResourceActivity> {
        let operation = audit::to_operation(cx, self.access.silo(), self.reads_audit_log, &entry)?;
        let mut resources = Vec::new();
        for subject in entry.subjects {
            if subject.id == about {
                continue;
            }
            // What has moved since is told to those who may read it where it is now.
            let now = cx.tx.searched_as(&subject.kind, subject.id)?;
            let is_visible = match &now {
                Some(now) => self.access.can_view(cx, now)?,
                None => self.access.can_view_subject(cx, &subject)?,
            };
            if is_visible {
                resources.push(self.resource(cx, subject, now.as_ref())?);
            }
        }
        Ok(api::ResourceActivity {
            id: entry.meta.id,
            time_completed: entry.meta.time_created,
            operation,
            resources,
            request_id: entry.request_id,
        })
    }

    fn resource(
        &mut self,
        cx: &mut Cx<'_, '_>,
        subject: AuditSubject,
        now: Option<&SearchEntry>,
    ) -> Result<ActivityResource> {
        let AuditSubject { kind, id, name, .. } = subject;
        let name = now.and_then(|now| now.name().map(str::to_owned)).or(name);
        let within = now.map(|now| self.places.of(cx, now.parent)).transpose()?.unwrap_or_default();
        Ok(ActivityResource { kind, id, name, exists: now.is_some(), within })
    }
}
