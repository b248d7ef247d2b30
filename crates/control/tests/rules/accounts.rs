//! The caller's own password, sessions and tokens.

use croft_api::{
    Result,
    account::{OwnSession, OwnToken, PendingStep},
    page::{IdSortMode, NoSelector, PageQuery},
    scalar::NameOrId,
};
use croft_control::{
    Credentials,
    account::{self, PasswordChallenge},
    authn, bootstrap, login, me, operation, session, token,
    user::{self, NewPassword},
};
use croft_store::records::{Resources, Role, RoleIdentity, RoleScope, SiloUser};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refusal, refused};

const CHOOSE: &str = "You have to choose a new password first. Sign in to the console to do so.";
const NO_TOKEN: &str = "A token cannot do this. Sign in to the console to do it.";

fn query() -> PageQuery<NoSelector, IdSortMode> {
    PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after: None, limit: 100 }
}

fn sessions(cloud: &Cloud, user: &User) -> Vec<OwnSession> {
    cloud.see(user, |cx, caller| session::own_list(cx, caller, &query())).unwrap().items
}

fn tokens(cloud: &Cloud, user: &User) -> Vec<OwnToken> {
    cloud.see(user, |cx, caller| token::own_list(cx, caller, &query())).unwrap().items
}

fn is_signed_in(cloud: &Cloud, user: &User) -> bool {
    cloud.see(user, me::view).is_ok()
}

/// Resolves a caller who still has to choose a password, as the HTTP layer does, and returns the challenge.
fn challenge(cloud: &mut Cloud, user: &User) -> Result<PasswordChallenge> {
    let credentials = user.credentials.clone();
    cloud.rule(move |cx| {
        let caller = authn::resolve_for(cx, &credentials, Some(&operation::ACCOUNT_PASSWORD_CHANGE))?;
        account::password_challenge(cx, &caller)
    })
}

fn change(cloud: &mut Cloud, user: &User, verified: bool, password: NewPassword) -> Result<()> {
    let challenge = challenge(cloud, user)?;
    cloud.act(user, &operation::ACCOUNT_PASSWORD_CHANGE, move |cx, caller| {
        account::change_password(cx, caller, &challenge, verified, &password)
    })
}

fn pending(cloud: &mut Cloud, user: &User) -> Option<PendingStep> {
    let credentials = user.credentials.clone();
    let account = cloud.rule(move |cx| {
        let caller = authn::resolve_for(cx, &credentials, Some(&operation::ACCOUNT_VIEW))?;
        account::view(cx, &caller)
    });
    account.unwrap().pending_step
}

fn new(hash: &str) -> NewPassword {
    NewPassword::Hash(hash.to_owned())
}

fn require_change(cloud: &mut Cloud, by: &User, silo: NameOrId, id: Uuid) -> Result<()> {
    cloud.act(by, &operation::LOCAL_IDP_USER_REQUIRE_PASSWORD_CHANGE, move |cx, caller| {
        user::require_password_change(cx, caller, &silo, id)
    })
}

#[test]
fn changing_the_password_ends_tokens_and_other_sessions() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let (here, there) = (cloud.browser(&user), cloud.browser(&user));
    let wrong = refused(change(&mut cloud, &here, false, new("other")));
    let text = "unsupported value for \"current_password\": this is not your current password; try again";
    assert_eq!(wrong, (400, text.to_owned()));
    assert!(
        [&user, &here, &there].iter().all(|way| is_signed_in(&cloud, way)),
        "a wrong password ends no session and no token"
    );
    change(&mut cloud, &here, true, new("other")).unwrap();
    assert!(is_signed_in(&cloud, &here));
    assert!(!is_signed_in(&cloud, &there) && !is_signed_in(&cloud, &user));
    assert_eq!(challenge(&mut cloud, &here).unwrap().password_hash(), "other");
}

#[test]
fn a_token_changes_no_password() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    assert_eq!(refused(challenge(&mut cloud, &user)), (403, NO_TOKEN.to_owned()));
    let browser = cloud.browser(&user);
    let challenge = challenge(&mut cloud, &browser).unwrap();
    let refused_later = cloud.act(&user, &operation::ACCOUNT_PASSWORD_CHANGE, move |cx, caller| {
        account::change_password(cx, caller, &challenge, true, &new("other"))
    });
    assert_eq!(refusal(refused_later), NO_TOKEN);
}

