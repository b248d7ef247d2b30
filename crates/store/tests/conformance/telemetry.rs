//! The store of samples, from the point of view of producers and queries.

use std::{fs, path::Path, process::Command, time::Duration};

use croft_oxql::{
    Limit, Series, Source, SourceError, Window,
    model::{
        Column, Datum, DatumType, Description, FieldSchema, FieldSource, FieldType, FieldValue, Points,
        Sample, Schema, Scope, Units,
    },
};
use croft_store::telemetry::{SparseCounter, Telemetry, TelemetryOptions};
use jiff::Timestamp;
use proptest::prelude::*;
use tempfile::TempDir;
use uuid::Uuid;

use crate::golden;

const SECOND: i64 = 1_000_000_000;
const HOUR: i64 = 3600 * SECOND;
/// The time at which the tests start.
const START: i64 = 1_790_000_000 * SECOND;

fn schema(name: &str, datum_type: DatumType) -> Schema {
    let field = |name: &str, field_type, source| FieldSchema {
        name: name.to_owned(),
        field_type,
        source,
        description: String::new(),
    };
    Schema {
        name: name.parse().unwrap(),
        version: 1.try_into().unwrap(),
        description: Description::default(),
        fields: vec![
            field("id", FieldType::Uuid, FieldSource::Target),
            field("state", FieldType::String, FieldSource::Metric),
        ],
        datum_type,
        units: Units::Count,
        scope: Scope::Fleet,
        created: Timestamp::UNIX_EPOCH,
    }
}

fn counter() -> Schema {
    schema("engine:turns", DatumType::CumulativeU64)
}

fn fields(id: u128, state: &str) -> Vec<FieldValue> {
    vec![Uuid::from_u128(id).into(), state.into()]
}

fn count(id: u128, state: &str, timestamp: i64, value: u64) -> Sample {
    let datum = Some(Datum::Unsigned(value));
    Sample { fields: fields(id, state), timestamp, start_time: Some(START), datum }
}

/// Samples of one timeseries, five seconds apart.
fn counts(range: std::ops::Range<i64>) -> impl Iterator<Item = Sample> {
    range.map(|n| count(1, "run", START + n * 5 * SECOND, n.cast_unsigned() * 100))
}

fn at(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanoseconds.into()).unwrap()
}

/// A file that is flushed on demand only.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> std::path::PathBuf {
        self.0.path().join("telemetry.sqlite3")
    }

    fn open(&self) -> Telemetry {
        self.open_with(TelemetryOptions::default())
    }

    fn open_with(&self, options: TelemetryOptions) -> Telemetry {
        let options = TelemetryOptions { flush_interval: Duration::from_hours(1), ..options };
        Telemetry::open(self.path(), options, Vec::new()).unwrap()
    }
}

fn only(telemetry: &Telemetry, schema: &Schema) -> Series {
    let mut found = telemetry.series(schema, &[]).unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn read(telemetry: &Telemetry, window: Window) -> Points {
    telemetry.points(&counter(), &only(telemetry, &counter()), &window, usize::MAX).unwrap()
}

/// Checks the values in `points` and returns the numbers of the samples.
fn numbers(points: &Points) -> Vec<i64> {
    let numbers: Vec<i64> = points.timestamps.iter().map(|time| (time - START) / (5 * SECOND)).collect();
    let values = numbers.iter().map(|n| Some(n.cast_unsigned() * 100)).collect();
    assert_eq!(points.values, Column::Unsigned(values));
    assert_eq!(points.start_times, Some(vec![START; numbers.len()]));
    numbers
}

#[test]
fn samples_are_readable_before_and_after_flush_and_restart() {
    let folder = Folder::new();
    let telemetry = folder.open();
    assert!(telemetry.is_new());
    let mut next = 0;
    // The samples are in full blocks, in the journal and in memory.
    for end in [1, 2, 100, 121, 300, 301] {
        telemetry.record(&counter(), counts(next..end));
        assert_eq!(numbers(&read(&telemetry, Window::ALL)), (0..end).collect::<Vec<_>>());
        telemetry.flush().unwrap();
        assert_eq!(numbers(&read(&telemetry, Window::ALL)), (0..end).collect::<Vec<_>>());
        next = end;
    }
    telemetry.record(&counter(), counts(301..310));
    drop(telemetry);
    let telemetry = folder.open();
    assert!(!telemetry.is_new());
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), (0..310).collect::<Vec<_>>());
    telemetry.record(&counter(), counts(300..320));
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), (0..320).collect::<Vec<_>>());
}

