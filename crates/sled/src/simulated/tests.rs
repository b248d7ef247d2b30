use jiff::SignedDuration;

use super::*;
use crate::{MachineDisk, MachineState};

const SECOND: SignedDuration = SignedDuration::from_secs(1);

fn at(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(1_700_000_000_000 + milliseconds).unwrap()
}

fn hypervisor() -> Simulated {
    let timing = Timing { start: SECOND * 4, stop: SECOND * 2, reboot: SECOND * 3, disk: SECOND, speed: 1.0 };
    let simulated = Simulated::new(SimulatedOptions { timing, ..SimulatedOptions::default() });
    simulated.advance(at(0));
    simulated
}

fn spec(number: u128) -> MachineSpec {
    let id = Uuid::from_u128(number);
    MachineSpec {
        id,
        instance_id: id,
        sled_id: SimulatedOptions::default().sleds[0].id,
        name: "db".to_owned(),
        hostname: "db1".to_owned(),
        cpus: 2,
        memory: 4 << 30,
        disks: vec![MachineDisk { id, slot: 0, boot: true }],
        user_data: Vec::new(),
        public_keys: Vec::new(),
        interfaces: Vec::new(),
    }
}

fn state(hypervisor: &Simulated, spec: &MachineSpec) -> MachineState {
    hypervisor.observe_machine(spec.sled_id, spec.id).unwrap().state
}

fn text(hypervisor: &Simulated, id: Uuid) -> String {
    String::from_utf8(hypervisor.serial(id).unwrap().read_from(0, 1 << 20).unwrap().bytes).unwrap()
}

fn running(hypervisor: &Simulated) -> MachineSpec {
    let spec = spec(1);
    hypervisor.ensure_machine(&spec).unwrap();
    hypervisor.advance(at(4000));
    hypervisor.take_events();
    assert_eq!(state(hypervisor, &spec), MachineState::Running);
    spec
}

#[test]
fn machine_lifecycle_takes_the_configured_times() {
    let hypervisor = hypervisor();
    let spec = spec(1);
    let first = hypervisor.ensure_machine(&spec).unwrap();
    assert_eq!(first.state, MachineState::Starting);
    assert_eq!(hypervisor.ensure_machine(&spec).unwrap(), first, "a second call changes nothing");
    hypervisor.advance(at(3999));
    assert_eq!(state(&hypervisor, &spec), MachineState::Starting);
    assert_eq!(hypervisor.take_events(), []);
    hypervisor.advance(at(4000));
    assert_eq!(state(&hypervisor, &spec), MachineState::Running);
    assert_eq!(hypervisor.take_events(), [HypervisorEvent::Machine(spec.id)]);
    assert_eq!(hypervisor.next_event(), None);

    hypervisor.reboot_machine(spec.id).unwrap();
    let again = hypervisor.reboot_machine(spec.id).unwrap();
    assert_eq!(again.state, MachineState::Rebooting);
    hypervisor.advance(at(7000));
    let up = hypervisor.observe_machine(spec.sled_id, spec.id).unwrap();
    assert_eq!(up, MachineReport { state: MachineState::Running, generation: again.generation + 1 });

    hypervisor.stop_machine(spec.id).unwrap();
    assert!(matches!(hypervisor.reboot_machine(spec.id), Err(HypervisorError::Refused(_))));
    hypervisor.advance(at(9000));
    assert_eq!(state(&hypervisor, &spec), MachineState::Ended);
    hypervisor.destroy_machine(spec.sled_id, spec.id).unwrap();
    hypervisor.destroy_machine(spec.sled_id, spec.id).unwrap();
    assert_eq!(hypervisor.observe_machine(spec.sled_id, spec.id), Err(HypervisorError::UnknownMachine));
}

