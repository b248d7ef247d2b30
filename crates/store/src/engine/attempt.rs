//! One run of an operation.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Session;
use crate::{StoreError, Tx};

/// The result of one run of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It failed or refused: its effects are rolled back, and its own error is returned.
    Undo,
    /// It succeeded; `wrote` says whether there are changes to announce.
    Keep { wrote: bool },
    /// It panicked: its effects are rolled back.
    Panicked,
}

/// An operation that stores its result and returns whether it succeeded. Its types are erased, so that the code that
/// runs operations is compiled only once: there are hundreds of operations, and browsers download the program.
pub(crate) type Body<'a> = dyn FnMut(&mut Tx<'_>) -> bool + 'a;

/// Runs an operation in a transaction that the caller opened and will close as the verdict says. It is an error if the
/// operation succeeded and its changes could not be logged.
pub(crate) fn run(
    body: &mut Body<'_>,
    session: &mut dyn Session,
    writable: bool,
) -> (Verdict, Result<(), StoreError>) {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut tx = Tx::new(session, writable);
        if !body(&mut tx) {
            return (Verdict::Undo, Ok(()));
        }
        match tx.finish() {
            Ok(wrote) => (Verdict::Keep { wrote }, Ok(())),
            Err(error) => (Verdict::Undo, Err(error)),
        }
    }));
    outcome.unwrap_or((Verdict::Panicked, Ok(())))
}

/// Runs an operation and stores its result, as [`Body`] requires.
pub(crate) fn keep<T, E>(
    operation: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
    kept: &mut Option<Result<T, E>>,
    tx: &mut Tx<'_>,
) -> bool {
    kept.insert(operation(tx)).is_ok()
}

/// The error of an operation that panicked.
pub(crate) fn panicked() -> StoreError {
    StoreError::Internal("the operation panicked".into())
}
