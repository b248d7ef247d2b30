use http::StatusCode;
use serde_json::json;

use crate::cloud::{Answer, Client, Cloud};

const FOREIGN: [&[(&str, &str)]; 4] = [
    &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example"), ("host", "croft")],
    &[("sec-fetch-site", "same-site")],
    &[("origin", "https://evil.example"), ("host", "croft")],
    &[("origin", "null"), ("host", "croft")],
];

fn from<'a>(client: &Client<'a>, headers: &'static [(&'static str, &'static str)]) -> Client<'a> {
    headers.iter().fold(client.clone(), |client, (name, value)| client.with(name, value))
}

fn assert_forbidden(answer: &Answer) {
    answer.assert_error(StatusCode::FORBIDDEN, "Forbidden", "Forbidden");
}

#[tokio::test]
async fn cross_site_changes_with_a_cookie_are_refused() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    for headers in FOREIGN {
        let foreign = from(&client, headers);
        assert_forbidden(&foreign.post("/v1/projects", json!({ "name": "evil", "description": "" })).await);
        assert_forbidden(&foreign.put("/v1/projects/web", json!({ "name": "evil" })).await);
        assert_forbidden(&foreign.delete("/v1/projects/web").await);
        assert_forbidden(&foreign.post("/v1/logout", json!({})).await);
    }
    let names = client.get("/v1/projects").await.json();
    assert_eq!(names["items"].as_array().unwrap().len(), 1);
    assert_eq!(names["items"][0]["name"], json!("web"));
}

#[tokio::test]
async fn cross_site_sign_in_is_refused() {
    let cloud = Cloud::new();
    let body = json!({ "username": "ada", "password": "correct horse" });
    for headers in FOREIGN {
        let answer = from(&cloud.anonymous(), headers).post("/v1/login/acme/local", body.clone()).await;
        assert_forbidden(&answer);
        assert_eq!(answer.header("set-cookie"), "");
    }
}

#[tokio::test]
async fn console_and_programs_pass_the_cross_site_check() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let own: [&'static [(&'static str, &'static str)]; 4] = [
        &[
            ("sec-fetch-site", "same-origin"),
            ("origin", "http://localhost:5173"),
            ("host", "127.0.0.1:12220"),
        ],
        &[("sec-fetch-site", "none")],
        &[("origin", "http://croft:12220"), ("host", "croft:12220")],
        &[],
    ];
    for (number, headers) in own.into_iter().enumerate() {
        from(&client, headers).create_project(&format!("own-{number}")).await;
    }
    // Browsers never add a token by themselves, so a request with one is not forged.
    for (number, headers) in FOREIGN.into_iter().enumerate() {
        from(&cloud.with_token(), headers).create_project(&format!("token-{number}")).await;
    }
}

#[tokio::test]
async fn cross_site_reads_get_no_cors_headers() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for headers in FOREIGN {
        let answer = from(&client, headers).get("/v1/projects").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
}
