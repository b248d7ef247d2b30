use http::Method;
use serde_json::json;

use crate::cloud::Cloud;

#[tokio::test]
async fn data_answers_have_request_id_and_headers() {
    let cloud = Cloud::new();
    let client = cloud.anonymous().with("x-request-id", "mine");
    let mut ids = std::collections::HashSet::new();
    for uri in ["/v1/ping", "/v1/me", "/nowhere", "/v1/../x", "/openapi.json"] {
        let answer = client.get(uri).await;
        let id = answer.header("x-request-id").to_owned();
        assert_eq!(uuid::Uuid::parse_str(&id).unwrap().get_version_num(), 4);
        assert!(ids.insert(id), "a request ID was used twice");
        // API responses are not cached, and lack the headers that matter for pages only.
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{uri}");
        assert_eq!(answer.header("cache-control"), "no-store", "{uri}");
        assert_eq!(answer.header("vary"), "api-version", "{uri}");
        for name in ["content-security-policy", "x-frame-options", "referrer-policy"] {
            assert_eq!(answer.header(name), "", "{uri}");
        }
        assert_eq!(answer.header("strict-transport-security"), "", "{uri} was requested without TLS");
    }
}

#[tokio::test]
async fn clients_with_a_newer_contract_version_are_refused() {
    let cloud = Cloud::new();
    let ask = |version: &str| {
        let client = cloud.with_token().with("api-version", version);
        async move { client.get("/v1/ping").await }
    };
    for version in ["20250730.0.0", "20250604.0.0", "0.0.1", "20250730.0.0-rc.1"] {
        assert_eq!(ask(version).await.status, 200, "{version}");
    }
    for version in ["20251008.0.0", "20250730.0.1", "20250731.0.0"] {
        ask(version).await.assert_unreadable(&format!(
            "this server has version 20250730.0.0 of the API, but the request needs the newer version \
             {version}: use a client \
             for version 20250730.0.0, or a newer server"
        ));
    }
    for version in ["", "latest", "20250730", "20250730.0", "v20250730.0.0", "-1.0.0"] {
        ask(version).await.assert_unreadable("bad header api-version: not a version such as 20250730.0.0");
    }
    // The request is refused before it changes anything.
    let newer = cloud.with_token().with("api-version", "20251008.0.0");
    let body = serde_json::json!({ "name": "web", "description": "" });
    assert_eq!(newer.post("/v1/projects", body).await.status, 400);
    assert_eq!(cloud.with_token().get("/v1/projects/web").await.status, 404);
}

#[tokio::test]
async fn unknown_routes() {
    let cloud = Cloud::new();
    for uri in ["/v1", "/v1/nothing", "/v1/projects/a/b", "/index.html", "/v2/projects"] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            let answer = cloud.anonymous().send(method, uri, "{").await;
            assert_eq!(answer.error(), (404, None, "Not Found".into()), "{uri}");
        }
    }
}

#[tokio::test]
async fn wrong_method_is_answered_with_allow_headers() {
    let cloud = Cloud::new();
    let allowed = async |method: Method, uri: &str| {
        let answer = cloud.anonymous().send(method, uri, "{").await;
        assert_eq!(answer.error(), (405, None, "Method Not Allowed".into()), "{uri}");
        let values = answer.headers.get_all("allow").iter().map(|value| value.to_str().unwrap().to_owned());
        let mut methods: Vec<_> = values.collect();
        methods.sort();
        methods
    };
    assert_eq!(allowed(Method::PUT, "/v1/projects").await, ["GET", "HEAD", "POST"]);
    assert_eq!(allowed(Method::POST, "/v1/projects/web").await, ["DELETE", "GET", "HEAD", "PUT"]);
    assert_eq!(allowed(Method::GET, "/v1/instances/db/start").await, ["POST"]);
    assert_eq!(allowed(Method::OPTIONS, "/v1/logout").await, ["POST"]);
    // The method is checked first, before the path is parsed.
    assert_eq!(allowed(Method::PATCH, "/v1/projects/BAD").await, ["DELETE", "GET", "HEAD", "PUT"]);
}

#[tokio::test]
async fn checks_come_in_order() {
    let cloud = Cloud::new();
    let anonymous = cloud.anonymous();
    // Parsing comes before authentication, authentication before the look-up.
    assert_eq!(anonymous.get("/v1/projects/BAD").await.status, 400);
    assert_eq!(anonymous.get("/v1/projects/nothing").await.status, 401);
    let client = cloud.signed_in().await;
    let answer = client.get("/v1/projects/nothing").await;
    let message = "not found: project with name \"nothing\"".to_owned();
    assert_eq!(answer.error(), (404, Some("ObjectNotFound".into()), message));
    // The path is parsed before the query, and the query before the body.
    let answer = anonymous.send(Method::PUT, "/v1/instances/BAD?project=BAD", "{").await;
    answer.assert_unreadable_start("bad parameter in URL path");
    let answer = anonymous.send(Method::PUT, "/v1/instances/ok?project=BAD", "{").await;
    answer.assert_unreadable_start("unable to parse query string");
}

#[tokio::test]
async fn empty_segments_are_ignored() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    for uri in ["/v1/projects/web/", "//v1//projects/web", "/v1/projects//web?x=1"] {
        assert_eq!(client.get(uri).await.json()["name"], json!("web"), "{uri}");
    }
}

#[tokio::test]
async fn undecodable_paths_are_refused() {
    let cloud = Cloud::new();
    for uri in ["/v1/./projects", "/v1/../projects", "/v1/%2e%2e/projects", "/v1/projects/%ff"] {
        cloud.anonymous().get(uri).await.assert_unreadable("invalid path encoding");
    }
}

#[tokio::test]
async fn head_equals_get_without_body() {
    let cloud = Cloud::new();
    let answer = cloud.anonymous().send(Method::HEAD, "/v1/ping", "").await;
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    assert_eq!(answer.header("content-length"), "15");
}

#[tokio::test]
async fn ping_needs_no_credentials() {
    let cloud = Cloud::new();
    let answer = cloud.anonymous().with("cookie", "session=stale").get("/v1/ping").await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "status": "ok" })));
}
