use croft_api::{
    alert::{AlertClassSelector, AlertClassSortMode, AlertReceiverKind},
    page::{Marker, PageQuery},
};
use croft_control::{alert, operation};
use croft_store::{
    ListBy, Sort,
    records::{AlertDelivery, AlertQueue, ReceiverSubscription, WebhookSecret},
};
use serde_json::json;
use uuid::Uuid;

use super::kit::{
    FOO, FOO_BAR, Worker, act, add_secret, cloud, create, delete, delete_secret, deliveries, later, publish,
    receiver, resend, secrets, subscribe, unsubscribe,
};
use crate::kit::{Cloud, by_name, refused};

fn classes(cloud: &Cloud, filter: Option<&str>) -> Vec<String> {
    let query = PageQuery {
        selector: AlertClassSelector { filter: filter.map(|text| text.parse().unwrap()) },
        sort: AlertClassSortMode::NameAscending,
        after: None,
        limit: 100,
    };
    let page = cloud.see(&cloud.admin, move |cx, caller| alert::class_list(cx, caller, &query)).unwrap();
    page.items.into_iter().map(|class| class.name).collect()
}

#[test]
fn classes_are_listed_by_name_and_filter() {
    let cloud = cloud();
    assert_eq!(classes(&cloud, None).len(), 6);
    assert_eq!(classes(&cloud, Some("test.*")), ["test.foo"]);
    assert_eq!(classes(&cloud, Some("test.foo.bar")), ["test.foo.bar"]);
    assert_eq!(classes(&cloud, Some("test.*.bar")), ["test.foo.bar", "test.quux.bar"]);
    assert_eq!(classes(&cloud, Some("**.bar.**")), ["test.quux.bar.baz"]);
    assert_eq!(classes(&cloud, Some("nothing.*")), [""; 0]);
    let query = PageQuery {
        selector: AlertClassSelector::default(),
        sort: AlertClassSortMode::NameAscending,
        after: Some(Marker::Name("test.foo".to_owned())),
        limit: 2,
    };
    let page = cloud.see(&cloud.admin, move |cx, caller| alert::class_list(cx, caller, &query)).unwrap();
    assert_eq!(
        page.items.iter().map(|class| class.name.as_str()).collect::<Vec<_>>(),
        ["test.foo.bar", "test.foo.baz"]
    );
    assert!(page.next_page.is_some());
}

#[test]
fn release_has_no_test_classes() {
    let cloud = Cloud::new();
    let known = classes(&cloud, None);
    assert_eq!(known, ["disk.faulted", "instance.failed", "probe", "snapshot.faulted"]);
}

#[test]
fn receiver_lifecycle() {
    let mut cloud = cloud();
    let id = create(&mut cloud, "ops", &["one", "two"], &["test.foo.*", "test.foo", "test.foo.*"]).unwrap();
    let view = |cloud: &Cloud| {
        let name = by_name("ops");
        cloud.see(&cloud.admin, move |cx, caller| alert::receiver_view(cx, caller, &name)).unwrap()
    };
    let seen = view(&cloud);
    let AlertReceiverKind::Webhook { endpoint, secrets } = &seen.kind;
    assert_eq!((seen.id, endpoint.as_str(), secrets.len()), (id, "https://ops.example/hook", 2));
    let subscriptions: Vec<_> = seen.subscriptions.iter().map(ToString::to_string).collect();
    assert_eq!(subscriptions, ["test.foo", "test.foo.*"]);

    later(&mut cloud, 1);
    let params = serde_json::from_value(json!({ "endpoint": "http://[2001:db8::1]:8080/x" })).unwrap();
    act(&mut cloud, &operation::WEBHOOK_RECEIVER_UPDATE, move |cx, caller| {
        alert::webhook_update(cx, caller, &by_name("ops"), &params)
    })
    .unwrap();
    let changed = view(&cloud);
    let AlertReceiverKind::Webhook { endpoint, secrets } = &changed.kind;
    assert_eq!((endpoint.as_str(), secrets.len()), ("http://[2001:db8::1]:8080/x", 2));
    assert_eq!((changed.name, changed.time_created), (seen.name, seen.time_created));
    assert!(changed.time_modified > seen.time_modified);

    publish(&mut cloud, FOO, 1);
    Worker::new(&cloud, 1).step(&cloud);
    assert_eq!(deliveries(&cloud, "ops").len(), 1);
    delete(&mut cloud, "ops");
    let left = cloud
        .rule(|cx| {
            Ok([
                cx.tx.page::<ReceiverSubscription>(ListBy::All, Sort::IdAsc, None, 9)?.len(),
                cx.tx.page::<WebhookSecret>(ListBy::All, Sort::IdAsc, None, 9)?.len(),
                cx.tx.page::<AlertDelivery>(ListBy::All, Sort::IdAsc, None, 9)?.len(),
                cx.tx.page::<AlertQueue>(ListBy::All, Sort::IdAsc, None, 9)?.len(),
            ])
        })
        .unwrap();
    assert_eq!(left, [0; 4]);
    assert!(create(&mut cloud, "ops", &[], &[]).is_ok(), "the name is free again");
}

