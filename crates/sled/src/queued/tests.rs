use std::sync::atomic::{AtomicBool, Ordering};

use croft_api::scalar::Vni;
use event_listener::Listener as _;
use jiff::SignedDuration;

use super::*;
use crate::{
    MachineDisk, MachineInterface, MachineState,
    simulated::{self, Simulated, SimulatedOptions, SimulatedSled, Timing},
};

/// The time after which a test that still waits has failed.
const LIMIT: Duration = Duration::from_mins(1);

/// Callers do not wait.
const NO_WAIT: QueueOptions =
    QueueOptions { workers: 3, moment: Duration::ZERO, end_limit: Duration::from_mins(1) };

/// Callers wait as long as the host takes.
const LONG_WAIT: QueueOptions = QueueOptions { moment: Duration::from_hours(1), ..NO_WAIT };

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Two sleds and their queues.
fn host(options: QueueOptions) -> (Arc<Simulated>, Queued) {
    let sled = |number| SimulatedSled::numbered(number, 16, 1 << 36, 2, 1 << 40);
    let timing = Timing { start: SignedDuration::from_secs(1), ..Timing::INSTANT };
    let options_of_host = SimulatedOptions { sleds: vec![sled(1), sled(2)], timing, ..Default::default() };
    let simulated = Arc::new(Simulated::new(options_of_host));
    let host: Arc<dyn Hypervisor> = simulated.clone();
    (simulated, Queued::new(host, options))
}

fn sled(host: &Queued, number: usize) -> Uuid {
    host.inventory().sleds[number].id
}

fn machine(host: &Queued, number: u128, on: usize, vpc: Option<Uuid>) -> MachineSpec {
    let interface = |vpc_id| MachineInterface {
        id: id(number),
        slot: 0,
        vpc_id,
        mac: "A8:40:25:00:00:01".parse().unwrap(),
        ip: [172, 30, 0, 5].into(),
        subnet: "172.30.0.0/22".parse().unwrap(),
    };
    MachineSpec {
        id: id(number),
        instance_id: id(number),
        sled_id: sled(host, on),
        name: "db".to_owned(),
        hostname: "db".to_owned(),
        cpus: 1,
        memory: 1 << 30,
        disks: vec![MachineDisk { id: id(number), slot: 0, boot: true }],
        user_data: Vec::new(),
        public_keys: Vec::new(),
        interfaces: vpc.map(interface).into_iter().collect(),
    }
}

fn disk(host: &Queued, number: u128, on: usize) -> DiskSpec {
    let pools = vec![host.inventory().sleds[on].pools[0].id];
    DiskSpec { id: id(number), size: 1 << 30, block_size: 512, pools, snapshot: None }
}

fn network(number: u128) -> Network {
    Network {
        id: id(number),
        vni: Vni::try_from(2000).unwrap(),
        dns_name: "shop".parse().unwrap(),
        subnets: Vec::new(),
        interfaces: Vec::new(),
        rules: Vec::new(),
    }
}

/// Repeats a call after each event until it has an outcome.
fn in_time<T>(host: &Queued, call: impl Fn() -> Result<T, HypervisorError>) -> Result<T, HypervisorError> {
    let end = Instant::now() + LIMIT;
    loop {
        let listener = host.listen();
        match call() {
            Err(HypervisorError::Pending) => {
                assert!(listener.wait_deadline(end).is_some(), "timed out");
            }
            other => return other,
        }
    }
}

fn pending<T: fmt::Debug>(answer: Result<T, HypervisorError>) {
    assert_eq!(answer.map(drop), Err(HypervisorError::Pending));
}

#[test]
fn slow_call_does_not_delay_other_calls() {
    let (simulated, host) = host(NO_WAIT);
    let (slow, same, other) =
        (machine(&host, 1, 0, None), machine(&host, 2, 0, None), machine(&host, 3, 1, None));
    simulated.hold(slow.id);
    pending(host.ensure_machine(&slow));
    simulated.wait_until_held(slow.id, 1);
    for spec in [&same, &other] {
        let disk = disk(&host, spec.id.as_u128() + 10, usize::from(spec.id == other.id));
        in_time(&host, || host.ensure_disk(&disk)).unwrap();
        in_time(&host, || host.ensure_machine(spec)).unwrap();
        in_time(&host, || host.ensure_network(&network(spec.id.as_u128() + 20))).unwrap();
        in_time(&host, || host.stop_machine(spec.id)).unwrap();
        in_time(&host, || host.destroy_machine(spec.sled_id, spec.id)).unwrap();
        in_time(&host, || host.delete_disk(disk.id)).unwrap();
    }
    assert!(simulated.machines().is_empty(), "the held machine has not started yet");
    simulated.release(slow.id);
    in_time(&host, || host.ensure_machine(&slow)).unwrap();
    assert_eq!(simulated.machines(), [slow.id]);
}

