//! Viewing as another user (`docs/rules/identity-and-system.md#view-as`).

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

/// An administrator with a session, and a user who is viewer of the project `web`.
struct Fixture {
    cloud: Cloud,
    admin: User,
    ada: User,
}

const REFUSED: &str = "You view Croft as ada. Changes are not possible; stop viewing first.";

impl Fixture {
    fn new() -> Self {
        let mut cloud = Cloud::new();
        let silo = cloud.admin.silo;
        let (web, _) = (cloud.project("web"), cloud.project("internal"));
        let (admin, ada) = (cloud.user(silo, "grace"), cloud.user(silo, "ada"));
        cloud.grant(RoleIdentity::User(admin.id), RoleScope::Silo(silo), Role::Admin);
        cloud.grant(RoleIdentity::User(ada.id), RoleScope::Project(web.id), Role::Viewer);
        let admin = cloud.browser(&admin);
        // Entries of the audit log with the same time have no order.
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

    /// The user that the session's requests are performed as.
    fn effective_user(&self) -> Uuid {
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

    /// Sets the fleet role that collaborators of the silo have by mapping. In the first silo, administrators have one.
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

    /// The newest entries of the audit log, newest first.
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
    let mut fixture = Fixture::new();
    assert_eq!(fixture.projects(), ["internal", "web"]);
    let viewing = fixture.view_as_ada();
    assert_eq!((viewing.user.id, viewing.user.display_name.as_str()), (fixture.ada.id, "ada"));
    assert_eq!((viewing.administrator.id, viewing.time_begun), (fixture.admin.id, fixture.cloud.now));
    assert_eq!(viewing.time_ends, fixture.cloud.now + SignedDuration::from_hours(1));
    assert_eq!(
        fixture
            .cloud
            .see(&fixture.admin, |cx, caller| view_as::view(cx, caller, possible_in_view))
            .unwrap()
            .viewing,
        Some(viewing)
    );
    assert_eq!(fixture.effective_user(), fixture.ada.id);
    assert_eq!(fixture.projects(), ["web"]);
    let hidden =
        fixture.cloud.see(&fixture.admin, |cx, caller| project::view(cx, caller, &by_name("internal")));
    assert_eq!(refused(hidden), (404, "not found: project with name \"internal\"".to_owned()));
    assert_eq!(refused(fixture.try_project()), (403, REFUSED.to_owned()));
    fixture.end().unwrap();
    assert_eq!((fixture.effective_user(), fixture.projects().len()), (fixture.admin.id, 2));
    assert_eq!(
        fixture
            .cloud
            .see(&fixture.admin, |cx, caller| view_as::view(cx, caller, possible_in_view))
            .unwrap()
            .viewing,
        None
    );
    fixture.try_project().unwrap();
    fixture.end().unwrap();
}

#[test]
fn every_operation_that_changes_something_is_refused_before_its_rule() {
    let mut fixture = Fixture::new();
    let possible = fixture.view_as_ada().possible_operations;
    let is_possible = |operation: &Operation| possible.iter().any(|id| id == operation.id);
    assert!(is_possible(&operation::VIEW_AS_END) && is_possible(&operation::LOGOUT));
    let credentials = fixture.admin.credentials.clone();
    let all = operation::ALL.iter().chain(operation::EXTENSIONS);
    let (effects, looks): (Vec<&Operation>, Vec<_>) = all
        .filter(|operation| **operation != operation::VIEW_AS_END && !operation.is_personal)
        .partition(|operation| operation.has_effect);
    assert!(effects.len() > 150 && looks.len() > 100, "{} {}", effects.len(), looks.len());
    for operation in effects {
        assert!(!is_possible(operation) || *operation == operation::LOGOUT, "{}", operation.id);
        let credentials = credentials.clone();
        let result = fixture.cloud.rule(move |cx| {
            let read = execute::read(cx, &credentials, Some(operation), |_, _| Ok(()));
            assert!(matches!(read, Err(Error::ForbiddenText(_))), "{} is read", operation.id);
            execute::write(cx, &credentials, operation, |_, _| Ok(()))
        });
        assert_eq!(refused(result.unwrap()), (403, REFUSED.to_owned()), "{}", operation.id);
    }
    for operation in looks {
        assert!(is_possible(operation), "{}", operation.id);
        let credentials = credentials.clone();
        let result = fixture
            .cloud
            .rule(move |cx| execute::read(cx, &credentials, Some(operation), |_, caller| Ok(caller.user_id)));
        assert_eq!(result.unwrap(), fixture.ada.id, "{}", operation.id);
    }
}

/// Operations that require a permission to create or modify have an effect, except for previews.
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
    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    let credentials = fixture.admin.credentials.clone();
    for operation in [
        &operation::ACCOUNT_SESSION_LIST,
        &operation::ACCOUNT_SECOND_FACTOR_LIST,
        &operation::ACCOUNT_RECOVERY_CODES_VIEW,
    ] {
        let credentials = credentials.clone();
        let read =
            fixture.cloud.rule(move |cx| execute::read(cx, &credentials, Some(operation), |_, _| Ok(())));
        assert_eq!(refused(read), (403, "You view Croft as ada. Only ada may see this.".to_owned()));
    }
}

#[test]
fn only_administrators_of_the_silo_view_as_its_users() {
    let mut fixture = Fixture::new();
    let silo = fixture.admin.silo;
    let ada = fixture.ada.id;
    for scope in [RoleScope::Silo(silo), RoleScope::Fleet] {
        let user = fixture.cloud.user(silo, if scope == RoleScope::Fleet { "fleet" } else { "silo" });
        fixture.cloud.grant(RoleIdentity::User(user.id), scope, Role::Collaborator);
        let browser = fixture.cloud.browser(&user);
        assert_eq!(refused(fixture.begin(&browser, ada)), (403, "Forbidden".to_owned()));
    }
    let fleet_admin = fixture.cloud.user(silo, "operator");
    fixture.cloud.grant(RoleIdentity::User(fleet_admin.id), RoleScope::Fleet, Role::Admin);
    let browser = fixture.cloud.browser(&fleet_admin);
    assert_eq!(
        refused(fixture.begin(&browser, ada)),
        (403, "Forbidden".to_owned()),
        "an administrator of the fleet has no access to projects"
    );
    let own = fixture.admin.clone();
    let text = "You see Croft as yourself. Choose another user to view as.";
    assert_eq!(refused(fixture.begin(&own, own.id)), (403, text.to_owned()));
    let token = fixture.cloud.token_of(own.id, silo, "grace");
    let text = "A token cannot do this. Sign in to the console to do it.";
    assert_eq!(refused(fixture.begin(&token, ada)), (403, text.to_owned()));
    let ended = fixture.cloud.act(&token, &operation::VIEW_AS_END, view_as::end);
    assert_eq!(refused(ended), (403, text.to_owned()));
    assert_eq!(
        fixture.cloud.see(&token, |cx, caller| view_as::view(cx, caller, possible_in_view)).unwrap().viewing,
        None
    );
}

#[test]
fn users_of_other_silos_are_not_there() {
    let mut fixture = Fixture::new();
    let other = fixture.cloud.silo("other", Resources::default());
    let stranger = fixture.cloud.user(other, "stranger").id;
    let admin = fixture.admin.clone();
    for id in [stranger, Uuid::from_u128(7)] {
        let text = format!("not found: silo-user with id \"{id}\"");
        assert_eq!(refused(fixture.begin(&admin, id)), (404, text));
    }
}

#[test]
fn views_are_not_nested() {
    let mut fixture = Fixture::new();
    let silo = fixture.admin.silo;
    fixture.cloud.grant(RoleIdentity::User(fixture.ada.id), RoleScope::Silo(silo), Role::Admin);
    let other = fixture.cloud.user(silo, "lin").id;
    fixture.view_as_ada();
    let admin = fixture.admin.clone();
    assert_eq!(refused(fixture.begin(&admin, other)), (403, REFUSED.to_owned()));
    assert_eq!(refused(fixture.begin(&admin, fixture.ada.id)), (403, REFUSED.to_owned()));
}

#[test]
fn nobody_views_as_somebody_with_more_rights() {
    let mut fixture = Fixture::new();
    let (silo, admin) = (fixture.admin.silo, fixture.admin.clone());
    fixture.map_collaborators(None);
    let text = |name: &str| {
        (
            403,
            format!(
                "{name} has a role on the fleet that goes beyond yours. You cannot view Croft as this user."
            ),
        )
    };
    let operator = fixture.cloud.user(silo, "operator");
    fixture.cloud.grant(RoleIdentity::User(operator.id), RoleScope::Fleet, Role::Viewer);
    assert_eq!(refused(fixture.begin(&admin, operator.id)), text("operator"));
    let member = fixture.cloud.user(silo, "member");
    let group = fixture.cloud.group(silo, "operators", &[&member]);
    fixture.cloud.grant(RoleIdentity::Group(group), RoleScope::Fleet, Role::Admin);
    assert_eq!(refused(fixture.begin(&admin, member.id)), text("member"));
    fixture.cloud.grant(RoleIdentity::User(admin.id), RoleScope::Fleet, Role::Collaborator);
    assert_eq!(refused(fixture.begin(&admin, member.id)), text("member"));
    fixture.begin(&admin, operator.id).unwrap();
    assert_eq!(fixture.effective_user(), operator.id);
}

#[test]
fn the_user_getting_more_rights_ends_the_view() {
    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    let silo = fixture.admin.silo;
    fixture.cloud.grant(RoleIdentity::User(fixture.ada.id), RoleScope::Silo(silo), Role::Collaborator);
    assert_eq!(fixture.projects(), ["internal", "web"], "rights follow changes of the user's roles");
    fixture.map_collaborators(Some(FleetRole::Admin));
    assert_eq!(fixture.effective_user(), fixture.ada.id, "the administrator has that role, too");
    fixture.cloud.grant(RoleIdentity::User(fixture.ada.id), RoleScope::Fleet, Role::Admin);
    assert_eq!(fixture.effective_user(), fixture.ada.id);
    fixture.map_collaborators(None);
    assert_eq!(fixture.effective_user(), fixture.admin.id);
}

#[test]
fn a_lost_right_ends_the_view_for_good() {
    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    let (admin, silo) = (fixture.admin.id, fixture.admin.silo);
    fixture.revoke(admin);
    assert_eq!(fixture.effective_user(), admin);
    fixture.cloud.grant(RoleIdentity::User(admin), RoleScope::Silo(silo), Role::Admin);
    assert_eq!(fixture.effective_user(), admin, "ended before the end is stored");
    assert_eq!(fixture.stored_view(), Some(fixture.ada.id));
    fixture.cloud.pass_seconds(120);
    assert_eq!(fixture.stored_view(), None);
    assert_eq!(fixture.effective_user(), admin);
    let entry = &fixture.log(1)[0];
    assert_eq!(entry.operation_id, "view_as_expire");
    assert_eq!(entry.actor, AuditActor::SiloUser { silo_user_id: admin, silo_id: silo });
    assert_eq!(entry.viewed_as, Some(fixture.ada.id));
    fixture.view_as_ada();
    assert_eq!(fixture.effective_user(), fixture.ada.id, "a new view can be started");
}

#[test]
fn a_view_ends_after_an_hour() {
    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    fixture.cloud.now += SignedDuration::from_mins(59);
    assert_eq!(fixture.effective_user(), fixture.ada.id);
    fixture.cloud.now += SignedDuration::from_mins(1);
    assert_eq!(fixture.effective_user(), fixture.admin.id);
    fixture.try_project().unwrap();
    fixture.cloud.pass_seconds(120);
    assert_eq!(fixture.stored_view(), None);
}

#[test]
fn a_view_ends_with_the_user_and_with_the_session() {
    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    let ada = fixture.ada.id;
    fixture.cloud.rule(move |cx| Ok(cx.tx.remove::<SiloUser>(ada, cx.now)?)).unwrap();
    assert_eq!(fixture.effective_user(), fixture.admin.id);

    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    let credentials = fixture.admin.credentials.clone();
    fixture.cloud.now += SignedDuration::from_secs(1);
    fixture.cloud.rule(move |cx| session::logout(cx, &credentials)).unwrap();
    assert!(fixture.cloud.see(&fixture.admin, me::view).is_err());
    let again = fixture.cloud.browser(&fixture.admin.clone());
    assert_eq!(fixture.cloud.see(&again, me::view).unwrap().id, fixture.admin.id);
    let entry = &fixture.log(1)[0];
    assert_eq!(entry.operation_id, "logout");
    let silo_id = fixture.admin.silo;
    assert_eq!(entry.actor, AuditActor::SiloUser { silo_user_id: fixture.admin.id, silo_id });
}

#[test]
fn other_sessions_and_those_of_the_user_are_not_touched() {
    let mut fixture = Fixture::new();
    let (other, ada) =
        (fixture.cloud.browser(&fixture.admin.clone()), fixture.cloud.browser(&fixture.ada.clone()));
    fixture.view_as_ada();
    fixture.cloud.now += SignedDuration::from_mins(5);
    assert_eq!(fixture.effective_user(), fixture.ada.id);
    assert_eq!(fixture.cloud.see(&other, me::view).unwrap().id, fixture.admin.id);
    let query =
        || PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after: None, limit: 100 };
    let own =
        fixture.cloud.see(&ada, move |cx, caller| session::own_list(cx, caller, &query())).unwrap().items;
    assert_eq!(own.len(), 1);
    let token = &fixture.ada.clone();
    fixture
        .cloud
        .act(token, &operation::USER_VIEW, |cx, caller| user::view(cx, caller, caller.user_id))
        .unwrap();
    let changed = fixture.cloud.act(&ada, &operation::CURRENT_USER_SSH_KEY_CREATE, |cx, caller| {
        let key = json!({ "name": "laptop", "description": "", "public_key": "ssh-ed25519 AAAA" });
        croft_control::ssh_key::create(cx, caller, &serde_json::from_value(key).unwrap())
    });
    changed.unwrap();
}

