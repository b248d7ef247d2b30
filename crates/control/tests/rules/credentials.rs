use croft_api::{
    Error, Result,
    page::{IdSortMode, NoSelector, PageQuery},
    scalar::{Name, UserId},
};
use croft_control::{Credentials, bootstrap, execute, login, me, operation, session};
use croft_store::{
    ListBy, Sort,
    records::{AuditActor, AuditEntry, AuditResult, ConsoleSession, IdentityMode, Resources, Silo},
};
use jiff::SignedDuration;

use crate::kit::{Cloud, User, refusal, refused};

fn sign_in(cloud: &mut Cloud, silo: &'static str, user: &'static str, verified: bool) -> Result<User> {
    let (silo, user): (Name, UserId) = (silo.parse().unwrap(), user.parse().unwrap());
    let challenge = cloud.rule(move |cx| login::prepare(cx, &silo, &user))?;
    let session = cloud.rule(move |cx| login::complete(cx, &challenge, verified))??;
    assert_eq!(session.max_age, 86_400);
    assert_eq!(session.token.len(), 40);
    let credentials = Credentials { session_cookie: Some(session.token), authorization: None };
    Ok(User { credentials, ..cloud.admin.clone() })
}

fn who(cloud: &Cloud, user: &User) -> Result<String> {
    cloud.see(user, |cx, caller| Ok(me::view(cx, caller)?.display_name))
}

fn sessions(cloud: &Cloud) -> Vec<ConsoleSession> {
    let page = cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.page(ListBy::All, Sort::IdAsc, None, 100)?));
    page.unwrap()
}

fn entries(cloud: &Cloud) -> Vec<AuditEntry> {
    let page = cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.page(ListBy::All, Sort::TimeAsc, None, 100)?));
    page.unwrap()
}

const BAD: (u16, &str) = (401, "credentials missing or invalid");

fn unauthenticated<T: std::fmt::Debug>(result: Result<T>) {
    let (status, message) = refused(result);
    assert_eq!((status, message.as_str()), BAD);
}

#[test]
fn a_session_is_opened_used_and_ended() {
    let mut cloud = Cloud::new();
    let user = sign_in(&mut cloud, "croft", "admin", true).unwrap();
    assert_eq!(who(&cloud, &user).unwrap(), "admin");
    let stored = sessions(&cloud);
    assert_eq!(stored.len(), 1);
    let text = format!("{stored:?}");
    assert!(!text.contains(user.credentials.session_cookie.as_deref().unwrap()), "only the hash is stored");
    for _ in 0..2 {
        let credentials = user.credentials.clone();
        cloud.rule(move |cx| session::logout(cx, &credentials)).unwrap();
    }
    unauthenticated(who(&cloud, &user));
    assert!(sessions(&cloud).is_empty());
    cloud.rule(|cx| session::logout(cx, &Credentials::default())).unwrap();
    assert_eq!(who(&cloud, &cloud.admin).unwrap(), "admin", "tokens stay valid");
}

#[test]
fn every_failed_sign_in_looks_the_same() {
    let mut cloud = Cloud::new();
    unauthenticated(sign_in(&mut cloud, "croft", "admin", false));
    unauthenticated(sign_in(&mut cloud, "croft", "nobody", false));
    unauthenticated(sign_in(&mut cloud, "croft", "nobody", true));
    let (silo, user): (Name, UserId) = ("croft".parse().unwrap(), "nobody".parse().unwrap());
    let challenge = cloud.rule(move |cx| login::prepare(cx, &silo, &user)).unwrap();
    assert_eq!(challenge.password_hash(), None);
    assert_eq!(
        refused(sign_in(&mut cloud, "nowhere", "admin", true)),
        (404, "not found: silo with name \"nowhere\"".into())
    );
    assert!(sessions(&cloud).is_empty());
}

#[test]
fn a_saml_silo_has_no_passwords() {
    let mut cloud = Cloud::new();
    let id = cloud.silo("saml", Resources::default());
    cloud.user(id, "someone");
    cloud
        .rule(move |cx| {
            let mut silo: Silo = cx.tx.get(id)?.unwrap();
            silo.identity_mode = IdentityMode::SamlJit;
            Ok(cx.tx.update(&mut silo)?)
        })
        .unwrap();
    let refusal = refused(sign_in(&mut cloud, "saml", "someone", true));
    assert_eq!(refusal, (404, "not found: identity-provider with name \"local\"".to_owned()));
}

