//! Users and groups.

use croft_api::{
    Error, Result,
    page::{IdSortMode, Marker, PageQuery},
    scalar::{NameOrId, UserId},
    silo::SiloSelector,
    user::{OptionalGroupSelector, User as UserView},
};
use croft_control::{
    Credentials, group, login, me, operation, policy,
    user::{self, NewPassword},
};
use croft_store::records::{IdentityMode, Resources, Role, RoleIdentity, RoleScope, Silo, SiloUser};
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

fn hash(text: &str) -> NewPassword {
    NewPassword::Hash(text.to_owned())
}

fn create(
    cloud: &mut Cloud,
    by: &User,
    silo: NameOrId,
    name: &str,
    password: NewPassword,
) -> Result<UserView> {
    let name: UserId = name.parse().unwrap();
    cloud.act(by, &operation::LOCAL_IDP_USER_CREATE, move |cx, caller| {
        user::local_create(cx, caller, &silo, &name, &password)
    })
}

fn delete(cloud: &mut Cloud, by: &User, silo: NameOrId, id: Uuid) -> Result<()> {
    cloud.act(by, &operation::LOCAL_IDP_USER_DELETE, move |cx, caller| {
        user::local_delete(cx, caller, &silo, id)
    })
}

fn set_password(cloud: &mut Cloud, by: &User, silo: NameOrId, id: Uuid, password: NewPassword) -> Result<()> {
    cloud.act(by, &operation::LOCAL_IDP_USER_SET_PASSWORD, move |cx, caller| {
        user::set_password(cx, caller, &silo, id, &password)
    })
}

/// The hash that `login_local` checks passwords against.
fn stored_hash(cloud: &mut Cloud, silo: &'static str, name: &'static str) -> Option<String> {
    cloud
        .rule(move |cx| {
            let challenge = login::prepare(cx, &silo.parse().unwrap(), &name.parse().unwrap())?;
            Ok(challenge.password_hash().map(str::to_owned))
        })
        .unwrap()
}

fn browser(cloud: &mut Cloud, user: &User, silo: &'static str, name: &'static str) -> User {
    let session = cloud.rule(move |cx| {
        let challenge = login::prepare(cx, &silo.parse().unwrap(), &name.parse().unwrap())?;
        login::complete(cx, &challenge, true)
    });
    let session_cookie = Some(session.unwrap().unwrap().token);
    User { credentials: Credentials { session_cookie, authorization: None }, ..user.clone() }
}

fn make_saml(cloud: &mut Cloud, silo: Uuid) {
    cloud
        .rule(move |cx| {
            let mut silo: Silo = cx.tx.get(silo)?.unwrap();
            silo.identity_mode = IdentityMode::SamlJit;
            Ok(cx.tx.update(&mut silo)?)
        })
        .unwrap();
}

fn users(
    group: Option<Uuid>,
    after: Option<Uuid>,
    limit: u32,
) -> PageQuery<OptionalGroupSelector, IdSortMode> {
    let selector = OptionalGroupSelector { group };
    PageQuery { selector, sort: IdSortMode::IdAscending, after: after.map(Marker::Id), limit }
}

fn names(cloud: &Cloud, by: &User, group: Option<Uuid>) -> Result<Vec<String>> {
    let page = cloud.see(by, move |cx, caller| user::list(cx, caller, &users(group, None, 100)))?;
    assert!(page.items.is_sorted_by_key(|user| user.id));
    let mut names: Vec<_> = page.items.into_iter().map(|user| user.display_name).collect();
    names.sort();
    Ok(names)
}

fn silo_users(cloud: &Cloud, by: &User, silo: NameOrId) -> Result<usize> {
    let query =
        PageQuery { selector: SiloSelector { silo }, sort: IdSortMode::IdAscending, after: None, limit: 100 };
    Ok(cloud.see(by, move |cx, caller| user::silo_list(cx, caller, &query))?.items.len())
}

