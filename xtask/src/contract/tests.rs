//! Damages to a document, and what the comparison says about each.

use serde_json::{Value, json};

use super::document::Document;
use super::{Verdict, compare, contract, read};
use crate::shell::root;

#[test]
fn openapi_json_agrees_with_the_contract() {
    let contract = contract().unwrap();
    let openapi = read(&root().join("openapi.json")).unwrap();
    let verdict = compare(&contract, &contract.operations(None), &openapi);
    assert_eq!(verdict.differences, Vec::<String>::new());
    assert_eq!(verdict.wanted, 272);
    assert!(verdict.agrees());
}

/// Compares a copy of the contract that `damage` has changed with the contract.
fn after(damage: impl FnOnce(&mut Value)) -> Verdict {
    let text = std::fs::read(root().join("contract/api.json")).unwrap();
    let mut copy = serde_json::from_slice(&text).unwrap();
    damage(&mut copy);
    let contract = contract().unwrap();
    compare(&contract, &contract.operations(None), &Document::new(copy))
}

/// What `pointer` leads to, which must exist.
fn at<'a>(value: &'a mut Value, pointer: &str) -> &'a mut Value {
    value.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} exists"))
}

fn remove(value: &mut Value, pointer: &str, name: &str) {
    assert!(at(value, pointer).as_object_mut().unwrap().remove(name).is_some(), "{pointer}/{name} exists");
}

/// That `damage` makes `differing` operations differ and `missing` ones miss, and that some line is `line`.
#[track_caller]
fn shows((differing, missing): (usize, usize), line: &str, damage: impl FnOnce(&mut Value)) {
    let verdict = after(damage);
    let lines = verdict.differences.join("\n");
    assert!(verdict.differences.iter().any(|difference| difference == line), "{line}\nis not in\n{lines}");
    assert_eq!((verdict.differing, verdict.missing), (differing, missing), "{lines}");
    assert!(!verdict.agrees());
}

const PROJECTS: &str = "/paths/~1v1~1projects";
const PROJECT: &str = "/components/schemas/Project";

#[test]
fn a_removed_operation_is_missing() {
    shows((0, 1), "missing: POST /v1/projects (project_create)", |copy| remove(copy, PROJECTS, "post"));
}

#[test]
fn an_operation_with_another_method_is_missing_and_extra() {
    let verdict = after(|copy| {
        let moved = at(copy, PROJECTS)["post"].take();
        remove(copy, PROJECTS, "post");
        at(copy, PROJECTS)["patch"] = moved;
    });
    assert_eq!(verdict.summary(), "contract: 271 of 272 operations match, 0 differ, 1 missing, 1 extra");
}

#[test]
fn another_operation_id_differs() {
    shows((1, 0), "project_create: operationId: wants project_create, has make", |copy| {
        at(copy, PROJECTS)["post"]["operationId"] = json!("make");
    });
}

#[test]
fn damaged_parameters_differ() {
    let parameters = "/paths/~1v1~1projects/get/parameters";
    shows((1, 0), "project_list: query parameter limit: missing", |copy| {
        at(copy, parameters).as_array_mut().unwrap().remove(0);
    });
    shows((1, 0), "project_list: query parameter limit: optional wanted", |copy| {
        at(copy, parameters)[0]["required"] = json!(true);
    });
    shows((1, 0), "project_list: parameter limit: wants integer, has string", |copy| {
        at(copy, parameters)[0]["schema"] = json!({ "type": "string" });
    });
    shows((1, 0), "project_list: query parameter extra: not in the contract", |copy| {
        let extra = json!({ "in": "query", "name": "extra", "schema": { "type": "string" } });
        at(copy, parameters).as_array_mut().unwrap().push(extra);
    });
}

#[test]
fn damaged_bodies_and_responses_differ() {
    shows((1, 0), "project_create: request application/json: missing", |copy| {
        remove(copy, &format!("{PROJECTS}/post"), "requestBody");
    });
    shows((1, 0), "project_create: response 201: missing", |copy| {
        let responses = at(copy, &format!("{PROJECTS}/post/responses"));
        responses["200"] = responses["201"].take();
        responses.as_object_mut().unwrap().remove("201");
    });
}

