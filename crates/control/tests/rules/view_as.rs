//! Views of Croft as another user (`docs/rules/identity-and-system.md#view-as`).

use croft_api::{
    Error, Result,
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery},
    permission::{PermissionLevel, PermissionsQuery},
    view_as::{ViewAs, Viewing},
};
use croft_control::{
    Operation, execute, me, operation,
    permissions::{self, possible_in_view},
    project, session,
    user::{self, NewPassword},
    view_as,
};
use croft_store::{
    ListBy, Sort,
    records::{
        AuditActor, AuditEntry, AuditResult, ConsoleSession, FleetRole, Resources, Role, RoleAssignment,
        RoleIdentity, RoleScope, Silo, SiloRole, SiloUser,
    },
};
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

/// An administrator with a browser, and a user who is viewer of the project `web`.
struct World {
    cloud: Cloud,
    admin: User,
    ada: User,
}

const REFUSED: &str = "You view Croft as ada. Changes are not possible; stop viewing first.";

impl World {
    fn new() -> Self {
        let mut cloud = Cloud::new();
        let silo = cloud.admin.silo;
        let (web, _) = (cloud.project("web"), cloud.project("internal"));
        let (admin, ada) = (cloud.user(silo, "grace"), cloud.user(silo, "ada"));
        cloud.grant(RoleIdentity::User(admin.id), RoleScope::Silo(silo), Role::Admin);
        cloud.grant(RoleIdentity::User(ada.id), RoleScope::Project(web.id), Role::Viewer);
        let admin = cloud.browser(&admin);
        // Entries of the audit log of the same time have no order.
        cloud.now += SignedDuration::from_secs(1);
        Self { cloud, admin, ada }
    }

    fn begin(&mut self, by: &User, user: Uuid) -> Result<ViewAs> {
        self.cloud.act(by, &operation::VIEW_AS_BEGIN, move |cx, caller| {
            view_as::begin(cx, caller, user, possible_in_view)
        })
    }

    fn view_as_ada(&mut self) -> Viewing {
        let admin = self.admin.clone();
        self.begin(&admin, self.ada.id).unwrap().viewing.unwrap()
    }

    fn end(&mut self) -> Result<()> {
        self.cloud.act(&self.admin.clone(), &operation::VIEW_AS_END, view_as::end)
    }

    /// Who the session's requests are answered to.
    fn seen_by(&self) -> Uuid {
        self.cloud.see(&self.admin, me::view).unwrap().id
    }

    fn projects(&self) -> Vec<String> {
        let query =
            PageQuery { selector: NoSelector {}, sort: NameOrIdSortMode::default(), after: None, limit: 100 };
        let page = self.cloud.see(&self.admin, move |cx, caller| me::projects(cx, caller, &query)).unwrap();
        page.items.into_iter().map(|project| project.name.to_string()).collect()
    }

    fn try_project(&mut self) -> Result<()> {
        let admin = self.admin.clone();
        self.cloud.try_project(&admin, "new").map(drop)
    }

    /// Sets the role on the fleet that collaborators of the silo and stronger have by it. In the first silo, administrators have one.
    fn map_collaborators(&mut self, role: Option<FleetRole>) {
        let silo = self.admin.silo;
        self.cloud
            .rule(move |cx| {
                let mut silo: Silo = cx.tx.get(silo)?.unwrap();
                silo.mapped_fleet_roles =
                    role.map(|role| (SiloRole::Collaborator, [role].into())).into_iter().collect();
                Ok(cx.tx.update(&mut silo)?)
            })
            .unwrap();
    }

    fn revoke(&mut self, user: Uuid) {
        self.cloud
            .rule(move |cx| {
                let held: Vec<RoleAssignment> =
                    cx.tx.page(ListBy::lookup(RoleAssignment::IDENTITY, user), Sort::IdAsc, None, 10)?;
                for assignment in held {
                    cx.tx.remove::<RoleAssignment>(assignment.meta.id, cx.now)?;
                }
                Ok(())
            })
            .unwrap();
    }

    /// The newest entries, the last one first.
    fn log(&self, count: usize) -> Vec<AuditEntry> {
        let entries = self
            .cloud
            .db
            .read_blocking(move |tx| Ok::<_, Error>(tx.page(ListBy::All, Sort::TimeDesc, None, count)?));
        entries.unwrap()
    }

