//! Support bundles (`docs/rules/identity-and-system.md#support-bundles`).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::page::Listed;

/// What became of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SupportBundleState {
    /// It is being collected, or is about to be.
    Collecting,
    /// It is being deleted.
    Destroying,
    /// It could not be collected, or was lost. It can only be deleted.
    Failed,
    /// It can be downloaded.
    Active,
}

/// A support bundle: what somebody needs to see who looks for the cause of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SupportBundleInfo {
    /// The ID, which never changes.
    pub id: Uuid,
    /// When it was asked for.
    pub time_created: Timestamp,
    /// Why it was made.
    pub reason_for_creation: String,
    /// Why it could not be.
    pub reason_for_failure: Option<String>,
    /// What its users say about it.
    pub user_comment: Option<String>,
    /// The verdict.
    pub state: SupportBundleState,
}

impl Listed for SupportBundleInfo {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }

    fn time(&self) -> Timestamp {
        self.time_created
    }
}

/// A bundle to be collected.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct SupportBundleCreate {
    /// What its users say about it; at most 4096 bytes.
    #[serde(default)]
    pub user_comment: Option<String>,
}

/// What of a bundle can be changed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct SupportBundleUpdate {
    /// What its users say about it, at most 4096 bytes; null and absent clear it.
    #[serde(default)]
    pub user_comment: Option<String>,
}

/// The path of one bundle.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SupportBundlePath {
    /// The bundle.
    pub bundle_id: Uuid,
}

/// The path of one file in a bundle.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SupportBundleFilePath {
    /// The bundle.
    pub bundle_id: Uuid,
    /// The file, as the bundle's index names it. Slashes may stand in it as they are.
    pub file: String,
}
