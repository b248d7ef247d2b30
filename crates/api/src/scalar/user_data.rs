use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

/// Most bytes that a guest may be given, decoded.
const MAX_LENGTH: usize = 32 * 1024;

/// Bytes handed to the guest at boot (cloud-init user data), base64 on the wire, less than 32 KiB decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, format = Byte)]
pub struct UserData(pub Vec<u8>);

impl Serialize for UserData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for UserData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Base64Visitor).map(Self)
    }
}

struct Base64Visitor;

impl de::Visitor<'_> for Base64Visitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a valid base64 string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let bytes = STANDARD
            .decode(text)
            .map_err(|_| E::invalid_value(de::Unexpected::Other("invalid base64 string"), &self))?;
        if bytes.len() > MAX_LENGTH {
            return Err(E::invalid_length(bytes.len(), &"less than 32 KiB"));
        }
        Ok(bytes)
    }
}
