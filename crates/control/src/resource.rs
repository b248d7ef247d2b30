//! Declarations of each kind of record, and the list of all kinds.
//!
//! A declaration is beside the rules of its resource. [`RESOURCES`] is generated from the store's list of records, so
//! that a record without a declaration does not compile. The recipients of changes ([`event`](crate::event)), the roles
//! that count for an object ([`LookupResult`](crate::LookupResult)), and what blocks a project or is deleted with a
//! silo all follow from the declarations.

use croft_api::{Error, ResourceKind, Result, deletion::DeletionEffect};
use croft_store::{
    ListBy, Record, Scope, Table, Tx, for_each_record,
    records::{self, Project, Vpc},
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Operation,
    authz::{Kind, ResourceScope},
    dependents::{Dependent, Dependents},
    paging,
};

/// A record with a declaration.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no declaration",
    note = "a record is declared beside its rules: `impl Resource for {Self} {{ const DECLARATION: Declaration = … }}`"
)]
pub trait Resource: Record {
    /// The declaration of this kind.
    const DECLARATION: Declaration;

    /// The record's id, if it is an instance: the audit log records operations on instances by id.
    fn as_instance(&self) -> Option<Uuid> {
        None
    }
}

/// The declaration of one kind of record.
#[derive(Clone, Copy)]
pub struct Declaration {
    /// The kind in messages; `None` if no message names it.
    pub message: Option<ResourceKind>,
    /// Who may read it and is told of its changes; `None` if nobody is told.
    pub read_scope: Option<ReadScope>,
    /// What happens to it when its silo is deleted.
    pub silo_deletion: SiloDeletion,
    /// How it prevents the deletion of its project; `None` if it does not.
    pub project_blocker: Option<ProjectBlocker>,
    /// Creates the default objects of a new project.
    pub created_with_project: Option<WithParent<Project>>,
    /// Removes the objects of a project that is deleted.
    pub deleted_with_project: Option<WithParent<Project>>,
    /// Creates the default objects of a new VPC. The lowest number is created first.
    pub created_with_vpc: Option<(u8, WithParent<Vpc>)>,
    /// Removes the objects of a VPC that is deleted.
    pub deleted_with_vpc: Option<WithParent<Vpc>>,
    /// How one is deleted, and what its deletion means for others; `None` if nothing hangs on it.
    pub(crate) deletable: Option<DeletableKind>,
}

/// Functions that create and remove objects together with their parent.
pub type WithParent<P> = fn(&mut Cx<'_, '_>, &P) -> Result<()>;

impl Declaration {
    /// Declares a resource with these readers.
    pub const fn new(read_scope: ReadScope, silo_deletion: SiloDeletion) -> Self {
        Self { read_scope: Some(read_scope), ..Self::internal(silo_deletion) }
    }

    /// Declares a resource inside a project, or the project itself.
    pub const fn in_project(kind: Kind) -> Self {
        Self::new(ReadScope::Project(kind), SiloDeletion::InProject)
    }

    /// Declares a resource of the fleet.
    pub const fn in_fleet(kind: Kind) -> Self {
        Self::new(ReadScope::Fleet(kind), SiloDeletion::Stays)
    }

    /// Declares a record whose changes are not announced: counters, queues, sessions.
    pub const fn internal(silo_deletion: SiloDeletion) -> Self {
        Self {
            message: None,
            read_scope: None,
            silo_deletion,
            project_blocker: None,
            created_with_project: None,
            deleted_with_project: None,
            created_with_vpc: None,
            deleted_with_vpc: None,
            deletable: None,
        }
    }

    /// Sets the kind in messages.
    #[must_use]
    pub const fn message(mut self, kind: ResourceKind) -> Self {
        self.message = Some(kind);
        self
    }

    /// Prevents the deletion of a project while it has one of these. If several kinds do, the refusal names the one
    /// with the lowest number.
    #[must_use]
    pub const fn blocks_project(self, order: u8) -> Self {
        let Some(kind) = self.message else { panic!("the refusal names the kind: call message() first") };
        self.blocks_project_as(kind, order)
    }