    fn stored_view(&self) -> Option<Uuid> {
        let user = self.admin.id;
        let sessions = self.cloud.db.read_blocking(move |tx| {
            Ok::<Vec<ConsoleSession>, Error>(tx.page(ListBy::Parent(user), Sort::IdAsc, None, 10)?)
        });
        sessions.unwrap()[0].viewing.map(|viewing| viewing.user_id)
    }
}

fn has_failed(entry: &AuditEntry) -> bool {
    matches!(entry.result, AuditResult::Error { .. })
}

#[test]
fn an_administrator_sees_what_the_user_sees_and_changes_nothing() {
    let mut world = World::new();
    assert_eq!(world.projects(), ["internal", "web"]);
    let viewing = world.view_as_ada();
    assert_eq!((viewing.user.id, viewing.user.display_name.as_str()), (world.ada.id, "ada"));
    assert_eq!((viewing.administrator.id, viewing.time_begun), (world.admin.id, world.cloud.now));
    assert_eq!(viewing.time_ends, world.cloud.now + SignedDuration::from_hours(1));
    assert_eq!(
        world
            .cloud
            .see(&world.admin, |cx, caller| view_as::view(cx, caller, possible_in_view))
            .unwrap()
            .viewing,
        Some(viewing)
    );
    assert_eq!(world.seen_by(), world.ada.id);
    assert_eq!(world.projects(), ["web"]);
    let hidden = world.cloud.see(&world.admin, |cx, caller| project::view(cx, caller, &by_name("internal")));
    assert_eq!(refused(hidden), (404, "not found: project with name \"internal\"".to_owned()));
    assert_eq!(refused(world.try_project()), (403, REFUSED.to_owned()));
    world.end().unwrap();
    assert_eq!((world.seen_by(), world.projects().len()), (world.admin.id, 2));
    assert_eq!(
        world
            .cloud
            .see(&world.admin, |cx, caller| view_as::view(cx, caller, possible_in_view))
            .unwrap()
            .viewing,
        None
    );
    world.try_project().unwrap();
    world.end().unwrap();
}

#[test]
fn every_operation_that_changes_something_is_refused_before_its_rule() {
    let mut world = World::new();
    let possible = world.view_as_ada().possible_operations;
    let is_possible = |operation: &Operation| possible.iter().any(|id| id == operation.id);
    assert!(is_possible(&operation::VIEW_AS_END) && is_possible(&operation::LOGOUT));
    let credentials = world.admin.credentials.clone();
    let all = operation::ALL.iter().chain(operation::EXTENSIONS);
    let (effects, looks): (Vec<&Operation>, Vec<_>) = all
        .filter(|operation| **operation != operation::VIEW_AS_END && !operation.is_personal)
        .partition(|operation| operation.has_effect);
    assert!(effects.len() > 150 && looks.len() > 100, "{} {}", effects.len(), looks.len());
    for operation in effects {
        assert!(!is_possible(operation) || *operation == operation::LOGOUT, "{}", operation.id);
        let credentials = credentials.clone();
        let result = world.cloud.rule(move |cx| {
            let read = execute::read(cx, &credentials, Some(operation), |_, _| Ok(()));
            assert!(matches!(read, Err(Error::ForbiddenText(_))), "{} is read", operation.id);
            execute::write(cx, &credentials, operation, |_, _| Ok(()))
        });
        assert_eq!(refused(result.unwrap()), (403, REFUSED.to_owned()), "{}", operation.id);
    }
    for operation in looks {
        assert!(is_possible(operation), "{}", operation.id);
        let credentials = credentials.clone();
        let result = world
            .cloud
            .rule(move |cx| execute::read(cx, &credentials, Some(operation), |_, caller| Ok(caller.user_id)));
        assert_eq!(result.unwrap(), world.ada.id, "{}", operation.id);
    }
}

/// Whatever needs a permission to create or change is an effect, but for previews of what would be created.
#[test]
fn operations_without_effect_change_nothing() {
    let changing = |operation: &&Operation| {
        matches!(
            operation.permission,
            Some(croft_control::authz::Permission::Create | croft_control::authz::Permission::Modify)
        )
    };
    let harmless: Vec<_> = operation::ALL
        .iter()
        .chain(operation::EXTENSIONS)
        .filter(changing)
        .filter(|operation| !operation.has_effect)
        .map(|operation| operation.id)
        .collect();
    assert_eq!(harmless, ["instance_preview"]);
    let audited: Vec<_> = operation::ALL
        .iter()
        .chain(operation::EXTENSIONS)
        .filter(|operation| operation.audited && !operation.has_effect)
        .map(|operation| operation.id)
        .collect();
    let disclosing = ["support_bundle_download", "support_bundle_download_file", "instance_serial_console"];
    assert_eq!(audited, disclosing);
}

