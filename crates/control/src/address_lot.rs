//! Address lots and what is reserved in them (`docs/rules/networking.md#address-lots`).

use std::net::IpAddr;

use croft_api::{
    Error, ResourceKind, Result,
    address_lot::{self as api, AddressLotBlockCreate, AddressLotCreate, AddressLotCreateResponse},
    deletion::DeletionEffect,
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{IpNet, NameOrId},
};
use croft_store::{
    ListBy, Tx,
    records::{AddressLot, AddressLotBlock, AddressReservation},
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::{self, Kind, ResourceScope},
    deletable::{self, Deletable},
    dependents::{Dependent, Dependents},
    description::check_description,
    lookup, paging,
};

crate::authz::operations! {
    contract {
        NETWORKING_ADDRESS_LOT_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
        NETWORKING_ADDRESS_LOT_CREATE = changes(Kind::SYSTEM_NETWORK, Permission::Create, 201);
        NETWORKING_ADDRESS_LOT_DELETE = changes(Kind::SYSTEM_NETWORK, Permission::Modify, 204);
        NETWORKING_ADDRESS_LOT_BLOCK_LIST = reads(Kind::SYSTEM_NETWORK, Permission::List);
    }
}

impl Resource for AddressLot {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK)
        .message(ResourceKind::AddressLot)
        .deletable(Self::DELETABLE);
}

impl Resource for AddressLotBlock {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK);
}

impl Resource for AddressReservation {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK);
}

fn to_view(lot: &AddressLot) -> api::AddressLot {
    api::AddressLot {
        id: lot.meta.id,
        name: lot.name.clone(),
        description: lot.description.clone(),
        kind: lot.kind.into(),
        time_created: lot.meta.time_created,
        time_modified: lot.meta.time_modified,
    }
}

fn to_block_view(block: &AddressLotBlock) -> api::AddressLotBlock {
    api::AddressLotBlock { id: block.meta.id, first_address: block.first, last_address: block.last }
}

/// The lot that is selected.
pub(crate) fn get(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<Option<AddressLot>> {
    lookup::top_level(tx, selector)
}

/// Looks up a lot.
pub(crate) fn find(cx: &mut Cx<'_, '_>, selector: &NameOrId) -> Result<LookupResult<AddressLot>> {
    Ok(LookupResult::new(get(cx.tx, selector)?, selector))
}

/// `networking_address_lot_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::AddressLot>> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_ADDRESS_LOT_LIST)?;
    let lots: Vec<AddressLot> = paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?;
    Ok(query.results(lots.iter().map(to_view).collect()))
}

/// `networking_address_lot_create`: creates the lot, or adds the blocks to the existing lot of that name.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &AddressLotCreate,
) -> Result<AddressLotCreateResponse> {
    let place = ResourceScope::fleet(Kind::SYSTEM_NETWORK);
    authz::require(cx, caller, &place, &operation::NETWORKING_ADDRESS_LOT_CREATE)?;
    open(cx, params)
}

/// Like [`create`], without a caller.
pub(crate) fn open(cx: &mut Cx<'_, '_>, params: &AddressLotCreate) -> Result<AddressLotCreateResponse> {
    check_description(&params.identity.description)?;
    params.blocks.iter().try_for_each(check_block)?;
    let lot = match cx.tx.get_by_name(Uuid::nil(), params.identity.name.as_str())? {
        Some(lot) => lot,
        None => insert(cx, params)?,
    };
    let mut blocks = Vec::with_capacity(params.blocks.len());
    for AddressLotBlockCreate { first_address, last_address } in &params.blocks {
        blocks.push(to_block_view(&block(cx, lot.meta.id, *first_address, *last_address)?));
    }
    Ok(AddressLotCreateResponse { lot: to_view(&lot), blocks })
}

fn check_block(block: &AddressLotBlockCreate) -> Result<()> {
    let AddressLotBlockCreate { first_address, last_address } = block;
    if first_address.is_ipv4() != last_address.is_ipv4() {
        return Err(Error::invalid_request("Block bounds must be in same address family"));
    }
    if first_address > last_address {
        return Err(Error::invalid_request("Invalid range, first must be <= last"));
    }
    Ok(())
}

fn insert(cx: &mut Cx<'_, '_>, params: &AddressLotCreate) -> Result<AddressLot> {
    let lot = AddressLot {
        meta: cx.new_meta(),
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        kind: params.kind.into(),
    };
    cx.insert_named(ResourceKind::AddressLot, &lot)?;
    Ok(lot)
}

/// Returns the block of a lot with these bounds. Creates it if it does not exist.
fn block(cx: &mut Cx<'_, '_>, lot: Uuid, first: IpAddr, last: IpAddr) -> Result<AddressLotBlock> {
    if let Some(block) = cx.tx.find(AddressLotBlock::BOUNDS, AddressLotBlock::bounds(lot, first, last))? {
        return Ok(block);
    }
    let block = AddressLotBlock { meta: cx.new_meta(), address_lot_id: lot, first, last };
    cx.tx.insert(&block)?;
    Ok(block)
}

