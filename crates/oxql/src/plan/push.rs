//! Pushdown: moves operations of a query into its reads (`docs/rules/telemetry.md#what-is-done-while-reading`).
//!
//! This affects not only the amount of data: differences of cumulative data are computed between fetched points, so it
//! is part of the semantics of a query.

use std::sync::Arc;

use super::{
    Fetch, Term,
    disjunction::{self, Alternatives},
};
use crate::{
    Limit,
    condition::{DATUM, START_TIME, TIMESTAMP},
    error::PlanError,
    language::{Literal, Operation, Operator},
    model::Schema,
};

/// Moves the operations that follow a `get` into it, the last one first.
pub(super) fn push(schema: &Arc<Schema>, operations: &[&Operation]) -> Result<Fetch, PlanError> {
    let mut pushed = Pushdown::default();
    for operation in operations.iter().rev() {
        pushed.past(operation)?;
    }
    if schema.datum_type.is_cumulative() {
        pushed.keep_terms(|term| only_if(subject(term) != Subject::Datum, term));
    }
    if pushed.alternatives.is_none() && pushed.limits.is_empty() {
        return Err(PlanError::FullScan);
    }
    Ok(Fetch { schema: Arc::clone(schema), alternatives: pushed.alternatives, limits: pushed.limits })
}

/// What can be done before an operation instead of after it: a condition, then limits in order.
#[derive(Default)]
struct Pushdown {
    alternatives: Option<Alternatives>,
    limits: Vec<Limit>,
}

impl Pushdown {
    /// Moves it from after an operation to before it.
    fn past(&mut self, operation: &Operation) -> Result<(), PlanError> {
        match operation {
            Operation::Filter(filter) => self.past_filter(disjunction::of(filter)?)?,
            Operation::Align(alignment) => {
                let period = alignment.period.as_nanoseconds();
                self.keep_terms(|term| match subject(term) {
                    Subject::Field => vec![term.clone()],
                    Subject::Timestamp => widened(term, period),
                    Subject::StartTime | Subject::Datum => Vec::new(),
                });
                self.limits.clear();
            }
            Operation::GroupBy(grouping) => {
                self.keep_terms(|term| {
                    let grouped = grouping.fields.contains(&term.comparison.identifier);
                    only_if(grouped || subject(term) == Subject::Timestamp, term)
                });
                self.limits.clear();
            }
            Operation::Join => {
                self.keep_terms(|term| {
                    only_if(matches!(subject(term), Subject::Field | Subject::Timestamp), term)
                });
            }
            Operation::Limit(limit) => {
                self.keep_terms(|term| only_if(agrees(term, *limit), term));
                self.add_limit(*limit);
            }
        }
        Ok(())
    }

    fn past_filter(&mut self, alternatives: Alternatives) -> Result<(), PlanError> {
        let passes = |limit: &Limit| alternatives.iter().flatten().all(|term| agrees(term, *limit));
        let passing = self.limits.iter().take_while(|limit| passes(limit)).count();
        self.limits.truncate(passing);
        self.alternatives = Some(match self.alternatives.take() {
            Some(later) => disjunction::both(&alternatives, &later)?,
            None => alternatives,
        });
        Ok(())
    }

    /// Prepends a limit. Two adjacent limits of one kind are replaced by the smaller one.
    fn add_limit(&mut self, limit: Limit) {
        match (limit, self.limits.first_mut()) {
            (Limit::First(count), Some(Limit::First(next)))
            | (Limit::Last(count), Some(Limit::Last(next))) => {
                *next = count.min(*next);
            }
            _ => self.limits.insert(0, limit),
        }
    }

    /// Applies `keep` to the terms of each alternative. If an alternative has no terms left, every point matches, so
    /// there is no condition.
    fn keep_terms(&mut self, keep: impl Fn(&Term) -> Vec<Term>) {
        let Some(alternatives) = &mut self.alternatives else { return };
        for terms in alternatives.iter_mut() {
            *terms = terms.iter().flat_map(&keep).collect();
        }
        if alternatives.iter().any(Vec::is_empty) {
            self.alternatives = None;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Field,
    Timestamp,
    StartTime,
    Datum,
}

fn subject(term: &Term) -> Subject {
    match term.comparison.identifier.as_str() {
        TIMESTAMP => Subject::Timestamp,
        START_TIME => Subject::StartTime,
        DATUM => Subject::Datum,
        _ => Subject::Field,
    }
}

/// Whether a comparison and a limit commute.
fn agrees(term: &Term, limit: Limit) -> bool {
    let operator = term.comparison.operator;
    match (subject(term), limit) {
        (Subject::Field, _) => true,
        (Subject::Timestamp, Limit::First(_)) => matches!(operator, Operator::Less | Operator::LessOrEqual),
        (Subject::Timestamp, Limit::Last(_)) => {
            matches!(operator, Operator::Greater | Operator::GreaterOrEqual)
        }
        (Subject::StartTime | Subject::Datum, _) => false,
    }
}

fn only_if(passes: bool, term: &Term) -> Vec<Term> {
    if passes { vec![term.clone()] } else { Vec::new() }
}

/// The bounds on points before an alignment that follow from bounds on the times of the grid: extended by one period.
fn widened(term: &Term, period: i64) -> Vec<Term> {
    let Literal::Timestamp(time) = term.comparison.literal else { return Vec::new() };
    let bound = |operator: Operator, time: i64| {
        let mut term = term.clone();
        term.comparison.operator = operator;
        term.comparison.literal = Literal::Timestamp(time);
        term
    };
    let (earlier, later) = (time.saturating_sub(period), time.saturating_add(period));
    match term.comparison.operator {
        operator @ (Operator::Greater | Operator::GreaterOrEqual) => vec![bound(operator, earlier)],
        operator @ (Operator::Less | Operator::LessOrEqual) => vec![bound(operator, later)],
        Operator::Equal => {
            vec![bound(Operator::GreaterOrEqual, earlier), bound(Operator::LessOrEqual, later)]
        }
        Operator::NotEqual | Operator::Matches => Vec::new(),
    }
}
