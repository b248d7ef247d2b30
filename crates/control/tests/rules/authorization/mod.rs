//! Every operation with every role: one file per area, with calls of its operations and the table of expected
//! decisions.

mod activity;
mod affinity;
mod alerts;
mod batches;
mod compute;
mod fixtures;
mod hardware;
mod identity;
mod labels;
mod network;
mod search;
mod storage;
mod support_bundles;
mod switches;
mod system_network;
mod tenancy;
mod timeseries;

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use croft_api::{
    Error, Result,
    page::{NameOrIdSortMode, NoSelector, PageQuery},
    permission::{PermissionLevel, PermissionsQuery, RoleName},
    scalar::NameOrId,
};
use croft_control::{
    Caller, Credentials, Cx, Operation, authz::Kind, execute, instance, me, operation, permissions, policy,
    project,
};
use croft_store::records::{Resources, Role, RoleIdentity, RoleScope};
use uuid::Uuid;

use fixtures::Fixtures;

use crate::kit::{Cloud, GIB, User, by_name, refused, status};

/// The calls of each area, with arguments that pass all checks before and during authorization.
const AREAS: &[fn(&World) -> Vec<Call>] = &[
    affinity::calls,
    alerts::calls,
    batches::calls,
    compute::calls,
    hardware::calls,
    identity::calls,
    network::calls,
    storage::calls,
    support_bundles::calls,
    system_network::calls,
    switches::calls,
    tenancy::calls,
    timeseries::calls,
];

pub struct World {
    pub cloud: Cloud,
    instance: Uuid,
    disk: Uuid,
    snapshot: Uuid,
    batch: Uuid,
    fixtures: Fixtures,
    users: Vec<(&'static str, User)>,
}

impl World {
    /// The running instance.
    pub fn running(&self) -> Uuid {
        self.instance
    }
}

const ROLES: [(Role, &str); 3] = [(Role::Admin, "a"), (Role::Collaborator, "c"), (Role::Viewer, "v")];

pub fn world() -> World {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let project = cloud.project("web").id;
    let instance = cloud.running("web", "db").id;
    let disk = cloud.disk("web", "data").id;
    cloud.floating_ip("web", "fixed");
    network::furnish(&mut cloud);
    cloud.pass_seconds(2);
    let snapshot = cloud.snapshot("web", "before", "data").id;
    cloud.pass_seconds(2);
    let scopes = [
        ("fleet", RoleScope::Fleet),
        ("silo", RoleScope::Silo(silo)),
        ("project", RoleScope::Project(project)),
    ];
    let names = [
        "fleet-a",
        "fleet-c",
        "fleet-v",
        "silo-a",
        "silo-c",
        "silo-v",
        "project-a",
        "project-c",
        "project-v",
    ];
    let combinations =
        scopes.iter().flat_map(|(_, scope)| ROLES.iter().map(move |(role, _)| (*scope, *role)));
    let mut users: Vec<(&'static str, User)> = Vec::new();
    for (name, (scope, role)) in names.into_iter().zip(combinations) {
        let user = cloud.user(silo, name);
        cloud.grant(RoleIdentity::User(user.id), scope, role);
        users.push((name, user));
    }
    let in_group = cloud.user(silo, "in-group");
    let group = cloud.group(silo, "viewers", &[&in_group]);
    cloud.grant(RoleIdentity::Group(group), RoleScope::Project(project), Role::Viewer);
    users.push(("in-group", in_group));
    let no_role = cloud.user(silo, "no-role");
    users.push(("no-role", no_role.clone()));
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(other), Role::Admin);
    // Roles on objects of another silo have no effect.
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(silo), Role::Admin);
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Project(project), Role::Admin);
    users.push(("stranger", stranger));
    let anonymous = User { credentials: Credentials::default(), ..cloud.admin.clone() };
    users.push(("anonymous", anonymous));
    system_network::furnish(&mut cloud);
    alerts::furnish(&mut cloud);
    let resting = cloud.instance("web", "resting").id;
    crate::switches::furnish(&mut cloud);
    support_bundles::furnish(&mut cloud);
    let fixtures = fixtures::create(&mut cloud, project, &no_role, group, [instance, resting]);
    let batch = batches::furnish(&mut cloud, &no_role);
    World { cloud, instance, disk, snapshot, batch, fixtures, users }
}

