//! Consistency checks of the records of switches.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use croft_api::Result;
use croft_store::{
    Tx,
    records::{
        AddressLot, AddressLotBlock, AddressReservation, BgpConfig, LoopbackAddress, Rack, SwitchPort,
        SwitchPortBgpConfig, SwitchPortSettings,
    },
};
use uuid::Uuid;

use super::{NetworkRecords, every};

impl NetworkRecords {
    pub(super) fn switches(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        for block in every::<AddressLotBlock>(tx)? {
            self.exists::<AddressLot>(tx, block.address_lot_id, &block)?;
        }
        self.ports(tx)?;
        self.bgp_configs(tx)?;
        self.reservations(tx)
    }

    fn ports(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        for port in every::<SwitchPort>(tx)? {
            self.exists::<Rack>(tx, port.rack_id, &port)?;
            if let Some(settings) = port.port_settings_id {
                self.exists::<SwitchPortSettings>(tx, settings, &port)?;
            }
        }
        Ok(())
    }

    /// Settings must list each BGP configuration of their peers once, and each must exist.
    fn bgp_configs(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut used = BTreeSet::new();
        for settings in every::<SwitchPortSettings>(tx)? {
            for peer in &settings.bgp_peers {
                self.exists::<BgpConfig>(tx, peer.bgp_config_id, &settings)?;
                used.insert((settings.meta.id, peer.bgp_config_id));
            }
        }
        let links: Vec<SwitchPortBgpConfig> = every(tx)?;
        let linked: BTreeSet<_> =
            links.iter().map(|link| (link.port_settings_id, link.bgp_config_id)).collect();
        let once = linked.len() == links.len();
        self.check(once && linked == used, || format!("configurations {used:?} in use, {links:?} noted"));
        Ok(())
    }

    /// Every user of a lot's address must have a reservation, and every reservation a user.
    fn reservations(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut used: BTreeMap<(Uuid, Uuid, IpAddr), usize> = BTreeMap::new();
        for loopback in every::<LoopbackAddress>(tx)? {
            self.exists::<Rack>(tx, loopback.rack_id, &loopback)?;
            let key = (loopback.meta.id, loopback.address_lot_block_id, loopback.address.addr());
            *used.entry(key).or_default() += 1;
        }
        for settings in every::<SwitchPortSettings>(tx)? {
            for address in &settings.addresses {
                let key = (settings.meta.id, address.address_lot_block_id, address.address.addr());
                *used.entry(key).or_default() += 1;
            }
        }
        let mut reserved: BTreeMap<(Uuid, Uuid, IpAddr), usize> = BTreeMap::new();
        let mut holders: BTreeMap<(Uuid, IpAddr), Vec<bool>> = BTreeMap::new();
        for reservation in every::<AddressReservation>(tx)? {
            let AddressReservation { address_lot_id, address_lot_block_id, address, .. } = reservation;
            let block: Option<AddressLotBlock> = tx.get(address_lot_block_id)?;
            let inside =
                block.is_some_and(|block| block.address_lot_id == address_lot_id && block.contains(address));
            self.check(inside, || format!("{address} is reserved outside its block"));
            *reserved.entry((reservation.holder_id, address_lot_block_id, address)).or_default() += 1;
            holders.entry((address_lot_id, address)).or_default().push(reservation.anycast);
        }
        self.check(used == reserved, || format!("addresses {used:?} in use, {reserved:?} reserved"));
        let shared = holders.values().all(|anycast| anycast.len() == 1 || anycast.iter().all(|flag| *flag));
        self.check(shared, || "an address that is one holder's alone is reserved twice".to_owned());
        Ok(())
    }
}
