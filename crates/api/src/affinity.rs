//! Affinity and anti-affinity groups: instances that are to share a sled, or not to.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    instance::InstanceState,
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// What becomes of an instance that cannot be placed as its group wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AffinityPolicy {
    /// It is placed nevertheless.
    Allow,
    /// It is not started.
    Fail,
}

/// What the members of a group share, or do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureDomain {
    /// A sled.
    Sled,
}

/// An instance as a member of a group.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AffinityGroupMemberInstance)]
pub struct MemberInstance {
    /// The instance's id.
    pub id: Uuid,
    /// The instance's name.
    pub name: Name,
    /// What the instance is doing.
    pub run_state: InstanceState,
}

macro_rules! groups {
    (
        $(#[$group_doc:meta])* $group:ident,
        $(#[$create_doc:meta])* $create:ident,
        $(#[$update_doc:meta])* $update:ident,
        $(#[$member_doc:meta])* $member:ident
    ) => {
        $(#[$group_doc])*
        #[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
        pub struct $group {
            /// The ID, which never changes.
            pub id: Uuid,
            /// The name, unique among the groups of its kind in the project.
            pub name: Name,
            /// Free text.
            pub description: Description,
            /// When it was created.
            pub time_created: Timestamp,
            /// When its name or description last changed.
            pub time_modified: Timestamp,
            /// The project it belongs to.
            pub project_id: Uuid,
            /// What becomes of a member that cannot be placed as the group wants.
            pub policy: AffinityPolicy,
            /// What the members share, or do not.
            pub failure_domain: FailureDomain,
        }

        impl Listed for $group {
            fn id(&self) -> Uuid {
                self.id
            }

            fn name(&self) -> &str {
                self.name.as_str()
            }
        }

        $(#[$create_doc])*
        #[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
        pub struct $create {
            /// Name and description.
            #[serde(flatten)]
            pub identity: IdentityCreate,
            /// What becomes of a member that cannot be placed as the group wants; fixed.
            pub policy: AffinityPolicy,
            /// What the members share, or do not; fixed.
            pub failure_domain: FailureDomain,
        }

        $(#[$update_doc])*
        #[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
        pub struct $update {
            /// Name and description.
            #[serde(flatten)]
            pub identity: IdentityUpdate,
        }

        $(#[$member_doc])*
        #[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
        #[serde(tag = "type", content = "value", rename_all = "snake_case")]
        pub enum $member {
            /// An instance.
            Instance(#[schema(inline)] MemberInstance),
        }

        impl Listed for $member {
            fn id(&self) -> Uuid {
                let Self::Instance(instance) = self;
                instance.id
            }

            fn name(&self) -> &str {
                let Self::Instance(instance) = self;
                instance.name.as_str()
            }
        }
    };
}

groups!(
    /// Instances that are to run on the same sled.
    AffinityGroup,
    /// An affinity group to be created.
    AffinityGroupCreate,
    /// A change to an affinity group.
    AffinityGroupUpdate,
    /// A member of an affinity group.
    AffinityGroupMember
);

groups!(
    /// Instances that are to run on different sleds.
    AntiAffinityGroup,
    /// An anti-affinity group to be created.
    AntiAffinityGroupCreate,
    /// A change to an anti-affinity group.
    AntiAffinityGroupUpdate,
    /// A member of an anti-affinity group.
    AntiAffinityGroupMember
);

/// The path of one affinity group.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AffinityGroupPath {
    /// Name or id of the affinity group.
    pub affinity_group: NameOrId,
}

/// The path of one member of an affinity group.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AffinityGroupMemberPath {
    /// Name or id of the affinity group.
    pub affinity_group: NameOrId,
    /// Name or id of the instance.
    pub instance: NameOrId,
}

/// The path of one anti-affinity group.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AntiAffinityGroupPath {
    /// Name or id of the anti-affinity group.
    pub anti_affinity_group: NameOrId,
}

/// The path of one member of an anti-affinity group.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AntiAffinityGroupMemberPath {
    /// Name or id of the anti-affinity group.
    pub anti_affinity_group: NameOrId,
    /// Name or id of the instance.
    pub instance: NameOrId,
}