/// A call of one operation.
type Call = (&'static Operation, Rule);

type Rule = Box<dyn Fn(&mut Cx<'_, '_>, &Caller) -> Result<()> + Send>;

fn rule<T>(rule: impl Fn(&mut Cx<'_, '_>, &Caller) -> Result<T> + Send + 'static) -> Rule {
    Box::new(move |cx, caller| rule(cx, caller).map(drop))
}

fn parse<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> T {
    serde_json::from_value(value).unwrap()
}

/// A rule with a parameter that it takes by reference.
macro_rules! on {
    ($what:expr, |$cx:ident, $caller:ident, $selector:ident| $call:expr) => {{
        let $selector = $what.clone();
        rule(move |$cx, $caller| $call)
    }};
}
use on;

/// The decision of the authorization. An authorized call may still be refused for other reasons.
fn outcome(result: &Result<()>) -> String {
    match result.as_ref().map_err(status) {
        Err(refusal @ (401 | 403 | 404)) => refusal.to_string(),
        Err(500) => "broken".to_owned(),
        Ok(()) | Err(_) => "yes".to_owned(),
    }
}

/// The decisions for each operation and caller, as a table.
fn matrix(calls: fn(&World) -> Vec<Call>) -> String {
    let mut world = world();
    let calls = calls(&world);
    let mut text = format!("{:<34}", "");
    for (name, _) in &world.users {
        write!(text, "{name:>10}").unwrap();
    }
    text.push('\n');
    let users = world.users.clone();
    for (operation, call) in calls {
        write!(text, "{:<34}", operation.id).unwrap();
        let call = Arc::new(Mutex::new(call));
        for (_, user) in &users {
            let (call, credentials) = (Arc::clone(&call), user.credentials.clone());
            let undone = world.cloud.rule(move |cx| {
                let call = call.lock().unwrap();
                let result = execute::write(cx, &credentials, operation, |cx, caller| call(cx, caller));
                // Roll back, so that the next caller finds the same state.
                Err::<(), _>(Error::NotFoundText(outcome(&result.unwrap_or_else(Err))))
            });
            write!(text, "{:>10}", undone.unwrap_err().message()).unwrap();
        }
        text.push('\n');
    }
    text
}

#[test]
fn every_operation_is_in_a_matrix() {
    let world = world();
    let called: BTreeSet<&str> =
        AREAS.iter().flat_map(|calls| calls(&world)).map(|(operation, _)| operation.id).collect();
    let declared: BTreeSet<&str> = operation::ALL
        .iter()
        .chain(operation::EXTENSIONS)
        .filter(|operation| operation.permission.is_some())
        .map(|operation| operation.id)
        .collect();
    let uncalled: Vec<_> = declared.difference(&called).collect();
    assert!(uncalled.is_empty(), "add a call to `calls` of its area for each of {uncalled:?}");
    let stale: Vec<_> = called.difference(&declared).collect();
    assert!(stale.is_empty(), "no permission is declared for {stale:?}: remove its call");
}

#[test]
fn resources_of_other_silos_are_not_found() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let instance = cloud.instance("web", "db").id;
    let other = cloud.silo("other", Resources { cpus: 9, memory: 9 * GIB, storage: 9 * GIB });
    let stranger = cloud.user(other, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(other), Role::Admin);
    let by_id = cloud.see(&stranger, move |cx, caller| project::view(cx, caller, &NameOrId::Id(project)));
    assert_eq!(refused(by_id), (404, format!("not found: project with id \"{project}\"")));
    let by_id =
        cloud.see(&stranger, move |cx, caller| instance::view(cx, caller, &NameOrId::Id(instance), None));
    assert_eq!(refused(by_id), (404, format!("not found: instance with id \"{instance}\"")));
    let missing = cloud.see(&stranger, |cx, caller| project::view(cx, caller, &by_name("web")));
    assert_eq!(refused(missing), (404, "not found: project with name \"web\"".to_owned()));
    let own = cloud.try_project(&stranger, "web").unwrap();
    let seen = cloud.see(&stranger, |cx, caller| project::view(cx, caller, &by_name("web"))).unwrap();
    assert_eq!(seen.id, own.id);
    assert_ne!(seen.id, project);
    cloud.check_invariants();
}

#[test]
fn first_silo_administrator_is_fleet_administrator_by_mapping() {
    let cloud = Cloud::new();
    let fleet = cloud.see(&cloud.admin, policy::fleet_view).unwrap();
    assert!(fleet.role_assignments.is_empty(), "no role is assigned on the fleet");
    let silo = cloud.see(&cloud.admin, policy::own_silo_view).unwrap();
    assert_eq!(silo.role_assignments.len(), 1);
    assert_eq!(silo.role_assignments[0].identity_id, cloud.admin.id);
}

