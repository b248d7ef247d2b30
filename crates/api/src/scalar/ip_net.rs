use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use super::{ScalarError, either_schema, text_scalar, text_schema};

/// An IPv4 address and the width of its network prefix, `172.30.0.0/22`. Host bits are kept as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ipv4Net {
    addr: Ipv4Addr,
    width: u8,
}

impl Ipv4Net {
    /// Widest prefix.
    pub const MAX_WIDTH: u8 = 32;

    /// A network; an error when the prefix is wider than 32 bits.
    pub fn new(addr: Ipv4Addr, width: u8) -> Result<Self, ScalarError> {
        if width > Self::MAX_WIDTH {
            return Err(ScalarError::new("Max width for IPv4 is 32"));
        }
        Ok(Self { addr, width })
    }

    /// The address as given.
    pub fn addr(self) -> Ipv4Addr {
        self.addr
    }

    /// Bits of the prefix.
    pub fn width(self) -> u8 {
        self.width
    }

    /// Whether the address lies in this network.
    pub fn contains(self, addr: Ipv4Addr) -> bool {
        u32::from(addr) & self.mask() == u32::from(self.addr) & self.mask()
    }

    /// The lowest address of this network.
    pub fn first(self) -> Ipv4Addr {
        (u32::from(self.addr) & self.mask()).into()
    }

    /// The highest address of this network.
    pub fn last(self) -> Ipv4Addr {
        (u32::from(self.addr) | !self.mask()).into()
    }

    /// Whether the two networks have an address in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.contains(other.first()) || other.contains(self.first())
    }

    fn mask(self) -> u32 {
        u32::MAX.checked_shl(u32::from(Self::MAX_WIDTH - self.width)).unwrap_or(0)
    }
}

/// An IPv6 address and the width of its network prefix, `fd00::/64`. Host bits are kept as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ipv6Net {
    addr: Ipv6Addr,
    width: u8,
}

impl Ipv6Net {
    /// Widest prefix.
    pub const MAX_WIDTH: u8 = 128;

    /// A network; an error when the prefix is wider than 128 bits.
    pub fn new(addr: Ipv6Addr, width: u8) -> Result<Self, ScalarError> {
        if width > Self::MAX_WIDTH {
            return Err(ScalarError::new("Max width for IPv6 is 128"));
        }
        Ok(Self { addr, width })
    }

    /// The address as given.
    pub fn addr(self) -> Ipv6Addr {
        self.addr
    }

    /// Bits of the prefix.
    pub fn width(self) -> u8 {
        self.width
    }

    /// Whether the address lies in this network.
    pub fn contains(self, addr: Ipv6Addr) -> bool {
        u128::from(addr) & self.mask() == u128::from(self.addr) & self.mask()
    }

    /// The lowest address of this network.
    pub fn first(self) -> Ipv6Addr {
        (u128::from(self.addr) & self.mask()).into()
    }

    /// The highest address of this network.
    pub fn last(self) -> Ipv6Addr {
        (u128::from(self.addr) | !self.mask()).into()
    }

    /// Whether the two networks have an address in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.contains(other.first()) || other.contains(self.first())
    }

    fn mask(self) -> u128 {
        u128::MAX.checked_shl(u32::from(Self::MAX_WIDTH - self.width)).unwrap_or(0)
    }
}

/// An IP network of either family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IpNet {
    /// An IPv4 network.
    V4(Ipv4Net),
    /// An IPv6 network.
    V6(Ipv6Net),
}

impl IpNet {
    /// The address as given.
    pub fn addr(self) -> IpAddr {
        match self {
            Self::V4(net) => net.addr.into(),
            Self::V6(net) => net.addr.into(),
        }
    }

    /// The lowest address of this network.
    pub fn first(self) -> IpAddr {
        match self {
            Self::V4(net) => net.first().into(),
            Self::V6(net) => net.first().into(),
        }
    }

    /// The highest address of this network.
    pub fn last(self) -> IpAddr {
        match self {
            Self::V4(net) => net.last().into(),
            Self::V6(net) => net.last().into(),
        }
    }

