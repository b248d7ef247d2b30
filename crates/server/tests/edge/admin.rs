use std::{
    fs,
    io::Write as _,
    os::unix::fs::{MetadataExt as _, chown},
    process::Stdio,
};

use croft_api::Uuid;
use croft_store::{
    Database, ListBy, Meta, Sort, SqliteOptions, StoreError,
    records::{AuditEntry, FactorProof, SecondFactor, Silo, SiloUser, Sled},
    schema::CROFT,
};
use serde_json::{Value, json};

use crate::program::{CHOSEN, Server, croft, run, text};

#[test]
fn password_is_reset_while_the_server_runs() {
    let server = Server::start(&[]);
    let old = server.password();
    let cookie = server.sign_in(&old);
    let token = run(&["admin", "token", "--data-dir", text(&server.data())]);
    let authorization = format!("Bearer {}", String::from_utf8(token.stdout).unwrap().trim());
    let output = run(&["admin", "reset-password", "--data-dir", text(&server.data())]);
    assert!(output.status.success(), "{output:?}");
    let new = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    let me = server.request("GET", "/v1/me").header("cookie", &cookie).send();
    assert_eq!(me.status, 401, "a new password ends old sessions");
    let me = server.request("GET", "/v1/me").header("authorization", &authorization).send();
    assert_eq!(me.status, 401, "and deletes old tokens");
    let body = json!({ "username": "admin", "password": old });
    assert_eq!(server.request("POST", "/v1/login/croft/local").body(&body).send().status, 401);
    server.sign_in(&new);
}

#[test]
fn chosen_password_is_accepted() {
    let server = Server::start(&[]);
    let mut child =
        croft(&["admin", "reset-password", "--password-stdin", "--data-dir", text(&server.data())])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
    child.stdin.take().unwrap().write_all("päss wörd über alles \nsecond line".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty());
    server.sign_in("päss wörd über alles ");
    let data = server.data();
    let there = ["--data-dir", text(&data)];
    for (weak, why) in
        [("short", "use at least 12 characters"), ("passwordpassword", "one of the most common ones")]
    {
        let mut child = croft(&[&["admin", "reset-password", "--password-stdin"], &there[..]].concat())
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(weak.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(
            !output.status.success() && String::from_utf8_lossy(&output.stderr).contains(why),
            "{output:?}"
        );
    }
    server.sign_in("päss wörd über alles ");
}

#[test]
fn a_second_factor_is_removed_on_the_host() {
    let server = Server::start(&[]);
    server.sign_in(&server.password());
    let folder = server.stopped();
    let path = folder.path().join("data/croft.db");
    let database = Database::sqlite(&SqliteOptions::new(path), &CROFT).unwrap();
    let added = database.write_blocking(|tx| {
        let silo: Silo = tx.get_by_name(Uuid::nil(), "croft")?.unwrap();
        let user: SiloUser = tx.get_by_name(silo.meta.id, "admin")?.unwrap();
        tx.insert(&SecondFactor {
            meta: Meta::new(Uuid::from_u128(1), user.meta.time_created),
            user_id: user.meta.id,
            silo_id: silo.meta.id,
            name: "phone".to_owned(),
            proof: FactorProof::Totp { sealed_secret: String::new(), last_step: 0 },
            time_last_used: None,
        })
    });
    added.unwrap_or_else(|error: StoreError| panic!("{error}"));
    drop(database);
    let server = Server::start_in(folder, &[]);
    let pending = |password: &str| {
        let cookie = server.sign_in(password);
        let account = server.request("GET", "/experimental/v1/me/account").header("cookie", &cookie).send();
        account.json()["pending_step"].clone()
    };
    assert_eq!(pending(CHOSEN), "verify_second_factor");
    let data = server.data();
    let output = run(&["admin", "reset-password", "--data-dir", text(&data)]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("`croft admin reset-second-factor` removes it"), "{stderr}");
    let printed = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    assert_eq!(
        pending(&printed),
        "verify_second_factor",
        "a new password does not replace the second factor"
    );
    for expected in ["were removed from admin", "no second factor to remove from admin"] {
        let output = run(&["admin", "reset-second-factor", "--data-dir", text(&data)]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && stderr.contains(expected), "{stderr}");
    }
    assert_eq!(pending(&printed), Value::Null, "the password was chosen in an earlier step");
}

#[test]
fn automation_token_is_created() {
    let server = Server::start(&[]);
    let output = run(&["admin", "token", "--expires", "1", "--data-dir", text(&server.data())]);
    let token = String::from_utf8(output.stdout).unwrap();
    let digits = token.strip_prefix("croft-token-").and_then(|rest| rest.strip_suffix('\n')).unwrap();
    assert!(digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit()), "{token}");
    let authorization = format!("Bearer {}", token.trim());
    let me = server.request("GET", "/v1/me").header("authorization", &authorization).send();
    assert_eq!((me.status, me.json()["display_name"].as_str()), (200, Some("admin")));
}

