//! The caller's own user (`docs/rules/identity-and-system.md#users-and-groups`).

use croft_api::{
    Error, Result,
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    project::Project as ApiProject,
    session::{CurrentUser, Group},
};
use croft_store::{
    ListBy,
    records::{Project, Silo, SiloGroup, SiloGroupMembership, SiloUser},
};

use crate::{Caller, Cx, authz, group, paging, project};

crate::authz::operations! {
    contract {
        CURRENT_USER_VIEW = open_reads(Kind::SILO_USER, 200);
        CURRENT_USER_GROUPS = open_reads(Kind::SILO_USER, 200);
    }
    extensions {
        CURRENT_USER_PROJECT_LIST = open_reads(Kind::SILO_USER, 200);
        CURRENT_USER_PERMISSIONS_VIEW = open_reads(Kind::SILO_USER, 200);
    }
}

/// `current_user_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<CurrentUser> {
    let user: Option<SiloUser> = cx.tx.get(caller.user_id)?;
    let silo: Option<Silo> = cx.tx.get(caller.silo_id)?;
    let (Some(user), Some(silo)) = (user, silo) else {
        return Err(Error::unauthenticated("the user or the silo is gone"));
    };
    Ok(CurrentUser {
        id: user.meta.id,
        display_name: user.external_id,
        silo_id: silo.meta.id,
        silo_name: silo.name,
    })
}

/// `current_user_groups`: the current groups of the caller.
pub fn groups(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<Group>> {
    let by = ListBy::lookup(SiloGroupMembership::USER, caller.user_id);
    // Memberships sort by their own ids and groups by theirs, so all of the user's memberships are read.
    let memberships = paging::all::<SiloGroupMembership>(cx.tx, &by)?;
    let mut groups = Vec::new();
    for id in paging::cut(memberships.iter().map(|membership| membership.group_id).collect(), query) {
        groups.extend(cx.tx.get::<SiloGroup>(id)?);
    }
    Ok(query.results(groups.iter().map(group::to_view).collect()))
}

/// `current_user_project_list`: the projects of the caller's silo, if the caller may list them; otherwise those on
/// which the caller holds a role.
pub fn projects(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<ApiProject>> {
    if authz::permits(cx, caller, &project::own_silo(caller), (&project::operation::PROJECT_LIST).into())? {
        return project::list(cx, caller, query);
    }
    let mut held = Vec::new();
    for id in authz::projects_with_a_role(cx, caller)? {
        let project: Option<Project> = cx.tx.get(id)?;
        // A role on a project of another silo has no effect.
        held.extend(project.filter(|project| project.silo_id == caller.silo_id));
    }
    Ok(paging::page_of(held.iter().map(project::to_view).collect(), query))
}
