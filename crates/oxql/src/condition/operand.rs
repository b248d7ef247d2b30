use std::{cmp::Ordering, net::IpAddr};

#[cfg(not(target_family = "wasm"))]
use regex::{Regex, RegexBuilder};
#[cfg(target_family = "wasm")]
use regex_lite::{Regex, RegexBuilder};
use uuid::Uuid;

use crate::{
    error::FilterError,
    language::{Comparison, Literal, Operator},
    model::FieldValue,
};

/// Maximum size of a compiled pattern, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// The right side of a comparison.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Integer(i128),
    Double(f64),
    String(String),
    Pattern(Box<Regex>),
    Boolean(bool),
    Uuid(Uuid),
    IpAddr(IpAddr),
    Timestamp(i64),
}

impl Operand {
    /// Converts the literal for a comparison with a value of this type.
    pub(super) fn new(comparison: &Comparison, expected: &'static str) -> Result<Self, FilterError> {
        let Comparison { identifier, operator, literal } = comparison;
        if literal.type_name() != expected {
            let (identifier, literal) = (identifier.clone(), literal.type_name());
            return Err(FilterError::Type { identifier, literal, expected });
        }
        if expected == "boolean" && !matches!(operator, Operator::Equal | Operator::NotEqual) {
            let (identifier, operator) = (identifier.clone(), operator.as_str());
            return Err(FilterError::Operator { identifier, operator, expected });
        }
        Ok(match literal {
            Literal::String(text) if *operator == Operator::Matches => {
                let pattern = RegexBuilder::new(text).size_limit(PATTERN_SIZE).build();
                Self::Pattern(Box::new(pattern.map_err(|error| FilterError::Pattern {
                    identifier: identifier.clone(),
                    reason: error.to_string(),
                })?))
            }
            Literal::String(text) => Self::String(text.clone()),
            Literal::Boolean(value) => Self::Boolean(*value),
            Literal::Integer(value) => Self::Integer(*value),
            Literal::Double(value) => Self::Double(*value),
            Literal::Uuid(value) => Self::Uuid(*value),
            Literal::IpAddr(value) => Self::IpAddr(*value),
            Literal::Timestamp(value) => Self::Timestamp(*value),
            // No identifier has the type of a duration.
            Literal::Duration(_) => {
                let (identifier, literal) = (identifier.clone(), literal.type_name());
                return Err(FilterError::Type { identifier, literal, expected });
            }
        })
    }

    pub(super) fn holds_for(&self, value: &FieldValue, operator: Operator) -> bool {
        match (value, self) {
            (FieldValue::String(value), _) => self.holds_for_string(value, operator),
            (FieldValue::Bool(value), _) => self.holds_for_boolean(*value, operator),
            (FieldValue::Uuid(value), Self::Uuid(operand)) => fits(value.cmp(operand), operator),
            (FieldValue::IpAddr(value), Self::IpAddr(operand)) => fits(value.cmp(operand), operator),
            (value, _) => value.as_integer().is_some_and(|value| self.holds_for_integer(value, operator)),
        }
    }

    pub(super) fn holds_for_time(&self, value: i64, operator: Operator) -> bool {
        matches!(self, Self::Timestamp(operand) if fits(value.cmp(operand), operator))
    }

    pub(super) fn holds_for_integer(&self, value: i128, operator: Operator) -> bool {
        matches!(self, Self::Integer(operand) if fits(value.cmp(operand), operator))
    }

    pub(super) fn holds_for_double(&self, value: f64, operator: Operator) -> bool {
        // Both are finite, and positive and negative zero are equal.
        let ordering = |operand: &f64| value.partial_cmp(operand).unwrap_or(Ordering::Equal);
        matches!(self, Self::Double(operand) if fits(ordering(operand), operator))
    }

    pub(super) fn holds_for_boolean(&self, value: bool, operator: Operator) -> bool {
        matches!(self, Self::Boolean(operand) if fits(value.cmp(operand), operator))
    }

    pub(super) fn holds_for_string(&self, value: &str, operator: Operator) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.is_match(value),
            Self::String(operand) => fits(value.cmp(operand.as_str()), operator),
            _ => false,
        }
    }
}

fn fits(ordering: Ordering, operator: Operator) -> bool {
    match operator {
        Operator::Equal => ordering.is_eq(),
        Operator::NotEqual => ordering.is_ne(),
        Operator::Less => ordering.is_lt(),
        Operator::LessOrEqual => ordering.is_le(),
        Operator::Greater => ordering.is_gt(),
        Operator::GreaterOrEqual => ordering.is_ge(),
        Operator::Matches => false,
    }
}
