//! Property test: no sequence of operations gives a user more rights than others gave them.

use std::collections::{BTreeMap, BTreeSet};

use croft_api::{
    Result,
    policy::{FleetRolePolicy, ProjectRolePolicy, SiloRolePolicy},
    scalar::NameOrId,
    silo::SiloCreate,
};
use croft_control::{
    authz::{self, KINDS, Permission, ResourceScope},
    operation, policy, project, saml, silo,
    user::{self, NewPassword},
};
use croft_saml::testing::TestKey;
use croft_store::{
    ListBy, Sort,
    records::{
        FleetRole, IdentityMode, Resources, Role, RoleIdentity, RoleScope, SamlIdentityProvider, Silo,
        SiloRole,
    },
};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

/// A cloud with users of every role in silos of every kind.
struct Fixture {
    cloud: Cloud,
    silos: Vec<Uuid>,
    projects: Vec<(Uuid, Uuid)>,
    users: Vec<User>,
    groups: Vec<Uuid>,
    /// The users whose actions are checked, by kind.
    people: Vec<usize>,
    created: u32,
}

/// The rights of a user: operations on objects.
type Rights = BTreeSet<(usize, Option<Uuid>, Option<Uuid>, usize)>;

const ROLES: [Role; 3] = [Role::Viewer, Role::Collaborator, Role::Admin];

impl Fixture {
    fn new() -> Self {
        let mut cloud = Cloud::new();
        let first = cloud.admin.silo;
        let plain = cloud.silo("plain", Resources::default());
        let viewing = cloud.silo("viewing", Resources::default());
        let corp = cloud.silo("corp", Resources::default());
        cloud
            .rule(move |cx| {
                let mut silo: Silo = cx.tx.get(viewing)?.unwrap();
                silo.mapped_fleet_roles = BTreeMap::from([
                    (SiloRole::Viewer, BTreeSet::from([FleetRole::Viewer])),
                    (SiloRole::Admin, BTreeSet::from([FleetRole::Collaborator])),
                ]);
                cx.tx.update(&mut silo)?;
                let mut silo: Silo = cx.tx.get(corp)?.unwrap();
                silo.identity_mode = IdentityMode::SamlJit;
                Ok(cx.tx.update(&mut silo)?)
            })
            .unwrap();
        let mut fixture = Self {
            cloud,
            silos: vec![first, plain, viewing, corp],
            projects: Vec::new(),
            users: Vec::new(),
            groups: Vec::new(),
            people: Vec::new(),
            created: 0,
        };
        for silo in fixture.silos.clone() {
            fixture.populate(silo);
        }
        fixture
    }

    /// In each silo: users with each role on the silo, on the fleet and on a project, directly and through a group, and
    /// one without roles.
    fn populate(&mut self, silo: Uuid) {
        let admin = self.add(silo);
        self.cloud.grant(RoleIdentity::User(admin.id), RoleScope::Silo(silo), Role::Admin);
        let params = json!({ "name": "work", "description": "" });
        let params = serde_json::from_value(params).unwrap();
        let project = self
            .cloud
            .act(&admin, &operation::PROJECT_CREATE, move |cx, caller| project::create(cx, caller, &params))
            .unwrap();
        self.projects.push((silo, project.id));
        self.add(silo);
        for scope in [RoleScope::Silo(silo), RoleScope::Fleet, RoleScope::Project(project.id)] {
            for role in ROLES {
                let user = self.add(silo);
                self.cloud.grant(RoleIdentity::User(user.id), scope, role);
            }
        }
        for (name, scope) in [("fleet", RoleScope::Fleet), ("silo", RoleScope::Silo(silo))] {
            let user = self.add(silo);
            let group = self.cloud.group(silo, name, &[&user]);
            self.cloud.grant(RoleIdentity::Group(group), scope, Role::Collaborator);
            self.groups.push(group);
        }
    }

