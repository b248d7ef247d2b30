use std::collections::{BTreeMap, BTreeSet};

use croft_api::{
    Error, Result,
    affinity::MemberInstance,
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::OptionalProjectSelector,
    scalar::{Name, NameOrId},
};
use croft_store::{
    ListBy,
    records::{
        Affinity, AffinityPolicy, AntiAffinity, AntiAffinityGroup, Group, GroupMembership, Instance,
        InstanceStage, Machine, Project,
    },
};
use uuid::Uuid;

use super::{Kind, find};
use crate::{
    Authorized, Caller, Cx, LookupResult, authz::Permission, dependents::Dependents, paging, project,
};

/// Maximum number of members of a group.
const MAX_MEMBERS: u64 = 32;
/// Maximum number of groups of one kind for each instance.
const MAX_GROUPS: u64 = 16;

fn to_member<K: Kind>(instance: &Instance) -> K::Member {
    K::member(MemberInstance {
        id: instance.meta.id,
        name: instance.name.clone(),
        run_state: instance.run_state(),
    })
}

/// `affinity_group_member_list` and `anti_affinity_group_member_list`.
pub fn member_list<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    query: &PageQuery<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<K::Member>> {
    let found = find::<K>(cx, caller, group, query.selector.project.as_ref())?;
    let group = found.authorize(cx, caller, &K::OPERATIONS.member_list)?;
    let mut members = Vec::new();
    for membership in memberships_of_group(cx, &group)? {
        let instance = cx.tx.get::<Instance>(membership.instance_id)?;
        members.push(to_member::<K>(&instance.ok_or_else(|| broken(&membership))?));
    }
    Ok(paging::page_of(members, query))
}

/// `instance_affinity_group_list` and `instance_anti_affinity_group_list`: the groups of a kind that an instance is in.
pub fn of_instance<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    query: &PageQuery<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<K::View>> {
    let found = project::find_inside::<Instance>(cx, caller, instance, query.selector.project.as_ref())?;
    let instance = found.authorize(cx, caller, &K::OPERATIONS.of_instance)?;
    let groups = groups_of::<K>(cx, instance.meta.id)?;
    Ok(paging::page_of(groups.iter().map(K::view).collect(), query))
}

/// `affinity_group_member_instance_view` and `anti_affinity_group_member_instance_view`.
pub fn member_view<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<K::Member> {
    let (group, instance) = find_both::<K>(cx, caller, group, instance, project)?;
    let group = group.authorize(cx, caller, &K::OPERATIONS.member_view)?;
    let instance = instance.authorize(cx, caller, Permission::Read)?;
    membership(cx, &group, &instance)?;
    Ok(to_member::<K>(&instance))
}

/// `affinity_group_member_instance_add` and `anti_affinity_group_member_instance_add`: only while the instance has no
/// machine.
pub fn member_add<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<K::Member> {
    let (group, instance) = find_both::<K>(cx, caller, group, instance, project)?;
    let group = group.authorize(cx, caller, &K::OPERATIONS.member_add)?;
    check_members(cx, &group)?;
    let instance = instance.authorize(cx, caller, Permission::Modify)?;
    check_groups::<K>(cx, &instance)?;
    let word = K::WORD;
    if group.project_id != instance.project_id {
        let text = format!("{word} group must be in the same project as the instance");
        return Err(Error::invalid_request(text));
    }
    if matches!(instance.stage, InstanceStage::Active(_)) {
        let text = format!("Instance cannot be added to {word} group with reservation");
        return Err(Error::invalid_request(text));
    }
    if find_membership(cx, &group, &instance)?.is_some() {
        return Err(Error::exists(K::MEMBER, instance.meta.id));
    }
    enter(cx, &group, &instance)?;
    Ok(to_member::<K>(&instance))
}

