//! The networks that are announced to BGP peers.

use std::collections::BTreeSet;

use croft_api::{
    Error, ResourceKind, Result,
    bgp::{self as api, BgpAnnounceSetCreate, BgpAnnouncementCreate},
    page::{NameOrIdSortMode, NoSelector, PageQuery},
    scalar::NameOrId,
};
use croft_store::{
    ListBy,
    records::{BgpAnnounceSet, BgpAnnouncement, BgpConfig},
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::place;
use crate::{
    Caller, Cx, Found, Protected,
    authz::{self, Place},
    operation, paging, project,
};

impl Protected for BgpAnnounceSet {
    const RESOURCE: ResourceKind = ResourceKind::BgpAnnounceSet;

    fn place(&self) -> Place {
        place()
    }
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

pub(super) fn find(cx: &mut Cx<'_, '_>, set: &NameOrId) -> Result<Found<BgpAnnounceSet>> {
    let record = match set {
        NameOrId::Id(id) => cx.tx.get(*id)?,
        NameOrId::Name(name) => cx.tx.get_by_name(Uuid::nil(), name.as_str())?,
    };
    Ok(Found::new(record, set))
}

/// `networking_bgp_announce_set_list`: the sets of one page, and nothing that leads to the next.
pub fn announce_set_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<Vec<api::BgpAnnounceSet>> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_ANNOUNCE_SET_LIST)?;
    let sets: Vec<BgpAnnounceSet> = paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?;
    Ok(sets.iter().map(to_view).collect())
}

/// `networking_bgp_announce_set_update`: creates the set if there is none of that name, and replaces its networks.
pub fn announce_set_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &BgpAnnounceSetCreate,
) -> Result<api::BgpAnnounceSet> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_ANNOUNCE_SET_UPDATE)?;
    project::check_description(&params.identity.description)?;
    check_repetitions(&params.announcement)?;
    let announcements = params.announcement.iter().map(resolve).collect();
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

/// An announcement with an id for the block that its network was said to be from, which is the same each time.
fn resolve(announcement: &BgpAnnouncementCreate) -> BgpAnnouncement {
    let address_lot_block_id = match &announcement.address_lot_block {
        NameOrId::Id(id) => *id,
        NameOrId::Name(name) => {
            let hash = Sha256::new().chain_update("address lot ").chain_update(name.as_str()).finalize();
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&hash[..16]);
            uuid::Builder::from_custom_bytes(bytes).into_uuid()
        }
    };
    BgpAnnouncement { address_lot_block_id, network: announcement.network }
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
    if cx.tx.exists::<BgpConfig>(ListBy::lookup(BgpConfig::ANNOUNCE_SET, set.meta.id))? {
        return Err(Error::Conflict("announce set in use".to_owned()));
    }
    Ok(cx.tx.delete(&mut set.into_inner(), cx.now)?)
}
