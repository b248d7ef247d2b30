//! The alerts that Croft raises itself.

use croft_sled::{HypervisorError, simulated::Call};
use croft_store::{ListBy, Sort, records::Alert};
use serde_json::Value;

use crate::kit::{Cloud, GIB};

/// Classes of the raised alerts, with the IDs and names in them.
fn alerts(cloud: &mut Cloud) -> Vec<(String, Value, Value)> {
    let alerts = cloud.rule(|cx| Ok(cx.tx.page::<Alert>(ListBy::All, Sort::IdAsc, None, 100)?)).unwrap();
    let expected = |alert: Alert| (alert.class, alert.data["id"].clone(), alert.data["name"].clone());
    alerts.into_iter().map(expected).collect()
}

fn expected(class: &str, id: uuid::Uuid, name: &str) -> (String, Value, Value) {
    (class.to_owned(), id.to_string().into(), name.into())
}

#[test]
fn lost_machine_emits_an_alert() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.running("web", "db").id;
    cloud.pass_seconds(1);
    assert_eq!(alerts(&mut cloud), []);
    cloud.hypervisor.forget_machine(cloud.hypervisor.machines()[0]);
    cloud.pass_seconds(40);
    assert_eq!(alerts(&mut cloud), [expected("instance.failed", id, "db")]);
    let alert =
        cloud.rule(|cx| Ok(cx.tx.page::<Alert>(ListBy::All, Sort::IdAsc, None, 1)?)).unwrap().remove(0);
    let cause = alert.data["cause"].as_str().unwrap();
    assert!(cause.starts_with("The host lost the machine"), "{cause}");
}

#[test]
fn failed_disk_emits_an_alert() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.hypervisor.fail_next(Call::EnsureDisk, HypervisorError::Failed("broken".to_owned()));
    let id = cloud.try_disk("web", "data", GIB).unwrap().id;
    cloud.pass_seconds(5);
    assert_eq!(alerts(&mut cloud), [expected("disk.faulted", id, "data")]);
}

#[test]
fn failed_snapshot_emits_an_alert() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.disk("web", "data");
    cloud.pass_seconds(5);
    cloud.hypervisor.fail_next(Call::EnsureSnapshot, HypervisorError::Failed("broken".to_owned()));
    let id = cloud.snapshot("web", "before", "data").id;
    cloud.pass_seconds(5);
    assert_eq!(alerts(&mut cloud), [expected("snapshot.faulted", id, "before")]);
}
