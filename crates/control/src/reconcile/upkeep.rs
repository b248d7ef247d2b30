use croft_api::Result;
use croft_store::schema::TABLES;
use jiff::{SignedDuration, Timestamp};

use super::Work;
use crate::{Cx, alert, batch, device, saml, session, support_bundle, token};

/// How often expired records are removed.
pub(super) const INTERVAL: SignedDuration = SignedDuration::from_hours(1);
/// Changes kept for readers of the change log.
const CHANGES_KEPT: usize = 100_000;
/// Changes removed in one transaction.
const CHANGES_BATCH: usize = 10_000;

/// Deleted records of one kind erased in one transaction.
const ERASED_BATCH: usize = 1000;

/// Removes expired sessions and tokens, expired device requests, old support bundles, alerts, batches and changes, and
/// resources deleted long ago. Returns whether there is more to do.
pub(super) fn run(work: &mut Work<'_>) -> Result<bool> {
    for bundle in work.write(support_bundle::expire)? {
        tracing::info!(%bundle, "a support bundle has reached its retention period and is removed");
    }
    work.write(|cx| {
        let more_sessions = session::purge(cx.tx, &cx.environment.settings.session, cx.now)?;
        let more_tokens = token::purge(cx.tx, cx.now)?;
        let more_requests = device::purge(cx.tx, cx.now)?;
        let more_uses = saml::purge(cx.tx, cx.now)?;
        let more_alerts = alert::expire(cx)?;
        let more_batches = batch::expire(cx)?;
        let old = cx.tx.change_before(CHANGES_KEPT)?;
        let pruned = cx.tx.prune_changes(old, CHANGES_BATCH)?;
        let more_changes = pruned == CHANGES_BATCH;
        let more_deleted = erase(cx)?;
        let more_secrets = more_sessions || more_tokens || more_requests || more_uses;
        Ok(more_secrets || more_alerts || more_batches || more_changes || more_deleted)
    })
}

/// Erases deleted records after their retention period. Returns whether there are more.
fn erase(cx: &mut Cx<'_, '_>) -> Result<bool> {
    let before = cx.now.checked_sub(cx.settings().deleted_retention).unwrap_or(Timestamp::MIN);
    let mut more = false;
    for table in TABLES.iter().filter(|table| !table.keeps_deleted) {
        more |= cx.tx.purge(table, before, ERASED_BATCH)? == ERASED_BATCH;
    }
    Ok(more)
}