    /// Like [`Declaration::blocks_project`], with another name in the refusal.
    #[must_use]
    pub const fn blocks_project_as(mut self, kind: ResourceKind, order: u8) -> Self {
        self.project_blocker = Some(ProjectBlocker { kind, order });
        self
    }

    /// Sets what creates the default objects of a new project.
    #[must_use]
    pub const fn created_with_project(mut self, create: WithParent<Project>) -> Self {
        self.created_with_project = Some(create);
        self
    }

    /// Sets what removes the objects of a project that is deleted.
    #[must_use]
    pub const fn deleted_with_project(mut self, delete: WithParent<Project>) -> Self {
        self.deleted_with_project = Some(delete);
        self
    }

    /// Sets what creates the default objects of a new VPC. The lowest number is created first.
    #[must_use]
    pub const fn created_with_vpc(mut self, order: u8, create: WithParent<Vpc>) -> Self {
        self.created_with_vpc = Some((order, create));
        self
    }

    /// Says that its deletion is described: `Self::DELETABLE`.
    #[must_use]
    pub(crate) const fn deletable(mut self, kind: DeletableKind) -> Self {
        self.deletable = Some(kind);
        self
    }

    /// Sets what removes the objects of a VPC that is deleted.
    #[must_use]
    pub const fn deleted_with_vpc(mut self, delete: WithParent<Vpc>) -> Self {
        self.deleted_with_vpc = Some(delete);
        self
    }
}

/// The rule that decides who may read records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadScope {
    /// Holders of roles on the fleet.
    Fleet(Kind),
    /// Holders of roles on its silo.
    Silo(Kind),
    /// Holders of roles on its project.
    Project(Kind),
    /// Holders of roles on its silo, and the user itself.
    User(Kind),
    /// Holders of roles on its silo, and the user that it belongs to.
    OfUser(Kind),
    /// An image belongs to a project or a silo.
    Image,
    /// A role assignment is part of the policy of its scope.
    Policy,
    /// A probe requires a role on the fleet and access to its project.
    Probe,
    /// A link of a pool can be read by readers of the pool, and by readers of the silo's pools.
    PoolLink,
}

/// The scopes that must be readable for a record to be readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadRequirement {
    /// This one.
    One(ResourceScope),
    /// All of them.
    Both(ResourceScope, ResourceScope),
    /// Any of them.
    Either(ResourceScope, ResourceScope),
}

impl ReadRequirement {
    /// The decision, given what is known about the scopes; `None` if that is not enough.
    pub(crate) fn answer(self, mut permitted: impl FnMut(&ResourceScope) -> Option<bool>) -> Option<bool> {
        match self {
            Self::One(place) => permitted(&place),
            Self::Both(one, other) => Some(permitted(&one)? & permitted(&other)?),
            Self::Either(one, other) => Some(permitted(&one)? | permitted(&other)?),
        }
    }

    /// The scopes, the record's own first.
    pub(crate) fn places(self) -> impl Iterator<Item = ResourceScope> {
        let (one, other) = match self {
            Self::One(place) => (place, None),
            Self::Both(one, other) | Self::Either(one, other) => (one, Some(other)),
        };
        std::iter::once(one).chain(other)
    }

    /// The record's own scope.
    pub(crate) const fn own(self) -> ResourceScope {
        match self {
            Self::One(place) | Self::Both(place, _) | Self::Either(place, _) => place,
        }
    }
}

