//! IP pools: external addresses that silos draw from (`docs/rules/networking.md#ip-pools`).

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// External addresses that silos may draw from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IpPool {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When its name or description last changed.
    pub time_modified: Timestamp,
}

impl Listed for IpPool {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// An IP pool as a silo sees it that is linked to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiloIpPool {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When its name or description last changed.
    pub time_modified: Timestamp,
    /// Whether the silo draws from it when no pool is named.
    pub is_default: bool,
}

impl Listed for SiloIpPool {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A pool to be created, without addresses and linked to no silo.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
}

/// A change to a pool.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
}

/// Lets a silo draw from a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IpPoolSiloLink {
    /// The pool.
    pub ip_pool_id: Uuid,
    /// The silo.
    pub silo_id: Uuid,
    /// Whether the silo draws from it when no pool is named; true for at most one pool of a silo.
    pub is_default: bool,
}

impl Listed for IpPoolSiloLink {
    fn id(&self) -> Uuid {
        self.silo_id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// A silo to be linked to a pool.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolLinkSilo {
    /// Name or id of the silo.
    pub silo: NameOrId,
    /// Whether the silo is to draw from the pool when no pool is named. A silo has one default pool at most.
    pub is_default: bool,
}

/// A change of a link.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolSiloUpdate {
    /// Whether the silo is to draw from the pool when no pool is named. The pool that was its default so far ceases to
    /// be it.
    pub is_default: bool,
}

/// The path of one pool.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct IpPoolPath {
    /// Name or id of the pool.
    pub pool: NameOrId,
}

/// The path of one link.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct IpPoolSiloPath {
    /// Name or id of the pool.
    pub pool: NameOrId,
    /// Name or id of the silo.
    pub silo: NameOrId,
}

/// Consecutive IPv4 addresses, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "AnyRange<Ipv4Addr>")]
pub struct Ipv4Range {
    /// The first address.
    #[schema(value_type = String, format = "ipv4")]
    pub first: Ipv4Addr,
    /// The last address.
    #[schema(value_type = String, format = "ipv4")]
    pub last: Ipv4Addr,
}

/// Consecutive IPv6 addresses, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "AnyRange<Ipv6Addr>")]
pub struct Ipv6Range {
    /// The first address.
    #[schema(value_type = String, format = "ipv6")]
    pub first: Ipv6Addr,
    /// The last address.
    #[schema(value_type = String, format = "ipv6")]
    pub last: Ipv6Addr,
}

/// Two addresses, in any order.
#[derive(Deserialize)]
struct AnyRange<Address> {
    first: Address,
    last: Address,
}

impl TryFrom<AnyRange<Ipv4Addr>> for Ipv4Range {
    type Error = &'static str;

    fn try_from(AnyRange { first, last }: AnyRange<Ipv4Addr>) -> Result<Self, Self::Error> {
        if first > last { Err(BACKWARDS) } else { Ok(Self { first, last }) }
    }
}

impl TryFrom<AnyRange<Ipv6Addr>> for Ipv6Range {
    type Error = &'static str;

    fn try_from(AnyRange { first, last }: AnyRange<Ipv6Addr>) -> Result<Self, Self::Error> {
        if first > last { Err(BACKWARDS) } else { Ok(Self { first, last }) }
    }
}

const BACKWARDS: &str = "Invalid range, first must be <= last";

impl TryFrom<AnyRange<IpAddr>> for IpRange {
    type Error = &'static str;

    fn try_from(AnyRange { first, last }: AnyRange<IpAddr>) -> Result<Self, Self::Error> {
        let refusal = if first.is_ipv4() == last.is_ipv4() { BACKWARDS } else { TWO_FAMILIES };
        Self::between(first, last).ok_or(refusal)
    }
}

const TWO_FAMILIES: &str = "Invalid range, first and last must be addresses of the same family";

/// Consecutive addresses of one family, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged, try_from = "AnyRange<IpAddr>")]
pub enum IpRange {
    /// IPv4 addresses.
    V4(Ipv4Range),
    /// IPv6 addresses.
    V6(Ipv6Range),
}

impl IpRange {
    /// The range between two addresses of one family; none if there is no such range.
    pub fn between(first: IpAddr, last: IpAddr) -> Option<Self> {
        match (first, last) {
            (IpAddr::V4(first), IpAddr::V4(last)) if first <= last => {
                Some(Self::V4(Ipv4Range { first, last }))
            }
            (IpAddr::V6(first), IpAddr::V6(last)) if first <= last => {
                Some(Self::V6(Ipv6Range { first, last }))
            }
            _ => None,
        }
    }

