//! Conditions in disjunctive normal form (`docs/rules/telemetry.md#filters`).

use crate::{
    error::PlanError,
    language::{Comparison, Filter, Operator},
};

/// Maximum nesting of a condition.
const MOST_LEVELS: usize = 32;

/// Maximum number of alternatives of a condition.
const MOST_ALTERNATIVES: usize = 32;

/// A comparison, possibly negated. Only `~=` is ever negated, because the other operators have an opposite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) comparison: Comparison,
    pub(crate) holds: bool,
}

impl Term {
    fn new(comparison: &Comparison, holds: bool) -> Self {
        let mut comparison = comparison.clone();
        let opposite = if holds { None } else { opposite(comparison.operator) };
        let Some(operator) = opposite else { return Self { comparison, holds } };
        comparison.operator = operator;
        Self { comparison, holds: true }
    }

    /// The term as a condition.
    pub(crate) fn to_filter(&self) -> Filter {
        let filter = Filter::Compare(self.comparison.clone());
        if self.holds { filter } else { Filter::Not(Box::new(filter)) }
    }
}

fn opposite(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Equal => Operator::NotEqual,
        Operator::NotEqual => Operator::Equal,
        Operator::Less => Operator::GreaterOrEqual,
        Operator::LessOrEqual => Operator::Greater,
        Operator::Greater => Operator::LessOrEqual,
        Operator::GreaterOrEqual => Operator::Less,
        Operator::Matches => return None,
    })
}

/// A disjunction of conjunctions of terms.
pub(super) type Alternatives = Vec<Vec<Term>>;

/// Converts a condition.
pub(super) fn of(filter: &Filter) -> Result<Alternatives, PlanError> {
    simplify(filter, true, 0)
}

/// Converts a condition, or its negation.
fn simplify(filter: &Filter, value: bool, level: usize) -> Result<Alternatives, PlanError> {
    if level > MOST_LEVELS {
        return Err(PlanError::DeepFilter);
    }
    match filter {
        Filter::Compare(comparison) => Ok(vec![vec![Term::new(comparison, value)]]),
        Filter::Not(inner) => simplify(inner, !value, level + 1),
        Filter::All(operands) if value => all(operands, value, level),
        Filter::Any(operands) if !value => all(operands, value, level),
        Filter::All(operands) | Filter::Any(operands) => any(operands, value, level),
        Filter::Odd(operands) => odd(operands, value, level),
    }
}

fn any(operands: &[Filter], value: bool, level: usize) -> Result<Alternatives, PlanError> {
    let mut alternatives = Vec::new();
    for operand in operands {
        alternatives = either(alternatives, simplify(operand, value, level + 1)?)?;
    }
    Ok(alternatives)
}

fn all(operands: &[Filter], value: bool, level: usize) -> Result<Alternatives, PlanError> {
    let mut alternatives = vec![Vec::new()];
    for operand in operands {
        alternatives = both(&alternatives, &simplify(operand, value, level + 1)?)?;
    }
    Ok(alternatives)
}

fn odd(operands: &[Filter], value: bool, level: usize) -> Result<Alternatives, PlanError> {
    // The alternatives in which an even and an odd number of the operands so far are true.
    let (mut even, mut odd) = (vec![Vec::new()], Vec::new());
    for operand in operands {
        let yes = simplify(operand, true, level + 1)?;
        let no = simplify(operand, false, level + 1)?;
        (even, odd) =
            (either(both(&even, &no)?, both(&odd, &yes)?)?, either(both(&even, &yes)?, both(&odd, &no)?)?);
    }
    Ok(if value { odd } else { even })
}

fn either(mut left: Alternatives, right: Alternatives) -> Result<Alternatives, PlanError> {
    left.extend(right);
    bounded(left)
}

/// The conjunction of two disjunctions.
pub(super) fn both(left: &Alternatives, right: &Alternatives) -> Result<Alternatives, PlanError> {
    if left.len() * right.len() > MOST_ALTERNATIVES {
        return Err(PlanError::WideFilter);
    }
    let pair = |left: &Vec<Term>, right: &Vec<Term>| [left.as_slice(), right].concat();
    Ok(left.iter().flat_map(|left| right.iter().map(move |right| pair(left, right))).collect())
}

fn bounded(alternatives: Alternatives) -> Result<Alternatives, PlanError> {
    if alternatives.len() > MOST_ALTERNATIVES { Err(PlanError::WideFilter) } else { Ok(alternatives) }
}
