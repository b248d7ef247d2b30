//! Lists of tokens and sessions, and their deletion.

use croft_api::{
    Result,
    auth_settings::SiloAuthSettings,
    page::{IdSortMode, Marker, NoSelector, PageQuery},
};
use croft_control::{Credentials, auth_settings, login, me, operation, token, user};
use croft_store::records::{Resources, Role, RoleIdentity, RoleScope, SiloUser};
use jiff::SignedDuration;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, User, refused};

fn query(limit: u32, after: Option<Uuid>) -> PageQuery<NoSelector, IdSortMode> {
    let after = after.map(Marker::Id);
    PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after, limit }
}

/// Creates another token of a user.
fn make(cloud: &mut Cloud, silo: &'static str, name: &'static str, life: Option<i64>) -> Uuid {
    let life = life.map(SignedDuration::from_secs);
    let token = cloud
        .rule(move |cx| {
            let token_name = "test".parse().unwrap();
            token::create(cx, &silo.parse().unwrap(), &name.parse().unwrap(), &token_name, life)
        })
        .unwrap();
    token.id
}

/// Opens a session of a user.
fn session(cloud: &mut Cloud, user: &User) -> User {
    let id = user.id;
    let session = cloud.rule(move |cx| {
        let user: SiloUser = cx.tx.get(id)?.unwrap();
        let silo: croft_store::records::Silo = cx.tx.get(user.silo_id)?.unwrap();
        let challenge = login::prepare(cx, &silo.name, &user.external_id.parse().unwrap())?;
        login::complete(cx, &challenge, true)
    });
    let session_cookie = Some(session.unwrap().unwrap().token);
    User { credentials: Credentials { session_cookie, authorization: None }, ..user.clone() }
}

fn own_tokens(cloud: &Cloud, user: &User) -> Vec<Uuid> {
    let page = cloud.see(user, |cx, caller| token::list(cx, caller, &query(100, None))).unwrap();
    page.items.iter().map(|token| token.id).collect()
}

fn tokens_of(cloud: &Cloud, user: &User, of: Uuid) -> Result<Vec<Uuid>> {
    let page = cloud.see(user, move |cx, caller| user::token_list(cx, caller, of, &query(100, None)))?;
    Ok(page.items.iter().map(|token| token.id).collect())
}

fn sessions_of(cloud: &Cloud, user: &User, of: Uuid) -> Result<usize> {
    let page = cloud.see(user, move |cx, caller| user::session_list(cx, caller, of, &query(100, None)))?;
    Ok(page.items.len())
}

fn logout(cloud: &mut Cloud, user: &User, of: Uuid) -> Result<()> {
    cloud.act(user, &operation::USER_LOGOUT, move |cx, caller| user::logout(cx, caller, of))
}

#[test]
fn own_tokens_are_listed_by_id_until_they_expire() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let mut expected = own_tokens(&cloud, &user);
    assert_eq!(expected.len(), 1);
    for _ in 0..5 {
        expected.push(make(&mut cloud, "croft", "ada", None));
        make(&mut cloud, "croft", "ada", Some(60));
    }
    expected.sort();
    assert_eq!(own_tokens(&cloud, &user).len(), 11);
    cloud.now += SignedDuration::from_secs(61);
    assert_eq!(own_tokens(&cloud, &user), expected);
    let mut paged = Vec::new();
    loop {
        let after = paged.last().copied();
        let page = cloud.see(&user, move |cx, caller| token::list(cx, caller, &query(2, after))).unwrap();
        if page.items.is_empty() {
            break;
        }
        assert_eq!(page.items.len(), 2, "pages are full although some tokens are omitted");
        paged.extend(page.items.iter().map(|token| token.id));
    }
    assert_eq!(paged, expected);
    assert_eq!(own_tokens(&cloud, &cloud.admin).len(), 1, "other users have their own tokens");
}

#[test]
fn a_token_is_deleted_by_its_user_alone_and_at_once() {
    let mut cloud = Cloud::new();
    let (admin, user) = (cloud.admin.clone(), cloud.user(cloud.admin.silo, "ada"));
    let id = own_tokens(&cloud, &user)[0];
    let delete = |cloud: &mut Cloud, by: &User| {
        cloud.act(by, &operation::CURRENT_USER_ACCESS_TOKEN_DELETE, move |cx, caller| {
            token::delete(cx, caller, id)
        })
    };
    let not_found = (404, format!("not found: device-access-token with id \"{id}\""));
    assert_eq!(refused(delete(&mut cloud, &admin)), not_found);
    let browser = session(&mut cloud, &user);
    delete(&mut cloud, &user).unwrap();
    assert_eq!(refused(cloud.see(&user, me::view)).0, 401, "even the token of the request");
    assert_eq!(refused(delete(&mut cloud, &browser)), not_found, "only once");
}