    /// The first and the last address.
    pub fn ends(self) -> (IpAddr, IpAddr) {
        match self {
            Self::V4(range) => (range.first.into(), range.last.into()),
            Self::V6(range) => (range.first.into(), range.last.into()),
        }
    }
}

/// Consecutive addresses of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IpPoolRange {
    /// The ID, which never changes.
    pub id: Uuid,
    /// When it was added.
    pub time_created: Timestamp,
    /// The pool.
    pub ip_pool_id: Uuid,
    /// The addresses.
    #[schema(inline = false)]
    pub range: IpRange,
    /// Its place among the ranges of the pool, which are in order of their first addresses.
    #[serde(skip)]
    pub place: String,
}

impl Listed for IpPoolRange {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        &self.place
    }
}

/// How many IPv4 addresses of a pool are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ipv4Utilization {
    /// Those in use.
    pub allocated: u32,
    /// All of them; the greatest number there is stands for one more, too.
    pub capacity: u32,
}

/// How many IPv6 addresses of a pool are in use. Numbers of 128 bits do not survive JSON: these are texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ipv6Utilization {
    /// Those in use.
    #[schema(value_type = String, format = "uint128")]
    pub allocated: AddressCount,
    /// All of them.
    #[schema(value_type = String, format = "uint128")]
    pub capacity: AddressCount,
}

/// A number of addresses, 0 to 2^128: all of IPv6 is one more than a number of 128 bits can say. On the wire it is a text
/// of decimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressCount {
    is_all_of_ipv6: bool,
    /// Zero if it is all of IPv6.
    count: u128,
}

impl AddressCount {
    /// All of IPv6, in digits.
    const ALL_OF_IPV6: &str = "340282366920938463463374607431768211456";

    /// How many numbers there are from one to another, both included; none if the last comes before the first.
    pub fn between(first: u128, last: u128) -> Self {
        match last.checked_sub(first) {
            Some(distance) => Self::from(distance).and(1.into()),
            None => Self::default(),
        }
    }

    /// Both together. There are no more addresses than all of IPv6.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let all = Self { is_all_of_ipv6: true, count: 0 };
        match self.count.checked_add(other.count) {
            Some(count) if !self.is_all_of_ipv6 && !other.is_all_of_ipv6 => count.into(),
            _ => all,
        }
    }

    /// The number, unless it is that of all of IPv6.
    pub fn to_u128(self) -> Option<u128> {
        (!self.is_all_of_ipv6).then_some(self.count)
    }
}

impl From<u128> for AddressCount {
    fn from(count: u128) -> Self {
        Self { is_all_of_ipv6: false, count }
    }
}

impl fmt::Display for AddressCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_u128() {
            Some(count) => count.fmt(f),
            None => f.write_str(Self::ALL_OF_IPV6),
        }
    }
}

impl Serialize for AddressCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AddressCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        if digits == Self::ALL_OF_IPV6 {
            return Ok(Self { is_all_of_ipv6: true, count: 0 });
        }
        digits.parse::<u128>().map(Self::from).map_err(D::Error::custom)
    }
}

/// How many addresses of a pool are in use. An address that several instances share counts once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IpPoolUtilization {
    /// IPv4 addresses.
    pub ipv4: Ipv4Utilization,
    /// IPv6 addresses.
    pub ipv6: Ipv6Utilization,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_is_none_is_refused_in_words() {
        let read = |first: &str, last: &str| {
            serde_json::from_value::<IpRange>(serde_json::json!({ "first": first, "last": last }))
        };
        for (first, last) in [("192.0.2.9", "192.0.2.1"), ("2001:db8::2", "2001:db8::1")] {
            assert_eq!(read(first, last).unwrap_err().to_string(), BACKWARDS);
        }
        assert_eq!(read("192.0.2.1", "2001:db8::1").unwrap_err().to_string(), TWO_FAMILIES);
        assert!(read("192.0.2.1", "x").unwrap_err().to_string().contains("IP address"));
        for (first, last) in [("192.0.2.1", "192.0.2.9"), ("2001:db8::1", "2001:db8::1")] {
            let range = read(first, last).unwrap();
            let written = serde_json::json!({ "first": first, "last": last });
            assert_eq!(serde_json::to_value(range).unwrap(), written);
        }
    }
}
