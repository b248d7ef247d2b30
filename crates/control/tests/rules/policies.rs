use croft_api::{
    Result,
    policy::{FleetRolePolicy, ProjectRolePolicy, SiloRolePolicy},
    scalar::NameOrId,
};
use croft_control::{operation, policy, project};
use croft_store::records::{FLEET, Resources, Role, RoleAssignment, RoleIdentity, RoleScope};
use croft_store::{ListBy, Sort};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

fn entry(id: Uuid, kind: &str, role: &str) -> Value {
    json!({ "identity_id": id, "identity_type": kind, "role_name": role })
}

fn set_silo(cloud: &mut Cloud, user: &User, entries: &[Value]) -> Result<SiloRolePolicy> {
    let policy: SiloRolePolicy = serde_json::from_value(json!({ "role_assignments": entries })).unwrap();
    cloud.act(user, &operation::POLICY_UPDATE, move |cx, caller| policy::own_silo_update(cx, caller, &policy))
}

fn silo_entries(policy: &SiloRolePolicy) -> Vec<Value> {
    policy.role_assignments.iter().map(|entry| serde_json::to_value(entry).unwrap()).collect()
}

fn stored(cloud: &mut Cloud, scope: Uuid) -> Vec<RoleAssignment> {
    cloud.rule(move |cx| Ok(cx.tx.page(ListBy::Parent(scope), Sort::IdAsc, None, 1000)?)).unwrap()
}

#[test]
fn policy_is_replaced_sorted_and_without_duplicates() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let [one, two] = [Uuid::from_u128(1), Uuid::from_u128(2)];
    let entries = [
        entry(two, "silo_group", "viewer"),
        entry(admin.id, "silo_user", "admin"),
        entry(one, "silo_user", "viewer"),
        entry(two, "silo_group", "viewer"),
        entry(one, "silo_user", "collaborator"),
        entry(one, "silo_group", "viewer"),
    ];
    let expected = [
        entry(admin.id, "silo_user", "admin"),
        entry(one, "silo_user", "collaborator"),
        entry(one, "silo_user", "viewer"),
        entry(one, "silo_group", "viewer"),
        entry(two, "silo_group", "viewer"),
    ];
    let answer = set_silo(&mut cloud, &admin, &entries).unwrap();
    assert_eq!(silo_entries(&answer), expected);
    assert_eq!(cloud.see(&admin, policy::own_silo_view).unwrap(), answer);
    assert_eq!(stored(&mut cloud, admin.silo).len(), 5);

    let unchanged = stored(&mut cloud, admin.silo);
    set_silo(&mut cloud, &admin, &expected).unwrap();
    assert_eq!(stored(&mut cloud, admin.silo), unchanged, "unchanged assignments are not written again");

    set_silo(&mut cloud, &admin, &expected[..1]).unwrap();
    assert_eq!(silo_entries(&cloud.see(&admin, policy::own_silo_view).unwrap()), expected[..1]);
}

#[test]
fn last_silo_administrator_can_be_removed_if_the_fleet_has_one() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let operator = cloud.user(admin.silo, "operator");
    cloud.grant(RoleIdentity::User(operator.id), RoleScope::Fleet, Role::Admin);
    set_silo(&mut cloud, &admin, &[]).unwrap();
    assert_eq!(refused(set_silo(&mut cloud, &admin, &[])).0, 403);
    assert!(cloud.see(&admin, policy::own_silo_view).unwrap().role_assignments.is_empty());
    assert_eq!(refused(cloud.see(&admin, policy::fleet_view)).0, 403, "the mapped role is lost as well");
}

