//! Valid and invalid repositories.

// Helpers may unwrap like tests. Clippy's exception covers only functions that are marked as tests.
#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeMap,
    io::{Cursor, Write as _},
};

use croft_tuf::{
    LoadError, NewerRoot, Repository, Root, load,
    testing::{Draft, Signer, archive, sign_by},
};
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

type Files = BTreeMap<String, Vec<u8>>;

fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn signer() -> Signer {
    Signer::new(1)
}

fn root(of: &Signer) -> Root {
    Root::trust(&of.root(1)).unwrap()
}

fn loaded(archive: &[u8]) -> Result<Repository, LoadError> {
    load(Cursor::new(archive), &[root(&signer())], now())
}

fn refusal(archive: &[u8]) -> String {
    loaded(archive).unwrap_err().to_string()
}

fn draft() -> Draft {
    Draft::new(&signer(), "1.2.3")
}

/// The reason why a repository with this change is refused.
fn refused(change: impl FnOnce(&mut Files)) -> String {
    let mut files = draft().files();
    change(&mut files);
    refusal(&archive(&files))
}

fn path_of(files: &Files, end: &str) -> String {
    files.keys().find(|path| path.ends_with(end)).unwrap().clone()
}

/// Changes the content of a role and signs it again.
fn resigned(files: &mut Files, path: &str, by: &Signer, change: impl FnOnce(&mut Value)) {
    let path = path_of(files, path);
    let mut role: Value = serde_json::from_slice(&files[&path]).unwrap();
    change(&mut role["signed"]);
    files.insert(path, by.sign(&role["signed"]).to_string().into_bytes());
}

#[test]
fn a_repository_that_is_as_it_should_be() {
    let repository = loaded(&draft().archive()).unwrap();
    assert_eq!((repository.root, repository.targets_role_version), (0, 3));
    assert_eq!(repository.system_version.to_string(), "1.2.3");
    assert_eq!(repository.valid_until.to_string(), "2100-01-01T00:00:00Z");
    let [artifact] = repository.artifacts.as_slice() else { panic!("{repository:?}") };
    assert_eq!((artifact.name.as_str(), artifact.kind.as_str(), artifact.length), ("croft", "host", 7));
    let others = [root(&Signer::new(2)), root(&signer())];
    assert_eq!(load(Cursor::new(draft().archive()), &others, now()).unwrap().root, 1);
    // The files may also be at the top level of the archive.
    let top = draft().files().into_iter().map(|(path, content)| (path["repo/".len()..].to_owned(), content));
    assert!(loaded(&archive(&top.collect())).is_ok());
}

#[test]
fn the_first_of_the_roles_to_expire_says_until_when_it_is_valid() {
    let mut draft = draft();
    draft.expires.insert("snapshot", "2027-01-01T00:00:00Z".to_owned());
    assert_eq!(loaded(&draft.archive()).unwrap().valid_until.to_string(), "2027-01-01T00:00:00Z");
    for role in ["timestamp", "snapshot", "targets"] {
        draft.expires = BTreeMap::from([(role, "2025-12-31T23:59:59Z".to_owned())]);
        assert!(
            refusal(&draft.archive()).contains(&format!("the {role} role expired at 2025-12-31")),
            "{role}"
        );
    }
}

#[test]
fn what_is_no_archive() {
    for bytes in [&b""[..], b"PK", &[0; 4096], b"{\"signed\": {}}"] {
        assert!(refusal(bytes).starts_with("error opening archive: "), "{}", refusal(bytes));
    }
    let whole = draft().archive();
    for length in [1, 100, whole.len() / 2, whole.len() - 30, whole.len() - 1] {
        let text = refusal(&whole[..length]);
        assert!(text.starts_with("error opening archive: "), "{length}: {text}");
    }
}

#[test]
fn names_that_lead_out_of_a_folder() {
    for name in
        ["../evil", "repo/../../evil", "/etc/passwd", "repo//x", "a\\..\\b", "C:/x", "repo/./x", "a\n"]
    {
        let text = refused(|files| {
            files.insert(name.to_owned(), Vec::new());
        });
        assert!(
            text.starts_with("error opening archive: ") && text.contains("is not a valid file name"),
            "{name}: {text}"
        );
    }
}

#[test]
fn archives_that_are_too_large_to_look_at() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..10_001 {
        zip.start_file(number.to_string(), SimpleFileOptions::default()).unwrap();
    }
    let many = zip.finish().unwrap().into_inner();
    assert!(refusal(&many).contains("more than 10000 files"), "{}", refusal(&many));
    // 100 MiB that are compressed to about 100 KiB.
    let zeros = vec![0; 100 << 20];
    let text = refused(|files| {
        files.insert("repo/metadata/timestamp.json".to_owned(), zeros.clone());
    });
    assert!(text.contains("metadata/timestamp.json has more than 4194304 bytes"), "{text}");
    let text = refused(|files| {
        files.insert(path_of(files, ".bin"), zeros.clone());
    });
    assert!(text.contains("does not match its role"), "{text}");
    // Files that no role refers to are ignored.
    let mut files = draft().files();
    files.insert("repo/targets/more".to_owned(), zeros);
    assert!(loaded(&archive(&files)).is_ok());
}