    fn add(&mut self, silo: Uuid) -> User {
        self.created += 1;
        let name: &'static str = Box::leak(format!("user-{}", self.created).into_boxed_str());
        let user = self.cloud.user(silo, name);
        self.users.push(user.clone());
        self.people.push(self.users.len() - 1);
        user
    }

    fn permits(&self, user: &User, place: ResourceScope, permission: Permission) -> bool {
        self.cloud.see(user, move |cx, caller| authz::permits(cx, caller, &place, permission)).unwrap()
    }

    fn administers_fleet(&self, user: &User) -> bool {
        self.permits(user, ResourceScope::fleet(authz::Kind::FLEET), Permission::Modify)
    }

    /// All rights of a user, except those on the user's own objects.
    fn rights(&self, user: &User) -> Rights {
        let places = self.projects.iter().map(|(silo, project)| (Some(*silo), Some(*project)));
        let places = places.chain(self.silos.iter().map(|silo| (Some(*silo), None))).chain([(None, None)]);
        let places: Vec<_> = places.collect();
        let seen = self.cloud.see(user, move |cx, caller| {
            let mut rights = Rights::new();
            for (position, kind) in KINDS.iter().enumerate() {
                for (silo, project) in &places {
                    let place = ResourceScope { kind: *kind, silo: *silo, project: *project, owner: None };
                    for (number, permission) in Permission::ALL.into_iter().enumerate() {
                        if authz::permits(cx, caller, &place, permission)? {
                            rights.insert((position, *silo, *project, number));
                        }
                    }
                }
            }
            Ok(rights)
        });
        seen.unwrap()
    }
}

/// A random operation, with numbers that select its objects.
#[derive(Clone, Debug)]
enum Step {
    SiloPolicy { silo: usize, named: bool, entries: Vec<(usize, bool, usize)> },
    ProjectPolicy { entries: Vec<(usize, bool, usize)> },
    FleetPolicy { entries: Vec<(usize, bool, usize)> },
    SetPassword { user: usize },
    AddUser { silo: usize },
    AddProvider { silo: usize },
    ChangeProvider { silo: usize, delete: bool },
    AddSilo { mapped: bool, saml: bool },
}

fn steps() -> impl Strategy<Value = Step> {
    let entries = || prop::collection::vec((0..200_usize, any::<bool>(), 0..3_usize), 0..4);
    prop_oneof![
        (0..8_usize, any::<bool>(), entries()).prop_map(|(silo, named, entries)| Step::SiloPolicy {
            silo,
            named,
            entries
        }),
        entries().prop_map(|entries| Step::ProjectPolicy { entries }),
        entries().prop_map(|entries| Step::FleetPolicy { entries }),
        (0..200_usize).prop_map(|user| Step::SetPassword { user }),
        (0..8_usize).prop_map(|silo| Step::AddUser { silo }),
        (0..8_usize).prop_map(|silo| Step::AddProvider { silo }),
        (0..8_usize, any::<bool>()).prop_map(|(silo, delete)| Step::ChangeProvider { silo, delete }),
        (any::<bool>(), any::<bool>()).prop_map(|(mapped, saml)| Step::AddSilo { mapped, saml }),
    ]
}

impl Fixture {
    /// A policy that replaces all assignments by these, including one of the caller.
    fn policy(&self, actor: &User, entries: &[(usize, bool, usize)]) -> Value {
        let entries: Vec<_> = entries
            .iter()
            .map(|(who, is_group, role)| {
                let (id, kind) = match (who % 3, is_group) {
                    (0, _) => (actor.id, "silo_user"),
                    (_, true) => (self.groups[who % self.groups.len()], "silo_group"),
                    (_, false) => (self.users[who % self.users.len()].id, "silo_user"),
                };
                let role = ["viewer", "collaborator", "admin"][*role];
                json!({ "identity_id": id, "identity_type": kind, "role_name": role })
            })
            .collect();
        json!({ "role_assignments": entries })
    }

