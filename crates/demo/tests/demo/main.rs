//! The content of the demo.
#![allow(clippy::unwrap_used)]

mod history;
mod operators;
mod seed;

use std::sync::Arc;

use croft_control::{Environment, SecretKey, SeededRandom, Settings, telemetry};
use croft_demo::Demo;
use croft_sled::simulated::Simulated;
use croft_store::{Database, ListBy, Record, Sort, Tx, schema, telemetry::Telemetry};
use jiff::Timestamp;

const NOW: &str = "2026-11-22T12:00:00Z";

struct Cloud {
    database: Database,
    samples: Telemetry,
    environment: Arc<Environment>,
    hypervisor: Arc<Simulated>,
    demo: Demo,
}

fn environment() -> Arc<Environment> {
    let mut settings = Settings::default();
    settings.network.ipv6_pools = true;
    Arc::new(Environment::new(settings, SecretKey::new([7; 32]), |_| 500))
}

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn seeded(secrets: u8) -> Cloud {
    let database = Database::in_memory(&schema::CROFT).unwrap();
    let (environment, hypervisor) =
        (environment(), Arc::new(Simulated::new(croft_demo::hypervisor_options())));
    let mut random = SeededRandom::new([secrets; 32]);
    let samples = Telemetry::in_memory(telemetry::schemas().to_vec()).unwrap();
    let demo = croft_demo::seed(&database, &samples, &environment, &hypervisor, now(), &mut random);
    let demo = demo.unwrap_or_else(|error| panic!("{error:?}"));
    Cloud { database, samples, environment, hypervisor, demo }
}

fn all<R: Record + Send + 'static>(database: &Database) -> Vec<R> {
    database.read_blocking(|tx: &mut Tx<'_>| tx.page(ListBy::All, Sort::IdAsc, None, 10_000)).unwrap()
}
