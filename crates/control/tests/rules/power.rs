use croft_api::{
    instance::{Instance, InstanceState},
    scalar::NameOrId,
    serial::InstanceSerialConsoleQuery,
};
use croft_control::instance::{self, Console};
use croft_sled::Hypervisor as _;
use uuid::Uuid;

use crate::kit::{Cloud, refused};

type Outcome = Result<InstanceState, (u16, &'static str)>;

/// Brings an instance of a new cloud into a state, using operations only.
fn cloud_with(state: InstanceState) -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.instance("web", "db").id;
    cloud.pass_seconds(1);
    if state != InstanceState::Stopped {
        cloud.start_instance(id).unwrap();
    }
    match state {
        InstanceState::Starting | InstanceState::Stopped => {}
        _ => cloud.pass_seconds(10),
    }
    match state {
        InstanceState::Rebooting => drop(cloud.reboot_instance(id).unwrap()),
        InstanceState::Stopping => drop(cloud.stop_instance(id).unwrap()),
        InstanceState::Failed => {
            let machine = cloud.hypervisor.machines()[0];
            cloud.modify_instance_record(id, |instance| {
                instance.auto_restart_policy = Some(croft_store::records::InstanceAutoRestartPolicy::Never);
            });
            cloud.hypervisor.forget_machine(machine);
            cloud.settle();
        }
        _ => {}
    }
    assert_eq!(cloud.state(id), state);
    (cloud, id)
}

fn check(
    state: InstanceState,
    name: &str,
    expected: Outcome,
    rests: InstanceState,
    operate: fn(&mut Cloud, Uuid) -> croft_api::Result<Instance>,
) {
    // Once immediately after the request that led to the state, and once after the host was informed.
    for host_informed in [false, true] {
        let (mut cloud, id) = cloud_with(state);
        if host_informed {
            cloud.settle();
        }
        let before = cloud.view(id);
        let result = operate(&mut cloud, id);
        match (result, expected) {
            (Ok(view), Ok(expected)) => {
                assert_eq!(view.run_state, expected, "{name} while {state:?}");
                let stored = cloud.view(id);
                assert_eq!(stored.time_run_state_updated, view.time_run_state_updated);
                if expected == state {
                    assert_eq!(
                        format!("{before:?}"),
                        format!("{stored:?}"),
                        "{name} while {state:?} changes nothing"
                    );
                } else {
                    assert!(stored.time_run_state_updated > before.time_run_state_updated);
                }
            }
            (Err(error), Err((status, message))) => {
                assert_eq!(
                    (crate::kit::status(&error), error.message().as_str()),
                    (status, message),
                    "{name} while {state:?}"
                );
            }
            (result, expected) => panic!("{name} while {state:?}: {result:?} instead of {expected:?}"),
        }
        cloud.pass_seconds(20);
        assert_eq!(cloud.state(id), rests, "the final state of {name} while {state:?}");
        cloud.check_invariants();
    }
}

#[test]
fn start_in_every_state() {
    use InstanceState::{Failed, Rebooting, Running, Starting, Stopped, Stopping};
    let start = Cloud::start_instance;
    let busy = (409, "instance must finish stopping before it can be started");
    check(Stopped, "start", Ok(Starting), Running, start);
    check(Starting, "start", Ok(Starting), Running, start);
    check(Running, "start", Ok(Running), Running, start);
    check(Rebooting, "start", Ok(Rebooting), Running, start);
    check(Stopping, "start", Err(busy), Stopped, start);
    check(Failed, "start", Ok(Starting), Running, start);
}

#[test]
fn stop_in_every_state() {
    use InstanceState::{Failed, Rebooting, Running, Starting, Stopped, Stopping};
    let stop = Cloud::stop_instance;
    for state in [Starting, Running, Rebooting, Stopping] {
        check(state, "stop", Ok(Stopping), Stopped, stop);
    }
    check(Stopped, "stop", Ok(Stopped), Stopped, stop);
    check(Failed, "stop", Ok(Stopped), Stopped, stop);
}

#[test]
fn reboot_in_every_state() {
    use InstanceState::{Failed, Rebooting, Running, Starting, Stopped, Stopping};
    let reboot = Cloud::reboot_instance;
    for state in [Starting, Running, Rebooting] {
        check(state, "reboot", Ok(Rebooting), Running, reboot);
    }
    let stopping = (400, "instance state cannot be changed from state \"stopping\"");
    check(Stopping, "reboot", Err(stopping), Stopped, reboot);
    let stopped = (400, "cannot reboot an instance in state stopped with no VMM");
    check(Stopped, "reboot", Err(stopped), Stopped, reboot);
    check(Failed, "reboot", Err((400, "instance state cannot be changed from failed")), Failed, reboot);
}

#[test]
fn delete_in_every_state() {
    use InstanceState::{Failed, Rebooting, Running, Starting, Stopped, Stopping};
    let active = "cannot delete instance: instance is running or has not yet fully stopped";
    for state in [Starting, Running, Rebooting, Stopping] {
        let (mut cloud, id) = cloud_with(state);
        assert_eq!(refused(cloud.delete_instance(id)), (400, active.to_owned()), "{state:?}");
    }
    for state in [Stopped, Failed] {
        let (mut cloud, id) = cloud_with(state);
        cloud.delete_instance(id).unwrap();
        assert_eq!(refused(cloud.try_view(id)).0, 404);
        assert_eq!(refused(cloud.start_instance(id)).0, 404);
        cloud.check_invariants();
    }
}

