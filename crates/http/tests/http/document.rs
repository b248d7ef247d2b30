use croft_http::openapi::{TEXT, describe};

use crate::cloud::Cloud;

/// Operations beside the contract, and so outside the document, that need a caller: id, method and path.
pub const BESIDE: [(&str, &str, &str); 1] = [("vpc_trace", "POST", "/experimental/v1/vpcs/{vpc}/trace")];

#[test]
fn the_document_at_the_root_is_current() {
    assert!(TEXT == describe(), "openapi.json is stale: run `cargo xtask openapi`");
}

#[tokio::test]
async fn the_document_is_served() {
    let cloud = Cloud::new();
    let answer = cloud.anonymous().get("/openapi.json").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    assert_eq!(answer.body, TEXT.as_bytes());
    assert_eq!(answer.json()["info"]["title"], "Croft API");
    assert_eq!(answer.json()["info"]["version"], "20250730.0.0");
}

#[test]
fn every_reference_leads_somewhere() {
    let document: serde_json::Value = serde_json::from_str(TEXT).unwrap();
    let references = TEXT.split("\"#/").skip(1).map(|rest| rest.split('"').next().unwrap());
    for reference in references {
        assert!(document.pointer(&format!("/{reference}")).is_some(), "{reference} leads nowhere");
    }
}

#[test]
fn every_operation_is_declared_and_described() {
    let document: serde_json::Value = serde_json::from_str(TEXT).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            let place = format!("{method} {path} {id}");
            assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{place}");
            assert_eq!(operation["tags"].as_array().unwrap().len(), 1, "{place}");
            assert_ne!(
                operation["responses"]["4XX"].is_object(),
                operation["responses"]["default"].is_object(),
                "{place}"
            );
            let declared = croft_control::operation::ALL.iter().find(|operation| operation.id == id);
            let Some(declared) = declared else {
                assert_eq!(id, "ping", "{place} has no rule");
                continue;
            };
            let success = declared.success.to_string();
            // What is no JSON of ours says nothing about its answers.
            if !operation["responses"]["default"].is_object() {
                assert!(operation["responses"][success].is_object(), "{place}");
            }
        }
    }
    let present: Vec<_> = croft_http::openapi::routes();
    for operation in croft_control::operation::ALL {
        assert!(
            present.iter().any(|route| route.ends_with(&format!(" {}", operation.id))),
            "{}",
            operation.id
        );
    }
}

#[tokio::test]
async fn what_is_beside_the_contract_is_there_and_not_in_the_document() {
    let cloud = Cloud::new();
    for (id, method, path) in BESIDE {
        assert!(!TEXT.contains(path), "{id}");
        let path = path.replace("{vpc}", "default");
        let answer = cloud.anonymous().send(method.parse().unwrap(), &path, "").await;
        answer.assert_unreadable_start("unable to parse JSON body: ");
    }
}

#[test]
fn routes() {
    insta::assert_snapshot!(croft_http::openapi::routes().join("\n"));
}
