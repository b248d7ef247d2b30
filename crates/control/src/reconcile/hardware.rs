use croft_api::Result;
use croft_sled::Inventory;
use croft_store::records::UninitializedSled;

use super::Work;
use crate::inventory;

/// The hardware inventory, as last recorded.
#[derive(Debug, Default)]
pub(super) struct Hardware {
    last: Option<Inventory>,
}

impl Hardware {
    /// Records the hardware inventory if it has changed.
    pub(super) fn sync(&mut self, work: &mut Work<'_>) -> Result<()> {
        let seen = work.hypervisor.inventory();
        if self.last.as_ref() == Some(&seen) { Ok(()) } else { self.write(work, seen) }
    }

    /// Adds sleds to the fleet that an operator has requested.
    pub(super) fn add_requested_sleds(&mut self, work: &mut Work<'_>) -> Result<()> {
        let now = work.now;
        let added: Vec<UninitializedSled> =
            work.read(move |tx| Ok(tx.up_to(UninitializedSled::ADDED, now, 100)?))?;
        if added.is_empty() {
            return Ok(());
        }
        let seen = work.hypervisor.inventory();
        // A missing sled is added when it comes back.
        let is_there = |added: &UninitializedSled| seen.sleds.iter().any(|sled| sled.id == added.meta.id);
        if added.iter().any(is_there) { self.write(work, seen) } else { Ok(()) }
    }

    fn write(&mut self, work: &mut Work<'_>, seen: Inventory) -> Result<()> {
        let inventory = seen.clone();
        work.write(move |cx| inventory::sync(cx, &inventory))?;
        self.last = Some(seen);
        Ok(())
    }
}
