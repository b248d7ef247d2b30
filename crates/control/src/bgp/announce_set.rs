//! The networks that are announced to BGP peers.

use std::collections::{BTreeMap, BTreeSet};

use croft_api::{
    Error, ResourceKind, Result,
    bgp::{self as api, BgpAnnounceSetCreate, BgpAnnouncementCreate},
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, NoSelector, PageQuery},
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Tx,
    records::{BgpAnnounceSet, BgpAnnouncement, BgpConfig},
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::place;
use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource,
    address_lot::{self, OpenLot},
    authz::{self, Kind},
    bgp::operation,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    lookup, paging,
};

impl Resource for BgpAnnounceSet {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::SYSTEM_NETWORK)
        .message(ResourceKind::BgpAnnounceSet)
        .deletable(Self::DELETABLE);
}

fn to_view(set: &BgpAnnounceSet) -> api::BgpAnnounceSet {
    api::BgpAnnounceSet {
        id: set.meta.id,
        name: set.name.clone(),
        description: set.description.clone(),
        time_created: set.meta.time_created,
        time_modified: set.meta.time_modified,
    }
}

pub(super) fn find(cx: &mut Cx<'_, '_>, set: &NameOrId) -> Result<LookupResult<BgpAnnounceSet>> {
    Ok(LookupResult::new(lookup::top_level(cx.tx, set)?, set))
}

/// `networking_bgp_announce_set_list`: returns one page, without a token for the next.
pub fn announce_set_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<Vec<api::BgpAnnounceSet>> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_ANNOUNCE_SET_LIST)?;
    let sets: Vec<BgpAnnounceSet> = paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?;
    Ok(sets.iter().map(to_view).collect())
}

/// `networking_bgp_announce_set_update`: creates the set if it does not exist, and replaces its networks.
pub fn announce_set_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &BgpAnnounceSetCreate,
) -> Result<api::BgpAnnounceSet> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_ANNOUNCE_SET_UPDATE)?;
    check_description(&params.identity.description)?;
    check_repetitions(&params.announcement)?;
    let announcements = resolve(cx.tx, &params.announcement)?;
    let name = &params.identity.name;
    let set = if let Some(mut set) = cx.tx.get_by_name::<BgpAnnounceSet>(Uuid::nil(), name.as_str())? {
        set.announcements = announcements;
        cx.tx.update(&mut set)?;
        set
    } else {
        let description = params.identity.description.clone();
        let set = BgpAnnounceSet { meta: cx.new_meta(), name: name.clone(), description, announcements };
        cx.insert_named(ResourceKind::BgpAnnounceSet, &set)?;
        set
    };
    Ok(to_view(&set))
}

fn check_repetitions(announcements: &[BgpAnnouncementCreate]) -> Result<()> {
    let mut seen = BTreeSet::new();
    for BgpAnnouncementCreate { network, .. } in announcements {
        if !seen.insert((network.first(), network.width())) {
            return Err(Error::invalid_request(format!("network {network} is announced more than once")));
        }
    }
    Ok(())
}

/// The announcements with the address lot blocks of their networks. If a lot or block does not exist, a placeholder id
/// is used, which is the same each time.
fn resolve(tx: &mut Tx<'_>, announcements: &[BgpAnnouncementCreate]) -> Result<Vec<BgpAnnouncement>> {
    let mut lots: BTreeMap<&NameOrId, Option<OpenLot>> = BTreeMap::new();
    let mut resolved = Vec::with_capacity(announcements.len());
    for BgpAnnouncementCreate { address_lot_block: selector, network } in announcements {
        if !lots.contains_key(selector) {
            let lot = address_lot::get(tx, selector)?.map(|lot| OpenLot::new(tx, &lot)).transpose()?;
            lots.insert(selector, lot);
        }
        let block = lots[selector].as_ref().and_then(|lot| lot.block_around(*network));
        let address_lot_block_id = block.unwrap_or_else(|| placeholder_id(selector));
        resolved.push(BgpAnnouncement { address_lot_block_id, network: *network });
    }
    Ok(resolved)
}

/// The placeholder id for a block that does not exist: the one that was given, or one derived from the name.
fn placeholder_id(selector: &NameOrId) -> Uuid {
    match selector {
        NameOrId::Id(id) => *id,
        NameOrId::Name(name) => {
            let hash = Sha256::new().chain_update("address lot ").chain_update(name.as_str()).finalize();
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&hash[..16]);
            uuid::Builder::from_custom_bytes(bytes).into_uuid()
        }
    }
}

/// `networking_bgp_announcement_list`: in the order in which they were given.
pub fn announcement_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    set: &NameOrId,
) -> Result<Vec<api::BgpAnnouncement>> {
    let set = find(cx, set)?.authorize(cx, caller, &operation::NETWORKING_BGP_ANNOUNCEMENT_LIST)?;
    let announce_set_id = set.meta.id;
    let view = |announcement: &BgpAnnouncement| api::BgpAnnouncement {
        announce_set_id,
        address_lot_block_id: announcement.address_lot_block_id,
        network: announcement.network,
    };
    Ok(set.announcements.iter().map(view).collect())
}

/// `networking_bgp_announce_set_delete`: refused while a configuration announces it.
pub fn announce_set_delete(cx: &mut Cx<'_, '_>, caller: &Caller, set: &NameOrId) -> Result<()> {
    let set = find(cx, set)?.authorize(cx, caller, &operation::NETWORKING_BGP_ANNOUNCE_SET_DELETE)?;
    deletable::require(cx, caller, &*set)?;
    Ok(cx.tx.delete(&mut set.into_inner(), cx.now)?)
}

impl Deletable for BgpAnnounceSet {
    const DELETION: Operation = operation::NETWORKING_BGP_ANNOUNCE_SET_DELETE;
    const PATH: &'static str = "/v1/system/networking/bgp-announce-set/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        announce_set_delete(cx, caller, &NameOrId::Id(id))
    }

    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let announcing = ListBy::lookup(BgpConfig::ANNOUNCE_SET, self.meta.id);
        let configs = Dependents::list::<BgpConfig>(DeletionEffect::Prevents, announcing);
        Ok(vec![configs.refused(|_| Error::conflict("announce set in use"))])
    }
}