/// `networking_address_lot_delete`: refused while an address of the lot is in use. Deletes the blocks, too.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, lot: &NameOrId) -> Result<()> {
    let mut lot =
        find(cx, lot)?.authorize(cx, caller, &operation::NETWORKING_ADDRESS_LOT_DELETE)?.into_inner();
    deletable::require(cx, caller, &lot)?;
    for block in paging::all::<AddressLotBlock>(cx.tx, &ListBy::Parent(lot.meta.id))? {
        cx.tx.remove::<AddressLotBlock>(block.meta.id, cx.now)?;
    }
    Ok(cx.tx.delete(&mut lot, cx.now)?)
}

impl Deletable for AddressLot {
    const DELETION: Operation = operation::NETWORKING_ADDRESS_LOT_DELETE;
    const PATH: &'static str = "/v1/system/networking/address-lot/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id))
    }

    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (prevents, within) = (DeletionEffect::Prevents, ListBy::Parent(self.meta.id));
        let address = |held: &AddressReservation| Dependent::of(held).named(held.address);
        Ok(vec![Dependents::labeled(prevents, within, address).refused_because("lot is in use")])
    }

    fn effects(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (deleted, within) = (DeletionEffect::Deleted, ListBy::Parent(self.meta.id));
        let ends = |block: &AddressLotBlock| {
            Dependent::of(block).named(format_args!("{}-{}", block.first, block.last))
        };
        Ok(vec![Dependents::labeled(deleted, within, ends)])
    }
}

/// `networking_address_lot_block_list`.
pub fn block_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    lot: &NameOrId,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::AddressLotBlock>> {
    let operation = &operation::NETWORKING_ADDRESS_LOT_BLOCK_LIST;
    let lot = find(cx, lot)?.authorize(cx, caller, operation)?.meta.id;
    let blocks: Vec<AddressLotBlock> = paging::page(cx.tx, ListBy::Parent(lot), query)?;
    Ok(query.results(blocks.iter().map(to_block_view).collect()))
}

/// A lot from which addresses are being reserved.
pub(crate) struct OpenLot {
    lot: Uuid,
    /// Sorted by id. An address that is in several blocks is taken from the first.
    blocks: Vec<AddressLotBlock>,
}

impl OpenLot {
    /// Reads the blocks of a lot.
    pub(crate) fn new(tx: &mut Tx<'_>, lot: &AddressLot) -> Result<Self> {
        let blocks = paging::all(tx, &ListBy::Parent(lot.meta.id))?;
        Ok(Self { lot: lot.meta.id, blocks })
    }

    /// The lot's id.
    pub(crate) fn id(&self) -> Uuid {
        self.lot
    }

    /// Returns the block that contains the whole network.
    pub(crate) fn block_around(&self, network: IpNet) -> Option<Uuid> {
        let ends = [network.first(), network.last()];
        let block = self.blocks.iter().find(|block| ends.into_iter().all(|end| block.contains(end)));
        block.map(|block| block.meta.id)
    }

    /// Reserves an address for one holder, or for all anycast users. Returns its block.
    pub(crate) fn reserve(
        &self,
        cx: &mut Cx<'_, '_>,
        address: IpAddr,
        anycast: bool,
        holder: Uuid,
    ) -> Result<Uuid> {
        let Some(block) = self.blocks.iter().find(|block| block.contains(address)) else {
            return Err(Error::invalid_request("address not in lot"));
        };
        let key = AddressReservation::address(self.lot, address);
        let taken = if anycast {
            cx.tx.find::<AddressReservation>(AddressReservation::EXCLUSIVE, key)?.is_some()
        } else {
            cx.tx.exists::<AddressReservation>(ListBy::lookup(AddressReservation::ADDRESS, key))?
        };
        if taken {
            return Err(Error::invalid_request("address unavailable"));
        }
        let meta = cx.new_meta();
        cx.tx.insert(&AddressReservation {
            meta,
            address_lot_id: self.lot,
            address_lot_block_id: block.meta.id,
            holder_id: holder,
            address,
            anycast,
        })?;
        Ok(block.meta.id)
    }
}

/// Releases all reservations of a holder.
pub(crate) fn release(cx: &mut Cx<'_, '_>, holder: Uuid) -> Result<()> {
    let by = ListBy::lookup(AddressReservation::HOLDER, holder);
    for reservation in paging::all::<AddressReservation>(cx.tx, &by)? {
        cx.tx.remove::<AddressReservation>(reservation.meta.id, cx.now)?;
    }
    Ok(())
}