impl ReadScope {
    /// The scopes that must be readable for the record with this scope, id and parent to be readable.
    pub fn needs(self, scope: Scope, id: Uuid, parent: Uuid) -> ReadRequirement {
        let within = |kind, owner| ResourceScope { kind, silo: scope.silo, project: scope.project, owner };
        match self {
            Self::Fleet(kind) => ReadRequirement::One(ResourceScope::fleet(kind)),
            Self::Silo(kind) | Self::Project(kind) => ReadRequirement::One(within(kind, None)),
            Self::User(kind) => ReadRequirement::One(within(kind, Some(id))),
            Self::OfUser(kind) => ReadRequirement::One(within(kind, Some(parent))),
            Self::Image if scope.project.is_some() => ReadRequirement::One(within(Kind::IMAGE, None)),
            Self::Image => ReadRequirement::One(within(Kind::SILO_IMAGE, None)),
            Self::Policy if scope.project.is_some() => ReadRequirement::One(within(Kind::PROJECT, None)),
            Self::Policy if scope.silo.is_some() => ReadRequirement::One(within(Kind::SILO, None)),
            Self::Policy => ReadRequirement::One(ResourceScope::fleet(Kind::FLEET)),
            Self::Probe => {
                ReadRequirement::Both(ResourceScope::fleet(Kind::PROBE), within(Kind::PROJECT, None))
            }
            Self::PoolLink => ReadRequirement::Either(
                ResourceScope::fleet(Kind::IP_POOL),
                within(Kind::LINKED_IP_POOL, None),
            ),
        }
    }
}

/// What happens to the rows of a table when their silo is deleted.
#[derive(Clone, Copy)]
pub enum SiloDeletion {
    /// They are removed by this function.
    Goes(fn(&mut Cx<'_, '_>, &SiloOwners) -> Result<()>),
    /// None exist: they are in projects, and a silo with projects is not deleted.
    InProject,
    /// They remain: they belong to the fleet, or are history.
    Stays,
}

/// A silo that is being deleted, with its users and groups.
pub struct SiloOwners {
    /// The silo.
    pub silo: Uuid,
    /// Its users.
    pub users: Vec<Uuid>,
    /// Its groups.
    pub groups: Vec<Uuid>,
}

/// How a kind of record prevents the deletion of its project.
#[derive(Clone, Copy)]
pub struct ProjectBlocker {
    /// The name in the refusal.
    pub kind: ResourceKind,
    /// If several kinds prevent it, the refusal names the one with the lowest number.
    pub order: u8,
}

/// A kind of resource whose deletion is described.
#[derive(Clone, Copy)]
pub(crate) struct DeletableKind {
    /// Its table.
    pub(crate) table: &'static Table,
    /// The operation that deletes one.
    pub(crate) operation: Operation,
    /// The path of the operation, up to the id.
    pub(crate) path: &'static str,
    /// Finds one that the caller may read.
    pub(crate) find: fn(&mut Cx<'_, '_>, &Caller, Uuid) -> Result<Subject>,
    /// Finds one, whoever may read it; `None` if there is none.
    pub(crate) get: fn(&mut Cx<'_, '_>, &Caller, Uuid) -> Result<Option<Subject>>,
    /// Runs the rule.
    pub(crate) delete: fn(&mut Cx<'_, '_>, &Caller, Uuid) -> Result<()>,
}

/// A resource that is to be deleted.
pub(crate) struct Subject {
    /// The resource.
    pub(crate) record: Dependent,
    /// Why the caller may not delete it, or it cannot be deleted in its state.
    pub(crate) refusal: Option<Error>,
    /// What prevents its deletion.
    pub(crate) blockers: Vec<Dependents>,
    /// What its deletion deletes and changes.
    pub(crate) effects: Vec<Dependents>,
    /// What its deletion leaves behind. Only for the resource that was asked about.
    pub(crate) kept: Vec<Dependents>,
}

/// One kind of record in the list.
pub(crate) struct Entry {
    /// Its table.
    pub(crate) table: &'static Table,
    /// Its declaration.
    pub(crate) declaration: Declaration,
    /// Whether its records are searched.
    pub(crate) is_searched: bool,
    /// Counts the live rows of a silo. Scans the whole table.
    pub(crate) count_of_silo: fn(&mut Tx<'_>, Uuid) -> Result<usize>,
    /// Its records under a parent.
    pub(crate) dependents: fn(DeletionEffect, ListBy) -> Dependents,
}

impl Entry {
    const fn of<R: Resource>() -> Self {
        Self {
            table: R::TABLE,
            declaration: R::DECLARATION,
            is_searched: R::SEARCHED,
            count_of_silo: count_of_silo::<R>,
            dependents: Dependents::list::<R>,
        }
    }
}

macro_rules! entries {
    ($($record:ident)*) => { &[$(Entry::of::<records::$record>()),*] };
}

/// Every kind of record, in the order in which their tables are created.
pub(crate) static RESOURCES: &[Entry] = for_each_record!(entries);

/// Every kind whose deletion is described, with its table.
pub(crate) fn deletable_kinds() -> impl Iterator<Item = &'static DeletableKind> {
    RESOURCES.iter().filter_map(|entry| entry.declaration.deletable.as_ref())
}

