//! Requirements of silos, pending steps, and resets by administrators.

use croft_api::account::PendingStep;
use croft_control::{
    Operation, account, auth_settings, authn, bootstrap, me, operation, second_factor, session,
    user::{self, NewPassword},
};
use croft_store::{
    ListBy,
    records::{
        IdentityMode, Resources, Role, RoleIdentity, RoleScope, SecondFactor as Stored, SecondFactorReserve,
        Silo, SiloUser,
    },
};
use jiff::SignedDuration;

use super::{
    add_app, begin, factors, is_signed_in, left, pending, protected, remove, require, reset, verify_code,
    view,
};
use crate::kit::{Cloud, User, by_name, refused};

const SET_UP: &str =
    "Your silo requires a second factor, and you have none. Sign in to the console to set one up.";

#[test]
fn second_factor_requirement_applies_from_the_next_sign_in() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let (ada, viewer) = (cloud.user(silo, "ada"), cloud.user(silo, "viewer"));
    let collaborator = cloud.user(silo, "collaborator");
    cloud.grant(RoleIdentity::User(collaborator.id), RoleScope::Silo(silo), Role::Collaborator);
    let manager = cloud.user(silo, "manager");
    cloud.grant(RoleIdentity::User(manager.id), RoleScope::Silo(silo), Role::Admin);
    let before = cloud.browser(&ada);
    for user in [&viewer, &collaborator] {
        assert_eq!(refused(require(&mut cloud, user, true)).0, 403);
    }
    require(&mut cloud, &manager, true).unwrap();
    let seen = cloud.see(&viewer, auth_settings::sign_in_view).unwrap();
    assert!(seen.require_second_factor);
    assert!(
        is_signed_in(&cloud, &before) && is_signed_in(&cloud, &ada),
        "existing sessions and tokens stay valid"
    );
    assert!(view(&mut cloud, &before).second_factor_required);

    let waiting = cloud.browser(&ada);
    assert_eq!(pending(&mut cloud, &waiting), Some(PendingStep::SetUpSecondFactor));
    assert_eq!(refused(cloud.see(&waiting, me::view)), (403, SET_UP.to_owned()));
    let (app, codes) = add_app(&mut cloud, &waiting);
    assert!(codes.is_some());
    assert_eq!(pending(&mut cloud, &waiting), None);
    assert!(is_signed_in(&cloud, &waiting));
    let (status, text) = refused(remove(&mut cloud, &waiting, app.id));
    assert!(status == 409 && text.contains("Set up another one first"), "{text}");
    let (other, _) = add_app(&mut cloud, &waiting);
    remove(&mut cloud, &waiting, app.id).unwrap();
    assert_eq!(refused(remove(&mut cloud, &waiting, other.id)).0, 409);
    require(&mut cloud, &manager, false).unwrap();
    remove(&mut cloud, &waiting, other.id).unwrap();
    let plain = cloud.browser(&ada);
    assert_eq!(pending(&mut cloud, &plain), None);
}

#[test]
fn sign_in_steps_have_a_fixed_order() {
    let mut cloud = Cloud::new();
    let (silo, name) = ("croft".parse().unwrap(), "admin".parse().unwrap());
    let admin = cloud.admin.clone();
    require(&mut cloud, &admin, true).unwrap();
    cloud.rule(move |cx| bootstrap::reset_password(cx, &silo, &name, "printed", true)).unwrap();
    let waiting = cloud.browser(&admin);
    assert_eq!(pending(&mut cloud, &waiting), Some(PendingStep::ChoosePassword));
    assert_eq!(refused(begin(&mut cloud, &waiting)).0, 403, "steps must be completed in order");
    let change = |cloud: &mut Cloud, user: &User| {
        let credentials = user.credentials.clone();
        let challenge = cloud.rule(move |cx| {
            let caller = authn::resolve_for(cx, &credentials, Some(&operation::ACCOUNT_PASSWORD_CHANGE))?;
            account::password_challenge(cx, &caller)
        })?;
        cloud.act(user, &operation::ACCOUNT_PASSWORD_CHANGE, move |cx, caller| {
            account::change_password(cx, caller, &challenge, true, &NewPassword::Hash("own".to_owned()))
        })
    };
    change(&mut cloud, &waiting).unwrap();
    assert_eq!(pending(&mut cloud, &waiting), Some(PendingStep::SetUpSecondFactor));
    let (app, _) = add_app(&mut cloud, &waiting);
    assert!(is_signed_in(&cloud, &waiting));

    let (silo, name) = ("croft".parse().unwrap(), "admin".parse().unwrap());
    cloud.rule(move |cx| bootstrap::reset_password(cx, &silo, &name, "printed", true)).unwrap();
    let waiting = cloud.browser(&admin);
    assert_eq!(pending(&mut cloud, &waiting), Some(PendingStep::VerifySecondFactor));
    assert_eq!(
        refused(change(&mut cloud, &waiting)).0,
        403,
        "the password cannot be changed before the second factor is verified"
    );
    let code = app.code(&cloud);
    let more = verify_code(&mut cloud, &waiting, &code).unwrap();
    assert_eq!(pending(&mut cloud, &more), Some(PendingStep::ChoosePassword));
    change(&mut cloud, &more).unwrap();
    assert_eq!(pending(&mut cloud, &more), None, "the user has a second factor");
    change(&mut cloud, &more).unwrap();
    assert_eq!(pending(&mut cloud, &more), None);
}

