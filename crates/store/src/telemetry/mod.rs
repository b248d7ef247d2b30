//! The store of samples: what was measured, apart from the state of the cloud, which never depends on it.
//!
//! All schemas and timeseries are in memory, with an index of the values of their fields. The latest points of each
//! timeseries are too, encoded in a block that is written once it is full; until then a compressed
//! journal has them, which is written in one row with each flush. A crash loses what came since the last
//! flush and nothing else. One thread writes; whoever records waits for nothing.
//!
//! # How long
//!
//! | age | detail |
//! |---|---|
//! | up to 7 days ([`TelemetryOptions::full_detail`]) | every point |
//! | up to 30 days ([`TelemetryOptions::retention`]) | one point a minute of counters, histograms and floating-point gauges; every point of other gauges |
//!
//! Should the file become greater than [`TelemetryOptions::size_limit`], the oldest points go sooner. Timeseries of
//! which nothing is left are forgotten; schemas stay.
//!
//! # Order
//!
//! Points of one timeseries come in the order of time. One that is not later than the last is not kept, so recording
//! something again does no harm.

mod block;
mod codec;
mod file;
#[cfg(not(target_family = "wasm"))]
mod flusher;
mod journal;
mod source;
mod sparse;
mod state;
mod storage;
mod thin;

#[cfg(not(target_family = "wasm"))]
use std::path::PathBuf;
use std::{collections::BTreeMap, sync::Arc, time::Duration};

use croft_oxql::model::{Sample, Schema, TimeseriesName};
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

use crate::StoreError;
pub use sparse::SparseCounter;
use state::{SampleOutcome, State};
use storage::Storage;

/// Maximum number of points that wait for a flush. Further points are dropped: the disk is full or failing.
const MOST_PENDING: usize = 1 << 20;

/// How samples are kept.
#[derive(Clone, Debug)]
pub struct TelemetryOptions {
    /// Samples are written at least this often.
    pub flush_interval: Duration,
    /// Samples are written when this many wait.
    pub flush_samples: usize,
    /// Older points are thinned out.
    pub full_detail: SignedDuration,
    /// Older points are removed.
    pub retention: SignedDuration,
    /// Maximum size of the file in bytes; the oldest points are removed early to stay below it.
    pub size_limit: u64,
}

impl Default for TelemetryOptions {
    fn default() -> Self {
        Self {
            flush_interval: Duration::from_secs(5),
            flush_samples: 50_000,
            full_detail: SignedDuration::from_hours(7 * 24),
            retention: SignedDuration::from_hours(30 * 24),
            size_limit: 8 << 30,
        }
    }
}

/// The store's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TelemetryStatistics {
    /// Samples taken in since it was opened.
    pub samples: u64,
    /// Dropped samples: late, contradicting their schema, or too many.
    pub dropped: u64,
    /// Number of timeseries.
    pub timeseries: u64,
    /// Bytes of the file in use at the last look.
    pub bytes: u64,
}

struct Shared {
    options: TelemetryOptions,
    /// The schemas that the program has producers for.
    defined: BTreeMap<TimeseriesName, Arc<Schema>>,
    state: Mutex<State>,
    storage: Storage,
    statistics: Mutex<TelemetryStatistics>,
}

/// A store of samples. Cheap to clone; the last clone closes it, after a last flush.
#[derive(Clone)]
pub struct Telemetry {
    shared: Arc<Shared>,
    /// Ends the thread that flushes with the last clone.
    #[cfg(not(target_family = "wasm"))]
    flusher: Option<Arc<flusher::Flusher>>,
}

