//! Bytes as WebAuthn encodes them in JSON: base64url without padding.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    encode(bytes).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    BASE64_URL_SAFE_NO_PAD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Optional bytes.
pub(crate) mod optional {
    use super::{BASE64_URL_SAFE_NO_PAD, Deserializer};
    use base64::Engine as _;
    use serde::{Deserialize as _, de::Error as _};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| BASE64_URL_SAFE_NO_PAD.decode(text).map_err(D::Error::custom)).transpose()
    }
}