#[test]
fn busy_sled_does_not_delay_other_sleds() {
    let (simulated, host) = host(NO_WAIT);
    simulated.hold(sled(&host, 0));
    let held: Vec<_> = (1..6).map(|number| disk(&host, number, 0)).collect();
    for disk in &held {
        pending(host.ensure_disk(disk));
    }
    simulated.wait_until_held(sled(&host, 0), NO_WAIT.workers);
    in_time(&host, || host.ensure_disk(&disk(&host, 10, 1))).unwrap();
    assert_eq!(host.threads(), NO_WAIT.workers + 1, "threads are limited and started on demand");
    assert_eq!(simulated.disks(), [id(10)]);
    simulated.release(sled(&host, 0));
    for disk in &held {
        in_time(&host, || host.ensure_disk(disk)).unwrap();
    }
    assert_eq!(simulated.disks().len(), held.len() + 1);
}

#[test]
fn caller_waits_for_started_calls_only() {
    let (simulated, host) = host(LONG_WAIT);
    for number in 1..50 {
        host.ensure_disk(&disk(&host, number, 0)).unwrap();
        host.delete_disk(id(number)).unwrap();
    }
    assert_eq!(host.threads(), 1, "one caller needs one thread");
    let held: Vec<_> = (1..=3).map(|number| disk(&host, number, 0)).collect();
    thread::scope(|scope| {
        for disk in &held {
            simulated.hold(disk.id);
            scope.spawn(|| host.ensure_disk(disk).unwrap());
            simulated.wait_until_held(disk.id, 1);
        }
        // Must not wait for the hour of `moment`.
        pending(host.ensure_disk(&disk(&host, 4, 0)));
        for disk in &held {
            simulated.release(disk.id);
        }
    });
    in_time(&host, || host.ensure_disk(&disk(&host, 4, 0))).unwrap();
}

#[test]
fn calls_about_one_object_keep_their_order() {
    let (simulated, host) = host(NO_WAIT);
    let (one, other) = (disk(&host, 1, 0), disk(&host, 2, 0));
    simulated.hold(one.id);
    pending(host.ensure_disk(&one));
    simulated.wait_until_held(one.id, 1);
    for _ in 0..3 {
        pending(host.delete_disk(one.id));
    }
    in_time(&host, || host.ensure_disk(&other)).unwrap();
    assert_eq!(simulated.disks(), [other.id], "the disk is neither created nor deleted");
    simulated.release(one.id);
    in_time(&host, || host.delete_disk(one.id)).unwrap();
    assert_eq!(simulated.disks(), [other.id], "the disk was created and then deleted");
}

#[test]
fn outcome_is_returned_once_to_the_same_call() {
    let (simulated, host) = host(NO_WAIT);
    let disk = disk(&host, 1, 0);
    let trouble = || HypervisorError::Failed("no room".to_owned());
    let fail = || {
        host.take_events();
        simulated.fail_next(simulated::Call::EnsureDisk, trouble());
        pending(host.ensure_disk(&disk));
        let end = Instant::now() + LIMIT;
        loop {
            let listener = host.listen();
            if host.take_events().contains(&HypervisorEvent::Disk(disk.id)) {
                return;
            }
            assert!(listener.wait_deadline(end).is_some(), "there was no event");
        }
    };
    fail();
    assert_eq!(host.ensure_disk(&disk), Err(trouble()));
    in_time(&host, || host.ensure_disk(&disk)).unwrap();
    fail();
    in_time(&host, || host.delete_disk(disk.id)).unwrap();
    in_time(&host, || host.ensure_disk(&disk)).unwrap();
}

#[test]
fn machine_starts_after_its_vpc_was_set_up() {
    let (simulated, host) = host(NO_WAIT);
    let (vpc, other) = (network(1), network(2));
    let spec = machine(&host, 5, 0, Some(vpc.id));
    simulated.hold(vpc.id);
    pending(host.ensure_network(&vpc));
    pending(host.ensure_machine(&spec));
    simulated.wait_until_held(vpc.id, 1);
    in_time(&host, || host.ensure_network(&other)).unwrap();
    in_time(&host, || host.ensure_machine(&machine(&host, 6, 0, Some(other.id)))).unwrap();
    assert_eq!((simulated.machines(), simulated.networks()), (vec![id(6)], vec![other.id]));
    simulated.release(vpc.id);
    in_time(&host, || host.ensure_machine(&spec)).unwrap();
    assert_eq!(simulated.networks(), [vpc.id, other.id]);
    assert!(host.take_events().contains(&HypervisorEvent::Network(vpc.id)));
}

#[test]
fn machines_of_one_vpc_leave_threads_for_others() {
    let (simulated, host) = host(NO_WAIT);
    let stuck: Vec<_> = (1..=4).map(|number| machine(&host, number, 0, Some(id(100)))).collect();
    for spec in &stuck {
        simulated.hold(spec.id);
        pending(host.ensure_machine(spec));
    }
    simulated.wait_until_held(stuck[1].id, 1);
    let other = machine(&host, 10, 0, Some(id(101)));
    in_time(&host, || host.ensure_machine(&other)).unwrap();
    for spec in &stuck {
        simulated.release(spec.id);
    }
    for spec in &stuck {
        in_time(&host, || host.ensure_machine(spec)).unwrap();
    }
}

