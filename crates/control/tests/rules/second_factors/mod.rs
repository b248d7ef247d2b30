//! Second factors of local users: set-up, use and removal.

mod people;

use croft_api::{
    Error, Result,
    account::{Account, PendingStep},
    page::{IdSortMode, NoSelector, PageQuery},
    second_factor::{RecoveryCodesLeft, SecondFactor, SecondFactorCreated},
};
use croft_control::{
    Credentials, account, auth_settings, authn, me, operation,
    second_factor::{self, PresentedFactor, StoredPasskey, UsedPasskey},
};
use croft_store::{
    ListBy, Sort,
    records::{AuditActor, AuditEntry, AuditResult, SecondFactor as Stored, SecondFactorReserve},
};
use data_encoding::BASE32_NOPAD;
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refusal, refused};

/// An authenticator app.
struct App {
    id: Uuid,
    secret: Vec<u8>,
}

impl App {
    fn code(&self, cloud: &Cloud) -> String {
        second_factor::totp_code(&self.secret, cloud.now)
    }
}

fn query() -> PageQuery<NoSelector, IdSortMode> {
    PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after: None, limit: 100 }
}

fn begin(cloud: &mut Cloud, user: &User) -> Result<(Vec<u8>, String)> {
    let set_up = cloud.act(user, &operation::ACCOUNT_TOTP_BEGIN, second_factor::totp_begin)?;
    Ok((BASE32_NOPAD.decode(set_up.secret.as_bytes()).unwrap(), set_up.set_up))
}

fn finish(cloud: &mut Cloud, user: &User, set_up: &str, code: &str) -> Result<SecondFactorCreated> {
    let params = json!({ "name": "phone", "set_up": set_up, "code": code });
    cloud.act(user, &operation::ACCOUNT_TOTP_CREATE, move |cx, caller| {
        second_factor::totp_create(cx, caller, &serde_json::from_value(params.clone()).unwrap())
    })
}

/// Sets up an app, and advances the clock so that its first code is no longer current.
fn add_app(cloud: &mut Cloud, user: &User) -> (App, Option<Vec<String>>) {
    let (secret, set_up) = begin(cloud, user).unwrap();
    let code = second_factor::totp_code(&secret, cloud.now);
    let created = finish(cloud, user, &set_up, &code).unwrap();
    cloud.now += SignedDuration::from_secs(30);
    (App { id: created.factor.id, secret }, created.recovery_codes)
}

/// A user with an app. Returns the user, the app and the recovery codes.
fn protected(cloud: &mut Cloud, name: &'static str) -> (User, App, Vec<String>) {
    let user = cloud.user(cloud.admin.silo, name);
    let browser = cloud.browser(&user);
    let (app, codes) = add_app(cloud, &browser);
    (user, app, codes.unwrap())
}

fn verify(cloud: &mut Cloud, user: &User, shown: PresentedFactor) -> Result<User> {
    let verified = cloud
        .act(user, &operation::ACCOUNT_VERIFY, move |cx, caller| second_factor::verify(cx, caller, &shown));
    let credentials = Credentials { session_cookie: Some(verified?.token), authorization: None };
    Ok(User { credentials, ..user.clone() })
}

fn verify_code(cloud: &mut Cloud, user: &User, code: &str) -> Result<User> {
    verify(cloud, user, PresentedFactor::Totp(code.into()))
}

fn verify_recovery_code(cloud: &mut Cloud, user: &User, code: &str) -> Result<User> {
    verify(cloud, user, PresentedFactor::RecoveryCode(code.into()))
}

fn view(cloud: &mut Cloud, user: &User) -> Account {
    let credentials = user.credentials.clone();
    let viewed = cloud.rule(move |cx| {
        let caller = authn::resolve_for(cx, &credentials, Some(&operation::ACCOUNT_VIEW))?;
        account::view(cx, &caller)
    });
    viewed.unwrap()
}

