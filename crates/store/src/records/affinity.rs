use std::marker::PhantomData;

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Record, Scope, Table, search::Searched};

/// What becomes of an instance that cannot be placed as its group wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AffinityPolicy {
    /// It is placed nevertheless.
    Allow,
    /// It is not started.
    Fail,
}

/// What the members of a group share, or do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureDomain {
    /// A sled.
    Sled,
}

/// The kinds of groups of instances, which are kept apart: each has its own names and its own members.
pub trait GroupKind: Clone + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The table of the groups.
    const GROUPS: &'static Table;
    /// The table of their members.
    const MEMBERSHIPS: &'static Table;
}

/// The kind whose members are to share a sled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affinity {}

/// The kind whose members are not to share a sled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AntiAffinity {}

static GROUPS_OF_INSTANCE: Lookup = Lookup::new("instance_id", KeyKind::Id);
static PAIR: Lookup = Lookup::unique("pair", KeyKind::Bytes);
static LOOKUPS: [&Lookup; 2] = [&GROUPS_OF_INSTANCE, &PAIR];

const fn groups(name: &'static str) -> Table {
    Table::named(name).by_parent(&[Order::Name, Order::Id])
}

const fn memberships(name: &'static str) -> Table {
    Table::new(name).by_parent(&[Order::Id]).lookups(&LOOKUPS)
}

impl GroupKind for Affinity {
    const GROUPS: &'static Table = {
        static TABLE: Table = groups("affinity_group");
        &TABLE
    };
    const MEMBERSHIPS: &'static Table = {
        static TABLE: Table = memberships("affinity_group_membership");
        &TABLE
    };
}

impl GroupKind for AntiAffinity {
    const GROUPS: &'static Table = {
        static TABLE: Table = groups("anti_affinity_group");
        &TABLE
    };
    const MEMBERSHIPS: &'static Table = {
        static TABLE: Table = memberships("anti_affinity_group_membership");
        &TABLE
    };
}

/// A group of instances of one project that says how they are placed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Group<K: GroupKind> {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// Unique among the groups of its kind in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// What becomes of a member that cannot be placed as the group wants.
    pub policy: AffinityPolicy,
    /// What the members share, or do not.
    pub failure_domain: FailureDomain,
    /// The kind, of which nothing is stored: the table says it.
    #[serde(skip)]
    pub kind: PhantomData<K>,
}

/// One instance's place in one group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct GroupMembership<K: GroupKind> {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo of both.
    pub silo_id: Uuid,
    /// The project of both.
    pub project_id: Uuid,
    /// The group.
    pub group_id: Uuid,
    /// The instance.
    pub instance_id: Uuid,
    /// The kind of the group, of which nothing is stored: the table says it.
    #[serde(skip)]
    pub kind: PhantomData<K>,
}

/// Instances that are to share a sled.
pub type AffinityGroup = Group<Affinity>;
/// An instance's place in an affinity group.
pub type AffinityGroupMembership = GroupMembership<Affinity>;
/// Instances that are not to share a sled.
pub type AntiAffinityGroup = Group<AntiAffinity>;
/// An instance's place in an anti-affinity group.
pub type AntiAffinityGroupMembership = GroupMembership<AntiAffinity>;

impl<K: GroupKind> GroupMembership<K> {
    /// The groups of an instance.
    pub const INSTANCE: &'static Lookup = &GROUPS_OF_INSTANCE;
    /// An instance is in a group once.
    pub const PAIR: &'static Lookup = &PAIR;

    /// The value of [`PAIR`](Self::PAIR) for a group and an instance.
    pub fn pair(group_id: Uuid, instance_id: Uuid) -> Key {
        Key::combined([group_id.into(), instance_id.into()])
    }
}

impl<K: GroupKind> Record for Group<K> {
    const TABLE: &'static Table = K::GROUPS;

    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut Meta {
        &mut self.meta
    }

    fn parent(&self) -> Uuid {
        self.project_id
    }

    fn name(&self) -> Option<&str> {
        Some(self.name.as_str())
    }

    fn scope(&self) -> Scope {
        Scope::project(self.silo_id, self.project_id)
    }

    const SEARCHED: bool = true;

    fn searched(&self) -> Option<Searched> {
        Some(Searched::named(&self.name, &self.description))
    }
}

impl<K: GroupKind> Record for GroupMembership<K> {
    const TABLE: &'static Table = K::MEMBERSHIPS;

    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut Meta {
        &mut self.meta
    }

    fn parent(&self) -> Uuid {
        self.group_id
    }

    fn lookups(&self) -> Vec<Key> {
        vec![self.instance_id.into(), Self::pair(self.group_id, self.instance_id)]
    }

    fn scope(&self) -> Scope {
        Scope::project(self.silo_id, self.project_id)
    }
}