/// `affinity_group_member_instance_delete` and `anti_affinity_group_member_instance_delete`: in every state. A running
/// machine stays on its sled.
pub fn member_delete<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let (group, instance) = find_both::<K>(cx, caller, group, instance, project)?;
    let group = group.authorize(cx, caller, &K::OPERATIONS.member_delete)?;
    let instance = instance.authorize(cx, caller, Permission::Modify)?;
    let membership = membership(cx, &group, &instance)?;
    cx.tx.remove::<GroupMembership<K>>(membership.meta.id, cx.now)?;
    Ok(())
}

/// The anti-affinity groups that a new instance of a project joins: names are looked up before ids.
pub(crate) fn choose_anti_affinity(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &Project,
    selectors: &[NameOrId],
) -> Result<Vec<Authorized<AntiAffinityGroup>>> {
    let (names, ids): (Vec<_>, Vec<_>) =
        selectors.iter().partition(|selector| matches!(selector, NameOrId::Name(_)));
    let mut chosen: BTreeMap<Uuid, Authorized<AntiAffinityGroup>> = BTreeMap::new();
    for selector in names.into_iter().chain(ids) {
        let group: Option<AntiAffinityGroup> = match selector {
            NameOrId::Name(name) => cx.tx.get_by_name(project.meta.id, name.as_str())?,
            NameOrId::Id(id) => cx.tx.get(*id)?,
        };
        let group = group.filter(|group| group.project_id == project.meta.id);
        let group = LookupResult::new(group, selector).authorize(cx, caller, Permission::Modify)?;
        chosen.insert(group.meta.id, group);
    }
    Ok(chosen.into_values().collect())
}

/// Adds a new instance to groups, once to each.
pub(crate) fn join<K: Kind>(
    cx: &mut Cx<'_, '_>,
    instance: &Instance,
    groups: &[Authorized<Group<K>>],
) -> Result<()> {
    for group in groups {
        check_members(cx, group)?;
        check_groups::<K>(cx, instance)?;
        enter(cx, group, instance)?;
    }
    Ok(())
}

