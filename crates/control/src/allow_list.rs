//! The source addresses that may connect to the server, and whether it answers ICMP
//! (`docs/rules/networking.md#allow-list` and `docs/rules/networking.md#inbound-icmp`).

use croft_api::{
    Error, Result,
    allow_list::{self as api, AllowListUpdate, ServiceIcmpConfig},
};
use croft_store::{
    Meta, Tx,
    records::{AllowList, AllowedSourceIps, FLEET, InboundIcmp},
};

use crate::{
    Caller, Cx, Declaration, Resource,
    authz::{self, Kind, ResourceScope},
};

crate::authz::operations! {
    contract {
        NETWORKING_ALLOW_LIST_VIEW = reads(Kind::SYSTEM_NETWORK, Permission::Read);
        NETWORKING_ALLOW_LIST_UPDATE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 200);
    }
    internal {
        /// The reset of the allow-list by `croft admin`.
        ADMIN_ALLOW_ANY_SOURCE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 200);
    }
}

/// Whether the server answers pings. Declared separately because the order of operations in answers is fixed.
pub(crate) mod inbound_icmp {
    crate::authz::operations! {
        contract {
            NETWORKING_INBOUND_ICMP_VIEW = reads(Kind::SYSTEM_NETWORK, Permission::Read);
            NETWORKING_INBOUND_ICMP_UPDATE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        }
    }
}

impl Resource for AllowList {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK);
}

impl Resource for InboundIcmp {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK);
}

/// Maximum number of entries.
const MAX_ENTRIES: usize = 1000;

/// Adds the initial records to a new database: any source is allowed, and pings are answered.
pub(crate) fn open(cx: &mut Cx<'_, '_>) -> Result<()> {
    let meta = || Meta::new(FLEET, cx.now);
    cx.tx.insert(&AllowList { meta: meta(), allowed_ips: AllowedSourceIps::Any })?;
    Ok(cx.tx.insert(&InboundIcmp { meta: meta(), enabled: true })?)
}

fn place() -> ResourceScope {
    ResourceScope::fleet(Kind::SYSTEM_NETWORK)
}

fn get(tx: &mut Tx<'_>) -> Result<AllowList> {
    tx.get(FLEET)?.ok_or_else(|| Error::internal("there is no allow-list"))
}

fn to_view(list: AllowList) -> Result<api::AllowList> {
    let AllowList { meta, allowed_ips } = list;
    Ok(api::AllowList {
        time_created: meta.time_created,
        time_modified: meta.time_modified,
        allowed_ips: allowed_ips.try_into()?,
    })
}

/// The allow-list in force, for listeners.
pub fn current(tx: &mut Tx<'_>) -> Result<api::AllowedSourceIps> {
    get(tx)?.allowed_ips.try_into()
}

/// `networking_allow_list_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<api::AllowList> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_ALLOW_LIST_VIEW)?;
    to_view(get(cx.tx)?)
}

/// `networking_allow_list_update`: refused if the new list would exclude the caller.
pub fn update(cx: &mut Cx<'_, '_>, caller: &Caller, params: &AllowListUpdate) -> Result<api::AllowList> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_ALLOW_LIST_UPDATE)?;
    check(cx, &params.allowed_ips)?;
    to_view(replace(cx, params.allowed_ips.clone().into())?)
}

/// Allows any source, for an operator on the server's own host who is locked out.
pub fn allow_any(cx: &mut Cx<'_, '_>) -> Result<()> {
    replace(cx, AllowedSourceIps::Any).map(|_| ())
}

fn replace(cx: &mut Cx<'_, '_>, allowed_ips: AllowedSourceIps) -> Result<AllowList> {
    let mut list = get(cx.tx)?;
    list.allowed_ips = allowed_ips;
    list.meta.time_modified = cx.now;
    cx.tx.update(&mut list)?;
    Ok(list)
}

fn check(cx: &Cx<'_, '_>, allowed: &api::AllowedSourceIps) -> Result<()> {
    let api::AllowedSourceIps::List { ips } = allowed else { return Ok(()) };
    let entries = ips.as_slice();
    if entries.len() > MAX_ENTRIES {
        return Err(Error::invalid_request(format!(
            "Source IP allowlist is limited to {MAX_ENTRIES} entries, found {}",
            entries.len()
        )));
    }
    for entry in entries.iter().map(|entry| entry.to_canonical()) {
        if entry.addr().is_unspecified() {
            return Err(Error::invalid_request(
                "Source IP allowlist may not contain the unspecified address. Use \"any\" to allow any source to \
                 connect to user-facing services.",
            ));
        }
        if entry.width() == 0 {
            return Err(Error::invalid_request("Source IP allowlist entries may not have a netmask of /0."));
        }
    }
    if !allowed.allow_from(cx.request.source) {
        return Err(Error::invalid_request(
            "The source IP allow list would prevent access from the current client! Ensure that the allowlist \
             contains an entry that continues to allow access from this peer.",
        ));
    }
    Ok(())
}

fn get_icmp(tx: &mut Tx<'_>) -> Result<InboundIcmp> {
    tx.get(FLEET)?.ok_or_else(|| Error::internal("nothing says whether ICMP is let in"))
}

/// Whether inbound ICMP is allowed.
pub fn is_icmp_allowed(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(get_icmp(tx)?.enabled)
}

/// `networking_inbound_icmp_view`.
pub fn inbound_icmp_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<ServiceIcmpConfig> {
    authz::require(cx, caller, &place(), &inbound_icmp::operation::NETWORKING_INBOUND_ICMP_VIEW)?;
    Ok(ServiceIcmpConfig { enabled: get_icmp(cx.tx)?.enabled })
}

/// `networking_inbound_icmp_update`.
pub fn inbound_icmp_update(cx: &mut Cx<'_, '_>, caller: &Caller, params: ServiceIcmpConfig) -> Result<()> {
    authz::require(cx, caller, &place(), &inbound_icmp::operation::NETWORKING_INBOUND_ICMP_UPDATE)?;
    let mut icmp = get_icmp(cx.tx)?;
    icmp.enabled = params.enabled;
    icmp.meta.time_modified = cx.now;
    Ok(cx.tx.update(&mut icmp)?)
}
