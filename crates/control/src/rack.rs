//! Racks. A fleet has one so far, made at first start, whose id never changes.

use croft_api::{ResourceKind, Result};
use croft_store::records::Rack;
use uuid::Uuid;

use crate::{
    Caller, Cx, Found, Protected,
    authz::{Kind, Permission, Place},
};

impl Protected for Rack {
    const RESOURCE: ResourceKind = ResourceKind::Rack;

    fn place(&self) -> Place {
        Place::fleet(Kind::SystemNetwork)
    }
}

/// Makes the first rack.
pub(crate) fn first(cx: &mut Cx<'_, '_>) -> Result<Rack> {
    let rack = Rack { meta: cx.new_meta() };
    cx.tx.insert(&rack)?;
    Ok(rack)
}

/// The rack of this id, for something that stands in it.
pub(crate) fn enter(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<Rack> {
    let rack: Found<Rack> = Found::new(cx.tx.get(id)?, id);
    Ok(rack.authorize(cx, caller, Permission::Read)?.into_inner())
}
