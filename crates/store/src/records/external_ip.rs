use std::net::IpAddr;

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// An external address of a project, which can lead to any of its instances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloatingIp {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// Unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The pool that the address was drawn from.
    pub ip_pool_id: Uuid,
    /// The address, in use by nothing else.
    pub ip: IpAddr,
    /// The instance it leads to, of the same project.
    pub instance_id: Option<Uuid>,
}

record! {
    FloatingIp as floating {
        table: Table::named("floating_ip");
        parent: floating.project_id;
        name: Some(floating.name.as_str());
        scope: Scope::project(floating.silo_id, floating.project_id);
        search: Searched::named(&floating.name, &floating.description).address("ip", floating.ip);
        lookups: {
            /// The floating IPs of an instance.
            INSTANCE: Lookup::new("instance_id", KeyKind::Id).orders(&[Order::Name, Order::Id]) =
                floating.instance_id;
            /// Those that a silo drew from a pool.
            POOL_OF_SILO: Lookup::new("pool_of_silo", KeyKind::Bytes) =
                Key::combined([floating.ip_pool_id.into(), floating.silo_id.into()]);
            /// The floating IP with an address.
            ADDRESS: Lookup::unique("address", KeyKind::Bytes) = floating.ip;
        }
    }
}

/// What an address of an instance is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceAddressKind {
    /// What the instance sends from: a block of the ports of an address that it shares.
    SourceNat(PortBlock),
    /// The whole address leads to the instance.
    Ephemeral,
}

/// A quarter of the ports of an address, 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PortBlock(pub u8);

impl PortBlock {
    /// How many there are to an address.
    pub const COUNT: u8 = 4;
    /// Ports of each.
    pub const SIZE: u16 = 16384;

    /// The first and the last port.
    pub fn ports(self) -> (u16, u16) {
        let first = u16::from(self.0 % Self::COUNT) * Self::SIZE;
        (first, first + (Self::SIZE - 1))
    }
}

/// An external address, or a part of one, that an instance has for as long as it exists, or until it gives it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceAddress {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// The instance.
    pub instance_id: Uuid,
    /// The pool that the address was drawn from.
    pub ip_pool_id: Uuid,
    /// The address.
    pub ip: IpAddr,
    /// What it is for.
    pub kind: InstanceAddressKind,
}

impl InstanceAddress {
    /// The key of [`InstanceAddress::PORTS`] of an address that is given out for something.
    pub fn ports(ip: IpAddr, kind: InstanceAddressKind) -> Key {
        match kind {
            InstanceAddressKind::SourceNat(block) => Key::combined([ip.into(), u32::from(block.0).into()]),
            InstanceAddressKind::Ephemeral => Key::combined([ip.into()]),
        }
    }
}

record! {
    InstanceAddress as address {
        table: Table::new("instance_address").by_parent(&[Order::Id]);
        parent: address.instance_id;
        scope: Scope::project(address.silo_id, address.project_id);
        search: Searched::by_id().address("ip", address.ip);
        lookups: {
            /// Those that a silo drew from a pool.
            POOL_OF_SILO: Lookup::new("pool_of_silo", KeyKind::Bytes) =
                Key::combined([address.ip_pool_id.into(), address.silo_id.into()]);
            /// The ephemeral address of an instance: one at most.
            EPHEMERAL: Lookup::unique("ephemeral_of_instance", KeyKind::Id) =
                (address.kind == InstanceAddressKind::Ephemeral).then_some(address.instance_id);
            /// What has an address, or a block of its ports: nothing is given out twice.
            PORTS: Lookup::unique("address_ports", KeyKind::Bytes) =
                InstanceAddress::ports(address.ip, address.kind);
        }
    }
}