fn pending(cloud: &mut Cloud, user: &User) -> Option<PendingStep> {
    view(cloud, user).pending_step
}

fn factors(cloud: &Cloud, user: &User) -> Vec<SecondFactor> {
    cloud.see(user, |cx, caller| second_factor::list(cx, caller, &query())).unwrap().items
}

fn left(cloud: &Cloud, user: &User) -> RecoveryCodesLeft {
    cloud.see(user, second_factor::recovery_codes_view).unwrap()
}

fn remove(cloud: &mut Cloud, user: &User, id: Uuid) -> Result<()> {
    cloud.act(user, &operation::ACCOUNT_SECOND_FACTOR_DELETE, move |cx, caller| {
        second_factor::delete(cx, caller, id)
    })
}

fn require(cloud: &mut Cloud, by: &User, require_second_factor: bool) -> Result<()> {
    cloud
        .act(by, &operation::SIGN_IN_SETTINGS_UPDATE, move |cx, caller| {
            let params = serde_json::from_value(json!({ "require_second_factor": require_second_factor }));
            auth_settings::sign_in_update(cx, caller, &params.unwrap())
        })
        .map(drop)
}

fn reset(cloud: &mut Cloud, by: &User, silo: &'static str, id: Uuid) -> Result<()> {
    cloud.act(by, &operation::LOCAL_IDP_USER_RESET_SECOND_FACTOR, move |cx, caller| {
        second_factor::reset(cx, caller, &by_name(silo), id)
    })
}

fn is_signed_in(cloud: &Cloud, user: &User) -> bool {
    cloud.see(user, me::view).is_ok()
}

/// The newest entry of the audit log.
fn last_entry(cloud: &Cloud) -> AuditEntry {
    let entries =
        cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.page(ListBy::All, Sort::TimeDesc, None, 1)?));
    entries.unwrap().remove(0)
}

const WRONG: &str = "unsupported value for \"code\": this is not the app's current code, or it was already \
                     used; wait for the next one";
const SHOW: &str = "You have to provide your second factor first. Sign in to the console to do so.";

#[test]
fn a_second_factor_is_required_after_set_up() {
    let mut cloud = Cloud::new();
    let (user, app, codes) = protected(&mut cloud, "ada");
    assert_eq!(codes.len(), 10);
    let waiting = cloud.browser(&user);
    assert_eq!(pending(&mut cloud, &waiting), Some(PendingStep::VerifySecondFactor));
    assert_eq!(refused(cloud.see(&waiting, me::view)), (403, SHOW.to_owned()));
    let code = app.code(&cloud);
    let verified = verify_code(&mut cloud, &waiting, &code).unwrap();
    assert!(is_signed_in(&cloud, &verified));
    assert!(!is_signed_in(&cloud, &waiting), "the pending session is replaced");
    assert_eq!(pending(&mut cloud, &verified), None);
    let factor = &factors(&cloud, &verified)[0];
    assert_eq!((factor.name.as_str(), factor.time_last_used), ("phone", Some(cloud.now)));
    assert!(is_signed_in(&cloud, &user), "tokens stay valid");
    let seen = view(&mut cloud, &verified);
    assert!(seen.has_second_factor && !seen.second_factor_required);
    let again = verify_code(&mut cloud, &verified, "000000");
    assert_eq!(refused(again), (400, "This session is not waiting for a second factor.".to_owned()));
}

#[test]
fn a_code_is_accepted_once() {
    let mut cloud = Cloud::new();
    let (user, app, _) = protected(&mut cloud, "ada");
    let [one, other] = [(); 2].map(|()| cloud.browser(&user));
    let code = app.code(&cloud);
    verify_code(&mut cloud, &one, &code).unwrap();
    assert_eq!(refused(verify_code(&mut cloud, &other, &code)), (400, WRONG.to_owned()));
    let entry = last_entry(&cloud);
    assert_eq!(entry.operation_id, "account_verify");
    assert_eq!(entry.actor, AuditActor::SiloUser { silo_user_id: user.id, silo_id: user.silo });
    assert!(matches!(entry.result, AuditResult::Error { http_status_code: 400, .. }), "{entry:?}");
    cloud.now += SignedDuration::from_secs(30);
    let code = app.code(&cloud);
    verify_code(&mut cloud, &other, &code).unwrap();
    assert!(matches!(last_entry(&cloud).result, AuditResult::Success { http_status_code: 204 }));
}