#[test]
fn state_time_increases_and_modification_time_follows_requests() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let created = cloud.instance("web", "db");
    let starting = cloud.start_instance(created.id).unwrap();
    assert!(
        starting.time_run_state_updated > created.time_run_state_updated,
        "increases even within one microsecond"
    );
    cloud.pass_seconds(10);
    let running = cloud.view(created.id);
    assert!(running.time_run_state_updated > starting.time_run_state_updated);
    assert_eq!(running.time_modified, starting.time_modified);
    let rebooting = cloud.reboot_instance(created.id).unwrap();
    assert_eq!(rebooting.time_modified, running.time_modified, "the wanted state is unchanged");
    let stopping = cloud.stop_instance(created.id).unwrap();
    assert!(stopping.time_modified > running.time_modified);
}

#[test]
fn a_second_start_makes_a_new_machine() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.running("web", "db").id;
    let first = cloud.hypervisor.machines();
    cloud.stop_instance(id).unwrap();
    cloud.pass_seconds(10);
    assert!(cloud.hypervisor.machines().is_empty());
    cloud.start_instance(id).unwrap();
    cloud.pass_seconds(10);
    assert_ne!(cloud.hypervisor.machines(), first);
}

fn history(cloud: &Cloud, id: Uuid, query: &InstanceSerialConsoleQuery) -> croft_api::Result<(String, u64)> {
    let machine = cloud
        .see(&cloud.admin, move |cx, caller| instance::serial_machine(cx, caller, &NameOrId::Id(id), None))?;
    let line = cloud.hypervisor.serial(machine).unwrap();
    let data = instance::serial_history(&line, query)?;
    Ok((String::from_utf8(data.data).unwrap(), data.last_byte_offset))
}

fn query(
    from_start: Option<u64>,
    most_recent: Option<u64>,
    max_bytes: Option<u64>,
) -> InstanceSerialConsoleQuery {
    InstanceSerialConsoleQuery { project: None, from_start, most_recent, max_bytes }
}

#[test]
fn the_serial_history_is_read_by_offsets() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.running("web", "db").id;
    let (first, offset) = history(&cloud, id, &query(Some(0), None, Some(13))).unwrap();
    assert_eq!((first.len(), offset), (13, 13));
    let (rest, total) = history(&cloud, id, &query(Some(offset), None, None)).unwrap();
    assert!(rest.ends_with("db login: "), "{rest}");
    assert_eq!(history(&cloud, id, &query(Some(total + 5), None, None)).unwrap(), (String::new(), total));
    assert_eq!(history(&cloud, id, &query(None, Some(7), None)).unwrap(), ("login: ".to_owned(), total));
    assert_eq!(history(&cloud, id, &query(None, Some(1 << 40), None)).unwrap().0, first + &rest);
    let exactly_one = (400, "Exactly one of 'from_start' or 'most_recent' must be specified.".to_owned());
    assert_eq!(refused(history(&cloud, id, &query(None, None, None))), exactly_one);
    assert_eq!(refused(history(&cloud, id, &query(Some(0), Some(0), None))), exactly_one);
}

#[test]
fn graphical_console_requires_a_running_guest() {
    let machine = |(cloud, id): &(Cloud, Uuid)| {
        let id = NameOrId::Id(*id);
        cloud.see(&cloud.admin, move |cx, caller| {
            let picture = instance::graphical_console_picture_machine(cx, caller, &id, None)?;
            let streamed = instance::console_stream_machine(cx, caller, Console::Graphical, &id, None)?;
            assert_eq!(picture, streamed);
            Ok(picture)
        })
    };
    assert!(machine(&cloud_with(InstanceState::Running)).is_ok());
    let starting = "cannot connect to graphical console of instance in state \"starting\"";
    assert_eq!(refused(machine(&cloud_with(InstanceState::Starting))), (400, starting.to_owned()));
    let stopped = "instance is stopped and has no screen";
    assert_eq!(refused(machine(&cloud_with(InstanceState::Stopped))), (400, stopped.to_owned()));
}

#[test]
fn serial_console_requires_a_running_guest() {
    for state in [InstanceState::Running, InstanceState::Rebooting] {
        let (mut cloud, id) = cloud_with(state);
        cloud.settle();
        history(&cloud, id, &query(Some(0), None, None)).unwrap();
    }
    for state in [InstanceState::Starting, InstanceState::Stopping] {
        let (cloud, id) = cloud_with(state);
        let text = format!("cannot connect to serial console of instance in state \"{}\"", state.label());
        assert_eq!(refused(history(&cloud, id, &query(Some(0), None, None))), (400, text));
    }
    for state in [InstanceState::Stopped, InstanceState::Failed] {
        let (cloud, id) = cloud_with(state);
        let text = format!("instance is {} and has no active serial console server", state.label());
        assert_eq!(refused(history(&cloud, id, &query(Some(0), None, None))), (400, text));
    }
}