#[test]
fn a_file_that_is_in_it_twice() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in draft().files() {
        zip.start_file(path.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(&content).unwrap();
    }
    zip.start_file("repo/metadata/timestamp.jsoN", SimpleFileOptions::default()).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let text: Vec<u8> = {
        // The writer refuses duplicate names, so both copies are renamed afterwards.
        let (from, to) = (b"timestamp.jsoN", b"timestamp.json");
        let mut bytes = bytes;
        while let Some(at) = bytes.windows(from.len()).position(|window| window == from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
        bytes
    };
    assert!(loaded(&text).is_err());
}

#[test]
fn signatures_of_nobody_who_is_trusted() {
    let unsigned = refused(|files| {
        let path = path_of(files, "timestamp.json");
        let mut role: Value = serde_json::from_slice(&files[&path]).unwrap();
        role["signatures"] = json!([]);
        files.insert(path, role.to_string().into_bytes());
    });
    assert!(
        unsigned.contains("0 of the 1 required signatures of the timestamp role are valid"),
        "{unsigned}"
    );
    for (path, role) in
        [("timestamp.json", "timestamp"), ("snapshot.json", "snapshot"), ("targets.json", "targets")]
    {
        let text = refused(|files| resigned(files, path, &Signer::new(9), |_| ()));
        assert!(
            text.contains(&format!("0 of the 1 required signatures of the {role} role are valid")),
            "{text}"
        );
        let text = refused(|files| {
            let path = path_of(files, path);
            let text = String::from_utf8(files[&path].clone()).unwrap().replace("2100-01-01", "2100-01-02");
            files.insert(path, text.into_bytes());
        });
        assert!(
            text.contains(&format!("0 of the 1 required signatures of the {role} role are valid")),
            "{text}"
        );
    }
    let stranger = Draft::new(&Signer::new(9), "1.2.3").archive();
    assert!(refusal(&stranger).starts_with("error loading repository: "), "{}", refusal(&stranger));
    let nobody = load(Cursor::new(draft().archive()), &[], now()).unwrap_err();
    assert_eq!(nobody.to_string(), "error loading repository: no root role is trusted");
}

#[test]
fn files_that_are_not_what_their_roles_say() {
    let changed = refused(|files| {
        files.insert(path_of(files, ".bin"), b"Program".to_vec());
    });
    assert!(changed.contains("does not match its role"), "{changed}");
    let missing = refused(|files| {
        files.remove(&path_of(files, ".bin"));
    });
    assert!(missing.contains("is missing"), "{missing}");
    let older =
        refused(|files| resigned(files, "snapshot.json", &signer(), |role| role["version"] = json!(1)));
    assert!(
        older.contains("the snapshot role has version 1, but the role that refers to it says 2"),
        "{older}"
    );
    let other = refused(|files| {
        resigned(files, "timestamp.json", &signer(), |role| {
            role["meta"]["snapshot.json"]["hashes"] = json!({ "sha256": "00".repeat(32) });
        });
    });
    assert!(other.contains("does not match the role that refers to it"), "{other}");
    let float = refused(resigned_with_float);
    assert!(float.contains("numbers that are not integers"), "{float}");
}

fn resigned_with_float(files: &mut Files) {
    let path = path_of(files, "timestamp.json");
    let mut role: Value = serde_json::from_slice(&files[&path]).unwrap();
    role["signed"]["odd"] = json!(1.5);
    files.insert(path, role.to_string().into_bytes());
}

#[test]
fn artifacts_that_do_not_fit() {
    let with = |artifacts: Vec<(&str, &str, &str)>| {
        let artifact = |(name, version, kind): (&str, &str, &str)| {
            (name.to_owned(), version.to_owned(), kind.to_owned(), b"x".to_vec())
        };
        let artifacts = artifacts.into_iter().map(artifact).collect();
        refusal(&Draft { artifacts, ..draft() }.archive())
    };
    assert!(with(vec![("a", "1", "k"), ("a", "1", "k")]).contains("a 1 of kind k is listed twice"));
    assert!(with(vec![("", "1", "k")]).contains("1 to 255 bytes"));
    assert!(with(vec![("a", &"1".repeat(256), "k")]).contains("1 to 255 bytes"));
    let odd = Draft { system_version: "1.2".to_owned(), ..draft() };
    assert!(refusal(&odd.archive()).starts_with("error reading artifacts: artifacts.json: "));
}

#[test]
fn a_root_role_vouches_for_the_next() {
    let (old, new) = (signer(), Signer::new(2));
    let mut files = Draft::new(&new, "1.2.3").files();
    let next = new.unsigned_root(2);
    let put = |files: &mut Files, role: Value| {
        files.insert("repo/metadata/2.root.json".to_owned(), role.to_string().into_bytes());
    };
    put(&mut files, sign_by(&[&old, &new], &next));
    assert!(loaded(&archive(&files)).is_ok());
    for by in [&old, &new] {
        put(&mut files, by.sign(&next));
        let text = refusal(&archive(&files));
        assert!(
            text.contains("root role 2: 0 of the 1 required signatures of the root role are valid"),
            "{text}"
        );
    }
    put(&mut files, sign_by(&[&old, &new], &new.unsigned_root(3)));
    let text = refusal(&archive(&files));
    assert!(text.contains("version 3 does not follow version 1"), "{text}");
}

#[test]
fn whoever_trusts_the_last_root_role_trusts_no_key_that_was_retired_before() {
    let (old, new) = (signer(), Signer::new(2));
    let mut files = Draft::new(&new, "1.2.3").files();
    let next = sign_by(&[&old, &new], &new.unsigned_root(2));
    files.insert("repo/metadata/2.root.json".to_owned(), next.to_string().into_bytes());
    let trusted = [root(&old)];
    let taken = load(Cursor::new(archive(&files)), &trusted, now()).unwrap();
    assert_eq!((taken.root, taken.root_version), (0, 2));
    assert_eq!(taken.newer_roots, [NewerRoot { follows: 0, role: next.clone() }]);
    // Every trusted root role that precedes the new one is replaced, whichever of them signed it.
    let both = [Root::trust(&next).unwrap(), root(&old)];
    let taken = load(Cursor::new(archive(&files)), &both, now()).unwrap();
    assert_eq!((taken.root, taken.root_version), (0, 2));
    assert_eq!(taken.newer_roots, [NewerRoot { follows: 1, role: next.clone() }]);

    let newest = [Root::trust(&next).unwrap()];
    let load = |archive: Vec<u8>| load(Cursor::new(archive), &newest, now());
    // Signed with the old key under the old root role, and with the chain up to the last root role.
    let text = load(Draft::new(&old, "1.2.4").archive()).unwrap_err().to_string();
    assert!(
        text.contains("timestamp: 0 of the 1 required signatures of the timestamp role are valid"),
        "{text}"
    );
    let mut retired = Draft::new(&old, "1.2.4").files();
    retired.insert("repo/metadata/2.root.json".to_owned(), next.to_string().into_bytes());
    assert!(load(archive(&retired)).is_err());
    // A root role of an earlier version in place of the next one.
    let mut back = Draft::new(&new, "1.2.4").files();
    back.insert("repo/metadata/3.root.json".to_owned(), next.to_string().into_bytes());
    let text = load(archive(&back)).unwrap_err().to_string();
    assert!(text.contains("version 2 does not follow version 2"), "{text}");
    assert!(load(Draft::new(&new, "1.2.4").archive()).is_ok());
}

#[test]
fn a_root_role_that_is_to_be_trusted_vouches_for_itself() {
    let (one, two) = (signer(), Signer::new(2));
    let reason = |role: &Value| Root::trust(role).map(drop).unwrap_err();
    assert!(reason(&json!({})).starts_with("it is not a signed document"));
    assert!(
        reason(&json!({ "signed": { "_type": "targets" }, "signatures": [] }))
            .contains("it is not a root role")
    );
    assert!(reason(&two.sign(&one.unsigned_root(1))).contains("0 of the 1 required signatures"));
    let mut role = one.unsigned_root(1);
    role["roles"]["root"]["threshold"] = json!(2);
    assert!(reason(&one.sign(&role)).contains("1 of the 2 required signatures"));
    // A repeated signature, or one by the same key under another ID, counts once.
    let twice = sign_by(&[&one, &one], &role);
    assert!(reason(&twice).contains("1 of the 2 required signatures"));
    role["keys"]["alias"] = one.key();
    role["roles"]["root"]["keyids"] = json!([one.id(), "alias"]);
    let mut aliased = sign_by(&[&one, &one], &role);
    aliased["signatures"][1]["keyid"] = json!("alias");
    assert!(reason(&aliased).contains("1 of the 2 required signatures"), "{}", reason(&aliased));
    role["keys"][two.id()] = two.key();
    role["roles"]["root"]["keyids"] = json!([one.id(), two.id()]);
    assert!(Root::trust(&sign_by(&[&one, &two], &role)).is_ok());
    role["roles"]["root"]["threshold"] = json!(0);
    assert!(reason(&sign_by(&[&one], &role)).contains("has a threshold of zero"));
    role["spec_version"] = json!("2.0.0");
    assert!(reason(&sign_by(&[&one], &role)).contains("version \"2.0.0\" of the specification"));
}

proptest! {
    /// A damaged archive is refused, or yields the same repository.
    #[test]
    fn damage_does_no_harm(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let good = draft().archive();
        let mut bytes = good.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(repository) = loaded(&bytes) {
            prop_assert_eq!(repository, loaded(&good).unwrap());
        }
    }
}
