//! Snapshots of disks that machines write into.

use std::{io, sync::Arc, thread, time::Duration};

use serde_json::{Value, json};

use super::{Host, Qemu, arguments, machine::Machine, volumes::failed};
use crate::{HypervisorError, HypervisorEvent, SnapshotSpec};

/// QEMU first writes what it holds when a snapshot is taken.
const SNAPSHOT_LIMIT: Duration = Duration::from_mins(1);
/// A machine whose control socket has closed is done with its disks soon.
const GONE_LIMIT: Duration = Duration::from_secs(15);
const START_LIMIT: Duration = Duration::from_mins(1);

/// How a snapshot that takes its time is getting on; a finished one is in the volumes.
#[derive(Debug)]
pub(super) enum SnapshotJob {
    Running,
    Failed(HypervisorError),
}

impl Qemu {
    /// Takes a snapshot of a running machine's disk on a thread of its own.
    pub(super) fn snapshot_running(
        &self,
        spec: &SnapshotSpec,
        machine: Arc<Machine>,
        slot: u8,
    ) -> io::Result<()> {
        let (host, jobs, spec) = (Arc::clone(&self.host), Arc::clone(&self.snapshots), spec.clone());
        self.snapshots.lock().insert(spec.id, SnapshotJob::Running);
        let work = move || {
            let taken = match switch(&host, &machine, slot, &spec) {
                // A machine that ended meanwhile leaves its disk; its thread is told a little later than this one.
                Err(_) if machine.is_gone_within(GONE_LIMIT) => host.volumes.take_snapshot(&spec),
                other => other,
            };
            match taken {
                Ok(()) => drop(jobs.lock().remove(&spec.id)),
                Err(error) => drop(jobs.lock().insert(spec.id, SnapshotJob::Failed(error))),
            }
            host.events.push(HypervisorEvent::Snapshot(spec.id));
        };
        thread::Builder::new().name("croft-snapshot".into()).spawn(work).map(drop)
    }
}

/// Has a running machine write into a new layer, and keeps what is below as a snapshot.
fn switch(host: &Host, machine: &Machine, slot: u8, spec: &SnapshotSpec) -> Result<(), HypervisorError> {
    if !machine.has_started_within(START_LIMIT) {
        return Err(HypervisorError::Failed("the machine could not be started".to_owned()));
    }
    let ask = |command, arguments| {
        machine
            .command(command, arguments, SNAPSHOT_LIMIT)
            .map_err(|error| failed("cannot take a snapshot", error))
    };
    let node = node_of(&ask, slot)?;
    let growth = host.volumes.grow(spec.disk_id, machine.kept.user)?;
    let arguments = json!({
        "node-name": node,
        "snapshot-file": arguments::layer_path(growth.overlay),
        "snapshot-node-name": arguments::layer_node(slot, growth.overlay),
        "format": "qcow2",
        "mode": "existing",
    });
    ask("blockdev-snapshot-sync", arguments)?;
    host.volumes.settle(spec, growth)
}

/// What QEMU calls that which a machine's disk is written into.
pub(super) fn node_of(
    ask: &dyn Fn(&'static str, Value) -> Result<Value, HypervisorError>,
    slot: u8,
) -> Result<String, HypervisorError> {
    let device = format!("/{}/", arguments::disk_device(slot));
    let blocks = ask("query-block", json!({}))?;
    let block = blocks
        .as_array()
        .into_iter()
        .flatten()
        .find(|block| block["qdev"].as_str().is_some_and(|qdev| format!("{qdev}/").contains(&device)));
    let node = block.and_then(|block| block["inserted"]["node-name"].as_str());
    let node = node.ok_or_else(|| HypervisorError::Failed(format!("QEMU has no device {device}")))?;
    Ok(node.to_owned())
}
