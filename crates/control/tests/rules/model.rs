//! Random sequences of operations, failures and crashes, checked against a model that knows only requests and
//! responses.

use std::collections::BTreeMap;

use croft_api::{Error, instance::InstanceState};
use croft_sled::{
    Hypervisor as _, HypervisorError,
    simulated::{Call, SimulatedOptions},
};
use jiff::SignedDuration;
use proptest::prelude::*;
use uuid::Uuid;

use crate::kit::{Cloud, memory, status, timing};

const INSTANCES: usize = 3;
const DISKS: usize = 3;

#[derive(Clone, Debug)]
enum Step {
    Create(usize),
    Start(usize),
    Stop(usize),
    Reboot(usize),
    Delete(usize),
    CreateDisk(usize),
    DeleteDisk(usize),
    Attach(usize, usize),
    Detach(usize, usize),
    Pass(i64),
    Settle,
    Forget(usize),
    PowerOff(usize),
    Fail(Call),
    LoseAnswer(Call),
    CutOff(usize),
    Reconnect,
    Crash,
}

fn call() -> impl Strategy<Value = Call> {
    prop::sample::select(vec![
        Call::EnsureMachine,
        Call::StopMachine,
        Call::RebootMachine,
        Call::DestroyMachine,
        Call::EnsureDisk,
        Call::DeleteDisk,
    ])
}

fn step() -> impl Strategy<Value = Step> {
    let instance = || 0..INSTANCES;
    let disk = || 0..DISKS;
    prop_oneof![
        3 => instance().prop_map(Step::Create),
        5 => instance().prop_map(Step::Start),
        4 => instance().prop_map(Step::Stop),
        3 => instance().prop_map(Step::Reboot),
        2 => instance().prop_map(Step::Delete),
        3 => disk().prop_map(Step::CreateDisk),
        2 => disk().prop_map(Step::DeleteDisk),
        3 => (instance(), disk()).prop_map(|(instance, disk)| Step::Attach(instance, disk)),
        2 => (instance(), disk()).prop_map(|(instance, disk)| Step::Detach(instance, disk)),
        8 => (1_i64..8_000).prop_map(Step::Pass),
        3 => Just(Step::Settle),
        2 => instance().prop_map(Step::Forget),
        1 => instance().prop_map(Step::PowerOff),
        2 => call().prop_map(Step::Fail),
        2 => call().prop_map(Step::LoseAnswer),
        1 => (0_usize..3).prop_map(Step::CutOff),
        2 => Just(Step::Reconnect),
        2 => Just(Step::Crash),
    ]
}

/// The expected state of an instance after everything has settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedState {
    Running,
    Stopped,
    /// Lost while it was being stopped.
    Failed,
    /// The guest was asked to shut down and may have ignored it.
    RunningOrStopped,
}

#[derive(Default)]
struct Model {
    instances: BTreeMap<usize, (Uuid, ExpectedState)>,
    disks: BTreeMap<usize, (Uuid, Option<usize>)>,
}

struct Run {
    cloud: Cloud,
    model: Model,
    last_change: BTreeMap<Uuid, (InstanceState, jiff::Timestamp)>,
}

impl Run {
    fn new() -> Self {
        let options = SimulatedOptions { timing: timing(), ..SimulatedOptions::default() };
        let mut cloud = Cloud::with(options, memory());
        cloud.project("web");
        Self { cloud, model: Model::default(), last_change: BTreeMap::new() }
    }

    fn record(&self, id: Uuid) -> croft_store::records::Instance {
        let record = self.cloud.db.read_blocking(move |tx| Ok::<_, Error>(tx.get(id)?));
        record.unwrap().unwrap()
    }

    /// The expected status of a stop or reboot of an instance with a machine, depending on its host.
    fn answer_of_host(&self, id: Uuid) -> u16 {
        let record = self.record(id);
        let link = record.machine().unwrap();
        if !link.registered || link.pending.is_some() {
            return 202;
        }
        match self.cloud.hypervisor.observe_machine(link.sled_id, link.id) {
            Ok(_) => 202,
            Err(HypervisorError::UnknownMachine) => 503,
            Err(_) => 500,
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Create(number) => self.create(*number),
            Step::Start(number) => self.start(*number),
            Step::Stop(number) => self.stop(*number),
            Step::Reboot(number) => self.reboot(*number),
            Step::Delete(number) => self.delete(*number),
            Step::CreateDisk(number) => self.create_disk(*number),
            Step::DeleteDisk(number) => self.delete_disk(*number),
            Step::Attach(instance, disk) => self.attach(*instance, *disk),
            Step::Detach(instance, disk) => self.detach(*instance, *disk),
            Step::Pass(milliseconds) => self.cloud.pass(SignedDuration::from_millis(*milliseconds)),
            Step::Settle => drop(self.cloud.settle()),
            Step::Forget(number) => {
                if let Some(machine) = self.machine(*number) {
                    self.cloud.hypervisor.forget_machine(machine);
                }
            }
            Step::PowerOff(number) => self.power_off(*number),
            Step::Fail(call) => {
                self.cloud.hypervisor.fail_next(*call, HypervisorError::Unreachable("cut off".to_owned()));
            }
            Step::LoseAnswer(call) => self.cloud.hypervisor.lose_next_answer(*call),
            Step::CutOff(number) => {
                let sled = self.cloud.hypervisor.sleds()[*number].id;
                self.cloud.hypervisor.set_reachable(sled, false);
            }
            Step::Reconnect => self.reconnect(),
            Step::Crash => self.cloud.restart_server(),
        }
        self.check();
    }

