use http::StatusCode;
use serde_json::json;

use crate::cloud::Cloud;

#[tokio::test]
async fn project_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let answer = client.post("/v1/projects", json!({ "name": "web", "description": "shop" })).await;
    assert_eq!(answer.status, 201);
    let project = answer.json();
    let id = project["id"].as_str().unwrap();
    assert_eq!(client.get("/v1/projects/web").await.json(), project);
    assert_eq!(client.get(&format!("/v1/projects/{id}")).await.json(), project);

    let answer = client.post("/v1/projects", json!({ "name": "web", "description": "" })).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "ObjectAlreadyExists", "already exists: project \"web\"");

    let answer = client.put("/v1/projects/web", json!({ "name": "shop" })).await;
    assert_eq!(
        (answer.status, &answer.json()["name"], &answer.json()["description"]),
        (200, &json!("shop"), &json!("shop"))
    );
    let answer = client.get("/v1/projects/web").await;
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", "not found: project with name \"web\"");

    let held = client.delete("/v1/projects/shop").await;
    let text = "project to be deleted contains a vpc: default";
    held.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    for path in ["/v1/vpc-subnets/default?project=shop&vpc=default", "/v1/vpcs/default?project=shop"] {
        assert_eq!(client.delete(path).await.status, 204, "{path}");
    }
    let answer = client.delete("/v1/projects/shop").await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let answer = client.delete(&format!("/v1/projects/{id}")).await;
    answer.assert_error(
        StatusCode::NOT_FOUND,
        "ObjectNotFound",
        &format!("not found: project with id \"{id}\""),
    );
}
