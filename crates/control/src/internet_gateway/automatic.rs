//! What the server attaches and detaches by itself (`docs/rules/networking.md#creating-a-vpc` and
//! `docs/rules/networking.md#pools-of-gateways`).

use croft_api::{
    ResourceKind, Result,
    scalar::{Description, Name},
};
use croft_store::{
    Key, ListBy,
    records::{InternetGateway, InternetGatewayIpPool, Vpc},
};
use uuid::Uuid;

use crate::{Cx, ip_pool, paging};

/// The gateway that comes with a VPC, for the addresses of the silo's default pool if it has one.
pub(crate) fn insert_default(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    let gateway = InternetGateway {
        meta: cx.new_meta(),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        vpc_id: vpc.meta.id,
        name: Name::literal(InternetGateway::DEFAULT),
        description: Description::from("Automatically created default VPC gateway"),
    };
    cx.insert_named(ResourceKind::InternetGateway, &gateway)?;
    match ip_pool::default_of(cx.tx, vpc.silo_id)? {
        Some(pool) => attach_default(cx, &gateway, pool),
        None => Ok(()),
    }
}

/// Attaches a silo's new default pool to the gateways called `default` in the silo's VPCs.
pub(crate) fn attach_to_defaults(cx: &mut Cx<'_, '_>, pool: Uuid, silo: Uuid) -> Result<()> {
    let by = ListBy::lookup(InternetGateway::DEFAULT_OF_SILO, silo);
    for gateway in paging::all::<InternetGateway>(cx.tx, &by)? {
        attach_default(cx, &gateway, pool)?;
    }
    Ok(())
}

/// Attaches a pool under the name `default`, unless that is taken.
fn attach_default(cx: &mut Cx<'_, '_>, gateway: &InternetGateway, pool: Uuid) -> Result<()> {
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

/// Detaches a pool from every gateway in a silo, which is about to lose it.
pub(crate) fn detach_in_silo(cx: &mut Cx<'_, '_>, pool: Uuid, silo: Uuid) -> Result<()> {
    let pair = Key::combined([pool.into(), silo.into()]);
    detach(cx, &ListBy::lookup(InternetGatewayIpPool::POOL_OF_SILO, pair))
}

/// Detaches a pool that is being deleted from every gateway.
pub(crate) fn detach_everywhere(cx: &mut Cx<'_, '_>, pool: Uuid) -> Result<()> {
    detach(cx, &ListBy::lookup(InternetGatewayIpPool::POOL, pool))
}

pub(super) fn detach(cx: &mut Cx<'_, '_>, by: &ListBy) -> Result<()> {
    for mut attachment in paging::all::<InternetGatewayIpPool>(cx.tx, by)? {
        cx.tx.delete(&mut attachment, cx.now)?;
    }
    Ok(())
}
