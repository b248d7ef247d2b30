//! How much work a message may cause.

/// Steps that one message may take: several times what an honest one of the greatest length needs, and less than a
/// tenth of a second.
const DEFAULT: u64 = 24_000_000;

/// The work that may be done for one message, in elementary steps: a byte that is looked at, copied or hashed, a name
/// that is compared with another.
///
/// Whoever posts an answer is unknown until its signature is verified, so the work must be bounded by something that
/// the sender cannot choose. Steps rather than time, so that the bound is the same on every host.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    spent: u64,
}

impl Budget {
    /// A budget of this many steps.
    pub const fn new(limit: u64) -> Self {
        Self { limit, spent: 0 }
    }

    /// The steps that were taken so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Counts steps that are about to be taken.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Exceeded> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        let spent = self.spent.saturating_add(steps);
        if spent > self.limit {
            return Err(Exceeded);
        }
        self.spent = spent;
        Ok(())
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(DEFAULT)
    }
}

/// A message would take more work than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it would take too much work to verify")]
pub(crate) struct Exceeded;