    /// Bits of the prefix.
    pub fn width(self) -> u8 {
        match self {
            Self::V4(net) => net.width,
            Self::V6(net) => net.width,
        }
    }

    /// The network of IPv4 that one of IPv6 stands for: in `::ffff:0:0/96`, IPv4 addresses are written as of IPv6.
    #[must_use]
    pub fn to_canonical(self) -> Self {
        const PREFIX: u8 = Ipv6Net::MAX_WIDTH - Ipv4Net::MAX_WIDTH;
        if let Self::V6(Ipv6Net { addr, width: PREFIX.. }) = self
            && let Some(mapped) = addr.to_ipv4_mapped()
        {
            return Self::V4(Ipv4Net { addr: mapped, width: self.width() - PREFIX });
        }
        self
    }

    /// Whether the address lies in this network. One of the other family does not.
    pub fn contains(self, addr: IpAddr) -> bool {
        match (self, addr) {
            (Self::V4(net), IpAddr::V4(addr)) => net.contains(addr),
            (Self::V6(net), IpAddr::V6(addr)) => net.contains(addr),
            _ => false,
        }
    }

    /// Whether the network is one address.
    pub fn is_host(self) -> bool {
        match self {
            Self::V4(net) => net.width == Ipv4Net::MAX_WIDTH,
            Self::V6(net) => net.width == Ipv6Net::MAX_WIDTH,
        }
    }

    /// Whether the two networks have an address in common. Those of different families have none.
    pub fn overlaps(self, other: Self) -> bool {
        match (self, other) {
            (Self::V4(one), Self::V4(other)) => one.overlaps(other),
            (Self::V6(one), Self::V6(other)) => one.overlaps(other),
            _ => false,
        }
    }
}

impl From<IpAddr> for IpNet {
    /// The network of that one address.
    fn from(addr: IpAddr) -> Self {
        match addr {
            IpAddr::V4(addr) => Self::V4(Ipv4Net { addr, width: Ipv4Net::MAX_WIDTH }),
            IpAddr::V6(addr) => Self::V6(Ipv6Net { addr, width: Ipv6Net::MAX_WIDTH }),
        }
    }
}

impl FromStr for IpNet {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split('/');
        let (Some(addr), Some(width), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(ScalarError::new("Must contain an IP address and a width, separated by a /"));
        };
        let addr: IpAddr = addr.parse().map_err(|_| ScalarError::new("Not a valid IP address"))?;
        if width.is_empty() || !width.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ScalarError::new("Width must be an integer"));
        }
        // A number too large for the type is too wide for either family.
        let width = width.parse().unwrap_or(u8::MAX);
        match addr {
            IpAddr::V4(addr) => Ipv4Net::new(addr, width).map(Self::V4),
            IpAddr::V6(addr) => Ipv6Net::new(addr, width).map(Self::V6),
        }
    }
}

impl FromStr for Ipv4Net {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            IpNet::V4(net) => Ok(net),
            IpNet::V6(_) => Err(ScalarError::new("Must be an IPv4 network")),
        }
    }
}

impl FromStr for Ipv6Net {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            IpNet::V6(net) => Ok(net),
            IpNet::V4(_) => Err(ScalarError::new("Must be an IPv6 network")),
        }
    }
}

impl fmt::Display for Ipv4Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.addr, self.width)
    }
}

impl fmt::Display for Ipv6Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.addr, self.width)
    }
}

impl fmt::Display for IpNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(net) => net.fmt(f),
            Self::V6(net) => net.fmt(f),
        }
    }
}

text_scalar!(Ipv4Net);
text_scalar!(Ipv6Net);
text_scalar!(IpNet);
text_schema!(Ipv4Net, "An IPv4 address and the width of its network prefix.");
text_schema!(Ipv6Net, "An IPv6 address and the width of its network prefix.");
either_schema!(IpNet = Ipv4Net::schema(), Ipv6Net::schema(); "An IP network of either family.");
