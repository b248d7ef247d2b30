use croft_api::Result;
use croft_store::{
    ListBy,
    records::{Alert, AlertDelivery, AlertDeliveryState},
};
use jiff::Timestamp;

use crate::{Cx, paging};

/// Maximum number of old alerts examined in one transaction.
const BATCH: usize = 100;

/// Erases alerts that are older than the configured retention, with their deliveries. An alert with a pending or
/// recently requested delivery is kept, and examined again one retention period from now. Returns whether there may be
/// more.
pub(crate) fn expire(cx: &mut Cx<'_, '_>) -> Result<bool> {
    let Some(retention) = cx.settings().alert_retention else { return Ok(false) };
    let before = cx.now.checked_sub(retention).unwrap_or(Timestamp::MIN);
    let old: Vec<Alert> = cx.tx.up_to(Alert::TIME_KEPT, before, BATCH)?;
    let more = old.len() == BATCH;
    for mut alert in old {
        let by = ListBy::lookup(AlertDelivery::ALERT, alert.meta.id);
        let deliveries: Vec<AlertDelivery> = paging::all(cx.tx, &by)?;
        if deliveries.iter().any(|delivery| is_needed(delivery, before)) {
            alert.meta.time_modified = cx.now;
            cx.tx.update(&mut alert)?;
            continue;
        }
        for delivery in deliveries {
            cx.tx.remove::<AlertDelivery>(delivery.meta.id, cx.now)?;
        }
        cx.tx.remove::<Alert>(alert.meta.id, cx.now)?;
    }
    Ok(more)
}

fn is_needed(delivery: &AlertDelivery, before: Timestamp) -> bool {
    delivery.state == AlertDeliveryState::Pending || delivery.meta.time_created > before
}
