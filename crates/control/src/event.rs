//! Decides which changes of the change log a caller may see: those of objects that the caller can read.
//!
//! Each kind of record declares a [`ReadScope`]. It determines the scopes that [`authz::permits`] is asked about. An
//! [`AccessCache`] keeps the answers until somebody's roles change.

use std::{collections::HashMap, sync::LazyLock};

use croft_api::{
    Result,
    event::{Event, EventAction},
};
use croft_store::{
    Action, Change, Key, ListBy, Record as _, Scope,
    records::{
        AuditSubject, IpPool, IpPoolSiloLink, RoleAssignment, RoleIdentity, SiloGroupMembership, SshKey,
    },
    search::SearchEntry,
};
use uuid::Uuid;

pub use crate::resource::ReadRequirement;
use crate::{
    Caller, Cx, ReadScope,
    authz::{self, Permission, ResourceScope},
    paging,
    resource::{Entry, RESOURCES},
};

crate::authz::operations! {
    extensions {
        EVENTS = open_reads(Kind::SILO_USER, 200);
    }
}

/// Maximum number of scopes in an [`AccessCache`].
const MOST_KNOWN: usize = 10_000;

/// The kinds of records whose changes are announced, by table name.
static READ_SCOPES: LazyLock<HashMap<&str, ReadScope>> = LazyLock::new(|| {
    let told = |entry: &Entry| Some((entry.table.name, entry.declaration.read_scope?));
    RESOURCES.iter().filter_map(told).collect()
});

/// The announced kind with this table name.
pub fn kind(name: &str) -> Option<&'static str> {
    READ_SCOPES.get_key_value(name).map(|(name, _)| *name)
}

/// What must be readable to see a change; `None` for kinds of records that are not announced.
pub fn needs(change: &Change) -> Option<ReadRequirement> {
    let scope = Scope { silo: change.silo, project: change.project };
    needs_of(&change.kind, scope, change.id, change.parent)
}

/// What must be readable to see a record; `None` for kinds of records that are not announced.
pub(crate) fn needs_of(kind: &str, scope: Scope, id: Uuid, parent: Uuid) -> Option<ReadRequirement> {
    Some(READ_SCOPES.get(kind)?.needs(scope, id, parent))
}

/// A change as sent to clients.
pub fn to_view(change: &Change) -> Event {
    Event {
        kind: change.kind.clone(),
        id: change.id,
        parent: Some(change.parent).filter(|parent| !parent.is_nil()),
        silo: change.silo,
        project: change.project,
        action: match change.action {
            Action::Created => EventAction::Created,
            Action::Updated => EventAction::Changed,
            Action::Deleted | Action::Removed => EventAction::Deleted,
        },
        generation: change.generation,
        time: change.time,
    }
}

/// A set of users.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Audience {
    /// These users.
    Users(Vec<Uuid>),
    /// The users of a silo.
    Silo(Uuid),
    /// All users.
    Everybody,
}

impl Audience {
    fn contains(&self, user: Uuid, silo: Uuid) -> bool {
        match self {
            Self::Users(users) => users.contains(&user),
            Self::Silo(other) => *other == silo,
            Self::Everybody => true,
        }
    }
}

/// The users whose rights a change may affect.
///
/// For a role of a group, these are its members when the change is read. Users who joined or left in between are
/// covered by the change of their membership. Until that change is processed nobody may be shown what they cannot read
/// any more, so everybody's rights are checked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessInvalidation {
    invalidated: Audience,
    told: Audience,
}

impl AccessInvalidation {
    fn all(circle: Audience) -> Self {
        Self { invalidated: circle.clone(), told: circle }
    }

    /// Whether the cached rights of a user are invalid.
    pub fn invalidates(&self, user: Uuid, silo: Uuid) -> bool {
        self.invalidated.contains(user, silo)
    }

    /// Whether the user may now read more or less than before.
    pub fn concerns(&self, user: Uuid, silo: Uuid) -> bool {
        self.told.contains(user, silo)
    }
}

/// Whether a change may affect anybody's rights.
pub fn may_invalidate_access(change: &Change) -> bool {
    matches!(change.kind.as_str(), "role_assignment" | "silo_group_membership" | "silo")
}

