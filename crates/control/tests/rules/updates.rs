//! Updates: trust roots, repositories and the target release (`docs/rules/identity-and-system.md#updates`).

use croft_api::{
    Error, Result,
    page::{IdSortMode, NoSelector, PageQuery},
    update::{
        TargetRelease, TargetReleaseSource, TufRepoInsertResponse, TufRepoInsertStatus, UpdatesTrustRoot,
    },
};
use croft_control::{
    operation,
    update::{self, VerifiedUpload},
};
use croft_tuf::{Artifact, Repository, testing::Signer};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, refused};

fn trust(cloud: &mut Cloud, role: Value) -> Result<UpdatesTrustRoot> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::SYSTEM_UPDATE_TRUST_ROOT_CREATE, move |cx, caller| {
        update::trust_root_create(cx, caller, &role)
    })
}

fn distrust(cloud: &mut Cloud, id: Uuid) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::SYSTEM_UPDATE_TRUST_ROOT_DELETE, move |cx, caller| {
        update::trust_root_delete(cx, caller, id)
    })
}

fn roots(cloud: &Cloud) -> Vec<Uuid> {
    let query: PageQuery<NoSelector, IdSortMode> =
        PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after: None, limit: 10 };
    let page = cloud.see(&cloud.admin, move |cx, caller| update::trust_root_list(cx, caller, &query));
    page.unwrap().items.iter().map(|root| root.id).collect()
}

fn artifact(name: &str, version: &str, hash: u8) -> Artifact {
    let (name, version) = (name.to_owned(), version.to_owned());
    Artifact { name, version, kind: "host".to_owned(), hash: [hash; 32], length: 7 }
}

fn uploaded(trust_root: Uuid, version: &str, hash: u8, artifacts: Vec<Artifact>) -> VerifiedUpload {
    let repository = Repository {
        root: 0,
        root_version: 1,
        newer_roots: Vec::new(),
        system_version: version.parse().unwrap(),
        targets_role_version: 3,
        valid_until: "2100-01-01T00:00:00Z".parse().unwrap(),
        artifacts,
    };
    VerifiedUpload { trust_root, hash: [hash; 32], repository, newer_roots: Vec::new() }
}

fn put(cloud: &mut Cloud, uploaded: Result<VerifiedUpload>) -> Result<TufRepoInsertResponse> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::SYSTEM_UPDATE_PUT_REPOSITORY, move |cx, caller| {
        update::repository_put(cx, caller, "update.zip", &uploaded)
    })
}

fn want(cloud: &mut Cloud, version: &str) -> Result<TargetRelease> {
    let params = serde_json::from_value(json!({ "system_version": version })).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::TARGET_RELEASE_UPDATE, move |cx, caller| {
        update::target_release_update(cx, caller, &params)
    })
}

fn wanted(cloud: &Cloud) -> TargetRelease {
    cloud.see(&cloud.admin, update::target_release_view).unwrap()
}

fn signer() -> Signer {
    Signer::new(1)
}

#[test]
fn self_signed_root_role_is_trusted() {
    let mut cloud = Cloud::new();
    assert!(roots(&cloud).is_empty());
    let role = signer().root(1);
    let root = trust(&mut cloud, role.clone()).unwrap();
    assert_eq!((roots(&cloud), &root.root_role), (vec![root.id], &role));
    let mut forged = role;
    forged["signed"]["version"] = json!(2);
    let text = "Unable to verify root role: 0 of the 1 required signatures of the root role are valid";
    assert_eq!(refused(trust(&mut cloud, forged)), (400, text.to_owned()));
    for other in [json!(null), json!([]), json!({ "signed": {} }), json!("root")] {
        let (status, text) = refused(trust(&mut cloud, other));
        assert!(status == 400 && text.starts_with("Unable to verify root role: "), "{text}");
    }
    let id = root.id;
    let see = |cloud: &Cloud| {
        cloud.see(&cloud.admin, move |cx, caller| update::trust_root_view(cx, caller, id)).map(|root| root.id)
    };
    assert_eq!(see(&cloud), Ok(id));
    distrust(&mut cloud, id).unwrap();
    let missing = (404, format!("not found: tuf-trust-root with id \"{id}\""));
    assert_eq!(refused(see(&cloud)), missing);
    assert_eq!(refused(distrust(&mut cloud, id)), missing);
    assert!(roots(&cloud).is_empty());
}

