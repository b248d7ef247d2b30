use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use serde_json::{Value, json};

use crate::cloud::{Answer, Cloud};

const HOST: &str = "acme.sys.croft.internal";

/// A body that creates a certificate of this host.
fn body(name: &str, host: &str) -> Value {
    let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2100, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    json!({
        "name": name, "description": "", "service": "external_api",
        "cert": certificate.pem(), "key": key.serialize_pem(),
    })
}

fn message(answer: &Answer) -> String {
    answer.json()["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn certificate_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let params = body("web", HOST);
    let created = client.post("/v1/certificates", params.clone()).await;
    assert_eq!(created.status, 201, "{created:?}");
    let created = created.json();
    assert_eq!((&created["cert"], &created["service"]), (&params["cert"], &json!("external_api")));
    assert!(created.get("key").is_none() && !created.to_string().contains("PRIVATE"));
    let id = created["id"].as_str().unwrap();
    for path in ["/v1/certificates/web", &format!("/v1/certificates/{id}")] {
        assert_eq!(client.get(path).await.json(), created);
    }
    assert_eq!(client.get("/v1/certificates").await.json()["items"], json!([created]));
    let taken = client.post("/v1/certificates", params).await;
    assert_eq!((taken.status, message(&taken).as_str()), (400, "already exists: certificate \"web\""));
    assert_eq!(client.delete("/v1/certificates/web").await.status, 204);
    let gone = client.delete("/v1/certificates/web").await;
    assert_eq!(gone.status, 404);
    assert_eq!(message(&gone), "not found: certificate with name \"web\"");
}

#[tokio::test]
async fn invalid_certificates_are_refused() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let cases = [
        ("cert", json!(""), "Certificate exists, but is empty"),
        ("cert", body("x", HOST)["cert"].clone(), "Certificate and private key do not match"),
        ("key", json!("x"), "unsupported value for \"private-key\": Failed to parse private key: "),
        (
            "cert",
            body("x", "x")["cert"].clone(),
            "Certificate not valid for given hostnames \"acme.sys.croft.internal\"",
        ),
        ("service", json!("nothing"), "unable to parse JSON body: service: unknown variant `nothing`"),
    ];
    for (field, value, text) in cases {
        let mut params = body("web", HOST);
        params[field] = value;
        let answer = client.post("/v1/certificates", params).await;
        assert_eq!(answer.status, 400, "{text}");
        assert!(message(&answer).contains(text), "{}", message(&answer));
    }
    assert_eq!(client.get("/v1/certificates").await.json()["items"], json!([]));
}

#[tokio::test]
async fn a_silo_with_a_bad_certificate_is_not_created() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let silo = |certificates: Value| {
        json!({
            "name": "tenant", "description": "", "discoverable": true, "identity_mode": "local_only",
            "quotas": { "cpus": 0, "memory": 0, "storage": 0 }, "mapped_fleet_roles": {},
            "tls_certificates": certificates,
        })
    };
    let (good, foreign) = (body("good", "tenant.sys.croft.internal"), body("foreign", HOST));
    let answer = client.post("/v1/system/silos", silo(json!([good, foreign]))).await;
    assert_eq!(answer.status, 400);
    assert!(message(&answer).contains("hostnames \"tenant.sys.croft.internal\""), "{}", message(&answer));
    assert_eq!(client.get("/v1/system/silos/tenant").await.status, 404, "the silo is not created either");
    let answer = client.post("/v1/system/silos", silo(json!([good]))).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(
        client.get("/v1/certificates").await.json()["items"],
        json!([]),
        "the certificate belongs to the other silo"
    );
}
