use croft_api::{
    ResourceKind,
    affinity::{
        self as api, AffinityGroupCreate, AffinityGroupMember, AffinityGroupUpdate, AntiAffinityGroupCreate,
        AntiAffinityGroupMember, AntiAffinityGroupUpdate, MemberInstance,
    },
    identity::IdentityUpdate,
    page::Listed,
};
use croft_store::{
    Meta,
    records::{Affinity, AntiAffinity, Group, GroupKind, Project},
};

use crate::{Operation, affinity::operation};

/// The operations on the groups of one kind.
pub struct Operations {
    /// List the groups of a project.
    pub list: Operation,
    /// Create a group.
    pub create: Operation,
    /// View a group.
    pub view: Operation,
    /// Change a group.
    pub update: Operation,
    /// Delete a group.
    pub delete: Operation,
    /// List the members of a group.
    pub member_list: Operation,
    /// View a member of a group.
    pub member_view: Operation,
    /// Add an instance to a group.
    pub member_add: Operation,
    /// Remove an instance from a group.
    pub member_delete: Operation,
    /// List the groups of an instance.
    pub of_instance: Operation,
}

/// The differences between the two kinds of groups. All other code is shared.
pub trait Kind: GroupKind {
    /// The view of a group.
    type View: Listed;
    /// The parameters of a new group.
    type Create;
    /// The parameters of an update.
    type Update;
    /// The view of a member.
    type Member: Listed;

    /// The kind of a group in messages.
    const GROUP: ResourceKind;
    /// The kind of a member in messages.
    const MEMBER: ResourceKind;
    /// Its position in the order in which resources block the deletion of a project.
    const BLOCKS_PROJECT: u8;
    /// The word for the kind within a sentence.
    const WORD: &'static str;
    /// The word for the kind where a sentence begins.
    const FIRST_WORD: &'static str;
    /// The name of a group's parameter.
    const SELECTOR: &'static str;
    /// The path of one group, up to its name or id.
    const PATH: &'static str;
    /// The operations.
    const OPERATIONS: Operations;

    /// Shows a group.
    fn view(group: &Group<Self>) -> Self::View;
    /// Shows a member.
    fn member(instance: MemberInstance) -> Self::Member;
    /// The requested group.
    fn group(meta: Meta, project: &Project, params: &Self::Create) -> Group<Self>;
    /// The requested name and description.
    fn identity(params: &Self::Update) -> &IdentityUpdate;
}

macro_rules! kind {
    (
        $kind:ident, $group:ident, $create:ident, $update:ident, $member:ident,
        $blocks_project:literal, $word:literal, $first_word:literal, $selector:literal, $path:literal,
        $operations:expr
    ) => {
        impl Kind for $kind {
            type View = api::$group;
            type Create = $create;
            type Update = $update;
            type Member = $member;

            const GROUP: ResourceKind = ResourceKind::$group;
            const MEMBER: ResourceKind = ResourceKind::$member;
            const BLOCKS_PROJECT: u8 = $blocks_project;
            const WORD: &'static str = $word;
            const FIRST_WORD: &'static str = $first_word;
            const SELECTOR: &'static str = $selector;
            const PATH: &'static str = $path;
            const OPERATIONS: Operations = $operations;

            fn view(group: &Group<Self>) -> Self::View {
                api::$group {
                    id: group.meta.id,
                    name: group.name.clone(),
                    description: group.description.clone(),
                    time_created: group.meta.time_created,
                    time_modified: group.meta.time_modified,
                    project_id: group.project_id,
                    policy: group.policy.into(),
                    failure_domain: group.failure_domain.into(),
                }
            }

            fn member(instance: MemberInstance) -> Self::Member {
                $member::Instance(instance)
            }

            fn group(meta: Meta, project: &Project, params: &Self::Create) -> Group<Self> {
                Group {
                    meta,
                    silo_id: project.silo_id,
                    project_id: project.meta.id,
                    name: params.identity.name.clone(),
                    description: params.identity.description.clone(),
                    policy: params.policy.into(),
                    failure_domain: params.failure_domain.into(),
                    kind: std::marker::PhantomData,
                }
            }

            fn identity(params: &Self::Update) -> &IdentityUpdate {
                &params.identity
            }
        }
    };
}

kind!(
    Affinity,
    AffinityGroup,
    AffinityGroupCreate,
    AffinityGroupUpdate,
    AffinityGroupMember,
    8,
    "affinity",
    "Affinity",
    "affinity_group",
    "/v1/affinity-groups/",
    Operations {
        list: operation::AFFINITY_GROUP_LIST,
        create: operation::AFFINITY_GROUP_CREATE,
        view: operation::AFFINITY_GROUP_VIEW,
        update: operation::AFFINITY_GROUP_UPDATE,
        delete: operation::AFFINITY_GROUP_DELETE,
        member_list: operation::AFFINITY_GROUP_MEMBER_LIST,
        member_view: operation::AFFINITY_GROUP_MEMBER_INSTANCE_VIEW,
        member_add: operation::AFFINITY_GROUP_MEMBER_INSTANCE_ADD,
        member_delete: operation::AFFINITY_GROUP_MEMBER_INSTANCE_DELETE,
        of_instance: operation::INSTANCE_AFFINITY_GROUP_LIST,
    }
);

kind!(
    AntiAffinity,
    AntiAffinityGroup,
    AntiAffinityGroupCreate,
    AntiAffinityGroupUpdate,
    AntiAffinityGroupMember,
    9,
    "anti-affinity",
    "Anti-affinity",
    "anti_affinity_group",
    "/v1/anti-affinity-groups/",
    Operations {
        list: operation::ANTI_AFFINITY_GROUP_LIST,
        create: operation::ANTI_AFFINITY_GROUP_CREATE,
        view: operation::ANTI_AFFINITY_GROUP_VIEW,
        update: operation::ANTI_AFFINITY_GROUP_UPDATE,
        delete: operation::ANTI_AFFINITY_GROUP_DELETE,
        member_list: operation::ANTI_AFFINITY_GROUP_MEMBER_LIST,
        member_view: operation::ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_VIEW,
        member_add: operation::ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_ADD,
        member_delete: operation::ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_DELETE,
        of_instance: operation::INSTANCE_ANTI_AFFINITY_GROUP_LIST,
    }
);