#[test]
fn invalid_receivers_are_refused() {
    let mut cloud = cloud();
    receiver(&mut cloud, "ops", &[]);
    let taken = create(&mut cloud, "ops", &[], &[]);
    assert_eq!(refused(taken), (400, "already exists: alert-receiver \"ops\"".to_owned()));
    let probes = create(&mut cloud, "new", &[], &["probe"]);
    let text = "unsupported value for \"alert_class\": webhook receivers cannot subscribe to probes";
    assert_eq!(refused(probes), (400, text.to_owned()));
    let unknown = create(&mut cloud, "new", &[], &["test.nothing"]);
    let text = "unsupported value for \"alert_class\": expected one of [probe, test.foo, test.foo.bar, \
                test.foo.baz, test.quux.bar, test.quux.bar.baz]";
    assert_eq!(refused(unknown), (400, text.to_owned()));
    assert_eq!(refused(create(&mut cloud, "new", &[""], &[])).0, 400);
    for endpoint in ["x", "ftp://x/", "http://me@x/", "http://me:word@x/", "https:///x", "http://x:0/"] {
        let params = serde_json::from_value(json!({
            "name": "new", "description": "", "endpoint": endpoint, "secrets": ["s"],
        }));
        let params = params.unwrap();
        let created = act(&mut cloud, &operation::WEBHOOK_RECEIVER_CREATE, move |cx, caller| {
            alert::webhook_create(cx, caller, &params).map(drop)
        });
        let (status, text) = refused(created);
        assert!(
            status == 400 && text.starts_with("unsupported value for \"endpoint\": "),
            "{endpoint}: {text}"
        );
    }
    let secrets = cloud.rule(|cx| Ok(cx.tx.page::<WebhookSecret>(ListBy::All, Sort::IdAsc, None, 9)?.len()));
    assert_eq!(secrets.unwrap(), 1, "refused changes leave nothing behind");
    assert!(create(&mut cloud, "new", &[], &["nothing.**"]).is_ok(), "a pattern may match no class");
}

#[test]
fn secrets_are_sealed() {
    let mut cloud = cloud();
    let id = create(&mut cloud, "ops", &["a very secret text"], &[]).unwrap();
    let second = add_secret(&mut cloud, "ops", "a very secret text");
    assert_eq!(secrets(&cloud, "ops").len(), 2);
    let sealed = cloud
        .rule(move |cx| Ok(cx.tx.page::<WebhookSecret>(ListBy::Parent(id), Sort::IdAsc, None, 9)?))
        .unwrap();
    assert!(sealed.iter().all(|secret| !secret.sealed.contains("secret text")));
    assert_ne!(sealed[0].sealed, sealed[1].sealed);
    delete_secret(&mut cloud, second).unwrap();
    assert_eq!(
        refused(delete_secret(&mut cloud, second)),
        (404, format!("not found: webhook-secret with id \"{second}\""))
    );
    assert_eq!(secrets(&cloud, "ops").len(), 1);
}

#[test]
fn subscriptions_are_added_and_removed() {
    let mut cloud = cloud();
    receiver(&mut cloud, "ops", &["test.foo"]);
    subscribe(&mut cloud, "ops", "test.*").unwrap();
    subscribe(&mut cloud, "ops", "test.*").unwrap();
    unsubscribe(&mut cloud, "ops", "test.*").unwrap();
    assert_eq!(refused(unsubscribe(&mut cloud, "ops", "test.*")).0, 404);
    publish(&mut cloud, FOO, 1);
    publish(&mut cloud, FOO_BAR, 2);
    Worker::new(&cloud, 1).step(&cloud);
    let classes: Vec<_> =
        deliveries(&cloud, "ops").into_iter().map(|delivery| delivery.alert_class).collect();
    assert_eq!(classes, ["test.foo"], "another subscription still matches");
}

#[test]
fn unknown_receiver_is_not_found() {
    let mut cloud = cloud();
    let missing = (404, "not found: alert-receiver with name \"ops\"".to_owned());
    assert_eq!(refused(subscribe(&mut cloud, "ops", "**")), missing);
    let nobody = Uuid::from_u128(1);
    let text = format!("not found: alert with id \"{nobody}\"");
    assert_eq!(refused(resend(&mut cloud, nobody, "ops")), (404, text));
}
