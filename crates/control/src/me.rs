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

use crate::{Caller, Cx, group, paging};

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
    // Memberships sort by their own ids and groups by theirs, so all of the user's memberships are read.
    let memberships = paging::all::<SiloGroupMembership>(cx.tx, &by)?;
    let mut groups = Vec::new();
    for id in paging::cut(memberships.iter().map(|membership| membership.group_id).collect(), query) {
        groups.extend(cx.tx.get::<SiloGroup>(id)?);
    }
    Ok(query.results(groups.iter().map(group::to_view).collect()))
}