#[test]
fn the_code_of_set_up_cannot_be_used_to_sign_in() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let browser = cloud.browser(&user);
    let (secret, set_up) = begin(&mut cloud, &browser).unwrap();
    let code = second_factor::totp_code(&secret, cloud.now);
    finish(&mut cloud, &browser, &set_up, &code).unwrap();
    let waiting = cloud.browser(&user);
    assert_eq!(refusal(verify_code(&mut cloud, &waiting, &code)), WRONG);
}

#[test]
fn wrong_codes_delay_only_their_user() {
    let mut cloud = Cloud::new();
    let (user, app, codes) = protected(&mut cloud, "ada");
    let (other, others_app, _) = protected(&mut cloud, "bob");
    let waiting = cloud.browser(&user);
    let wrong = |cloud: &Cloud| if app.code(cloud) == "000000" { "000001" } else { "000000" };
    for _ in 0..5 {
        let code = wrong(&cloud);
        assert_eq!(refusal(verify_code(&mut cloud, &waiting, code)), WRONG);
    }
    let right = app.code(&cloud);
    let (status, text) = refused(verify_code(&mut cloud, &waiting, &right));
    assert!(status == 400 && text.contains("wait for 16 seconds"), "{text}");
    let elsewhere = cloud.browser(&user);
    let text = refusal(verify_code(&mut cloud, &elsewhere, &right));
    assert!(text.contains("too many wrong codes"), "in all sessions: {text}");
    let other_waiting = cloud.browser(&other);
    let code = others_app.code(&cloud);
    verify_code(&mut cloud, &other_waiting, &code).unwrap();
    verify_recovery_code(&mut cloud, &elsewhere, &codes[0]).unwrap();

    let mut waits = Vec::new();
    for _ in 0..9 {
        let started = cloud.now;
        loop {
            // A session that waits for a second factor expires soon, so open another one.
            let waiting = cloud.browser(&user);
            let code = wrong(&cloud);
            if refusal(verify_code(&mut cloud, &waiting, code)) == WRONG {
                break;
            }
            cloud.now += SignedDuration::from_secs(5);
        }
        waits.push(cloud.now.duration_since(started).as_secs());
    }
    assert_eq!(waits, [15, 30, 60, 120, 240, 480, 960, 960, 960]);
    cloud.now += SignedDuration::from_mins(16);
    let waiting = cloud.browser(&user);
    let right = app.code(&cloud);
    verify_code(&mut cloud, &waiting, &right).unwrap();
    let waiting = cloud.browser(&user);
    for _ in 0..5 {
        let code = wrong(&cloud);
        assert_eq!(
            refusal(verify_code(&mut cloud, &waiting, code)),
            WRONG,
            "a correct code resets the delay"
        );
    }
}

#[test]
fn a_recovery_code_is_accepted_once() {
    let mut cloud = Cloud::new();
    let (user, _, codes) = protected(&mut cloud, "ada");
    let [one, other] = [(); 2].map(|()| cloud.browser(&user));
    let typed = codes[3].to_uppercase().replace('-', " ");
    let verified = verify_recovery_code(&mut cloud, &one, &typed).unwrap();
    assert_eq!(left(&cloud, &verified).left, 9);
    let (status, text) = refused(verify_recovery_code(&mut cloud, &other, &codes[3]));
    assert!(status == 400 && text.contains("already used"), "{text}");
    assert_eq!(refused(verify_recovery_code(&mut cloud, &other, "0000-0000-0000")).0, 400);

    let new = cloud
        .act(&verified, &operation::ACCOUNT_RECOVERY_CODES_CREATE, second_factor::recovery_codes_create)
        .unwrap()
        .recovery_codes;
    assert_eq!(left(&cloud, &verified).left, 10);
    assert_eq!(
        refused(verify_recovery_code(&mut cloud, &other, &codes[4])).0,
        400,
        "older codes are replaced"
    );
    verify_recovery_code(&mut cloud, &other, &new[0]).unwrap();
}

