//! The queries of the console's charts, over what a day leaves of a hundred instances.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicU64},
};

use croft_control::telemetry::schema_of;
use croft_oxql::model::{Datum, FieldType, FieldValue, Sample, Schema};
use croft_store::telemetry::{Telemetry, TelemetryOptions};
use hyper::StatusCode;
use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    Failure, RunOptions,
    load::{self, Ask, Asks, Connection, Target},
    stats::Run,
};

/// How many instances are measured.
pub const INSTANCES: u64 = 100;
/// Seconds that are measured.
const DAY: i64 = 86_400;
/// Seconds between two samples of a timeseries.
const INTERVAL: i64 = 5;
/// Seconds between the points of a chart of a day.
const PERIOD: i64 = 1_440;
const SECOND: i64 = 1_000_000_000;
const STATES: [&str; 4] = ["emulation", "idle", "run", "waiting"];
/// Virtual CPUs of each instance.
const PROCESSORS: u32 = 2;

/// What all charts took, beside a constant answer.
pub struct Queries {
    /// The charts.
    pub charts: Vec<Chart>,
    /// The constant answer, once for each run.
    pub control: Vec<Run>,
}

/// A query of a chart, and what it took.
pub struct Chart {
    /// What it shows.
    pub name: &'static str,
    /// One figure for each run.
    pub runs: Vec<Run>,
}

/// The charts: their names, timeseries, the field that names the instance, further conditions, and what is summed.
const CHARTS: [(&str, &str, &str, &str, &str); 4] = [
    ("CPU, running", "virtual_machine:vcpu_usage", "instance_id", " && state == \"run\"", "vcpu_id"),
    ("disk, bytes read", "virtual_disk:bytes_read", "attached_instance_id", "", "attached_instance_id"),
    ("disk, bytes written", "virtual_disk:bytes_written", "attached_instance_id", "", "attached_instance_id"),
    ("network, bytes sent", "instance_network_interface:bytes_sent", "instance_id", "", "instance_id"),
];

/// Puts samples of a day into the store of samples of a server that does not run. Answers the time of the last ones.
pub fn fill(data: &Path) -> Result<Timestamp, Failure> {
    let now = Timestamp::now().as_second();
    let telemetry = Telemetry::open(data.join("telemetry.sqlite3"), TelemetryOptions::default(), Vec::new())?;
    for instance in 0..INSTANCES {
        for vcpu in 0..PROCESSORS {
            for state in STATES {
                let fields = [("vcpu_id", vcpu.into()), ("state", state.into())];
                record(&telemetry, "virtual_machine", "vcpu_usage", instance, &fields, now);
            }
        }
        for (target, metric) in [
            ("virtual_disk", "bytes_read"),
            ("virtual_disk", "bytes_written"),
            ("instance_network_interface", "bytes_sent"),
        ] {
            record(&telemetry, target, metric, instance, &[], now);
        }
        telemetry.flush()?;
    }
    Ok(Timestamp::from_second(now)?)
}

/// Records the samples of one timeseries of an instance, which counts up unevenly.
fn record(
    telemetry: &Telemetry,
    target: &str,
    metric: &str,
    instance: u64,
    own: &[(&str, FieldValue)],
    now: i64,
) {
    let schema = schema_of(target, metric);
    let fields = fields(schema, instance, own);
    let start = (now - DAY) * SECOND;
    let mut total = 0;
    let samples = (1..=DAY / INTERVAL).map(|step| {
        total += (step.unsigned_abs() * 7_919 + instance * 104_729) % 5_000_003;
        Sample {
            fields: fields.clone(),
            timestamp: start + step * INTERVAL * SECOND,
            start_time: Some(start),
            datum: Some(Datum::Unsigned(total)),
        }
    });
    telemetry.record(schema, samples);
}

/// The values of fields: those of its own, and otherwise the same for everything that belongs to an instance.
pub fn fields(schema: &Schema, instance: u64, own: &[(&str, FieldValue)]) -> Vec<FieldValue> {
    let value = |name: &str, field_type: FieldType| {
        let own = own.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
        own.unwrap_or_else(|| match field_type {
            FieldType::Uuid if matches!(name, "project_id" | "silo_id" | "sled_id") => {
                Uuid::from_u128(1).into()
            }
            FieldType::Uuid => id(instance).into(),
            FieldType::U32 => 512_u32.into(),
            _ => "simulated".into(),
        })
    };
    schema.fields.iter().map(|field| value(&field.name, field.field_type)).collect()
}

fn id(instance: u64) -> Uuid {
    Uuid::from_u128(0x4000_8000_0000_0000_0000_u128 + u128::from(instance))
}

/// Asks for each chart, of one instance after the other, on one connection.
pub async fn measure(target: &Target, now: Timestamp, options: &RunOptions) -> Result<Vec<Chart>, Failure> {
    let mut charts = Vec::new();
    for (name, timeseries, instance, further, grouped) in CHARTS {
        let (begin, end) = (local(now, DAY)?, local(now, 0)?);
        let asks: Asks = Arc::new(move |number| {
            let id = id(number % INSTANCES);
            let query = format!(
                "get {timeseries} | filter timestamp >= @{begin} && timestamp < @{end} && {instance} == \"{id}\"{further} \
                 | align mean_within({PERIOD}s) | group_by [{grouped}], sum"
            );
            Ask::post("/v1/system/timeseries/query", serde_json::json!({ "query": query }).to_string())
        });
        check(target, &asks).await?;
        let mut runs = Vec::new();
        for _ in 0..options.runs {
            runs.push(
                load::closed_loop(target, 1, options.seconds, &Arc::new(AtomicU64::new(0)), &asks).await?,
            );
        }
        charts.push(Chart { name, runs });
    }
    Ok(charts)
}

/// A time so many seconds earlier, as queries have it.
fn local(time: Timestamp, earlier: i64) -> Result<String, Failure> {
    let text = Timestamp::from_second(time.as_second() - earlier)?.to_string();
    Ok(text.trim_end_matches('Z').to_owned())
}

/// Makes sure that there is something to answer: a query that finds nothing is fast.
async fn check(target: &Target, asks: &Asks) -> Result<(), Failure> {
    let (status, body) = Connection::open(target).await?.send(asks(0)).await?;
    let text = String::from_utf8_lossy(&body);
    if status != StatusCode::OK {
        return Err(format!("a query was answered {status} {text}").into());
    }
    let answer: serde_json::Value = serde_json::from_slice(&body)?;
    let series = answer["tables"][0]["timeseries"].as_object().and_then(|series| series.values().next());
    let points = series.and_then(|series| series["points"]["timestamps"].as_array()).map_or(0, Vec::len);
    let expected = usize::try_from(DAY / PERIOD)?;
    if points < expected {
        return Err(format!("a query found {points} points rather than {expected}: {text}").into());
    }
    Ok(())
}
