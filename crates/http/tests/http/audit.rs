use croft_store::{
    ListBy, Sort,
    records::{AuditActor, AuditEntry, AuditResult},
};
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud, PASSWORD, USER};

fn entries(cloud: &Cloud) -> Vec<AuditEntry> {
    cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::TimeAsc, None, 100)?)).unwrap()
}

fn summary(entry: &AuditEntry) -> (&str, &str, u16) {
    let actor = match entry.actor {
        AuditActor::SiloUser { .. } => "user",
        _ => "unauthenticated",
    };
    let status = match entry.result {
        AuditResult::Success { http_status_code } | AuditResult::Error { http_status_code, .. } => {
            http_status_code
        }
        AuditResult::Unknown => 0,
    };
    (&entry.operation_id, actor, status)
}

#[tokio::test]
async fn successful_and_failed_changes_are_audited() {
    let cloud = Cloud::new();
    cloud.clock.advance(std::time::Duration::from_secs(1));
    let client = cloud.signed_in().await.with("user-agent", "tester/1");
    let mut answers = Vec::new();
    for name in ["web", "web"] {
        cloud.clock.advance(std::time::Duration::from_secs(1));
        let body = json!({ "name": name, "description": "" });
        answers.push(client.post("/v1/projects?x=1", body).await);
    }
    let entries = entries(&cloud);
    let expected =
        [("login_local", "user", 204), ("project_create", "user", 201), ("project_create", "user", 400)];
    assert_eq!(entries.iter().map(summary).collect::<Vec<_>>(), expected);
    for (entry, answer) in entries[1..].iter().zip(&answers) {
        assert_eq!(entry.request_id.to_string(), answer.header("x-request-id"));
        assert_eq!(entry.request_uri, "/v1/projects?x=1");
        assert_eq!(entry.user_agent.as_deref(), Some("tester/1"));
        assert_eq!(entry.source_ip.unwrap().to_string(), "192.0.2.7");
        assert_eq!(entry.auth_method.as_deref(), Some("session_cookie"));
    }
}

#[tokio::test]
async fn malformed_and_anonymous_requests_are_not_audited() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.post("/v1/projects", json!({})).await.assert_unreadable_start("unable to parse");
    let body = json!({ "name": "web", "description": "" });
    cloud.anonymous().post("/v1/projects", body).await.assert_unauthorized();
    assert_eq!(entries(&cloud).len(), 1, "only the sign-in");
}

#[tokio::test]
async fn sign_in_entry_names_the_actor_only_on_success() {
    let cloud = Cloud::new();
    cloud.sign_in(USER, PASSWORD).await;
    cloud.sign_in(USER, "wrong").await.assert_unauthorized();
    // A password entered as the user name.
    cloud.sign_in("hunter2hunter2", "").await.assert_unauthorized();
    let mut log = entries(&cloud);
    log.sort_by_key(|entry| summary(entry).2);
    let AuditActor::SiloUser { silo_user_id, .. } = log[0].actor else { panic!("{:?}", log[0]) };
    assert_eq!(summary(&log[0]), ("login_local", "user", 204));
    assert_eq!(log[0].auth_method, None);
    let mut reasons: Vec<_> = log[1..].iter().map(reason).collect();
    reasons.sort();
    let expected = [
        format!("credentials missing or invalid (attempted as user {silo_user_id})"),
        "credentials missing or invalid (attempted with a name that no user with a password has)".to_owned(),
    ];
    assert_eq!(reasons, expected);
    assert!(log[1..].iter().all(|entry| entry.actor == AuditActor::Unauthenticated));
    assert!(!format!("{log:?}").contains("hunter2"));
}

