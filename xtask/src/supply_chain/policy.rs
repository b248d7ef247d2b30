//! What packages may be used: `supply-chain/policy.toml`.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Deserialize;

/// The whole policy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    pub licences: Licences,
    #[serde(default)]
    pub banned: Vec<Ban>,
    #[serde(default)]
    pub accepted: Vec<Acceptance>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Licences {
    /// SPDX identifiers that are fine anywhere.
    pub allowed: Vec<String>,
    /// Further ones that are fine for what only builds or tests.
    #[serde(default)]
    pub allowed_unshipped: Vec<String>,
    /// By package: the licence of those whose metadata does not state it as an SPDX expression.
    #[serde(default)]
    pub stated: BTreeMap<String, String>,
}

/// A package that must not be used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    pub package: String,
    /// Whether builds and tests may use it all the same.
    #[serde(default)]
    pub shipped_only: bool,
    pub reason: String,
}

/// An advisory that applies and is lived with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    pub advisory: String,
    /// The last day on which it is accepted.
    pub until: Date,
    pub reason: String,
}
