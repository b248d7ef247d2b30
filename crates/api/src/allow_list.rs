//! Who may reach the services that people use, and whether those answer pings (`docs/rules/networking.md#allow-list`
//! and `docs/rules/networking.md#inbound-icmp`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ArrayBuilder, ObjectBuilder, OneOfBuilder, RefOr,
        schema::{Schema, Type},
    },
};

use crate::scalar::IpNet;

/// Addresses that connections may come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "allow", rename_all = "snake_case")]
pub enum AllowedSourceIps {
    /// Any.
    #[default]
    Any,
    /// Those in any of these networks, of which there is at least one.
    List {
        /// The networks, in the order in which they were given.
        ips: SourceList,
    },
}

impl AllowedSourceIps {
    /// Whether connections may come from an address.
    pub fn allow(&self, address: IpAddr) -> bool {
        match self {
            Self::Any => true,
            Self::List { ips } => ips.as_slice().iter().any(|net| net.to_canonical().contains(address)),
        }
    }

    /// The same for what may come from an unknown address, which no list has.
    pub fn allow_from(&self, source: Option<IpAddr>) -> bool {
        source.map_or(*self == Self::Any, |address| self.allow(address))
    }
}

/// Networks, at least one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<IpNet>", into = "Vec<IpNet>")]
pub struct SourceList(Vec<IpNet>);

impl SourceList {
    /// The networks.
    pub fn as_slice(&self) -> &[IpNet] {
        &self.0
    }
}

impl TryFrom<Vec<IpNet>> for SourceList {
    type Error = &'static str;

    fn try_from(nets: Vec<IpNet>) -> Result<Self, Self::Error> {
        if nets.is_empty() { Err("IP allowlist must not be empty") } else { Ok(Self(nets)) }
    }
}

impl From<SourceList> for Vec<IpNet> {
    fn from(list: SourceList) -> Self {
        list.0
    }
}

impl PartialSchema for AllowedSourceIps {
    fn schema() -> RefOr<Schema> {
        let allow = |value: &str| ObjectBuilder::new().schema_type(Type::String).enum_values(Some([value]));
        let any =
            ObjectBuilder::new().description(Some("Any.")).property("allow", allow("any")).required("allow");
        let nets = ArrayBuilder::new()
            .items(RefOr::Ref(utoipa::openapi::Ref::from_schema_name(IpNet::name())))
            .description(Some("The networks, at least one, in the order in which they were given."));
        let list = ObjectBuilder::new()
            .description(Some("Those in any of these networks."))
            .property("allow", allow("list"))
            .required("allow")
            .property("ips", nets)
            .required("ips");
        OneOfBuilder::new()
            .description(Some("Addresses that connections may come from."))
            .item(any)
            .item(list)
            .into()
    }
}

impl ToSchema for AllowedSourceIps {
    fn name() -> std::borrow::Cow<'static, str> {
        "AllowedSourceIps".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((IpNet::name().into(), IpNet::schema()));
    }
}

/// Who may reach the services that people use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AllowList {
    /// When the cloud was set up.
    pub time_created: Timestamp,
    /// When the list was last replaced.
    pub time_modified: Timestamp,
    /// Addresses that connections may come from.
    #[schema(inline = false)]
    pub allowed_ips: AllowedSourceIps,
}

/// A list to take the place of the one there is.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AllowListUpdate {
    /// Addresses that connections may come from.
    #[schema(inline = false)]
    pub allowed_ips: AllowedSourceIps,
}

/// Whether the services that people use answer ICMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ServiceIcmpConfig {
    /// Whether ICMP from outside is let in.
    pub enabled: bool,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(value: serde_json::Value) -> Result<AllowedSourceIps, String> {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn a_list_is_kept_as_it_was_given() {
        let list = json!({"allow": "list", "ips": ["10.0.0.1/8", "fd00::/8", "10.0.0.1/8"]});
        assert_eq!(serde_json::to_value(parse(list.clone()).unwrap()).unwrap(), list);
        let any = json!({"allow": "any"});
        assert_eq!(serde_json::to_value(parse(any.clone()).unwrap()).unwrap(), any);
        assert_eq!(parse(json!({"allow": "list", "ips": []})).unwrap_err(), "IP allowlist must not be empty");
        assert!(parse(json!({"allow": "list"})).unwrap_err().contains("missing field `ips`"));
    }

    #[test]
    fn an_address_is_allowed_by_a_network_of_its_own_family() {
        let list = parse(json!({"allow": "list", "ips": ["10.0.0.1/8", "fd00::1/64"]})).unwrap();
        for (address, allowed) in [
            ("10.255.0.1", true),
            ("11.0.0.1", false),
            ("fd00::ffff", true),
            ("fd00:0:0:1::1", false),
            ("::ffff:10.0.0.1", false),
        ] {
            assert_eq!(list.allow(address.parse().unwrap()), allowed, "{address}");
            assert!(AllowedSourceIps::Any.allow(address.parse().unwrap()));
        }
        assert!(!list.allow_from(None) && AllowedSourceIps::Any.allow_from(None));
    }

    #[test]
    fn ipv4_may_be_written_as_ipv6() {
        let list = json!({"allow": "list", "ips": ["::ffff:10.0.0.1/104", "::ffff:192.0.2.7/128", "::/64"]});
        let parsed = parse(list.clone()).unwrap();
        assert_eq!(serde_json::to_value(&parsed).unwrap(), list, "unchanged");
        for (address, allowed) in [
            ("10.9.9.9", true),
            ("11.0.0.1", false),
            ("192.0.2.7", true),
            ("192.0.2.8", false),
            ("::9", true),
        ] {
            assert_eq!(parsed.allow(address.parse().unwrap()), allowed, "{address}");
        }
    }
}
