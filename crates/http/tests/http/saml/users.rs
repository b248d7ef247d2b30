use serde_json::{Value, json};

use super::{CORP, TestKey, add_provider, answer, change, corp, post_answer, post_to, provider, session};
use crate::cloud::{Client, Cloud};

/// Signs in as a user with these groups.
async fn sign_in<'a>(cloud: &'a Cloud, id: &str, name: &str, groups: &[&str]) -> Client<'a> {
    let mut good = answer(cloud, id);
    good.name_id = name.to_owned();
    let values = groups.iter().map(|value| (*value).to_owned()).collect();
    good.attributes = vec![("groups".into(), values), ("Groups".into(), vec!["admins".into()])];
    session(cloud, &post_answer(cloud, &good).await)
}

async fn groups(client: &Client<'_>) -> Vec<String> {
    let page = client.get("/v1/me/groups").await.json();
    let items = page["items"].as_array().unwrap().iter();
    let mut names: Vec<_> = items.map(|item| item["display_name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

async fn count(client: &Client<'_>, path: &str) -> usize {
    client.get(path).await.json()["items"].as_array().unwrap().len()
}

#[tokio::test]
async fn first_sign_in_creates_the_user() {
    let cloud = corp().await;
    let first = sign_in(&cloud, "a", "ada", &[]).await;
    let second = sign_in(&cloud, "b", "ada", &[]).await;
    let other = sign_in(&cloud, "c", "Ada Lovelace &lt;ada@example.com&gt;", &[]).await;
    let me = first.get("/v1/me").await.json();
    assert_eq!(me, second.get("/v1/me").await.json());
    assert_eq!(other.get("/v1/me").await.json()["display_name"], "Ada Lovelace <ada@example.com>");
    assert_eq!(count(&first, "/v1/users").await, 2);
    // A user with the same name in another silo is another user.
    assert_ne!(cloud.with_token().get("/v1/me").await.json()["id"], me["id"]);
}

#[tokio::test]
async fn groups_follow_the_provider() {
    let cloud = corp().await;
    let ada = sign_in(&cloud, "a", "ada", &["dev, ops ,,", " qa", "dev"]).await;
    assert_eq!(groups(&ada).await, ["dev", "ops", "qa"]);
    let bob = sign_in(&cloud, "b", "bob", &["dev"]).await;
    assert_eq!(groups(&bob).await, ["dev"]);
    // The three, and the silo's group of administrators.
    assert_eq!(count(&ada, "/v1/groups").await, 4);

    sign_in(&cloud, "c", "ada", &["qa,new"]).await;
    assert_eq!(groups(&ada).await, ["new", "qa"], "the change applies to all of the user's sessions");
    assert_eq!(groups(&bob).await, ["dev"], "other users are not affected");
    sign_in(&cloud, "d", "ada", &[]).await;
    assert_eq!(groups(&ada).await, Vec::<String>::new());
    assert_eq!(count(&ada, "/v1/groups").await, 5, "groups are not deleted");
}

#[tokio::test]
async fn roles_follow_group_membership() {
    let cloud = corp().await;
    let ada = sign_in(&cloud, "a", "ada", &["dev"]).await;
    let project = json!({ "name": "web", "description": "" });
    assert_eq!(ada.post("/v1/projects", project.clone()).await.status, 403);
    // Names of groups are case-sensitive, so this is not the silo's group of administrators.
    sign_in(&cloud, "b", "ada", &["Admins"]).await;
    assert_eq!(ada.post("/v1/projects", project.clone()).await.status, 403);
    sign_in(&cloud, "c", "ada", &["admins"]).await;
    assert_eq!(
        ada.post("/v1/projects", project).await.status,
        201,
        "effective at the next request of an existing session"
    );
    assert_eq!(ada.get("/v1/projects/web").await.status, 200);
    sign_in(&cloud, "d", "ada", &[]).await;
    assert_eq!(ada.get("/v1/projects/web").await.status, 404);
}

#[tokio::test]
async fn without_the_attribute_there_are_no_groups() {
    let cloud = corp().await;
    let mut body = provider("plain");
    body["group_attribute_name"] = Value::Null;
    body["acs_url"] = json!("https://cloud.example/login/corp/saml/plain");
    let admin = cloud.with_token();
    add_provider(&admin, body).await;
    change(&admin, "plain", json!({ "allow_unsolicited": true })).await;
    let mut good = answer(&cloud, "a");
    good.acs_url = "https://cloud.example/login/corp/saml/plain".into();
    good.attributes = vec![("groups".into(), vec!["admins".into()])];
    let form = super::form(&good.field(TestKey::Rsa), None);
    let answer = post_to(&cloud.anonymous(), "/login/corp/saml/plain", form).await;
    assert_eq!(groups(&session(&cloud, &answer)).await, Vec::<String>::new());
}

#[tokio::test]
async fn invalid_user_and_group_names_are_refused() {
    let cloud = corp().await;
    let text = "SAMLResponse contains a name that is not a single line of at most 512 characters";
    for name in ["a".repeat(513), "a\nb".to_owned()] {
        let mut bad = answer(&cloud, "a");
        bad.name_id = name.clone();
        post_answer(&cloud, &bad).await.assert_unreadable(text);
        let mut bad = answer(&cloud, "b");
        bad.attributes = vec![("groups".into(), vec![name])];
        post_answer(&cloud, &bad).await.assert_unreadable(text);
    }
    let mut bad = answer(&cloud, "c");
    let names: Vec<_> = (0..1001).map(|number| format!("group{number}")).collect();
    bad.attributes = vec![("groups".into(), vec![names.join(",")])];
    post_answer(&cloud, &bad).await.assert_unreadable("SAMLResponse names more than 1000 groups");
    // No user or group was added, and no assertion ID was consumed.
    let ada = sign_in(&cloud, "a", "ada", &[]).await;
    assert_eq!(count(&ada, "/v1/users").await, 1);
    assert_eq!(count(&ada, "/v1/groups").await, 1);
}

#[tokio::test]
async fn a_silo_is_deleted_with_its_provider_and_its_users() {
    let cloud = corp().await;
    let ada = sign_in(&cloud, "a", "ada", &["admins"]).await;
    let answer = cloud.with_token().delete(&format!("/v1/system/silos/{CORP}")).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    ada.get("/v1/me").await.assert_unauthorized();
    assert_eq!(post_answer(&cloud, &super::answer(&cloud, "b")).await.status, 404);
}
