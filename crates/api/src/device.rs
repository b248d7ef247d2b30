//! Device authorization (RFC 8628): how a program without a browser gets a token.

use std::num::NonZeroU32;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The beginning: a client asks for a pair of codes.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct DeviceAuthRequest {
    /// What the client calls itself. Clients are not registered: any id will do.
    pub client_id: Uuid,
    /// How long the token is to be valid, in seconds; absent leaves it to the silo.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 1)]
    pub ttl_seconds: Option<NonZeroU32>,
}

/// The pair of codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceAuthResponse {
    /// The secret with which the client asks for the token.
    pub device_code: String,
    /// What the person types: eight letters, printed with a dash after the third.
    pub user_code: String,
    /// Where the person types it.
    pub verification_uri: String,
    /// How long both codes are good for, in seconds.
    pub expires_in: u16,
}

/// The person's consent.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct DeviceAuthVerify {
    /// The code that the device shows. Case, dashes and spaces do not matter.
    pub user_code: String,
}

/// The client's question whether somebody has consented.
#[derive(Clone, Deserialize, ToSchema)]
pub struct DeviceAccessTokenRequest {
    /// Must be `urn:ietf:params:oauth:grant-type:device_code`.
    pub grant_type: String,
    /// The secret that the client was given.
    pub device_code: String,
    /// What the client called itself when it was given the secret.
    pub client_id: Uuid,
}

/// The token.
#[derive(Clone, Serialize, Deserialize)]
pub struct DeviceAccessTokenGrant {
    /// The text to be sent as `Authorization: Bearer`.
    pub access_token: String,
    /// The token's id in lists.
    pub token_id: Uuid,
    /// How the token is to be sent.
    pub token_type: TokenType,
    /// When it expires; null means never.
    pub time_expires: Option<Timestamp>,
}

/// How a token is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenType {
    /// As `Authorization: Bearer`.
    Bearer,
}

/// Why a client gets no token (yet), in the words of RFC 8628 and RFC 6749.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceRefusal {
    /// Nobody has confirmed so far.
    AuthorizationPending,
    /// The codes were not used in time.
    ExpiredToken,
    /// The token is gone, or was not fetched in time.
    AccessDenied,
    /// The grant asked for is not one of a device.
    UnsupportedGrantType,
    /// The request makes no sense; the description says why.
    InvalidRequest,
}

/// The body of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceError {
    /// Why.
    pub error: DeviceRefusal,
    /// Why, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_description: Option<String>,
}
