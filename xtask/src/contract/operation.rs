//! How two operations differ.

use std::collections::BTreeMap;

use serde_json::Value;

use super::document::{Document, Operation, entries, items};
use super::shape::{Differences, Shape};

/// An operation and the document that its references lead into.
type Side<'a> = (&'a Document, &'a Operation<'a>);

/// A line for each difference.
pub fn differences(wanted: Side<'_>, found: Side<'_>) -> Vec<String> {
    let mut differences = Differences::default();
    if wanted.1.id() != found.1.id() {
        differences.add(format!("operationId: wants {}, has {}", wanted.1.id(), found.1.id()));
    }
    compare_parameters(&parameters(wanted), &parameters(found), &mut differences);
    compare_contents(&request(wanted), &request(found), "request", &mut differences);
    compare_responses(wanted, found, &mut differences);
    differences.0
}

struct Parameter {
    required: bool,
    shape: Shape,
}

/// Parameters in paths and queries, by where they are and their name.
type Parameters = BTreeMap<(String, String), Parameter>;

fn parameters((document, operation): Side<'_>) -> Parameters {
    let all = items(operation.item, "parameters").iter().chain(items(operation.value, "parameters"));
    let mut parameters = BTreeMap::new();
    for parameter in all.map(|parameter| document.resolve(parameter)) {
        let field = |name: &str| parameter[name].as_str().unwrap_or_default().to_owned();
        let place = field("in");
        if place == "path" || place == "query" {
            let shape = document.shape(&parameter["schema"]);
            let required = parameter["required"] == true;
            parameters.insert((place, field("name")), Parameter { required, shape });
        }
    }
    parameters
}

fn compare_parameters(wanted: &Parameters, found: &Parameters, differences: &mut Differences) {
    for (place, name) in found.keys().filter(|key| !wanted.contains_key(*key)) {
        differences.add(format!("{place} parameter {name}: not in the contract"));
    }
    for (key @ (place, name), parameter) in wanted {
        let Some(other) = found.get(key) else {
            differences.add(format!("{place} parameter {name}: missing"));
            continue;
        };
        if place == "query" && parameter.required != other.required {
            let wanted = if parameter.required { "required" } else { "optional" };
            differences.add(format!("query parameter {name}: {wanted} wanted"));
        }
        differences.compare(&parameter.shape, &other.shape, &format!("parameter {name}"), true);
    }
}

/// Shapes of a body, by content type.
type Contents<'a> = BTreeMap<&'a str, Shape>;

fn request((document, operation): Side<'_>) -> Contents<'_> {
    contents(document, &operation.value["requestBody"])
}

fn contents<'a>(document: &'a Document, body: &'a Value) -> Contents<'a> {
    let schemas = entries(document.resolve(body), "content");
    schemas.map(|(kind, content)| (kind.as_str(), document.shape(&content["schema"]))).collect()
}

/// Other content types than the wanted ones are allowed.
fn compare_contents(wanted: &Contents<'_>, found: &Contents<'_>, place: &str, differences: &mut Differences) {
    for (kind, shape) in wanted {
        match found.get(kind) {
            Some(other) => differences.compare(shape, other, place, false),
            None => differences.add(format!("{place} {kind}: missing")),
        }
    }
}

/// Compares successful responses. Errors are the same for all operations, and `default` says nothing.
fn compare_responses(wanted: Side<'_>, found: Side<'_>, differences: &mut Differences) {
    let others = &found.1.value["responses"];
    for (status, response) in entries(wanted.1.value, "responses") {
        if matches!(status.as_str(), "4XX" | "5XX" | "default" | "101") {
            continue;
        }
        let place = format!("response {status}");
        let Some(other) = others.get(status) else {
            differences.add(format!("{place}: missing"));
            continue;
        };
        let mut contents_wanted = contents(wanted.0, response);
        let contents_found = contents(found.0, other);
        // Any content at all may also be none.
        if !contents_found.contains_key("*/*") {
            contents_wanted.remove("*/*");
        }
        compare_contents(&contents_wanted, &contents_found, &place, differences);
    }
}