#[test]
fn what_only_the_user_may_see_stays_hidden() {
    let mut world = World::new();
    world.view_as_ada();
    let credentials = world.admin.credentials.clone();
    for operation in [
        &operation::ACCOUNT_SESSION_LIST,
        &operation::ACCOUNT_SECOND_FACTOR_LIST,
        &operation::ACCOUNT_RECOVERY_CODES_VIEW,
    ] {
        let credentials = credentials.clone();
        let read =
            world.cloud.rule(move |cx| execute::read(cx, &credentials, Some(operation), |_, _| Ok(())));
        assert_eq!(refused(read), (403, "You view Croft as ada. Only ada may see this.".to_owned()));
    }
}

#[test]
fn only_administrators_of_the_silo_view_as_its_users() {
    let mut world = World::new();
    let silo = world.admin.silo;
    let ada = world.ada.id;
    for scope in [RoleScope::Silo(silo), RoleScope::Fleet] {
        let user = world.cloud.user(silo, if scope == RoleScope::Fleet { "fleet" } else { "silo" });
        world.cloud.grant(RoleIdentity::User(user.id), scope, Role::Collaborator);
        let browser = world.cloud.browser(&user);
        assert_eq!(refused(world.begin(&browser, ada)), (403, "Forbidden".to_owned()));
    }
    let fleet_admin = world.cloud.user(silo, "operator");
    world.cloud.grant(RoleIdentity::User(fleet_admin.id), RoleScope::Fleet, Role::Admin);
    let browser = world.cloud.browser(&fleet_admin);
    assert_eq!(refused(world.begin(&browser, ada)), (403, "Forbidden".to_owned()), "no rights in projects");
    let own = world.admin.clone();
    let text = "You see Croft as yourself. Choose another user to view as.";
    assert_eq!(refused(world.begin(&own, own.id)), (403, text.to_owned()));
    let token = world.cloud.token_of(own.id, silo, "grace");
    let text = "A token cannot do this. Sign in to the console to do it.";
    assert_eq!(refused(world.begin(&token, ada)), (403, text.to_owned()));
    let ended = world.cloud.act(&token, &operation::VIEW_AS_END, view_as::end);
    assert_eq!(refused(ended), (403, text.to_owned()));
    assert_eq!(
        world.cloud.see(&token, |cx, caller| view_as::view(cx, caller, possible_in_view)).unwrap().viewing,
        None
    );
}

#[test]
fn users_of_other_silos_are_not_there() {
    let mut world = World::new();
    let other = world.cloud.silo("other", Resources::default());
    let stranger = world.cloud.user(other, "stranger").id;
    let admin = world.admin.clone();
    for id in [stranger, Uuid::from_u128(7)] {
        let text = format!("not found: silo-user with id \"{id}\"");
        assert_eq!(refused(world.begin(&admin, id)), (404, text));
    }
}

#[test]
fn views_are_not_nested() {
    let mut world = World::new();
    let silo = world.admin.silo;
    world.cloud.grant(RoleIdentity::User(world.ada.id), RoleScope::Silo(silo), Role::Admin);
    let other = world.cloud.user(silo, "lin").id;
    world.view_as_ada();
    let admin = world.admin.clone();
    assert_eq!(refused(world.begin(&admin, other)), (403, REFUSED.to_owned()));
    assert_eq!(refused(world.begin(&admin, world.ada.id)), (403, REFUSED.to_owned()));
}

#[test]
fn nobody_views_as_somebody_with_more_rights() {
    let mut world = World::new();
    let (silo, admin) = (world.admin.silo, world.admin.clone());
    world.map_collaborators(None);
    let text = |name: &str| {
        (
            403,
            format!(
                "{name} has a role on the fleet that goes beyond yours. You cannot view Croft as this user."
            ),
        )
    };
    let operator = world.cloud.user(silo, "operator");
    world.cloud.grant(RoleIdentity::User(operator.id), RoleScope::Fleet, Role::Viewer);
    assert_eq!(refused(world.begin(&admin, operator.id)), text("operator"));
    let member = world.cloud.user(silo, "member");
    let group = world.cloud.group(silo, "operators", &[&member]);
    world.cloud.grant(RoleIdentity::Group(group), RoleScope::Fleet, Role::Admin);
    assert_eq!(refused(world.begin(&admin, member.id)), text("member"));
    world.cloud.grant(RoleIdentity::User(admin.id), RoleScope::Fleet, Role::Collaborator);
    assert_eq!(refused(world.begin(&admin, member.id)), text("member"));
    world.begin(&admin, operator.id).unwrap();
    assert_eq!(world.seen_by(), operator.id);
}

