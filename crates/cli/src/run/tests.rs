use std::collections::BTreeSet;

use serde_json::json;

use super::*;

const CONTRACT: &str = include_str!("../../../../openapi.json");
const EXTENSIONS: &str = include_str!("../../../../openapi-croft.json");

fn client() -> Client {
    Client::new(&[CONTRACT, EXTENSIONS]).unwrap()
}

fn program(client: &Client) -> Command {
    client.add_to(Command::new("croft").subcommand_required(true))
}

/// The request of a command line, with `web` as the default project.
fn request(words: &[&str]) -> Result<Request> {
    let client = client();
    let matches = program(&client).get_matches_from([&["croft"], words].concat());
    let (words, leaf) = path_of(&matches);
    let operation = client.operations.iter().find(|operation| command_of(&operation.id) == words).unwrap();
    request::of(operation, leaf, Some("web"))
}

fn body(request: Request) -> Value {
    match request.content {
        Content::Json(body) => body,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_operation_has_a_command_of_its_own() {
    let client = client();
    let commands: Vec<_> =
        client.operations.iter().map(|operation| command_of(&operation.id).join(" ")).collect();
    let unique: BTreeSet<_> = commands.iter().collect();
    assert_eq!(unique.len(), commands.len());
    for command in &commands {
        let group = format!("{command} ");
        assert!(!commands.iter().any(|other| other.starts_with(&group)), "`{command}` is a group as well");
    }
    program(&client).debug_assert();
}

#[test]
fn the_file_of_commands_is_current() {
    let hint = "run: cargo run --package croft-cli --example commands";
    assert!(
        include_str!("../../commands.json") == client().commands(),
        "commands.json is out of date; {hint}"
    );
}

#[test]
fn options_become_path_query_and_body() {
    let words = ["disk", "create", "--name", "db", "--description", "", "--size", "4GiB"];
    let source = ["--disk-source", r#"{"type":"blank","block_size":512}"#];
    let request = request(&[&words[..], &source].concat()).unwrap();
    assert_eq!((request.method.as_str(), request.target().as_str()), ("POST", "/v1/disks?project=web"));
    assert_eq!(
        body(request),
        json!({ "name": "db", "description": "", "size": 4_294_967_296_u64, "disk_source": { "type": "blank", "block_size": 512 } })
    );
}

#[test]
fn the_object_is_named_with_or_without_its_option() {
    let target = |words: &[&str]| request(words).unwrap().target();
    assert_eq!(target(&["instance", "view", "db"]), "/v1/instances/db?project=web");
    assert_eq!(
        target(&["instance", "view", "--instance", "db", "--project", "lab"]),
        "/v1/instances/db?project=lab"
    );
    // A project beside an id is refused by the server.
    let id = "7f3a2c1e-0000-4000-8000-000000000001";
    assert_eq!(target(&["instance", "view", id]), format!("/v1/instances/{id}"));
    assert_eq!(
        target(&["vpc", "subnet", "view", "a/b", "--vpc", "x y"]),
        "/v1/vpc-subnets/a%2Fb?vpc=x+y&project=web"
    );
}

#[test]
fn a_body_comes_from_a_file_and_options_are_put_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body.json");
    std::fs::write(&file, r#"{"name":"old","description":"kept"}"#).unwrap();
    let file = file.to_str().unwrap();
    let sent = body(request(&["project", "create", "--json-body", file, "--name", "new"]).unwrap());
    assert_eq!(sent, json!({ "name": "new", "description": "kept" }));
    // Without options the text is sent as it is.
    std::fs::write(file, "{ \"n\": 1e0 }").unwrap();
    let sent = request(&["project", "create", "--json-body", file]).unwrap();
    assert!(matches!(sent.content, Content::JsonText(text) if text == "{ \"n\": 1e0 }"));
}

#[test]
fn missing_and_damaged_values_are_named() {
    let said = |words: &[&str]| request(words).unwrap_err().to_string();
    let missing = said(&["disk", "create", "--name", "db"]);
    assert!(missing.contains("--description") && missing.contains("--size"), "{missing}");
    let damaged = said(&["disk", "create", "--disk-source", "blank"]);
    assert!(damaged.starts_with("--disk-source is not JSON"), "{damaged}");
    let empty = said(&["project", "view", ""]);
    assert!(empty.contains("must not be empty"), "{empty}");
}

#[test]
fn the_token_of_a_profile_is_only_for_its_server() {
    assert!(same_server("https://a.example", "https://a.example/"));
    assert!(!same_server("https://a.example", "https://a.example.net"));
    assert_eq!(host_of("https://a.example:8443/x"), "a.example:8443");
}