#[test]
fn policies_are_in_order_of_role_and_identity() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    for (role, name) in
        [(Role::Viewer, "one"), (Role::Admin, "two"), (Role::Viewer, "three"), (Role::Collaborator, "four")]
    {
        let user = cloud.user(silo, name);
        cloud.grant(RoleIdentity::User(user.id), RoleScope::Silo(silo), role);
    }
    let policy = cloud.see(&cloud.admin, policy::own_silo_view).unwrap();
    let order: Vec<_> = policy
        .role_assignments
        .iter()
        .map(|assignment| {
            let role = serde_json::to_value(assignment.role_name).unwrap();
            (role.as_str().unwrap().to_owned(), assignment.identity_id)
        })
        .collect();
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(order.len(), 5);
    assert_eq!(order, sorted);
}

/// The query of `current_user_permissions_view` for an operation, with the objects that the calls use.
fn query_for(world: &World, operation: &Operation) -> PermissionsQuery {
    let level = operation.on.level();
    // The calls use the objects of this user.
    let target = world.users.iter().find(|(name, _)| *name == "no-role").map(|(_, user)| user.id);
    PermissionsQuery {
        on: level,
        silo: None,
        project: (level == PermissionLevel::Project).then(|| by_name("web")),
        user: target.filter(|_| level == PermissionLevel::User && !operation.is_about_caller()),
    }
}

