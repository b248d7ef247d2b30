//! The parts of a VPC, over HTTP (`docs/rules/networking.md`).

mod firewall;
mod gateways;
mod races;
mod routers;

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

/// A cloud with a project `web`.
async fn web() -> Cloud {
    let cloud = Cloud::new();
    cloud.with_token().create_project("web").await;
    cloud
}

/// Sends a request that must succeed with this status. Returns the body.
async fn done(client: &Client<'_>, method: Method, uri: &str, body: Value, status: u16) -> Value {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let answer = client.send(method, uri, body).await;
    assert_eq!(answer.status, status, "{uri}: {answer:?}");
    if answer.body.is_empty() { Value::Null } else { answer.json() }
}

async fn see(client: &Client<'_>, uri: &str) -> Value {
    done(client, Method::GET, uri, Value::Null, 200).await
}

async fn list(client: &Client<'_>, uri: &str) -> Vec<Value> {
    let mut page = see(client, uri).await;
    serde_json::from_value(page["items"].take()).unwrap()
}

fn text_of(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap().to_owned()
}

async fn create(client: &Client<'_>, uri: &str, body: Value) -> Value {
    done(client, Method::POST, uri, body, 201).await
}

async fn change(client: &Client<'_>, uri: &str, body: Value) -> Value {
    done(client, Method::PUT, uri, body, 200).await
}

async fn delete(client: &Client<'_>, uri: &str) {
    done(client, Method::DELETE, uri, Value::Null, 204).await;
}

/// Sends a request twice, which must be refused in the same way. Returns status, code and message.
async fn refused(client: &Client<'_>, method: Method, uri: &str, body: &Value) -> (u16, String, String) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let first = client.send(method.clone(), uri, body.clone()).await.error();
    assert_eq!(client.send(method, uri, body).await.error(), first);
    let (status, code, message) = first;
    (status, code.unwrap_or_default(), message)
}

fn bad(text: &str) -> (u16, String, String) {
    (400, "InvalidRequest".to_owned(), text.to_owned())
}

fn exists(kind: &str, name: &str) -> (u16, String, String) {
    (400, "ObjectAlreadyExists".to_owned(), format!("already exists: {kind} \"{name}\""))
}

fn missing(text: &str) -> (u16, String, String) {
    (404, "ObjectNotFound".to_owned(), format!("not found: {text}"))
}

async fn new_vpc(client: &Client<'_>, name: &str) {
    let body = json!({ "name": name, "description": "", "dns_name": name });
    create(client, "/v1/vpcs?project=web", body).await;
}

/// Deletes a VPC with its default subnet.
async fn delete_vpc(client: &Client<'_>, name: &str) {
    delete(client, &format!("/v1/vpc-subnets/default?project=web&vpc={name}")).await;
    delete(client, &format!("/v1/vpcs/{name}?project=web")).await;
}

fn tick(cloud: &Cloud) {
    cloud.clock.advance(Duration::from_secs(1));
}

fn check_network_invariants(cloud: &Cloud) {
    let wrong = cloud.rule(|cx| croft_control::network_invariants::recount(cx.tx)).unwrap();
    assert_eq!(wrong, Vec::<String>::new());
}
