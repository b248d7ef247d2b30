//! Disks of sleds (`docs/rules/compute-and-storage.md#physical-disks-racks-and-switches`).

use croft_api::{
    ResourceKind, Result,
    hardware::{self as api, PhysicalDiskPolicy, PhysicalDiskState},
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
};
use croft_store::{ListBy, records::PhysicalDisk};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind, ResourceScope},
    paging,
};

crate::authz::operations! {
    contract {
        PHYSICAL_DISK_LIST = reads(Kind::SLED, Permission::List);
        PHYSICAL_DISK_VIEW = reads(Kind::SLED, Permission::Read);
    }
}

impl Resource for PhysicalDisk {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SLED).message(ResourceKind::PhysicalDisk);
}

/// An expunged disk becomes decommissioned immediately: copies on it are not moved.
pub(crate) fn to_view(disk: &PhysicalDisk) -> api::PhysicalDisk {
    let (policy, state) = if disk.expunged {
        (PhysicalDiskPolicy::Expunged, PhysicalDiskState::Decommissioned)
    } else {
        (PhysicalDiskPolicy::InService, PhysicalDiskState::Active)
    };
    api::PhysicalDisk {
        id: disk.meta.id,
        time_created: disk.meta.time_created,
        time_modified: disk.meta.time_modified,
        policy,
        state,
        sled_id: Some(disk.sled_id),
        vendor: disk.vendor.clone(),
        serial: disk.serial.clone(),
        model: disk.model.clone(),
        form_factor: disk.form_factor.into(),
    }
}

/// `physical_disk_list`: those in service.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::PhysicalDisk>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SLED), &operation::PHYSICAL_DISK_LIST)?;
    let in_service = |disk: &PhysicalDisk| !disk.expunged;
    let disks: Vec<PhysicalDisk> = paging::page_where(cx.tx, &ListBy::All, query, in_service)?;
    Ok(query.results(disks.iter().map(to_view).collect()))
}

/// `physical_disk_view`: also of an expunged disk.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::PhysicalDisk> {
    let found: LookupResult<PhysicalDisk> = LookupResult::new(cx.tx.get(id)?, id);
    Ok(to_view(&*found.authorize(cx, caller, &operation::PHYSICAL_DISK_VIEW)?))
}