#[test]
fn assignments_of_built_in_users_are_hidden_and_survive() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.grant(RoleIdentity::BuiltIn(Uuid::from_u128(9)), RoleScope::Fleet, Role::Admin);
    let shown = cloud.see(&admin, policy::fleet_view).unwrap();
    assert!(shown.role_assignments.is_empty());
    let policy: FleetRolePolicy =
        serde_json::from_value(json!({ "role_assignments": [entry(admin.id, "silo_user", "viewer")] }))
            .unwrap();
    let answer = cloud
        .act(&admin, &operation::SYSTEM_POLICY_UPDATE, move |cx, caller| {
            policy::fleet_update(cx, caller, &policy)
        })
        .unwrap();
    assert_eq!(answer.role_assignments.len(), 1);
    let left = stored(&mut cloud, FLEET);
    assert_eq!(left.len(), 2);
    assert!(left.iter().any(|assignment| matches!(assignment.identity, RoleIdentity::BuiltIn(_))));
}

#[test]
fn role_changes_apply_at_the_next_request() {
    let mut cloud = Cloud::new();
    let (admin, silo) = (cloud.admin.clone(), cloud.admin.silo);
    cloud.project("web");
    let (user, member) = (cloud.user(silo, "eve"), cloud.user(silo, "mallory"));
    let group = cloud.group(silo, "people", &[&member]);
    let see = |cloud: &Cloud, user: &User| {
        cloud.see(user, |cx, caller| project::view(cx, caller, &by_name("web"))).is_ok()
    };
    assert!(!see(&cloud, &user) && !see(&cloud, &member));
    let policy: ProjectRolePolicy = serde_json::from_value(json!({ "role_assignments": [
        entry(user.id, "silo_user", "viewer"), entry(group, "silo_group", "collaborator"),
    ] }))
    .unwrap();
    cloud
        .act(&admin, &operation::PROJECT_POLICY_UPDATE, move |cx, caller| {
            policy::project_update(cx, caller, &by_name("web"), &policy)
        })
        .unwrap();
    assert!(see(&cloud, &user) && see(&cloud, &member));
    let seen = cloud.see(&user, |cx, caller| policy::project_view(cx, caller, &by_name("web"))).unwrap();
    assert_eq!(seen.role_assignments.len(), 2, "without the assignments of the silo");
    let empty: ProjectRolePolicy = serde_json::from_value(json!({ "role_assignments": [] })).unwrap();
    let forbidden = empty.clone();
    let by_member = cloud.act(&member, &operation::PROJECT_POLICY_UPDATE, move |cx, caller| {
        policy::project_update(cx, caller, &by_name("web"), &forbidden)
    });
    assert_eq!(refused(by_member).0, 403, "collaborators cannot change the policy of the project");
    cloud
        .act(&admin, &operation::PROJECT_POLICY_UPDATE, move |cx, caller| {
            policy::project_update(cx, caller, &by_name("web"), &empty)
        })
        .unwrap();
    assert!(!see(&cloud, &user) && !see(&cloud, &member));
}

#[test]
fn a_deleted_project_leaves_no_assignments() {
    let mut cloud = Cloud::new();
    let (silo, project) = (cloud.admin.silo, cloud.project("web").id);
    let user = cloud.user(silo, "eve");
    cloud.grant(RoleIdentity::User(user.id), RoleScope::Project(project), Role::Admin);
    cloud.remove_project("web");
    assert!(stored(&mut cloud, project).is_empty());
}

#[test]
fn policies_of_other_silos_are_not_found() {
    let mut cloud = Cloud::new();
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(other), Role::Admin);
    let silo = NameOrId::Id(cloud.admin.silo);
    let empty: SiloRolePolicy = serde_json::from_value(json!({ "role_assignments": [] })).unwrap();
    let missing = (404, format!("not found: silo with id \"{}\"", cloud.admin.silo));
    let selector = silo.clone();
    let seen = cloud.see(&stranger, move |cx, caller| policy::silo_view(cx, caller, &selector));
    assert_eq!(refused(seen), missing);
    let set = cloud.act(&stranger, &operation::SILO_POLICY_UPDATE, move |cx, caller| {
        policy::silo_update(cx, caller, &silo, &empty)
    });
    assert_eq!(refused(set), missing);
    assert_eq!(stored(&mut cloud, other).len(), 1);
}