#[test]
fn tokens_expire_by_default() {
    let server = Server::start(&[]);
    let data = server.data();
    let lives = |words: &[&str]| {
        let words = [&["admin", "token", "--data-dir", text(&data)], words].concat();
        let token = String::from_utf8(run(&words).stdout).unwrap();
        let authorization = format!("Bearer {}", token.trim());
        let list = server
            .request("GET", "/v1/me/access-tokens?limit=100")
            .header("authorization", &authorization)
            .send();
        let list = list.json();
        let of_day = |value: &serde_json::Value| value.as_str().map(|time| time[..10].to_owned());
        let newest =
            list["items"].as_array().unwrap().iter().max_by_key(|token| token["time_created"].to_string());
        newest.map(|token| (of_day(&token["time_created"]).unwrap(), of_day(&token["time_expires"]))).unwrap()
    };
    let (_, never) = lives(&["--never-expires"]);
    assert_eq!(never, None);
    let (made, ends) = lives(&[]);
    let day = |text: &str| text.parse::<jiff::civil::Date>().unwrap();
    assert_eq!(day(&made).until(day(&ends.unwrap())).unwrap().get_days(), 30);
    let both =
        run(&["admin", "token", "--data-dir", text(&server.data()), "--expires", "3", "--never-expires"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn sled_is_expunged() {
    let server = Server::start(&[]);
    let output = run(&["admin", "expunge-sled", "--serial", "SIM0002", "--data-dir", text(&server.data())]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let folder = Server::start_in(server.stopped(), &[]).stopped();
    let database =
        Database::sqlite(&SqliteOptions::new(folder.path().join("data/croft.db")), &CROFT).unwrap();
    let sleds: Vec<Sled> = database
        .read_blocking(|tx| tx.page(ListBy::All, Sort::IdAsc, None, 10))
        .unwrap_or_else(|error: StoreError| panic!("{error}"));
    let expunged: Vec<_> =
        sleds.iter().filter(|sled| sled.expunged).map(|sled| sled.baseboard.serial.as_str()).collect();
    assert_eq!((sleds.len(), expunged), (3, vec!["SIM0002"]), "also after a restart");
    assert!(sleds.iter().all(|sled| sled.takes_new() != sled.expunged));
}

#[test]
fn invalid_commands_are_refused() {
    let server = Server::start(&[]);
    let data = server.data();
    let fails = |words: &[&str], code: i32, why: &str| {
        let output = run(&[&["admin"], words].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(why) && output.stdout.is_empty(), "{stderr}");
    };
    let there = ["--data-dir", text(&data)];
    fails(
        &[&["token", "--user", "nobody"], &there[..]].concat(),
        1,
        "not found: silo-user with name \"nobody\"",
    );
    fails(
        &[&["token", "--silo", "nowhere"], &there[..]].concat(),
        1,
        "not found: silo with name \"nowhere\"",
    );
    fails(
        &[&["expunge-sled", "--serial", "NONE"], &there[..]].concat(),
        1,
        "not found: sled with serial number \"NONE\"",
    );
    fails(&[&["reset-password", "--user", "Bad"], &there[..]].concat(), 2, "name must begin with");
    fails(&[&["reset-password", "--password-stdin"], &there[..]].concat(), 2, "has no password");
    let elsewhere = tempfile::tempdir().unwrap();
    fails(&["token", "--data-dir", text(elsewhere.path())], 3, "there is no Croft database in");
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0, "nothing was created there");
}

#[test]
fn commands_on_the_host_are_audited() {
    let server = Server::start(&[]);
    let data = server.data();
    let there = ["--data-dir", text(&data)];
    assert!(run(&[&["admin", "token"], &there[..]].concat()).status.success());
    assert!(!run(&[&["admin", "reset-password", "--user", "nobody"], &there[..]].concat()).status.success());
    let folder = server.stopped();
    let database =
        Database::sqlite(&SqliteOptions::new(folder.path().join("data/croft.db")), &CROFT).unwrap();
    let entries: Vec<AuditEntry> = database
        .read_blocking(|tx| tx.page(ListBy::All, Sort::TimeAsc, None, 10))
        .unwrap_or_else(|error: StoreError| panic!("{error}"));
    let entries: Vec<Value> = entries.iter().map(|entry| serde_json::to_value(entry).unwrap()).collect();
    let [token, password] = &entries[..] else { panic!("{entries:?}") };
    for (entry, operation, result) in
        [(token, "admin_token_create", "success"), (password, "admin_reset_password", "error")]
    {
        assert_eq!(entry["operation_id"], operation);
        assert!(entry["result"].get(result).is_some(), "{entry}");
        let actor = &entry["actor"]["user_builtin"]["user_builtin_id"];
        assert_eq!(actor, "001de000-05e4-4000-8000-000000000003", "{entry}");
        assert_eq!(entry["source_ip"], "127.0.0.1");
    }
}

/// Runs as root where possible, because the files of a server that runs as another user must keep that user as owner.
#[test]
fn files_keep_their_owner() {
    let folder = Server::start(&[]).stopped();
    let data = folder.path().join("data");
    let own = fs::metadata(&data).unwrap().uid();
    let owner = if own == 0 { 54_321 } else { own };
    let mut files: Vec<_> = fs::read_dir(&data).unwrap().map(|file| file.unwrap().path()).collect();
    files.push(data.clone());
    for file in &files {
        chown(file, Some(owner), Some(owner).filter(|_| own == 0)).unwrap();
    }
    let output = run(&["admin", "token", "--data-dir", text(&data)]);
    assert!(output.status.success(), "{output:?}");
    for file in fs::read_dir(&data).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().uid(), owner, "{:?}", file.path());
    }
}