/// An operation is authorized if and only if it is reported as allowed.
#[test]
fn reported_permissions_match_decisions() {
    let mut world = world();
    let mut wrong = Vec::new();
    let calls: Vec<Call> = AREAS.iter().flat_map(|calls| calls(&world)).collect();
    let users = world.users.clone();
    for (operation, call) in calls {
        let query = query_for(&world, operation);
        let call = Arc::new(Mutex::new(call));
        for (name, user) in users.iter().filter(|(name, _)| !matches!(*name, "stranger" | "anonymous")) {
            let (call, credentials) = (Arc::clone(&call), user.credentials.clone());
            let undone = world.cloud.rule(move |cx| {
                let call = call.lock().unwrap();
                let result = execute::write(cx, &credentials, operation, |cx, caller| call(cx, caller));
                Err::<(), _>(Error::NotFoundText(outcome(&result.unwrap_or_else(Err))))
            });
            let decided = undone.unwrap_err().message();
            let query = query.clone();
            let reported = world.cloud.see(user, move |cx, caller| permissions::view(cx, caller, &query));
            let is_allowed =
                reported.as_ref().is_ok_and(|reported| reported.allowed.iter().any(|id| id == operation.id));
            // Access to one's own objects does not extend to those of others.
            let is_of_other_user = operation.is_about_caller() && decided == "404";
            if is_allowed != (decided == "yes") && !is_of_other_user {
                wrong.push(format!("{}: {name} is reported {is_allowed} and gets {decided}", operation.id));
            }
            let reported = reported.map(|reported| reported.refused).unwrap_or_default();
            let refused = reported.iter().find(|refused| refused.operation == operation.id);
            if refused
                .is_some_and(|refused| refused.roles.is_empty() && !requires_more_than_a_role(operation))
            {
                wrong.push(format!("{}: no role would allow it", operation.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether something other than a role may be required: ownership, another user as the target, or a session.
fn requires_more_than_a_role(operation: &Operation) -> bool {
    [Kind::ACCESS_TOKEN, Kind::BATCH, Kind::SECOND_FACTOR, Kind::VIEW_AS].contains(&operation.on)
}

/// The response names the users who can grant a missing role, in order from the object to the fleet, but only for
/// policies that the caller may read.
#[test]
fn missing_roles_name_the_users_who_can_grant_them() {
    let mut world = world();
    let administrators_for = |world: &mut World, name: &str, on, project: Option<&str>| {
        let user = world.users.iter().find(|(own, _)| *own == name).unwrap().1.clone();
        let query = PermissionsQuery { on, silo: None, project: project.map(by_name), user: None };
        let reported =
            world.cloud.see(&user, move |cx, caller| permissions::view(cx, caller, &query)).unwrap();
        let levels = reported.administrators.into_iter();
        let levels = levels.map(|level| {
            assert_eq!(level.total as usize, level.first.len());
            let names: Vec<_> = level.first.into_iter().map(|admin| admin.display_name).collect();
            (level.on, names.join(" "))
        });
        levels.collect::<Vec<_>>()
    };
    let (fleet, silo, project) = (PermissionLevel::Fleet, PermissionLevel::Silo, PermissionLevel::Project);
    let of_project = (project, "project-a".to_owned());
    let of_silo = (silo, "admin silo-a".to_owned());
    let of_fleet = (fleet, "fleet-a".to_owned());
    // The stranger has the same roles from another silo, where they have no effect.
    assert_eq!(administrators_for(&mut world, "project-v", project, Some("web")), [of_project, of_silo]);
    assert_eq!(administrators_for(&mut world, "fleet-v", fleet, None), [of_fleet]);
    assert_eq!(administrators_for(&mut world, "no-role", fleet, None), []);
    assert_eq!(administrators_for(&mut world, "fleet-a", fleet, None), [], "no role is missing");
}

#[test]
fn permission_queries_need_an_existing_object() {
    let mut world = world();
    let user = |name: &str| world.users.iter().find(|(own, _)| *own == name).unwrap().1.clone();
    let (viewer, nobody) = (user("project-v"), user("no-role"));
    let ask = |cloud: &mut Cloud, user: &User, on, project: Option<&str>, silo: Option<&str>| {
        let (project, silo) = (project.map(by_name), silo.map(by_name));
        let query = PermissionsQuery { on, silo, project, user: None };
        cloud.see(user, move |cx, caller| permissions::view(cx, caller, &query))
    };
    let cloud = &mut world.cloud;
    let reported = ask(cloud, &viewer, PermissionLevel::Project, Some("web"), None).unwrap();
    assert!(
        reported.allowed.contains(&"disk_view".to_owned())
            && !reported.allowed.contains(&"disk_create".to_owned())
    );
    let create = reported.refused.iter().find(|refused| refused.operation == "disk_create").unwrap();
    let roles: Vec<_> = create.roles.iter().map(|role| (role.on, role.role)).collect();
    let collaborator = RoleName::Collaborator;
    assert_eq!(roles, [(PermissionLevel::Project, collaborator), (PermissionLevel::Silo, collaborator)]);
    // The first silo's administrators have a role on the fleet, so only an administrator can change its policy.
    let reported = ask(cloud, &nobody, PermissionLevel::Silo, None, None).unwrap();
    let update = reported.refused.iter().find(|refused| refused.operation == "policy_update").unwrap();
    let roles: Vec<_> = update.roles.iter().map(|role| (role.on, role.role)).collect();
    let admin = RoleName::Admin;
    assert_eq!(roles, [(PermissionLevel::Silo, admin), (PermissionLevel::Fleet, admin)]);
    let hidden = refused(ask(cloud, &nobody, PermissionLevel::Project, Some("web"), None));
    assert_eq!(hidden, (404, "not found: project with name \"web\"".to_owned()));
    let hidden = refused(ask(cloud, &nobody, PermissionLevel::Silo, None, Some("other")));
    assert_eq!(hidden, (404, "not found: silo with name \"other\"".to_owned()));
    let unnamed = refused(ask(cloud, &nobody, PermissionLevel::Project, None, None));
    assert_eq!(unnamed, (400, "project is required with on=project".to_owned()));
    assert_eq!(refused(ask(cloud, &nobody, PermissionLevel::Fleet, Some("web"), None)).0, 400);
}

#[test]
fn users_list_the_projects_of_their_roles() {
    let mut world = world();
    world.cloud.project("shop");
    let seen = |world: &mut World, name: &str| {
        let user = world.users.iter().find(|(own, _)| *own == name).unwrap().1.clone();
        let sort = NameOrIdSortMode::NameAscending;
        let page = PageQuery { selector: NoSelector {}, sort, after: None, limit: 100 };
        let page = world.cloud.see(&user, move |cx, caller| me::projects(cx, caller, &page)).unwrap();
        page.items.iter().map(|project| project.name.to_string()).collect::<Vec<_>>()
    };
    for name in ["silo-v", "silo-c", "silo-a"] {
        assert_eq!(seen(&mut world, name), ["shop", "web"], "{name}");
    }
    for name in ["project-v", "project-c", "project-a", "in-group"] {
        assert_eq!(seen(&mut world, name), ["web"], "{name}");
    }
    // A role on a project of another silo has no effect.
    for name in ["no-role", "stranger"] {
        assert_eq!(seen(&mut world, name), Vec::<String>::new(), "{name}");
    }
}
