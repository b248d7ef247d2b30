//! The bound on the work that a message may cause.

/// Maximum steps of one message: several times what a valid one of the maximum length needs, and less than a tenth of a
/// second.
const DEFAULT: u64 = 24_000_000;

/// The work for one message in elementary steps: a byte that is read, copied or hashed, or a comparison of names.
///
/// The sender of a response is unknown until its signature is verified, so the work must be bounded independently of
/// what the sender chooses. The unit is steps rather than time, so that the bound is the same on every host.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    spent: u64,
}

impl Budget {
    /// A budget with this number of steps.
    pub const fn new(limit: u64) -> Self {
        Self { limit, spent: 0 }
    }

    /// The number of steps so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Counts steps before they are performed.
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

/// The message requires more work than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it would take too much work to verify")]
pub(crate) struct Exceeded;
