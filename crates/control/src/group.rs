//! Groups of users (`docs/rules/identity-and-system.md#users-and-groups`). No operation changes them: groups are
//! managed by whatever manages the users of the silo.

use croft_api::{
    ResourceKind, Result,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    session::Group,
};
use croft_store::{
    ListBy,
    records::{SiloGroup, SiloGroupMembership},
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, ResourceScope},
    cascade, paging,
};

crate::authz::kinds! {
    /// A group of a silo.
    SILO_GROUP = Row::in_silo().fleet(["r", "r", "r"]).silo(["r", "r", "rm"]).member("r");
}

crate::authz::operations! {
    contract {
        GROUP_LIST = reads(Kind::USER_LIST, Permission::List);
        GROUP_VIEW = reads(Kind::SILO_GROUP, Permission::Read);
    }
}

pub(crate) fn to_view(group: &SiloGroup) -> Group {
    Group { id: group.meta.id, display_name: group.external_id.clone(), silo_id: group.silo_id }
}

impl Resource for SiloGroup {
    const DECLARATION: Declaration =
        Declaration::new(ReadScope::Silo(Kind::SILO_GROUP), SiloDeletion::Goes(cascade::with_silo::<Self>))
            .message(ResourceKind::SiloGroup);
}

impl Resource for SiloGroupMembership {
    const DECLARATION: Declaration =
        Declaration::new(ReadScope::Silo(Kind::SILO_GROUP), SiloDeletion::Goes(cascade::with_groups::<Self>));
}

/// Looks up a group of the caller's silo. Groups of other silos are not found.
pub(crate) fn find(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<LookupResult<SiloGroup>> {
    let record: Option<SiloGroup> = cx.tx.get(id)?;
    Ok(LookupResult::new(record.filter(|group| group.silo_id == caller.silo_id), id))
}

/// `group_list`: the groups of the caller's silo.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<Group>> {
    let place = ResourceScope::silo(Kind::USER_LIST, caller.silo_id);
    authz::require(cx, caller, &place, &operation::GROUP_LIST)?;
    let groups: Vec<SiloGroup> = paging::page(cx.tx, ListBy::Parent(caller.silo_id), query)?;
    Ok(query.results(groups.iter().map(to_view).collect()))
}

/// `group_view`: of the caller's silo.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<Group> {
    let group = find(cx, caller, id)?.authorize(cx, caller, &operation::GROUP_VIEW)?;
    Ok(to_view(&group))
}
