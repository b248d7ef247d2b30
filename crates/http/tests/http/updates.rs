//! Updates over HTTP.

use croft_tuf::testing::{Draft, Signer, sign_by};
use http::Method;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

const REPOSITORY: &str = "/v1/system/update/repository?file_name=update.zip";
const ROOTS: &str = "/v1/system/update/trust-roots";
const TARGET: &str = "/v1/system/update/target-release";

fn signer() -> Signer {
    Signer::new(1)
}

async fn trusting(cloud: &Cloud) -> Client<'_> {
    let client = cloud.with_token();
    let answer = client.post(ROOTS, signer().root(1)).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    client
}

async fn put(client: &Client<'_>, archive: Vec<u8>) -> crate::cloud::Answer {
    client.send(Method::PUT, REPOSITORY, archive).await
}

async fn refusal(client: &Client<'_>, archive: Vec<u8>) -> String {
    let (status, code, text) = put(client, archive).await.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidRequest")), "{text}");
    text
}

/// A repository with a program of this version.
fn update(by: &Signer, version: &str) -> Draft {
    let mut draft = Draft::new(by, version);
    draft.artifacts[0].3 = version.as_bytes().to_vec();
    draft
}

#[tokio::test]
async fn retired_publisher_keys_are_refused() {
    let cloud = Cloud::new();
    let client = trusting(&cloud).await;
    let (old, new) = (signer(), Signer::new(2));
    let next = sign_by(&[&old, &new], &new.unsigned_root(2));
    let mut files = update(&new, "1.0.0").files();
    files.insert("repo/metadata/2.root.json".to_owned(), next.to_string().into_bytes());
    assert_eq!(put(&client, croft_tuf::testing::archive(&files)).await.status, 200);
    let roots = client.get(ROOTS).await.json();
    assert_eq!(roots["items"].as_array().unwrap().len(), 1);
    assert_eq!(roots["items"][0]["root_role"], next, "the new root role replaces the old one");

    let text = refusal(&client, update(&old, "1.1.0").archive()).await;
    assert!(
        text.contains("timestamp: 0 of the 1 required signatures of the timestamp role are valid"),
        "{text}"
    );
    let (status, _, text) = client.post(ROOTS, old.root(1)).await.error();
    assert_eq!(status, 400);
    assert!(text.contains("version 2 of the same publisher is already trusted"), "{text}");
    // The following root role is stored and need not be sent again.
    assert_eq!(put(&client, update(&new, "1.2.0").archive()).await.status, 200);

    // Adding a later root role replaces all roles that precede it.
    let third = Signer::new(3);
    let last = sign_by(&[&new, &third], &third.unsigned_root(3));
    assert_eq!(client.post(ROOTS, last.clone()).await.status, 201);
    let roots = client.get(ROOTS).await.json();
    let roots = roots["items"].as_array().unwrap();
    assert!(roots.len() == 2 && roots.iter().all(|root| root["root_role"] == last), "{roots:?}");
    let text = refusal(&client, update(&new, "1.3.0").archive()).await;
    assert!(text.contains("0 of the 1 required signatures of the timestamp role are valid"), "{text}");
    assert_eq!(put(&client, update(&third, "1.3.0").archive()).await.status, 200);
}

#[tokio::test]
async fn update_is_uploaded_listed_and_targeted() {
    let cloud = Cloud::new();
    let client = trusting(&cloud).await;
    let roots = client.get(ROOTS).await.json();
    let id = roots["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(client.get(&format!("{ROOTS}/{id}")).await.json()["root_role"], signer().root(1));

    let archive = Draft::new(&signer(), "1.2.3").archive();
    let answer = put(&client, archive.clone()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let inserted = answer.json();
    assert_eq!(inserted["status"], "inserted");
    let repo = &inserted["recorded"]["repo"];
    assert_eq!((&repo["system_version"], &repo["file_name"]), (&json!("1.2.3"), &json!("update.zip")));
    assert_eq!(repo["hash"].as_str().unwrap().len(), 64);
    assert_eq!(inserted["recorded"]["artifacts"][0]["id"]["kind"], "host");
    assert_eq!(put(&client, archive).await.json()["status"], "already_exists");
    let seen = client.get("/v1/system/update/repository/1.2.3").await.json();
    assert_eq!(seen["description"], inserted["recorded"]);
    let absent = client.get("/v1/system/update/repository/1.2.4").await;
    assert_eq!(absent.error().2, "not found: tuf-repo with id \"1.2.4\"");
    assert_eq!(client.get("/v1/system/update/repository/one").await.status, 400);

    let mut other = Draft::new(&signer(), "1.2.3");
    other.artifacts[0].3 = b"another program".to_vec();
    let (status, _, text) = put(&client, other.archive()).await.error();
    assert!(
        status == 409 && text.starts_with("Uploaded repository with system version 1.2.3 has SHA256"),
        "{text}"
    );

    assert_eq!(cloud.repositories.kept(), 1, "refused archives are not kept");

    let first = client.get(TARGET).await.json();
    assert_eq!(
        (&first["generation"], &first["release_source"]),
        (&json!(1), &json!({ "type": "unspecified" }))
    );
    let answer = client.put(TARGET, json!({ "system_version": "1.2.3" })).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let wanted: Value = answer.json();
    assert_eq!(wanted["release_source"], json!({ "type": "system_version", "version": "1.2.3" }));
    assert_eq!(client.get(TARGET).await.json(), wanted);
    assert_eq!(client.delete(&format!("{ROOTS}/{id}")).await.status, 204);
}

#[tokio::test]
async fn malicious_archives_are_refused_with_the_reason() {
    let cloud = Cloud::new();
    let other = cloud.with_token();
    let good = Draft::new(&signer(), "1.2.3");
    let text = refusal(&other, good.archive()).await;
    assert_eq!(text, "error loading repository: no root role is trusted");
    let client = trusting(&cloud).await;
    let whole = good.archive();
    for (archive, start) in [
        (Vec::new(), "error opening archive: "),
        (b"{}".to_vec(), "error opening archive: "),
        (whole[..whole.len() / 2].to_vec(), "error opening archive: "),
        (Draft::new(&Signer::new(2), "1.2.3").archive(), "error loading repository: "),
    ] {
        let text = refusal(&client, archive).await;
        assert!(text.starts_with(start), "{text}");
    }
    let mut expired = good.clone();
    expired.expires.insert("timestamp", "2001-01-01T00:00:00Z".to_owned());
    assert!(refusal(&client, expired.archive()).await.contains("the timestamp role expired"));
    let mut files = good.files();
    files.insert("repo/../../evil".to_owned(), Vec::new());
    assert!(refusal(&client, croft_tuf::testing::archive(&files)).await.contains("is not a valid file name"));
    let mut files = good.files();
    files.insert("repo/metadata/timestamp.json".to_owned(), vec![0; 64 << 20]);
    assert!(refusal(&client, croft_tuf::testing::archive(&files)).await.contains("more than 4194304 bytes"));
    assert_eq!(
        client.get("/v1/system/update/repository/1.2.3").await.status,
        404,
        "refused archives are not kept"
    );
    assert_eq!(cloud.repositories.kept(), 0);
    assert_eq!(put(&client, whole).await.status, 200);
    assert_eq!(cloud.repositories.kept(), 1);
}