#[test]
fn secrets_and_codes_are_not_stored() {
    let mut cloud = Cloud::new();
    let (user, app, codes) = protected(&mut cloud, "ada");
    let stored = cloud.rule(move |cx| {
        let factors: Vec<Stored> = cx.tx.page(ListBy::Parent(user.id), Sort::IdAsc, None, 10)?;
        let reserve: SecondFactorReserve = cx.tx.get(user.id)?.unwrap();
        Ok(format!("{factors:?} {reserve:?}"))
    });
    let stored = stored.unwrap();
    assert!(!stored.contains(&BASE32_NOPAD.encode(&app.secret)));
    let digits = hex::encode(&app.secret);
    assert!(!stored.contains(&digits));
    assert!(codes.iter().all(|code| !stored.contains(code) && !stored.contains(&code.replace('-', ""))));
}

#[test]
fn set_up_is_bound_to_session_and_time() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let [here, there] = [(); 2].map(|()| cloud.browser(&user));
    let (secret, set_up) = begin(&mut cloud, &here).unwrap();
    let code = second_factor::totp_code(&secret, cloud.now);
    let not_this = "unsupported value for \"set_up\": this was issued to another session; start again";
    assert_eq!(refusal(finish(&mut cloud, &there, &set_up, &code)), not_this);
    for text in ["", "AAAA", &set_up[..set_up.len() - 4]] {
        assert_eq!(refusal(finish(&mut cloud, &here, text, &code)), not_this);
    }
    // A text that was sealed for the same session and another purpose.
    let passkey = cloud.act(&here, &operation::ACCOUNT_PASSKEY_BEGIN, |cx, caller| {
        second_factor::passkey_begin(cx, caller, "state")
    });
    assert_eq!(refusal(finish(&mut cloud, &here, &passkey.unwrap(), &code)), not_this);
    let wrong = refusal(finish(&mut cloud, &here, &set_up, "12345"));
    assert!(wrong.contains("not the app's current code"), "{wrong}");
    finish(&mut cloud, &here, &set_up, &code).unwrap();
    let twice = refusal(finish(&mut cloud, &here, &set_up, &code));
    assert!(twice.contains("already set up"), "{twice}");

    let late = cloud.browser(&cloud.admin.clone());
    cloud.now += SignedDuration::from_secs(1);
    let (secret, set_up) = begin(&mut cloud, &late).unwrap();
    cloud.now += SignedDuration::from_mins(10);
    let code = second_factor::totp_code(&secret, cloud.now);
    assert!(matches!(finish(&mut cloud, &late, &set_up, &code), Err(Error::SignInAgain(_))));
}

