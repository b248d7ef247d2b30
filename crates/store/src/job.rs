//! An operation on its way to a worker and its answer on the way back.

use crate::{
    StoreError, Tx,
    engine::{
        Session,
        attempt::{self, Verdict},
    },
};

/// An operation whose types are hidden, so that all operations share a queue.
pub(crate) trait Job: Send {
    /// Runs the operation, possibly again. True if its effects are wanted and can be kept.
    fn run(&mut self, session: &mut dyn Session, writable: bool) -> Verdict;

    /// Answers the caller: with the last run's result, or with what happened instead.
    fn answer(self: Box<Self>, outcome: Result<(), StoreError>);
}

pub(crate) struct Operation<T, E, F, A> {
    body: F,
    result: Option<Result<T, E>>,
    answer: A,
}

impl<T, E, F, A> Operation<T, E, F, A> {
    pub(crate) fn new(body: F, answer: A) -> Self {
        Self { body, result: None, answer }
    }
}

impl<T, E, F, A> Job for Operation<T, E, F, A>
where
    T: Send,
    E: From<StoreError> + Send,
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    A: FnOnce(Result<T, E>) + Send,
{
    fn run(&mut self, session: &mut dyn Session, writable: bool) -> Verdict {
        let Self { body, result, .. } = self;
        *result = None;
        let (verdict, finished) = attempt::run(&mut |tx| attempt::keep(body, result, tx), session, writable);
        match (verdict, finished) {
            (Verdict::Panicked, _) => self.result = None,
            (_, Err(error)) => self.result = Some(Err(error.into())),
            (_, Ok(())) => {}
        }
        verdict
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreError>) {
        let result = match (outcome, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(attempt::panicked().into()),
            (Err(error), _) => Err(error.into()),
        };
        (self.answer)(result);
    }
}
