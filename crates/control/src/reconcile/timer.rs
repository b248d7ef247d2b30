use croft_api::Result;
use croft_store::{
    Lookup, Record,
    records::{
        Batch, BatchItem, BatchItemWait, Disk, DiskRemoval, Instance, MachineRemoval, Snapshot,
        SnapshotVolume,
    },
};
use jiff::{SignedDuration, Timestamp};

use super::Work;
use crate::{Cx, context::later, instance};

/// A periodic task. It still runs if the clock is set back.
#[derive(Debug)]
pub(super) struct Timer {
    interval: SignedDuration,
    last: Option<Timestamp>,
}

impl Timer {
    /// Due immediately, and then again this long after each run.
    pub(super) fn every(interval: SignedDuration) -> Self {
        Self { interval, last: None }
    }

    /// Whether it is due.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        self.last.is_none_or(|last| now < last || later(last, self.interval) <= now)
    }

    /// Records a run.
    pub(super) fn ran(&mut self, now: Timestamp) {
        self.last = Some(now);
    }

    /// When it is due next, not before now.
    pub(super) fn next(&self, now: Timestamp) -> Timestamp {
        match self.last {
            Some(last) if now >= last => later(last, self.interval).max(now),
            _ => now,
        }
    }
}

/// Makes everything due now that is scheduled: after the clock was set back, the scheduled time may be far away.
pub(super) fn look_at_all(work: &mut Work<'_>) -> Result<()> {
    work.write(|cx| {
        for mut waiting in all_due::<Instance>(cx, Instance::DUE)? {
            instance::save(cx, &mut waiting)?;
        }
        for mut disk in all_due::<Disk>(cx, Disk::DUE)? {
            disk.time_due = Some(cx.now);
            cx.tx.update(&mut disk)?;
        }
        for mut snapshot in all_due::<Snapshot>(cx, Snapshot::DUE)? {
            snapshot.time_due = Some(cx.now);
            cx.tx.update(&mut snapshot)?;
        }
        for mut removal in all_due::<DiskRemoval>(cx, DiskRemoval::DUE)? {
            removal.time_due = cx.now;
            cx.tx.update(&mut removal)?;
        }
        for mut volume in all_due::<SnapshotVolume>(cx, SnapshotVolume::DUE)? {
            volume.time_due = Some(cx.now);
            cx.tx.update(&mut volume)?;
        }
        for mut removal in all_due::<MachineRemoval>(cx, MachineRemoval::DUE)? {
            removal.time_due = cx.now;
            cx.tx.update(&mut removal)?;
        }
        for mut batch in all_due::<Batch>(cx, Batch::DUE)? {
            batch.time_due = Some(cx.now);
            cx.tx.update(&mut batch)?;
        }
        for mut item in all_due::<BatchItem>(cx, BatchItem::DUE)? {
            item.wait = Some(BatchItemWait { since: cx.now, until: Some(cx.now) });
            cx.tx.update(&mut item)?;
        }
        Ok(())
    })
}

/// Everything that is due at any time.
fn all_due<R: Record>(cx: &mut Cx<'_, '_>, due: &'static Lookup) -> Result<Vec<R>> {
    Ok(cx.tx.up_to(due, Timestamp::MAX, usize::MAX)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timer_is_due_when_the_clock_is_set_back() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut timer = Timer::every(SignedDuration::from_secs(30));
        assert!(timer.is_due(at(1000)));
        timer.ran(at(1000));
        assert_eq!((timer.is_due(at(1029)), timer.next(at(1001))), (false, at(1030)));
        assert!(timer.is_due(at(1030)));
        assert_eq!((timer.is_due(at(999)), timer.next(at(999))), (true, at(999)));
        timer.ran(at(999));
        assert_eq!(timer.next(at(999)), at(1029));
    }
}