#[test]
fn changes_need_a_recent_session() {
    let mut cloud = Cloud::new();
    let (user, app, _) = protected(&mut cloud, "ada");
    let waiting = cloud.browser(&user);
    let code = app.code(&cloud);
    let verified = verify_code(&mut cloud, &waiting, &code).unwrap();
    let rename = |cloud: &mut Cloud, by: &User| {
        let id = app.id;
        cloud.act(by, &operation::ACCOUNT_SECOND_FACTOR_UPDATE, move |cx, caller| {
            let params = serde_json::from_value(json!({ "name": " key ring " })).unwrap();
            second_factor::rename(cx, caller, id, &params)
        })
    };
    assert_eq!(rename(&mut cloud, &verified).unwrap().name, "key ring");
    cloud.now += SignedDuration::from_mins(11);
    let too_late = "You signed in too long ago to change your second factors. Sign in again to do it.";
    let codes = |cloud: &mut Cloud, by: &User| {
        cloud.act(by, &operation::ACCOUNT_RECOVERY_CODES_CREATE, second_factor::recovery_codes_create)
    };
    assert_eq!(begin(&mut cloud, &verified).unwrap_err(), Error::SignInAgain(too_late.to_owned()));
    assert_eq!(refused(rename(&mut cloud, &verified)), (403, too_late.to_owned()));
    assert_eq!(refused(remove(&mut cloud, &verified, app.id)), (403, too_late.to_owned()));
    assert_eq!(refused(codes(&mut cloud, &verified)), (403, too_late.to_owned()));
    let no_token = (403, "A token cannot do this. Sign in to the console to do it.".to_owned());
    assert_eq!(refused(begin(&mut cloud, &user)), no_token);
    assert_eq!(refused(rename(&mut cloud, &user)), no_token);
    assert_eq!(refused(remove(&mut cloud, &user, app.id)), no_token);
    assert_eq!(refused(codes(&mut cloud, &user)), no_token);
    assert_eq!((factors(&cloud, &user).len(), left(&cloud, &user).left), (1, 10), "a token may read");
}

#[test]
fn factors_of_other_users_are_not_found() {
    let mut cloud = Cloud::new();
    let (_, app, _) = protected(&mut cloud, "ada");
    let admin = cloud.admin.clone();
    let browser = cloud.browser(&admin);
    assert!(factors(&cloud, &browser).is_empty());
    assert_eq!(left(&cloud, &browser), RecoveryCodesLeft { left: 0, time_created: None });
    let not_found = (404, format!("not found: second-factor with id \"{}\"", app.id));
    assert_eq!(refused(remove(&mut cloud, &browser, app.id)), not_found);
    let id = app.id;
    let renamed = cloud.act(&browser, &operation::ACCOUNT_SECOND_FACTOR_UPDATE, move |cx, caller| {
        second_factor::rename(cx, caller, id, &serde_json::from_value(json!({ "name": "mine" })).unwrap())
    });
    assert_eq!(refused(renamed), not_found);
}

#[test]
fn adding_the_first_or_removing_a_factor_ends_other_sessions() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let [here, there] = [(); 2].map(|()| cloud.browser(&user));
    let (first, codes) = add_app(&mut cloud, &here);
    assert!(codes.is_some());
    assert!(
        is_signed_in(&cloud, &here) && !is_signed_in(&cloud, &there),
        "sessions opened with a password only are ended"
    );
    let waiting = cloud.browser(&user);
    let code = first.code(&cloud);
    let there = verify_code(&mut cloud, &waiting, &code).unwrap();
    let (second, codes) = add_app(&mut cloud, &here);
    assert!(codes.is_none(), "recovery codes exist already");
    assert!(is_signed_in(&cloud, &there));
    remove(&mut cloud, &here, first.id).unwrap();
    assert!(
        is_signed_in(&cloud, &here) && !is_signed_in(&cloud, &there),
        "the other session may have been opened with the removed factor"
    );
    assert_eq!(left(&cloud, &here).left, 10);
    remove(&mut cloud, &here, second.id).unwrap();
    assert_eq!(left(&cloud, &here), RecoveryCodesLeft { left: 0, time_created: None });
    let none =
        cloud.act(&here, &operation::ACCOUNT_RECOVERY_CODES_CREATE, second_factor::recovery_codes_create);
    assert!(refusal(none).contains("Set one up first"));
    let plain = cloud.browser(&user);
    assert!(is_signed_in(&cloud, &plain), "the password is sufficient again");
}