/// The users whose rights a change may affect. Deleted roles and memberships can still be read for this, until they are
/// erased.
pub fn access_invalidation(cx: &mut Cx<'_, '_>, change: &Change) -> Result<Option<AccessInvalidation>> {
    let whole = || change.silo.map_or(Audience::Everybody, Audience::Silo);
    Ok(Some(match change.kind.as_str() {
        "role_assignment" => {
            let assignment: Option<RoleAssignment> = cx.tx.get_any(change.id)?;
            match assignment.map(|assignment| assignment.identity) {
                Some(RoleIdentity::User(user) | RoleIdentity::BuiltIn(user)) => {
                    AccessInvalidation::all(Audience::Users(vec![user]))
                }
                Some(RoleIdentity::Group(group)) => {
                    let members: Vec<SiloGroupMembership> = paging::all(cx.tx, &ListBy::Parent(group))?;
                    let members = members.iter().map(|membership| membership.user_id).collect();
                    AccessInvalidation { invalidated: whole(), told: Audience::Users(members) }
                }
                None => AccessInvalidation::all(whole()),
            }
        }
        "silo_group_membership" => {
            let membership: Option<SiloGroupMembership> = cx.tx.get_any(change.id)?;
            AccessInvalidation::all(
                membership.map_or_else(whole, |membership| Audience::Users(vec![membership.user_id])),
            )
        }
        "silo" => AccessInvalidation::all(whole()),
        _ => return Ok(None),
    }))
}

/// The user whose sessions or tokens a change may have ended.
pub fn ended_credentials_of(change: &Change) -> Option<Uuid> {
    match change.kind.as_str() {
        "console_session" | "access_token" if change.action != Action::Created => Some(change.parent),
        "silo_user" if change.action != Action::Created => Some(change.id),
        _ => None,
    }
}

/// Cached access of one user.
#[derive(Debug)]
pub struct AccessCache {
    caller: Caller,
    known: HashMap<ResourceScope, bool>,
}

impl AccessCache {
    /// Creates an empty cache.
    pub fn new(user: Uuid, silo: Uuid) -> Self {
        Self { caller: Caller::assumed(user, silo), known: HashMap::new() }
    }

    /// The user.
    pub fn user(&self) -> Uuid {
        self.caller.user_id
    }

    /// The user's silo.
    pub fn silo(&self) -> Uuid {
        self.caller.silo_id
    }

    /// Whether the user can see it; `None` if the cache cannot decide it.
    pub fn knows(&self, needs: ReadRequirement) -> Option<bool> {
        needs.answer(|place| self.known.get(place).copied())
    }

    /// Determines whether the user can see it.
    pub fn can_read(&mut self, cx: &mut Cx<'_, '_>, needs: ReadRequirement) -> Result<bool> {
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        for place in needs.places() {
            if !self.known.contains_key(&place) {
                let permitted = authz::permits(cx, &self.caller, &place, Permission::Read)?;
                self.known.insert(place, permitted);
            }
        }
        Ok(self.knows(needs).unwrap_or(false))
    }

    /// Whether the user could view a record that the search has found, or whose labels are asked for.
    pub(crate) fn can_view(&mut self, cx: &mut Cx<'_, '_>, entry: &SearchEntry) -> Result<bool> {
        self.can_view_at(cx, &entry.kind, entry.id, entry.scope, entry.parent)
    }

    /// Whether the user could view what the audit log names, if it were still there.
    pub(crate) fn can_view_subject(&mut self, cx: &mut Cx<'_, '_>, subject: &AuditSubject) -> Result<bool> {
        let scope = Scope { silo: subject.silo_id, project: subject.project_id };
        self.can_view_at(cx, &subject.kind, subject.id, scope, subject.parent)
    }

    fn can_view_at(
        &mut self,
        cx: &mut Cx<'_, '_>,
        kind: &str,
        id: Uuid,
        scope: Scope,
        parent: Uuid,
    ) -> Result<bool> {
        // Keys are viewed by their owner only, though others are told of their changes.
        if kind == SshKey::TABLE.name {
            return Ok(parent == self.user());
        }
        let Some(needs) = needs_of(kind, scope, id, parent) else {
            return Ok(false);
        };
        if self.can_read(cx, needs)? {
            return Ok(true);
        }
        // Pools are viewed by the users of silos that may draw from them, too.
        let link = Key::combined([id.into(), self.silo().into()]);
        Ok(kind == IpPool::TABLE.name
            && cx.tx.exists::<IpPoolSiloLink>(ListBy::lookup(IpPoolSiloLink::PAIR, link))?)
    }

    /// Clears the cache, because the user's roles may have changed.
    pub fn forget(&mut self) {
        *self = Self::new(self.user(), self.silo());
    }
}
