use croft_api::{
    Error, ResourceKind, Result,
    alert::{self as api, AlertReceiverKind, WebhookCreate, WebhookReceiver, WebhookReceiverUpdate},
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Meta, Record, StoreError, Tx,
    records::{AlertDelivery, AlertQueue, AlertReceiver, ReceiverSubscription, WebhookSecret},
};
use uuid::Uuid;

use super::{secret, subscription};
use crate::{
    Caller, Cx, LookupResult, Operation,
    alert::operation,
    authz::{self, Kind, ResourceScope},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::{change_identity, check_description},
    lookup, paging,
    web_address::WebAddress,
};

/// Looks up a receiver.
pub(super) fn find(cx: &mut Cx<'_, '_>, selector: &NameOrId) -> Result<LookupResult<AlertReceiver>> {
    Ok(LookupResult::new(lookup::top_level(cx.tx, selector)?, selector))
}

fn to_webhook_view(tx: &mut Tx<'_>, receiver: &AlertReceiver) -> Result<WebhookReceiver> {
    let id = receiver.meta.id;
    Ok(WebhookReceiver {
        id,
        name: receiver.name.clone(),
        description: receiver.description.clone(),
        time_created: receiver.meta.time_created,
        time_modified: receiver.meta.time_modified,
        subscriptions: subscription::of_receiver(tx, id)?,
        endpoint: receiver.endpoint.clone(),
        secrets: secret::of_receiver(tx, id)?.iter().map(secret::to_view).collect(),
    })
}

fn to_view(tx: &mut Tx<'_>, receiver: &AlertReceiver) -> Result<api::AlertReceiver> {
    let WebhookReceiver {
        id,
        name,
        description,
        time_created,
        time_modified,
        subscriptions,
        endpoint,
        secrets,
    } = to_webhook_view(tx, receiver)?;
    let kind = AlertReceiverKind::Webhook { endpoint, secrets };
    Ok(api::AlertReceiver { id, name, description, time_created, time_modified, subscriptions, kind })
}

fn check_endpoint(endpoint: &str) -> Result<()> {
    WebAddress::parse(endpoint).map(drop).map_err(|reason| Error::invalid_value("endpoint", reason))
}

/// `alert_receiver_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::AlertReceiver>> {
    let place = ResourceScope::fleet(Kind::ALERT_RECEIVER);
    authz::require(cx, caller, &place, &operation::ALERT_RECEIVER_LIST)?;
    let receivers: Vec<AlertReceiver> = paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?;
    let views: Result<_> = receivers.iter().map(|receiver| to_view(cx.tx, receiver)).collect();
    Ok(query.results(views?))
}

/// `alert_receiver_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, receiver: &NameOrId) -> Result<api::AlertReceiver> {
    let receiver = find(cx, receiver)?.authorize(cx, caller, &operation::ALERT_RECEIVER_VIEW)?;
    to_view(cx.tx, &receiver)
}

/// `webhook_receiver_create`: creates the receiver with its secrets and subscriptions.
pub fn webhook_create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &WebhookCreate,
) -> Result<WebhookReceiver> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::WEBHOOK_RECEIVER_CREATE)?;
    check_description(&params.identity.description)?;
    check_endpoint(&params.endpoint)?;
    let receiver = AlertReceiver {
        meta: cx.new_meta(),
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        endpoint: params.endpoint.clone(),
    };
    cx.insert_named(ResourceKind::AlertReceiver, &receiver)?;
    let id = receiver.meta.id;
    cx.tx.insert(&AlertQueue { meta: Meta::new(id, cx.now), time_due: None, claim: None })?;
    for text in &params.secrets {
        secret::insert(cx, id, text)?;
    }
    for subscription in &params.subscriptions {
        subscription::insert(cx, id, subscription)?;
    }
    to_webhook_view(cx.tx, &receiver)
}

/// `webhook_receiver_update`: requests in progress still go to the old endpoint.
pub fn webhook_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    params: &WebhookReceiverUpdate,
) -> Result<()> {
    let operation = &operation::WEBHOOK_RECEIVER_UPDATE;
    let mut receiver = find(cx, receiver)?.authorize(cx, caller, operation)?.into_inner();
    change_identity(&mut receiver.name, &mut receiver.description, &params.identity)?;
    if let Some(endpoint) = &params.endpoint {
        check_endpoint(endpoint)?;
        receiver.endpoint.clone_from(endpoint);
    }
    receiver.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::AlertReceiver, &mut receiver)
}

/// `alert_receiver_delete`: deletes everything that belongs to the receiver. The result of a request in progress is
/// discarded.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, receiver: &NameOrId) -> Result<()> {
    let mut receiver =
        find(cx, receiver)?.authorize(cx, caller, &operation::ALERT_RECEIVER_DELETE)?.into_inner();
    deletable::require(cx, caller, &receiver)?;
    let id = receiver.meta.id;
    remove_parts::<ReceiverSubscription>(cx, id)?;
    remove_parts::<WebhookSecret>(cx, id)?;
    remove_parts::<AlertDelivery>(cx, id)?;
    cx.tx.remove::<AlertQueue>(id, cx.now)?;
    cx.tx.delete(&mut receiver, cx.now).map_err(|error| match error {
        StoreError::Conflict => Error::conflict("deletion failed due to concurrent modification"),
        error => error.into(),
    })
}

fn remove_parts<R: Record>(cx: &mut Cx<'_, '_>, receiver: Uuid) -> Result<()> {
    for part in paging::all::<R>(cx.tx, &ListBy::Parent(receiver))? {
        cx.tx.remove::<R>(part.meta().id, cx.now)?;
    }
    Ok(())
}

impl Deletable for AlertReceiver {
    const DELETION: Operation = operation::ALERT_RECEIVER_DELETE;
    const PATH: &'static str = "/v1/alert-receivers/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id))
    }

    fn effects(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (deleted, own) = (DeletionEffect::Deleted, || ListBy::Parent(self.meta.id));
        Ok(vec![
            Dependents::list::<ReceiverSubscription>(deleted, own()),
            Dependents::list::<WebhookSecret>(deleted, own()),
            Dependents::list::<AlertDelivery>(deleted, own()),
        ])
    }
}
