//! Utilization of silos: usage and quotas (`docs/rules/identity-and-system.md#utilization-of-silos`).

use croft_api::{
    Error, Result,
    page::{NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{ByteCount, NameOrId},
    utilization::{SiloUtilization, Utilization, VirtualResourceCounts},
};
use croft_store::{
    ListBy, Tx,
    records::{Resources, Silo},
};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, ResourceScope},
    paging, silo, usage,
};

crate::authz::operations! {
    contract {
        UTILIZATION_VIEW = reads(Kind::SILO, Permission::Read);
        SILO_UTILIZATION_LIST = reads(Kind::FLEET, Permission::List);
    }
}

/// The utilization of one silo. Declared separately because the order of operations in answers is fixed.
pub(crate) mod of_one {
    crate::authz::operations! {
        contract {
            SILO_UTILIZATION_VIEW = reads(Kind::SILO, Permission::Read);
        }
    }
}

fn counts(amount: Resources) -> Result<VirtualResourceCounts> {
    Ok(VirtualResourceCounts {
        cpus: i64::try_from(amount.cpus).map_err(Error::internal)?,
        memory: ByteCount::try_from(amount.memory).map_err(Error::internal)?,
        storage: ByteCount::try_from(amount.storage).map_err(Error::internal)?,
    })
}

fn of_silo(tx: &mut Tx<'_>, silo: Silo) -> Result<SiloUtilization> {
    let (used, quota) = usage::of_silo(tx, silo.meta.id)?;
    Ok(SiloUtilization {
        silo_id: silo.meta.id,
        silo_name: silo.name,
        provisioned: counts(used)?,
        allocated: counts(quota)?,
    })
}

/// `utilization_view`: the caller's own silo.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<Utilization> {
    authz::require(
        cx,
        caller,
        &ResourceScope::silo(Kind::SILO, caller.silo_id),
        &operation::UTILIZATION_VIEW,
    )?;
    let (used, quota) = usage::of_silo(cx.tx, caller.silo_id)?;
    Ok(Utilization { provisioned: counts(used)?, capacity: counts(quota)? })
}

/// `silo_utilization_view`: any silo that the caller may see.
pub fn silo_view(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<SiloUtilization> {
    let silo = silo::find(cx, silo)?.authorize(cx, caller, &of_one::operation::SILO_UTILIZATION_VIEW)?;
    of_silo(cx.tx, silo.into_inner())
}

/// `silo_utilization_list`: the silos of the fleet, without those that are hidden and have no quota.
pub fn silo_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<SiloUtilization>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SILO_UTILIZATION_LIST)?;
    let by = ListBy::Parent(Uuid::nil());
    let items = paging::filter_map_page(cx.tx, &by, query, |tx, silo: Silo| {
        let (hidden, built_in) = (!silo.discoverable, silo::is_default_silo(silo.meta.id));
        let utilization = of_silo(tx, silo)?;
        let nothing = utilization.allocated == counts(Resources::default())?;
        Ok((!(built_in || hidden && nothing)).then_some(utilization))
    })?;
    Ok(query.results(items))
}