#[test]
fn duplicate_and_late_samples_are_dropped() {
    let telemetry = Telemetry::in_memory(Vec::new()).unwrap();
    telemetry.record(&counter(), counts(0..3).chain(counts(1..5)).chain(counts(0..2)));
    telemetry.flush().unwrap();
    telemetry.record(&counter(), counts(2..6));
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), [0, 1, 2, 3, 4, 5]);
    let statistics = telemetry.statistics();
    assert_eq!((statistics.samples, statistics.dropped, statistics.timeseries), (6, 7, 1));
}

/// Every twelfth sample and the last one.
fn sparse_counter(range: std::ops::Range<i64>) -> SparseCounter {
    let kept = range.clone().filter(|n| (n - range.start) % 12 == 0 || *n == range.end - 1);
    let point = |n: i64| (START + n * 5 * SECOND, Datum::Unsigned(n.cast_unsigned() * 100));
    SparseCounter { fields: fields(1, "run"), start_time: START, points: kept.map(point).collect() }
}

#[test]
fn sparse_counter_is_interpolated_linearly() {
    let folder = Folder::new();
    let telemetry = folder.open();
    let interval = 5 * SECOND;
    telemetry.record_sparse_counters(&counter(), vec![sparse_counter(0..100)], interval).unwrap();
    telemetry.record_sparse_counters(&counter(), vec![sparse_counter(100..700)], interval).unwrap();
    // The points are written immediately, and duplicates are dropped.
    drop(telemetry);
    let telemetry = folder.open();
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), (0..700).collect::<Vec<_>>());
    telemetry.record_sparse_counters(&counter(), vec![sparse_counter(600..700)], interval).unwrap();
    // Later samples are appended.
    telemetry.record(&counter(), counts(690..710));
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), (0..710).collect::<Vec<_>>());
    let window = Window { from: START + 95 * 5 * SECOND, to: START + 130 * 5 * SECOND, ..Window::ALL };
    assert_eq!(numbers(&read(&telemetry, window)), (95..=130).collect::<Vec<_>>());
    assert_eq!(telemetry.statistics().samples, 10);
    telemetry.flush().unwrap();
    drop(telemetry);
    assert_eq!(numbers(&read(&folder.open(), Window::ALL)), (0..710).collect::<Vec<_>>());
}

#[test]
fn sparse_counter_with_invalid_schema_is_dropped() {
    let telemetry = Telemetry::in_memory(Vec::new()).unwrap();
    let mut short = sparse_counter(0..10);
    short.fields.pop();
    let mut text = sparse_counter(0..10);
    text.points[0].1 = Datum::String("0".into());
    telemetry
        .record_sparse_counters(&counter(), vec![short, text, sparse_counter(20..20)], 5 * SECOND)
        .unwrap();
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), [9]);
}

#[test]
fn only_samples_that_contradict_the_schema_are_dropped() {
    let telemetry = Telemetry::in_memory(Vec::new()).unwrap();
    let good = count(1, "run", START, 1);
    let mut short = good.clone();
    short.fields.pop();
    let gauge = Sample { start_time: None, ..good.clone() };
    let text = Sample { datum: Some(Datum::String("1".into())), ..good.clone() };
    telemetry.record(&counter(), [short, gauge, text, good]);
    assert_eq!(read(&telemetry, Window::ALL).len(), 1);
    let other = schema("engine:turns", DatumType::CumulativeI64);
    let sample = Sample { datum: Some(Datum::Integer(1)), ..count(2, "run", START, 1) };
    telemetry.record(&other, [sample]);
    assert_eq!(telemetry.series(&counter(), &[]).unwrap().len(), 1);
    assert_eq!(telemetry.statistics().dropped, 4);
    // The order of fields does not matter for equality of schemas.
    let mut turned = counter();
    turned.fields.reverse();
    let mut sample = count(1, "run", START + SECOND, 2);
    sample.fields.reverse();
    telemetry.record(&turned, [sample]);
    assert_eq!(read(&telemetry, Window::ALL).len(), 2);
}

