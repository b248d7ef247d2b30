//! Second factors of users who sign in with a password that is kept here. All of it is beside the contract.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{page::Listed, scalar::Label};

/// Kinds of second factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecondFactorKind {
    /// Codes of six digits that an app shows, another one every 30 seconds.
    Totp,
    /// A key in a device, a browser or a password manager.
    Passkey,
}

/// One of the caller's second factors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SecondFactor {
    /// The factor's id.
    pub id: Uuid,
    /// Its name. Names need not be unique.
    pub name: String,
    /// What it is.
    pub kind: SecondFactorKind,
    /// When it was set up.
    pub time_created: Timestamp,
    /// When it last completed a sign-in; null before the first.
    pub time_last_used: Option<Timestamp>,
}

impl Listed for SecondFactor {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// The path of one second factor.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SecondFactorPath {
    /// Id of the second factor.
    pub factor_id: Uuid,
}

/// The parameters of an update of one of the caller's second factors.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SecondFactorUpdate {
    /// The new name: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
}

/// What an authenticator app needs to generate codes.
#[derive(Clone, Serialize, ToSchema)]
pub struct TotpSetUp {
    /// The secret, in base 32, for typing it into the app.
    pub secret: String,
    /// The secret as an `otpauth` URI, for a QR code.
    pub uri: String,
    /// To be sent back with the first code, within ten minutes. Valid for this session only.
    pub set_up: String,
}

impl fmt::Debug for TotpSetUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSetUp(..)")
    }
}

/// An authenticator app that has been set up.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct TotpCreate {
    /// The new name: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
    /// The `set_up` value of the first step.
    pub set_up: String,
    /// The current code of the app.
    pub code: ShownCode,
}

/// What a browser needs to create a passkey.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PasskeySetUp {
    /// Options for `PublicKeyCredential.parseCreationOptionsFromJSON`.
    #[schema(value_type = Object)]
    pub options: Value,
    /// To be sent back with the passkey, within ten minutes. Valid for this session only.
    pub set_up: String,
}

/// A passkey created by a browser.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PasskeyCreate {
    /// The new name: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
    /// The `set_up` value of the first step.
    pub set_up: String,
    /// The browser's response, as returned by `PublicKeyCredential.toJSON`.
    #[schema(value_type = Object)]
    pub credential: Value,
}

/// A second factor that was set up.
#[derive(Clone, Serialize, ToSchema)]
pub struct SecondFactorCreated {
    /// The factor.
    pub factor: SecondFactor,
    /// The user's recovery codes, which are shown only in this response; null if the user has some already.
    pub recovery_codes: Option<Vec<String>>,
}

impl fmt::Debug for SecondFactorCreated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecondFactorCreated").field("factor", &self.factor).finish_non_exhaustive()
    }
}

/// The number of unused recovery codes of the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCodesLeft {
    /// The number of unused codes.
    pub left: usize,
    /// When they were created; null if there are none because there is no second factor.
    pub time_created: Option<Timestamp>,
}

/// New recovery codes, which are shown only in this response.
#[derive(Clone, Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// The codes. Each can be used once instead of a second factor.
    pub recovery_codes: Vec<String>,
}

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCodes(..)")
    }
}

/// The second factors with which the caller can complete signing in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerifyOptions {
    /// Whether the caller has an authenticator app.
    pub totp: bool,
    /// How many recovery codes are left.
    pub recovery_codes_left: usize,
    /// What a browser needs to use a passkey; null if there is none that can be used at this address.
    pub passkey: Option<PasskeyRequest>,
}

/// What a browser needs to use a passkey.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PasskeyRequest {
    /// Options for `PublicKeyCredential.parseRequestOptionsFromJSON`.
    #[schema(value_type = Object)]
    pub options: Value,
    /// To be sent back with the browser's response, within ten minutes. Valid once, and for this session only.
    pub state: String,
}

/// A second factor that is presented.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Verification {
    /// The current code of an authenticator app.
    Totp {
        /// Six digits.
        code: ShownCode,
    },
    /// A recovery code that has not been used.
    RecoveryCode {
        /// The code; case and dashes are ignored.
        code: ShownCode,
    },
    /// The response of a passkey.
    Passkey {
        /// The `state` value of the first step.
        state: String,
        /// The browser's response, as returned by `PublicKeyCredential.toJSON`.
        #[schema(value_type = Object)]
        credential: Value,
    },
}

/// A code entered by a user. It is never logged.
#[derive(Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(value_type = String)]
pub struct ShownCode(String);

impl ShownCode {
    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ShownCode {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for ShownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShownCode(..)")
    }
}
