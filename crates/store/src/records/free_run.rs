use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use croft_api::scalar::MacAddr;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Scope, Table, record};

/// A number that can be given out, of one of three kinds that have nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Number {
    /// What the number stands for.
    pub kind: NumberKind,
    /// The number.
    pub value: u128,
}

/// What a [`Number`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberKind {
    /// An IPv4 address.
    V4,
    /// An IPv6 address.
    V6,
    /// A hardware address.
    Mac,
}

impl NumberKind {
    /// What the [sort keys](Number::sort_key) of all numbers of this kind begin with.
    pub fn key_prefix(self) -> &'static str {
        match self {
            Self::V4 => "v4-",
            Self::V6 => "v6-",
            Self::Mac => "mac-",
        }
    }
}

impl Number {
    /// A text whose order among those of one kind is the order of the numbers, and that puts IPv4 before IPv6. It
    /// follows the rules of names.
    pub fn sort_key(self) -> String {
        let (prefix, value) = (self.kind.key_prefix(), self.value);
        match self.kind {
            NumberKind::V4 => format!("{prefix}{value:08x}"),
            NumberKind::V6 => format!("{prefix}{value:032x}"),
            NumberKind::Mac => format!("{prefix}{value:012x}"),
        }
    }

    /// The address that the number stands for; `None` if it stands for a hardware address.
    pub fn address(self) -> Option<IpAddr> {
        match self.kind {
            NumberKind::V4 => u32::try_from(self.value).ok().map(|bits| Ipv4Addr::from(bits).into()),
            NumberKind::V6 => Some(Ipv6Addr::from(self.value).into()),
            NumberKind::Mac => None,
        }
    }

    /// The hardware address that the number stands for, if it does.
    pub fn mac(self) -> Option<MacAddr> {
        let bytes = self.value.to_be_bytes();
        let (rest, mac) = bytes.split_last_chunk()?;
        (self.kind == NumberKind::Mac && rest.iter().all(|byte| *byte == 0)).then_some(MacAddr(*mac))
    }
}

impl From<IpAddr> for Number {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self { kind: NumberKind::V4, value: u32::from(address).into() },
            IpAddr::V6(address) => Self { kind: NumberKind::V6, value: address.into() },
        }
    }
}

impl From<Ipv4Addr> for Number {
    fn from(address: Ipv4Addr) -> Self {
        IpAddr::V4(address).into()
    }
}

impl From<MacAddr> for Number {
    fn from(mac: MacAddr) -> Self {
        let value = mac.0.iter().fold(0, |value, byte| value << 8 | u128::from(*byte));
        Self { kind: NumberKind::Mac, value }
    }
}

/// Consecutive numbers of one owner that nothing uses. The runs of an owner never touch each other, so that there is one
/// run where there could be several; taking the lowest number, taking a certain one and giving one back each read one or
/// two rows, however many numbers there are and however many of them are taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeRun {
    /// Bookkeeping.
    pub meta: Meta,
    /// Whose numbers they are: an IP pool, a subnet, or a VPC (of which they are the hardware addresses).
    pub owner_id: Uuid,
    /// The [sort key](Number::sort_key) of the first number.
    pub key: String,
    /// What the numbers stand for.
    pub kind: NumberKind,
    /// The first number.
    pub first: u128,
    /// The last number, not before the first.
    pub last: u128,
}

record! {
    FreeRun as run {
        table: Table::named("free_run").unlogged();
        parent: run.owner_id;
        name: Some(run.key.as_str());
        scope: Scope::FLEET;
    }
}
