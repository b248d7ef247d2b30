//! The caller's own user (`domain/identity-and-system.md`, section 5.1).

use croft_api::{
    Error, Result,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    session::{CurrentUser, Group},
};
use croft_store::{
    ListBy,
    records::{Silo, SiloGroup, SiloGroupMembership, SiloUser},
};

use crate::{Caller, Cx, paging};

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

/// `current_user_groups`: the groups that the caller is in now.
pub fn groups(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<Group>> {
    let by = ListBy::lookup(SiloGroupMembership::USER, caller.user_id);
    let mut groups = Vec::new();
    // Memberships sort by their own ids and groups by theirs, so all of the user's groups are read.
    for membership in paging::all::<SiloGroupMembership>(cx.tx, &by)? {
        groups.extend(cx.tx.get::<SiloGroup>(membership.group_id)?);
    }
    groups.sort_by_key(|group| group.meta.id);
    let after = query.after.as_ref().map(|marker| match marker {
        croft_api::page::Marker::Id(id) => *id,
        _ => uuid::Uuid::nil(),
    });
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let items = groups
        .into_iter()
        .filter(|group| after.is_none_or(|after| group.meta.id > after))
        .take(limit)
        .map(|group| Group { id: group.meta.id, display_name: group.external_id, silo_id: group.silo_id })
        .collect();
    Ok(query.results(items))
}
