use croft_http::Settings;

use crate::cloud::{Cloud, PASSWORD, USER};

#[tokio::test]
async fn metrics_require_a_token() {
    let token = "a-configured-token";
    let cloud = Cloud::with(Settings { metrics_token: Some(token.into()), ..Settings::default() });
    cloud.anonymous().get("/metrics").await.assert_unauthorized();
    let wrong = cloud.anonymous().with("authorization", "Bearer a-configured-tokem");
    wrong.get("/metrics").await.assert_unauthorized();

    assert_eq!(cloud.sign_in(USER, PASSWORD).await.status, 204);
    assert_eq!(cloud.sign_in(USER, "wrong").await.status, 401);
    let scraper = cloud.anonymous().with("authorization", &format!("Bearer {token}"));
    let answer = scraper.get("/metrics").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.header("content-type").starts_with("text/plain; version=0.0.4"));
    let text = String::from_utf8(answer.body).unwrap();
    for line in [
        "croft_requests_total{operation=\"login_local\",status=\"2xx\"} 1",
        "croft_requests_total{operation=\"login_local\",status=\"4xx\"} 1",
        "croft_request_duration_seconds_count{operation=\"login_local\"} 2",
        "# TYPE croft_store_commits_total counter",
        "# TYPE croft_store_commit_seconds summary",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
}

#[tokio::test]
async fn fleet_viewer_may_read_metrics() {
    let cloud = Cloud::new();
    assert_eq!(cloud.with_token().get("/metrics").await.status, 200);
    assert_eq!(cloud.signed_in().await.get("/metrics").await.status, 200);
}
