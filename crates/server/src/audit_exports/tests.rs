use std::{collections::BTreeSet, os::unix::fs::PermissionsExt as _};

use croft_api::audit::{AuditLogEntryActor, AuditLogEntryResult};
use croft_store::{
    ListBy, Meta, Sort, Tx,
    records::{AuditActor, AuditEntry, AuditResult},
    schema::CROFT,
};
use tempfile::TempDir;

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

fn view(number: u128, second: i64) -> AuditLogEntry {
    AuditLogEntry {
        id: Uuid::from_u128(number),
        request_id: String::new(),
        request_uri: "/v1/projects".to_owned(),
        operation_id: "project_create".to_owned(),
        source_ip: [192, 0, 2, 1].into(),
        user_agent: None,
        actor: AuditLogEntryActor::Unauthenticated,
        auth_method: None,
        time_started: at(second),
        time_completed: at(second),
        result: AuditLogEntryResult::Success { http_status_code: 201 },
    }
}

fn folder() -> (TempDir, AuditFolder) {
    let place = tempfile::tempdir().unwrap();
    let folder = AuditFolder::open(&place.path().join(AUDIT_FOLDER)).unwrap();
    (place, folder)
}

fn names(folder: &AuditFolder) -> Vec<String> {
    let entries = fs::read_dir(&folder.folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// All lines of all finished files.
fn kept(folder: &AuditFolder) -> Vec<AuditLogEntry> {
    let files = folder.files(FINISHED).unwrap();
    let texts = files.iter().map(|path| fs::read_to_string(path).unwrap());
    texts
        .flat_map(|text| {
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<AuditLogEntry>>()
        })
        .collect()
}

#[test]
fn export_files_are_named_by_time_and_never_replaced() {
    let (_place, folder) = folder();
    assert_eq!(folder.pending().unwrap(), None);
    let entries = [view(1, 0), view(2, 3600)];
    folder.keep(&entries).unwrap();
    let ids = entries.iter().map(|entry| entry.id).collect::<Vec<_>>();
    assert_eq!(folder.pending().unwrap(), Some(ids));
    assert_eq!(kept(&folder), [], "not finished before its entries are deleted");
    folder.done().unwrap();
    assert_eq!(folder.pending().unwrap(), None);
    assert_eq!(names(&folder), ["20231114T221320Z-20231114T231320Z.jsonl"]);
    assert_eq!(kept(&folder), entries);
    // The same entries again, as after restoring a backup.
    folder.keep(&entries).unwrap();
    folder.done().unwrap();
    let twice = ["20231114T221320Z-20231114T231320Z.2.jsonl", "20231114T221320Z-20231114T231320Z.jsonl"];
    assert_eq!(names(&folder), twice);
    for name in &twice {
        let mode = fs::metadata(folder.folder.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    assert_eq!(fs::metadata(&folder.folder).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn partial_file_is_rewritten_and_unreadable_file_reported() {
    let (_place, folder) = folder();
    let half = folder.folder.join("20231114T221320Z-20231114T221320Z.jsonl.part");
    fs::write(&half, "{\"id\":\"0000").unwrap();
    assert_eq!(folder.pending().unwrap(), None, "no deletion depends on it");
    folder.keep(&[view(1, 0)]).unwrap();
    folder.done().unwrap();
    assert_eq!(kept(&folder), [view(1, 0)]);
    assert!(!half.exists());

    fs::write(folder.folder.join("damaged.jsonl.new"), "{\n").unwrap();
    let error = folder.pending().unwrap_err().to_string();
    assert!(error.contains("damaged.jsonl.new"), "{error}");
}

#[test]
fn failed_exports_leave_no_files() {
    let (_place, folder) = folder();
    // A directory with that name makes writing the file fail.
    let part = folder.folder.join("20231114T221320Z-20231114T221320Z.jsonl.part");
    fs::create_dir(&part).unwrap();
    folder.keep(&[view(1, 0)]).unwrap_err();
    assert_eq!(folder.pending().unwrap(), None);
    fs::remove_dir(&part).unwrap();
    assert_eq!(names(&folder), [""; 0]);
}

fn database(count: u128) -> Database {
    let database = Database::in_memory(&CROFT).unwrap();
    let entries = (1..=count).map(|number| {
        let time = at(number.try_into().unwrap());
        AuditEntry {
            meta: Meta::new(Uuid::from_u128(number), time),
            operation_id: "project_create".to_owned(),
            request_id: Uuid::nil(),
            request_uri: "/v1/projects".to_owned(),
            source_ip: None,
            user_agent: None,
            time_started: time,
            actor: AuditActor::Unauthenticated,
            auth_method: None,
            result: AuditResult::Success { http_status_code: 201 },
            instance_id: None,
            project_id: None,
            subjects: Vec::new(),
            transferred: None,
            viewed_as: None,
        }
    });
    let entries: Vec<_> = entries.collect();
    let write = move |tx: &mut Tx<'_>| entries.iter().try_for_each(|entry| tx.insert(entry));
    database.write_blocking(write).unwrap();
    database
}

fn left(database: &Database) -> BTreeSet<Uuid> {
    let page = |tx: &mut Tx<'_>| tx.page::<AuditEntry>(ListBy::All, Sort::TimeAsc, None, 10_000);
    database.read_blocking(page).unwrap().iter().map(|entry| entry.meta.id).collect()
}

/// Fails at one of its steps, like a server that is killed.
struct Killed<'a> {
    folder: &'a AuditFolder,
    before: usize,
    step: std::sync::atomic::AtomicUsize,
}

impl Killed<'_> {
    fn step(&self) -> io::Result<()> {
        let step = self.step.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        if step == self.before { Err(io::Error::other("killed")) } else { Ok(()) }
    }
}

impl Exports for Killed<'_> {
    fn pending(&self) -> io::Result<Option<Vec<Uuid>>> {
        self.step()?;
        self.folder.pending()
    }

    fn keep(&self, entries: &[AuditLogEntry]) -> io::Result<()> {
        self.step()?;
        self.folder.keep(entries)?;
        self.step()
    }

    fn done(&self) -> io::Result<()> {
        self.step()?;
        self.folder.done()?;
        self.step()
    }
}

#[test]
fn entries_are_exported_once_after_a_crash() {
    let retention = SignedDuration::from_hours(1);
    let hour = at(3600);
    for before in 0..6 {
        let (_place, folder) = folder();
        let database = database(20);
        // The entries of the first nine seconds are older than the retention.
        let now = hour.checked_add(SignedDuration::from_secs(10)).unwrap();
        let killed = Killed { folder: &folder, before, step: 0.into() };
        let ended = audit::export_old(&database, &killed, retention, now);
        assert_eq!(ended.is_err(), before < 5, "{before}: {ended:?}");
        // More entries have expired when the export runs again.
        let later = now.checked_add(SignedDuration::from_secs(5)).unwrap();
        while audit::export_old(&database, &folder, retention, later).unwrap() > 0 {}
        let mut exported: Vec<_> = kept(&folder).iter().map(|entry| entry.id).collect();
        exported.sort();
        assert_eq!(exported, (1..15).map(Uuid::from_u128).collect::<Vec<_>>(), "killed before {before}");
        assert_eq!(left(&database), (15..=20).map(Uuid::from_u128).collect());
        assert!(
            names(&folder).iter().all(|name| Path::new(name).extension().is_some_and(|end| end == "jsonl")),
            "{:?}",
            names(&folder)
        );
    }
}

#[test]
fn full_disk_stops_deletion_and_is_reported() {
    struct Full;
    impl Exports for Full {
        fn pending(&self) -> io::Result<Option<Vec<Uuid>>> {
            Ok(None)
        }
        fn keep(&self, _: &[AuditLogEntry]) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn done(&self) -> io::Result<()> {
            Ok(())
        }
    }
    let database = database(3);
    let error = audit::export_old(&database, &Full, SignedDuration::from_hours(1), at(9999)).unwrap_err();
    let detail = error.detail().unwrap();
    assert!(detail.contains("stay in the database") && detail.contains("no storage space"), "{detail}");
    assert_eq!(left(&database).len(), 3);
}
