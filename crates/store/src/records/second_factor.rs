use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// Something that a user shows beside the password. Removed with its user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactor {
    /// Bookkeeping.
    pub meta: Meta,
    /// Whose it is.
    pub user_id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// What the user calls it. Names need not differ.
    pub name: String,
    /// What it is checked against.
    pub proof: FactorProof,
    /// When it last completed a sign-in; none before the first.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_last_used: Option<Timestamp>,
}

/// What a [`SecondFactor`] is checked against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FactorProof {
    /// Codes by the time, which an app shows (RFC 6238).
    Totp {
        /// The secret that the app has, sealed with the server's key.
        sealed_secret: String,
        /// The number of the last time step whose code was accepted: neither it nor those before are accepted again.
        last_step: u64,
    },
    /// A key pair of which an authenticator has the private part (WebAuthn).
    Passkey {
        /// What the authenticator calls the key pair.
        #[serde(with = "hex::serde")]
        credential_id: Vec<u8>,
        /// The host name for which it was made, and where alone it can be used.
        rp_id: String,
        /// Public key, counter and what else signatures are checked against, as whoever checks them writes it.
        credential: String,
    },
}

impl SecondFactor {
    /// What the authenticator calls its key pair; `None` for anything but a passkey.
    pub fn credential_id(&self) -> Option<&[u8]> {
        match &self.proof {
            FactorProof::Totp { .. } => None,
            FactorProof::Passkey { credential_id, .. } => Some(credential_id),
        }
    }
}

record! {
    SecondFactor as factor {
        table: Table::new("second_factor").by_parent(&[Order::Id]).unlogged().since(4);
        parent: factor.user_id;
        scope: Scope::silo(factor.silo_id);
        lookups: {
            /// The factor of a passkey, whoever's it is.
            CREDENTIAL: Lookup::unique("credential_id", KeyKind::Bytes).since(4) = factor.credential_id();
        }
    }
}

/// What a user with second factors has beside them; the id is the user's. Removed with the last factor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactorReserve {
    /// Bookkeeping; the id is the user's.
    pub meta: Meta,
    /// The user's silo.
    pub silo_id: Uuid,
    /// Hashes of the recovery codes that are left, each with the server's key. The codes are kept nowhere.
    pub recovery_codes: Vec<String>,
    /// When the recovery codes were made.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_recovery_codes: Timestamp,
    /// Wrong codes of apps that were shown since the last right one.
    pub wrong_codes: u32,
    /// When the last of them was shown.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_wrong_code: Option<Timestamp>,
}

record! {
    SecondFactorReserve as reserve {
        table: Table::new("second_factor_reserve").by_parent(&[Order::Id]).unlogged().since(4);
        parent: reserve.meta.id;
        scope: Scope::silo(reserve.silo_id);
    }
}
