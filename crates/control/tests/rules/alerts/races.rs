//! Events while a request to a receiver is in progress.

use croft_control::alert::WebhookAnswer;

use super::kit::{
    FOO, OK, Worker, add_secret, cloud, delete, delete_secret, deliveries, headers, hmac, later, number,
    publish, receiver, secrets, states, unsubscribe,
};
use crate::kit::Cloud;

fn with_request_in_progress() -> (Cloud, Worker) {
    let mut cloud = cloud();
    receiver(&mut cloud, "ops", &["**"]);
    let mut worker = Worker::new(&cloud, 1);
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    assert_eq!(worker.post.open(), 1);
    (cloud, worker)
}

#[test]
fn concurrent_workers_send_each_request_once() {
    let mut cloud = cloud();
    for name in ["a", "b", "c"] {
        receiver(&mut cloud, name, &["**"]);
    }
    let mut workers = [Worker::new(&cloud, 1), Worker::new(&cloud, 2)];
    for number in 1..=20 {
        publish(&mut cloud, FOO, number);
        workers[usize::try_from(number % 2).unwrap()].step(&cloud);
    }
    let mut seen = 0;
    while workers.iter().any(|worker| worker.post.open() > 0) {
        for worker in &mut workers {
            worker.step(&cloud);
            if worker.post.open() > 0 {
                worker.answer(&cloud, OK);
                seen += 1;
            }
        }
        let mut hosts: Vec<_> = workers.iter().flat_map(|worker| worker.post.hosts()).collect();
        let requests = hosts.len();
        hosts.sort_unstable();
        hosts.dedup();
        assert_eq!(hosts.len(), requests, "one request to a receiver at a time, across workers");
    }
    assert_eq!(seen, 60);
    for name in ["a", "b", "c"] {
        assert_eq!(states(&cloud, name), vec![("delivered".to_owned(), 1); 20]);
    }
}

#[test]
fn dead_worker_is_replaced_after_its_lease() {
    let (mut cloud, worker) = with_request_in_progress();
    drop(worker);
    let mut next = Worker::new(&cloud, 2);
    later(&mut cloud, 59);
    next.step(&cloud);
    assert_eq!(next.post.open(), 0, "the request may still be in progress");
    later(&mut cloud, 1);
    next.step(&cloud);
    next.answer(&cloud, OK);
    assert_eq!(
        states(&cloud, "ops"),
        [("delivered".to_owned(), 1)],
        "a request without a result is not an attempt"
    );
}

#[test]
fn failed_sender_is_retried_after_its_lease() {
    let (mut cloud, mut worker) = with_request_in_progress();
    drop(worker.post.take());
    worker.step(&cloud);
    assert_eq!(worker.post.open(), 0);
    later(&mut cloud, 60);
    worker.step(&cloud);
    worker.answer(&cloud, OK);
    assert_eq!(states(&cloud, "ops"), [("delivered".to_owned(), 1)]);
}

#[test]
fn answer_after_the_lease_expired_is_recorded() {
    let (mut cloud, mut worker) = with_request_in_progress();
    later(&mut cloud, 60);
    let mut other = Worker::new(&cloud, 2);
    other.step(&cloud);
    assert_eq!(other.post.open(), 1);
    worker.answer(&cloud, OK);
    assert_eq!(states(&cloud, "ops"), [("delivered".to_owned(), 1)]);
    other.answer(&cloud, WebhookAnswer::unreachable("nobody"));
    assert_eq!(states(&cloud, "ops"), [("delivered".to_owned(), 1)], "the successful attempt counts");
    publish(&mut cloud, FOO, 2);
    other.step(&cloud);
    assert_eq!(number(&other.answer(&cloud, OK)), 2, "the queue continues");
}

#[test]
fn a_receiver_can_be_deleted_during_a_request() {
    for answer in [OK, WebhookAnswer::unreachable("nobody")] {
        let (mut cloud, mut worker) = with_request_in_progress();
        publish(&mut cloud, FOO, 2);
        worker.step(&cloud);
        delete(&mut cloud, "ops");
        worker.answer(&cloud, answer);
        later(&mut cloud, 100_000);
        worker.step(&cloud);
        assert_eq!(worker.post.sent(), 1);
        receiver(&mut cloud, "ops", &["**"]);
        assert_eq!(
            deliveries(&cloud, "ops").len(),
            0,
            "a new receiver of the same name has no deliveries of the old one"
        );
    }
}

#[test]
fn a_secret_can_be_deleted_during_a_request() {
    let (mut cloud, mut worker) = with_request_in_progress();
    let old = secrets(&cloud, "ops")[0];
    let new = add_secret(&mut cloud, "ops", "new");
    delete_secret(&mut cloud, old).unwrap();
    worker.answer(&cloud, WebhookAnswer::timeout("slow"));
    later(&mut cloud, 60);
    worker.step(&cloud);
    let request = worker.answer(&cloud, OK);
    let expected = format!("a=sha256&id={new}&s={}", hmac(b"new", &request.body));
    assert_eq!(headers(&request, "x-croft-signature"), [expected]);
}

#[test]
fn subscription_can_be_deleted_during_a_delivery() {
    let (mut cloud, mut worker) = with_request_in_progress();
    unsubscribe(&mut cloud, "ops", "**").unwrap();
    publish(&mut cloud, FOO, 2);
    worker.answer(&cloud, OK);
    assert_eq!(
        states(&cloud, "ops"),
        [("delivered".to_owned(), 1)],
        "nothing is subscribed to the second alert"
    );
}
