//! Racks. A fleet has one rack, created at first start.

use croft_api::{
    ResourceKind, Result, hardware as api,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
};
use croft_store::{ListBy, Sort, records::Rack};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind, Permission, ResourceScope},
    paging,
};

crate::authz::operations! {
    contract {
        RACK_LIST = reads(Kind::SLED, Permission::List);
        RACK_VIEW = reads(Kind::SLED, Permission::Read);
    }
}

impl Resource for Rack {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SLED).message(ResourceKind::Rack);
}

fn to_view(rack: &Rack) -> api::Rack {
    let meta = &rack.meta;
    api::Rack { id: meta.id, time_created: meta.time_created, time_modified: meta.time_modified }
}

/// The first rack, created if there is none.
pub(crate) fn ensure(cx: &mut Cx<'_, '_>) -> Result<Rack> {
    if let Some(rack) = cx.tx.page(ListBy::All, Sort::IdAsc, None, 1)?.pop() {
        return Ok(rack);
    }
    let rack = Rack { meta: cx.new_meta() };
    cx.tx.insert(&rack)?;
    Ok(rack)
}

fn find(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<LookupResult<Rack>> {
    Ok(LookupResult::new(cx.tx.get(id)?, id))
}

/// The parent rack of a switch or port.
pub(crate) fn enter(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<Rack> {
    Ok(find(cx, id)?.authorize(cx, caller, Permission::Read)?.into_inner())
}

/// `rack_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::Rack>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SLED), &operation::RACK_LIST)?;
    let racks: Vec<Rack> = paging::page(cx.tx, ListBy::All, query)?;
    Ok(query.results(racks.iter().map(to_view).collect()))
}

/// `rack_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::Rack> {
    Ok(to_view(&*find(cx, id)?.authorize(cx, caller, &operation::RACK_VIEW)?))
}