#[test]
fn the_audit_log_names_the_administrator_and_the_user() {
    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    let (ada, silo_id) = (fixture.ada.id, fixture.admin.silo);
    fixture.cloud.now += SignedDuration::from_secs(1);
    fixture.try_project().unwrap_err();
    fixture.cloud.now += SignedDuration::from_secs(1);
    fixture.end().unwrap();
    fixture.cloud.now += SignedDuration::from_secs(1);
    fixture.map_collaborators(None);
    let operator = fixture.cloud.user(silo_id, "operator").id;
    fixture.cloud.grant(RoleIdentity::User(operator), RoleScope::Fleet, Role::Viewer);
    let admin = fixture.admin.clone();
    fixture.begin(&admin, operator).unwrap_err();
    let log = fixture.log(4);
    let entries: Vec<_> =
        log.iter().map(|entry| (entry.operation_id.as_str(), entry.viewed_as, has_failed(entry))).collect();
    assert_eq!(
        entries,
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
    let cloud_admin = fixture.cloud.admin.clone();
    fixture.cloud.grant(RoleIdentity::User(cloud_admin.id), RoleScope::Fleet, Role::Viewer);
    let query = PageQuery {
        selector: croft_api::audit::AuditLogSelector {
            start_time: jiff::Timestamp::UNIX_EPOCH,
            end_time: None,
        },
        sort: croft_api::page::TimeAndIdSortMode::TimeAndIdDescending,
        after: None,
        limit: 2,
    };
    let shown = fixture
        .cloud
        .see(&cloud_admin, move |cx, caller| croft_control::audit::list(cx, caller, &query))
        .unwrap();
    assert_eq!(shown.items[1].request_uri, format!("/v1/test?project=web#view_as={ada}"));
}

/// The console uses these to explain both missing rights and the view.
#[test]
fn rights_are_those_of_the_user() {
    let mut fixture = Fixture::new();
    let allowed = |fixture: &Fixture, by: &User, on, user: Option<Uuid>| {
        let project = (on == PermissionLevel::Project).then(|| by_name("web"));
        let query = PermissionsQuery { on, silo: None, project, user };
        fixture.cloud.see(by, move |cx, caller| permissions::view(cx, caller, &query)).unwrap().allowed
    };
    let (admin, ada) = (fixture.admin.clone(), fixture.ada.clone());
    let may_view_as = |fixture: &Fixture, by: &User, user: Uuid| {
        allowed(fixture, by, PermissionLevel::User, Some(user)).contains(&"view_as_begin".to_owned())
    };
    assert!(may_view_as(&fixture, &admin, ada.id));
    assert!(!may_view_as(&fixture, &admin, admin.id));
    assert!(!may_view_as(&fixture, &ada, admin.id));
    let own = allowed(&fixture, &ada, PermissionLevel::Project, None);
    fixture.view_as_ada();
    assert_eq!(allowed(&fixture, &admin, PermissionLevel::Project, None), own);
    assert!(!may_view_as(&fixture, &admin, admin.id));
}

/// Operations that verify the caller's password are refused, too.
#[test]
fn no_password_is_changed() {
    let mut fixture = Fixture::new();
    fixture.view_as_ada();
    let ada = fixture.ada.id;
    let set = fixture.cloud.act(
        &fixture.admin.clone(),
        &operation::LOCAL_IDP_USER_SET_PASSWORD,
        move |cx, caller| {
            user::set_password(cx, caller, &by_name("croft"), ada, &NewPassword::Hash("other".to_owned()))
        },
    );
    assert_eq!(refused(set), (403, REFUSED.to_owned()));
}
