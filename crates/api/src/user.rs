//! Users and groups of silos.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    page::Listed,
    scalar::{Password, UserId},
};

/// A user of a silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// The user's id.
    pub id: Uuid,
    /// The name shown to people.
    pub display_name: String,
    /// The silo the user belongs to.
    pub silo_id: Uuid,
}

impl Listed for User {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        &self.display_name
    }
}

/// A local user to be created.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct UserCreate {
    /// What the user signs in with, unique in the silo.
    #[schema(inline = false)]
    pub external_id: UserId,
    /// The user's password, if any.
    pub password: UserPassword,
}

/// The password that a local user is to have.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "mode", content = "value", rename_all = "snake_case")]
pub enum UserPassword {
    /// This one.
    Password(Password),
    /// None: the user cannot sign in with a password.
    LoginDisallowed,
}

/// The path of one user.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct UserPath {
    /// Id of the user.
    pub user_id: Uuid,
}

/// The path of one group.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GroupPath {
    /// Id of the group.
    pub group_id: Uuid,
}

/// Which users are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalGroupSelector {
    /// Only those who are in this group now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Uuid>,
}
