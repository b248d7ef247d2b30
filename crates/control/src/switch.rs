//! Switches of racks (`docs/rules/compute-and-storage.md#physical-disks-racks-and-switches`).

use croft_api::{
    ResourceKind, Result, hardware as api,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
};
use croft_store::{ListBy, records::Switch};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind, ResourceScope},
    paging,
};

crate::authz::operations! {
    contract {
        SWITCH_LIST = reads(Kind::SLED, Permission::List);
        SWITCH_VIEW = reads(Kind::SLED, Permission::Read);
    }
}

impl Resource for Switch {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SLED).message(ResourceKind::Switch);
}

fn to_view(switch: &Switch) -> api::Switch {
    api::Switch {
        id: switch.meta.id,
        time_created: switch.meta.time_created,
        time_modified: switch.meta.time_modified,
        baseboard: switch.baseboard.clone().into(),
        rack_id: switch.rack_id,
    }
}

/// `switch_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::Switch>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SLED), &operation::SWITCH_LIST)?;
    let switches: Vec<Switch> = paging::page(cx.tx, ListBy::All, query)?;
    Ok(query.results(switches.iter().map(to_view).collect()))
}

/// `switch_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::Switch> {
    let found: LookupResult<Switch> = LookupResult::new(cx.tx.get(id)?, id);
    Ok(to_view(&*found.authorize(cx, caller, &operation::SWITCH_VIEW)?))
}