    /// Performs a step. Returns the users that the actor can act as afterwards, or `None` if it was refused.
    fn attempt(&mut self, actor: &User, step: &Step) -> Option<Vec<User>> {
        match step {
            Step::SiloPolicy { silo, named, entries } => {
                let policy: SiloRolePolicy = serde_json::from_value(self.policy(actor, entries)).unwrap();
                let silo = NameOrId::Id(self.silos[silo % self.silos.len()]);
                let set = if *named {
                    self.cloud.act(actor, &operation::SILO_POLICY_UPDATE, move |cx, caller| {
                        policy::silo_update(cx, caller, &silo, &policy)
                    })
                } else {
                    self.cloud.act(actor, &operation::POLICY_UPDATE, move |cx, caller| {
                        policy::own_silo_update(cx, caller, &policy)
                    })
                };
                set.is_ok().then(Vec::new)
            }
            Step::ProjectPolicy { entries } => {
                let policy: ProjectRolePolicy = serde_json::from_value(self.policy(actor, entries)).unwrap();
                let set = self.cloud.act(actor, &operation::PROJECT_POLICY_UPDATE, move |cx, caller| {
                    policy::project_update(cx, caller, &by_name("work"), &policy)
                });
                set.is_ok().then(Vec::new)
            }
            Step::FleetPolicy { entries } => {
                let policy: FleetRolePolicy = serde_json::from_value(self.policy(actor, entries)).unwrap();
                let set = self.cloud.act(actor, &operation::SYSTEM_POLICY_UPDATE, move |cx, caller| {
                    policy::fleet_update(cx, caller, &policy)
                });
                set.is_ok().then(Vec::new)
            }
            Step::SetPassword { user } => {
                let index = user % self.users.len();
                let user = self.users[index].clone();
                let (silo, id) = (NameOrId::Id(user.silo), user.id);
                let set =
                    self.cloud.act(actor, &operation::LOCAL_IDP_USER_SET_PASSWORD, move |cx, caller| {
                        user::set_password(cx, caller, &silo, id, &NewPassword::Hash("known".to_owned()))
                    });
                set.is_ok().then(|| {
                    // The old tokens are deleted. With the new password, the actor can sign in as the user.
                    self.users[index] = self.cloud.browser(&user);
                    vec![self.users[index].clone()]
                })
            }
            Step::AddUser { silo } => self.add_user(actor, *silo),
            Step::AddProvider { silo } => self.add_provider(actor, *silo),
            Step::ChangeProvider { silo, delete } => self.change_provider(actor, *silo, *delete),
            Step::AddSilo { mapped, saml } => self.add_silo(actor, *mapped, *saml),
        }
    }

    fn add_user(&mut self, actor: &User, silo: usize) -> Option<Vec<User>> {
        let id = self.silos[silo % self.silos.len()];
        self.created += 1;
        let name: &'static str = Box::leak(format!("new-{}", self.created).into_boxed_str());
        let silo = NameOrId::Id(id);
        let added = self.cloud.act(actor, &operation::LOCAL_IDP_USER_CREATE, move |cx, caller| {
            user::local_create(cx, caller, &silo, &name.parse().unwrap(), &NewPassword::Disallowed)
        });
        let added = added.ok()?;
        let user = self.cloud.token_of(added.id, id, name);
        self.users.push(user.clone());
        Some(vec![user])
    }

    /// Creating a provider makes it possible to sign in as any user of the silo.
    fn add_provider(&mut self, actor: &User, silo: usize) -> Option<Vec<User>> {
        self.created += 1;
        let id = self.silos[silo % self.silos.len()];
        let params = json!({
            "name": format!("idp-{}", self.created), "description": "", "acs_url": "x", "slo_url": "x",
            "idp_entity_id": "x", "sp_client_id": "x", "technical_contact_email": "x",
            "group_attribute_name": "groups",
            "idp_metadata_source": { "type": "base64_encoded_xml", "data": "" },
        });
        let params = serde_json::from_value(params).unwrap();
        let metadata = Ok(TestKey::Rsa.metadata("https://idp.example/sso"));
        let silo = NameOrId::Id(id);
        let added = self.cloud.act(actor, &operation::SAML_IDENTITY_PROVIDER_CREATE, move |cx, caller| {
            saml::create(cx, caller, &silo, &params, &metadata)
        });
        added.ok()?;
        Some(self.users.iter().filter(|user| user.silo == id).cloned().collect())
    }

