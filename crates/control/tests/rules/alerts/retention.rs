//! Retention of alerts and their deliveries.

use croft_store::{
    ListBy,
    records::{Alert, AlertDelivery},
};
use jiff::SignedDuration;
use uuid::Uuid;

use super::kit::*;
use crate::kit::{Cloud, refused};

const DAY: i64 = 24 * 60 * 60;

fn counts(cloud: &mut Cloud) -> (u64, u64) {
    let count =
        cloud.rule(|cx| Ok((cx.tx.count::<Alert>(ListBy::All)?, cx.tx.count::<AlertDelivery>(ListBy::All)?)));
    count.unwrap()
}

fn advance_days(cloud: &mut Cloud, worker: &mut Worker, days: i64) {
    later(cloud, days * DAY);
    worker.step(cloud);
}

fn delivered(cloud: &mut Cloud, worker: &mut Worker) -> Uuid {
    publish(cloud, FOO, 1);
    worker.step(cloud);
    worker.answer(cloud, OK);
    deliveries(cloud, "ops")[0].alert_id
}

#[test]
fn old_alerts_are_removed_with_their_deliveries() {
    let mut cloud = cloud();
    receiver(&mut cloud, "ops", &["test.foo"]);
    let mut worker = Worker::new(&cloud, 1);
    let alert = delivered(&mut cloud, &mut worker);
    publish(&mut cloud, QUUX, 2);
    worker.step(&cloud);
    advance_days(&mut cloud, &mut worker, 29);
    publish(&mut cloud, FOO, 3);
    worker.step(&cloud);
    worker.answer(&cloud, OK);
    assert_eq!(counts(&mut cloud), (3, 2));
    advance_days(&mut cloud, &mut worker, 1);
    assert_eq!(counts(&mut cloud), (1, 1), "an alert without deliveries is removed, too");
    let again = refused(resend(&mut cloud, alert, "ops"));
    assert_eq!(again.0, 404);
    assert_eq!(worker.post.sent(), 2);
}

#[test]
fn pending_alerts_are_kept() {
    let mut cloud = cloud();
    // Without a secret the request cannot be signed, so the delivery stays pending.
    create(&mut cloud, "ops", &[], &["test.foo"]).unwrap();
    let mut worker = Worker::new(&cloud, 1);
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    for _ in 0..3 {
        advance_days(&mut cloud, &mut worker, 31);
        assert_eq!(counts(&mut cloud), (1, 1));
    }
    add_secret(&mut cloud, "ops", "secret");
    worker.step(&cloud);
    assert_eq!(number(&worker.answer(&cloud, OK)), 1);
    advance_days(&mut cloud, &mut worker, 29);
    assert_eq!(counts(&mut cloud), (1, 1));
    advance_days(&mut cloud, &mut worker, 1);
    assert_eq!(counts(&mut cloud), (0, 0));
}

#[test]
fn recently_resent_alerts_are_kept() {
    let mut cloud = cloud();
    receiver(&mut cloud, "ops", &["test.foo"]);
    let mut worker = Worker::new(&cloud, 1);
    let alert = delivered(&mut cloud, &mut worker);
    advance_days(&mut cloud, &mut worker, 20);
    resend(&mut cloud, alert, "ops").unwrap();
    worker.step(&cloud);
    worker.answer(&cloud, OK);
    advance_days(&mut cloud, &mut worker, 11);
    assert_eq!(counts(&mut cloud), (1, 2));
    advance_days(&mut cloud, &mut worker, 30);
    assert_eq!(counts(&mut cloud), (0, 0));
}

#[test]
fn old_alerts_are_erased_in_batches() {
    let mut cloud = cloud();
    let mut worker = Worker::new(&cloud, 1);
    for number in 0..250 {
        publish(&mut cloud, FOO, number);
    }
    worker.step(&cloud);
    later(&mut cloud, 31 * DAY);
    while worker.step(&cloud) <= cloud.now {}
    assert_eq!(counts(&mut cloud), (0, 0));
}

#[test]
fn alert_retention_can_be_disabled() {
    let mut cloud = cloud();
    let mut environment = std::sync::Arc::into_inner(environment(CLASSES)).unwrap();
    environment.settings.alert_retention = None;
    cloud.environment = environment.into();
    let mut worker = Worker::new(&cloud, 1);
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    cloud.now += SignedDuration::from_hours(24 * 36_500);
    worker.step(&cloud);
    assert_eq!(counts(&mut cloud), (1, 0));
}