#[test]
fn timeseries_are_found_by_fields() {
    let folder = Folder::new();
    let telemetry = folder.open();
    for id in 1..=3 {
        for state in ["run", "idle"] {
            telemetry.record(&counter(), [count(id, state, START, 1)]);
        }
    }
    let id = |id| (0, FieldValue::from(Uuid::from_u128(id)));
    let state = |state: &str| (1, FieldValue::from(state));
    let check = |telemetry: &Telemetry| {
        let found = |equal: &[(usize, FieldValue)]| {
            let found = telemetry.series(&counter(), equal).unwrap();
            found.into_iter().map(|series| series.fields).collect::<Vec<_>>()
        };
        assert_eq!(found(&[]).len(), 6);
        assert_eq!(found(&[id(2)]), [fields(2, "run"), fields(2, "idle")]);
        assert_eq!(found(&[state("idle"), id(3)]), [fields(3, "idle")]);
        assert_eq!(found(&[state("idle"), state("run")]), Vec::<Vec<FieldValue>>::new());
        assert_eq!(found(&[id(4)]), Vec::<Vec<FieldValue>>::new());
        assert_eq!(found(&[(1, FieldValue::from(Uuid::nil()))]), Vec::<Vec<FieldValue>>::new());
    };
    check(&telemetry);
    drop(telemetry);
    check(&folder.open());
}