#[test]
fn the_user_getting_more_rights_ends_the_view() {
    let mut world = World::new();
    world.view_as_ada();
    let silo = world.admin.silo;
    world.cloud.grant(RoleIdentity::User(world.ada.id), RoleScope::Silo(silo), Role::Collaborator);
    assert_eq!(world.projects(), ["internal", "web"], "rights are those of the moment");
    world.map_collaborators(Some(FleetRole::Admin));
    assert_eq!(world.seen_by(), world.ada.id, "the administrator's role includes it");
    world.cloud.grant(RoleIdentity::User(world.ada.id), RoleScope::Fleet, Role::Admin);
    assert_eq!(world.seen_by(), world.ada.id);
    world.map_collaborators(None);
    assert_eq!(world.seen_by(), world.admin.id);
}

#[test]
fn a_lost_right_ends_the_view_for_good() {
    let mut world = World::new();
    world.view_as_ada();
    let (admin, silo) = (world.admin.id, world.admin.silo);
    world.revoke(admin);
    assert_eq!(world.seen_by(), admin);
    world.cloud.grant(RoleIdentity::User(admin), RoleScope::Silo(silo), Role::Admin);
    assert_eq!(world.seen_by(), admin, "before the end is stored");
    assert_eq!(world.stored_view(), Some(world.ada.id));
    world.cloud.pass_seconds(120);
    assert_eq!(world.stored_view(), None);
    assert_eq!(world.seen_by(), admin);
    let entry = &world.log(1)[0];
    assert_eq!(entry.operation_id, "view_as_expire");
    assert_eq!(entry.actor, AuditActor::SiloUser { silo_user_id: admin, silo_id: silo });
    assert_eq!(entry.viewed_as, Some(world.ada.id));
    world.view_as_ada();
    assert_eq!(world.seen_by(), world.ada.id, "a new view is another one");
}

#[test]
fn a_view_ends_after_an_hour() {
    let mut world = World::new();
    world.view_as_ada();
    world.cloud.now += SignedDuration::from_mins(59);
    assert_eq!(world.seen_by(), world.ada.id);
    world.cloud.now += SignedDuration::from_mins(1);
    assert_eq!(world.seen_by(), world.admin.id);
    world.try_project().unwrap();
    world.cloud.pass_seconds(120);
    assert_eq!(world.stored_view(), None);
}

#[test]
fn a_view_ends_with_the_user_and_with_the_session() {
    let mut world = World::new();
    world.view_as_ada();
    let ada = world.ada.id;
    world.cloud.rule(move |cx| Ok(cx.tx.remove::<SiloUser>(ada, cx.now)?)).unwrap();
    assert_eq!(world.seen_by(), world.admin.id);

    let mut world = World::new();
    world.view_as_ada();
    let credentials = world.admin.credentials.clone();
    world.cloud.now += SignedDuration::from_secs(1);
    world.cloud.rule(move |cx| session::logout(cx, &credentials)).unwrap();
    assert!(world.cloud.see(&world.admin, me::view).is_err());
    let again = world.cloud.browser(&world.admin.clone());
    assert_eq!(world.cloud.see(&again, me::view).unwrap().id, world.admin.id);
    let entry = &world.log(1)[0];
    assert_eq!(entry.operation_id, "logout");
    let silo_id = world.admin.silo;
    assert_eq!(entry.actor, AuditActor::SiloUser { silo_user_id: world.admin.id, silo_id });
}

