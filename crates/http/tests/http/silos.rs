use http::StatusCode;
use serde_json::{Value, json};

use crate::cloud::Cloud;

fn new_silo(name: &str) -> Value {
    json!({
        "name": name, "description": "a tenant", "discoverable": true, "identity_mode": "saml_jit",
        "admin_group_name": "admins", "mapped_fleet_roles": { "admin": ["viewer", "admin"] },
        "quotas": { "cpus": 4, "memory": 1024, "storage": 2048 }, "tls_certificates": [],
    })
}

#[tokio::test]
async fn silo_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let answer = client.post("/v1/system/silos", new_silo("tenant")).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let silo = answer.json();
    assert_eq!(silo["mapped_fleet_roles"], json!({ "admin": ["admin", "viewer"] }));
    assert_eq!(silo["identity_mode"], "saml_jit");
    let id = silo["id"].as_str().unwrap();
    assert_eq!(client.get("/v1/system/silos/tenant").await.json(), silo);
    assert_eq!(client.get(&format!("/v1/system/silos/{id}")).await.json(), silo);
    let first = client.get("/v1/system/silos/acme").await.json();
    assert_eq!(client.get("/v1/system/silos").await.json()["items"], json!([first, silo]));

    let quotas = json!({ "silo_id": id, "cpus": 4, "memory": 1024, "storage": 2048 });
    assert_eq!(client.get("/v1/system/silos/tenant/quotas").await.json(), quotas);
    let answer = client.put("/v1/system/silos/tenant/quotas", json!({ "cpus": 8, "memory": null })).await;
    let quotas = json!({ "silo_id": id, "cpus": 8, "memory": 1024, "storage": 2048 });
    assert_eq!((answer.status, answer.json()), (200, quotas.clone()));
    let all = client.get("/v1/system/silo-quotas").await.json();
    assert!(all["items"].as_array().unwrap().contains(&quotas));

    let utilization = client.get("/v1/system/utilization/silos/tenant").await.json();
    let amounts =
        |cpus: u64, memory: u64, storage: u64| json!({ "cpus": cpus, "memory": memory, "storage": storage });
    let expected = json!({
        "silo_id": id, "silo_name": "tenant", "provisioned": amounts(0, 0, 0), "allocated": amounts(8, 1024, 2048),
    });
    assert_eq!(utilization, expected);
    let listed = client.get("/v1/system/utilization/silos").await.json();
    assert!(listed["items"].as_array().unwrap().contains(&expected));

    let answer = client.delete("/v1/system/silos/tenant").await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let answer = client.get(&format!("/v1/system/silos/{id}")).await;
    answer.assert_error(
        StatusCode::NOT_FOUND,
        "ObjectNotFound",
        &format!("not found: silo with id \"{id}\""),
    );
}

#[tokio::test]
async fn invalid_silos_are_refused() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let refused = async |field: &str, value: Value| {
        let mut body = new_silo("tenant");
        body[field] = value;
        client.post("/v1/system/silos", body).await
    };
    let too_large = u64::MAX;
    let cases = [
        (
            "quotas",
            json!({ "cpus": 1, "memory": too_large, "storage": 0 }),
            "value is too large for a byte count",
        ),
        (
            "quotas",
            json!({ "cpus": 1, "memory": -1, "storage": 0 }),
            "quotas.memory: invalid value: integer `-1`",
        ),
        ("quotas", json!({ "cpus": 1, "memory": 1 }), "missing field `storage`"),
        ("identity_mode", json!("none"), "identity_mode: unknown variant `none`"),
        ("mapped_fleet_roles", json!({ "owner": [] }), "unknown variant `owner`"),
        ("tls_certificates", Value::Null, "tls_certificates: invalid type: null"),
        ("name", json!("Tenant"), "name must begin with an ASCII lowercase character"),
    ];
    for (field, value, text) in cases {
        let answer = refused(field, value).await;
        answer.assert_unreadable_start("unable to parse JSON body: ");
        assert!(answer.text().contains(text), "{field}: {}", answer.text());
    }
    let answer = refused("quotas", json!({ "cpus": -1, "memory": 0, "storage": 0 })).await;
    let text = "unsupported value for \"cpus\": must not be negative";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", text);
    let answer = refused("name", json!(crate::cloud::SILO)).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "ObjectAlreadyExists", "already exists: silo \"acme\"");
    let certificate = json!({
        "name": "main", "description": "", "service": "external_api", "cert": "nonsense", "key": "nonsense",
    });
    let answer = refused("tls_certificates", json!([certificate])).await;
    let (status, code, text) = answer.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidValue")), "{text}");
    let answer = client.get("/v1/system/silos/tenant").await;
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", "not found: silo with name \"tenant\"");
}

