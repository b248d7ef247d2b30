//! Values with rules of their own: parsed once at the edge, correct ever after.
//!
//! Every scalar prints as it was parsed (`parse(print(x)) == x`), and its error text is the wire's text.

mod alert_subscription;
mod cpu_count;
mod description;
mod hostname;
mod icmp_param_range;
mod ip_net;
mod label;
mod mac_addr;
mod name;
mod name_or_id;
mod number_range;
mod password;
mod port;
mod relative_uri;
mod size;
mod switch_location;
mod user_data;
mod vni;

pub use alert_subscription::AlertSubscription;
pub use cpu_count::InstanceCpuCount;
pub use description::{Description, TooLong};
pub use hostname::Hostname;
pub use icmp_param_range::IcmpParamRange;
pub use ip_net::{IpNet, Ipv4Net, Ipv6Net};
pub use label::Label;
pub use mac_addr::MacAddr;
pub use name::{Name, UserId};
pub use name_or_id::NameOrId;
pub use password::Password;
pub use port::{L4Port, L4PortRange};
pub use relative_uri::RelativeUri;
pub use size::{BlockSize, ByteCount};
pub use switch_location::SwitchLocation;
pub use user_data::UserData;
pub use vni::Vni;

/// Why a text is not a value of the scalar asked for. The message is shown to the caller as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScalarError(pub String);

impl ScalarError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// Serde and `TryFrom` for a scalar whose wire form is the text that `FromStr` reads and `Display` prints.
macro_rules! text_scalar {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl TryFrom<String> for $type {
            type Error = $crate::scalar::ScalarError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    };
}
pub(crate) use text_scalar;

/// The schema of a text scalar whose Rust type is not a plain wrapper of a text.
macro_rules! text_schema {
    ($type:ident, $description:literal $(, pattern = $pattern:literal)? $(, length = $min:literal ..= $max:literal)?) => {
        impl utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some($description))
                    $(.pattern(Some($pattern)))?
                    $(.min_length(Some($min)).max_length(Some($max)))?
                    .into()
            }
        }

        impl utoipa::ToSchema for $type {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
        }
    };
}
pub(crate) use text_schema;

/// The schema of a text that is one of two things, told apart by their form.
macro_rules! either_schema {
    ($type:ident = $first:expr, $second:expr; $description:literal) => {
        impl utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::schema::OneOfBuilder::new()
                    .description(Some($description))
                    .item($first)
                    .item($second)
                    .into()
            }
        }

        impl utoipa::ToSchema for $type {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
        }
    };
}
pub(crate) use either_schema;

#[cfg(test)]
mod tests;
