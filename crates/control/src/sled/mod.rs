//! Sleds (`docs/rules/compute-and-storage.md#failure-and-automatic-restart`, `docs/rules/compute-and-storage.md#sleds`
//! and `docs/rules/compute-and-storage.md#adding-and-expunging-sleds`).

mod add;
mod expunge;
mod instances;

use croft_api::{
    Error, ResourceKind, Result,
    hardware::{
        self as api, SledPolicy, SledProvisionPolicy, SledProvisionPolicyParams, SledProvisionPolicyResponse,
        SledState,
    },
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::ByteCount,
};
use croft_store::{
    ListBy,
    records::{PhysicalDisk, Sled, UninitializedSled},
};
use uuid::Uuid;

pub use add::{add, list_uninitialized};
pub use expunge::expunge;
pub use instances::instance_list;

use crate::{
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind, ResourceScope},
    paging, physical_disk, storage,
};

crate::authz::kinds! {
    /// A rack, and the hardware in it: sleds, their disks, switches.
    SLED = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
}

crate::authz::operations! {
    contract {
        SLED_LIST = reads(Kind::SLED, Permission::List);
        SLED_LIST_UNINITIALIZED = reads(Kind::SLED, Permission::List);
        SLED_ADD = changes(Kind::SLED, Permission::Modify, 201);
        SLED_VIEW = reads(Kind::SLED, Permission::Read);
        SLED_SET_PROVISION_POLICY = changes(Kind::SLED, Permission::Modify, 200);
        SLED_INSTANCE_LIST = reads(Kind::SLED, Permission::List);
        SLED_PHYSICAL_DISK_LIST = reads(Kind::SLED, Permission::List);
    }
    internal {
        /// A sled expunged by `croft admin`.
        ADMIN_SLED_EXPUNGE = changes(Kind::SLED, Permission::Modify, 204);
    }
}

impl Resource for Sled {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SLED).message(ResourceKind::Sled);
}

impl Resource for UninitializedSled {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SLED);
}

const fn provision_policy(sled: &Sled) -> SledProvisionPolicy {
    if sled.provisionable {
        SledProvisionPolicy::Provisionable
    } else {
        SledProvisionPolicy::NonProvisionable
    }
}

/// An expunged sled becomes decommissioned once all machines on it have been given up.
const fn state(sled: &Sled) -> SledState {
    if sled.expunged && sled.reserved_threads == 0 { SledState::Decommissioned } else { SledState::Active }
}

fn to_view(sled: &Sled) -> api::Sled {
    api::Sled {
        id: sled.meta.id,
        time_created: sled.meta.time_created,
        time_modified: sled.meta.time_modified,
        baseboard: sled.baseboard.clone().into(),
        rack_id: sled.rack_id,
        policy: if sled.expunged {
            SledPolicy::Expunged
        } else {
            SledPolicy::InService { provision_policy: provision_policy(sled) }
        },
        state: state(sled),
        usable_hardware_threads: sled.hardware_threads,
        usable_physical_ram: ByteCount::try_from(sled.physical_memory).unwrap_or(ByteCount::MAX),
    }
}

fn find(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<LookupResult<Sled>> {
    Ok(LookupResult::new(cx.tx.get(id)?, id))
}

/// `sled_list`: sleds in service.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::Sled>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SLED), &operation::SLED_LIST)?;
    let sleds: Vec<Sled> = paging::page_where(cx.tx, &ListBy::All, query, |sled: &Sled| !sled.expunged)?;
    Ok(query.results(sleds.iter().map(to_view).collect()))
}

/// `sled_view`: also of an expunged sled.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::Sled> {
    Ok(to_view(&*find(cx, id)?.authorize(cx, caller, &operation::SLED_VIEW)?))
}

/// `sled_set_provision_policy`: does not affect existing machines and disks.
pub fn set_provision_policy(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    id: Uuid,
    params: SledProvisionPolicyParams,
) -> Result<SledProvisionPolicyResponse> {
    let found = find(cx, id)?.authorize(cx, caller, &operation::SLED_SET_PROVISION_POLICY)?;
    let (mut sled, new_state) = (found.into_inner(), params.state);
    check_in_service(&sled, new_state)?;
    let old_state = provision_policy(&sled);
    if old_state != new_state {
        sled.provisionable = new_state == SledProvisionPolicy::Provisionable;
        sled.meta.time_modified = cx.now;
        cx.tx.update(&mut sled)?;
        cx.tx.announce(&sled, cx.now)?;
        storage::follow(cx, &sled)?;
    }
    Ok(SledProvisionPolicyResponse { old_state, new_state })
}

fn check_in_service(sled: &Sled, wanted: SledProvisionPolicy) -> Result<()> {
    if !sled.expunged {
        return Ok(());
    }
    let state = match state(sled) {
        SledState::Active => "active",
        SledState::Decommissioned => "decommissioned",
    };
    let wanted = match wanted {
        SledProvisionPolicy::Provisionable => "in service",
        SledProvisionPolicy::NonProvisionable => "not provisionable",
    };
    Err(Error::conflict(format!(
        "sled id {} has current policy \"expunged\" and state \"{state}\" and the transition to policy \
         \"{wanted}\" is not permitted",
        sled.meta.id,
    )))
}

/// `sled_physical_disk_list`: includes expunged disks; empty for an unknown sled.
pub fn physical_disk_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    sled: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::PhysicalDisk>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SLED), &operation::SLED_PHYSICAL_DISK_LIST)?;
    let disks: Vec<PhysicalDisk> = paging::page(cx.tx, ListBy::Parent(sled), query)?;
    Ok(query.results(disks.iter().map(physical_disk::to_view).collect()))
}
