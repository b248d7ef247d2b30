use croft_store::{
    ListBy, Sort,
    records::{AuditActor, AuditEntry, AuditResult},
};
use serde_json::json;

use crate::cloud::{Cloud, PASSWORD, USER};

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
async fn changes_leave_an_entry_whether_or_not_they_succeed() {
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
    let expected = [
        ("login_local", "unauthenticated", 204),
        ("project_create", "user", 201),
        ("project_create", "user", 400),
    ];
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
async fn what_could_not_be_read_or_has_no_sender_leaves_none() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.post("/v1/projects", json!({})).await.assert_unreadable_start("unable to parse");
    let body = json!({ "name": "web", "description": "" });
    cloud.anonymous().post("/v1/projects", body).await.assert_unauthorized();
    assert_eq!(entries(&cloud).len(), 1, "the sign-in alone");
}

#[tokio::test]
async fn failed_sign_ins_leave_an_entry() {
    let cloud = Cloud::new();
    cloud.sign_in(USER, "wrong").await.assert_unauthorized();
    let body = json!({ "username": USER, "password": PASSWORD });
    assert_eq!(cloud.anonymous().post("/v1/login/nowhere/local", body).await.status, 404);
    let mut found: Vec<_> = entries(&cloud).iter().map(|entry| summary(entry).2).collect();
    found.sort_unstable();
    assert_eq!(found, [401, 404]);
}

#[tokio::test]
async fn sign_ins_in_bulk_do_not_fill_the_log() {
    let cloud = Cloud::new();
    let body = json!({ "username": USER, "password": PASSWORD });
    for attempt in 0..90 {
        let silo = if attempt % 2 == 0 { "nowhere" } else { "elsewhere" };
        cloud.anonymous().post(&format!("/v1/login/{silo}/local"), body.clone()).await;
    }
    let kept = entries(&cloud).len();
    cloud.sign_in(USER, "wrong").await.assert_unauthorized();
    assert_eq!(entries(&cloud).len(), kept, "refused at once");
    cloud.clock.advance(std::time::Duration::from_mins(10));
    cloud.sign_in(USER, "wrong").await.assert_unauthorized();
    assert_eq!(entries(&cloud).len(), kept + 1, "after a while attempts count again");
}
