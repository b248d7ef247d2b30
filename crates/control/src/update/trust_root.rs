//! Trust roots (`docs/rules/identity-and-system.md#trust-roots`).

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
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind},
    paging,
    update::operation,
};

impl Resource for TufTrustRoot {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::SYSTEM_UPDATE).message(ResourceKind::TufTrustRoot);
}

fn to_view(root: &TufTrustRoot) -> UpdatesTrustRoot {
    UpdatesTrustRoot {
        id: root.meta.id,
        time_created: root.meta.time_created,
        root_role: root.current().clone(),
    }
}

fn find(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<LookupResult<TufTrustRoot>> {
    Ok(LookupResult::new(cx.tx.get(id)?, id))
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

/// `system_update_trust_root_create`: the root role must be signed by itself.
pub fn trust_root_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    root_role: &Value,
) -> Result<UpdatesTrustRoot> {
    authz::require(cx, caller, &place(), &operation::SYSTEM_UPDATE_TRUST_ROOT_CREATE)?;
    let refused = |reason: String| Error::invalid_request(format!("Unable to verify root role: {reason}"));
    let new = Root::trust(root_role).map_err(refused)?;
    for mut stored in all(cx)? {
        let (first, current) = (trusted(&stored.root_role)?, trusted(stored.current())?);
        let is_same = [&first, &current].iter().any(|known| known.shares_a_key_with(&new));
        if is_same && new.version() < current.version() {
            return Err(refused(format!(
                "version {} of the same publisher is already trusted (trust root {}). This is version {}, \
                 whose keys may have been retired. To trust it anyway, delete that trust root first",
                current.version(),
                stored.meta.id,
                new.version()
            )));
        }
        if current.vouches_for(&new) {
            advance(cx, &mut stored, root_role)?;
        }
    }
    let root = TufTrustRoot { meta: cx.new_meta(), root_role: root_role.clone(), newest: None };
    cx.tx.insert(&root)?;
    Ok(to_view(&root))
}

/// Every trust root.
pub(super) fn all(cx: &mut Cx<'_, '_>) -> Result<Vec<TufTrustRoot>> {
    paging::all(cx.tx, &ListBy::Parent(Uuid::nil()))
}

/// The stored form of a root role.
pub(super) fn trusted(role: &Value) -> Result<Root> {
    Root::trust(role).map_err(Error::internal)
}

/// Replaces a root role by a newer version. Older versions are no longer accepted.
pub(super) fn advance(cx: &mut Cx<'_, '_>, root: &mut TufTrustRoot, newer: &Value) -> Result<()> {
    root.newest = Some(newer.clone());
    root.meta.time_modified = cx.now;
    Ok(cx.tx.update(root)?)
}

/// `system_update_trust_root_view`.
pub fn trust_root_view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<UpdatesTrustRoot> {
    let root = find(cx, id)?.authorize(cx, caller, &operation::SYSTEM_UPDATE_TRUST_ROOT_VIEW)?;
    Ok(to_view(&root))
}

/// `system_update_trust_root_delete`: repositories that it verified remain.
pub fn trust_root_delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let root = find(cx, id)?.authorize(cx, caller, &operation::SYSTEM_UPDATE_TRUST_ROOT_DELETE)?;
    Ok(cx.tx.delete(&mut root.into_inner(), cx.now)?)
}