#[test]
fn other_sessions_and_those_of_the_user_are_not_touched() {
    let mut world = World::new();
    let (other, ada) = (world.cloud.browser(&world.admin.clone()), world.cloud.browser(&world.ada.clone()));
    world.view_as_ada();
    world.cloud.now += SignedDuration::from_mins(5);
    assert_eq!(world.seen_by(), world.ada.id);
    assert_eq!(world.cloud.see(&other, me::view).unwrap().id, world.admin.id);
    let query =
        || PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after: None, limit: 100 };
    let own = world.cloud.see(&ada, move |cx, caller| session::own_list(cx, caller, &query())).unwrap().items;
    assert_eq!(own.len(), 1);
    let token = &world.ada.clone();
    world
        .cloud
        .act(token, &operation::USER_VIEW, |cx, caller| user::view(cx, caller, caller.user_id))
        .unwrap();
    let changed = world.cloud.act(&ada, &operation::CURRENT_USER_SSH_KEY_CREATE, |cx, caller| {
        let key = json!({ "name": "laptop", "description": "", "public_key": "ssh-ed25519 AAAA" });
        croft_control::ssh_key::create(cx, caller, &serde_json::from_value(key).unwrap())
    });
    changed.unwrap();
}

#[test]
fn the_audit_log_names_the_administrator_and_the_user() {
    let mut world = World::new();
    world.view_as_ada();
    let (ada, silo_id) = (world.ada.id, world.admin.silo);
    world.cloud.now += SignedDuration::from_secs(1);
    world.try_project().unwrap_err();
    world.cloud.now += SignedDuration::from_secs(1);
    world.end().unwrap();
    world.cloud.now += SignedDuration::from_secs(1);
    world.map_collaborators(None);
    let operator = world.cloud.user(silo_id, "operator").id;
    world.cloud.grant(RoleIdentity::User(operator), RoleScope::Fleet, Role::Viewer);
    let admin = world.admin.clone();
    world.begin(&admin, operator).unwrap_err();
    let log = world.log(4);
    let told: Vec<_> =
        log.iter().map(|entry| (entry.operation_id.as_str(), entry.viewed_as, has_failed(entry))).collect();
    assert_eq!(
        told,
        [
            ("view_as_begin", Some(operator), true),
            ("view_as_end", Some(ada), false),
            ("project_create", Some(ada), true),
            ("view_as_begin", Some(ada), false),
        ]
    );
    for entry in log {
        assert_eq!(entry.actor, AuditActor::SiloUser { silo_user_id: admin.id, silo_id });
    }
    let cloud_admin = world.cloud.admin.clone();
    world.cloud.grant(RoleIdentity::User(cloud_admin.id), RoleScope::Fleet, Role::Viewer);
    let query = PageQuery {
        selector: croft_api::audit::AuditLogSelector {
            start_time: jiff::Timestamp::UNIX_EPOCH,
            end_time: None,
        },
        sort: croft_api::page::TimeAndIdSortMode::TimeAndIdDescending,
        after: None,
        limit: 2,
    };
    let shown = world
        .cloud
        .see(&cloud_admin, move |cx, caller| croft_control::audit::list(cx, caller, &query))
        .unwrap();
    assert_eq!(shown.items[1].request_uri, format!("/v1/test?project=web#view_as={ada}"));
}

/// The console shows the reasons of both: of missing rights, and of the view.
#[test]
fn rights_are_those_of_the_user() {
    let mut world = World::new();
    let allowed = |world: &World, by: &User, on, user: Option<Uuid>| {
        let project = (on == PermissionLevel::Project).then(|| by_name("web"));
        let query = PermissionsQuery { on, silo: None, project, user };
        world.cloud.see(by, move |cx, caller| permissions::view(cx, caller, &query)).unwrap().allowed
    };
    let (admin, ada) = (world.admin.clone(), world.ada.clone());
    let may_view_as = |world: &World, by: &User, user: Uuid| {
        allowed(world, by, PermissionLevel::User, Some(user)).contains(&"view_as_begin".to_owned())
    };
    assert!(may_view_as(&world, &admin, ada.id));
    assert!(!may_view_as(&world, &admin, admin.id));
    assert!(!may_view_as(&world, &ada, admin.id));
    let own = allowed(&world, &ada, PermissionLevel::Project, None);
    world.view_as_ada();
    assert_eq!(allowed(&world, &admin, PermissionLevel::Project, None), own);
    assert!(!may_view_as(&world, &admin, admin.id));
}

/// Also where somebody proves with a password who they are.
#[test]
fn no_password_is_changed() {
    let mut world = World::new();
    world.view_as_ada();
    let ada = world.ada.id;
    let set =
        world.cloud.act(&world.admin.clone(), &operation::LOCAL_IDP_USER_SET_PASSWORD, move |cx, caller| {
            user::set_password(cx, caller, &by_name("croft"), ada, &NewPassword::Hash("other".to_owned()))
        });
    assert_eq!(refused(set), (403, REFUSED.to_owned()));
}