#[test]
fn console_prints_boot_messages_and_answers_input() {
    let hypervisor = hypervisor();
    let spec = spec(1);
    hypervisor.ensure_machine(&spec).unwrap();
    let line = hypervisor.serial(spec.id).unwrap();
    line.write(b"too early\r");
    hypervisor.advance(at(2000));
    let half = text(&hypervisor, spec.id);
    assert!(half.contains("Linux version") && !half.contains("Multi-User"), "{half}");
    hypervisor.advance(at(4000));
    assert!(text(&hypervisor, spec.id).ends_with("db1 login: "));
    line.write(b"rooot\x7f\x7ft\rhostname\r\x1b[Aecho hi  there\r");
    let all = text(&hypervisor, spec.id);
    assert!(!all.contains("too early"));
    assert!(all.contains("root@db1:~$ hostname\r\ndb1\r\n"), "{all}");
    assert!(all.ends_with("echo hi  there\r\nhi  there\r\nroot@db1:~$ "), "{all}");
    line.write(b"nonsense\rexit\r");
    let all = text(&hypervisor, spec.id);
    assert!(all.contains("nonsense: command not found"));
    assert!(all.ends_with("logout\r\n\r\ndb1 login: "));
}

#[test]
fn console_accepts_any_bytes() {
    let hypervisor = hypervisor();
    let spec = running(&hypervisor);
    let line = hypervisor.serial(spec.id).unwrap();
    line.write(b"root\r");
    let start = line.total();
    let all: Vec<u8> = (0..=u8::MAX).collect();
    line.write(&all);
    line.write("ä\x7f".as_bytes());
    assert!(line.total() > start);
}

#[test]
fn reboot_by_host_or_guest_keeps_the_history() {
    let hypervisor = hypervisor();
    let spec = running(&hypervisor);
    let line = hypervisor.serial(spec.id).unwrap();
    line.write(b"root\rreboot\r");
    hypervisor.advance(at(4001));
    assert_eq!(state(&hypervisor, &spec), MachineState::Rebooting);
    hypervisor.advance(at(8000));
    let all = text(&hypervisor, spec.id);
    assert_eq!(all.matches("Linux version").count(), 2, "{all}");
    assert!(all.ends_with("db1 login: "));
    line.write(b"root\rpoweroff\r");
    hypervisor.advance(at(8001));
    hypervisor.advance(at(10_001));
    assert_eq!(state(&hypervisor, &spec), MachineState::Ended);
}

#[test]
fn adopted_machine_continues() {
    let hypervisor = hypervisor();
    let spec = spec(1);
    let last_report = MachineReport { state: MachineState::Running, generation: 7 };
    let expected = ExpectedMachine { spec: spec.clone(), last_report, is_registered: true };
    hypervisor.adopt(&[expected.clone(), expected], at(0)).unwrap();
    assert_eq!(hypervisor.observe_machine(spec.sled_id, spec.id), Ok(last_report));
    assert_eq!(hypervisor.stop_machine(spec.id).unwrap().generation, 8);
}

#[test]
fn requested_failures_occur() {
    let hypervisor = hypervisor();
    let spec = running(&hypervisor);
    hypervisor.fail_next(Call::StopMachine, HypervisorError::Failed("no".to_owned()));
    assert_eq!(hypervisor.stop_machine(spec.id), Err(HypervisorError::Failed("no".to_owned())));
    hypervisor.set_reachable(spec.sled_id, false);
    assert!(matches!(hypervisor.stop_machine(spec.id), Err(HypervisorError::Unreachable(_))));
    hypervisor.set_reachable(spec.sled_id, true);
    hypervisor.hang_machine(spec.id);
    hypervisor.stop_machine(spec.id).unwrap();
    hypervisor.advance(at(1_000_000));
    assert_eq!(state(&hypervisor, &spec), MachineState::Stopping);
    let line = hypervisor.serial(spec.id).unwrap();
    hypervisor.forget_machine(spec.id);
    assert_eq!(hypervisor.stop_machine(spec.id), Err(HypervisorError::UnknownMachine));
    assert!(line.is_closed());
}

#[test]
fn disk_creation_takes_the_configured_time() {
    let hypervisor = hypervisor();
    let spec = DiskSpec {
        id: Uuid::from_u128(9),
        size: 1 << 30,
        block_size: 512,
        pools: Vec::new(),
        snapshot: None,
    };
    assert_eq!(hypervisor.ensure_disk(&spec), Ok(DiskReport::Building));
    hypervisor.advance(at(1000));
    assert_eq!(hypervisor.take_events(), [HypervisorEvent::Disk(spec.id)]);
    assert_eq!(hypervisor.ensure_disk(&spec), Ok(DiskReport::Ready));
    hypervisor.delete_disk(spec.id).unwrap();
    hypervisor.delete_disk(spec.id).unwrap();
    assert!(hypervisor.disks().is_empty());
}

