use std::collections::{BTreeMap, BTreeSet};

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};

use super::Role;
use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// A role on a silo that fleet roles go with. The order is that of the names, in which they are stored; how much a role
/// allows is the order of [`Role`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SiloRole {
    /// Everything, policy included.
    Admin,
    /// Everything but the silo itself and its policy.
    Collaborator,
    /// Reading.
    Viewer,
}

impl From<SiloRole> for Role {
    fn from(role: SiloRole) -> Self {
        match role {
            SiloRole::Admin => Self::Admin,
            SiloRole::Collaborator => Self::Collaborator,
            SiloRole::Viewer => Self::Viewer,
        }
    }
}

/// A role on the fleet that goes with a role on a silo, in the order of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FleetRole {
    /// Everything, policy included.
    Admin,
    /// Everything but the fleet itself and its policy.
    Collaborator,
    /// Reading.
    Viewer,
}

impl From<FleetRole> for Role {
    fn from(role: FleetRole) -> Self {
        match role {
            FleetRole::Admin => Self::Admin,
            FleetRole::Collaborator => Self::Collaborator,
            FleetRole::Viewer => Self::Viewer,
        }
    }
}

/// How the users of a silo sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentityMode {
    /// With a password kept here.
    LocalOnly,
    /// Through a SAML provider; users are made at their first sign-in.
    SamlJit,
}

/// A tenant: users, groups, projects and quotas apart from every other silo's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silo {
    /// Bookkeeping.
    pub meta: Meta,
    /// Unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// Whether lists of silos show it.
    pub discoverable: bool,
    /// How its users sign in.
    pub identity_mode: IdentityMode,
    /// The fleet roles that go with roles on this silo.
    pub mapped_fleet_roles: BTreeMap<SiloRole, BTreeSet<FleetRole>>,
}

record! {
    Silo as silo {
        table: Table::named("silo").by_parent(&[Order::Name, Order::Id]).keep_deleted();
        name: Some(silo.name.as_str());
        scope: Scope::silo(silo.meta.id);
        search: Searched::named(&silo.name, &silo.description);
        lookups: {
            /// The silos that lists show.
            DISCOVERABLE: Lookup::new("discoverable", KeyKind::Int).orders(&[Order::Name, Order::Id]) =
                silo.discoverable;
        }
    }
}
