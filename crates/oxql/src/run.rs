//! Evaluates a query (`docs/rules/telemetry.md#execution`).

mod align;
mod budget;
mod delta;
mod fetch;
mod group;
mod join;

use jiff::Timestamp;

use crate::{
    Limit, QueryError, Source,
    condition::{Condition, TIMESTAMP, TableShape},
    language::{Filter, Literal, Operation, Operator, Query, Start},
    plan::{self, Fetch},
    table::{Table, TablePoints, TableSeries},
};
use budget::Budget;
pub use budget::MOST_POINTS;

/// The context of a query.
pub struct Context<'a> {
    /// The current time. Together with the latest time in the query it determines the end of the grid of `align`.
    pub now: Timestamp,
    /// Maximum memory for the points of the query, in bytes.
    pub memory: usize,
    /// Called regularly: returns true if the query must stop.
    pub overdue: &'a dyn Fn() -> bool,
}

/// Evaluates a query to its tables, in order.
///
/// # Errors
/// The query is invalid for the data, exceeds a limit, or the store cannot be read.
pub fn run(query: &Query, source: &dyn Source, context: &Context<'_>) -> Result<Vec<Table>, QueryError> {
    let fetches = plan::plan(query, source)?;
    let budget = Budget::new(context);
    let mut runner = Runner { source, budget, end: end(query, context.now), fetches: fetches.into_iter() };
    runner.query(query)
}

/// The latest time that a query asks for; otherwise now. In nanoseconds.
fn end(query: &Query, now: Timestamp) -> i64 {
    latest_bound(query).unwrap_or_else(|| i64::try_from(now.as_nanosecond()).unwrap_or(i64::MAX))
}

fn latest_bound(query: &Query) -> Option<i64> {
    let members = match &query.start {
        Start::Get(_) => None,
        Start::Group(members) => members.iter().filter_map(latest_bound).max(),
    };
    let filters = query.operations.iter().filter_map(|operation| match operation {
        Operation::Filter(filter) => latest_bound_of(filter),
        _ => None,
    });
    members.max(filters.max())
}

fn latest_bound_of(filter: &Filter) -> Option<i64> {
    match filter {
        Filter::Compare(comparison) => match (&comparison.literal, comparison.operator) {
            (Literal::Timestamp(time), Operator::Less | Operator::LessOrEqual | Operator::Equal)
                if comparison.identifier == TIMESTAMP =>
            {
                Some(*time)
            }
            _ => None,
        },
        Filter::Not(inner) => latest_bound_of(inner),
        Filter::All(operands) | Filter::Any(operands) | Filter::Odd(operands) => {
            operands.iter().filter_map(latest_bound_of).max()
        }
    }
}

struct Runner<'a> {
    source: &'a dyn Source,
    budget: Budget<'a>,
    end: i64,
    /// The plans of the remaining `get`s, in textual order.
    fetches: std::vec::IntoIter<Fetch>,
}

impl Runner<'_> {
    fn query(&mut self, query: &Query) -> Result<Vec<Table>, QueryError> {
        let mut tables = Vec::new();
        match &query.start {
            Start::Get(_) => {
                // The plan has an entry for each `get`.
                if let Some(fetch) = self.fetches.next() {
                    tables.push(fetch::fetch(&fetch, self.source, &mut self.budget)?);
                }
            }
            Start::Group(members) => {
                for member in members {
                    tables.extend(self.query(member)?);
                }
            }
        }
        for operation in &query.operations {
            self.budget.check_time()?;
            tables = self.after(operation, tables)?;
        }
        Ok(tables)
    }

    /// The tables after an operation.
    fn after(&mut self, operation: &Operation, mut tables: Vec<Table>) -> Result<Vec<Table>, QueryError> {
        if matches!(operation, Operation::Join) {
            return join::join(tables);
        }
        for table in tables.iter_mut().filter(|table| table.matched) {
            match operation {
                Operation::Filter(filter) => keep(table, filter)?,
                Operation::Align(alignment) => {
                    align::align(table, alignment.period.as_nanoseconds(), self.end, &mut self.budget)?;
                }
                Operation::GroupBy(grouping) => group::group(table, grouping)?,
                Operation::Limit(limit) => {
                    table.series.iter_mut().for_each(|series| cut(&mut series.points, *limit));
                }
                Operation::Join => {}
            }
        }
        Ok(tables)
    }
}

/// Keeps the points for which a condition holds.
fn keep(table: &mut Table, filter: &Filter) -> Result<(), QueryError> {
    let condition = Condition::new(filter, &shape(table))?;
    table.series.retain_mut(|series| keep_points(series, &condition));
    Ok(())
}

/// Keeps the points for which a condition holds. Returns whether there are any.
fn keep_points(series: &mut TableSeries, condition: &Condition) -> bool {
    match condition.for_fields(&series.fields).for_times(&series.points) {
        Condition::Constant(keep) => keep && !series.points.is_empty(),
        condition => {
            let points = &series.points;
            let holds = |position| condition.holds(points, position) == Some(true);
            let mask: Vec<bool> = (0..points.len()).map(holds).collect();
            if mask.contains(&false) {
                series.points.retain(&mask);
            }
            !series.points.is_empty()
        }
    }
}

/// Keeps the earliest or latest points.
fn cut(points: &mut TablePoints, limit: Limit) {
    let length = points.len();
    match limit {
        Limit::First(count) => points.slice(0, count.min(length)),
        Limit::Last(count) => points.slice(length.saturating_sub(count), length),
    }
}

/// The type of a table.
fn shape(table: &Table) -> TableShape {
    TableShape {
        name: table.name.clone(),
        fields: table.fields.to_vec(),
        dimensions: table.dimensions.clone(),
        alignment: table.alignment,
    }
}
