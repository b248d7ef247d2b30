//! Alerts, receivers and deliveries.

use croft_api::{
    alert::{AlertClassSelector, AlertClassSortMode, AlertDeliveryStateFilter},
    page::{NameOrIdSortMode, NoSelector, PageQuery, TimeAndIdSortMode},
};
use croft_control::{alert, operation};
use croft_store::{
    Meta,
    records::{Alert, AlertDelivery, AlertDeliveryState, AlertDeliveryTrigger},
};
use serde_json::json;
use uuid::Uuid;

use super::{Call, World, matrix, parse, rule};
use crate::kit::{Cloud, by_name};

const ALERT: Uuid = Uuid::from_u128(0xa1e7);
const DELIVERY: Uuid = Uuid::from_u128(0xde1);

/// Creates the objects that the calls use.
pub fn furnish(cloud: &mut Cloud) {
    let admin = cloud.admin.clone();
    let params = json!({
        "name": "ops", "description": "", "endpoint": "http://192.0.2.1/", "secrets": ["s"],
        "subscriptions": ["instance.*"],
    });
    cloud
        .act(&admin, &operation::WEBHOOK_RECEIVER_CREATE, move |cx, caller| {
            let receiver = alert::webhook_create(cx, caller, &parse(params.clone()))?;
            let class = "instance.failed".to_owned();
            let meta = Meta::new(ALERT, cx.now);
            let data = serde_json::Map::new();
            cx.tx.insert(&Alert { meta, class: class.clone(), data, dispatched: true })?;
            let delivery = AlertDelivery {
                meta: Meta::new(DELIVERY, cx.now),
                receiver_id: receiver.id,
                alert_id: ALERT,
                class,
                trigger: AlertDeliveryTrigger::Alert,
                state: AlertDeliveryState::Failed,
                attempts: Vec::new(),
                time_due: None,
            };
            Ok(cx.tx.insert(&delivery)?)
        })
        .unwrap();
}

pub fn calls(world: &World) -> Vec<Call> {
    [classes(), receivers(), secrets(&world.cloud), deliveries()].into_iter().flatten().collect()
}

fn ops() -> croft_api::scalar::NameOrId {
    by_name("ops")
}

fn classes() -> Vec<Call> {
    let query = PageQuery {
        selector: AlertClassSelector::default(),
        sort: AlertClassSortMode::NameAscending,
        after: None,
        limit: 100,
    };
    vec![(&operation::ALERT_CLASS_LIST, rule(move |cx, caller| alert::class_list(cx, caller, &query)))]
}

fn receivers() -> Vec<Call> {
    let query =
        PageQuery { selector: NoSelector {}, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 };
    let create = json!({ "name": "new", "description": "", "endpoint": "http://192.0.2.1/", "secrets": [] });
    let subscription = json!({ "subscription": "disk.*" });
    vec![
        (&operation::ALERT_RECEIVER_LIST, rule(move |cx, caller| alert::receiver_list(cx, caller, &query))),
        (&operation::ALERT_RECEIVER_VIEW, rule(|cx, caller| alert::receiver_view(cx, caller, &ops()))),
        (
            &operation::WEBHOOK_RECEIVER_CREATE,
            rule(move |cx, caller| alert::webhook_create(cx, caller, &parse(create.clone()))),
        ),
        (
            &operation::WEBHOOK_RECEIVER_UPDATE,
            rule(|cx, caller| alert::webhook_update(cx, caller, &ops(), &parse(json!({ "name": "new" })))),
        ),
        (&operation::ALERT_RECEIVER_DELETE, rule(|cx, caller| alert::receiver_delete(cx, caller, &ops()))),
        (
            &operation::ALERT_RECEIVER_SUBSCRIPTION_ADD,
            rule(move |cx, caller| alert::subscription_add(cx, caller, &ops(), &parse(subscription.clone()))),
        ),
        (
            &operation::ALERT_RECEIVER_SUBSCRIPTION_REMOVE,
            rule(|cx, caller| alert::subscription_remove(cx, caller, &ops(), &"instance.*".parse().unwrap())),
        ),
    ]
}

fn secrets(cloud: &Cloud) -> Vec<Call> {
    let list = cloud.see(&cloud.admin, |cx, caller| alert::secrets_list(cx, caller, &ops())).unwrap();
    let id = list.secrets[0].id;
    vec![
        (&operation::WEBHOOK_SECRETS_LIST, rule(|cx, caller| alert::secrets_list(cx, caller, &ops()))),
        (
            &operation::WEBHOOK_SECRETS_ADD,
            rule(|cx, caller| alert::secrets_add(cx, caller, &ops(), &parse(json!({ "secret": "t" })))),
        ),
        (&operation::WEBHOOK_SECRETS_DELETE, rule(move |cx, caller| alert::secrets_delete(cx, caller, id))),
    ]
}

fn deliveries() -> Vec<Call> {
    let query = PageQuery {
        selector: AlertDeliveryStateFilter::default(),
        sort: TimeAndIdSortMode::TimeAndIdAscending,
        after: None,
        limit: 100,
    };
    vec![
        (
            &operation::ALERT_DELIVERY_LIST,
            rule(move |cx, caller| alert::delivery_list(cx, caller, &ops(), &query)),
        ),
        (
            &operation::ALERT_DELIVERY_ATTEMPTS_VIEW,
            rule(move |cx, caller| alert::delivery_attempts(cx, caller, &ops(), DELIVERY)),
        ),
        (&operation::ALERT_DELIVERY_RESEND, rule(|cx, caller| alert::resend(cx, caller, ALERT, &ops()))),
        (
            &operation::ALERT_RECEIVER_PROBE,
            rule(|cx, caller| alert::prepare_probe(cx, caller, &ops(), false)),
        ),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
