//! Root roles that operators trust (`domain/identity-and-system.md`, section 12.1).

use croft_api::{
    Error, ResourceKind, Result,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    update::UpdatesTrustRoot,
};
use croft_store::{ListBy, records::TufTrustRoot};
use croft_tuf::Root;
use serde_json::Value;
use uuid::Uuid;

use super::place;
use crate::{
    Caller, Cx, Found, Protected,
    authz::{self, Place},
    operation, paging,
};

impl Protected for TufTrustRoot {
    const RESOURCE: ResourceKind = ResourceKind::TufTrustRoot;

    fn place(&self) -> Place {
        place()
    }
}

fn to_view(root: &TufTrustRoot) -> UpdatesTrustRoot {
    UpdatesTrustRoot {
        id: root.meta.id,
        time_created: root.meta.time_created,
        root_role: root.root_role.clone(),
    }
}

fn find(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<Found<TufTrustRoot>> {
    Ok(Found::new(cx.tx.get(id)?, id))
}

/// `system_update_trust_root_list`.
pub fn trust_root_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<UpdatesTrustRoot>> {
    authz::require(cx, caller, &place(), &operation::SYSTEM_UPDATE_TRUST_ROOT_LIST)?;
    let roots: Vec<TufTrustRoot> = paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?;
    Ok(query.results(roots.iter().map(to_view).collect()))
}

/// `system_update_trust_root_create`: a root role that vouches for itself.
pub fn trust_root_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    root_role: &Value,
) -> Result<UpdatesTrustRoot> {
    authz::require(cx, caller, &place(), &operation::SYSTEM_UPDATE_TRUST_ROOT_CREATE)?;
    Root::trust(root_role)
        .map_err(|reason| Error::invalid_request(format!("Unable to verify root role: {reason}")))?;
    let root = TufTrustRoot { meta: cx.new_meta(), root_role: root_role.clone() };
    cx.tx.insert(&root)?;
    Ok(to_view(&root))
}

/// `system_update_trust_root_view`.
pub fn trust_root_view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<UpdatesTrustRoot> {
    let root = find(cx, id)?.authorize(cx, caller, &operation::SYSTEM_UPDATE_TRUST_ROOT_VIEW)?;
    Ok(to_view(&root))
}

/// `system_update_trust_root_delete`: what it vouched for stays.
pub fn trust_root_delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let root = find(cx, id)?.authorize(cx, caller, &operation::SYSTEM_UPDATE_TRUST_ROOT_DELETE)?;
    Ok(cx.tx.delete(&mut root.into_inner(), cx.now)?)
}
