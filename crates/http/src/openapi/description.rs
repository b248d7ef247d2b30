//! The document, made from the routes and types in use.

use serde_json::{Value, json};
use utoipa::{
    PartialSchema as _, ToSchema as _,
    openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder},
};

use croft_api::{
    ErrorBody,
    metric::{PaginationOrder, SystemMetricName},
    page::{IdSortMode, NameOrIdSortMode, NameSortMode, TimeAndIdSortMode},
    scalar::{Name, NameOrId},
};

/// The version of the wire contract.
const VERSION: &str = "20250730.0.0";

/// The document that the routes were collected into, before finishing touches.
fn document() -> OpenApi {
    let mut document = frame();
    document.merge(crate::operations::router().into_document());
    document
}

/// An empty document that knows what every operation shares.
fn frame() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Croft API")
        .version(VERSION)
        .description(Some("The API of Croft, a self-hosted cloud."));
    // Collected from bodies are all schemas but those that only errors and parameters have.
    let components = ComponentsBuilder::new()
        .schema(ErrorBody::name(), ErrorBody::schema())
        .schema(IdSortMode::name(), IdSortMode::schema())
        .schema(Name::name(), Name::schema())
        .schema(NameOrId::name(), NameOrId::schema())
        .schema(NameOrIdSortMode::name(), NameOrIdSortMode::schema())
        .schema(NameSortMode::name(), NameSortMode::schema())
        .schema(TimeAndIdSortMode::name(), TimeAndIdSortMode::schema())
        .schema(PaginationOrder::name(), PaginationOrder::schema())
        .schema(SystemMetricName::name(), SystemMetricName::schema());
    OpenApiBuilder::new().info(info.build()).components(Some(components.build())).build()
}

/// The finished document as text, as `openapi.json` is to be.
pub fn describe() -> String {
    let mut document = serde_json::to_value(document()).expect("the document is plain JSON");
    finish(&mut document);
    let mut text = serde_json::to_string_pretty(&document).expect("the document is plain JSON");
    text.push('\n');
    text
}

/// Adds what is the same everywhere: error answers, descriptions of successes, the list of tags.
fn finish(document: &mut Value) {
    let error = json!({ "$ref": "#/components/responses/Error" });
    let mut tags = std::collections::BTreeSet::new();
    for operation in operations(document) {
        let responses = operation["responses"].as_object_mut().expect("every operation has answers");
        for response in responses.values_mut().filter(|response| response.get("description").is_none()) {
            response["description"] = "successful operation".into();
        }
        // What is no JSON of ours says nothing about its answers.
        if !responses.contains_key("default") {
            responses.insert("4XX".into(), error.clone());
            responses.insert("5XX".into(), error.clone());
        }
        tags.extend(operation["tags"].as_array().into_iter().flatten().map(Value::to_string));
    }
    document["components"]["responses"] = json!({ "Error": {
        "description": "Error",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } }
    }});
    let tags = tags.iter().filter_map(|tag| serde_json::from_str::<String>(tag).ok());
    document["tags"] = tags.map(|name| json!({ "name": name })).collect();
    rename_pages(document);
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().expect("the document has paths");
    paths.values_mut().flat_map(|item| item.as_object_mut().expect("a path has operations").values_mut())
}

/// Pages are called after their items: `ResultsPage_Project` becomes `ProjectResultsPage`.
fn rename_pages(value: &mut Value) {
    const PREFIX: &str = "ResultsPage_";
    match value {
        Value::String(text) => {
            if let Some((before, item)) = text.split_once(PREFIX) {
                *text = format!("{before}{item}ResultsPage");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(rename_pages),
        Value::Object(fields) => {
            let pages: Vec<_> = fields.keys().filter(|key| key.starts_with(PREFIX)).cloned().collect();
            for page in pages {
                let schema = fields.remove(&page).expect("the key was just seen");
                fields.insert(format!("{}ResultsPage", &page[PREFIX.len()..]), schema);
            }
            fields.values_mut().for_each(rename_pages);
        }
        _ => {}
    }
}

/// Paths and methods with their operations, one line each, for the log and for tests.
pub fn routes() -> Vec<String> {
    let mut document = serde_json::to_value(document()).expect("the document is plain JSON");
    let paths = document["paths"].as_object_mut().expect("the document has paths");
    let mut lines: Vec<_> = paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            methods.map(move |(method, operation)| {
                let id = operation["operationId"].as_str().unwrap_or_default();
                format!("{:6} {path} {id}", method.to_uppercase())
            })
        })
        .collect();
    lines.sort();
    lines
}