    /// Replacing the metadata of a silo's first provider makes it possible to sign in as any user of the silo.
    fn change_provider(&mut self, actor: &User, silo: usize, delete: bool) -> Option<Vec<User>> {
        let id = self.silos[silo % self.silos.len()];
        let found = self.cloud.db.read_blocking(move |tx| {
            tx.page::<SamlIdentityProvider>(ListBy::Parent(id), Sort::NameAsc, None, 1)
        });
        let provider = NameOrId::Id(found.unwrap().first()?.meta.id);
        if delete {
            let deleted =
                self.cloud.act(actor, &operation::SAML_IDENTITY_PROVIDER_DELETE, move |cx, caller| {
                    saml::delete(cx, caller, &provider, None)
                });
            return deleted.is_ok().then(Vec::new);
        }
        let params = json!({ "idp_metadata_source": { "type": "base64_encoded_xml", "data": "" } });
        let params = serde_json::from_value(params).unwrap();
        let metadata = Ok(Some(TestKey::OtherRsa.metadata("https://idp.example/sso")));
        let changed = self.cloud.act(actor, &operation::SAML_IDENTITY_PROVIDER_UPDATE, move |cx, caller| {
            saml::update(cx, caller, &provider, None, &params, &metadata)
        });
        changed.ok()?;
        Some(self.users.iter().filter(|user| user.silo == id).cloned().collect())
    }

