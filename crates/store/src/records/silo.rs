use std::collections::{BTreeMap, BTreeSet};

use croft_api::{
    policy::{FleetRole, SiloRole},
    scalar::{Description, Name},
};
use serde::{Deserialize, Serialize};

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record};

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
        lookups: {
            /// The silos that lists show.
            DISCOVERABLE: Lookup::new("discoverable", KeyKind::Int).orders(&[Order::Name, Order::Id]) =
                silo.discoverable;
        }
    }
}