fn reason(entry: &AuditEntry) -> String {
    match &entry.result {
        AuditResult::Error { error_message, .. } => error_message.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn client_texts_are_truncated_and_marked() {
    let cloud = Cloud::new();
    let client = cloud.with_token().with("user-agent", &"x".repeat(300));
    let body = json!({ "name": "web", "description": "ä".repeat(2000) });
    assert_eq!(client.post(&format!("/v1/projects?{}", "y".repeat(600)), body).await.status, 400);
    let body = json!({ "name": "web", "description": "" });
    assert_eq!(client.post("/v1/projects", body).await.status, 201);
    let log = entries(&cloud);
    for entry in &log {
        assert!(entry.request_uri.len() <= 512, "{entry:?}");
        let agent = entry.user_agent.as_deref().unwrap();
        assert!(agent.len() <= 256 && agent.ends_with("x…"), "{entry:?}");
    }
    assert!(log.iter().any(|entry| entry.request_uri.ends_with("y…")), "{log:?}");
}

#[tokio::test]
async fn failed_sign_ins_are_audited() {
    let cloud = Cloud::new();
    cloud.sign_in(USER, "wrong").await.assert_unauthorized();
    let body = json!({ "username": USER, "password": PASSWORD });
    assert_eq!(cloud.anonymous().post("/v1/login/nowhere/local", body).await.status, 404);
    let mut found: Vec<_> = entries(&cloud).iter().map(|entry| summary(entry).2).collect();
    found.sort_unstable();
    assert_eq!(found, [401, 404]);
}

#[tokio::test]
async fn mass_sign_ins_do_not_fill_the_audit_log() {
    let cloud = Cloud::new();
    let body = json!({ "username": USER, "password": PASSWORD });
    for attempt in 0..90 {
        let silo = if attempt % 2 == 0 { "nowhere" } else { "elsewhere" };
        cloud.anonymous().post(&format!("/v1/login/{silo}/local"), body.clone()).await;
    }
    let kept = entries(&cloud).len();
    cloud.sign_in(USER, "wrong").await.assert_unauthorized();
    assert_eq!(entries(&cloud).len(), kept, "refused without an entry");
    cloud.clock.advance(std::time::Duration::from_mins(10));
    cloud.sign_in(USER, "wrong").await.assert_unauthorized();
    assert_eq!(entries(&cloud).len(), kept + 1, "recorded again after the interval");
}

const LOG: &str = "/v1/system/audit-log";
/// The time at which the test clock starts.
const BEGINNING: &str = "2026-09-21T14:13:20Z";

async fn ids(client: &Client<'_>, query: &str) -> (Vec<String>, Value) {
    let answer = client.get(&format!("{LOG}?{query}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let page = answer.json();
    let items = page["items"].as_array().unwrap();
    (items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect(), page["next_page"].clone())
}

/// Fills the audit log with three entries in each of five seconds, oldest first: entry `i` is of second `i / 3`.
async fn logged(cloud: &Cloud) -> Vec<AuditEntry> {
    let client = cloud.with_token();
    for second in 0..5 {
        for entry in 0..3 {
            client.create_project(&format!("web-{second}-{entry}")).await;
        }
        cloud.clock.advance(std::time::Duration::from_secs(1));
    }
    let mut all = entries(cloud);
    all.sort_by_key(|entry| (entry.meta.time_created, entry.meta.id));
    assert_eq!(all.len(), 15);
    all
}

#[tokio::test]
async fn audit_log_is_filtered_by_time() {
    let cloud = Cloud::new();
    let all = logged(&cloud).await;
    let client = cloud.with_token();
    let id = |entry: &AuditEntry| entry.meta.id.to_string();
    let between = |from: usize, to: usize| all[from * 3..to * 3].iter().map(id).collect::<Vec<_>>();
    let second = |second: usize| format!("2026-09-21T14:13:{}Z", 20 + second);
    let start = |from: usize| format!("start_time={}", second(from));
    assert_eq!(ids(&client, &start(0)).await.0, between(0, 5));
    assert_eq!(ids(&client, &start(2)).await.0, between(2, 5), "the start is inclusive");
    let bounded = format!("{}&end_time={}", start(1), second(3));
    assert_eq!(ids(&client, &bounded).await.0, between(1, 3), "the end is exclusive");
    let mut backwards = between(1, 3);
    backwards.reverse();
    let descending = format!("{bounded}&sort_by=time_and_id_descending");
    assert_eq!(ids(&client, &descending).await.0, backwards);
    let just_after = "start_time=2026-09-21T14:13:21.0000001Z&end_time=2026-09-21T14:13:23.0000001Z";
    let mut expected = between(2, 4);
    assert_eq!(ids(&client, just_after).await.0, expected);
    let offset = "start_time=2026-09-21T16:13:22%2B02:00&end_time=2026-09-21T14:13:24Z";
    assert_eq!(ids(&client, offset).await.0, expected);
    expected.clear();
    assert_eq!(ids(&client, &format!("{}&end_time={}", start(3), second(3))).await.0, expected);
    assert_eq!(ids(&client, &start(6)).await.0, expected);
}

#[tokio::test]
async fn audit_log_pages_are_consistent_while_entries_are_added() {
    let cloud = Cloud::new();
    let all = logged(&cloud).await;
    let client = cloud.with_token();
    for (sort, reversed) in [("time_and_id_ascending", false), ("time_and_id_descending", true)] {
        let window = format!("start_time={BEGINNING}&end_time=2026-09-21T14:13:24Z");
        let (mut seen, mut next) = ids(&client, &format!("{window}&limit=2&sort_by={sort}")).await;
        while let Some(token) = next.as_str() {
            client.post("/v1/projects", json!({ "name": "web-0-0", "description": "" })).await;
            let (page, after) = ids(&client, &format!("limit=2&page_token={token}")).await;
            seen.extend(page);
            next = after;
        }
        let mut expected: Vec<_> = all[..12].iter().map(|entry| entry.meta.id.to_string()).collect();
        if reversed {
            expected.reverse();
        }
        assert_eq!(seen, expected, "{sort}");
    }
}

#[tokio::test]
async fn audit_log_requires_a_fleet_role_and_a_start_time() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let missing = "unable to parse query string: missing field `start_time`";
    client.get(LOG).await.assert_unreadable(missing);
    client.get(&format!("{LOG}?start_time=yesterday")).await.assert_unreadable_start("unable to parse query");
    client.create_project("web").await;
    let client = client.with("user-agent", "tester/1");
    let refused = client.post("/v1/projects?a=b", json!({ "name": "web", "description": "" })).await;
    let answer = cloud.with_token().get(&format!("{LOG}?start_time={BEGINNING}")).await.json();
    let items = answer["items"].as_array().unwrap();
    let entry = items.iter().find(|item| item["request_id"] == refused.header("x-request-id")).unwrap();
    assert_eq!(
        entry["result"],
        json!({
            "kind": "error", "http_status_code": 400, "error_code": "ObjectAlreadyExists",
            "error_message": "already exists: project \"web\"",
        })
    );
    assert_eq!(entry["actor"]["kind"], "silo_user");
    assert_eq!(
        [
            &entry["operation_id"],
            &entry["auth_method"],
            &entry["request_uri"],
            &entry["source_ip"],
            &entry["user_agent"]
        ],
        ["project_create", "token", "/v1/projects?a=b", "192.0.2.7", "tester/1"]
    );
}

#[tokio::test]
async fn sign_out_of_a_session_is_audited() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for _ in 0..2 {
        assert_eq!(client.post("/v1/logout", json!({})).await.status, 204);
    }
    let log = entries(&cloud);
    let mut found: Vec<_> = log.iter().map(summary).collect();
    found.sort_unstable();
    assert_eq!(found, [("login_local", "user", 204), ("logout", "user", 204)]);
}