    fn reconnect(&mut self) {
        for sled in self.cloud.hypervisor.sleds() {
            self.cloud.hypervisor.set_reachable(sled.id, true);
        }
    }

    fn machine(&self, number: usize) -> Option<Uuid> {
        let (id, _) = self.model.instances.get(&number)?;
        self.record(*id).machine().map(|link| link.id)
    }

    fn power_off(&mut self, number: usize) {
        let line = self.machine(number).and_then(|machine| self.cloud.hypervisor.serial(machine));
        if let (Some(line), Some((_, rest))) = (line, self.model.instances.get_mut(&number)) {
            line.write(b"root\rpoweroff\r");
            if *rest == ExpectedState::Running {
                *rest = ExpectedState::RunningOrStopped;
            }
        }
    }

    fn create(&mut self, number: usize) {
        let name = format!("instance-{number}");
        let result = self.cloud.try_instance("web", &name, &serde_json::json!({}));
        match self.model.instances.get(&number) {
            Some(_) => {
                assert_eq!(result.unwrap_err().message(), format!("already exists: instance \"{name}\""));
            }
            None => drop(self.model.instances.insert(number, (result.unwrap().id, ExpectedState::Stopped))),
        }
    }

    fn start(&mut self, number: usize) {
        let Some((id, _)) = self.model.instances.get(&number).copied() else { return };
        let before = self.cloud.state(id);
        match self.cloud.start_instance(id) {
            Ok(_) => {
                assert_ne!(before, InstanceState::Stopping);
                if matches!(before, InstanceState::Stopped | InstanceState::Failed) {
                    self.model.instances.insert(number, (id, ExpectedState::Running));
                }
            }
            Err(error) => assert_eq!((status(&error), before), (409, InstanceState::Stopping)),
        }
    }

    fn stop(&mut self, number: usize) {
        let Some((id, _)) = self.model.instances.get(&number).copied() else { return };
        let before = self.cloud.state(id);
        let active =
            matches!(before, InstanceState::Starting | InstanceState::Running | InstanceState::Rebooting);
        let expected = if active { self.answer_of_host(id) } else { self.stop_at_rest(id) };
        match self.cloud.stop_instance(id) {
            Ok(_) => {
                assert_eq!(expected, 202);
                if before != InstanceState::Stopping {
                    self.model.instances.insert(number, (id, ExpectedState::Stopped));
                }
            }
            Err(error) => {
                assert_eq!(status(&error), expected, "{error}");
                if expected == 503 {
                    self.model.instances.insert(number, (id, ExpectedState::Failed));
                }
            }
        }
    }

    /// A stopped instance, or one that is shutting down, can be stopped without its host.
    fn stop_at_rest(&self, id: Uuid) -> u16 {
        assert!(!matches!(self.cloud.state(id), InstanceState::Creating | InstanceState::Migrating));
        202
    }

    fn reboot(&mut self, number: usize) {
        let Some((id, _)) = self.model.instances.get(&number).copied() else { return };
        let expected = match self.cloud.state(id) {
            InstanceState::Starting | InstanceState::Running => self.answer_of_host(id),
            InstanceState::Rebooting => 202,
            _ => 400,
        };
        match self.cloud.reboot_instance(id) {
            Ok(_) => assert_eq!(expected, 202),
            Err(error) => assert_eq!(status(&error), expected, "{error}"),
        }
    }

    fn delete(&mut self, number: usize) {
        let Some((id, _)) = self.model.instances.get(&number).copied() else { return };
        let resting = matches!(self.cloud.state(id), InstanceState::Stopped | InstanceState::Failed);
        match self.cloud.delete_instance(id) {
            Ok(()) => {
                assert!(resting);
                self.model.instances.remove(&number);
                for (_, attached) in self.model.disks.values_mut() {
                    if *attached == Some(number) {
                        *attached = None;
                    }
                }
            }
            Err(error) => assert_eq!((status(&error), resting), (400, false)),
        }
    }

