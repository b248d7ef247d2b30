//! Ends machines of expunged sleds once the sleds answer again.

use croft_api::Result;
use croft_sled::{HypervisorError, HypervisorEvent};
use croft_store::{Tx, records::MachineRemoval};
use jiff::{SignedDuration, Timestamp};

use crate::{Cx, context::later, reconcile::Work};

/// Machines handled in one transaction.
const BATCH: usize = 64;
/// Maximum delay between retries.
const LONGEST_BACKOFF: SignedDuration = SignedDuration::from_hours(1);

/// The result of a request to a sled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RemovalOutcome {
    Removed,
    /// The sled is still removing the machine.
    Pending,
    Failed,
}

/// Repeats requests to end machines to sleds that could not be reached before, and records the results.
pub(in crate::reconcile) fn remove(work: &mut Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
    for ids in super::reported(events).chunks(BATCH) {
        let ids = ids.to_vec();
        let removals = work.read(move |tx| {
            let mut removals = Vec::new();
            for id in &ids {
                removals.extend(tx.get::<MachineRemoval>(*id)?);
            }
            Ok(removals)
        })?;
        remove_batch(work, removals)?;
    }
    let now = work.now;
    let due: Vec<MachineRemoval> = work.read(move |tx| Ok(tx.up_to(MachineRemoval::DUE, now, BATCH)?))?;
    remove_batch(work, due)
}

fn remove_batch(work: &mut Work<'_>, removals: Vec<MachineRemoval>) -> Result<()> {
    if removals.is_empty() {
        return Ok(());
    }
    let outcomes: Vec<(MachineRemoval, RemovalOutcome)> = removals
        .into_iter()
        .map(|removal| {
            let ended = match work.hypervisor.destroy_machine(removal.sled_id, removal.meta.id) {
                Ok(()) | Err(HypervisorError::UnknownMachine) => {
                    tracing::info!(machine = %removal.meta.id, "a machine of a lost sled has ended");
                    RemovalOutcome::Removed
                }
                Err(HypervisorError::Pending) => RemovalOutcome::Pending,
                Err(_) => RemovalOutcome::Failed,
            };
            (removal, ended)
        })
        .collect();
    work.write(move |cx| outcomes.iter().try_for_each(|(removal, ended)| record(cx, removal, *ended)))
}

fn record(cx: &mut Cx<'_, '_>, removal: &MachineRemoval, ended: RemovalOutcome) -> Result<()> {
    if ended == RemovalOutcome::Removed {
        cx.tx.remove::<MachineRemoval>(removal.meta.id, cx.now)?;
        return Ok(());
    }
    let Some(mut removal) = cx.tx.get::<MachineRemoval>(removal.meta.id)? else { return Ok(()) };
    let mut wait = cx.settings().retry_interval;
    if ended == RemovalOutcome::Failed {
        let factor = 1_i32 << removal.attempts.min(10);
        wait = wait.saturating_mul(factor).min(LONGEST_BACKOFF);
        removal.attempts = removal.attempts.saturating_add(1);
    }
    removal.time_due = later(cx.now, wait);
    Ok(cx.tx.update(&mut removal)?)
}

/// When the next retry is due.
pub(in crate::reconcile) fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<MachineRemoval> = tx.up_to(MachineRemoval::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().map(|removal| removal.time_due))
}
