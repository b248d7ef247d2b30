//! SSH keys of users.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// A public key with which its user gets into instances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SshKey {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique among the user's keys.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was added.
    pub time_created: Timestamp,
    /// The same: keys do not change.
    pub time_modified: Timestamp,
    /// Whose key it is.
    pub silo_user_id: Uuid,
    /// The key as it was given.
    pub public_key: String,
}

impl Listed for SshKey {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A key to be added.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SshKeyCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The key, such as a line of `~/.ssh/id_ed25519.pub`; at most 1023 characters, not looked at.
    pub public_key: String,
}

/// The path of one key.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SshKeyPath {
    /// Name or id of the key.
    pub ssh_key: NameOrId,
}