/// Removes an instance from all its groups.
pub(crate) fn remove_from_all(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<()> {
    remove_from_kind::<Affinity>(cx, instance.meta.id)?;
    remove_from_kind::<AntiAffinity>(cx, instance.meta.id)
}

fn remove_from_kind<K: Kind>(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<()> {
    for membership in memberships_of_instance::<K>(cx, instance_id)? {
        cx.tx.remove::<GroupMembership<K>>(membership.meta.id, cx.now)?;
    }
    Ok(())
}

/// The sleds that hold machines of other members of an instance's groups of one kind, by the policy of the group.
pub(crate) fn peers<K: Kind>(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<Peers> {
    let mut peers = Peers::default();
    for group in groups_of::<K>(cx, instance_id)? {
        for membership in memberships_of_group(cx, &group)? {
            if membership.instance_id == instance_id {
                continue;
            }
            let machine: Option<Machine> = cx.tx.find(Machine::INSTANCE, membership.instance_id)?;
            let Some(machine) = machine else { continue };
            match group.policy {
                AffinityPolicy::Allow => drop(peers.allow.insert(machine.sled_id)),
                AffinityPolicy::Fail => {
                    let group = (group.meta.id, group.name.clone());
                    peers.fail.entry(machine.sled_id).or_insert(group);
                }
            }
        }
    }
    Ok(peers)
}

/// The sleds of the other members of an instance's groups of one kind.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    /// Sleds of members of groups whose policy is `allow`.
    pub allow: BTreeSet<Uuid>,
    /// Sleds of members of groups whose policy is `fail`, each with the id and the name of one such group.
    pub fail: BTreeMap<Uuid, (Uuid, Name)>,
}

/// Looks up the group and the instance of a path. Both must be in the same project.
fn find_both<K: Kind>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    group: &NameOrId,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<(LookupResult<Group<K>>, LookupResult<Instance>)> {
    Ok((find(cx, caller, group, project)?, project::find_inside::<Instance>(cx, caller, instance, project)?))
}

fn find_membership<K: Kind>(
    cx: &mut Cx<'_, '_>,
    group: &Group<K>,
    instance: &Instance,
) -> Result<Option<GroupMembership<K>>> {
    let pair = GroupMembership::<K>::pair(group.meta.id, instance.meta.id);
    Ok(cx.tx.find(GroupMembership::<K>::PAIR, pair)?)
}

fn membership<K: Kind>(
    cx: &mut Cx<'_, '_>,
    group: &Group<K>,
    instance: &Instance,
) -> Result<GroupMembership<K>> {
    find_membership(cx, group, instance)?.ok_or_else(|| Error::not_found(K::MEMBER, instance.meta.id))
}

fn memberships_of_group<K: Kind>(cx: &mut Cx<'_, '_>, group: &Group<K>) -> Result<Vec<GroupMembership<K>>> {
    paging::all(cx.tx, &ListBy::Parent(group.meta.id))
}

fn memberships_of_instance<K: Kind>(
    cx: &mut Cx<'_, '_>,
    instance_id: Uuid,
) -> Result<Vec<GroupMembership<K>>> {
    paging::all(cx.tx, &ListBy::lookup(GroupMembership::<K>::INSTANCE, instance_id))
}

fn groups_of<K: Kind>(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<Vec<Group<K>>> {
    let mut groups = Vec::new();
    for membership in memberships_of_instance::<K>(cx, instance_id)? {
        groups.push(cx.tx.get(membership.group_id)?.ok_or_else(|| broken(&membership))?);
    }
    Ok(groups)
}

/// The groups that an instance leaves when it is deleted.
pub(crate) fn groups_left_by(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<[Dependents; 2]> {
    let changed = DeletionEffect::Changed;
    Ok([
        Dependents::found(changed, &groups_of::<Affinity>(cx, instance_id)?),
        Dependents::found(changed, &groups_of::<AntiAffinity>(cx, instance_id)?),
    ])
}

/// The instances that leave a group when it is deleted.
pub(super) fn members<K: Kind>(cx: &mut Cx<'_, '_>, group: &Group<K>) -> Result<Dependents> {
    let mut instances: Vec<Instance> = Vec::new();
    for membership in memberships_of_group(cx, group)? {
        instances.push(cx.tx.get(membership.instance_id)?.ok_or_else(|| broken(&membership))?);
    }
    Ok(Dependents::found(DeletionEffect::Changed, &instances))
}

/// The error for a membership whose group or instance is missing: a deletion must remove memberships, too.
fn broken<K: Kind>(membership: &GroupMembership<K>) -> Error {
    Error::internal(format!("membership {} joins what is gone", membership.meta.id))
}

fn check_members<K: Kind>(cx: &mut Cx<'_, '_>, group: &Group<K>) -> Result<()> {
    if cx.tx.count::<GroupMembership<K>>(ListBy::Parent(group.meta.id))? < MAX_MEMBERS {
        return Ok(());
    }
    let kind = K::FIRST_WORD;
    let text = format!("{kind} group already has maximum allowed members ({MAX_MEMBERS})");
    Err(Error::invalid_request(text))
}

fn check_groups<K: Kind>(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<()> {
    let by = ListBy::lookup(GroupMembership::<K>::INSTANCE, instance.meta.id);
    if cx.tx.count::<GroupMembership<K>>(by)? < MAX_GROUPS {
        return Ok(());
    }
    let kind = K::WORD;
    let text = format!("Instance already belongs to maximum allowed {kind} groups ({MAX_GROUPS})");
    Err(Error::invalid_request(text))
}

fn enter<K: Kind>(cx: &mut Cx<'_, '_>, group: &Group<K>, instance: &Instance) -> Result<()> {
    let membership = GroupMembership::<K> {
        meta: cx.new_meta(),
        silo_id: group.silo_id,
        project_id: group.project_id,
        group_id: group.meta.id,
        instance_id: instance.meta.id,
        kind: std::marker::PhantomData,
    };
    Ok(cx.tx.insert(&membership)?)
}
