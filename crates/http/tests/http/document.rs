use std::collections::BTreeSet;

use croft_control::operation;
use croft_http::openapi::{CONTRACT, Document, EXTENSIONS};
use http::Method;
use serde_json::Value;

use crate::cloud::Cloud;

/// Both documents as they are served: path, text and source.
const SERVED: [(&str, &str, Document); 2] = [
    ("/openapi.json", CONTRACT, Document::Contract),
    ("/openapi-croft.json", EXTENSIONS, Document::Extensions),
];

/// An operation of a document.
pub struct Documented {
    pub id: String,
    pub method: Method,
    /// The path with its parameters in braces.
    pub path: String,
    description: Value,
}

/// Every operation of both documents.
pub fn documented() -> Vec<Documented> {
    let documents = SERVED.map(|(_, text, _)| operations(text));
    documents.into_iter().flatten().collect()
}

fn operations(text: &str) -> Vec<Documented> {
    let document: Value = serde_json::from_str(text).unwrap();
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            all.push(Documented {
                id: operation["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
                description: operation.clone(),
            });
        }
    }
    all
}

#[test]
fn the_documents_at_the_root_are_current() {
    for (_, text, document) in SERVED {
        assert!(text == document.describe(), "{} is stale: run `cargo xtask openapi`", document.file());
    }
}

#[tokio::test]
async fn the_documents_are_served() {
    let cloud = Cloud::new();
    for (path, text, _) in SERVED {
        let answer = cloud.anonymous().get(path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
        assert_eq!(answer.body, text.as_bytes());
        let document = answer.json();
        assert!(document["info"]["title"].as_str().unwrap().starts_with("Croft API"));
        assert_eq!(document["info"]["version"], "20250730.0.0");
        assert_eq!(document["openapi"], "3.0.3");
    }
}

#[test]
fn references_in_documents_resolve() {
    for (_, text, _) in SERVED {
        let document: Value = serde_json::from_str(text).unwrap();
        let references = text.split("\"#/").skip(1).map(|rest| rest.split('"').next().unwrap());
        for reference in references {
            assert!(document.pointer(&format!("/{reference}")).is_some(), "{reference} leads nowhere");
        }
    }
}

/// The OpenAPI version of the documents allows neither type `null`, nor several types, nor siblings of a reference.
#[test]
fn documents_use_no_syntax_of_later_openapi_versions() {
    fn check(place: &str, value: &Value) {
        if let Value::Object(fields) = value {
            let kind = fields.get("type");
            assert!(kind.is_none_or(|kind| !kind.is_array() && kind != "null"), "{place}");
            let reference = fields.get("$ref").is_some_and(Value::is_string);
            assert!(!reference || fields.len() == 1, "{place}");
            fields.iter().for_each(|(name, inner)| check(&format!("{place}/{name}"), inner));
        }
        if let Value::Array(items) = value {
            for inner in items {
                check(place, inner);
            }
        }
    }
    for (path, text, _) in SERVED {
        check(path, &serde_json::from_str(text).unwrap());
    }
}

/// Definitions that are in both documents must be equal, so that one client can be generated from both.
#[test]
fn schemas_of_one_name_are_the_same_in_both_documents() {
    let [contract, extensions] = SERVED.map(|(_, text, _)| {
        let document: Value = serde_json::from_str(text).unwrap();
        document["components"]["schemas"].as_object().unwrap().clone()
    });
    for (name, schema) in extensions {
        assert!(contract.get(&name).is_none_or(|other| *other == schema), "{name}");
    }
}

#[test]
fn every_operation_is_declared_and_described() {
    for operation in documented() {
        let Documented { id, method, path, description } = operation;
        let place = format!("{method} {path} {id}");
        assert!(description["summary"].as_str().is_some_and(|text| !text.is_empty()), "{place}");
        assert_eq!(description["tags"].as_array().unwrap().len(), 1, "{place}");
        let answers = &description["responses"];
        assert_ne!(answers["4XX"].is_object(), answers["default"].is_object(), "{place}");
        let Some(declared) = operation::find(&id) else {
            assert_eq!(id, "ping", "{place} has no rule");
            continue;
        };
        // Responses that are not JSON have no schema of ours.
        if !answers["default"].is_object() {
            let successes = answers.as_object().unwrap().keys().filter(|status| !status.ends_with("XX"));
            assert_eq!(successes.collect::<Vec<_>>(), [&declared.success.to_string()], "{place}");
        }
    }
}

#[test]
fn every_operation_is_in_exactly_one_document() {
    for (text, declared) in [(CONTRACT, operation::ALL), (EXTENSIONS, operation::EXTENSIONS)] {
        let present: BTreeSet<_> = operations(text).into_iter().map(|operation| operation.id).collect();
        let declared: BTreeSet<_> = declared.iter().map(|operation| operation.id.to_owned()).collect();
        let undescribed: Vec<_> = declared.difference(&present).collect();
        assert!(
            undescribed.is_empty(),
            "register the handlers of {undescribed:?} in crates/http/src/operations, those of extensions with \
             `.extensions(…)`, and run `cargo xtask openapi`"
        );
        let undeclared: Vec<_> = present.difference(&declared).filter(|id| *id != "ping").collect();
        assert!(
            undeclared.is_empty(),
            "declare {undeclared:?} in the part of `operations!` that its router says: `contract` for `.routes(…)`, \
             `extensions` for `.extensions(…)`"
        );
    }
}

#[test]
fn extensions_are_not_in_the_contract_document() {
    for Documented { id, path, .. } in operations(EXTENSIONS) {
        assert!(path.starts_with("/experimental/v1/"), "{id} has the path {path}");
    }
}

#[test]
fn routes() {
    insta::assert_snapshot!(Document::Contract.routes().join("\n"));
}

#[test]
fn routes_of_extensions() {
    insta::assert_snapshot!(Document::Extensions.routes().join("\n"));
}
