//! Affinity and anti-affinity groups (`docs/rules/compute-and-storage.md#groups`). `instance/placement.rs` applies them
//! when it places machines.

mod kinds;
mod members;

use croft_api::{
    Result,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::ProjectSelector,
    scalar::NameOrId,
};
use croft_store::{
    ListBy,
    records::{Group, GroupMembership},
};
use uuid::Uuid;

pub use croft_store::records::{Affinity, AntiAffinity};
pub use kinds::{Kind, Operations};
pub(crate) use members::{Peers, choose_anti_affinity, groups_left_by, join, peers, remove_from_all};
pub use members::{member_add, member_delete, member_list, member_view, of_instance};

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource, authz,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::{change_identity, check_description},
    paging, project,
};

crate::authz::kinds! {
    /// An affinity or anti-affinity group.
    AFFINITY_GROUP = Row::in_project();
}

crate::authz::operations! {
    contract {
        AFFINITY_GROUP_LIST = reads(Kind::PROJECT, Permission::List);
        AFFINITY_GROUP_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        AFFINITY_GROUP_VIEW = reads(Kind::AFFINITY_GROUP, Permission::Read);
        AFFINITY_GROUP_UPDATE = changes(Kind::AFFINITY_GROUP, Permission::Modify, 200);
        AFFINITY_GROUP_DELETE = changes(Kind::AFFINITY_GROUP, Permission::Modify, 204);
        AFFINITY_GROUP_MEMBER_LIST = reads(Kind::AFFINITY_GROUP, Permission::List);
        AFFINITY_GROUP_MEMBER_INSTANCE_VIEW = reads(Kind::AFFINITY_GROUP, Permission::Read);
        AFFINITY_GROUP_MEMBER_INSTANCE_ADD = changes(Kind::AFFINITY_GROUP, Permission::Modify, 201);
        AFFINITY_GROUP_MEMBER_INSTANCE_DELETE = changes(Kind::AFFINITY_GROUP, Permission::Modify, 204);
        INSTANCE_AFFINITY_GROUP_LIST = reads(Kind::INSTANCE, Permission::List);
        ANTI_AFFINITY_GROUP_LIST = reads(Kind::PROJECT, Permission::List);
        ANTI_AFFINITY_GROUP_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        ANTI_AFFINITY_GROUP_VIEW = reads(Kind::AFFINITY_GROUP, Permission::Read);
        ANTI_AFFINITY_GROUP_UPDATE = changes(Kind::AFFINITY_GROUP, Permission::Modify, 200);
        ANTI_AFFINITY_GROUP_DELETE = changes(Kind::AFFINITY_GROUP, Permission::Modify, 204);
        ANTI_AFFINITY_GROUP_MEMBER_LIST = reads(Kind::AFFINITY_GROUP, Permission::List);
        ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_VIEW = reads(Kind::AFFINITY_GROUP, Permission::Read);
        ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_ADD = changes(Kind::AFFINITY_GROUP, Permission::Modify, 201);
        ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_DELETE = changes(Kind::AFFINITY_GROUP, Permission::Modify, 204);
        INSTANCE_ANTI_AFFINITY_GROUP_LIST = reads(Kind::INSTANCE, Permission::List);
    }
}

impl<K: Kind> Resource for Group<K> {
    const DECLARATION: Declaration = Declaration::in_project(authz::Kind::AFFINITY_GROUP)
        .message(K::GROUP)
        .blocks_project(K::BLOCKS_PROJECT)
        .deletable(Self::DELETABLE);
}

impl<K: Kind> Resource for GroupMembership<K> {
    const DECLARATION: Declaration = Declaration::in_project(authz::Kind::AFFINITY_GROUP);
}

/// Looks a group up: by id without a project, or by name within one.
fn find<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<Group<K>>> {
    let selector = K::SELECTOR;
    let refusals = [
        format!("when providing {selector} as an ID, project should not be specified"),
        format!("{selector} should either be UUID or project should be specified"),
    ];
    project::find_or_refuse(cx, caller, group, project, refusals.each_ref().map(String::as_str))
}

/// `affinity_group_list` and `anti_affinity_group_list`: the groups of a project.
pub fn list<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<K::View>> {
    let project =
        project::find(cx, caller, &query.selector.project)?.authorize(cx, caller, &K::OPERATIONS.list)?;
    let groups: Vec<Group<K>> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    Ok(query.results(groups.iter().map(K::view).collect()))
}

/// `affinity_group_create` and `anti_affinity_group_create`: creates a group without members.
pub fn create<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &K::Create,
) -> Result<K::View> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &K::OPERATIONS.create)?;
    let group = K::group(cx.new_meta(), &project, params);
    check_description(&group.description)?;
    cx.insert_named(K::GROUP, &group)?;
    Ok(K::view(&group))
}

/// `affinity_group_view` and `anti_affinity_group_view`.
pub fn view<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<K::View> {
    let group = find::<K>(cx, caller, group, project)?.authorize(cx, caller, &K::OPERATIONS.view)?;
    Ok(K::view(&group))
}

/// `affinity_group_update` and `anti_affinity_group_update`: absent fields are unchanged.
pub fn update<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    project: Option<&NameOrId>,
    params: &K::Update,
) -> Result<K::View> {
    let found = find::<K>(cx, caller, group, project)?;
    let mut group = found.authorize(cx, caller, &K::OPERATIONS.update)?.into_inner();
    let identity = K::identity(params);
    change_identity(&mut group.name, &mut group.description, identity)?;
    group.meta.time_modified = cx.now;
    cx.update_named(K::GROUP, &mut group)?;
    Ok(K::view(&group))
}

/// `affinity_group_delete` and `anti_affinity_group_delete`: removes the memberships. Running machines stay on their
/// sleds.
pub fn delete<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let found = find::<K>(cx, caller, group, project)?;
    let mut group = found.authorize(cx, caller, &K::OPERATIONS.delete)?.into_inner();
    deletable::require(cx, caller, &group)?;
    for membership in paging::all::<GroupMembership<K>>(cx.tx, &ListBy::Parent(group.meta.id))? {
        cx.tx.remove::<GroupMembership<K>>(membership.meta.id, cx.now)?;
    }
    Ok(cx.tx.delete(&mut group, cx.now)?)
}

impl<K: Kind> Deletable for Group<K> {
    const DELETION: Operation = K::OPERATIONS.delete;
    const PATH: &'static str = K::PATH;

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete::<K>(cx, caller, &NameOrId::Id(id), None)
    }

    fn effects(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        Ok(vec![members::members(cx, self)?])
    }
}
