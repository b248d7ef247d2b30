use std::{fmt, net::IpAddr};

use uuid::Uuid;

/// The origin of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Sent by the interface with this ID.
    Interface(Uuid),
    /// From outside the VPC's gateways.
    Outside,
}

/// The protocol of a packet. Ports are those of the destination, because rules do not match source ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// TCP.
    Tcp {
        /// The destination port.
        port: u16,
    },
    /// UDP.
    Udp {
        /// The destination port.
        port: u16,
    },
    /// ICMP. Between IPv6 addresses ICMPv6, which rules cannot name.
    Icmp {
        /// The type of the message.
        icmp_type: u8,
        /// The code of the message.
        code: u8,
    },
    /// Another protocol, without ports, which rules cannot name.
    Other,
}

impl Protocol {
    /// The destination port, if the protocol has ports.
    pub fn port(self) -> Option<u16> {
        match self {
            Self::Tcp { port } | Self::Udp { port } => Some(port),
            Self::Icmp { .. } | Self::Other => None,
        }
    }
}

/// The first packet of a connection, as it is sent. Replies to it always pass, so they are not modeled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    origin: Origin,
    source: IpAddr,
    destination: IpAddr,
    protocol: Protocol,
}

/// The source and the destination of a packet are of different address families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixedFamilies;

impl fmt::Display for MixedFamilies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("source and destination must be of the same address family")
    }
}

impl std::error::Error for MixedFamilies {}

impl Packet {
    /// Creates a packet. Fails if its addresses are of different families.
    pub fn new(
        origin: Origin,
        source: IpAddr,
        destination: IpAddr,
        protocol: Protocol,
    ) -> Result<Self, MixedFamilies> {
        if source.is_ipv4() != destination.is_ipv4() {
            return Err(MixedFamilies);
        }
        Ok(Self { origin, source, destination, protocol })
    }

    /// The origin.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The source address of the packet, which may be forged.
    pub fn source(&self) -> IpAddr {
        self.source
    }

    /// The destination address.
    pub fn destination(&self) -> IpAddr {
        self.destination
    }

    /// The protocol.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }
}
