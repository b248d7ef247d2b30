//! Quotas of silos (`docs/rules/identity-and-system.md#quotas-of-silos`). [`usage`] counts what they limit.

use croft_api::{
    Error, Result,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    quota::{SiloQuotas, SiloQuotasUpdate},
    scalar::{ByteCount, NameOrId},
};
use croft_store::{
    ListBy,
    records::{Quota, Silo},
};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, ResourceScope},
    paging, silo, usage,
};

crate::authz::kinds! {
    /// The quotas of a silo. Its own administrators cannot change them.
    QUOTAS = Row::in_silo().fleet(["r", "rm", "rm"]).silo(["r", "r", "r"]).member("r");
}

crate::authz::operations! {
    contract {
        SILO_QUOTAS_VIEW = reads(Kind::QUOTAS, Permission::Read);
        SILO_QUOTAS_UPDATE = changes(Kind::QUOTAS, Permission::Modify, 200);
        SYSTEM_QUOTAS_LIST = reads(Kind::FLEET, Permission::List);
    }
}

fn to_view(silo: Uuid, quota: Quota) -> Result<SiloQuotas> {
    Ok(SiloQuotas {
        silo_id: silo,
        cpus: i64::try_from(quota.cpus).map_err(Error::internal)?,
        memory: ByteCount::try_from(quota.memory).map_err(Error::internal)?,
        storage: ByteCount::try_from(quota.storage).map_err(Error::internal)?,
    })
}

/// `silo_quotas_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<SiloQuotas> {
    let silo = silo::enter(cx, caller, silo)?.meta.id;
    authz::require(cx, caller, &ResourceScope::silo(Kind::QUOTAS, silo), &operation::SILO_QUOTAS_VIEW)?;
    let quota = usage::quota(cx.tx, silo)?;
    to_view(silo, quota)
}

/// `silo_quotas_update`: absent fields are unchanged. Requires a role on the fleet, so that no silo raises its own
/// limits.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    params: &SiloQuotasUpdate,
) -> Result<SiloQuotas> {
    let silo = silo::enter(cx, caller, silo)?.meta.id;
    authz::require(cx, caller, &ResourceScope::silo(Kind::QUOTAS, silo), &operation::SILO_QUOTAS_UPDATE)?;
    let mut quota = usage::quota(cx.tx, silo)?;
    if let Some(count) = params.cpus {
        quota.cpus = usage::cpus(count)?;
    }
    if let Some(memory) = params.memory {
        quota.memory = memory.bytes();
    }
    if let Some(storage) = params.storage {
        quota.storage = storage.bytes();
    }
    usage::set_quota(cx.tx, silo, quota, cx.now)?;
    to_view(silo, quota)
}

/// `system_quotas_list`: the quotas of every silo.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<SiloQuotas>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SYSTEM_QUOTAS_LIST)?;
    let silos: Vec<Silo> = paging::page(cx.tx, ListBy::All, query)?;
    let mut items = Vec::with_capacity(silos.len());
    for silo in silos {
        items.push(to_view(silo.meta.id, usage::quota(cx.tx, silo.meta.id)?)?);
    }
    Ok(query.results(items))
}
