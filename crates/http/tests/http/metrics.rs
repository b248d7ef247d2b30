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

/// Names of metrics in a text, each with the labels that are named in the braces behind it.
fn used(text: &str) -> Vec<(String, Vec<String>)> {
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let mut found = Vec::new();
    for (place, _) in text.match_indices("croft_") {
        let rest = &text[place..];
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let inside = behind.strip_prefix('{').and_then(|inside| inside.split('}').next()).unwrap_or_default();
        let labels = inside.split(',').filter_map(|pair| pair.split('=').next());
        let labels = labels.map(str::trim).filter(|label| !label.is_empty()).map(str::to_owned);
        found.push((name.to_owned(), labels.collect()));
    }
    found
}

/// Labels that Prometheus adds.
const OF_PROMETHEUS: [&str; 2] = ["instance", "job"];

#[tokio::test]
async fn dashboard_and_alert_rules_use_metrics_that_exist() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.get("/v1/projects").await;
    let text = String::from_utf8(client.get("/metrics").await.body).unwrap();
    let served = used(&text);
    let dashboard: serde_json::Value =
        serde_json::from_str(include_str!("../../../../packaging/grafana/croft.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let mut expressions: Vec<_> = targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect();
    let rules = include_str!("../../../../packaging/prometheus/croft.rules.yml");
    expressions
        .extend(rules.split("expr:").skip(1).map(|rest| rest.split("for:").next().unwrap().to_owned()));
    assert!(expressions.len() > 30, "{}", expressions.len());
    for expression in expressions {
        for (name, labels) in used(&expression) {
            let lines: Vec<_> = served.iter().filter(|(other, _)| *other == name).collect();
            assert!(!lines.is_empty(), "{name} is not served: {expression}");
            for label in labels.iter().filter(|label| !OF_PROMETHEUS.contains(&label.as_str())) {
                assert!(lines.iter().any(|(_, known)| known.contains(label)), "{name} has no label {label}");
            }
        }
        for by in expression.split(" by (").skip(1) {
            for label in by.split(')').next().unwrap().split(',').map(str::trim) {
                let is_known = OF_PROMETHEUS.contains(&label)
                    || served.iter().any(|(_, labels)| labels.iter().any(|known| known == label));
                assert!(is_known, "nothing has the label {label}: {expression}");
            }
        }
    }
}
