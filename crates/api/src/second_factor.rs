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
    /// What it is called. Names need not differ.
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

/// A change of one of the caller's second factors.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SecondFactorUpdate {
    /// What it is to be called: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
}

/// What an app needs to show codes from now on.
#[derive(Clone, Serialize, ToSchema)]
pub struct TotpSetUp {
    /// The secret, in base 32, for typing it into the app.
    pub secret: String,
    /// The same as an `otpauth` address, for a QR code.
    pub uri: String,
    /// What is sent back with the first code, within ten minutes. It is of use to this session alone.
    pub set_up: String,
}

impl fmt::Debug for TotpSetUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSetUp(..)")
    }
}

/// An app that shows the right codes.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct TotpCreate {
    /// What it is to be called: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
    /// What was answered when setting up was begun.
    pub set_up: String,
    /// The code that the app shows now.
    pub code: ShownCode,
}

/// What a browser needs to make a passkey.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PasskeySetUp {
    /// Options as `PublicKeyCredential.parseCreationOptionsFromJSON` takes them.
    #[schema(value_type = Object)]
    pub options: Value,
    /// What is sent back with the passkey, within ten minutes. It is of use to this session alone.
    pub set_up: String,
}

/// A passkey that a browser has made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PasskeyCreate {
    /// What it is to be called: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
    /// What was answered when setting up was begun.
    pub set_up: String,
    /// The browser's answer, as `PublicKeyCredential.toJSON` gives it.
    #[schema(value_type = Object)]
    pub credential: Value,
}

/// A second factor that was set up.
#[derive(Clone, Serialize, ToSchema)]
pub struct SecondFactorCreated {
    /// The factor.
    pub factor: SecondFactor,
    /// The user's recovery codes, shown this once; null if the user has some already.
    pub recovery_codes: Option<Vec<String>>,
}

impl fmt::Debug for SecondFactorCreated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecondFactorCreated").field("factor", &self.factor).finish_non_exhaustive()
    }
}

/// What is left of the caller's recovery codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCodesLeft {
    /// How many can still be used, each once.
    pub left: usize,
    /// When they were made; null if there are none because there is no second factor.
    pub time_created: Option<Timestamp>,
}

/// New recovery codes, shown this once.
#[derive(Clone, Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// The codes. Each can be used once in the place of a second factor.
    pub recovery_codes: Vec<String>,
}

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCodes(..)")
    }
}

/// What the caller can show to complete signing in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerifyOptions {
    /// Whether there is an app that shows codes.
    pub totp: bool,
    /// How many recovery codes are left.
    pub recovery_codes_left: usize,
    /// What a browser needs to use a passkey; null if there is none that can be used at this address.
    pub passkey: Option<PasskeyRequest>,
}

/// What a browser needs to use a passkey.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PasskeyRequest {
    /// Options as `PublicKeyCredential.parseRequestOptionsFromJSON` takes them.
    #[schema(value_type = Object)]
    pub options: Value,
    /// What is sent back with the browser's answer, within ten minutes. It is of use once, and to this session alone.
    pub state: String,
}

/// A second factor that is shown.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Verification {
    /// The code that an app shows now.
    Totp {
        /// Six digits.
        code: ShownCode,
    },
    /// A recovery code that has not been used.
    RecoveryCode {
        /// The code; case and dashes do not matter.
        code: ShownCode,
    },
    /// The answer of a passkey.
    Passkey {
        /// What was answered when this was begun.
        state: String,
        /// The browser's answer, as `PublicKeyCredential.toJSON` gives it.
        #[schema(value_type = Object)]
        credential: Value,
    },
}

/// A code as it was typed. It is never printed.
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
