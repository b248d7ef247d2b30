use croft_api::alert::{AlertDeliveryStateFilter, AlertDeliveryTrigger, WebhookDeliveryAttemptResult};
use croft_control::{
    alert::{self, WebhookAnswer},
    operation,
};
use jiff::{SignedDuration, Timestamp};

use super::kit::{
    FOO, FOO_BAR, MORE_CLASSES, OK, PROBE, Worker, act, add_secret, attempts, body, cloud, create,
    delete_secret, deliveries, deliveries_in, environment, headers, hmac, later, number, publish, receiver,
    resend, secrets, states,
};
use crate::kit::{Cloud, by_name, refused};

fn one(name: &str) -> (Cloud, Worker) {
    let mut cloud = cloud();
    receiver(&mut cloud, name, &["test.**"]);
    let worker = Worker::new(&cloud, 1);
    (cloud, worker)
}

fn delivery_state(state: &str, attempts: usize) -> (String, usize) {
    (state.to_owned(), attempts)
}

#[test]
fn requests_are_signed_with_every_secret() {
    let (mut cloud, mut worker) = one("ops");
    let long = "x".repeat(100);
    let second = add_secret(&mut cloud, "ops", &long);
    let first = secrets(&cloud, "ops").into_iter().find(|id| *id != second).unwrap();
    publish(&mut cloud, FOO, 5);
    worker.step(&cloud);
    let request = worker.answer(&cloud, OK);
    let (endpoint, delivery) = (&request.endpoint, &deliveries(&cloud, "ops")[0]);
    assert_eq!(
        (endpoint.is_encrypted, endpoint.host.as_str(), endpoint.path.as_str()),
        (true, "ops.example", "/hook")
    );
    let body = body(&request);
    let sent_at: Timestamp = body["delivery"]["sent_at"].as_str().unwrap().parse().unwrap();
    assert_eq!(sent_at, cloud.now);
    let expected = serde_json::json!({
        "alert_class": "test.foo",
        "alert_id": delivery.alert_id,
        "data": { "number": 5 },
        "delivery": {
            "id": delivery.id, "receiver_id": delivery.receiver_id, "trigger": "alert",
            "sent_at": body["delivery"]["sent_at"],
        },
    });
    assert_eq!(body, expected);
    assert_eq!(headers(&request, "content-type"), ["application/json"]);
    assert_eq!(headers(&request, "x-croft-receiver-id"), [delivery.receiver_id.to_string()]);
    assert_eq!(headers(&request, "x-croft-delivery-id"), [delivery.id.to_string()]);
    assert_eq!(headers(&request, "x-croft-alert-id"), [delivery.alert_id.to_string()]);
    assert_eq!(headers(&request, "x-croft-alert-class"), ["test.foo"]);
    assert_eq!(headers(&request, "x-croft-timestamp"), [body["delivery"]["sent_at"].as_str().unwrap()]);
    let mut signatures = headers(&request, "x-croft-signature");
    let mut right = [
        format!("a=sha256&id={first}&s={}", hmac(b"secret", &request.body)),
        format!("a=sha256&id={second}&s={}", hmac(long.as_bytes(), &request.body)),
    ];
    signatures.sort_unstable();
    right.sort_unstable();
    assert_eq!(signatures, right);
    let attempt = &attempts(delivery)[0];
    assert_eq!(
        (attempt.attempt, attempt.time_sent, attempt.response.unwrap().duration_ms),
        (1, cloud.now, 7)
    );
}

#[test]
fn delivery_has_three_attempts_at_fixed_times() {
    for (answer, result) in [
        (WebhookAnswer::status(500, 1), WebhookDeliveryAttemptResult::FailedHttpError),
        (WebhookAnswer::status(302, 1), WebhookDeliveryAttemptResult::FailedHttpError),
        (WebhookAnswer::unreachable("nobody"), WebhookDeliveryAttemptResult::FailedUnreachable),
        (WebhookAnswer::timeout("slow"), WebhookDeliveryAttemptResult::FailedTimeout),
    ] {
        let (mut cloud, mut worker) = one("ops");
        publish(&mut cloud, FOO, 1);
        worker.step(&cloud);
        worker.answer(&cloud, answer.clone());
        assert_eq!(states(&cloud, "ops"), [delivery_state("pending", 1)]);
        for wait in [60, 300] {
            let sent = worker.post.sent();
            let due = cloud.now + SignedDuration::from_secs(wait);
            cloud.now = due - SignedDuration::from_micros(1);
            assert!(worker.step(&cloud) <= due, "the worker must wake up by then");
            assert_eq!(worker.post.sent(), sent, "not sent a microsecond earlier");
            cloud.now = due;
            worker.step(&cloud);
            assert_eq!(worker.post.open(), 1);
            worker.answer(&cloud, answer.clone());
        }
        assert_eq!(states(&cloud, "ops"), [delivery_state("failed", 3)]);
        let delivery = &deliveries(&cloud, "ops")[0];
        let numbers: Vec<_> =
            attempts(delivery).iter().map(|attempt| (attempt.attempt, attempt.result)).collect();
        assert_eq!(numbers, [(1, result), (2, result), (3, result)]);
        assert!(attempts(delivery).iter().all(|attempt| attempt.response == answer.response));
        later(&mut cloud, 100_000);
        worker.step(&cloud);
        assert_eq!(worker.post.sent(), 3);
    }
}

