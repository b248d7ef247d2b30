//! Generates the documents from the routes and types.

use serde_json::{Value, json};
use utoipa::{
    PartialSchema as _, ToSchema as _,
    openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder},
};

use super::version::to_version_3_0;
use crate::api_version::VERSION;
use croft_api::{
    ErrorBody,
    event::{Event, EventAction, Reset, ResetReason},
    list::ListSortMode,
    metric::{PaginationOrder, SystemMetricName},
    page::{IdSortMode, NameOrIdSortMode, NameSortMode, TimeAndIdSortMode},
    scalar::{Name, NameOrId},
};

/// One of the two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// The operations of the contract.
    Contract,
    /// The extensions of the contract.
    Extensions,
}

impl Document {
    /// The name of its file at the repository's root.
    pub fn file(self) -> &'static str {
        match self {
            Self::Contract => "openapi.json",
            Self::Extensions => "openapi-croft.json",
        }
    }

    /// The document as text.
    pub fn describe(self) -> String {
        let mut document = self.collected();
        finish(&mut document);
        let mut text = serde_json::to_string_pretty(&document).expect("the document is plain JSON");
        text.push('\n');
        text
    }

    /// The generated document before postprocessing.
    fn collected(self) -> Value {
        let documents = crate::operations::router().into_documents();
        let mut document = self.frame();
        document.merge(match self {
            Self::Contract => documents.contract,
            Self::Extensions => documents.extensions,
        });
        serde_json::to_value(document).expect("the document is plain JSON")
    }

    /// An empty document with what all operations share.
    fn frame(self) -> OpenApi {
        let (title, about) = match self {
            Self::Contract => ("Croft API", "The API of Croft, a self-hosted cloud."),
            Self::Extensions => {
                ("Croft API extensions", "Operations that Croft adds to those of `/openapi.json`.")
            }
        };
        let info = InfoBuilder::new().title(title).version(VERSION).description(Some(about));
        // Schemas that only errors and parameters use are not collected from bodies.
        let mut components = ComponentsBuilder::new()
            .schema(ErrorBody::name(), ErrorBody::schema())
            .schema(Name::name(), Name::schema())
            .schema(NameOrId::name(), NameOrId::schema())
            .schema(NameOrIdSortMode::name(), NameOrIdSortMode::schema())
            .schema(IdSortMode::name(), IdSortMode::schema())
            .schema(TimeAndIdSortMode::name(), TimeAndIdSortMode::schema());
        if self == Self::Contract {
            components = components
                .schema(NameSortMode::name(), NameSortMode::schema())
                .schema(PaginationOrder::name(), PaginationOrder::schema())
                .schema(SystemMetricName::name(), SystemMetricName::schema());
        } else {
            // The schemas of parameters, and of live events, which are transferred in a text stream.
            components = components
                .schema(ListSortMode::name(), ListSortMode::schema())
                .schema(Event::name(), Event::schema())
                .schema(EventAction::name(), EventAction::schema())
                .schema(Reset::name(), Reset::schema())
                .schema(ResetReason::name(), ResetReason::schema());
        }
        OpenApiBuilder::new().info(info.build()).components(Some(components.build())).build()
    }

    /// Paths and methods with their operations, one line each, for the log and for tests.
    pub fn routes(self) -> Vec<String> {
        let mut document = self.collected();
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
}

/// Adds common parts: error responses, descriptions of successes, the list of tags.
fn finish(document: &mut Value) {
    let error = json!({ "$ref": "#/components/responses/Error" });
    let mut tags = std::collections::BTreeSet::new();
    for operation in operations(document) {
        let responses = operation["responses"].as_object_mut().expect("every operation has answers");
        for response in responses.values_mut().filter(|response| response.get("description").is_none()) {
            response["description"] = "successful operation".into();
        }
        // The body of a response that is not JSON is not described.
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
    to_version_3_0(document);
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().expect("the document has paths");
    paths.values_mut().flat_map(|item| item.as_object_mut().expect("a path has operations").values_mut())
}

/// Pages are named after their items: `ResultsPage_Project` becomes `ProjectResultsPage`.
fn rename_pages(value: &mut Value) {
    for page in ["ResultsPage", "FoundPage"] {
        rename_pages_of(value, page, &format!("{page}_"));
    }
}

fn rename_pages_of(value: &mut Value, page: &str, prefix: &str) {
    match value {
        Value::String(text) => {
            if let Some((before, item)) = text.split_once(prefix) {
                *text = format!("{before}{item}{page}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename_pages_of(item, page, prefix)),
        Value::Object(fields) => {
            let pages: Vec<_> = fields.keys().filter(|key| key.starts_with(prefix)).cloned().collect();
            for name in pages {
                let schema = fields.remove(&name).expect("the key was just seen");
                fields.insert(format!("{}{page}", &name[prefix.len()..]), schema);
            }
            fields.values_mut().for_each(|field| rename_pages_of(field, page, prefix));
        }
        _ => {}
    }
}