fn silo_user(cloud: &Cloud, by: &User, silo: NameOrId, id: Uuid) -> Result<UserView> {
    cloud.see(by, move |cx, caller| user::silo_view(cx, caller, &silo, id))
}

const FORBIDDEN: (u16, &str) = (403, "Forbidden");

fn forbidden<T: std::fmt::Debug>(result: Result<T>) {
    let (status, message) = refused(result);
    assert_eq!((status, message.as_str()), FORBIDDEN);
}

fn no_user(id: Uuid) -> (u16, String) {
    (404, format!("not found: silo-user with id \"{id}\""))
}

#[test]
fn users_and_groups_are_visible_in_their_silo_only() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let (ada, bob) = (cloud.user(silo, "ada"), cloud.user(silo, "bob"));
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "ada");
    let makers = cloud.group(silo, "makers", &[&ada, &bob]);
    let theirs = cloud.group(other, "makers", &[&stranger]);

    assert_eq!(names(&cloud, &ada, None).unwrap(), ["ada", "admin", "bob"]);
    assert_eq!(names(&cloud, &bob, Some(makers)).unwrap(), ["ada", "bob"]);
    assert_eq!(names(&cloud, &stranger, None).unwrap(), ["ada"]);
    for group in [theirs, Uuid::nil()] {
        let not_found = (404, format!("not found: silo-group with id \"{group}\""));
        assert_eq!(refused(names(&cloud, &ada, Some(group))), not_found);
        assert_eq!(refused(cloud.see(&ada, move |cx, caller| group::view(cx, caller, group))), not_found);
    }
    let id = bob.id;
    let view = cloud.see(&ada, move |cx, caller| user::view(cx, caller, id)).unwrap();
    assert_eq!((view.id, view.display_name.as_str(), view.silo_id), (bob.id, "bob", silo));
    let id = stranger.id;
    let hidden = cloud.see(&cloud.admin, move |cx, caller| user::view(cx, caller, id));
    assert_eq!(refused(hidden), no_user(id), "not found, even by the fleet's administrators");
    let group = cloud.see(&ada, move |cx, caller| group::view(cx, caller, makers)).unwrap();
    assert_eq!((group.id, group.display_name.as_str(), group.silo_id), (makers, "makers", silo));
    let query = PageQuery {
        selector: croft_api::page::NoSelector {},
        sort: IdSortMode::IdAscending,
        after: None,
        limit: 100,
    };
    let groups = cloud.see(&stranger, move |cx, caller| group::list(cx, caller, &query)).unwrap();
    assert_eq!(groups.items.iter().map(|group| group.id).collect::<Vec<_>>(), [theirs]);
}

#[test]
fn group_members_are_paginated() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let members = ["a", "b", "c", "d", "e"].map(|name| cloud.user(silo, name));
    let group = cloud.group(silo, "all", &members.iter().collect::<Vec<_>>());
    let mut expected = members.map(|user| user.id);
    expected.sort();
    let mut seen: Vec<Uuid> = Vec::new();
    loop {
        let after = seen.last().copied();
        let page =
            cloud.see(&cloud.admin, move |cx, caller| user::list(cx, caller, &users(Some(group), after, 2)));
        let page = page.unwrap().items;
        if page.is_empty() {
            break;
        }
        seen.extend(page.iter().map(|user| user.id));
    }
    assert_eq!(seen, expected);
}

#[test]
fn users_of_a_silo_are_visible_to_fleet_viewers_and_its_administrators() {
    let mut cloud = Cloud::new();
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "stranger");
    let viewer = cloud.user(cloud.admin.silo, "viewer");
    cloud.grant(RoleIdentity::User(viewer.id), RoleScope::Fleet, Role::Viewer);
    for by in [&viewer, &stranger] {
        assert_eq!(silo_users(&cloud, by, by_name("other")).unwrap(), 1);
        let view = silo_user(&cloud, by, NameOrId::Id(other), stranger.id).unwrap();
        assert_eq!(view.display_name, "stranger");
        assert_eq!(refused(silo_user(&cloud, by, by_name("other"), viewer.id)), no_user(viewer.id));
    }
    let plain = cloud.user(cloud.admin.silo, "plain");
    let hidden = (404, "not found: silo with name \"other\"".to_owned());
    assert_eq!(refused(silo_users(&cloud, &plain, by_name("other"))), hidden);
    assert_eq!(refused(silo_user(&cloud, &plain, by_name("other"), stranger.id)), hidden);
    assert_eq!(silo_users(&cloud, &plain, by_name("croft")).unwrap(), 3);
}