#[test]
fn sessions_with_pending_steps_are_restricted() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let (protected, _, _) = protected(&mut cloud, "ada");
    let (printed, bare) = (cloud.user(silo, "printed"), cloud.user(silo, "bare"));
    let id = printed.id;
    cloud
        .rule(move |cx| {
            let mut user: SiloUser = cx.tx.get(id)?.unwrap();
            user.must_change_password = true;
            Ok(cx.tx.update(&mut user)?)
        })
        .unwrap();
    let mut sessions = vec![cloud.browser(&protected), cloud.browser(&printed)];
    let admin = cloud.admin.clone();
    require(&mut cloud, &admin, true).unwrap();
    sessions.push(cloud.browser(&bare));
    let parts: [&[&str]; 3] = [
        &["account_view", "account_verify_begin", "account_verify"],
        &["account_view", "account_password_change"],
        &[
            "account_view",
            "account_totp_begin",
            "account_totp_create",
            "account_passkey_begin",
            "account_passkey_create",
        ],
    ];
    for (session, parts) in sessions.iter().zip(parts) {
        let let_in = |operation: &'static Operation, cloud: &mut Cloud| {
            cloud.act(session, operation, |_, _| Ok(())).is_ok()
        };
        let all = operation::ALL.iter().chain(operation::EXTENSIONS);
        let found: Vec<_> =
            all.filter(|operation| let_in(operation, &mut cloud)).map(|found| found.id).collect();
        let mut expected = parts.to_vec();
        let place = |id: &&str| operation::EXTENSIONS.iter().position(|operation| operation.id == *id);
        expected.sort_by_key(place);
        assert_eq!(found, expected);
        let credentials = session.credentials.clone();
        assert_eq!(refused(cloud.rule(move |cx| authn::recognize(cx, &credentials).map(drop))).0, 403);
    }
    // Signing out is possible at every step.
    for session in sessions {
        let credentials = session.credentials.clone();
        cloud.rule(move |cx| session::logout(cx, &credentials)).unwrap();
        assert_eq!(refused(cloud.see(&session, me::view)).0, 401);
    }
}

#[test]
fn incomplete_sign_in_expires_after_ten_minutes() {
    let mut cloud = Cloud::new();
    let (user, app, _) = protected(&mut cloud, "ada");
    let waiting = cloud.browser(&user);
    cloud.now += SignedDuration::from_mins(10);
    assert_eq!(pending(&mut cloud, &waiting), Some(PendingStep::VerifySecondFactor));
    cloud.now += SignedDuration::from_secs(1);
    let code = app.code(&cloud);
    assert_eq!(refused(verify_code(&mut cloud, &waiting, &code)).0, 401);
    cloud.pass_seconds(1);
    let waiting = cloud.browser(&user);
    let code = app.code(&cloud);
    let verified = verify_code(&mut cloud, &waiting, &code).unwrap();
    cloud.now += SignedDuration::from_mins(30);
    assert!(is_signed_in(&cloud, &verified));
}

