//! Which changes of the change log a caller is told of: those of what the caller could read.
//!
//! Each kind of record has a [`Stand`], from which the places follow on which the rights are asked for that
//! [`authz::permits`] knows. A [`Sight`] keeps what it was answered until somebody's roles change.

use std::collections::HashMap;

use croft_api::{
    Result,
    event::{Event, EventAction},
};
use croft_store::{
    Action, Change, ListBy,
    records::{RoleAssignment, RoleIdentity, SiloGroupMembership},
};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, Permission, Place},
    paging,
};

/// Places of which a [`Sight`] keeps what it knows.
const MOST_KNOWN: usize = 10_000;

/// What decides who may read records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// Roles on the fleet.
    Fleet(Kind),
    /// Roles on its silo.
    Silo(Kind),
    /// Roles on its project.
    Project(Kind),
    /// Roles on its silo, and being the user that it is.
    User(Kind),
    /// Roles on its silo, and being the user that it is part of.
    OfUser(Kind),
    /// An image is a project's or a silo's.
    Image,
    /// A role stands in the policy of what it is on.
    Policy,
    /// A probe is the fleet's people's who may also see its project.
    Probe,
    /// A link of a pool is for those who see the pool, and those who see the silo's pools.
    PoolLink,
}

/// The kinds of records that are announced, under the names of their tables.
const KINDS: &[(&str, Stand)] = &[
    ("access_token", Stand::OfUser(Kind::AccessToken)),
    ("address_lot", Stand::Fleet(Kind::SystemNetwork)),
    ("address_lot_block", Stand::Fleet(Kind::SystemNetwork)),
    ("address_reservation", Stand::Fleet(Kind::SystemNetwork)),
    ("affinity_group", Stand::Project(Kind::AffinityGroup)),
    ("affinity_group_membership", Stand::Project(Kind::AffinityGroup)),
    ("alert", Stand::Fleet(Kind::Alert)),
    ("alert_delivery", Stand::Fleet(Kind::AlertReceiver)),
    ("alert_receiver", Stand::Fleet(Kind::AlertReceiver)),
    ("allow_list", Stand::Fleet(Kind::SystemNetwork)),
    ("anti_affinity_group", Stand::Project(Kind::AffinityGroup)),
    ("anti_affinity_group_membership", Stand::Project(Kind::AffinityGroup)),
    ("auth_settings", Stand::Silo(Kind::AuthSettings)),
    ("bfd_session", Stand::Fleet(Kind::SystemNetwork)),
    ("bgp_announce_set", Stand::Fleet(Kind::SystemNetwork)),
    ("bgp_config", Stand::Fleet(Kind::SystemNetwork)),
    ("certificate", Stand::Silo(Kind::Certificate)),
    ("disk", Stand::Project(Kind::Disk)),
    ("floating_ip", Stand::Project(Kind::FloatingIp)),
    ("image", Stand::Image),
    ("inbound_icmp", Stand::Fleet(Kind::SystemNetwork)),
    ("instance", Stand::Project(Kind::Instance)),
    ("instance_activity", Stand::Project(Kind::Instance)),
    ("instance_address", Stand::Project(Kind::Instance)),
    ("internet_gateway", Stand::Project(Kind::Vpc)),
    ("internet_gateway_ip_address", Stand::Project(Kind::Vpc)),
    ("internet_gateway_ip_pool", Stand::Project(Kind::Vpc)),
    ("ip_pool", Stand::Fleet(Kind::IpPool)),
    ("ip_pool_range", Stand::Fleet(Kind::IpPool)),
    ("ip_pool_silo_link", Stand::PoolLink),
    ("loopback_address", Stand::Fleet(Kind::SystemNetwork)),
    ("network_interface", Stand::Project(Kind::Instance)),
    ("physical_disk", Stand::Fleet(Kind::Sled)),
    ("probe", Stand::Probe),
    ("project", Stand::Project(Kind::Project)),
    ("rack", Stand::Fleet(Kind::Sled)),
    ("receiver_subscription", Stand::Fleet(Kind::AlertReceiver)),
    ("role_assignment", Stand::Policy),
    ("router_route", Stand::Project(Kind::Vpc)),
    ("saml_identity_provider", Stand::Silo(Kind::IdentityProvider)),
    ("silo", Stand::Silo(Kind::Silo)),
    ("silo_group", Stand::Silo(Kind::SiloGroup)),
    ("silo_group_membership", Stand::Silo(Kind::SiloGroup)),
    ("silo_user", Stand::User(Kind::SiloUser)),
    ("sled", Stand::Fleet(Kind::Sled)),
    ("snapshot", Stand::Project(Kind::Snapshot)),
    ("snapshot_volume", Stand::Fleet(Kind::Sled)),
    ("ssh_key", Stand::OfUser(Kind::SshKey)),
    ("support_bundle", Stand::Fleet(Kind::SupportBundle)),
    ("switch", Stand::Fleet(Kind::Sled)),
    ("switch_port", Stand::Fleet(Kind::SystemNetwork)),
    ("switch_port_bgp_config", Stand::Fleet(Kind::SystemNetwork)),
    ("switch_port_settings", Stand::Fleet(Kind::SystemNetwork)),
    ("tuf_artifact", Stand::Fleet(Kind::SystemUpdate)),
    ("tuf_repository", Stand::Fleet(Kind::SystemUpdate)),
    ("tuf_trust_root", Stand::Fleet(Kind::SystemUpdate)),
    ("uninitialized_sled", Stand::Fleet(Kind::Sled)),
    ("user_builtin", Stand::Fleet(Kind::BuiltinUser)),
    ("vpc", Stand::Project(Kind::Vpc)),
    ("vpc_firewall", Stand::Project(Kind::Vpc)),
    ("vpc_router", Stand::Project(Kind::Vpc)),
    ("vpc_subnet", Stand::Project(Kind::Vpc)),
    ("wanted_release", Stand::Fleet(Kind::SystemUpdate)),
    ("webhook_secret", Stand::Fleet(Kind::AlertReceiver)),
];