#[test]
fn administrators_create_users_who_can_sign_in() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let created = create(&mut cloud, &admin, by_name("croft"), "ada", hash("secret")).unwrap();
    assert_eq!((created.display_name.as_str(), created.silo_id), ("ada", admin.silo));
    assert_eq!(stored_hash(&mut cloud, "croft", "ada").as_deref(), Some("secret"));
    create(&mut cloud, &admin, by_name("croft"), "bob", NewPassword::Disallowed).unwrap();
    assert_eq!(stored_hash(&mut cloud, "croft", "bob"), None);
    let taken = (400, "already exists: silo-user \"ada\"".to_owned());
    assert_eq!(refused(create(&mut cloud, &admin, by_name("croft"), "ada", hash("x"))), taken);

    let plain = cloud.user(admin.silo, "plain");
    forbidden(create(&mut cloud, &plain, by_name("croft"), "eve", NewPassword::Unhashed));
    forbidden(delete(&mut cloud, &plain, by_name("croft"), created.id));
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(other), Role::Admin);
    let hidden = (404, "not found: silo with name \"croft\"".to_owned());
    assert_eq!(refused(create(&mut cloud, &stranger, by_name("croft"), "eve", hash("x"))), hidden);
    assert_eq!(refused(delete(&mut cloud, &stranger, by_name("croft"), created.id)), hidden);
    // Administrators of the fleet manage the users of every silo.
    create(&mut cloud, &admin, by_name("other"), "eve", hash("x")).unwrap();
    // Without the right to set it, the password was not hashed, and must not be stored.
    assert_eq!(
        refused(create(&mut cloud, &admin, by_name("other"), "mallory", NewPassword::Unhashed)).0,
        503
    );
    assert_eq!(silo_users(&cloud, &admin, by_name("other")).unwrap(), 2);
}

#[test]
fn a_silo_with_saml_has_no_local_users() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let other = cloud.silo("other", Resources::default());
    let user = cloud.user(other, "someone");
    make_saml(&mut cloud, other);
    let expected = (404, "not found: identity-provider with name \"local\"".to_owned());
    for by in [&admin, &user] {
        assert_eq!(refused(create(&mut cloud, by, by_name("other"), "ada", hash("x"))), expected);
        assert_eq!(refused(delete(&mut cloud, by, by_name("other"), user.id)), expected);
        assert_eq!(refused(set_password(&mut cloud, by, by_name("other"), user.id, hash("x"))), expected);
    }
}

#[test]
fn deleted_user_leaves_only_policy_entries() {
    let mut cloud = Cloud::new();
    let (admin, silo) = (cloud.admin.clone(), cloud.admin.silo);
    let user = cloud.user(silo, "ada");
    let group = cloud.group(silo, "makers", &[&user]);
    cloud.grant(RoleIdentity::User(user.id), RoleScope::Silo(silo), Role::Viewer);
    let session = browser(&mut cloud, &user, "croft", "ada");
    let other = cloud.silo("other", Resources::default());
    assert_eq!(refused(delete(&mut cloud, &admin, NameOrId::Id(other), user.id)), no_user(user.id));
    delete(&mut cloud, &admin, NameOrId::Id(silo), user.id).unwrap();
    assert_eq!(refused(delete(&mut cloud, &admin, NameOrId::Id(silo), user.id)), no_user(user.id));
    for gone in [&user, &session] {
        assert_eq!(refused(cloud.see(gone, me::view)).0, 401);
    }
    assert!(names(&cloud, &admin, Some(group)).unwrap().is_empty());
    assert_eq!(stored_hash(&mut cloud, "croft", "ada"), None);
    let id = user.id;
    let remains = cloud.rule(move |cx| Ok(cx.tx.get_any::<SiloUser>(id)?)).unwrap();
    assert_eq!(remains.unwrap().password_hash, None);
    let policy = cloud.see(&admin, policy::own_silo_view).unwrap();
    assert!(policy.role_assignments.iter().any(|assignment| assignment.identity_id == user.id));
    let again = create(&mut cloud, &admin, by_name("croft"), "ada", NewPassword::Disallowed).unwrap();
    assert_ne!(again.id, user.id, "the name can be reused for a new user");
}