    fn create_disk(&mut self, number: usize) {
        let name = format!("disk-{number}");
        let result = self.cloud.try_disk("web", &name, 1 << 30);
        match self.model.disks.get(&number) {
            Some(_) => assert_eq!(result.unwrap_err().message(), format!("already exists: disk \"{name}\"")),
            None => drop(self.model.disks.insert(number, (result.unwrap().id, None))),
        }
    }

    fn delete_disk(&mut self, number: usize) {
        let Some((id, attached)) = self.model.disks.get(&number).copied() else { return };
        let state = self.cloud.disk_state(id);
        assert_eq!(state == "attached", attached.is_some());
        match self.cloud.delete_disk(id) {
            Ok(()) => {
                assert_eq!(state, "detached");
                self.model.disks.remove(&number);
            }
            Err(error) => assert!(status(&error) == 400 && matches!(state, "attached" | "creating")),
        }
    }

    fn attach(&mut self, instance: usize, disk: usize) {
        let Some((instance_id, _)) = self.model.instances.get(&instance).copied() else { return };
        let Some((disk_id, attached)) = self.model.disks.get(&disk).copied() else { return };
        let stopped = self.cloud.state(instance_id) == InstanceState::Stopped;
        let expected = attached == Some(instance) || (attached.is_none() && stopped);
        let result = self.cloud.attach(instance_id, disk_id.into());
        assert_eq!(result.is_ok(), expected, "{result:?}");
        if expected {
            self.model.disks.insert(disk, (disk_id, Some(instance)));
        }
    }

    fn detach(&mut self, instance: usize, disk: usize) {
        let Some((instance_id, _)) = self.model.instances.get(&instance).copied() else { return };
        let Some((disk_id, attached)) = self.model.disks.get(&disk).copied() else { return };
        let resting = matches!(self.cloud.state(instance_id), InstanceState::Stopped | InstanceState::Failed);
        let idle = self.cloud.disk_state(disk_id) == "detached";
        let expected = idle || (attached == Some(instance) && resting);
        let result = self.cloud.detach(instance_id, disk_id.into());
        assert_eq!(result.is_ok(), expected, "{result:?}");
        if expected {
            self.model.disks.insert(disk, (disk_id, None));
        }
    }

    /// Invariants that hold at every moment.
    fn check(&mut self) {
        self.cloud.check_invariants();
        for (number, (id, _)) in &self.model.instances {
            let view = self.cloud.view(*id);
            let (state, time) = (view.run_state, view.time_run_state_updated);
            if let Some((last_state, last_time)) = self.last_change.insert(*id, (state, time))
                && last_state != state
            {
                assert!(time > last_time, "{last_state:?} to {state:?} without time passing");
            }
            let expected: Vec<String> = self
                .model
                .disks
                .iter()
                .filter(|(_, (_, attached))| *attached == Some(*number))
                .map(|(disk, _)| format!("disk-{disk}"))
                .collect();
            assert_eq!(self.cloud.disks_of(*id), expected);
        }
    }

    /// Invariants that hold after failures have stopped and time has passed.
    fn finish(&mut self) {
        self.reconnect();
        self.cloud.pass(SignedDuration::from_hours(3));
        self.check();
        let mut running = 0;
        for (id, rest) in self.model.instances.values() {
            let state = self.cloud.state(*id);
            let fits = match rest {
                ExpectedState::Running => state == InstanceState::Running,
                // A machine that was lost while it shut down is as stopped as one that shut down.
                ExpectedState::Stopped => state == InstanceState::Stopped,
                ExpectedState::Failed => matches!(state, InstanceState::Failed | InstanceState::Stopped),
                ExpectedState::RunningOrStopped => {
                    matches!(state, InstanceState::Running | InstanceState::Stopped)
                }
            };
            assert!(fits, "{state:?} instead of {rest:?}: {:?}", self.record(*id));
            running += usize::from(state == InstanceState::Running);
        }
        assert_eq!(self.cloud.hypervisor.machines().len(), running);
        for (id, attached) in self.model.disks.values() {
            let expected = if attached.is_some() { "attached" } else { "detached" };
            assert_eq!(self.cloud.disk_state(*id), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn all_objects_reach_their_last_requested_state(steps in prop::collection::vec(step(), 1..80)) {
        let mut run = Run::new();
        for step in &steps {
            run.take(step);
        }
        run.finish();
    }
}