#[test]
fn a_password_changed_during_the_check_opens_no_session() {
    let mut cloud = Cloud::new();
    let names = || -> (Name, UserId) { ("croft".parse().unwrap(), "admin".parse().unwrap()) };
    let challenge = cloud.rule(move |cx| login::prepare(cx, &names().0, &names().1)).unwrap();
    assert_eq!(challenge.password_hash(), Some("hash"));
    let user = sign_in(&mut cloud, "croft", "admin", true).unwrap();
    cloud.rule(move |cx| bootstrap::reset_password(cx, &names().0, &names().1, "new hash", false)).unwrap();
    unauthenticated(who(&cloud, &user));
    let opened = cloud.rule(move |cx| login::complete(cx, &challenge, true)).unwrap();
    unauthenticated(opened.map(|session| session.max_age));
}

#[test]
fn sessions_expire_when_idle_and_after_a_day() {
    let mut cloud = Cloud::new();
    let idle = sign_in(&mut cloud, "croft", "admin", true).unwrap();
    let busy = sign_in(&mut cloud, "croft", "admin", true).unwrap();
    for _ in 0..2 {
        cloud.pass(SignedDuration::from_hours(4));
        who(&cloud, &busy).unwrap();
    }
    who(&cloud, &idle).unwrap();
    cloud.pass(SignedDuration::from_hours(8) + SignedDuration::from_micros(1));
    unauthenticated(who(&cloud, &idle));
    unauthenticated(who(&cloud, &busy));
    assert_eq!(sessions(&cloud).len(), 2);
    cloud.pass_seconds(20);
    assert!(sessions(&cloud).is_empty(), "expired sessions are removed when they are used");

    let busy = sign_in(&mut cloud, "croft", "admin", true).unwrap();
    for _ in 0..4 {
        cloud.pass(SignedDuration::from_hours(6));
        who(&cloud, &busy).unwrap();
    }
    cloud.pass(SignedDuration::from_micros(1));
    unauthenticated(who(&cloud, &busy));
    sign_in(&mut cloud, "croft", "admin", true).unwrap();
    cloud.pass(SignedDuration::from_hours(26));
    assert!(sessions(&cloud).is_empty(), "expired sessions that are not used are removed, too");
}

#[test]
fn uses_are_written_in_batches_and_effective_immediately() {
    let mut cloud = Cloud::new();
    let user = sign_in(&mut cloud, "croft", "admin", true).unwrap();
    let opened = cloud.now;
    for _ in 0..5 {
        cloud.now += SignedDuration::from_secs(1);
        who(&cloud, &user).unwrap();
    }
    assert!(!cloud.environment.activity.is_pending(), "a use shortly after the last one is not recorded");
    cloud.now += SignedDuration::from_secs(100);
    who(&cloud, &user).unwrap();
    assert!(cloud.environment.activity.is_pending());
    assert_eq!(sessions(&cloud)[0].time_last_used, opened);
    let last_use = cloud.now;
    cloud.pass_seconds(11);
    assert_eq!(sessions(&cloud)[0].time_last_used, last_use);
    assert!(!cloud.environment.activity.is_pending());
}

#[test]
fn first_attempted_scheme_determines_the_result() {
    let cloud = Cloud::new();
    let token = cloud.admin.credentials.authorization.clone().unwrap();
    let with = |session_cookie: Option<&str>, authorization: Option<String>| {
        let session_cookie = session_cookie.map(str::to_owned);
        let credentials = Credentials { session_cookie, authorization };
        who(&cloud, &User { credentials, ..cloud.admin.clone() })
    };
    let stale = "0123456789abcdef0123456789abcdef01234567";
    unauthenticated(with(Some(stale), Some(token.clone())));
    unauthenticated(with(Some("not a token"), Some(token.clone())));
    unauthenticated(with(None, None));
    for other in ["Basic YWRtaW46", "Bearer other-token-abc", "Bearer", "nonsense"] {
        unauthenticated(with(None, Some(other.to_owned())));
    }
    unauthenticated(with(None, Some(format!("Bearer croft-token-{stale}"))));
    unauthenticated(with(None, Some(format!("{token}0"))));
    assert_eq!(with(None, Some(token.replace("Bearer", "bearer"))).unwrap(), "admin");
}

#[test]
fn tokens_expire() {
    let mut cloud = Cloud::new();
    let token = cloud
        .rule(|cx| {
            let life = Some(SignedDuration::from_secs(60));
            let [silo, user] = ["croft", "admin"];
            croft_control::token::create(
                cx,
                &silo.parse().unwrap(),
                &user.parse().unwrap(),
                &"test".parse().unwrap(),
                life,
            )
        })
        .unwrap();
    let authorization = Some(format!("Bearer {}", token.text));
    let user =
        User { credentials: Credentials { session_cookie: None, authorization }, ..cloud.admin.clone() };
    cloud.now += SignedDuration::from_secs(60);
    who(&cloud, &user).unwrap();
    cloud.now += SignedDuration::from_micros(1);
    unauthenticated(who(&cloud, &user));
}

