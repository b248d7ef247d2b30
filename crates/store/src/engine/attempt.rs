//! One run of an operation.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Session;
use crate::{StoreError, Tx};

/// What became of one run of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It failed or refused: its effects are undone and its own error is answered.
    Undo,
    /// It succeeded; `wrote` tells whether anybody has to hear of changes.
    Keep { wrote: bool },
    /// It panicked: its effects are undone.
    Panicked,
}

/// Runs an operation in a transaction that the caller opened and will close as the verdict says.
pub(crate) fn run<T, E: From<StoreError>>(
    operation: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
    session: &mut dyn Session,
    writable: bool,
) -> (Option<Result<T, E>>, Verdict) {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut tx = Tx::new(session, writable);
        let result = operation(&mut tx);
        match result {
            Ok(value) => match tx.finish() {
                Ok(wrote) => (Ok(value), Verdict::Keep { wrote }),
                Err(error) => (Err(error.into()), Verdict::Undo),
            },
            Err(error) => (Err(error), Verdict::Undo),
        }
    }));
    match outcome {
        Ok((result, verdict)) => (Some(result), verdict),
        Err(_) => (None, Verdict::Panicked),
    }
}