/// What has to be readable for a change to be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// This.
    One(Place),
    /// Each of them.
    Both(Place, Place),
    /// One of them.
    Either(Place, Place),
}

impl Needs {
    fn answer(self, mut permitted: impl FnMut(&Place) -> Option<bool>) -> Option<bool> {
        match self {
            Self::One(place) => permitted(&place),
            Self::Both(one, other) => Some(permitted(&one)? & permitted(&other)?),
            Self::Either(one, other) => Some(permitted(&one)? | permitted(&other)?),
        }
    }

    fn places(self) -> impl Iterator<Item = Place> {
        let (one, other) = match self {
            Self::One(place) => (place, None),
            Self::Both(one, other) | Self::Either(one, other) => (one, Some(other)),
        };
        std::iter::once(one).chain(other)
    }
}

/// The kind of this name, if there is one that is announced.
pub fn kind(name: &str) -> Option<&'static str> {
    stand(name).map(|(name, _)| name)
}

fn stand(name: &str) -> Option<(&'static str, Stand)> {
    KINDS.binary_search_by(|(known, _)| (*known).cmp(name)).ok().map(|index| KINDS[index])
}

/// What has to be readable to be told of a change; nothing for kinds of records that are not announced.
pub fn needs(change: &Change) -> Option<Needs> {
    let (_, stand) = stand(&change.kind)?;
    let within = |kind, owner| Place { kind, silo: change.silo, project: change.project, owner };
    Some(match stand {
        Stand::Fleet(kind) => Needs::One(Place::fleet(kind)),
        Stand::Silo(kind) | Stand::Project(kind) => Needs::One(within(kind, None)),
        Stand::User(kind) => Needs::One(within(kind, Some(change.id))),
        Stand::OfUser(kind) => Needs::One(within(kind, Some(change.parent))),
        Stand::Image if change.project.is_some() => Needs::One(within(Kind::Image, None)),
        Stand::Image => Needs::One(within(Kind::SiloImage, None)),
        Stand::Policy if change.project.is_some() => Needs::One(within(Kind::Project, None)),
        Stand::Policy if change.silo.is_some() => Needs::One(within(Kind::Silo, None)),
        Stand::Policy => Needs::One(Place::fleet(Kind::Fleet)),
        Stand::Probe => Needs::Both(Place::fleet(Kind::Probe), within(Kind::Project, None)),
        Stand::PoolLink => Needs::Either(Place::fleet(Kind::IpPool), within(Kind::LinkedIpPool, None)),
    })
}

/// A change as it is told.
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

/// Some of the users.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Circle {
    /// These.
    Users(Vec<Uuid>),
    /// Those of a silo.
    Silo(Uuid),
    /// All.
    Everybody,
}

