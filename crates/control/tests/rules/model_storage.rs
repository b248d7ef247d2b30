//! Long random sequences of operations on disks, snapshots, images and imports, with failures of hosts and crashes of
//! the server, checked against a model that knows only requests and responses. Each run is determined by its seed,
//! which a failure prints.

use std::collections::{BTreeMap, BTreeSet};

use croft_api::{Error, Result};
use croft_sled::{HypervisorError, simulated::Call};
use croft_store::records::{Disk, DiskStage, FLEET, ImportStage};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::kit::{Cloud, GIB, by_name, status};

/// The number of operations of a run.
const STEPS: u32 = 13_000;
/// The number of names of each kind.
const NAMES: u64 = 4;
/// The quota of storage in GiB. Every object uses 1 GiB.
const QUOTA: u64 = 6;

/// Expected statuses: name taken, quota exceeded, success.
const TAKEN: u16 = 400;
const FULL: u16 = 507;
const FINE: u16 = 200;

struct Run {
    cloud: Cloud,
    random: u64,
    instance: Uuid,
    project: Uuid,
    disks: BTreeMap<u64, Uuid>,
    snapshots: BTreeMap<u64, Uuid>,
    /// Images, each with the volume that it is based on.
    images: BTreeMap<u64, (Uuid, Uuid)>,
    /// Calls to hosts that are going to fail.
    faults: BTreeMap<Call, u32>,
}