#[test]
fn damaged_properties_differ_in_each_operation_that_has_them() {
    let properties = format!("{PROJECT}/properties");
    shows((4, 0), "project_view: response 200.description: wants string, has integer", |copy| {
        at(copy, &properties)["description"]["type"] = json!("integer");
    });
    shows((4, 0), "project_list: response 200.items[].description: missing", |copy| {
        remove(copy, &properties, "description");
    });
    shows((4, 0), "project_view: response 200.extra: not in the contract", |copy| {
        at(copy, &properties)["extra"] = json!({ "type": "string" });
    });
    shows((4, 0), "project_view: response 200.id: wants string (uuid), has string", |copy| {
        remove(copy, &format!("{properties}/id"), "format");
    });
    shows((4, 0), "project_view: response 200.id: nullable false wanted, true found", |copy| {
        at(copy, &properties)["id"]["nullable"] = json!(true);
    });
    shows((1, 0), "project_create: request.description: required wanted", |copy| {
        at(copy, "/components/schemas/ProjectCreate")["required"] = json!(["name"]);
    });
    shows((1, 0), "project_update: request.name: optional wanted", |copy| {
        at(copy, "/components/schemas/ProjectUpdate")["required"] = json!(["name"]);
    });
}

#[test]
fn damaged_enums_and_unions_differ() {
    let variants = |name: &str| format!("/components/schemas/{name}/oneOf");
    shows((14, 0), "instance_view: response 200.run_state: enum lacks [\"creating\"], adds []", |copy| {
        at(copy, &variants("InstanceState")).as_array_mut().unwrap().remove(0);
    });
    shows((6, 0), "disk_view: response 200.state: no variant object with [\"state\"]", |copy| {
        at(copy, &variants("DiskState")).as_array_mut().unwrap().remove(0);
    });
    let of_first_port =
        "instance_external_ip_list: response 200.items[]<snat>.first_port: wants integer, has string";
    shows((2, 0), of_first_port, |copy| {
        at(copy, &variants("ExternalIp"))[0]["properties"]["first_port"]["type"] = json!("string");
    });
    shows((2, 0), "disk_create: request.disk_source: 4 variants wanted, 5 found", |copy| {
        let variant =
            json!({ "type": "object", "properties": { "type": { "type": "string", "enum": ["url"] } } });
        at(copy, &variants("DiskSource")).as_array_mut().unwrap().push(variant);
    });
}

/// That `change` is none to the comparison, but for `extra` operations.
#[track_caller]
fn is_equal(extra: usize, change: impl FnOnce(&mut Value)) {
    let verdict = after(change);
    assert_eq!(verdict.differences, Vec::<String>::new());
    assert_eq!(verdict.extra, extra);
    assert!(verdict.agrees());
}

#[test]
fn prose_names_and_spellings_do_not_count() {
    let boot_disk = "/components/schemas/Instance/properties/boot_disk_id";
    is_equal(0, |copy| remove(copy, boot_disk, "nullable"));
    is_equal(0, |copy| *at(copy, boot_disk) = json!({ "type": ["string", "null"], "format": "uuid" }));
    is_equal(0, |copy| at(copy, PROJECT)["description"] = json!("text"));
    is_equal(0, |copy| remove(copy, "/components/schemas/Name", "pattern"));
    is_equal(0, |copy| {
        let paths = at(copy, "/paths").as_object_mut().unwrap();
        let project = paths.remove("/v1/projects/{project}").unwrap();
        paths.insert("/v1/projects/{name}".to_owned(), project);
    });
    is_equal(2, |copy| {
        let projects = at(copy, PROJECTS).clone();
        at(copy, "/paths")["/v1/extra"] = projects;
    });
}

#[test]
fn operations_can_be_chosen_by_tag() {
    let contract = contract().unwrap();
    let projects = contract.operations(Some("projects"));
    assert!(!projects.is_empty() && projects.values().all(|operation| operation.tag() == "projects"));
    let verdict = compare(&contract, &projects, &contract);
    assert_eq!((verdict.wanted, verdict.extra), (projects.len(), 0));
    assert!(verdict.agrees());
    assert!(!compare(&contract, &contract.operations(Some("none")), &contract).agrees());
}