#[test]
fn changes_are_audited_whether_or_not_they_succeed() {
    let mut cloud = Cloud::new();
    sign_in(&mut cloud, "croft", "admin", true).unwrap();
    unauthenticated(sign_in(&mut cloud, "croft", "admin", false));
    cloud.project("web");
    assert_eq!(refusal(cloud.try_project(&cloud.admin.clone(), "web")), "already exists: project \"web\"");
    let nobody = User { credentials: Credentials::default(), ..cloud.admin.clone() };
    unauthenticated(cloud.try_project(&nobody, "other"));
    assert_eq!(who(&cloud, &cloud.admin).unwrap(), "admin");

    let mut log = entries(&cloud);
    assert!(log.iter().all(|entry| entry.request_id == Cloud::request().id && entry.source_ip.is_some()));
    log.sort_by_key(|entry| format!("{} {:?}", entry.operation_id, entry.result));
    let summary: Vec<_> = log
        .iter()
        .map(|entry| {
            let status = match &entry.result {
                AuditResult::Success { http_status_code } => (*http_status_code, String::new()),
                AuditResult::Error { http_status_code, error_message, .. } => {
                    (*http_status_code, error_message.clone())
                }
                AuditResult::Unknown => (0, String::new()),
            };
            (entry.operation_id.as_str(), status.0, status.1, entry.auth_method.as_deref())
        })
        .collect();
    assert_eq!(
        summary,
        [
            ("login_local", 401, format!("{} (attempted as user {})", BAD.1, cloud.admin.id), None),
            ("login_local", 204, String::new(), None),
            ("project_create", 400, "already exists: project \"web\"".to_owned(), Some("token")),
            ("project_create", 201, String::new(), Some("token")),
        ]
    );
    assert_eq!(log[0].actor, AuditActor::Unauthenticated);
    let (silo_user_id, silo_id) = (cloud.admin.id, cloud.admin.silo);
    assert!(log[1..].iter().all(|entry| entry.actor == AuditActor::SiloUser { silo_user_id, silo_id }));
}

#[test]
fn quoted_input_is_truncated_in_the_audit_log() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let failed: Result<()> =
        cloud.act(&admin, &operation::PROJECT_CREATE, |_, _| Err(Error::invalid_request("ä".repeat(1000))));
    assert_eq!(refused(failed).1.len(), 2000);
    let log = entries(&cloud);
    let AuditResult::Error { error_message, .. } = &log[0].result else { panic!("{log:?}") };
    assert_eq!(*error_message, format!("{}…", "ä".repeat(254)));
}

#[test]
fn failed_operation_is_rolled_back_and_audited() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let params: croft_api::project::ProjectCreate =
        serde_json::from_value(serde_json::json!({"name": "web", "description": ""})).unwrap();
    let failed: Result<()> = cloud.act(&admin, &operation::PROJECT_CREATE, move |cx, caller| {
        croft_control::project::create(cx, caller, &params)?;
        Err(Error::conflict("changed my mind"))
    });
    assert_eq!(refused(failed), (409, "changed my mind".to_owned()));
    assert_eq!(entries(&cloud).len(), 1);
    cloud.project("web");
    cloud.check_invariants();
}

#[test]
fn operation_with_a_store_error_is_not_committed() {
    let mut cloud = Cloud::new();
    let credentials = cloud.admin.credentials.clone();
    let outcome = cloud.rule(move |cx| {
        execute::write(cx, &credentials, &operation::PROJECT_CREATE, |_, _| {
            Err::<(), _>(Error::unavailable("busy"))
        })
    });
    assert_eq!(refused(outcome).0, 503);
    assert!(entries(&cloud).is_empty());
}

#[test]
fn groups_of_the_caller_are_listed_by_id() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let user = cloud.user(silo, "someone");
    let mut groups = [cloud.group(silo, "one", &[&user]), cloud.group(silo, "two", &[&user])];
    cloud.group(silo, "three", &[]);
    groups.sort();
    let list = |limit, after| {
        let query = PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after, limit };
        let page = cloud.see(&user, move |cx, caller| me::groups(cx, caller, &query)).unwrap();
        page.items.iter().map(|group| group.id).collect::<Vec<_>>()
    };
    assert_eq!(list(100, None), groups);
    assert_eq!(list(1, None), groups[..1]);
    assert_eq!(list(100, Some(croft_api::page::Marker::Id(groups[0]))), groups[1..]);
}