#[test]
fn a_new_password_ends_tokens_and_the_other_sessions() {
    let mut cloud = Cloud::new();
    let (admin, silo) = (cloud.admin.clone(), cloud.admin.silo);
    let user = cloud.user(silo, "ada");
    let [here, there] = [(); 2].map(|()| browser(&mut cloud, &user, "croft", "ada"));
    set_password(&mut cloud, &here, by_name("croft"), user.id, hash("own")).unwrap();
    assert_eq!(stored_hash(&mut cloud, "croft", "ada").as_deref(), Some("own"));
    cloud.see(&here, me::view).unwrap();
    assert_eq!(refused(cloud.see(&there, me::view)).0, 401);
    assert_eq!(refused(cloud.see(&user, me::view)).0, 401, "tokens are deleted, too");
    for _ in 0..2 {
        set_password(&mut cloud, &admin, by_name("croft"), user.id, NewPassword::Disallowed).unwrap();
        assert_eq!(stored_hash(&mut cloud, "croft", "ada"), None);
    }
    assert_eq!(refused(cloud.see(&here, me::view)).0, 401);
}

#[test]
fn passwords_are_set_by_their_user_and_by_administrators() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let (ada, bob) = (cloud.user(silo, "ada"), cloud.user(silo, "bob"));
    let collaborator = cloud.user(silo, "collaborator");
    cloud.grant(RoleIdentity::User(collaborator.id), RoleScope::Silo(silo), Role::Collaborator);
    let manager = cloud.user(silo, "manager");
    cloud.grant(RoleIdentity::User(manager.id), RoleScope::Silo(silo), Role::Admin);
    let browser = cloud.browser(&ada);
    set_password(&mut cloud, &browser, by_name("croft"), ada.id, hash("x")).unwrap();
    set_password(&mut cloud, &manager, by_name("croft"), ada.id, hash("y")).unwrap();
    forbidden(set_password(&mut cloud, &bob, by_name("croft"), ada.id, hash("z")));
    forbidden(set_password(&mut cloud, &collaborator, by_name("croft"), ada.id, hash("z")));
    // Setting the password as an administrator has ended the session.
    let browser = cloud.browser(&ada);
    cloud.now += jiff::SignedDuration::from_mins(11);
    let (status, text) = refused(set_password(&mut cloud, &browser, by_name("croft"), ada.id, hash("z")));
    assert!(status == 403 && text.contains("Sign in again"), "{text}");
    let own = refused(set_password(&mut cloud, &bob, by_name("croft"), bob.id, hash("z")));
    assert_eq!(own, (403, "A token cannot do this. Sign in to the console to do it.".to_owned()));
    let weak = NewPassword::Refused(Error::invalid_value("password", "too weak"));
    let refused_text = refused(set_password(&mut cloud, &manager, by_name("croft"), ada.id, weak));
    assert_eq!(refused_text, (400, "unsupported value for \"password\": too weak".to_owned()));
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "ada");
    let admin = cloud.admin.clone();
    set_password(&mut cloud, &admin, by_name("other"), stranger.id, hash("x")).unwrap();
    let wrong_silo = set_password(&mut cloud, &admin, by_name("croft"), stranger.id, hash("x"));
    assert_eq!(refused(wrong_silo), no_user(stranger.id));
    assert_eq!(stored_hash(&mut cloud, "croft", "ada").as_deref(), Some("y"));
}