#[test]
fn successful_delivery_is_final() {
    let (mut cloud, mut worker) = one("ops");
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    worker.answer(&cloud, WebhookAnswer::timeout("slow"));
    later(&mut cloud, 60);
    worker.step(&cloud);
    worker.answer(&cloud, WebhookAnswer::status(204, 3));
    assert_eq!(states(&cloud, "ops"), [delivery_state("delivered", 2)]);
    later(&mut cloud, 100_000);
    worker.step(&cloud);
    assert_eq!(worker.post.sent(), 2);
}

#[test]
fn requests_are_sequential_in_alert_order() {
    let (mut cloud, mut worker) = one("ops");
    for number in 1..=250 {
        publish(&mut cloud, FOO, number);
        cloud.now += SignedDuration::from_micros(1);
    }
    worker.step(&cloud);
    for expected in 1..=250 {
        assert_eq!(worker.post.open(), 1);
        assert_eq!(number(&worker.answer(&cloud, OK)), expected);
    }
    assert_eq!(worker.post.open(), 0);
}

#[test]
fn a_waiting_delivery_does_not_delay_others() {
    let (mut cloud, mut worker) = one("ops");
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    worker.answer(&cloud, WebhookAnswer::unreachable("nobody"));
    later(&mut cloud, 1);
    publish(&mut cloud, FOO, 2);
    worker.step(&cloud);
    assert_eq!(number(&worker.answer(&cloud, OK)), 2);
    later(&mut cloud, 59);
    worker.step(&cloud);
    assert_eq!(number(&worker.answer(&cloud, OK)), 1);
    assert_eq!(states(&cloud, "ops"), [delivery_state("delivered", 2), delivery_state("delivered", 1)]);
}

#[test]
fn slow_receivers_do_not_block_others() {
    let mut cloud = cloud();
    for number in 0..10 {
        receiver(&mut cloud, &format!("r{number}"), &["test.foo"]);
    }
    let mut worker = Worker::new(&cloud, 1);
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    assert_eq!(worker.post.open(), 8);
    worker.answer(&cloud, OK);
    assert_eq!(worker.post.open(), 8);
    worker.answer(&cloud, OK);
    assert_eq!((worker.post.open(), worker.post.sent()), (8, 10));
    let mut hosts = worker.post.hosts();
    hosts.sort_unstable();
    hosts.dedup();
    assert_eq!(hosts.len(), 8, "one request to each receiver");
}

#[test]
fn without_a_secret_deliveries_wait_for_one() {
    let mut cloud = cloud();
    create(&mut cloud, "ops", &[], &["**"]).unwrap();
    let mut worker = Worker::new(&cloud, 1);
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    assert_eq!(states(&cloud, "ops"), [delivery_state("pending", 0)]);
    let secret = add_secret(&mut cloud, "ops", "secret");
    worker.step(&cloud);
    worker.answer(&cloud, WebhookAnswer::timeout("slow"));
    delete_secret(&mut cloud, secret).unwrap();
    later(&mut cloud, 60);
    worker.step(&cloud);
    assert_eq!((states(&cloud, "ops"), worker.post.open()), (vec![delivery_state("pending", 1)], 0));
    add_secret(&mut cloud, "ops", "another");
    worker.step(&cloud);
    worker.answer(&cloud, OK);
    assert_eq!(states(&cloud, "ops"), [delivery_state("delivered", 2)]);
}

#[test]
fn patterns_are_reevaluated_for_new_classes() {
    let (mut cloud, mut worker) = one("ops");
    receiver(&mut cloud, "foos", &["test.foo.*"]);
    let new = croft_control::alert::AlertClass { name: "test.new", description: "" };
    publish(&mut cloud, PROBE, 1);
    publish(&mut cloud, FOO_BAR, 2);
    worker.step(&cloud);
    assert_eq!(
        (deliveries(&cloud, "ops").len(), deliveries(&cloud, "foos").len()),
        (1, 1),
        "probes are not delivered to subscriptions"
    );
    cloud.environment = environment(MORE_CLASSES);
    let mut newer = Worker::new(&cloud, 2);
    publish(&mut cloud, new, 3);
    newer.step(&cloud);
    assert_eq!((deliveries(&cloud, "ops").len(), deliveries(&cloud, "foos").len()), (2, 1));
}