    fn add_silo(&mut self, actor: &User, mapped: bool, saml: bool) -> Option<Vec<User>> {
        self.created += 1;
        let params: SiloCreate = serde_json::from_value(json!({
            "name": format!("silo-{}", self.created), "description": "", "discoverable": true,
            "identity_mode": if saml { "saml_jit" } else { "local_only" },
            "quotas": { "cpus": 1, "memory": 0, "storage": 0 }, "tls_certificates": [],
            "admin_group_name": "admins",
            "mapped_fleet_roles": if mapped { json!({ "admin": ["admin"] }) } else { json!({}) },
        }))
        .unwrap();
        let added = self
            .cloud
            .act(actor, &operation::SILO_CREATE, move |cx, caller| silo::create(cx, caller, &params));
        // Not added to `silos`, because rights in a new silo are not gained from others.
        assert!(!mapped || added.is_err());
        added.is_ok().then(Vec::new)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// One of these users performs random operations. Their rights at the end, including those of users whose password
    /// they have set, must not exceed those at the start. Administrators of the fleet are excluded, because they may
    /// grant rights to themselves.
    #[test]
    fn users_cannot_raise_their_own_rights(
        actor in 0..200_usize,
        steps in prop::collection::vec(steps(), 1..16),
    ) {
        let mut fixture = Fixture::new();
        let people = fixture.people.clone();
        let actor = fixture.users[people[actor % people.len()]].clone();
        if fixture.administers_fleet(&actor) {
            return Ok(());
        }
        let before = fixture.rights(&actor);
        let mut actors = vec![actor];
        for step in &steps {
            let mut has_changed = false;
            for actor in actors.clone() {
                let Some(gained) = fixture.attempt(&actor, step) else { continue };
                has_changed = true;
                for user in gained {
                    match actors.iter_mut().find(|known| known.id == user.id) {
                        Some(known) => *known = user,
                        None => actors.push(user),
                    }
                }
            }
            for user in actors.iter().filter(|_| has_changed) {
                let more: Vec<_> = fixture.rights(user).difference(&before).copied().collect();
                prop_assert!(more.is_empty(), "{:?} gave {:?}", step, more);
            }
        }
    }
}

fn silo_policy(user: &User, role: &str) -> SiloRolePolicy {
    serde_json::from_value(json!({ "role_assignments": [
        { "identity_id": user.id, "identity_type": "silo_user", "role_name": role },
    ] }))
    .unwrap()
}

fn fleet_policy(entries: &[(Uuid, &str, &str)]) -> FleetRolePolicy {
    let entries: Vec<_> = entries
        .iter()
        .map(|(id, kind, role)| json!({ "identity_id": id, "identity_type": kind, "role_name": role }))
        .collect();
    serde_json::from_value(json!({ "role_assignments": entries })).unwrap()
}

fn set_fleet(cloud: &mut Cloud, user: &User, entries: &[(Uuid, &str, &str)]) -> Result<FleetRolePolicy> {
    let policy = fleet_policy(entries);
    cloud.act(user, &operation::SYSTEM_POLICY_UPDATE, move |cx, caller| {
        policy::fleet_update(cx, caller, &policy)
    })
}

#[test]
fn a_fleet_collaborator_cannot_become_an_administrator_through_a_silo() {
    let mut cloud = Cloud::new();
    let first = cloud.admin.silo;
    let plain = cloud.silo("plain", Resources::default());
    let (here, there) = (cloud.user(first, "here"), cloud.user(plain, "there"));
    for user in [&here, &there] {
        cloud.grant(RoleIdentity::User(user.id), RoleScope::Fleet, Role::Collaborator);
    }
    let set = |cloud: &mut Cloud, by: &User, silo: Uuid, user: &User| {
        let (silo, policy) = (NameOrId::Id(silo), silo_policy(user, "admin"));
        cloud.act(by, &operation::SILO_POLICY_UPDATE, move |cx, caller| {
            policy::silo_update(cx, caller, &silo, &policy)
        })
    };
    // Administrators of the first silo are administrators of the fleet.
    assert_eq!(refused(set(&mut cloud, &here, first, &here)).0, 403);
    assert_eq!(refused(set(&mut cloud, &there, first, &here)).0, 403);
    let policy = silo_policy(&here, "admin");
    let own = cloud.act(&here, &operation::POLICY_UPDATE, move |cx, caller| {
        policy::own_silo_update(cx, caller, &policy)
    });
    assert_eq!(refused(own).0, 403);
    // Operators can grant roles on other silos, but not to themselves.
    assert_eq!(refused(set(&mut cloud, &there, plain, &there)).0, 403);
    let other = cloud.user(plain, "other");
    set(&mut cloud, &there, plain, &other).unwrap();
    // Administrators of the fleet can do all of this.
    let admin = cloud.admin.clone();
    cloud.grant(RoleIdentity::User(admin.id), RoleScope::Fleet, Role::Admin);
    set(&mut cloud, &admin, first, &here).unwrap();
}

#[test]
fn silo_administrator_cannot_take_over_a_fleet_administrator() {
    let mut cloud = Cloud::new();
    let plain = cloud.silo("plain", Resources::default());
    let (admin, operator, user) =
        (cloud.user(plain, "admin"), cloud.user(plain, "operator"), cloud.user(plain, "user"));
    cloud.grant(RoleIdentity::User(admin.id), RoleScope::Silo(plain), Role::Admin);
    let group = cloud.group(plain, "operators", &[&operator]);
    cloud.grant(RoleIdentity::Group(group), RoleScope::Fleet, Role::Viewer);
    let set = |cloud: &mut Cloud, by: &User, user: &User| {
        let (silo, id) = (NameOrId::Id(plain), user.id);
        cloud.act(by, &operation::LOCAL_IDP_USER_SET_PASSWORD, move |cx, caller| {
            user::set_password(cx, caller, &silo, id, &NewPassword::Hash("known".to_owned()))
        })
    };
    set(&mut cloud, &admin, &user).unwrap();
    assert_eq!(refused(set(&mut cloud, &admin, &operator)).0, 403);
    let browser = cloud.browser(&operator);
    set(&mut cloud, &browser, &operator).unwrap();
    let fleet = cloud.admin.clone();
    set(&mut cloud, &fleet, &operator).unwrap();

    // Nor by adding an identity provider.
    cloud
        .rule(move |cx| {
            let mut silo: Silo = cx.tx.get(plain)?.unwrap();
            silo.identity_mode = IdentityMode::SamlJit;
            Ok(cx.tx.update(&mut silo)?)
        })
        .unwrap();
    let may = |cloud: &Cloud, user: &User| {
        cloud.see(user, move |cx, caller| saml::may_create(cx, caller, &NameOrId::Id(plain)).map(|_| ()))
    };
    assert_eq!(refused(may(&cloud, &admin)).0, 403);
    may(&cloud, &fleet).unwrap();
    cloud.grant(RoleIdentity::User(admin.id), RoleScope::Fleet, Role::Viewer);
    may(&cloud, &admin).unwrap();
}

#[test]
fn the_fleet_policy_refuses_unknown_identities() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let eve = cloud.user(admin.silo, "eve");
    let nobody = Uuid::from_u128(5);
    for (id, kind, word) in
        [(nobody, "silo_user", "user"), (nobody, "silo_group", "group"), (eve.id, "silo_group", "group")]
    {
        let (status, text) = refused(set_fleet(&mut cloud, &admin, &[(id, kind, "viewer")]));
        assert_eq!((status, text), (400, format!("the policy names a {word} that does not exist: {id}")));
    }
    set_fleet(&mut cloud, &admin, &[(eve.id, "silo_user", "viewer")]).unwrap();
    let silo = NameOrId::Id(admin.silo);
    let id = eve.id;
    cloud
        .act(&admin, &operation::LOCAL_IDP_USER_DELETE, move |cx, caller| {
            user::local_delete(cx, caller, &silo, id)
        })
        .unwrap();
    // A policy can be sent back as it was returned.
    set_fleet(&mut cloud, &admin, &[(eve.id, "silo_user", "viewer")]).unwrap();
    set_fleet(&mut cloud, &admin, &[]).unwrap();
    assert_eq!(refused(set_fleet(&mut cloud, &admin, &[(eve.id, "silo_user", "viewer")])).0, 400);
}