impl Circle {
    fn holds(&self, user: Uuid, silo: Uuid) -> bool {
        match self {
            Self::Users(users) => users.contains(&user),
            Self::Silo(other) => *other == silo,
            Self::Everybody => true,
        }
    }
}

/// Whose rights a change may have changed.
///
/// Of a role of a group that is for its members. Who is told is found out when the change is read, and those who have joined or
/// left since are told by the change that this is; but between the two nobody may be shown what they may not read any more,
/// so everybody's rights are asked for again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaken {
    doubted: Circle,
    told: Circle,
}

impl Shaken {
    fn all(circle: Circle) -> Self {
        Self { doubted: circle.clone(), told: circle }
    }

    /// Whether what is known of a user's rights does not count any more.
    pub fn doubts(&self, user: Uuid, silo: Uuid) -> bool {
        self.doubted.holds(user, silo)
    }

    /// Whether what a user has been shown may be more, or less, than what the user may read now.
    pub fn concerns(&self, user: Uuid, silo: Uuid) -> bool {
        self.told.holds(user, silo)
    }
}

/// Whether a change may have changed anybody's rights.
pub fn may_shake(change: &Change) -> bool {
    matches!(change.kind.as_str(), "role_assignment" | "silo_group_membership" | "silo")
}

/// Whose rights a change may have changed. Roles and places in groups that are gone still say whose they were, until they are
/// erased for good.
pub fn shaken(cx: &mut Cx<'_, '_>, change: &Change) -> Result<Option<Shaken>> {
    let whole = || change.silo.map_or(Circle::Everybody, Circle::Silo);
    Ok(Some(match change.kind.as_str() {
        "role_assignment" => {
            let assignment: Option<RoleAssignment> = cx.tx.get_any(change.id)?;
            match assignment.map(|assignment| assignment.identity) {
                Some(RoleIdentity::User(user) | RoleIdentity::BuiltIn(user)) => {
                    Shaken::all(Circle::Users(vec![user]))
                }
                Some(RoleIdentity::Group(group)) => {
                    let members: Vec<SiloGroupMembership> = paging::all(cx.tx, &ListBy::Parent(group))?;
                    let members = members.iter().map(|membership| membership.user_id).collect();
                    Shaken { doubted: whole(), told: Circle::Users(members) }
                }
                None => Shaken::all(whole()),
            }
        }
        "silo_group_membership" => {
            let membership: Option<SiloGroupMembership> = cx.tx.get_any(change.id)?;
            Shaken::all(membership.map_or_else(whole, |membership| Circle::Users(vec![membership.user_id])))
        }
        "silo" => Shaken::all(whole()),
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

/// What one user can see, as far as it was asked.
#[derive(Debug)]
pub struct Sight {
    caller: Caller,
    known: HashMap<Place, bool>,
}

impl Sight {
    /// What a user can see, of which nothing is known yet.
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

    /// Whether the user can see it; none if that is not known yet.
    pub fn knows(&self, needs: Needs) -> Option<bool> {
        needs.answer(|place| self.known.get(place).copied())
    }

    /// Finds out whether the user can see it.
    pub fn look(&mut self, cx: &mut Cx<'_, '_>, needs: Needs) -> Result<bool> {
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

    /// Forgets all, since the user's roles may have changed.
    pub fn forget(&mut self) {
        *self = Self::new(self.user(), self.silo());
    }
}

#[cfg(test)]
mod tests {
    use croft_store::schema::TABLES;

    use super::*;

    #[test]
    fn kinds_stand_in_order() {
        assert!(KINDS.is_sorted_by(|one, other| one.0 < other.0));
    }

    #[test]
    fn every_logged_table_says_who_is_told_of_it() {
        let missing: Vec<_> = TABLES
            .iter()
            .filter(|table| (table.logged || table.announced) && kind(table.name).is_none())
            .map(|table| table.name)
            .collect();
        assert!(missing.is_empty(), "without a stand in KINDS: {missing:?}");
        let is_told =
            |name: &str| TABLES.iter().any(|table| table.name == name && (table.logged || table.announced));
        let stale: Vec<_> = KINDS.iter().filter(|(name, _)| !is_told(name)).collect();
        assert!(stale.is_empty(), "without a table that is logged: {stale:?}");
    }
}
