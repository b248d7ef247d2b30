use croft_api::{
    Error, Result,
    alert::{self as api, WebhookSecretCreate, WebhookSecrets},
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Tx,
    records::{AlertReceiver, WebhookSecret},
};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::{delivery, receiver};
use crate::{Caller, Cx, Environment, LookupResult, alert::operation, paging};

/// The purpose of the sealed secrets.
const PURPOSE: &str = "secret of a webhook receiver";

pub(super) fn to_view(secret: &WebhookSecret) -> api::WebhookSecret {
    api::WebhookSecret { id: secret.meta.id, time_created: secret.meta.time_created }
}

/// The secrets of a receiver, the oldest first.
pub(crate) fn of_receiver(tx: &mut Tx<'_>, receiver: Uuid) -> Result<Vec<WebhookSecret>> {
    let mut secrets: Vec<WebhookSecret> = paging::all(tx, &ListBy::Parent(receiver))?;
    secrets.sort_by_key(|secret| (secret.meta.time_created, secret.meta.id));
    Ok(secrets)
}

/// Adds a secret to a receiver.
pub(super) fn insert(cx: &mut Cx<'_, '_>, receiver_id: Uuid, text: &str) -> Result<WebhookSecret> {
    if text.is_empty() {
        return Err(Error::invalid_value("secret", "must not be empty"));
    }
    let meta = cx.new_meta();
    let sealed = cx.environment.secret_key.seal(cx.random, PURPOSE, meta.id, text.as_bytes())?;
    let secret = WebhookSecret { meta, receiver_id, sealed };
    cx.tx.insert(&secret)?;
    Ok(secret)
}

/// Opens a secret.
pub(super) fn open(environment: &Environment, secret: &WebhookSecret) -> Result<Zeroizing<Vec<u8>>> {
    environment.secret_key.open(PURPOSE, secret.meta.id, &secret.sealed)
}

/// `webhook_secrets_list`.
pub fn list(cx: &mut Cx<'_, '_>, caller: &Caller, receiver: &NameOrId) -> Result<WebhookSecrets> {
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, &operation::WEBHOOK_SECRETS_LIST)?;
    let secrets = of_receiver(cx.tx, receiver.meta.id)?;
    Ok(WebhookSecrets { secrets: secrets.iter().map(to_view).collect() })
}

/// `webhook_secrets_add`: deliveries that waited for a secret become due.
pub fn add(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    params: &WebhookSecretCreate,
) -> Result<api::WebhookSecret> {
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, &operation::WEBHOOK_SECRETS_ADD)?;
    let secret = insert(cx, receiver.meta.id, &params.secret)?;
    delivery::wake(cx, receiver.meta.id)?;
    Ok(to_view(&secret))
}

/// `webhook_secrets_delete`: allowed for the last secret, too. The record is removed at once.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, secret: Uuid) -> Result<()> {
    let record: Option<WebhookSecret> = cx.tx.get(secret)?;
    let secret = LookupResult::new(record, secret)
        .authorize(cx, caller, &operation::WEBHOOK_SECRETS_DELETE)?
        .into_inner();
    debug_assert!(
        cx.tx.get::<AlertReceiver>(secret.receiver_id)?.is_some(),
        "secrets go with their receiver"
    );
    cx.tx.remove::<WebhookSecret>(secret.meta.id, cx.now)?;
    Ok(())
}