#[test]
fn a_concurrent_password_change_wins() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let browser = cloud.browser(&user);
    let stale = challenge(&mut cloud, &browser).unwrap();
    change(&mut cloud, &browser, true, new("first")).unwrap();
    let late = cloud.act(&browser, &operation::ACCOUNT_PASSWORD_CHANGE, move |cx, caller| {
        account::change_password(cx, caller, &stale, true, &new("second"))
    });
    assert_eq!(refused(late).0, 409);
    assert_eq!(challenge(&mut cloud, &browser).unwrap().password_hash(), "first");
}

#[test]
fn users_of_a_provider_cannot_change_a_password() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let browser = cloud.browser(&user);
    let id = user.id;
    cloud
        .rule(move |cx| {
            let mut user: SiloUser = cx.tx.get(id)?.unwrap();
            user.password_hash = None;
            Ok(cx.tx.update(&mut user)?)
        })
        .unwrap();
    let (status, text) = refused(challenge(&mut cloud, &browser));
    assert!(status == 400 && text.contains("identity provider"), "{text}");
}

#[test]
fn an_initial_password_must_be_changed_first() {
    let mut cloud = Cloud::new();
    let (silo, name) = ("croft".parse().unwrap(), "admin".parse().unwrap());
    cloud.rule(move |cx| bootstrap::reset_password(cx, &silo, &name, "printed", true)).unwrap();
    assert!(!is_signed_in(&cloud, &cloud.admin), "the old tokens are deleted");
    let admin = cloud.admin.clone();
    let browser = cloud.browser(&admin);
    assert_eq!(pending(&mut cloud, &browser), Some(PendingStep::ChoosePassword));
    assert_eq!(refused(cloud.see(&browser, me::view)), (403, CHOOSE.to_owned()));
    assert_eq!(refused(cloud.try_project(&browser, "web")), (403, CHOOSE.to_owned()));
    let credentials = browser.credentials.clone();
    let followed = cloud.rule(move |cx| authn::recognize(cx, &credentials).map(drop));
    assert_eq!(refused(followed), (403, CHOOSE.to_owned()));
    // A token that is created on the server's host afterwards works.
    let token = cloud.rule(|cx| {
        let name = "automation".parse().unwrap();
        token::create(cx, &"croft".parse().unwrap(), &"admin".parse().unwrap(), &name, None)
    });
    let authorization = Some(format!("Bearer {}", token.unwrap().text));
    let automation =
        User { credentials: Credentials { session_cookie: None, authorization }, ..admin.clone() };
    assert!(is_signed_in(&cloud, &automation));

    let weak = NewPassword::Refused(croft_control::password::too_common());
    assert_eq!(refused(change(&mut cloud, &browser, true, weak)).0, 400);
    assert_eq!(pending(&mut cloud, &browser), Some(PendingStep::ChoosePassword));
    change(&mut cloud, &browser, true, new("chosen")).unwrap();
    assert_eq!(pending(&mut cloud, &browser), None);
    assert!(is_signed_in(&cloud, &browser));
    let again = cloud.browser(&admin);
    assert_eq!(pending(&mut cloud, &again), None, "the password must be chosen only once");
}

#[test]
fn administrators_have_others_choose_a_password() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let (ada, bob) = (cloud.user(silo, "ada"), cloud.user(silo, "bob"));
    let manager = cloud.user(silo, "manager");
    cloud.grant(RoleIdentity::User(manager.id), RoleScope::Silo(silo), Role::Admin);
    let before = cloud.browser(&ada);
    assert_eq!(refused(require_change(&mut cloud, &bob, by_name("croft"), ada.id)).0, 403);
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(other), Role::Admin);
    assert_eq!(refused(require_change(&mut cloud, &stranger, by_name("croft"), ada.id)).0, 404);
    assert!(is_signed_in(&cloud, &before));
    require_change(&mut cloud, &manager, by_name("croft"), ada.id).unwrap();
    assert!(!is_signed_in(&cloud, &before));
    assert!(is_signed_in(&cloud, &ada), "tokens stay valid");
    let after = cloud.browser(&ada);
    assert_eq!(pending(&mut cloud, &after), Some(PendingStep::ChoosePassword));
}

