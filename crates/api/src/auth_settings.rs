//! What a silo decides about its users' tokens, and about how they sign in.

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What the caller's silo decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiloAuthSettings {
    /// The silo.
    pub silo_id: Uuid,
    /// The longest life of a token made by a device, in seconds; null means that there is no limit.
    pub device_token_max_ttl_seconds: Option<u32>,
}

/// A change of it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SiloAuthSettingsUpdate {
    /// The longest life of a token made by a device, in seconds; null removes the limit. Tokens that exist keep
    /// their expiry.
    // A deserializer of its own makes serde insist on the key.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<u32>, required = true, minimum = 1)]
    pub device_token_max_ttl_seconds: Option<NonZeroU32>,
}

/// The sign-in settings of the caller's silo, and the parameters of their update. An extension of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignInSettings {
    /// Whether users with a local password must have a second factor. Users without one must set one up at the next
    /// sign-in; existing sessions continue.
    pub require_second_factor: bool,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
    Option::deserialize(deserializer)
}
