use std::{fmt, net::IpAddr};

use uuid::Uuid;

/// Where a packet comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was sent by the interface with this id.
    Interface(Uuid),
    /// It comes from beyond the VPC's gateways.
    Outside,
}

/// What a packet carries. Ports are those of the destination: no rule asks for the source's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// TCP.
    Tcp {
        /// The destination's port.
        port: u16,
    },
    /// UDP.
    Udp {
        /// The destination's port.
        port: u16,
    },
    /// ICMP; between IPv6 addresses ICMPv6, which no rule can name.
    Icmp {
        /// The type of the message.
        icmp_type: u8,
        /// Its code.
        code: u8,
    },
    /// Anything else: without ports, and of a protocol that no rule can name.
    Other,
}

impl Protocol {
    /// The destination's port, of protocols that have ports.
    pub fn port(self) -> Option<u16> {
        match self {
            Self::Tcp { port } | Self::Udp { port } => Some(port),
            Self::Icmp { .. } | Self::Other => None,
        }
    }
}

/// The first packet of an exchange, as it is sent. What answers it passes where it passed, so nothing is asked about that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    origin: Origin,
    source: IpAddr,
    destination: IpAddr,
    protocol: Protocol,
}

/// The source and the destination of a packet are not of one address family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixedFamilies;

impl fmt::Display for MixedFamilies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("source and destination must be of the same address family")
    }
}

impl std::error::Error for MixedFamilies {}

impl Packet {
    /// A packet; an error when its addresses are of different families.
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

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The address that it says it comes from.
    pub fn source(&self) -> IpAddr {
        self.source
    }

    /// The address that it goes to.
    pub fn destination(&self) -> IpAddr {
        self.destination
    }

    /// What it carries.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }
}
