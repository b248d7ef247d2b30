use super::Context;
use crate::{QueryError, RunError, model::Column};

/// Maximum number of fetched points, and of points on grids.
pub const MOST_POINTS: usize = 1_000_000;

/// The remaining budget of a query.
pub(super) struct Budget<'a> {
    /// Number of points that may still be fetched.
    pub(super) points: usize,
    grid: usize,
    memory: usize,
    most_memory: usize,
    overdue: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    pub(super) fn new(context: &Context<'a>) -> Self {
        let memory = context.memory;
        let overdue = context.overdue;
        Self { points: MOST_POINTS, grid: MOST_POINTS, memory, most_memory: memory, overdue }
    }

    pub(super) fn check_time(&self) -> Result<(), QueryError> {
        if (self.overdue)() { Err(QueryError::TimedOut) } else { Ok(()) }
    }

    /// Deducts points that were fetched.
    pub(super) fn take_fetched(&mut self, values: &Column) -> Result<(), QueryError> {
        self.points = self.points.checked_sub(values.len()).ok_or(RunError::TooManyPoints)?;
        self.take_memory(values.len() * size_of::<[i64; 2]>() + bytes(values))
    }

    /// Deducts points of a grid.
    pub(super) fn take_grid(&mut self, points: usize) -> Result<(), QueryError> {
        self.grid = self.grid.checked_sub(points).ok_or(RunError::TooManyPoints)?;
        self.take_memory(points * size_of::<(i64, Option<f64>)>())
    }

    fn take_memory(&mut self, bytes: usize) -> Result<(), QueryError> {
        let too_much = || RunError::TooMuchMemory(self.most_memory >> 20);
        self.memory = self.memory.checked_sub(bytes).ok_or_else(too_much)?;
        Ok(())
    }
}

/// Approximate memory of values. Distributions count twice, because their differences are new values.
fn bytes(values: &Column) -> usize {
    fn counts<T>(values: &[Option<std::sync::Arc<crate::model::Distribution<T>>>]) -> usize {
        let each = size_of::<crate::model::Distribution<T>>();
        let bytes = values.iter().flatten().map(|value| each + value.counts.len() * size_of::<u64>());
        2 * bytes.sum::<usize>()
    }
    match values {
        Column::Boolean(values) => size_of_val(values.as_slice()),
        Column::Integer(values) => size_of_val(values.as_slice()),
        Column::Unsigned(values) => size_of_val(values.as_slice()),
        Column::Double(values) => size_of_val(values.as_slice()),
        Column::String(values) => {
            size_of_val(values.as_slice()) + values.iter().flatten().map(String::capacity).sum::<usize>()
        }
        Column::IntegerDistribution(values) => size_of_val(values.as_slice()) + counts(values),
        Column::DoubleDistribution(values) => size_of_val(values.as_slice()) + counts(values),
    }
}
