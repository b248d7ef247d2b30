use std::net::IpAddr;

use croft_api::{Error, Result, scalar::IpNet};
use croft_sled::{MachineDisk, MachineInterface, MachineSpec, MachineState as HostState};
use croft_store::{
    ListBy, Tx,
    records::{Disk, Instance, MachineLink, MachineState, NetworkInterface, SshKey, VpcSubnet},
};
use uuid::Uuid;

use crate::paging;

/// The parts a machine is created from, besides its instance.
#[derive(Debug, Default)]
pub(super) struct MachineParts {
    pub(super) disks: Vec<Disk>,
    public_keys: Vec<String>,
    interfaces: Vec<MachineInterface>,
}

impl MachineParts {
    pub(super) fn of(tx: &mut Tx<'_>, instance: &Instance) -> Result<Self> {
        let disks = paging::all(tx, &ListBy::lookup(Disk::INSTANCE, instance.meta.id))?;
        let mut public_keys = Vec::new();
        for id in &instance.ssh_key_ids {
            public_keys.extend(tx.get::<SshKey>(*id)?.map(|key| key.public_key));
        }
        Ok(Self { disks, public_keys, interfaces: interfaces(tx, instance.meta.id)? })
    }
}

/// The network interfaces of a machine, in order of their slots.
fn interfaces(tx: &mut Tx<'_>, instance: Uuid) -> Result<Vec<MachineInterface>> {
    let mut interfaces = Vec::new();
    for interface in paging::all::<NetworkInterface>(tx, &ListBy::Parent(instance))? {
        let Some(subnet) = tx.get::<VpcSubnet>(interface.subnet_id)? else {
            return Err(Error::internal(format!("interface {} is in no subnet", interface.meta.id)));
        };
        let subnet = match interface.ip {
            IpAddr::V4(_) => IpNet::V4(subnet.ipv4_block),
            IpAddr::V6(_) => IpNet::V6(subnet.ipv6_block),
        };
        let NetworkInterface { slot, vpc_id, mac, ip, .. } = interface;
        interfaces.push(MachineInterface { id: interface.meta.id, slot, vpc_id, mac, ip, subnet });
    }
    interfaces.sort_by_key(|interface| interface.slot);
    Ok(interfaces)
}

pub(super) fn spec(instance: &Instance, link: &MachineLink, parts: &MachineParts) -> MachineSpec {
    let mut disks: Vec<MachineDisk> = parts
        .disks
        .iter()
        .filter_map(|disk| {
            let (_, slot) = disk.attachment()?;
            Some(MachineDisk { id: disk.meta.id, slot, boot: instance.boot_disk_id == Some(disk.meta.id) })
        })
        .collect();
    disks.sort_by_key(|disk| disk.slot);
    MachineSpec {
        id: link.id,
        instance_id: instance.meta.id,
        sled_id: link.sled_id,
        name: instance.name.to_string(),
        hostname: instance.hostname.to_string(),
        cpus: instance.ncpus.0,
        memory: instance.memory.bytes(),
        disks,
        user_data: instance.user_data.0.clone(),
        public_keys: parts.public_keys.clone(),
        interfaces: parts.interfaces.clone(),
    }
}

pub(super) const fn host_state(state: MachineState) -> HostState {
    match state {
        MachineState::Starting => HostState::Starting,
        MachineState::Running | MachineState::Migrating => HostState::Running,
        MachineState::Rebooting => HostState::Rebooting,
        MachineState::Stopping => HostState::Stopping,
        MachineState::Ended => HostState::Ended,
    }
}

pub(super) const fn link_state(state: HostState) -> MachineState {
    match state {
        HostState::Starting => MachineState::Starting,
        HostState::Running => MachineState::Running,
        HostState::Rebooting => MachineState::Rebooting,
        HostState::Stopping => MachineState::Stopping,
        HostState::Ended | HostState::Failed => MachineState::Ended,
    }
}