#[test]
fn users_of_a_provider_have_no_second_factors() {
    let mut cloud = Cloud::new();
    let corp = cloud.silo("corp", Resources::default());
    let user = cloud.user(corp, "ada");
    cloud.grant(RoleIdentity::User(user.id), RoleScope::Silo(corp), Role::Admin);
    let id = user.id;
    cloud
        .rule(move |cx| {
            let mut silo: Silo = cx.tx.get(corp)?.unwrap();
            silo.identity_mode = IdentityMode::SamlJit;
            cx.tx.update(&mut silo)?;
            let mut user: SiloUser = cx.tx.get(id)?.unwrap();
            user.password_hash = None;
            Ok(cx.tx.update(&mut user)?)
        })
        .unwrap();
    let browser = cloud.browser(&user);
    let (status, text) = refused(begin(&mut cloud, &browser));
    assert!(status == 400 && text.contains("identity provider"), "{text}");
    let (status, text) = refused(require(&mut cloud, &user, true));
    assert!(status == 400 && text.contains("identity provider"), "{text}");
    require(&mut cloud, &user, false).unwrap();
    assert!(!view(&mut cloud, &browser).second_factor_required);
}

#[test]
fn administrators_can_reset_second_factors() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let (user, ..) = protected(&mut cloud, "ada");
    let bob = cloud.user(silo, "bob");
    let manager = cloud.user(silo, "manager");
    cloud.grant(RoleIdentity::User(manager.id), RoleScope::Silo(silo), Role::Admin);
    let waiting = cloud.browser(&user);
    assert_eq!(refused(reset(&mut cloud, &bob, "croft", user.id)).0, 403);
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(other), Role::Admin);
    assert_eq!(refused(reset(&mut cloud, &stranger, "croft", user.id)).0, 404);
    let (status, text) = refused(reset(&mut cloud, &user, "croft", user.id));
    assert!(status == 403 && text.contains("Remove your own second factors"), "{text}");
    reset(&mut cloud, &manager, "croft", user.id).unwrap();
    assert_eq!(refused(cloud.see(&waiting, me::view)).0, 401, "sessions are ended");
    assert_eq!(refused(cloud.see(&user, me::view)).0, 401, "tokens are deleted");
    let plain = cloud.browser(&user);
    assert_eq!(pending(&mut cloud, &plain), None);
    assert!(factors(&cloud, &plain).is_empty() && left(&cloud, &plain).left == 0);
}

#[test]
fn resetting_factors_requires_an_equal_fleet_role() {
    let mut cloud = Cloud::new();
    let other = cloud.silo("other", Resources::default());
    let (manager, operator) = (cloud.user(other, "manager"), cloud.user(other, "operator"));
    cloud.grant(RoleIdentity::User(manager.id), RoleScope::Silo(other), Role::Admin);
    cloud.grant(RoleIdentity::User(operator.id), RoleScope::Fleet, Role::Admin);
    assert_eq!(refused(reset(&mut cloud, &manager, "other", operator.id)).0, 403);
    let admin = cloud.admin.clone();
    reset(&mut cloud, &admin, "other", operator.id).unwrap();
}

#[test]
fn operators_can_reset_second_factors_on_the_host() {
    let mut cloud = Cloud::new();
    let (user, ..) = protected(&mut cloud, "ada");
    let ask = |cloud: &mut Cloud, name: &'static str| {
        cloud.rule(move |cx| {
            second_factor::user_has_any(cx, &"croft".parse().unwrap(), &name.parse().unwrap())
        })
    };
    assert!(ask(&mut cloud, "ada").unwrap() && !ask(&mut cloud, "admin").unwrap());
    let remove = |cloud: &mut Cloud| {
        cloud.rule(|cx| second_factor::reset_on_host(cx, &"croft".parse().unwrap(), &"ada".parse().unwrap()))
    };
    assert!(remove(&mut cloud).unwrap());
    assert!(!remove(&mut cloud).unwrap(), "no second factors are left");
    assert!(!ask(&mut cloud, "ada").unwrap());
    assert!(!is_signed_in(&cloud, &user));
}

#[test]
fn deleting_a_user_removes_second_factors() {
    let mut cloud = Cloud::new();
    let (user, ..) = protected(&mut cloud, "ada");
    let (admin, id) = (cloud.admin.clone(), user.id);
    cloud
        .act(&admin, &operation::LOCAL_IDP_USER_DELETE, move |cx, caller| {
            user::local_delete(cx, caller, &by_name("croft"), id)
        })
        .unwrap();
    let left = cloud.rule(|cx| {
        let factors = cx.tx.count::<Stored>(ListBy::All)?;
        Ok(factors + cx.tx.count::<SecondFactorReserve>(ListBy::All)?)
    });
    assert_eq!(left.unwrap(), 0);
}