#[test]
fn deliveries_are_filtered_by_state() {
    let (mut cloud, mut worker) = one("ops");
    for (number, answer) in [(1, OK), (2, WebhookAnswer::unreachable("nobody"))] {
        publish(&mut cloud, FOO, number);
        worker.step(&cloud);
        worker.answer(&cloud, answer);
        later(&mut cloud, 1);
    }
    for wait in [60, 300] {
        later(&mut cloud, wait);
        worker.step(&cloud);
        worker.answer(&cloud, WebhookAnswer::unreachable("nobody"));
    }
    publish(&mut cloud, FOO, 3);
    worker.step(&cloud);
    let count = |pending, failed, delivered| {
        let filter = AlertDeliveryStateFilter { pending, failed, delivered };
        deliveries_in(&cloud, "ops", filter).len()
    };
    assert_eq!(count(None, None, None), 3);
    assert_eq!(count(Some(false), Some(false), Some(false)), 3);
    assert_eq!(count(Some(true), None, None), 1);
    assert_eq!(count(Some(true), Some(true), None), 2);
    assert_eq!(count(None, Some(true), Some(true)), 2);
    let list = deliveries(&cloud, "ops");
    assert!(list.is_sorted_by_key(|delivery| (delivery.time_started, delivery.id)));
}

#[test]
fn alerts_can_be_resent_repeatedly() {
    let (mut cloud, mut worker) = one("ops");
    publish(&mut cloud, FOO, 1);
    worker.step(&cloud);
    worker.answer(&cloud, OK);
    let alert = deliveries(&cloud, "ops")[0].alert_id;
    for _ in 0..2 {
        let id = resend(&mut cloud, alert, "ops").unwrap();
        worker.step(&cloud);
        let request = worker.answer(&cloud, OK);
        assert_eq!(body(&request)["delivery"]["trigger"], "resend");
        assert_eq!(headers(&request, "x-croft-delivery-id"), [id.to_string()]);
    }
    assert_eq!(deliveries(&cloud, "ops").len(), 3);
    receiver(&mut cloud, "other", &["test.quux.*"]);
    let text = "cannot resend alert: receiver is not subscribed to the 'test.foo' alert class";
    assert_eq!(refused(resend(&mut cloud, alert, "other")), (400, text.to_owned()));
}

/// Sends a test probe that gets this response.
fn probe(cloud: &mut Cloud, resend: bool, answer: WebhookAnswer) -> croft_api::alert::AlertProbeResult {
    let prepared = cloud
        .see(&cloud.admin.clone(), move |cx, caller| {
            alert::prepare_probe(cx, caller, &by_name("ops"), resend)
        })
        .unwrap();
    assert_eq!(body(&prepared.request)["alert_class"], "probe");
    assert_eq!(body(&prepared.request)["data"], serde_json::json!({}));
    let sent = prepared.sent(answer);
    act(cloud, &operation::ALERT_RECEIVER_PROBE, move |cx, caller| {
        alert::probe(cx, caller, &by_name("ops"), resend, Some(&sent))
    })
    .unwrap()
}

#[test]
fn test_probe_result_is_returned_and_not_stored() {
    let (mut cloud, _) = one("ops");
    let failed = probe(&mut cloud, false, WebhookAnswer::unreachable("nobody"));
    assert_eq!(serde_json::to_value(failed.probe.state).unwrap(), "failed");
    assert_eq!((failed.probe.trigger, failed.resends_started), (AlertDeliveryTrigger::Probe, None));
    assert_eq!(attempts(&failed.probe).len(), 1);
    let good = probe(&mut cloud, false, OK);
    assert_eq!(serde_json::to_value(good.probe.state).unwrap(), "delivered");
    assert_eq!(good.probe.alert_id, failed.probe.alert_id, "test probes always use the same alert");
    assert_eq!(good.resends_started, None);
    assert_eq!(deliveries(&cloud, "ops").len(), 0);
    let secret = secrets(&cloud, "ops")[0];
    delete_secret(&mut cloud, secret).unwrap();
    let refusal = act(&mut cloud, &operation::ALERT_RECEIVER_PROBE, |cx, caller| {
        alert::probe(cx, caller, &by_name("ops"), false, None)
    });
    let text = "receiver has no secrets, so delivery requests cannot be sent";
    assert_eq!(refused(refusal.map(drop)), (400, text.to_owned()));
}

#[test]
fn a_successful_probe_resends_failed_deliveries() {
    let (mut cloud, mut worker) = one("ops");
    for number in 1..=3 {
        publish(&mut cloud, FOO, number);
        worker.step(&cloud);
        worker.answer(&cloud, if number == 3 { OK } else { WebhookAnswer::unreachable("nobody") });
        later(&mut cloud, 1);
    }
    for wait in [60, 300] {
        later(&mut cloud, wait);
        worker.step(&cloud);
        while worker.post.open() > 0 {
            worker.answer(&cloud, WebhookAnswer::unreachable("nobody"));
        }
    }
    assert_eq!(
        states(&cloud, "ops"),
        [delivery_state("failed", 3), delivery_state("failed", 3), delivery_state("delivered", 1)]
    );
    assert_eq!(probe(&mut cloud, true, WebhookAnswer::timeout("slow")).resends_started, None);
    assert_eq!(probe(&mut cloud, true, OK).resends_started, Some(2));
    assert_eq!(probe(&mut cloud, true, OK).resends_started, Some(0), "already being resent");
    worker.step(&cloud);
    assert_eq!(number(&worker.answer(&cloud, OK)), 1);
    assert_eq!(number(&worker.answer(&cloud, OK)), 2);
    assert_eq!(probe(&mut cloud, true, OK).resends_started, Some(0), "already delivered");
}
