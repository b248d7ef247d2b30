//! Opens the database that the configuration names.

use croft_store::{
    Database, PostgresOptions, SqliteOptions,
    schema::CROFT,
    telemetry::{Telemetry, TelemetryOptions},
};
use jiff::SignedDuration;

use crate::{config::Config, data_directory::DataDirectory, failure::Result};

/// The embedded database of a data directory, or a PostgreSQL database. `workers` are the threads that serve requests.
pub fn open(
    directory: &DataDirectory,
    postgres: Option<&PostgresOptions>,
    readers: usize,
    workers: usize,
) -> Result<Database> {
    match postgres {
        None => {
            let own = SqliteOptions::new(directory.database()?);
            let options = SqliteOptions { readers, direct_readers: workers, ..own };
            Ok(Database::sqlite(&options, &CROFT)?)
        }
        Some(options) => Ok(Database::postgres(options, &CROFT)?),
    }
}

/// The store of samples, which is always in the data directory.
pub fn open_telemetry(directory: &DataDirectory, config: &Config) -> Result<Telemetry> {
    let options = TelemetryOptions {
        retention: SignedDuration::from_hours(i64::from(config.telemetry_retention) * 24),
        size_limit: config.telemetry_size << 20,
        ..TelemetryOptions::default()
    };
    let defined = croft_control::telemetry::schemas().to_vec();
    Ok(Telemetry::open(directory.telemetry()?, options, defined)?)
}
