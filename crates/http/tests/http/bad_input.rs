use http::Method;
use serde_json::{Value, json};

use crate::cloud::Cloud;

/// Sends the bad request without credentials, because parsing comes before authentication, and with credentials, to
/// check that nothing changes.
async fn refuse(method: Method, uri: &str, body: impl Into<String>, start: &str) {
    let body = body.into();
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for client in [cloud.anonymous(), client.clone()] {
        let answer = client.send(method.clone(), uri, body.clone()).await;
        answer.assert_unreadable_start(start);
    }
    assert_eq!(client.get("/v1/projects").await.json()["items"], json!([]), "the database changed");
}

async fn refuse_project(body: &str, start: &str) {
    refuse(Method::POST, "/v1/projects", body, &format!("unable to parse JSON body: {start}")).await;
}

#[tokio::test]
async fn malformed_json() {
    refuse_project("", "EOF while parsing a value at line 1 column 0").await;
    refuse_project("{", "EOF while parsing an object at line 1 column 1").await;
    refuse_project("{\"name\":", "name: EOF while parsing a value").await;
    refuse_project("name=web", "expected ident at line 1 column 2").await;
    refuse_project("{} {}", "missing field `name` at line 1 column 2").await;
    refuse_project(&"[".repeat(5000), "invalid type: sequence").await;
    refuse_project("{\"name\":\"a\",\"description\":\"\"}{", "trailing characters at line 1 column 30").await;
    refuse_project("\u{0}", "expected value at line 1 column 1").await;
}

#[tokio::test]
async fn invalid_utf8_is_refused() {
    let cloud = Cloud::new();
    let body = b"{\"name\":\"\xff\xfe\",\"description\":\"\"}".to_vec();
    let answer = cloud.anonymous().send(Method::POST, "/v1/projects", body).await;
    answer.assert_unreadable_start("unable to parse JSON body: ");
}

