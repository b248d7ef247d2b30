//! Data of a bundle from the database and the hosts: numbers, states and hardware, without secrets.

use std::collections::BTreeMap;

use croft_api::Result;
use croft_sled::{Inventory, LinkInventory, SledInventory, SwitchInventory};
use croft_store::{
    ListBy, Record, Sort, Statistics, Tx,
    records::{
        AuditActor, AuditEntry, AuditResult, Disk, Instance, PhysicalDisk, Rack, Sled, Snapshot, StoragePools,
    },
    schema::TABLES,
};
use serde_json::{Value, json};

use super::Member;
use crate::paging;

/// Number of entries of the audit log in a bundle.
const AUDIT_ENTRIES: usize = 1000;

pub(super) fn of(tx: &mut Tx<'_>, inventory: &Inventory, statistics: &Statistics) -> Result<Vec<Member>> {
    let racks: Vec<Rack> = paging::all(tx, &ListBy::All)?;
    let mut members = Vec::new();
    for rack in racks {
        let rack = rack.meta.id;
        members.push(Member::json(format!("rack/{rack}/inventory.json"), &seen(inventory)));
        members.push(Member::json(format!("rack/{rack}/sleds.json"), &sleds(tx)?));
    }
    members.push(Member::json("state/database.json", &database(tx, statistics)?));
    members.push(Member::json("state/tables.json", &tables(tx)?));
    members.push(Member::json("state/objects.json", &objects(tx)?));
    members.push(Member::json("state/audit.json", &audit(tx)?));
    Ok(members)
}

/// The hardware as reported by the hosts now.
fn seen(inventory: &Inventory) -> Value {
    json!({
        "sleds": inventory.sleds.iter().map(seen_sled).collect::<Vec<_>>(),
        "switches": inventory.switches.iter().map(seen_switch).collect::<Vec<_>>(),
    })
}

fn seen_sled(sled: &SledInventory) -> Value {
    let disk = |disk: &croft_sled::PhysicalDiskInventory| {
        json!({
            "id": disk.id, "vendor": disk.vendor, "model": disk.model, "serial": disk.serial,
            "form_factor": disk.form_factor, "size": disk.size,
        })
    };
    let link = |link: &LinkInventory| json!({ "name": link.name, "mac": link.mac, "megabits": link.speed, "is_up": link.is_up });
    json!({
        "id": sled.id, "baseboard": sled.baseboard, "cubby": sled.cubby, "is_spare": sled.is_spare,
        "hardware_threads": sled.hardware_threads, "physical_memory": sled.physical_memory,
        "threads": sled.threads, "guest_memory": sled.guest_memory,
        "disks": sled.disks.iter().map(disk).collect::<Vec<_>>(),
        "pools": sled.pools.iter().map(|pool| json!({ "id": pool.id, "size": pool.size })).collect::<Vec<_>>(),
        "links": sled.links.iter().map(link).collect::<Vec<_>>(),
    })
}

fn seen_switch(switch: &SwitchInventory) -> Value {
    json!({ "id": switch.id, "baseboard": switch.baseboard })
}

/// The sleds in the database, with their reservations.
fn sleds(tx: &mut Tx<'_>) -> Result<Value> {
    let sleds: Vec<Sled> = paging::all(tx, &ListBy::All)?;
    let disks: Vec<PhysicalDisk> = paging::all(tx, &ListBy::All)?;
    let pools = tx.get::<StoragePools>(croft_store::records::FLEET)?.map(|all| all.pools).unwrap_or_default();
    let view = |sled: &Sled| {
        let disks = disks.iter().filter(|disk| disk.sled_id == sled.meta.id);
        let pools = pools.iter().filter(|pool| pool.sled_id == sled.meta.id);
        json!({
            "id": sled.meta.id, "baseboard": sled.baseboard, "is_present": sled.is_present,
            "provisionable": sled.provisionable, "expunged": sled.expunged, "threads": sled.threads,
            "guest_memory": sled.guest_memory, "reserved_threads": sled.reserved_threads,
            "reserved_memory": sled.reserved_memory,
            "disks": disks.map(|disk| disk.meta.id).collect::<Vec<_>>(),
            "pools": pools.collect::<Vec<_>>(),
        })
    };
    Ok(sleds.iter().map(view).collect())
}

fn database(tx: &mut Tx<'_>, statistics: &Statistics) -> Result<Value> {
    Ok(json!({
        "last_change": tx.last_change()?,
        "reads": statistics.reads, "reads_waiting": statistics.reads_waiting,
        "writes": statistics.writes, "writes_waiting": statistics.writes_waiting,
        "commits": statistics.commits, "largest_batch": statistics.largest_batch,
        "committed": statistics.committed, "commit_time_seconds": statistics.commit_time.as_secs_f64(),
        "overloads": statistics.overloads, "retries": statistics.retries, "failures": statistics.failures,
        "checkpoints": statistics.checkpoints, "log_bytes": statistics.log_bytes,
    }))
}

/// How many live records each table has.
fn tables(tx: &mut Tx<'_>) -> Result<Value> {
    let mut counts = BTreeMap::new();
    for table in TABLES {
        counts.insert(table.name, tx.count_rows(table)?);
    }
    Ok(json!(counts))
}

/// The number of instances, disks and snapshots in each state.
fn objects(tx: &mut Tx<'_>) -> Result<Value> {
    let instances = by_state(tx, |instance: &Instance| json!(instance.run_state()))?;
    let disks = by_state(tx, |disk: &Disk| json!(disk.stage))?;
    let snapshots = by_state(tx, |snapshot: &Snapshot| json!(snapshot.stage))?;
    Ok(json!({ "instances": instances, "disks": disks, "snapshots": snapshots }))
}

fn by_state<R: Record>(tx: &mut Tx<'_>, state: impl Fn(&R) -> Value) -> Result<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    for record in paging::all::<R>(tx, &ListBy::All)? {
        let state = match state(&record) {
            Value::String(name) => name,
            // For a stage with data, only the name counts.
            Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
            other => other.to_string(),
        };
        *counts.entry(state).or_default() += 1;
    }
    Ok(counts)
}

/// The latest entries, the newest first. Queries are omitted, because their values may be confidential.
fn audit(tx: &mut Tx<'_>) -> Result<Value> {
    let entries: Vec<AuditEntry> = tx.page(ListBy::All, Sort::TimeDesc, None, AUDIT_ENTRIES)?;
    let view = |entry: &AuditEntry| {
        let actor = match entry.actor {
            AuditActor::SiloUser { silo_user_id, silo_id } => {
                json!({ "silo_user_id": silo_user_id, "silo_id": silo_id })
            }
            AuditActor::UserBuiltin { user_builtin_id } => json!({ "user_builtin_id": user_builtin_id }),
            AuditActor::Unauthenticated => Value::Null,
        };
        let (status, code) = match &entry.result {
            AuditResult::Success { http_status_code } => (Some(*http_status_code), None),
            AuditResult::Error { http_status_code, error_code, .. } => {
                (Some(*http_status_code), error_code.as_deref())
            }
            AuditResult::Unknown => (None, None),
        };
        json!({
            "id": entry.meta.id, "time_completed": entry.meta.time_created, "operation_id": entry.operation_id,
            "request_id": entry.request_id, "path": entry.request_uri.split('?').next(),
            "source_ip": entry.source_ip, "actor": actor, "auth_method": entry.auth_method,
            "http_status_code": status, "error_code": code,
        })
    };
    Ok(entries.iter().map(view).collect())
}