#[test]
fn each_authenticator_app_has_its_own_secret() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let browser = cloud.browser(&user);
    let (first, _) = add_app(&mut cloud, &browser);
    let (second, _) = add_app(&mut cloud, &browser);
    for app in [&first, &second] {
        let waiting = cloud.browser(&user);
        let code = app.code(&cloud);
        verify_code(&mut cloud, &waiting, &code).unwrap();
    }
    let waiting = cloud.browser(&user);
    let options = cloud.act(&waiting, &operation::ACCOUNT_VERIFY_BEGIN, second_factor::options).unwrap();
    assert_eq!((options.totp, options.recovery_codes_left, options.passkeys), (true, 10, vec![]));
    let mut added = 2;
    while begin(&mut cloud, &browser).is_ok() {
        let (secret, set_up) = begin(&mut cloud, &browser).unwrap();
        let code = second_factor::totp_code(&secret, cloud.now);
        finish(&mut cloud, &browser, &set_up, &code).unwrap();
        added += 1;
    }
    assert_eq!(added, 20);
    assert!(refusal(begin(&mut cloud, &browser)).contains("Remove one first"));
}

#[test]
fn passkey_changed_during_verification_is_refused() {
    let mut cloud = Cloud::new();
    let user = cloud.user(cloud.admin.silo, "ada");
    let browser = cloud.browser(&user);
    let passkey = StoredPasskey { credential_id: vec![1, 2], rp_id: "a.test".into(), credential: "1".into() };
    let create = |cloud: &mut Cloud, by: &User, passkey: &StoredPasskey| {
        let begun = cloud.act(by, &operation::ACCOUNT_PASSKEY_BEGIN, |cx, caller| {
            second_factor::passkey_begin(cx, caller, "asked")
        });
        let (set_up, passkey) = (begun.unwrap(), passkey.clone());
        cloud.act(by, &operation::ACCOUNT_PASSKEY_CREATE, move |cx, caller| {
            assert_eq!(second_factor::passkey_registration(cx, caller, &set_up)?, "asked");
            second_factor::passkey_create(cx, caller, &"key".parse().unwrap(), &set_up, &passkey)
        })
    };
    assert!(create(&mut cloud, &browser, &passkey).unwrap().recovery_codes.is_some());
    let admin = cloud.admin.clone();
    let others = cloud.browser(&admin);
    let twice = refusal(create(&mut cloud, &others, &passkey));
    assert!(twice.contains("already set up"), "a passkey belongs to one user: {twice}");

    let [waiting, other] = [(); 2].map(|()| cloud.browser(&user));
    let begun = cloud.act(&waiting, &operation::ACCOUNT_VERIFY_BEGIN, |cx, caller| {
        assert_eq!(second_factor::options(cx, caller)?.passkeys.len(), 1);
        second_factor::passkey_use_begin(cx, caller, "asked")
    });
    let state = begun.unwrap();
    let check = |cloud: &mut Cloud, by: &User| {
        let state = state.clone();
        cloud.act(by, &operation::ACCOUNT_VERIFY, move |cx, caller| {
            second_factor::passkey_check(cx, caller, &state)
        })
    };
    assert_eq!(check(&mut cloud, &waiting).unwrap().passkeys, std::slice::from_ref(&passkey));
    assert!(refusal(check(&mut cloud, &other)).contains("this was issued to another session"));
    let answer = |before: &str, after: &str| {
        PresentedFactor::Passkey(UsedPasskey {
            credential_id: vec![1, 2],
            before: before.to_owned(),
            after: after.to_owned(),
        })
    };
    let verified = verify(&mut cloud, &waiting, answer("1", "2")).unwrap();
    assert!(is_signed_in(&cloud, &verified));
    assert_eq!(refused(check(&mut cloud, &verified)).0, 400, "a challenge is accepted once");
    let late = refused(verify(&mut cloud, &other, answer("1", "2")));
    assert!(late.0 == 409 && late.1.contains("used elsewhere"), "{late:?}");
    verify(&mut cloud, &other, answer("2", "3")).unwrap();
}