#[test]
fn unused_networks_are_derived_from_the_described_ones() {
    let (simulated, host) = host(NO_WAIT);
    let (one, other, left) = (network(1), network(2), network(3));
    in_time(&host, || host.ensure_network(&left)).unwrap();
    simulated.hold(one.id);
    pending(host.ensure_network(&one));
    simulated.wait_until_held(one.id, 1);
    pending(host.retain_networks(&[one.id]));
    in_time(&host, || host.ensure_network(&other)).unwrap();
    assert_eq!(
        simulated.networks(),
        [other.id, left.id],
        "the held call has not started and does not block others"
    );
    simulated.release(one.id);
    in_time(&host, || host.ensure_network(&one)).unwrap();

    simulated.hold(Uuid::nil());
    in_time(&host, || host.delete_network(other.id)).unwrap();
    pending(host.retain_networks(&[one.id]));
    simulated.wait_until_held(Uuid::nil(), 1);
    pending(host.ensure_network(&other));
    simulated.release(Uuid::nil());
    in_time(&host, || host.ensure_network(&other)).unwrap();
    in_time(&host, || host.retain_networks(&[one.id])).unwrap();
    assert_eq!(simulated.networks(), [one.id, other.id], "networks described after the call are kept");
}

#[test]
fn machine_being_ended_is_not_reported_lost() {
    let (simulated, host) = host(NO_WAIT);
    let spec = machine(&host, 1, 1, None);
    in_time(&host, || host.ensure_machine(&spec)).unwrap();
    simulated.hold(spec.id);
    pending(host.destroy_machine(spec.sled_id, spec.id));
    simulated.wait_until_held(spec.id, 1);
    host.observe_machine(spec.sled_id, spec.id).unwrap();
    simulated.release(spec.id);
    let gone = || match host.observe_machine(spec.sled_id, spec.id) {
        Ok(_) => Err(HypervisorError::Pending),
        Err(error) => Ok(error),
    };
    assert_eq!(in_time(&host, gone), Ok(HypervisorError::Pending));
    in_time(&host, || host.destroy_machine(spec.sled_id, spec.id)).unwrap();
    assert_eq!(host.observe_machine(spec.sled_id, spec.id), Err(HypervisorError::UnknownMachine));
}

#[test]
fn late_outcome_has_the_current_machine_state() {
    let (simulated, host) = host(NO_WAIT);
    let spec = machine(&host, 1, 0, None);
    pending(host.ensure_machine(&spec));
    in_time(&host, || host.ensure_disk(&disk(&host, 2, 0))).unwrap();
    let is_there = || simulated.machines().first().ok_or(HypervisorError::Pending).copied();
    in_time(&host, is_there).unwrap();
    simulated.advance(Timestamp::UNIX_EPOCH + SignedDuration::from_secs(10));
    simulated.take_events();
    let report = in_time(&host, || host.ensure_machine(&spec)).unwrap();
    assert_eq!(report.state, MachineState::Running);
}

#[test]
fn shutdown_drops_pending_calls_and_joins_threads() {
    let (simulated, host) = host(QueueOptions { workers: 1, ..NO_WAIT });
    let (begun, queued) = (disk(&host, 1, 0), disk(&host, 2, 0));
    simulated.hold(begun.id);
    pending(host.ensure_disk(&begun));
    simulated.wait_until_held(begun.id, 1);
    pending(host.ensure_disk(&queued));
    host.close();
    pending(host.ensure_disk(&disk(&host, 3, 0)));
    simulated.release(begun.id);
    host.end();
    assert_eq!((simulated.disks(), host.threads()), (vec![begun.id], 0));
}

#[test]
fn server_without_lease_starts_no_calls() {
    let (simulated, _) = host(NO_WAIT);
    let holds_lease = Arc::new(AtomicBool::new(true));
    let lease_check = Arc::clone(&holds_lease);
    let inner: Arc<dyn Hypervisor> = simulated.clone();
    let guard = Box::new(move || lease_check.load(Ordering::Acquire));
    let host = Queued::while_allowed(inner, QueueOptions { workers: 1, ..NO_WAIT }, guard);
    let (begun, queued) = (disk(&host, 1, 0), disk(&host, 2, 0));
    simulated.hold(begun.id);
    pending(host.ensure_disk(&begun));
    simulated.wait_until_held(begun.id, 1);
    pending(host.ensure_disk(&queued));
    holds_lease.store(false, Ordering::Release);
    simulated.release(begun.id);
    host.end();
    pending(host.ensure_disk(&queued));
    assert_eq!(simulated.disks(), [begun.id], "queued calls are not started");
}
