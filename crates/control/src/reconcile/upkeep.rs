use croft_api::Result;
use jiff::SignedDuration;

use super::Work;
use crate::{device, saml, session, token};

/// How often old things are cleared away.
pub(super) const INTERVAL: SignedDuration = SignedDuration::from_hours(1);
/// Changes kept for whoever follows the change log.
const CHANGES_KEPT: i64 = 100_000;
/// Changes removed in one transaction.
const CHANGES_BATCH: usize = 10_000;

/// Removes expired sessions and tokens, requests of devices that are of no use, and old changes. Answers whether there is more to do.
pub(super) fn run(work: &mut Work<'_>) -> Result<bool> {
    work.write(|cx| {
        let more_sessions = session::purge(cx.tx, &cx.environment.settings.session, cx.now)?;
        let more_tokens = token::purge(cx.tx, cx.now)?;
        let more_requests = device::purge(cx.tx, cx.now)?;
        let more_uses = saml::purge(cx.tx, cx.now)?;
        let last = cx.tx.last_change()?;
        let pruned = cx.tx.prune_changes(last - CHANGES_KEPT, CHANGES_BATCH)?;
        Ok(more_sessions || more_tokens || more_requests || more_uses || pruned == CHANGES_BATCH)
    })
}