#[test]
fn speed_divides_every_duration() {
    let timing = Timing { start: SECOND * 4, speed: 8.0, ..Timing::default() };
    assert_eq!(timing.scaled().start, SignedDuration::from_millis(500));
    assert_eq!(Timing { speed: 0.0, ..timing }.scaled().start, SECOND * 4);
}

#[test]
fn first_start_can_be_slow_or_never_end() {
    let timing = Timing { start: SECOND * 3, ..Timing::INSTANT };
    let never_up = vec!["stuck".to_owned()];
    let options =
        SimulatedOptions { timing, first_start: Some(SECOND * 4), never_up, ..SimulatedOptions::default() };
    let hypervisor = Simulated::new(options);
    let (first, mut stuck) = (spec(1), spec(2));
    "stuck".clone_into(&mut stuck.name);
    let mut second = spec(3);
    second.instance_id = first.instance_id;
    for (machine, begun, running) in [(&first, 0, 4000), (&second, 10_000, 13_000)] {
        hypervisor.advance(at(begun));
        hypervisor.ensure_machine(machine).unwrap();
        hypervisor.advance(at(running - 1));
        assert_eq!(state(&hypervisor, machine), MachineState::Starting);
        hypervisor.advance(at(running));
        assert_eq!(state(&hypervisor, machine), MachineState::Running);
        hypervisor.destroy_machine(machine.sled_id, machine.id).unwrap();
    }
    hypervisor.ensure_machine(&stuck).unwrap();
    hypervisor.advance(at(1_000_000_000));
    assert_eq!(state(&hypervisor, &stuck), MachineState::Starting);
}

#[test]
fn serial_follower_receives_output_character_by_character() {
    let greeting = "Hi!".to_owned();
    let hypervisor = Simulated::new(SimulatedOptions { greeting, ..hypervisor().options });
    hypervisor.advance(at(0));
    let spec = running(&hypervisor);
    let line = hypervisor.serial(spec.id).unwrap();
    let before = text(&hypervisor, spec.id);
    line.attend();
    line.attend();
    hypervisor.advance(at(5000));
    for (time, printed) in [(5999, ""), (6000, "H"), (6049, "H"), (6050, "Hi"), (6100, "Hi!"), (9000, "Hi!")]
    {
        hypervisor.advance(at(time));
        assert_eq!(text(&hypervisor, spec.id).strip_prefix(&before), Some(printed), "at {time}");
    }
    assert_eq!(hypervisor.next_event(), None);
    line.attend();
    hypervisor.advance(at(10_000));
    assert_eq!(hypervisor.next_event(), Some(at(11_000)));
    line.write(b"a\r");
    hypervisor.advance(at(12_000));
    assert!(text(&hypervisor, spec.id).ends_with("Hi!"), "input does not stop the output");
}

#[test]
fn incidents_have_a_cause_and_wake_listeners() {
    let hypervisor = hypervisor();
    let spec = running(&hypervisor);
    hypervisor.print(spec.id, b"last words\r\n");
    let listener = hypervisor.listen();
    hypervisor.break_machine(spec.id);
    assert!(event_listener::Listener::wait_timeout(listener, std::time::Duration::ZERO).is_some());
    let [incident] = hypervisor.take_incidents().try_into().unwrap();
    assert_eq!((incident.machine_id, incident.instance_id), (spec.id, spec.instance_id));
    assert_eq!((incident.kind, incident.time), (IncidentKind::Broke, at(4000)));
    assert!(incident.cause.contains("told to fail"), "{incident:?}");
    assert!(incident.serial_tail.ends_with("last words"), "{incident:?}");

    let other = MachineIncident { kind: IncidentKind::NotStarted, ..incident };
    hypervisor.push_incident(other.clone());
    assert_eq!(hypervisor.take_incidents(), [other]);
    assert_eq!(hypervisor.take_incidents(), []);
}