#[tokio::test]
async fn wrong_types() {
    refuse_project("[]", "invalid type: sequence").await;
    refuse_project("null", "invalid type: null").await;
    refuse_project(r#"{"name":5,"description":""}"#, "invalid type: integer `5`").await;
    refuse_project(r#"{"name":null,"description":""}"#, "invalid type: null").await;
    refuse_project(r#"{"name":"a"}"#, "missing field `description`").await;
    refuse_project(r#"{"name":"a","name":"b","description":""}"#, "duplicate field `name`").await;
    let uri = "/v1/instances?project=web";
    let instance = |field: &str, value: Value| {
        let mut body = json!({
            "name": "a", "description": "", "hostname": "a", "ncpus": 1, "memory": 1_u64 << 30,
        });
        body[field] = value;
        body.to_string()
    };
    let cases = [
        ("ncpus", json!(-3), "ncpus: invalid value: integer `-3`"),
        ("ncpus", json!("2"), "ncpus: invalid type: string \"2\""),
        ("ncpus", json!(1.5), "ncpus: invalid type: floating point `1.5`"),
        ("memory", json!(-1), "memory: invalid value: integer `-1`, expected u64"),
        ("memory", json!(u64::MAX), "memory: value is too large for a byte count"),
        ("hostname", json!("-a"), "hostname: Hostnames must comply with RFC 1035"),
        ("user_data", json!("***"), "user_data: invalid value: invalid base64 string"),
        ("start", json!("yes"), "start: invalid type: string \"yes\", expected a boolean"),
        ("disks", json!([{ "type": "clone" }]), "disks[0].type: unknown variant `clone`"),
    ];
    for (field, value, start) in cases {
        refuse(Method::POST, uri, instance(field, value), &format!("unable to parse JSON body: {start}"))
            .await;
    }
}

#[tokio::test]
async fn invalid_names_are_refused() {
    let name = |name: &str| json!({ "name": name, "description": "" }).to_string();
    let cases = [
        (String::new(), "name requires at least one character"),
        ("a".repeat(64), "name may contain at most 63 characters"),
        ("Web".into(), "name must begin with an ASCII lowercase character"),
        ("we b".into(), "name contains invalid character: \" \""),
        ("a'; DROP TABLE project; --".into(), "name contains invalid character: \"'\""),
        ("a\u{0}b".into(), "name contains invalid character: \"\u{0}\""),
        ("a\u{202e}b".into(), "name contains invalid character: \"\u{202e}\""),
        ("<script>".into(), "name must begin with"),
        ("../etc".into(), "name must begin with"),
        ("web-".into(), "name cannot end with \"-\""),
        ("a7b9ff9a-ad15-4fd7-b6bf-3c6a1a1c6ab4".into(), "name cannot be a UUID to avoid ambiguity with IDs"),
    ];
    for (text, message) in cases {
        refuse_project(&name(&text), message).await;
    }
}

#[tokio::test]
async fn an_oversized_body_is_refused_however_it_is_sent() {
    let limit = 1_048_576;
    let message = format!("request body exceeded maximum size of {limit} bytes");
    refuse(Method::POST, "/v1/projects", "x".repeat(limit + 1), &message).await;
    refuse(Method::POST, "/v1/projects", "x".repeat(20 * limit), &message).await;
    let cloud = Cloud::new();
    let fits = format!("{{{}}}", " ".repeat(limit - 2));
    let answer = cloud.anonymous().send(Method::POST, "/v1/projects", fits).await;
    answer.assert_unreadable_start("unable to parse JSON body: missing field `name`");
}

#[tokio::test]
async fn content_types() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let send = async |kind: &str, name: &str| {
        let body = json!({ "name": name, "description": "" }).to_string();
        client.clone().with("content-type", kind).send(Method::POST, "/v1/projects", body).await
    };
    for (number, kind) in ["application/json", "Application/JSON; charset=utf-8"].into_iter().enumerate() {
        assert_eq!(send(kind, &format!("p{number}")).await.status, 201);
    }
    client.create_project("without-a-type").await;
    let form = "application/x-www-form-urlencoded";
    let text = format!("expected content type \"application/json\", got \"{form}\"");
    send(form, "q").await.assert_unreadable(&text);
    send("text/html", "q").await.assert_unreadable("text/html");
    send("nonsense", "q").await.assert_unreadable("nonsense");
}

#[tokio::test]
async fn unknown_fields_and_keys_are_ignored_and_null_means_absent() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let body = json!({ "name": "web", "description": "", "colour": "red" });
    assert_eq!(client.post("/v1/projects?shape=round", body).await.status, 201);
    let body = json!({ "name": null, "description": "new" });
    let answer = client.put("/v1/projects/web", body).await;
    assert_eq!((answer.status, answer.json()["name"].as_str()), (200, Some("web")));
}

#[tokio::test]
async fn query_strings() {
    let query = |text: &str| format!("unable to parse query string: {text}");
    refuse(Method::GET, "/v1/instances", "", &query("missing field `project`")).await;
    let twice = "/v1/instances?project=a&project=b";
    refuse(Method::GET, twice, "", &query("duplicate field `project`")).await;
    let neither = "data did not match any variant of untagged enum NameOrId";
    refuse(Method::GET, "/v1/instances?project=A", "", &query(neither)).await;
    refuse(Method::GET, "/v1/disks/a?project=", "", &query(neither)).await;
    refuse(Method::POST, "/v1/disks", "{}", &query("missing field `project`")).await;
    refuse(Method::POST, "/v1/disks?project=a&project=a", "{}", &query("duplicate field `project`")).await;
    let serial = "/v1/instances/a/serial-console?project=p&from_start=";
    refuse(Method::GET, &format!("{serial}-1"), "", &query("invalid digit found in string")).await;
    refuse(Method::GET, &format!("{serial}x"), "", &query("invalid digit found in string")).await;
}

#[tokio::test]
async fn path_parameters() {
    let text = "bad parameter in URL path: data did not match any variant of untagged enum NameOrId";
    for bad in ["A", "a_b", "%20", "a%2Fb", "a%00", "%C3%BC", "-"] {
        refuse(Method::GET, &format!("/v1/projects/{bad}"), "", text).await;
    }
    refuse(
        Method::POST,
        "/v1/login/Acme/local",
        "{}",
        "bad parameter in URL path: name must begin with an ASCII lowercase character",
    )
    .await;
}

#[tokio::test]
async fn passwords_and_user_names() {
    let uri = "/v1/login/acme/local";
    let long = json!({ "username": "ada", "password": "x".repeat(513) }).to_string();
    let start =
        "unable to parse JSON body: password: unsupported password: the password provided was too long";
    refuse(Method::POST, uri, long, start).await;
    let upper = json!({ "username": "Ada", "password": "x" }).to_string();
    let start = "unable to parse JSON body: username: name must begin with an ASCII lowercase character";
    refuse(Method::POST, uri, upper, start).await;
}
