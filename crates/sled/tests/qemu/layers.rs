//! Access to the layers of disks.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use croft_sled::{Hypervisor as _, MachineSpec, MachineState};
use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    host::{self, expected, open, wait_for_end, wait_for_snapshot, wait_for_state},
    machines::process_of,
};

/// The user and the groups of a machine's process.
#[derive(Clone)]
struct Rights {
    user: String,
    groups: String,
    /// The folder from which the process reaches the layers. All machines' users can pass through it.
    from: PathBuf,
}

impl Rights {
    fn of(spec: &MachineSpec) -> Self {
        let process = process_of(spec);
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let field = |name: &str| -> Vec<String> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().map(str::to_owned).collect()
        };
        let runs_in = fs::read_link(format!("/proc/{process}/cwd")).unwrap();
        let from = runs_in.parent().unwrap().to_owned();
        Self { user: field("Uid:")[0].clone(), groups: field("Groups:").join(","), from }
    }

    /// Whether `test` succeeds for a layer with these rights.
    fn may(&self, test: &str, layer: &str) -> bool {
        let rights = ["--reuid", "--regid"].map(|what| format!("{what}={}", self.user));
        let done = Command::new("setpriv")
            .args(rights)
            .arg(format!("--groups={}", self.groups))
            .args(["--bounding-set=-all", "--inh-caps=-all", "--", "test", test])
            .arg(format!("../../layers/{layer}"))
            .current_dir(&self.from)
            .status();
        done.unwrap().success()
    }

    /// Returns which of these layers can be read. None may be writable.
    fn reads(&self, layers: &[String]) -> Vec<bool> {
        assert!(layers.iter().all(|layer| self.may("-e", layer)), "the layers can be reached");
        assert!(!layers.iter().any(|layer| self.may("-w", layer)), "frozen layers are not writable");
        layers.iter().map(|layer| self.may("-r", layer)).collect()
    }
}

/// The layers below the topmost one of a disk, lowest first.
fn frozen(folder: &Path, disk: Uuid) -> Vec<String> {
    let record = fs::read(folder.join(format!("qemu/disks/{disk}.json"))).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    let layers = record["layers"].as_array().unwrap();
    layers[1..].iter().rev().map(|layer| layer["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn machine_reads_only_layers_of_its_disks() {
    let own = fs::read_to_string("/proc/self/status").unwrap();
    if !own.lines().any(|line| line.starts_with("Uid:\t0\t")) {
        return host::skip("users are for root to choose");
    }
    let Some((folder, mut qemu)) = host::host() else { return };
    let start = |qemu: &croft_sled::qemu::Qemu, number: u64, disk: Uuid| {
        let spec = host::machine(number, "db1", disk, "");
        qemu.ensure_machine(&spec).unwrap();
        wait_for_state(qemu, &spec, MachineState::Running);
        spec
    };
    let [one, two] = [1, 2].map(|number| {
        let disk = host::disk(number, None);
        qemu.ensure_disk(&disk).unwrap();
        wait_for_snapshot(&qemu, &host::snapshot(number + 20, disk.id, None));
        disk.id
    });
    let (first, second) = (start(&qemu, 81, one), start(&qemu, 82, two));
    let (of_first, of_second) = (Rights::of(&first), Rights::of(&second));
    assert_ne!(of_first.user, of_second.user);
    assert_eq!(of_first.reads(&frozen(folder.path(), one)), [true]);
    assert_eq!(of_second.reads(&frozen(folder.path(), two)), [true]);
    assert_eq!(of_first.reads(&frozen(folder.path(), two)), [false]);
    assert_eq!(of_second.reads(&frozen(folder.path(), one)), [false]);

    // The former top layer of the disk becomes readable.
    wait_for_snapshot(&qemu, &host::snapshot(23, one, Some(first.id)));
    assert_eq!(of_first.reads(&frozen(folder.path(), one)), [true, true]);
    assert_eq!(of_second.reads(&frozen(folder.path(), one)), [false, false]);

    // A machine adopted by a later server, and another machine that shares a layer with it.
    let reports =
        [&first, &second].map(|spec| expected(spec, qemu.observe_machine(spec.sled_id, spec.id).unwrap()));
    drop(qemu);
    qemu = open(folder.path()).unwrap();
    qemu.adopt(&reports, Timestamp::UNIX_EPOCH).unwrap();
    for spec in [&first, &second] {
        host::wait(&qemu, "the machine to answer", || {
            qemu.counters(spec.id, croft_sled::Counted::Everything, Timestamp::UNIX_EPOCH).is_ok()
        });
    }
    let copy = host::disk(3, Some(Uuid::from_u128(21)));
    qemu.ensure_disk(&copy).unwrap();
    let third = start(&qemu, 83, copy.id);
    let of_third = Rights::of(&third);
    assert_eq!(of_first.reads(&frozen(folder.path(), one)), [true, true]);
    assert_eq!(of_second.reads(&frozen(folder.path(), one)), [false, false]);
    assert_eq!(of_third.reads(&frozen(folder.path(), one)), [true, false], "only the shared layer");

    // The user of a machine that has ended may be used for another machine later.
    let below = frozen(folder.path(), one);
    wait_for_end(&qemu, &first);
    let later = Rights { from: of_third.from.clone(), ..of_first };
    assert_eq!(later.reads(&below), [false, false], "the rights of a machine are removed when it ends");
    assert_eq!(of_third.reads(&below), [true, false]);
    for spec in [&second, &third] {
        wait_for_end(&qemu, spec);
    }
}