#[test]
fn own_sessions_show_origin_and_can_be_ended() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let here = cloud.browser(&user);
    let opened = cloud.now;
    cloud.now += SignedDuration::from_mins(5);
    let (there, elsewhere) = (cloud.browser(&user), cloud.browser(&user));
    assert!(is_signed_in(&cloud, &here));
    let listed = sessions(&cloud, &here);
    assert_eq!(listed.len(), 3);
    let own: Vec<_> = listed.iter().filter(|session| session.is_current).collect();
    let [own] = &own[..] else { panic!("{listed:?}") };
    assert_eq!((own.time_created, own.time_last_used), (opened, cloud.now));
    assert_eq!((own.source_ip, own.user_agent.as_deref()), (Some([127, 0, 0, 1].into()), Some("test")));
    assert!(
        sessions(&cloud, &user).iter().all(|session| !session.is_current),
        "a request with a token has no current session"
    );

    let end = |cloud: &mut Cloud, by: &User, id: Uuid| {
        cloud.act(by, &operation::ACCOUNT_SESSION_DELETE, move |cx, caller| session::end(cx, caller, id))
    };
    let id = sessions(&cloud, &there).into_iter().find(|session| session.is_current).unwrap().id;
    let not_found = (404, format!("not found: console-session with id \"{id}\""));
    let admin = cloud.admin.clone();
    assert_eq!(refused(end(&mut cloud, &admin, id)), not_found, "sessions of others, with any role");
    end(&mut cloud, &here, id).unwrap();
    assert!(!is_signed_in(&cloud, &there) && is_signed_in(&cloud, &elsewhere));
    assert_eq!(refused(end(&mut cloud, &here, id)), not_found, "once");

    cloud.act(&here, &operation::ACCOUNT_SESSIONS_END_OTHERS, session::end_others).unwrap();
    assert!(is_signed_in(&cloud, &here) && !is_signed_in(&cloud, &elsewhere));
    assert!(is_signed_in(&cloud, &user), "ending all sessions keeps the tokens");
}

#[test]
fn stored_browser_name_is_truncated() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let id = user.id;
    let opened = cloud.rule(move |cx| {
        let request = croft_control::Request { user_agent: Some("x".repeat(100_000)), ..Cloud::request() };
        let environment = cx.environment;
        let mut cx = croft_control::Cx::new(cx.tx, cx.now, cx.random, environment, &request);
        login::without_proof(&mut cx, id)
    });
    opened.unwrap();
    assert_eq!(sessions(&cloud, &user)[0].user_agent.as_ref().map(String::len), Some(256));
}

#[test]
fn own_tokens_have_names_and_last_use() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let browser = cloud.browser(&user);
    let only = |cloud: &Cloud| tokens(cloud, &browser).remove(0);
    assert_eq!((only(&cloud).name.as_str(), only(&cloud).time_last_used), ("test", None));
    let first = cloud.now;
    assert!(is_signed_in(&cloud, &user));
    assert_eq!(only(&cloud).time_last_used, Some(first), "visible before it is stored");
    cloud.pass_seconds(20);
    assert!(!cloud.environment.activity.is_pending(), "stored within the interval");
    assert_eq!(only(&cloud).time_last_used, Some(first));
    assert!(is_signed_in(&cloud, &user));
    assert_eq!(only(&cloud).time_last_used, Some(first), "a use shortly after the last one is not recorded");
    cloud.pass(SignedDuration::from_mins(5));
    assert!(is_signed_in(&cloud, &user));
    assert_eq!(only(&cloud).time_last_used, Some(cloud.now));

    let id = only(&cloud).id;
    let rename = |cloud: &mut Cloud, by: &User| {
        cloud.act(by, &operation::ACCOUNT_TOKEN_UPDATE, move |cx, caller| {
            let params = serde_json::from_value(serde_json::json!({ "name": " build server " })).unwrap();
            token::rename(cx, caller, id, &params)
        })
    };
    let admin = cloud.admin.clone();
    let not_found = (404, format!("not found: device-access-token with id \"{id}\""));
    assert_eq!(refused(rename(&mut cloud, &admin)), not_found);
    assert_eq!(rename(&mut cloud, &browser).unwrap().name, "build server");
    assert_eq!(only(&cloud).name, "build server");
}
