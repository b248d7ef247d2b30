use croft_api::{
    Error, Lookup, ResourceKind, Result,
    hardware::{self as api, SledId, UninitializedSledId},
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
};
use croft_store::{
    ListBy,
    records::{Baseboard, Sled, UninitializedSled},
};

use crate::{
    Caller, Cx,
    authz::{self, Kind, ResourceScope},
    paging,
    sled::operation,
};

/// `sled_list_uninitialized`: everything is on the first page.
pub fn list_uninitialized(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    _: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::UninitializedSled>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SLED), &operation::SLED_LIST_UNINITIALIZED)?;
    let sleds: Vec<UninitializedSled> = paging::all(cx.tx, &ListBy::All)?;
    let view = |sled: UninitializedSled| api::UninitializedSled {
        baseboard: sled.baseboard.into(),
        rack_id: sled.rack_id,
        cubby: sled.cubby,
    };
    Ok(ResultsPage { items: sleds.into_iter().map(view).collect(), next_page: None })
}

/// `sled_add`: records the request; the reconciler adds the sled to the fleet. Repeated requests return the same id
/// until then.
pub fn add(cx: &mut Cx<'_, '_>, caller: &Caller, params: &UninitializedSledId) -> Result<SledId> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SLED), &operation::SLED_ADD)?;
    let UninitializedSledId { serial, part } = params;
    let is_meant = |baseboard: &Baseboard| (&baseboard.serial, &baseboard.part) == (serial, part);
    let fleet: Vec<Sled> = paging::all(cx.tx, &ListBy::All)?;
    if let Some(sled) = fleet.iter().find(|sled| is_meant(&sled.baseboard)) {
        return Err(Error::exists(ResourceKind::Sled, format!("{serial} ({part}): {}", sled.meta.id)));
    }
    let waiting: Vec<UninitializedSled> = paging::all(cx.tx, &ListBy::All)?;
    let found = waiting.into_iter().find(|sled| is_meant(&sled.baseboard));
    let lookup = || Lookup::Other(format!("sled with serial number \"{serial}\" and part number \"{part}\""));
    let mut sled = found.ok_or_else(|| Error::not_found(ResourceKind::Sled, lookup()))?;
    if sled.time_added.is_none() {
        sled.time_added = Some(cx.now);
        sled.meta.time_modified = cx.now;
        cx.tx.update(&mut sled)?;
    }
    Ok(SledId { id: sled.meta.id })
}
