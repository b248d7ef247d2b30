//! Checks of the consistency of a whole database.

use croft_api::Result;
use croft_control::{network_invariants, usage};
use croft_store::{
    Database, ListBy, Sort, Tx,
    records::{DiskRemoval, FLEET, Machine, Sled, SnapshotVolume, StoragePools},
};

/// Checks the database at the end of a test that has not failed: no dangling references and no wrong counters may be
/// left.
pub struct FinalCheck(Database);

impl FinalCheck {
    pub fn of(database: &Database) -> Self {
        Self(database.clone())
    }
}

impl Drop for FinalCheck {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            check(&self.0);
        }
    }
}

/// Checks that counters are correct, references are valid, and the usage of sleds and pools matches what is on them.
pub fn check(database: &Database) {
    let differences = database.read_blocking(usage::recount).unwrap();
    assert_eq!(differences, Vec::<String>::new());
    let differences = database.read_blocking(network_invariants::recount).unwrap();
    assert_eq!(differences, Vec::<String>::new());
    database.read_blocking(check_hosts).unwrap();
}

fn check_hosts(tx: &mut Tx<'_>) -> Result<()> {
    let machines: Vec<Machine> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
    let sleds: Vec<Sled> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
    for sled in sleds {
        let on_it = machines.iter().filter(|machine| machine.sled_id == sled.meta.id);
        let (cpus, memory) =
            on_it.fold((0, 0), |sum, machine| (sum.0 + machine.cpus, sum.1 + machine.memory));
        assert_eq!(
            (sled.reserved_threads, sled.reserved_memory),
            (cpus, memory),
            "{}",
            sled.baseboard.serial
        );
        assert!(cpus <= sled.threads && memory <= sled.guest_memory);
    }
    for machine in machines {
        let instance = tx.get::<croft_store::records::Instance>(machine.instance_id)?;
        let link = instance.as_ref().and_then(|instance| instance.machine());
        assert_eq!(link.map(|link| link.id), Some(machine.meta.id), "a machine without an instance");
    }
    let disks: Vec<croft_store::records::Disk> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
    let removals: Vec<DiskRemoval> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
    let copies = disks.iter().map(|disk| (&disk.pools, disk.size.bytes()));
    let volumes: Vec<SnapshotVolume> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
    let copies = copies.chain(removals.iter().map(|removal| (&removal.pools, removal.size)));
    let copies: Vec<_> = copies.chain(volumes.iter().map(|volume| (&volume.pools, volume.size))).collect();
    for pool in tx.get::<StoragePools>(FLEET)?.unwrap().pools {
        let used: u64 =
            copies.iter().filter(|(pools, _)| pools.contains(&pool.id)).map(|(_, size)| size / 4 * 5).sum();
        assert_eq!(pool.used, used, "pool {}", pool.id);
    }
    Ok(())
}