/// An administrator of the silo, an administrator of the fleet without a role on the silo, a user, and a user of
/// another silo.
fn people(cloud: &mut Cloud) -> [User; 4] {
    let silo = cloud.admin.silo;
    let (admin, fleet) = (cloud.user(silo, "silo-admin"), cloud.user(silo, "fleet-admin"));
    cloud.grant(RoleIdentity::User(fleet.id), RoleScope::Fleet, Role::Admin);
    cloud
        .rule(move |cx| {
            // Remove the mapping of the first silo's administrators to the fleet.
            let mut silo: croft_store::records::Silo = cx.tx.get(silo)?.unwrap();
            silo.mapped_fleet_roles.clear();
            Ok(cx.tx.update(&mut silo)?)
        })
        .unwrap();
    cloud.grant(RoleIdentity::User(admin.id), RoleScope::Silo(silo), Role::Admin);
    let user = cloud.user(silo, "ada");
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "ada");
    [admin, fleet, user, stranger]
}

#[test]
fn administrators_see_tokens_and_sessions_of_others() {
    let mut cloud = Cloud::new();
    let [admin, fleet, user, stranger] = people(&mut cloud);
    session(&mut cloud, &user);
    let own = own_tokens(&cloud, &user);
    for by in [&user, &admin] {
        assert_eq!(tokens_of(&cloud, by, user.id).unwrap(), own);
        assert_eq!(sessions_of(&cloud, by, user.id).unwrap(), 1);
    }
    let forbidden = (403, "Forbidden".to_owned());
    for of in [admin.id, fleet.id] {
        assert_eq!(refused(tokens_of(&cloud, &user, of)), forbidden);
        assert_eq!(refused(sessions_of(&cloud, &user, of)), forbidden);
        assert_eq!(refused(logout(&mut cloud, &user, of)), forbidden);
    }
    assert_eq!(refused(tokens_of(&cloud, &fleet, user.id)), forbidden);
    assert_eq!(refused(sessions_of(&cloud, &fleet, user.id)), forbidden);
    assert_eq!(refused(logout(&mut cloud, &fleet, user.id)), forbidden);
    for by in [&admin, &fleet, &user] {
        let not_found = (404, format!("not found: silo-user with id \"{}\"", stranger.id));
        assert_eq!(refused(tokens_of(&cloud, by, stranger.id)), not_found);
        assert_eq!(refused(sessions_of(&cloud, by, stranger.id)), not_found);
        assert_eq!(refused(logout(&mut cloud, by, stranger.id)), not_found);
    }
}

#[test]
fn signing_a_user_out_ends_sessions_and_tokens() {
    let mut cloud = Cloud::new();
    let [admin, _, user, stranger] = people(&mut cloud);
    let browsers = [session(&mut cloud, &user), session(&mut cloud, &user)];
    logout(&mut cloud, &admin, user.id).unwrap();
    for gone in browsers.iter().chain([&user]) {
        assert_eq!(refused(cloud.see(gone, me::view)).0, 401);
    }
    for there in [&admin, &stranger] {
        cloud.see(there, me::view).unwrap();
    }
    let browser = session(&mut cloud, &user);
    logout(&mut cloud, &browser, user.id).unwrap();
    assert_eq!(refused(cloud.see(&browser, me::view)).0, 401, "oneself, too");
}

#[test]
fn expired_sessions_are_not_listed() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let busy = session(&mut cloud, &admin);
    session(&mut cloud, &admin);
    cloud.now += SignedDuration::from_hours(5);
    cloud.see(&busy, me::view).unwrap();
    let used = cloud.now;
    cloud.now += SignedDuration::from_hours(5);
    let page =
        cloud.see(&admin, |cx, caller| user::session_list(cx, caller, caller.user_id, &query(100, None)));
    let sessions = page.unwrap().items;
    assert_eq!(sessions.len(), 1, "the other session was idle for too long");
    assert_eq!(sessions[0].time_last_used, used, "including a use that is not stored yet");
    cloud.now += SignedDuration::from_hours(24);
    assert_eq!(sessions_of(&cloud, &admin, admin.id).unwrap(), 0);
}

fn settings(cloud: &Cloud, user: &User) -> SiloAuthSettings {
    cloud.see(user, auth_settings::view).unwrap()
}

fn update(cloud: &mut Cloud, user: &User, value: Value) -> Result<SiloAuthSettings> {
    cloud.act(user, &operation::AUTH_SETTINGS_UPDATE, move |cx, caller| {
        let params = serde_json::from_value(json!({ "device_token_max_ttl_seconds": value })).unwrap();
        auth_settings::update(cx, caller, &params)
    })
}

#[test]
fn settings_are_visible_in_the_silo_and_changed_by_administrators() {
    let mut cloud = Cloud::new();
    let [admin, _, user, stranger] = people(&mut cloud);
    let expected =
        |silo_id, device_token_max_ttl_seconds| SiloAuthSettings { silo_id, device_token_max_ttl_seconds };
    assert_eq!(settings(&cloud, &user), expected(user.silo, None));
    assert_eq!(refused(update(&mut cloud, &user, json!(60))), (403, "Forbidden".to_owned()));
    for value in [Some(60), Some(3600), None] {
        assert_eq!(update(&mut cloud, &admin, json!(value)).unwrap(), expected(user.silo, value));
        assert_eq!(settings(&cloud, &user), expected(user.silo, value));
        assert_eq!(
            settings(&cloud, &stranger),
            expected(stranger.silo, None),
            "each silo has its own settings"
        );
    }
}
