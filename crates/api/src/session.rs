//! Signing in, and who one is.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    page::Listed,
    scalar::{Name, Password, UserId},
};

/// Name and password of a local user.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct UsernamePasswordCredentials {
    /// The user's name.
    pub username: UserId,
    /// The user's password.
    pub password: Password,
}

/// The silo to sign in to.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct LoginPath {
    /// Name of the silo.
    pub silo_name: Name,
}

/// The caller.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CurrentUser {
    /// The user's id.
    pub id: Uuid,
    /// The name shown to people.
    pub display_name: String,
    /// The silo the user belongs to.
    pub silo_id: Uuid,
    /// That silo's name.
    pub silo_name: Name,
}

/// A group of users.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Group {
    /// The group's id.
    pub id: Uuid,
    /// The name shown to people.
    pub display_name: String,
    /// The silo the group belongs to.
    pub silo_id: Uuid,
}

impl Listed for Group {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        &self.display_name
    }
}
