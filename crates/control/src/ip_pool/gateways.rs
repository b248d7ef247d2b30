//! Attaches pools to default internet gateways, and detaches them, when a silo gets or loses a pool
//! (`docs/rules/networking.md#pools-of-gateways`).

use croft_api::{
    ResourceKind, Result,
    scalar::{Description, Name},
};
use croft_store::{
    Key, ListBy,
    records::{InternetGateway, InternetGatewayIpPool},
};
use uuid::Uuid;

use crate::{Cx, paging};

/// Attaches a silo's new default pool to the gateways called `default` in the silo's VPCs.
pub(super) fn attach_to_defaults(cx: &mut Cx<'_, '_>, pool: Uuid, silo: Uuid) -> Result<()> {
    let by = ListBy::lookup(InternetGateway::DEFAULT_OF_SILO, silo);
    for gateway in paging::all::<InternetGateway>(cx.tx, &by)? {
        attach_default(cx, &gateway, pool)?;
    }
    Ok(())
}

/// Attaches a pool under the name `default`, unless that is taken.
pub(crate) fn attach_default(cx: &mut Cx<'_, '_>, gateway: &InternetGateway, pool: Uuid) -> Result<()> {
    let name = Name::literal("default");
    let taken: Option<InternetGatewayIpPool> = cx.tx.get_by_name(gateway.meta.id, name.as_str())?;
    if taken.is_some() {
        return Ok(());
    }
    let attachment = InternetGatewayIpPool {
        meta: cx.new_meta(),
        silo_id: gateway.silo_id,
        project_id: gateway.project_id,
        internet_gateway_id: gateway.meta.id,
        ip_pool_id: pool,
        name,
        description: Description::from("Automatically attached default IP pool"),
    };
    cx.insert_named(ResourceKind::InternetGatewayIpPool, &attachment)
}

/// Detaches a pool from every gateway in a silo, before the silo is unlinked.
pub(super) fn detach_in_silo(cx: &mut Cx<'_, '_>, pool: Uuid, silo: Uuid) -> Result<()> {
    let pair = Key::combined([pool.into(), silo.into()]);
    detach(cx, &ListBy::lookup(InternetGatewayIpPool::POOL_OF_SILO, pair))
}

/// Detaches a pool that is being deleted from every gateway.
pub(super) fn detach_everywhere(cx: &mut Cx<'_, '_>, pool: Uuid) -> Result<()> {
    detach(cx, &ListBy::lookup(InternetGatewayIpPool::POOL, pool))
}

/// Removes the attachments of a list.
pub(crate) fn detach(cx: &mut Cx<'_, '_>, by: &ListBy) -> Result<()> {
    for mut attachment in paging::all::<InternetGatewayIpPool>(cx.tx, by)? {
        cx.tx.delete(&mut attachment, cx.now)?;
    }
    Ok(())
}
