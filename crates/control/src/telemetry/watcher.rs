use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
};

use croft_api::Result;
use croft_oxql::model::{Datum, FieldValue};
use croft_sled::{Hypervisor, HypervisorError, MachineState};
use croft_store::{Database, ListBy, records::Machine, telemetry::Telemetry};
use jiff::Timestamp;
use uuid::Uuid;

use super::Batch;
use crate::paging;

/// The result of a check: the metric and its field values.
type CheckOutcome = (&'static str, &'static [&'static str]);

/// Counts the results of checks of machines. Counters of ended machines are removed.
#[derive(Debug)]
pub(super) struct Watcher {
    server_id: Uuid,
    found: HashMap<Uuid, HashMap<CheckOutcome, (Timestamp, u64)>>,
}

impl Watcher {
    pub(super) fn new(server_id: Uuid) -> Self {
        Self { server_id, found: HashMap::new() }
    }

    /// Checks each machine once.
    pub(super) fn watch(
        &mut self,
        db: &Database,
        telemetry: &Telemetry,
        now: Timestamp,
        hypervisor: &dyn Hypervisor,
    ) -> Result<()> {
        let (rack, machines) = db.read_blocking(|tx| {
            Ok::<_, croft_api::Error>((super::rack(tx)?, paging::all::<Machine>(tx, &ListBy::All)?))
        })?;
        self.found.retain(|id, _| machines.iter().any(|machine| machine.meta.id == *id));
        let mut batch = Batch::at(now);
        for machine in &machines {
            let finding = finding(hypervisor.observe_machine(machine.sled_id, machine.meta.id));
            let counts = self.found.entry(machine.meta.id).or_default();
            counts.entry(finding).or_insert((now, 0)).1 += 1;
            for ((metric, words), (since, count)) in counts {
                let mut fields = self::fields(rack, self.server_id, machine);
                fields.extend(words.iter().map(|word| FieldValue::from(*word)));
                batch.add("virtual_machine", metric, fields, *since, Datum::Unsigned(*count));
            }
        }
        batch.record(telemetry);
        Ok(())
    }
}

fn finding(observed: Result<croft_sled::MachineReport, HypervisorError>) -> CheckOutcome {
    match observed.map(|report| report.state) {
        Ok(MachineState::Starting) => ("check", &["starting", "success"]),
        Ok(MachineState::Running) => ("check", &["running", "success"]),
        Ok(MachineState::Rebooting) => ("check", &["rebooting", "success"]),
        Ok(MachineState::Stopping) => ("check", &["stopping", "success"]),
        // Pending means that it is being removed.
        Ok(MachineState::Ended) | Err(HypervisorError::Pending) => ("check", &["stopped", "success"]),
        Ok(MachineState::Failed) => ("check", &["failed", "success"]),
        Err(HypervisorError::UnknownMachine) => ("check", &["failed", "no_such_machine"]),
        Err(HypervisorError::Unreachable(_)) => ("incomplete_check", &["unreachable"]),
        Err(HypervisorError::Refused(_)) => ("incomplete_check", &["refused"]),
        Err(HypervisorError::Failed(_)) => ("incomplete_check", &["error"]),
    }
}

/// Hosts are not queried over a network: the server itself is their agent.
fn fields(rack: Uuid, server: Uuid, machine: &Machine) -> Vec<FieldValue> {
    vec![
        rack.into(),
        server.into(),
        machine.instance_id.into(),
        machine.silo_id.into(),
        machine.project_id.into(),
        machine.meta.id.into(),
        machine.sled_id.into(),
        IpAddr::V6(Ipv6Addr::LOCALHOST).into(),
        0_u16.into(),
    ]
}
