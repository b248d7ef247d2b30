//! Samples taken into the store of samples, as fast as it takes them.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use croft_control::telemetry::schema_of;
use croft_oxql::model::{Datum, Sample};
use croft_store::telemetry::{Telemetry, TelemetryOptions};
use jiff::Timestamp;

use crate::{Failure, process::own_peak, queries};

/// Timeseries that are measured: a hundred instances with two virtual CPUs in four states, and as many again of everything else.
pub const TIMESERIES: u64 = 2_000;
/// Samples that the store has to take in a second.
pub const AIM: f64 = 10_000.0;
/// Samples of each timeseries in a run.
const ROUNDS: i64 = 500;
/// Seconds between two samples of a timeseries.
const INTERVAL: i64 = 5;
const SECOND: i64 = 1_000_000_000;

/// What one run measured.
pub struct Ingest {
    /// Samples a second, until all are written and synced.
    pub throughput: f64,
    /// Bytes of the file for each sample.
    pub bytes: f64,
    /// The most resident memory of the process, in bytes.
    pub peak: u64,
    /// The same samples as lines of text, a second, written to a file and synced: what the store is compared with.
    pub control: f64,
}

/// Takes in as many samples as there are in [`ROUNDS`] of all timeseries.
pub fn measure(folder: &Path) -> Result<Ingest, Failure> {
    let path = folder.join("telemetry.sqlite3");
    let telemetry = Telemetry::open(&path, TelemetryOptions::default(), Vec::new())?;
    let schema = schema_of("virtual_machine", "vcpu_usage");
    let start = Timestamp::now().as_nanosecond();
    let start = i64::try_from(start)? - ROUNDS * INTERVAL * SECOND;
    let begun = Instant::now();
    for round in 1..=ROUNDS {
        let samples = (0..TIMESERIES).map(|series| sample(schema, series, start, round));
        telemetry.record(schema, samples);
    }
    telemetry.flush()?;
    let taken = begun.elapsed();
    let statistics = telemetry.statistics();
    let total = TIMESERIES * ROUNDS.unsigned_abs();
    if statistics.samples != total || statistics.dropped != 0 {
        return Err(format!(
            "of {total} samples {} were taken and {} dropped",
            statistics.samples, statistics.dropped
        )
        .into());
    }
    drop(telemetry);
    let bytes = fs::metadata(&path)?.len();
    fs::remove_file(&path)?;
    let written = control(&folder.join("samples.jsonl"), schema, start)?;
    #[allow(clippy::cast_precision_loss, reason = "a million samples")]
    let (total, bytes) = (total as f64, bytes as f64);
    Ok(Ingest {
        throughput: total / taken.as_secs_f64(),
        bytes: bytes / total,
        peak: own_peak()?,
        control: total / written.as_secs_f64(),
    })
}

fn sample(schema: &croft_oxql::model::Schema, series: u64, start: i64, round: i64) -> Sample {
    let step = round.unsigned_abs();
    let own = [("vcpu_id", u32::try_from(series % 8).unwrap_or_default().into()), ("state", "run".into())];
    Sample {
        fields: queries::fields(schema, series / 8, &own),
        timestamp: start + round * INTERVAL * SECOND,
        start_time: Some(start),
        datum: Some(Datum::Unsigned(step * 4_999_000_000 + (step * 7_919 + series * 104_729) % 1_000_003)),
    }
}

/// Writes the same samples as text.
fn control(path: &Path, schema: &croft_oxql::model::Schema, start: i64) -> Result<Duration, Failure> {
    use std::io::Write as _;
    let begun = Instant::now();
    let mut file = std::io::BufWriter::new(fs::File::create(path)?);
    for round in 1..=ROUNDS {
        for series in 0..TIMESERIES {
            writeln!(file, "{:?}", sample(schema, series, start, round))?;
        }
    }
    file.into_inner()?.sync_all()?;
    let written = begun.elapsed();
    fs::remove_file(path)?;
    Ok(written)
}
