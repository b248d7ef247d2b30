use croft_api::{Error, Result};
use croft_oxql::model::{Datum, Sample};
use croft_store::{
    Database, ListBy,
    records::{ProvisioningChange, ProvisioningSample, Resources, Usage},
    telemetry::Telemetry,
};
use jiff::Timestamp;

use super::schema_of;
use crate::paging;

/// Maximum number of changes removed in one transaction.
const BATCH: usize = 500;

/// Records the provisioned amounts in an empty store, with the times of their last changes.
pub(super) fn begin(db: &Database, telemetry: &Telemetry) -> Result<()> {
    let counters: Vec<Usage> = db.read_blocking(|tx| paging::all(tx, &ListBy::All))?;
    let everything = |usage: Usage| {
        let Resources { cpus, memory, storage } = usage.used;
        let (cpus, memory, storage) = (Some(cpus), Some(memory), Some(storage));
        ProvisioningSample { collection: usage.meta.id, time: usage.time_changed, cpus, memory, storage }
    };
    record(telemetry, counters.into_iter().map(everything).collect())
}

/// Records pending changes, and removes them once they are durable.
pub(super) fn take_over(db: &Database, telemetry: &Telemetry) -> Result<()> {
    let changes: Vec<ProvisioningChange> = db.read_blocking(|tx| paging::all(tx, &ListBy::All))?;
    if changes.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = changes.iter().map(|change| change.meta.id).collect();
    record(telemetry, changes.into_iter().flat_map(|change| change.samples).collect())?;
    telemetry.flush()?;
    for ids in ids.chunks(BATCH) {
        let ids = ids.to_vec();
        db.write_blocking(move |tx| {
            for id in &ids {
                tx.remove::<ProvisioningChange>(*id, Timestamp::UNIX_EPOCH)?;
            }
            Ok::<_, Error>(())
        })?;
    }
    Ok(())
}

fn record(telemetry: &Telemetry, mut samples: Vec<ProvisioningSample>) -> Result<()> {
    // All committed changes are in this list, and the times of each counter are in the order of its changes.
    samples.sort_by_key(|sample| sample.time);
    let names = ["cpus_provisioned", "ram_provisioned", "virtual_disk_space_provisioned"];
    let mut by_name: [Vec<Sample>; 3] = Default::default();
    for sample in samples {
        let timestamp = i64::try_from(sample.time.as_nanosecond()).map_err(Error::internal)?;
        for (series, value) in by_name.iter_mut().zip([sample.cpus, sample.memory, sample.storage]) {
            let Some(value) = value else { continue };
            let datum = Datum::Integer(i64::try_from(value).map_err(Error::internal)?);
            let fields = vec![sample.collection.into()];
            series.push(Sample { fields, timestamp, start_time: None, datum: Some(datum) });
        }
    }
    for (name, samples) in names.into_iter().zip(by_name) {
        if !samples.is_empty() {
            telemetry.record(schema_of("collection_target", name), samples);
        }
    }
    Ok(())
}