#[test]
fn the_fleet_keeps_an_administrator_who_can_sign_in() {
    let text = "this would leave no fleet administrator who can sign in; assign the role admin on the fleet \
                to another user who can sign in first";
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let plain = cloud.silo("plain", Resources::default());
    let other = cloud.user(plain, "other");
    let locked = cloud.user(plain, "locked");
    let (silo, id) = (NameOrId::Id(plain), locked.id);
    cloud
        .act(&admin, &operation::LOCAL_IDP_USER_SET_PASSWORD, move |cx, caller| {
            user::set_password(cx, caller, &silo, id, &NewPassword::Disallowed)
        })
        .unwrap();
    let empty: SiloRolePolicy = serde_json::from_value(json!({ "role_assignments": [] })).unwrap();
    let leave = move |cloud: &mut Cloud| {
        let policy = empty.clone();
        cloud.act(&cloud.admin.clone(), &operation::POLICY_UPDATE, move |cx, caller| {
            policy::own_silo_update(cx, caller, &policy)
        })
    };
    assert_eq!(refused(leave(&mut cloud)), (400, text.to_owned()));
    // Users who cannot sign in do not count, and neither do empty groups.
    let group = cloud.group(plain, "empty", &[]);
    set_fleet(&mut cloud, &admin, &[(locked.id, "silo_user", "admin"), (group, "silo_group", "admin")])
        .unwrap();
    assert_eq!(refused(leave(&mut cloud)), (400, text.to_owned()));
    cloud.join(plain, group, &other);
    leave(&mut cloud).unwrap();
    // Now the group is the only source of the role.
    let (status, _) = refused(set_fleet(&mut cloud, &other, &[(locked.id, "silo_user", "admin")]));
    assert_eq!(status, 400);
    assert_eq!(refused(set_fleet(&mut cloud, &other, &[])), (400, text.to_owned()));
    assert_eq!(
        cloud.see(&other, policy::fleet_view).unwrap().role_assignments.len(),
        2,
        "the policy is unchanged"
    );
}

