use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// A role, on whichever scope it is assigned. The greater includes the lesser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reading.
    Viewer,
    /// Everything but the scope itself and its policy.
    Collaborator,
    /// Everything, policy included.
    Admin,
}

/// What a role is assigned on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleScope {
    /// The fleet.
    Fleet,
    /// A silo.
    Silo(Uuid),
    /// A project.
    Project(Uuid),
}

impl RoleScope {
    /// The scope's id: what its assignments are listed under.
    pub fn id(self) -> Uuid {
        match self {
            Self::Fleet => super::FLEET,
            Self::Silo(id) | Self::Project(id) => id,
        }
    }
}

/// Who a role is assigned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleIdentity {
    /// A user.
    User(Uuid),
    /// A group, and through it each of its members.
    Group(Uuid),
    /// One of the system's own users, which no policy shows and no policy can set.
    BuiltIn(Uuid),
}

impl RoleIdentity {
    /// The id of the user or group.
    pub fn id(self) -> Uuid {
        match self {
            Self::User(id) | Self::Group(id) | Self::BuiltIn(id) => id,
        }
    }
}

/// One identity's role on one scope. The identity need not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleAssignment {
    /// Bookkeeping.
    pub meta: Meta,
    /// On what.
    pub scope: RoleScope,
    /// The silo of the scope; `None` for the fleet.
    pub silo_id: Option<Uuid>,
    /// Whose.
    pub identity: RoleIdentity,
    /// Which role.
    pub role: Role,
}

impl RoleAssignment {
    /// The key of [`RoleAssignment::HOLDER`].
    pub fn holder(identity: RoleIdentity, scope: RoleScope) -> Key {
        let kind = match identity {
            RoleIdentity::User(_) => 0_i64,
            RoleIdentity::Group(_) => 1,
            RoleIdentity::BuiltIn(_) => 2,
        };
        Key::combined([kind.into(), identity.id().into(), scope.id().into()])
    }
}

record! {
    RoleAssignment as assignment {
        table: Table::new("role_assignment").by_parent(&[Order::Id]);
        parent: assignment.scope.id();
        scope: Scope {
            silo: assignment.silo_id,
            project: match assignment.scope {
                RoleScope::Project(id) => Some(id),
                RoleScope::Fleet | RoleScope::Silo(_) => None,
            },
        };
        lookups: {
            /// The roles of one identity on one scope.
            HOLDER: Lookup::new("holder", KeyKind::Bytes) =
                RoleAssignment::holder(assignment.identity, assignment.scope);
            /// The roles of one identity on whatever scope, by its id.
            IDENTITY: Lookup::new("identity_id", KeyKind::Id) = assignment.identity.id();
        }
    }
}
