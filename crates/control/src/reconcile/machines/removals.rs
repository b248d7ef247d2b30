//! Ends the machines that were given up with their sleds, once the sleds answer again.

use croft_api::Result;
use croft_sled::HypervisorError;
use croft_store::{Tx, records::MachineRemoval};
use jiff::{SignedDuration, Timestamp};

use crate::{Cx, instance, reconcile::Work};

/// Machines handled in one transaction.
const BATCH: usize = 64;
/// The longest wait before a sled is told again.
const LONGEST_BACKOFF: SignedDuration = SignedDuration::from_hours(1);

/// Tells sleds that could not be told before to end machines.
pub(in crate::reconcile) fn remove(work: &mut Work<'_>) -> Result<()> {
    let now = work.now;
    let due: Vec<MachineRemoval> = work.read(move |tx| Ok(tx.up_to(MachineRemoval::DUE, now, BATCH)?))?;
    if due.is_empty() {
        return Ok(());
    }
    let outcomes: Vec<(MachineRemoval, bool)> = due
        .into_iter()
        .map(|removal| {
            let answer = work.hypervisor.destroy_machine(removal.sled_id, removal.meta.id);
            let ended = matches!(answer, Ok(()) | Err(HypervisorError::UnknownMachine));
            if ended {
                tracing::info!(machine = %removal.meta.id, "a machine of a lost sled is ended at last");
            }
            (removal, ended)
        })
        .collect();
    work.write(move |cx| outcomes.iter().try_for_each(|(removal, ended)| record(cx, removal, *ended)))
}

fn record(cx: &mut Cx<'_, '_>, removal: &MachineRemoval, ended: bool) -> Result<()> {
    if ended {
        cx.tx.remove::<MachineRemoval>(removal.meta.id, cx.now)?;
        return Ok(());
    }
    let Some(mut removal) = cx.tx.get::<MachineRemoval>(removal.meta.id)? else { return Ok(()) };
    let factor = 1_i32 << removal.attempts.min(10);
    let wait = cx.settings().retry_interval.saturating_mul(factor).min(LONGEST_BACKOFF);
    removal.attempts = removal.attempts.saturating_add(1);
    removal.time_due = instance::later(cx.now, wait);
    Ok(cx.tx.update(&mut removal)?)
}

/// When the next sled is to be told again.
pub(in crate::reconcile) fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<MachineRemoval> = tx.up_to(MachineRemoval::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().map(|removal| removal.time_due))
}