fn delete_user(cloud: &mut Cloud, by: &User, silo: Uuid, id: Uuid) -> Result<()> {
    cloud.act(by, &operation::LOCAL_IDP_USER_DELETE, move |cx, caller| {
        user::local_delete(cx, caller, &NameOrId::Id(silo), id)
    })
}

fn take_password(cloud: &mut Cloud, by: &User, silo: Uuid, id: Uuid) -> Result<()> {
    cloud.act(by, &operation::LOCAL_IDP_USER_SET_PASSWORD, move |cx, caller| {
        user::set_password(cx, caller, &NameOrId::Id(silo), id, &NewPassword::Disallowed)
    })
}

fn delete_silo(cloud: &mut Cloud, by: &User, silo: Uuid) -> Result<()> {
    cloud.act(by, &operation::SILO_DELETE, move |cx, caller| silo::delete(cx, caller, &NameOrId::Id(silo)))
}

#[test]
fn last_fleet_administrator_is_kept_for_every_source_of_the_role() {
    let left_alone = (
        400,
        "this would leave no fleet administrator who can sign in; assign the role admin on the fleet to \
         another user who can sign in first"
            .to_owned(),
    );
    // The first administrator has the role through the mapping of the first silo.
    let mut cloud = Cloud::new();
    let (admin, first) = (cloud.admin.clone(), cloud.admin.silo);
    let second = cloud.user(first, "second");
    cloud.grant(RoleIdentity::User(second.id), RoleScope::Silo(first), Role::Admin);
    take_password(&mut cloud, &second, first, admin.id).unwrap();
    assert_eq!(refused(delete_user(&mut cloud, &second, first, second.id)), left_alone);
    let own = cloud.see(&second, |_, _| Ok(())).map(|()| second.id).unwrap();
    assert_eq!(own, second.id, "the refused deletion changes nothing");
    delete_user(&mut cloud, &second, first, admin.id).unwrap();
    assert_eq!(refused(delete_user(&mut cloud, &second, first, second.id)), left_alone);
    assert_eq!(refused(delete_silo(&mut cloud, &second, first)), left_alone);

    // In another silo: directly and through a group.
    let other = cloud.silo("other", Resources::default());
    let (direct, member) = (cloud.user(other, "direct"), cloud.user(other, "member"));
    let group = cloud.group(other, "operators", &[&member]);
    cloud.grant(RoleIdentity::User(direct.id), RoleScope::Fleet, Role::Admin);
    cloud.grant(RoleIdentity::User(direct.id), RoleScope::Silo(other), Role::Admin);
    cloud.grant(RoleIdentity::Group(group), RoleScope::Fleet, Role::Admin);
    delete_silo(&mut cloud, &direct, first).unwrap();
    delete_user(&mut cloud, &direct, other, direct.id).unwrap();
    cloud.grant(RoleIdentity::User(member.id), RoleScope::Silo(other), Role::Admin);
    assert_eq!(refused(delete_user(&mut cloud, &member, other, member.id)), left_alone);
    assert_eq!(refused(delete_silo(&mut cloud, &member, other)), left_alone);
    // A user without a role on the fleet can be deleted.
    let plain = cloud.user(other, "plain");
    take_password(&mut cloud, &member, other, plain.id).unwrap();
    delete_user(&mut cloud, &member, other, plain.id).unwrap();
}