#[tokio::test]
async fn policies_are_replaced_as_a_whole() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let me = client.get("/v1/me").await.json()["id"].clone();
    let entry = |role: &str| json!({ "identity_id": me, "identity_type": "silo_user", "role_name": role });
    let policy = |entries: Vec<Value>| json!({ "role_assignments": entries });
    let paths =
        ["/v1/policy", "/v1/system/silos/acme/policy", "/v1/system/policy", "/v1/projects/web/policy"];
    for path in paths {
        let wanted = policy(vec![entry("admin"), entry("viewer")]);
        let mixed = policy(vec![entry("viewer"), entry("admin"), entry("viewer")]);
        let answer = client.put(path, mixed).await;
        assert_eq!((answer.status, answer.json()), (200, wanted.clone()), "{path}");
        assert_eq!(client.get(path).await.json(), wanted, "{path}");
        let answer = client.put(path, policy(vec![entry("viewer"); 65])).await;
        answer.assert_unreadable_start(
            "unable to parse JSON body: role_assignments: invalid length 65, expected a list of at most 64 role assignments",
        );
        let answer = client.put(path, policy(vec![entry("owner")])).await;
        answer.assert_unreadable_start(
            "unable to parse JSON body: role_assignments[0].role_name: unknown variant `owner`",
        );
        let built_in = json!({ "identity_id": me, "identity_type": "user_builtin", "role_name": "viewer" });
        let answer = client.put(path, policy(vec![built_in])).await;
        assert!(answer.text().contains("unknown variant `user_builtin`"), "{}", answer.text());
        assert_eq!(client.get(path).await.json(), wanted, "{path}");
    }
}

#[tokio::test]
async fn pools_are_linked_to_silos() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let answer = client.post("/v1/system/ip-pools", json!({ "name": "public", "description": "" })).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let pool = answer.json();
    assert_eq!(client.get("/v1/system/ip-pools/public").await.json(), pool);
    let names = |page: Value| {
        let items = page["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(client.get("/v1/system/ip-pools").await.json()), ["default", "public"]);
    assert_eq!(names(client.get("/v1/ip-pools").await.json()), ["default"]);

    let link = json!({ "silo": "acme", "is_default": true });
    let answer = client.post("/v1/system/ip-pools/public/silos", link).await;
    let (status, code, _) = answer.error();
    assert_eq!(
        (status, code.as_deref()),
        (400, Some("ObjectAlreadyExists")),
        "the silo already has a default pool"
    );
    let link = json!({ "silo": "acme", "is_default": false });
    let answer = client.post("/v1/system/ip-pools/public/silos", link).await;
    assert_eq!((answer.status, &answer.json()["ip_pool_id"]), (201, &pool["id"]));
    let answer = client.put("/v1/system/ip-pools/public/silos/acme", json!({ "is_default": true })).await;
    assert_eq!((answer.status, &answer.json()["is_default"]), (200, &json!(true)));
    for path in ["/v1/ip-pools", "/v1/system/silos/acme/ip-pools"] {
        let items = client.get(&format!("{path}?sort_by=name_descending")).await.json()["items"].clone();
        assert_eq!((&items[0]["name"], &items[0]["is_default"]), (&json!("public"), &json!(true)), "{path}");
        assert_eq!(
            (&items[1]["name"], &items[1]["is_default"]),
            (&json!("default"), &json!(false)),
            "{path}"
        );
    }
    let first = client.get("/v1/ip-pools?limit=1").await.json();
    assert_eq!(names(first.clone()), ["default"]);
    let next = first["next_page"].as_str().unwrap();
    assert_eq!(names(client.get(&format!("/v1/ip-pools?page_token={next}")).await.json()), ["public"]);
    assert_eq!(client.get("/v1/ip-pools/public").await.json()["is_default"], true);
    let linked = client.get("/v1/system/ip-pools/public/silos").await.json();
    let me = client.get("/v1/me").await.json();
    let first_silo = json!({ "ip_pool_id": pool["id"], "silo_id": me["silo_id"], "is_default": true });
    assert_eq!(linked["items"], json!([first_silo]), "including the silo of the first start");

    assert_eq!(client.delete("/v1/system/ip-pools/public/silos/acme").await.status, 204);
    assert_eq!(client.delete("/v1/system/ip-pools/public/silos/acme").await.status, 204);
    assert_eq!(client.get("/v1/ip-pools/public").await.status, 404);
    let answer = client.delete("/v1/system/ip-pools/default").await;
    let text = "IP Pool cannot be deleted while it contains IP ranges";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    let answer = client.put("/v1/system/ip-pools/public", json!({ "name": "outside" })).await;
    assert_eq!((answer.status, &answer.json()["name"]), (200, &json!("outside")));
    assert_eq!(client.delete("/v1/system/ip-pools/outside").await.status, 204);
}

#[tokio::test]
async fn built_in_users_and_own_utilization_are_visible() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let page = client.get("/v1/system/users-builtin?limit=2").await.json();
    assert_eq!(page["items"][1]["name"], "external-authn");
    let next = page["next_page"].as_str().unwrap();
    let page = client.get(&format!("/v1/system/users-builtin?page_token={next}&limit=2")).await.json();
    assert_eq!(page["items"][0]["name"], "internal-api");
    let user = client.get("/v1/system/users-builtin/internal-api").await.json();
    assert_eq!(user, page["items"][0]);

    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let utilization = client.get("/v1/utilization").await.json();
    assert_eq!(
        utilization["provisioned"],
        json!({ "cpus": 2, "memory": 1_u64 << 30, "storage": 1_u64 << 30 })
    );
    assert_eq!(utilization["capacity"]["cpus"], 1000);
}