#[test]
fn schemas_are_listed_once_there_are_samples() {
    let [a, b, c] = ["a:x", "b:x", "c:x"].map(|name| schema(name, DatumType::I64));
    let telemetry = Telemetry::in_memory(vec![a.clone(), b.clone()]).unwrap();
    let known = |schema: &Schema| telemetry.schema(&schema.name).unwrap().is_some();
    assert!(known(&a) && known(&b) && !known(&c));
    assert!(telemetry.stored_schemas(None, 10).unwrap().is_empty());
    assert_eq!(telemetry.series(&a, &[]).unwrap(), []);
    for schema in [&c, &a] {
        let (start_time, datum) = (None, Some(Datum::Integer(-1)));
        telemetry.record(schema, [Sample { fields: fields(1, ""), timestamp: START, start_time, datum }]);
    }
    let names = |after: Option<&Schema>, limit| {
        let found = telemetry.stored_schemas(after.map(|schema| &schema.name), limit).unwrap();
        found.iter().map(|schema| schema.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(None, 10), ["a:x", "c:x"]);
    assert_eq!(names(None, 1), ["a:x"]);
    assert_eq!(names(Some(&a), 10), ["c:x"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn window_returns_exactly_its_points(
        length in 0_i64..400,
        flushes in prop::collection::vec(0_i64..400, 0..4),
        bounds in (-5_i64..405, -5_i64..405),
        offset in 0_i64..5,
        limit in prop::option::of((any::<bool>(), 0_usize..450)),
    ) {
        let telemetry = Telemetry::in_memory(Vec::new()).unwrap();
        telemetry.record(&counter(), counts(0..0).chain([count(2, "other", START, 0)]));
        for n in 0..length {
            telemetry.record(&counter(), counts(n..n + 1));
            if flushes.contains(&n) {
                telemetry.flush().unwrap();
            }
        }
        let run = [(1, FieldValue::from("run"))];
        if let [series] = telemetry.series(&counter(), &run).unwrap().as_slice() {
            let time = |n: i64| START + n * 5 * SECOND + offset * SECOND;
            let limit = limit.map(|(first, count)| if first { Limit::First(count) } else { Limit::Last(count) });
            let window = Window { from: time(bounds.0), to: time(bounds.1), limit };
            let mut expected: Vec<i64> =
                (0..length).filter(|n| window.contains(START + n * 5 * SECOND)).collect();
            match limit {
                Some(Limit::First(count)) => expected.truncate(count),
                Some(Limit::Last(count)) => drop(expected.drain(..expected.len().saturating_sub(count))),
                None => {}
            }
            let points = telemetry.points(&counter(), series, &window, expected.len()).unwrap();
            prop_assert_eq!(numbers(&points), expected.clone());
            if !expected.is_empty() {
                let refused = telemetry.points(&counter(), series, &window, expected.len() - 1);
                prop_assert_eq!(refused, Err(SourceError::TooManyPoints));
            }
        } else {
            prop_assert_eq!(length, 0);
        }
    }
}

#[test]
fn old_points_are_thinned_then_removed_with_their_timeseries() {
    let folder = Folder::new();
    let telemetry = folder.open();
    // Two hours, one sample every five seconds.
    telemetry.record(&counter(), counts(0..1440));
    telemetry.flush().unwrap();
    let maintain = |time: i64| {
        telemetry.flush().unwrap();
        while telemetry.maintain(at(time)).unwrap() {}
    };
    let days = |days: i64| START + days * 24 * HOUR;
    maintain(days(6));
    assert_eq!(numbers(&read(&telemetry, Window::ALL)).len(), 1440);
    let detailed = telemetry.statistics().bytes;
    // An open block is closed when the journal is long enough.
    for n in 0..241 {
        telemetry.record(&counter(), [count(2, "other", days(9) + n * SECOND, 1)]);
        telemetry.flush().unwrap();
    }
    maintain(days(9));
    let run = [(1, FieldValue::from("run"))];
    let series = telemetry.series(&counter(), &run).unwrap().remove(0);
    let points = telemetry.points(&counter(), &series, &Window::ALL, usize::MAX).unwrap();
    // A counter with constant increments is restored exactly.
    assert_eq!(numbers(&points), (0..1440).collect::<Vec<_>>());
    assert!(telemetry.statistics().bytes <= detailed + 64 * 1024);
    let part = Window { from: START + 3600 * SECOND, to: START + 3700 * SECOND, limit: Some(Limit::Last(3)) };
    let points = telemetry.points(&counter(), &series, &part, usize::MAX).unwrap();
    assert_eq!(numbers(&points), [738, 739, 740]);
    maintain(days(29));
    assert_eq!(telemetry.series(&counter(), &run).unwrap().len(), 1);
    maintain(days(31));
    assert_eq!(telemetry.series(&counter(), &run).unwrap(), []);
    assert!(telemetry.schema(&counter().name).unwrap().is_some());
    drop(telemetry);
    assert_eq!(folder.open().series(&counter(), &run).unwrap(), []);
}

#[test]
fn file_size_is_bounded() {
    let folder = Folder::new();
    let size_limit = 400_000;
    let telemetry = folder.open_with(TelemetryOptions { size_limit, ..TelemetryOptions::default() });
    for round in 0..40 {
        for id in 0..20 {
            let sample =
                |n: i64| count(id, "run", START + n * 5 * SECOND, u64::MAX / (n.cast_unsigned() + 1));
            telemetry.record(&counter(), (round * 120..(round + 1) * 120).map(sample));
        }
        telemetry.flush().unwrap();
        while telemetry.maintain(at(START)).unwrap() {}
    }
    assert!(telemetry.statistics().bytes <= size_limit, "{:?}", telemetry.statistics());
    let series = telemetry.series(&counter(), &[]).unwrap();
    let points = telemetry.points(&counter(), &series[0], &Window::ALL, usize::MAX).unwrap();
    assert_eq!(points.timestamps.last(), Some(&(START + 4799 * 5 * SECOND)), "the latest samples are kept");
    assert!(points.len() < 4800);
}

#[test]
fn a_damaged_file_is_moved_aside() {
    let folder = Folder::new();
    fs::write(folder.path(), "this is no database, but it is long enough to be looked at".repeat(100))
        .unwrap();
    let telemetry = folder.open();
    assert!(telemetry.is_new());
    telemetry.record(&counter(), counts(0..500));
    telemetry.flush().unwrap();
    drop(telemetry);
    let damaged = folder.0.path().join("telemetry.sqlite3.damaged");
    assert!(fs::read_to_string(&damaged).unwrap().starts_with("this is no database"));
    // Damage a page in the middle.
    let mut bytes = fs::read(folder.path()).unwrap();
    let length = bytes.len();
    bytes[8192..length - 8192].fill(0x5a);
    fs::write(folder.path(), bytes).unwrap();
    let telemetry = folder.open();
    telemetry.record(&counter(), counts(0..1));
    telemetry.flush().unwrap();
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), [0]);
}

#[test]
fn file_of_a_newer_version_is_moved_aside() {
    let folder = Folder::new();
    for round in 1..=2 {
        let telemetry = folder.open();
        assert!(telemetry.is_new());
        telemetry.record(&counter(), counts(0..round));
        drop(telemetry);
        set_version(&folder.path(), 2);
    }
    let telemetry = folder.open();
    assert!(telemetry.is_new());
    telemetry.record(&counter(), counts(0..3));
    drop(telemetry);
    // Every damaged file gets its own name, so none is overwritten.
    for round in 1..=2 {
        let kept = folder.0.path().join(format!("telemetry.sqlite3.version-2.{round}"));
        set_version(&kept, 1);
        fs::rename(kept, folder.path()).unwrap();
        assert_eq!(numbers(&read(&folder.open(), Window::ALL)), (0..round).collect::<Vec<_>>());
    }
}

fn set_version(path: &Path, version: u32) {
    let file = rusqlite::Connection::open(path).unwrap();
    file.execute_batch(&format!("PRAGMA user_version = {version}")).unwrap();
}

/// The content of the files in `tests/golden`: points of each type, in blocks and in the journal.
fn record_golden(telemetry: &Telemetry) {
    let gauge = |n: i64, datum| Sample {
        fields: fields(2, "run"),
        timestamp: START + n * 5 * SECOND,
        start_time: None,
        datum: Some(datum),
    };
    for part in [0..400, 400..700] {
        telemetry.record(&counter(), counts(part.clone()));
        let record = |(name, datum_type): (&str, DatumType), datum: fn(i64) -> Datum| {
            telemetry.record(&schema(name, datum_type), part.clone().map(|n| gauge(n, datum(n))));
        };
        record(GAUGES[0], |n| Datum::Boolean(n % 3 == 0));
        record(GAUGES[1], |n| Datum::Integer(n * n - 100));
        record(GAUGES[2], |n| Datum::Double(f64::from(i32::try_from(n).unwrap()) / 7.0));
        record(GAUGES[3], |n| Datum::String(format!("text {n}")));
        telemetry.flush().unwrap();
    }
}

const GAUGES: [(&str, DatumType); 4] = [
    ("gauge:boolean", DatumType::Bool),
    ("gauge:integer", DatumType::I64),
    ("gauge:double", DatumType::F64),
    ("gauge:string", DatumType::String),
];

#[test]
fn files_of_every_version_are_read() {
    let expected = Telemetry::in_memory(Vec::new()).unwrap();
    record_golden(&expected);
    if golden::is_writing() {
        let folder = Folder::new();
        record_golden(&folder.open());
        let file = rusqlite::Connection::open(folder.path()).unwrap();
        file.execute_batch("PRAGMA journal_mode = DELETE; VACUUM").unwrap();
        let version: u32 = file.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        drop(file);
        golden::keep(&format!("telemetry-{version}.db.gz"), &fs::read(folder.path()).unwrap());
    }
    let versions = golden::versions("telemetry-", ".db.gz");
    assert_eq!(versions.first(), Some(&1));
    for version in versions {
        let folder = Folder::new();
        fs::write(folder.path(), golden::unpacked(&format!("telemetry-{version}.db.gz"))).unwrap();
        let telemetry = folder.open();
        let schemas = GAUGES.iter().map(|(name, datum_type)| schema(name, *datum_type)).chain([counter()]);
        for schema in schemas {
            let points = |telemetry: &Telemetry| {
                telemetry.points(&schema, &only(telemetry, &schema), &Window::ALL, usize::MAX).unwrap()
            };
            let found = points(&telemetry);
            assert_eq!(found.len(), 700, "{} of version {version}", schema.name);
            assert_eq!(found, points(&expected), "{} of version {version}", schema.name);
        }
    }
}

#[test]
fn unreadable_file_is_reported() {
    let folder = Folder::new();
    let telemetry = folder.open();
    telemetry.record(&counter(), counts(0..500));
    telemetry.flush().unwrap();
    let series = only(&telemetry, &counter());
    fs::rename(folder.path(), folder.0.path().join("elsewhere")).unwrap();
    let refused = telemetry.points(&counter(), &series, &Window::ALL, usize::MAX);
    assert!(matches!(refused, Err(SourceError::Unavailable(_))), "{refused:?}");
}

/// The environment variable with the folder of the process that is killed.
const FOLDER: &str = "CROFT_TEST_TELEMETRY_FOLDER";

/// Records and flushes until it is killed by [`file_is_readable_after_a_kill`]. Without a folder, it ends after three
/// rounds.
#[test]
fn write_until_killed() {
    let own = tempfile::tempdir().unwrap();
    let folder = std::env::var_os(FOLDER);
    let rounds = if folder.is_some() { i64::MAX } else { 3 };
    let folder = folder.map_or_else(|| own.path().to_owned(), Into::into);
    let telemetry =
        Telemetry::open(folder.join("telemetry.sqlite3"), TelemetryOptions::default(), Vec::new()).unwrap();
    for round in 0..rounds {
        for id in 0..50 {
            let sample = |n: i64| count(id, "run", START + n * SECOND, n.cast_unsigned());
            telemetry.record(&counter(), (round * 7..(round + 1) * 7).map(sample));
        }
        telemetry.flush().unwrap();
        fs::write(folder.join("flushed"), ((round + 1) * 7).to_string()).unwrap();
    }
}

#[test]
fn file_is_readable_after_a_kill() {
    for patience in [3, 40, 90] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "telemetry::write_until_killed", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while flushed(folder.path()) < patience * 7 {
            assert!(child.try_wait().unwrap().is_none(), "the writer ended by itself");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let flushed = flushed(folder.path());
        let path = folder.path().join("telemetry.sqlite3");
        let telemetry = Telemetry::open(path, TelemetryOptions::default(), Vec::new()).unwrap();
        let all = telemetry.series(&counter(), &[]).unwrap();
        assert_eq!(all.len(), 50);
        for series in all {
            let points = telemetry.points(&counter(), &series, &Window::ALL, usize::MAX).unwrap();
            let length = i64::try_from(points.len()).unwrap();
            let expected = (0..length).map(|n| START + n * SECOND).collect::<Vec<_>>();
            assert_eq!(points.timestamps, expected);
            assert!(length >= flushed, "{length} of {flushed}");
        }
        assert!(!folder.path().join("telemetry.sqlite3.damaged").exists());
    }
}

/// The number of points of each timeseries that were flushed.
fn flushed(folder: &Path) -> i64 {
    fs::read_to_string(folder.join("flushed")).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[test]
fn samples_are_flushed_at_the_interval() {
    let folder = Folder::new();
    let options =
        TelemetryOptions { flush_interval: Duration::from_millis(5), ..TelemetryOptions::default() };
    let telemetry = Telemetry::open(folder.path(), options, Vec::new()).unwrap();
    telemetry.record(&counter(), counts(0..3));
    let reader = || {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let file = rusqlite::Connection::open_with_flags(folder.path(), flags).ok()?;
        file.query_row("SELECT count(*) FROM journal", [], |row| row.get::<_, i64>(0)).ok()
    };
    while reader().unwrap_or(0) == 0 {
        std::thread::yield_now();
    }
    assert_eq!(numbers(&read(&telemetry, Window::ALL)), [0, 1, 2]);
}
