//! Silos: tenants (`docs/rules/identity-and-system.md#silos`).

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    certificate::CertificateCreate,
    identity::IdentityCreate,
    page::Listed,
    policy::{FleetRole, SiloRole},
    quota::SiloQuotasCreate,
    scalar::{Description, Name, NameOrId},
};

/// A tenant: users, groups, projects and quotas apart from every other silo's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Silo {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// Whether lists of silos show it.
    pub discoverable: bool,
    /// How its users sign in.
    pub identity_mode: SiloIdentityMode,
    /// The fleet roles that go with roles on this silo.
    pub mapped_fleet_roles: BTreeMap<SiloRole, BTreeSet<FleetRole>>,
}

impl Listed for Silo {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// How the users of a silo sign in. Chosen for life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SiloIdentityMode {
    /// Through a SAML provider; users are made at their first sign-in.
    SamlJit,
    /// With a password kept here.
    LocalOnly,
}

/// A silo to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SiloCreate {
    /// Name and description. The name becomes part of the silo's host name.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// Whether lists of silos show it.
    pub discoverable: bool,
    /// How its users sign in.
    #[schema(inline = false)]
    pub identity_mode: SiloIdentityMode,
    /// A group to be created, whose members are the silo's administrators. With SAML it must be spelled as the
    /// provider spells it.
    #[serde(default)]
    pub admin_group_name: Option<String>,
    /// What the silo may use at most.
    pub quotas: SiloQuotasCreate,
    /// Certificates for the silo's host names.
    pub tls_certificates: Vec<CertificateCreate>,
    /// The fleet roles that go with roles on this silo. Other than none takes an administrator of the fleet.
    #[serde(default)]
    pub mapped_fleet_roles: BTreeMap<SiloRole, BTreeSet<FleetRole>>,
}

/// The path of one silo.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SiloPath {
    /// Name or id of the silo.
    pub silo: NameOrId,
}

/// The silo that something new is put in, or that is listed.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SiloSelector {
    /// Name or id of the silo.
    pub silo: NameOrId,
}

/// The silo within which a name in the path is meant. Required with a name, forbidden with an id.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalSiloSelector {
    /// Name or id of the silo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silo: Option<NameOrId>,
}
