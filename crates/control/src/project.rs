//! Projects (`docs/rules/compute-and-storage.md#projects`).

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    project::{self as api, ProjectCreate, ProjectUpdate},
    scalar::NameOrId,
};
use croft_store::{
    ListBy,
    records::{Project, Usage},
};
use uuid::Uuid;

use crate::{
    Authorized, Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::{self, Kind, Permission, ResourceScope},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::{change_identity, check_description},
    paging,
    resource::{self, Entry, RESOURCES},
    usage,
};

crate::authz::kinds! {
    /// A project and its policy.
    PROJECT = Row::in_project().project(["rl", "rlc", "rlcm"]);
}

crate::authz::operations! {
    contract {
        PROJECT_LIST = reads(Kind::SILO, Permission::List);
        PROJECT_CREATE = changes(Kind::SILO, Permission::Create, 201);
        PROJECT_VIEW = reads(Kind::PROJECT, Permission::Read);
        PROJECT_UPDATE = changes(Kind::PROJECT, Permission::Modify, 200);
        PROJECT_DELETE = changes(Kind::PROJECT, Permission::Modify, 204);
    }
}

impl Resource for Project {
    const DECLARATION: Declaration =
        Declaration::in_project(Kind::PROJECT).message(ResourceKind::Project).deletable(Self::DELETABLE);
}

pub(crate) fn to_view(project: &Project) -> api::Project {
    api::Project {
        id: project.meta.id,
        name: project.name.clone(),
        description: project.description.clone(),
        time_created: project.meta.time_created,
        time_modified: project.meta.time_modified,
    }
}

/// Looks a project up. A name means one of the caller's silo.
pub fn find(cx: &mut Cx<'_, '_>, caller: &Caller, selector: &NameOrId) -> Result<LookupResult<Project>> {
    let record = match selector {
        NameOrId::Id(id) => cx.tx.get(*id)?,
        NameOrId::Name(name) => cx.tx.get_by_name(caller.silo_id, name.as_str())?,
    };
    Ok(LookupResult::new(record, selector))
}

/// The parent project of a resource. The caller must be allowed to see it.
pub(crate) fn enter(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    selector: &NameOrId,
) -> Result<Authorized<Project>> {
    find(cx, caller, selector)?.authorize(cx, caller, Permission::Read)
}

/// A resource that is looked up by id without a project, or by name within one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how a request is refused that names it without its project",
    note = "declare it beside its rules: `impl InProject for {Self} {{ const REFUSALS: [&'static str; 2] = … }}`"
)]
pub(crate) trait InProject: Resource {
    /// The errors for an id with a project, and for a name without one.
    const REFUSALS: [&'static str; 2];
}

/// Looks up a resource of a project: by id without a project, or by name within one.
pub(crate) fn find_inside<R: InProject>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    selector: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<R>> {
    find_or_refuse(cx, caller, selector, project, R::REFUSALS)
}

/// Like [`find_inside`], with the errors `refusals` for an id with a project, and for a name without one.
pub(crate) fn find_or_refuse<R: Resource>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    selector: &NameOrId,
    project: Option<&NameOrId>,
    refusals: [&str; 2],
) -> Result<LookupResult<R>> {
    match (selector, project) {
        (NameOrId::Id(id), None) => Ok(LookupResult::new(cx.tx.get(*id)?, *id)),
        (NameOrId::Id(_), Some(_)) => Err(Error::invalid_request(refusals[0])),
        (NameOrId::Name(_), None) => Err(Error::invalid_request(refusals[1])),
        (NameOrId::Name(name), Some(project)) => {
            let project = enter(cx, caller, project)?;
            Ok(LookupResult::new(cx.tx.get_by_name(project.meta.id, name.as_str())?, name))
        }
    }
}

/// Looks up a resource named in a body: a name means one of this project, an id any.
pub(crate) fn find_in<R: Resource>(
    cx: &mut Cx<'_, '_>,
    project: &Authorized<Project>,
    selector: &NameOrId,
) -> Result<LookupResult<R>> {
    let record = match selector {
        NameOrId::Id(id) => cx.tx.get(*id)?,
        NameOrId::Name(name) => cx.tx.get_by_name(project.meta.id, name.as_str())?,
    };
    Ok(LookupResult::new(record, selector))
}

/// The caller's silo as a scope.
pub(crate) fn own_silo(caller: &Caller) -> ResourceScope {
    ResourceScope::silo(Kind::SILO, caller.silo_id)
}

/// `project_list`: the projects of the caller's silo.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Project>> {
    authz::require(cx, caller, &own_silo(caller), &operation::PROJECT_LIST)?;
    let projects: Vec<Project> = paging::page(cx.tx, ListBy::Parent(caller.silo_id), query)?;
    Ok(query.results(projects.iter().map(to_view).collect()))
}

/// `project_create`: in the caller's silo, with zeroed usage counters and a default VPC.
pub fn create(cx: &mut Cx<'_, '_>, caller: &Caller, params: &ProjectCreate) -> Result<api::Project> {
    authz::require(cx, caller, &own_silo(caller), &operation::PROJECT_CREATE)?;
    check_description(&params.identity.description)?;
    let project = Project {
        meta: cx.new_meta(),
        silo_id: caller.silo_id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
    };
    cx.insert_named(ResourceKind::Project, &project)?;
    usage::open(cx, project.meta.id, Some(project.silo_id), Some(project.meta.id), None)?;
    resource::create_with_project(cx, &project)?;
    Ok(to_view(&project))
}

/// `project_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, project: &NameOrId) -> Result<api::Project> {
    let project = find(cx, caller, project)?.authorize(cx, caller, &operation::PROJECT_VIEW)?;
    Ok(to_view(&project))
}

/// `project_update`: absent fields are unchanged.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &ProjectUpdate,
) -> Result<api::Project> {
    let mut project =
        find(cx, caller, project)?.authorize(cx, caller, &operation::PROJECT_UPDATE)?.into_inner();
    change_identity(&mut project.name, &mut project.description, &params.identity)?;
    project.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::Project, &mut project)?;
    Ok(to_view(&project))
}

/// `project_delete`: refused while there are resources in it.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, project: &NameOrId) -> Result<()> {
    let mut project =
        find(cx, caller, project)?.authorize(cx, caller, &operation::PROJECT_DELETE)?.into_inner();
    deletable::require(cx, caller, &project)?;
    cx.tx.delete(&mut project, cx.now)?;
    cx.tx.remove::<Usage>(project.meta.id, cx.now)?;
    resource::delete_with_project(cx, &project)
}

impl Deletable for Project {
    const DELETION: Operation = operation::PROJECT_DELETE;
    const PATH: &'static str = "/v1/projects/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id))
    }

    // The order is also the one in which they can be deleted: instances before what they use.
    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let blocker = |entry: &'static Entry| Some((entry.declaration.project_blocker?, entry));
        let mut blockers: Vec<_> = RESOURCES.iter().filter_map(blocker).collect();
        blockers.sort_by_key(|(blocker, _)| blocker.order);
        let blockers = blockers.into_iter().map(|(blocker, entry)| {
            let kind = blocker.kind.as_str().replace('-', " ");
            let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            (entry.dependents)(DeletionEffect::Prevents, ListBy::Parent(self.meta.id)).along().refused(
                move |name| {
                    Error::invalid_request(format!("project to be deleted contains {article} {kind}: {name}"))
                },
            )
        });
        Ok(blockers.collect())
    }
}