fn answer<T>(result: &Result<T>) -> u16 {
    result.as_ref().map_or_else(status, |_| FINE)
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut cloud = Cloud::new();
        let project = cloud.project("web").id;
        cloud.set_storage_quota(QUOTA);
        let instance = cloud.instance("web", "db").id;
        let (disks, snapshots, images) = Default::default();
        Self { cloud, random: seed, instance, project, disks, snapshots, images, faults: BTreeMap::new() }
    }

    /// A number below `end` (SplitMix64).
    fn below(&mut self, end: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    fn record(&self, disk: Uuid) -> Disk {
        let record = self.cloud.db.read_blocking(move |tx| Ok::<_, Error>(tx.get::<Disk>(disk)?));
        record.unwrap().unwrap()
    }

    /// The storage in use, in GiB: disks, and volumes of snapshots as long as a snapshot, an image or a layer depends
    /// on them.
    fn kept_alive(&self) -> u64 {
        (self.disks.len() + self.cloud.volumes().len()) as u64
    }

    /// The expected status of a creation of 1 GiB.
    fn room(&self, name_taken: bool) -> u16 {
        let used = self.kept_alive();
        if name_taken {
            TAKEN
        } else if used < QUOTA {
            FINE
        } else {
            FULL
        }
    }

    /// Whether the next call of this kind fails. Consumes the failure.
    fn fails(&mut self, call: Call) -> bool {
        let count = self.faults.entry(call).or_default();
        let fails = *count > 0;
        *count = count.saturating_sub(1);
        fails
    }

    fn step(&mut self) {
        match self.below(24) {
            0..4 => self.create_disk(),
            4..6 => self.delete_disk(),
            6..8 => self.snapshot(),
            8 => self.delete_snapshot(),
            9 => self.create_image(),
            10 => self.delete_image(),
            11..16 => self.import(),
            16 | 17 => self.attach_or_detach(),
            18..21 => {
                let milliseconds = self.below(3000);
                self.cloud.pass(SignedDuration::from_millis(milliseconds.cast_signed()));
            }
            21 | 22 => self.fail(),
            _ => {
                if self.below(4) == 0 {
                    self.cloud.restart_server();
                    self.faults.clear();
                }
            }
        }
        for id in [self.cloud.admin.silo, FLEET] {
            assert_eq!(self.cloud.used(id).storage, self.kept_alive() * GIB);
        }
        let of_project = (self.disks.len() + self.snapshots.len()) as u64;
        assert_eq!(self.cloud.used(self.project).storage, of_project * GIB);
    }

    fn create_disk(&mut self) {
        let (number, source, kind) = (self.below(NAMES), self.below(NAMES), self.below(4));
        let name = format!("disk-{number}");
        let expected = self.room(self.disks.contains_key(&number));
        let (result, expected) = match kind {
            0 => (self.cloud.try_disk("web", &name, GIB), expected),
            1 => (self.cloud.try_import("web", &name), expected),
            2 => {
                let Some(snapshot) = self.snapshots.get(&source).copied() else { return };
                let faulted = self.cloud.snapshot_state(snapshot) == "faulted";
                let result = self.cloud.try_disk_of_snapshot("web", &name, snapshot);
                (result, if faulted { 400 } else { expected })
            }
            _ => {
                let Some((image, _)) = self.images.get(&source).copied() else { return };
                (self.cloud.try_disk_of_image("web", &name, image), expected)
            }
        };
        assert_eq!(answer(&result), expected, "{result:?}");
        if let Ok(disk) = result {
            self.disks.insert(number, disk.id);
        }
    }

    fn delete_disk(&mut self) {
        let number = self.below(NAMES);
        let Some(disk) = self.disks.get(&number).copied() else { return };
        let can = matches!(self.cloud.disk_state(disk), "detached" | "faulted");
        assert_eq!(answer(&self.cloud.delete_disk(disk)), if can { FINE } else { 400 });
        if can {
            self.disks.remove(&number);
        }
    }

    fn snapshot(&mut self) {
        let (number, disk) = (self.below(NAMES), self.below(NAMES));
        let Some(disk) = self.disks.get(&disk).copied() else { return };
        let record = self.record(disk);
        let can_be_read =
            record.built && matches!(record.stage, DiskStage::Detached | DiskStage::Attached { .. });
        let expected = if !can_be_read {
            503
        } else if record.snapshotting.is_some() {
            409
        } else {
            self.room(self.snapshots.contains_key(&number))
        };
        let result = self.cloud.try_snapshot("web", &format!("snapshot-{number}"), disk.into());
        assert_eq!(answer(&result), expected, "{result:?}");
        if let Ok(snapshot) = result {
            self.snapshots.insert(number, snapshot.id);
            assert_eq!(self.record(disk).snapshotting, Some(snapshot.id));
        }
    }

    fn delete_snapshot(&mut self) {
        let number = self.below(NAMES);
        let Some(snapshot) = self.snapshots.get(&number).copied() else { return };
        let can = self.cloud.snapshot_state(snapshot) != "creating";
        assert_eq!(answer(&self.cloud.delete_snapshot(snapshot)), if can { FINE } else { 400 });
        if can {
            self.snapshots.remove(&number);
        }
    }

    fn create_image(&mut self) {
        let (number, snapshot, project) = (self.below(NAMES), self.below(NAMES), self.below(2) == 0);
        let Some(snapshot) = self.snapshots.get(&snapshot).copied() else { return };
        // Which names of images are free depends on the scope, which other tests check.
        if self.images.contains_key(&number) {
            return;
        }
        let name = format!("image-{number}");
        let refused = self.cloud.snapshot_state(snapshot) == "faulted";
        let result = self.cloud.try_image(project.then_some("web"), &name, snapshot);
        assert_eq!(answer(&result), if refused { 400 } else { FINE }, "{result:?}");
        if let Ok(image) = result {
            self.images.insert(number, (image.id, snapshot));
        }
    }

    fn delete_image(&mut self) {
        let number = self.below(NAMES);
        if let Some((image, _)) = self.images.remove(&number) {
            self.cloud.delete_image(image).unwrap();
        }
    }

    fn import(&mut self) {
        let (number, what) = (self.below(NAMES), self.below(5));
        let Some(disk) = self.disks.get(&number).copied() else { return };
        let state = self.cloud.disk_state(disk);
        let (ready, open) = (state == "import_ready", state == "importing_from_bulk_writes");
        let or_refused = |can: bool| if can { FINE } else { 400 };
        match what {
            0 | 1 => assert_eq!(answer(&self.cloud.start_import(disk)), or_refused(ready)),
            2 => {
                let expected = if open && self.fails(Call::WriteDisk) { 503 } else { or_refused(open) };
                let offset = self.below(GIB / 4096) * 4096;
                assert_eq!(answer(&self.cloud.write_blocks(disk, offset, &[1; 4096])), expected);
            }
            3 => {
                let expected = if open && self.fails(Call::SyncDisk) { 503 } else { or_refused(open) };
                assert_eq!(answer(&self.cloud.stop_import(disk)), expected);
            }
            _ => self.finalize(disk, ready),
        }
    }

    fn finalize(&mut self, disk: Uuid, ready: bool) {
        let snapshot = self.below(2 * NAMES);
        let name = (snapshot < NAMES).then(|| format!("snapshot-{snapshot}"));
        let expected = if !ready {
            400
        } else if self.fails(Call::SyncDisk) {
            503
        } else if name.is_some() {
            self.room(self.snapshots.contains_key(&snapshot))
        } else {
            FINE
        };
        let result = self.cloud.finalize_import(disk, name.as_deref());
        assert_eq!(answer(&result), expected, "{result:?}");
        let record = self.record(disk);
        match (expected, name) {
            (FINE, Some(_)) => {
                assert_eq!(record.stage, DiskStage::Importing(ImportStage::Finalizing));
                self.snapshots.insert(snapshot, record.snapshotting.unwrap());
            }
            (FINE, None) => assert_eq!(record.stage, DiskStage::Detached),
            _ if ready => assert_eq!(record.stage, DiskStage::Importing(ImportStage::Ready)),
            _ => {}
        }
    }

    fn attach_or_detach(&mut self) {
        let (number, attach) = (self.below(NAMES), self.below(2) == 0);
        let Some(disk) = self.disks.get(&number).copied() else { return };
        let record = self.record(disk);
        let can = match record.stage {
            DiskStage::Attached { .. } => true,
            DiskStage::Detached if attach => record.snapshotting.is_none(),
            DiskStage::Detached => record.built && record.snapshotting.is_none(),
            DiskStage::Importing(_) | DiskStage::Faulted => false,
        };
        let result = if attach {
            self.cloud.attach(self.instance, by_name(&format!("disk-{number}")))
        } else {
            self.cloud.detach(self.instance, disk.into())
        };
        assert_eq!(answer(&result), if can { FINE } else { 400 }, "{result:?}");
    }

    /// Makes a call of a request or of the background work fail.
    fn fail(&mut self) {
        let unreachable = HypervisorError::Unreachable("cut off".to_owned());
        let lost = self.below(2) == 0;
        let call = match self.below(8) {
            0 => Call::WriteDisk,
            1 => Call::SyncDisk,
            2 | 3 => Call::EnsureDisk,
            4 | 5 => Call::EnsureSnapshot,
            6 => Call::DeleteDisk,
            _ => Call::DeleteSnapshot,
        };
        *self.faults.entry(call).or_default() += 1;
        let of_request = matches!(call, Call::WriteDisk | Call::SyncDisk);
        if lost {
            self.cloud.hypervisor.lose_next_answer(call);
        } else if of_request || self.below(2) == 0 {
            self.cloud.hypervisor.fail_next(call, unreachable);
        } else {
            self.cloud.hypervisor.fail_next(call, HypervisorError::Failed("broken".to_owned()));
        }
    }

    /// Invariants that always hold but take too long to be checked after each step.
    fn check(&self) {
        self.cloud.check_invariants();
        let volumes: BTreeSet<Uuid> = self.cloud.volumes().into_iter().collect();
        for needed in self.snapshots.values().chain(self.images.values().map(|(_, volume)| volume)) {
            assert!(volumes.contains(needed), "a volume in use was deleted");
        }
        for known in self.cloud.hypervisor.snapshots() {
            assert!(volumes.contains(&known), "a host has an unknown volume");
        }
    }

    /// Invariants that hold once failures have stopped and time has passed.
    fn rest(&mut self) {
        self.cloud.restart_server();
        self.faults.clear();
        self.cloud.pass(SignedDuration::from_mins(5));
        self.check();
        for disk in self.disks.values() {
            let state = self.cloud.disk_state(*disk);
            assert!(!matches!(state, "creating" | "maintenance" | "finalizing"), "{state}");
            let record = self.record(*disk);
            assert_eq!((record.begins_with, record.snapshotting, record.time_due), (None, None, None));
        }
        for snapshot in self.snapshots.values() {
            assert_ne!(self.cloud.snapshot_state(*snapshot), "creating");
        }
        let read_from = self.images.values().map(|(_, volume)| *volume);
        let needed: BTreeSet<Uuid> = self.snapshots.values().copied().chain(read_from).collect();
        assert_eq!(self.cloud.volumes().into_iter().collect::<BTreeSet<_>>(), needed);
    }
}

fn run(seed: u64) {
    let mut run = Run::new(seed);
    for number in 0..STEPS {
        let before = run.random;
        let step = std::panic::AssertUnwindSafe(|| {
            run.step();
            if number % 64 == 0 {
                run.check();
            }
            if number % 1000 == 999 {
                run.rest();
            }
        });
        if let Err(failure) = std::panic::catch_unwind(step) {
            eprintln!("seed {seed} fails at step {number}, with the generator at {before:#x}");
            std::panic::resume_unwind(failure);
        }
    }
    run.rest();
}

/// One test for each seed, so that they run in parallel.
macro_rules! seeds {
    ($($name:ident: $seed:literal;)*) => {
        $(#[test]
        fn $name() {
            run($seed);
        })*
    };
}

seeds! {
    first_seed: 1;
    second_seed: 2;
    third_seed: 3;
    fourth_seed: 4;
    fifth_seed: 5;
    sixth_seed: 6;
    seventh_seed: 7;
    eighth_seed: 8;
}
