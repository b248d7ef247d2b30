//! The search among a million resources.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicU64},
};

use croft_store::{
    Database, ListBy, Meta, Sort, SqliteOptions, StoreError,
    records::{Disk, Project, Silo, VpcSubnet},
    schema::CROFT,
};
use hyper::StatusCode;
use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

use crate::{
    Failure, RunOptions,
    load::{self, Ask, Asks, Connection, Target},
    stats::Run,
};

/// How many resources are searched.
pub const RESOURCES: u64 = 1_000_000;
/// Projects that they are in.
const PROJECTS: u64 = 1_000;
/// Resources that are stored in one transaction.
const BATCH: u64 = 5_000;
const WORDS: [&str; 8] = ["web", "database", "cache", "worker", "backup", "gateway", "metrics", "staging"];

/// A search, and what it took.
pub struct Searches {
    /// What is searched for, for people.
    pub name: &'static str,
    /// One figure for each run.
    pub runs: Vec<Run>,
}

/// The id of a resource: the same at each call, spread over all ids.
fn id(number: u64) -> Uuid {
    let high = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Uuid::from_u64_pair(high, (number << 8) | 0x8000_0000_0000_0000)
}

fn name(number: u64) -> String {
    let word = |place: u64| WORDS[usize::try_from((number / place) % 8).unwrap_or_default()];
    format!("{}-{}-{number}", word(1), word(8))
}

/// Stores the resources in the database of a server that does not run.
pub fn fill(data: &Path) -> Result<(), Failure> {
    let database = Database::sqlite(&SqliteOptions::new(data.join("croft.db")), &CROFT)?;
    let now = Timestamp::now();
    let silo = database.read_blocking(|tx| {
        let silos: Vec<Silo> = tx.page(ListBy::All, Sort::IdAsc, None, 10)?;
        Ok::<_, StoreError>(silos.into_iter().find(|silo| silo.name.as_str() == "croft"))
    })?;
    let silo = silo.ok_or("the silo is missing")?.meta.id;
    let project = |number: u64| Uuid::from_u64_pair(1, 0x8000_0000_0000_0000 | (number % PROJECTS));
    database.write_blocking(move |tx| {
        for number in 0..PROJECTS {
            let meta = Meta::new(project(number), now);
            let name = format!("project-{number}");
            let stored = json!({"meta": meta, "silo_id": silo, "name": name, "description": "Filled"});
            tx.insert(&serde_json::from_value::<Project>(stored)?)?;
        }
        Ok::<_, StoreError>(())
    })?;
    for first in (0..RESOURCES).step_by(usize::try_from(BATCH)?) {
        database.write_blocking(move |tx| {
            for number in first..first + BATCH {
                let meta = Meta::new(id(number), now);
                let (name, project_id) = (name(number), project(number));
                // One in a hundred is a subnet, the others are disks.
                if number % 100 == 0 {
                    let [_, a, b, c] = u32::try_from(number).unwrap_or_default().to_be_bytes();
                    let stored = json!({
                        "meta": meta, "silo_id": silo, "project_id": project_id, "vpc_id": project_id, "name": name,
                        "description": "", "ipv4_block": format!("{}.{b}.{c}.0/24", 10 + a % 64),
                        "ipv6_block": format!("fd00:{a:x}:{b:x}:{c:x}::/64"), "custom_router_id": null,
                    });
                    tx.insert(&serde_json::from_value::<VpcSubnet>(stored)?)?;
                } else {
                    let stored = json!({
                        "meta": meta, "silo_id": silo, "project_id": project_id, "name": name,
                        "description": "Data of the benchmark", "size": 1_073_741_824, "block_size": 512,
                        "content": "blank", "stage": "detached", "built": true, "begins_with": null,
                        "snapshotting": null, "pools": [], "time_due": null,
                    });
                    tx.insert(&serde_json::from_value::<Disk>(stored)?)?;
                }
            }
            Ok::<_, StoreError>(())
        })?;
    }
    Ok(())
}

/// What is searched for in one request of many, by its number.
type Text = fn(u64) -> String;

/// The searches: their names, and what is asked for.
fn searches() -> Vec<(&'static str, Text)> {
    vec![
        ("beginning of a name", |number| name(number * 7_919 % RESOURCES)[..8].to_owned()),
        ("word of a name", |number| (number * 7_919 % RESOURCES).to_string()),
        ("part of a name", |number| name(number * 7_919 % RESOURCES)[2..11].to_owned()),
        ("nothing that there is", |number| format!("absent{number}")),
        ("beginning of an id", |number| id(number * 7_919 % RESOURCES).to_string()[..8].to_owned()),
        ("address", |number| format!("10.{}.{}.9", number * 31 % 256, number * 17 % 256)),
        ("word of a description", |_| "bench".to_owned()),
    ]
}

/// Searches on one connection.
pub async fn measure(target: &Target, options: &RunOptions) -> Result<Vec<Searches>, Failure> {
    let mut measured = Vec::new();
    for (name, text) in searches() {
        let asks: Asks =
            Arc::new(move |number| Ask::get(format!("/experimental/v1/search?limit=20&q={}", text(number))));
        let (status, body) = Connection::open(target).await?.send(asks(1)).await?;
        if status != StatusCode::OK {
            return Err(format!("a search was answered {status} {}", String::from_utf8_lossy(&body)).into());
        }
        let mut runs = Vec::new();
        for _ in 0..options.runs {
            runs.push(
                load::closed_loop(target, 1, options.seconds, &Arc::new(AtomicU64::new(0)), &asks).await?,
            );
        }
        measured.push(Searches { name, runs });
    }
    Ok(measured)
}