impl Telemetry {
    /// Opens or creates the file and starts the thread that writes. A file of an older version is upgraded. A file that
    /// is damaged, or of a newer version, is moved away and a new one is created, since nothing else depends on its
    /// content.
    ///
    /// # Errors
    /// No file can be made there.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(
        path: impl Into<PathBuf>,
        options: TelemetryOptions,
        defined: Vec<Schema>,
    ) -> Result<Self, StoreError> {
        let (storage, state) = Storage::open(path.into())?;
        let mut telemetry = Self::new(storage, state, options, defined);
        telemetry.flusher = Some(Arc::new(flusher::Flusher::start(Arc::clone(&telemetry.shared))?));
        Ok(telemetry)
    }

    /// A store in memory, gone with its last clone. Everything happens on the caller's thread.
    ///
    /// # Errors
    /// There is no memory.
    pub fn in_memory(defined: Vec<Schema>) -> Result<Self, StoreError> {
        let (storage, state) = Storage::in_memory()?;
        Ok(Self::new(storage, state, TelemetryOptions::default(), defined))
    }

    fn new(storage: Storage, state: State, options: TelemetryOptions, defined: Vec<Schema>) -> Self {
        let defined = defined.into_iter().map(|schema| (schema.name.clone(), Arc::new(schema))).collect();
        let (state, statistics) = (Mutex::new(state), Mutex::default());
        Self {
            shared: Arc::new(Shared { options, defined, state, storage, statistics }),
            #[cfg(not(target_family = "wasm"))]
            flusher: None,
        }
    }

    /// Whether there has never been a sample: the file is new, or was replaced.
    pub fn is_new(&self) -> bool {
        self.shared.state.lock().schemas.is_empty()
    }

    /// Records samples. They can be queried immediately and are written with the next flush. Samples that do not fit
    /// their schema, or the stored schema, are dropped and logged.
    pub fn record(&self, schema: &Schema, samples: impl IntoIterator<Item = Sample>) {
        let (mut kept, mut dropped) = (0, 0);
        let mut samples = samples.into_iter().peekable();
        let Some(first) = samples.peek() else { return };
        let first = Timestamp::from_nanosecond(first.timestamp.into()).unwrap_or(Timestamp::UNIX_EPOCH);
        let pending = {
            let mut state = self.shared.state.lock();
            let Some(place) = state.admit(schema, first) else {
                tracing::error!(name = %schema.name, "dropped samples that contradict the stored schema");
                self.count(0, samples.count());
                return;
            };
            let order = order(&state.schemas[place].schema, schema);
            for sample in samples {
                let taken = if state.pending.len() < MOST_PENDING {
                    state.take(place, order.as_deref(), sample)
                } else {
                    SampleOutcome::Late
                };
                match taken {
                    SampleOutcome::Kept => kept += 1,
                    SampleOutcome::Late => dropped += 1,
                    SampleOutcome::Misfit => {
                        dropped += 1;
                        tracing::error!(name = %schema.name, "dropped a sample that does not fit its schema");
                    }
                }
            }
            state.pending.len()
        };
        self.count(kept, dropped);
        if pending >= self.shared.options.flush_samples {
            self.flush_soon();
        }
    }

    fn count(&self, kept: u64, dropped: usize) {
        let mut statistics = self.shared.statistics.lock();
        statistics.samples += kept;
        statistics.dropped += dropped as u64;
    }

    #[cfg(not(target_family = "wasm"))]
    fn flush_soon(&self) {
        if let Some(flusher) = &self.flusher {
            flusher.wake();
        } else {
            self.flush_in_place();
        }
    }

    #[cfg(target_family = "wasm")]
    fn flush_soon(&self) {
        self.flush_in_place();
    }

    fn flush_in_place(&self) {
        if let Err(error) = self.flush() {
            tracing::error!(%error, "samples cannot be written");
        }
    }

    /// Writes what was recorded. May wait for the disk.
    ///
    /// # Errors
    /// It cannot be written; it is kept for the next flush.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.shared.flush()
    }

    /// Thins out and removes old points, up to a limit per call. Returns whether there is more to do. May wait for the
    /// disk.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn maintain(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.shared.maintain(now)
    }

    /// The store's own numbers.
    pub fn statistics(&self) -> TelemetryStatistics {
        let timeseries = self.shared.state.lock().series.len() as u64;
        TelemetryStatistics { timeseries, ..*self.shared.statistics.lock() }
    }
}

impl std::fmt::Debug for Telemetry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Telemetry").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

/// Where each field of the stored schema is in the other, if not in the same place. The two agree.
fn order(stored: &Schema, other: &Schema) -> Option<Vec<usize>> {
    let names = |schema: &Schema| schema.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
    if names(stored) == names(other) {
        return None;
    }
    Some(stored.fields.iter().filter_map(|field| other.field(&field.name)).collect())
}

/// Blocks thinned out or removed in one transaction.
const BATCH: usize = 1000;

impl Shared {
    fn flush(&self) -> Result<(), StoreError> {
        // Held throughout, so that flushes follow each other in the order of their segments.
        let mut file = self.storage.writer();
        let Some(plan) = self.state.lock().plan_if_needed() else { return Ok(()) };
        match file.commit(&plan) {
            Ok(()) => {
                self.state.lock().done(&plan);
                Ok(())
            }
            Err(error) => {
                let mut state = self.state.lock();
                state.undone(plan);
                if matches!(error, StoreError::Corrupt(_)) {
                    self.storage.replace_damaged(&mut file, &error)?;
                    state.stored_nothing();
                }
                Err(error)
            }
        }
    }

    fn maintain(&self, now: Timestamp) -> Result<bool, StoreError> {
        let before = |age: SignedDuration| {
            let time = now.checked_sub(age).unwrap_or(Timestamp::MIN);
            i64::try_from(time.as_nanosecond()).unwrap_or(i64::MIN)
        };
        let file = self.storage.writer();
        let mut busy = file.remove_before(before(self.options.retention), BATCH)? == BATCH;
        let size = file.size()?;
        if size > self.options.size_limit {
            busy |= file.remove_before(i64::MAX, BATCH)? == BATCH;
        }
        busy |= self.thin_one(&file, before(self.options.full_detail))?;
        if !busy {
            let ids = file.series_without_blocks()?;
            let mut state = self.state.lock();
            let ids = state.without_points(&ids);
            if !ids.is_empty() {
                file.remove_series(&ids)?;
                state.forget(&ids);
            }
        }
        self.statistics.lock().bytes = file.size()?;
        Ok(busy)
    }

    /// Thins out the timeseries with the oldest point of full detail. Returns whether there was one.
    fn thin_one(&self, file: &file::File, before: i64) -> Result<bool, StoreError> {
        let Some(series) = file.series_to_thin(before)? else { return Ok(false) };
        let datum_type = {
            let state = self.state.lock();
            state.series.get(&series).map(|timeseries| state.schemas[timeseries.schema].schema.datum_type)
        };
        let blocks = file.blocks_to_thin(series, before, BATCH)?;
        let thinned = match datum_type {
            Some(datum_type) if thin::applies(datum_type) => thin::thin_by_day(&blocks, datum_type)?,
            Some(_) => blocks.iter().map(file::Stored::as_thinned).collect(),
            // Nobody can ask for it any more.
            None => Vec::new(),
        };
        file.replace(series, &blocks, &thinned)?;
        Ok(true)
    }
}
