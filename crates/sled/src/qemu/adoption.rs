//! Adopts the machines of an earlier server. Folders that cannot be read are left as they are: their machines may be
//! running.

use std::{
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use uuid::Uuid;

use super::{
    Qemu, arguments, files,
    machine::MachineRecord,
    process::{Process, RUN},
    record,
    registry::{Machines, Unreadable},
    runner::StartMode,
};
use crate::{ExpectedMachine, IncidentKind, MachineIncident, MachineReport, MachineState};

/// The folder of a machine that cannot be adopted, and why.
type UnreadableMachine = (PathBuf, String);

impl Qemu {
    /// Adopts what ran before this server started; see [`crate::Hypervisor::adopt`].
    pub(super) fn take_over(&self, expected: &[ExpectedMachine], now: Timestamp) -> io::Result<()> {
        let mut machines = self.machines.lock();
        let (all, left) = self.kept()?;
        for (path, error) in left {
            self.leave(&mut machines, &path, &error, expected);
        }
        for kept in all {
            if machines.known.contains_key(&kept.id) {
                continue;
            }
            let known = expected.iter().find(|expected| expected.spec.id == kept.id);
            let last = known.filter(|expected| expected.is_registered);
            let running = match last {
                Some(_) => None,
                None => Process::find(&arguments::machine_name(kept.id), kept.user)?,
            };
            match (known, &running) {
                (None, Some(process)) => {
                    tracing::warn!(machine = %kept.id, "ending a machine that is not in the database");
                    process.kill();
                    self.host.forget(kept.id);
                    continue;
                }
                // One that never ran is started as if for the first time.
                (_, None) if last.is_none() => {
                    self.host.forget(kept.id);
                    continue;
                }
                _ => {}
            }
            let fresh = MachineReport { state: MachineState::Starting, generation: 1 };
            let report = last.map_or(fresh, |expected| expected.last_report);
            let path = self.host.machine_folder(kept.id);
            match self.follow(&mut machines, kept, report, StartMode::Adopt) {
                // Earlier events, and those while no server was listening, are unknown.
                Ok(machine) => machine.count(|incidents| incidents.since = Some(now)),
                Err(error) => self.leave(&mut machines, &path, &error.to_string(), expected),
            }
        }
        Ok(())
    }

    /// The records of earlier servers' machines, and the folders that cannot be read and whose machines may be running,
    /// with the reasons. Only machines that never ran, or were being removed, are cleaned up.
    fn kept(&self) -> io::Result<(Vec<MachineRecord>, Vec<UnreadableMachine>)> {
        let (mut all, mut unreadable) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(self.host.options.folder.join("machines"))? {
            let path = entry?.path();
            let read = fs::read(path.join("machine.json"));
            match read.and_then(|kept| Ok(record::read::<MachineRecord>(&kept)?)) {
                Ok(kept) => all.push(kept),
                Err(error) if error.kind() == io::ErrorKind::NotFound && never_ran(&path) => {
                    files::remove_folder(&path)?;
                }
                Err(error) => unreadable.push((path, error.to_string())),
            }
        }
        Ok((all, unreadable))
    }

    /// Leaves a machine that cannot be adopted as it is, and reports it.
    fn leave(&self, machines: &mut Machines, path: &Path, error: &str, expected: &[ExpectedMachine]) {
        if machine_of(path).is_some_and(|id| machines.unreadable.contains_key(&id)) {
            return;
        }
        tracing::error!(path = %path.display(), error, "cannot adopt a machine; leaving it as it is");
        let Some(id) = machine_of(path) else { return };
        let reason = format!(
            "the machine's record on this host cannot be read, so the machine is left as it is: {}: {error}",
            path.join("machine.json").display()
        );
        let known = expected.iter().find(|expected| expected.spec.id == id);
        if let Some(ExpectedMachine { spec, .. }) = known {
            self.host.events.push_incident(MachineIncident {
                machine_id: id,
                instance_id: spec.instance_id,
                time: Timestamp::now(),
                kind: IncidentKind::Unreadable,
                cause: reason.clone(),
                action: "Nothing was changed: if the machine is running, it continues. To adopt it, make \
                         its file readable again and restart the server."
                    .to_owned(),
                serial_tail: String::new(),
            });
        }
        let disks = known.iter().flat_map(|known| &known.spec.disks).map(|disk| disk.id).collect();
        let user = fs::metadata(path.join(RUN)).ok().map(|metadata| metadata.uid());
        machines.unreadable.insert(id, Unreadable { reason, disks, user });
    }
}

/// The machine that a folder is of.
fn machine_of(folder: &Path) -> Option<Uuid> {
    folder.file_name()?.to_str()?.parse().ok()
}

/// Whether a folder without a record has no running machine.
fn never_ran(folder: &Path) -> bool {
    machine_of(folder).is_some_and(|id| matches!(Process::find(&arguments::machine_name(id), None), Ok(None)))
}
