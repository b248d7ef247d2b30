use std::net::IpAddr;

use croft_api::scalar::{Description, IpNet, MacAddr, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// What a network interface is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterfaceParent {
    /// An instance.
    Instance(Uuid),
    /// A probe, which tests a network from a sled.
    Probe(Uuid),
}

impl InterfaceParent {
    /// Its id.
    pub fn id(self) -> Uuid {
        match self {
            Self::Instance(id) | Self::Probe(id) => id,
        }
    }
}

/// A network interface. Address, hardware address, subnet and VPC never change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkInterface {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// What it is part of.
    pub parent: InterfaceParent,
    /// The VPC.
    pub vpc_id: Uuid,
    /// The subnet.
    pub subnet_id: Uuid,
    /// Unique on the parent.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The address in the subnet, unique there.
    pub ip: IpAddr,
    /// The hardware address, unique in the VPC.
    pub mac: MacAddr,
    /// 0 to 7, unique on the parent.
    pub slot: u8,
    /// Whether it is the one of the parent that external addresses lead to.
    pub primary: bool,
    /// Further networks that it may send from and is sent to.
    pub transit_ips: Vec<IpNet>,
}

impl NetworkInterface {
    /// The instance it is part of.
    pub fn instance_id(&self) -> Option<Uuid> {
        match self.parent {
            InterfaceParent::Instance(id) => Some(id),
            InterfaceParent::Probe(_) => None,
        }
    }
}

record! {
    NetworkInterface as interface {
        table: Table::named("network_interface");
        parent: interface.parent.id();
        name: Some(interface.name.as_str());
        scope: Scope::project(interface.silo_id, interface.project_id);
        search: interface.transit_ips.iter().fold(
            Searched::named(&interface.name, &interface.description)
                .address("ip", interface.ip)
                .mac("mac", interface.mac),
            |searched, network| searched.network("transit_ips", *network),
        );
        lookups: {
            /// The interfaces in a subnet.
            SUBNET: Lookup::new("subnet_id", KeyKind::Id).orders(&[Order::Name, Order::Id]) = interface.subnet_id;
            /// The interfaces in a VPC.
            VPC: Lookup::new("vpc_id", KeyKind::Id) = interface.vpc_id;
            /// The interface with an address.
            ADDRESS: Lookup::unique("subnet_address", KeyKind::Bytes) =
                Key::combined([interface.subnet_id.into(), interface.ip.into()]);
            /// The interface with a hardware address.
            MAC: Lookup::unique("vpc_mac", KeyKind::Bytes) =
                Key::combined([interface.vpc_id.into(), interface.mac.0.as_slice().into()]);
        }
    }
}