/// A kind of resource that is found by an id alone.
#[derive(Clone, Copy)]
pub(crate) struct AddressedKind {
    /// The name of its table.
    pub(crate) name: &'static str,
    /// The kind in messages.
    pub(crate) message: ResourceKind,
    /// Who may read it.
    pub(crate) read_scope: ReadScope,
}

/// Every kind that is found by an id alone: those that are searched and looked up.
pub(crate) fn addressed_kinds() -> impl Iterator<Item = AddressedKind> {
    RESOURCES.iter().filter(|entry| entry.is_searched).filter_map(|entry| {
        Some(AddressedKind {
            name: entry.table.name,
            message: entry.declaration.message?,
            read_scope: entry.declaration.read_scope?,
        })
    })
}

fn declarations() -> impl Iterator<Item = Declaration> {
    RESOURCES.iter().map(|entry| entry.declaration)
}

/// Creates the default objects of a new project.
pub(crate) fn create_with_project(cx: &mut Cx<'_, '_>, project: &Project) -> Result<()> {
    declarations().filter_map(|kind| kind.created_with_project).try_for_each(|create| create(cx, project))
}

/// Removes the objects of a project that is deleted.
pub(crate) fn delete_with_project(cx: &mut Cx<'_, '_>, project: &Project) -> Result<()> {
    declarations().filter_map(|kind| kind.deleted_with_project).try_for_each(|delete| delete(cx, project))
}

/// Creates the default objects of a new VPC.
pub(crate) fn create_with_vpc(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    let mut created: Vec<_> = declarations().filter_map(|kind| kind.created_with_vpc).collect();
    created.sort_by_key(|(order, _)| *order);
    created.into_iter().try_for_each(|(_, create)| create(cx, vpc))
}

/// Removes the objects of a VPC that is deleted.
pub(crate) fn delete_with_vpc(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    declarations().filter_map(|kind| kind.deleted_with_vpc).try_for_each(|delete| delete(cx, vpc))
}

fn count_of_silo<R: Record>(tx: &mut Tx<'_>, silo: Uuid) -> Result<usize> {
    let records: Vec<R> = paging::all(tx, &ListBy::All)?;
    Ok(records.iter().filter(|record| record.scope().silo == Some(silo)).count())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn only_logged_tables_declare_readers() {
        for Entry { table, declaration, .. } in RESOURCES {
            let is_told = table.logged || table.announced;
            assert_eq!(declaration.read_scope.is_some(), is_told, "readers of {}", table.name);
        }
    }

    #[test]
    fn project_blockers_have_distinct_numbers() {
        let blockers: Vec<_> = RESOURCES
            .iter()
            .filter_map(|entry| entry.declaration.project_blocker.map(|blocker| (entry.table, blocker)))
            .collect();
        let last = blockers.iter().map(|(_, blocker)| blocker.order).max().unwrap_or_default();
        let mut tables = BTreeMap::new();
        for (table, ProjectBlocker { order, .. }) in &blockers {
            if let Some(other) = tables.insert(order, table.name) {
                panic!(
                    "{other} and {} both say blocks_project({order}); the next free number is {}",
                    table.name,
                    last + 1
                );
            }
        }
        for (table, _) in blockers {
            assert!(table.named, "{} has no names to put into the refusal", table.name);
        }
    }

    #[test]
    fn default_objects_of_a_vpc_have_one_order() {
        let orders: Vec<_> =
            declarations().filter_map(|kind| kind.created_with_vpc).map(|(order, _)| order).collect();
        let distinct: BTreeSet<_> = orders.iter().collect();
        assert_eq!(distinct.len(), orders.len(), "two kinds have the same number");
    }
}
