use croft_api::{
    Result,
    bfd::{BfdState, BfdStatus},
};
use croft_control::{bfd, operation};
use serde_json::{Value, json};

use super::{bad, daemon::Daemon};
use crate::kit::{Cloud, refused};

fn session(switch: &str, remote: &str) -> Value {
    json!({
        "switch": switch, "remote": remote, "detection_threshold": 3, "required_rx": 1_000_000, "mode": "single_hop",
    })
}

fn enable(cloud: &mut Cloud, session: Value) -> Result<()> {
    let params = serde_json::from_value(session).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_BFD_ENABLE, move |cx, caller| bfd::enable(cx, caller, &params))
}

fn disable(cloud: &mut Cloud, switch: &str, remote: &str) -> Result<()> {
    let params = serde_json::from_value(json!({"switch": switch, "remote": remote})).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_BFD_DISABLE, move |cx, caller| bfd::disable(cx, caller, &params))
}

fn status(cloud: &Cloud) -> Vec<BfdStatus> {
    bfd::status(&[], cloud.see(&cloud.admin, bfd::sessions).unwrap()).unwrap()
}

#[test]
fn bfd_sessions_are_unique() {
    let mut cloud = Cloud::new();
    assert!(status(&cloud).is_empty());
    let mut other = session("switch1", "192.0.2.1");
    other["local"] = json!("192.0.2.2");
    other["mode"] = json!("multi_hop");
    other["required_rx"] = json!(u64::from(u32::MAX) + 9);
    enable(&mut cloud, other).unwrap();
    enable(&mut cloud, session("switch0", "2001:db8::1")).unwrap();
    enable(&mut cloud, session("switch0", "192.0.2.1")).unwrap();
    enable(&mut cloud, session("switch0", "192.0.2.1")).unwrap();
    let seen = serde_json::to_value(status(&cloud)).unwrap();
    let down = |switch: &str, peer: &str| {
        json!({
            "peer": peer, "state": "down", "switch": switch, "local": null, "detection_threshold": 3,
            "required_rx": 1_000_000, "mode": "single_hop",
        })
    };
    let mut far = down("switch1", "192.0.2.1");
    far["local"] = json!("192.0.2.2");
    far["mode"] = json!("multi_hop");
    far["required_rx"] = json!(u32::MAX);
    assert_eq!(seen, json!([down("switch0", "192.0.2.1"), down("switch0", "2001:db8::1"), far]));

    let mut changed = session("switch0", "192.0.2.1");
    changed["detection_threshold"] = json!(4);
    let taken = bad("already exists: bfd-session \"192.0.2.1 on switch0\"");
    assert_eq!(refused(enable(&mut cloud, changed.clone())), taken);
    for _ in 0..2 {
        disable(&mut cloud, "switch0", "192.0.2.1").unwrap();
    }
    assert_eq!(status(&cloud).len(), 2, "the session of the other switch is kept");
    enable(&mut cloud, changed).unwrap();
    assert_eq!(status(&cloud)[0].detection_threshold, 4);
}

#[test]
fn only_two_switches_exist() {
    let mut cloud = Cloud::new();
    let text = "invalid switch name switch2: parse switch location error: not a valid location: switch2";
    assert_eq!(refused(enable(&mut cloud, session("switch2", "192.0.2.1"))), bad(text));
    assert_eq!(refused(disable(&mut cloud, "switch2", "192.0.2.1")), bad(text));
    assert!(status(&cloud).is_empty());
}

#[test]
fn the_state_of_a_peer_is_that_of_its_switch() {
    let mut cloud = Cloud::new();
    for (switch, remote) in [("switch0", "192.0.2.1"), ("switch0", "192.0.2.9"), ("switch1", "192.0.2.1")] {
        enable(&mut cloud, session(switch, remote)).unwrap();
    }
    let states = |daemons: &[_]| -> Vec<BfdState> {
        let sessions = cloud.see(&cloud.admin, bfd::sessions).unwrap();
        bfd::status(daemons, sessions).unwrap().iter().map(|status| status.state).collect()
    };
    let (up, down) = (BfdState::Up, BfdState::Down);
    assert_eq!(states(&[Daemon::of("switch0", true)]), [up, down, down], "unknown peers are ignored");
    let silent = [Daemon::of("switch0", false), Daemon::of("switch1", true)];
    assert_eq!(states(&silent), [down, down, up]);
}