#[test]
fn a_repository_is_stored_once() {
    let mut cloud = Cloud::new();
    let root = trust(&mut cloud, signer().root(1)).unwrap().id;
    let one = || uploaded(root, "1.0.0", 1, vec![artifact("croft", "1.0.0", 9)]);
    let inserted = put(&mut cloud, Ok(one())).unwrap();
    assert_eq!(inserted.status, TufRepoInsertStatus::Inserted);
    assert_eq!(inserted.recorded.repo.hash.to_string(), "01".repeat(32));
    assert_eq!(inserted.recorded.artifacts[0].size, 7);
    let again = put(&mut cloud, Ok(one())).unwrap();
    assert_eq!(
        (again.status, again.recorded),
        (TufRepoInsertStatus::AlreadyExists, inserted.recorded.clone())
    );

    let other = put(&mut cloud, Ok(uploaded(root, "1.0.0", 2, vec![artifact("croft", "1.0.0", 9)])));
    let text = format!(
        "Uploaded repository with system version 1.0.0 has SHA256 hash {}, but existing repository has SHA256 hash {}.",
        "02".repeat(32),
        "01".repeat(32)
    );
    assert_eq!(refused(other), (409, text));

    let clashing = vec![artifact("croft", "1.0.0", 8), artifact("other", "1", 9), artifact("new", "1", 3)];
    let (status, text) = refused(put(&mut cloud, Ok(uploaded(root, "1.1.0", 3, clashing))));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((status, lines.len()), (409, 3), "{text}");
    assert_eq!(lines[0], "Uploaded artifacts don't match existing artifacts with same IDs:");
    assert!(lines[1].starts_with("croft 1.0.0 of kind host has SHA256 hash 0808"), "{text}");
    assert!(lines[2].ends_with("as the existing croft 1.0.0 of that kind has"), "{text}");

    // Refused uploads leave nothing behind, and repositories share artifacts.
    let both = vec![artifact("croft", "1.0.0", 9), artifact("new", "1", 4)];
    let next = put(&mut cloud, Ok(uploaded(root, "1.1.0", 3, both))).unwrap();
    assert_eq!((next.status, next.recorded.artifacts.len()), (TufRepoInsertStatus::Inserted, 2));

    let view = |cloud: &Cloud, version: &str| {
        let version = version.parse().unwrap();
        cloud.see(&cloud.admin, move |cx, caller| update::repository_view(cx, caller, &version))
    };
    assert_eq!(view(&cloud, "1.0.0").unwrap().description, inserted.recorded);
    assert_eq!(refused(view(&cloud, "9.0.0")), (404, "not found: tuf-repo with id \"9.0.0\"".to_owned()));
}

#[test]
fn removed_trust_root_is_not_used() {
    let mut cloud = Cloud::new();
    let root = trust(&mut cloud, signer().root(1)).unwrap().id;
    let refusal = Error::invalid_request("error opening archive: it is not a zip archive, or is truncated");
    assert_eq!(put(&mut cloud, Err(refusal.clone())).unwrap_err(), refusal);
    put(&mut cloud, Ok(uploaded(root, "1.0.0", 1, Vec::new()))).unwrap();
    distrust(&mut cloud, root).unwrap();
    let (status, text) = refused(put(&mut cloud, Ok(uploaded(root, "1.1.0", 2, Vec::new()))));
    assert!(status == 400 && text.starts_with("error loading repository: "), "{text}");
    want(&mut cloud, "1.0.0").unwrap();
}

#[test]
fn the_target_release_never_decreases() {
    let mut cloud = Cloud::new();
    let first = wanted(&cloud);
    assert_eq!((first.generation, first.release_source), (1, TargetReleaseSource::Unspecified));
    let missing = (404, "not found: tuf-repo with id \"1.9.0\"".to_owned());
    assert_eq!(refused(want(&mut cloud, "1.9.0")), missing);
    let root = trust(&mut cloud, signer().root(1)).unwrap().id;
    for (number, version) in ["1.9.0", "1.10.0", "1.10.0-rc.1"].into_iter().enumerate() {
        let hash = u8::try_from(number).unwrap();
        put(&mut cloud, Ok(uploaded(root, version, hash, Vec::new()))).unwrap();
    }
    assert_eq!(want(&mut cloud, "1.9.0").unwrap().generation, 2);
    assert_eq!(want(&mut cloud, "1.10.0").unwrap().generation, 3);
    let again = want(&mut cloud, "1.10.0").unwrap();
    assert_eq!(again.generation, 4, "setting the same release again is allowed");
    for older in ["1.9.0", "1.10.0-rc.1"] {
        let text = format!(
            "The requested target system release ({older}) is older than the current target system release (1.10.0). \
             This is not supported."
        );
        assert_eq!(refused(want(&mut cloud, older)), (400, text));
    }
    assert_eq!(wanted(&cloud), again);
}
