//! Conditions on the points of a table (`docs/rules/telemetry.md#conditions` and `docs/rules/telemetry.md#filters`).

mod operand;

use std::collections::BTreeSet;

use crate::{
    Window,
    error::{FilterError, PlanError},
    language::{Comparison, Filter, Operator},
    model::{FieldType, FieldValue, Schema},
    table::{MetricType, TableField, TablePoints, ValueType, Values},
};
use operand::Operand;

/// The identifier of a point's timestamp.
pub(crate) const TIMESTAMP: &str = "timestamp";
/// The identifier of the start of a point's interval.
pub(crate) const START_TIME: &str = "start_time";
/// The identifier of a point's value.
pub(crate) const DATUM: &str = "datum";

/// The identifiers of parts of distributions. Those of quantiles may end in one of [`QUANTILE_PARTS`].
const DISTRIBUTION_PARTS: [&str; 6] = ["bins", "counts", "min", "max", "sum_of_samples", "squared_mean"];
const QUANTILES: [&str; 3] = ["p50", "p90", "p99"];
const QUANTILE_PARTS: [&str; 4] = ["", "_marker_heights", "_marker_positions", "_desired_marker_positions"];

/// The static type of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableShape {
    pub(crate) name: String,
    pub(crate) fields: Vec<TableField>,
    pub(crate) dimensions: Vec<(MetricType, ValueType)>,
    /// In nanoseconds.
    pub(crate) alignment: Option<i64>,
}

impl TableShape {
    /// The table that `get` makes.
    pub(crate) fn of_schema(schema: &Schema) -> Result<Self, PlanError> {
        let name = schema.name.to_string();
        let bytes = || PlanError::Bytes(name.clone());
        let value_type = ValueType::of_datum(schema.datum_type).ok_or_else(bytes)?;
        let metric_type =
            if schema.datum_type.is_cumulative() { MetricType::Delta } else { MetricType::Gauge };
        let fields = schema
            .fields
            .iter()
            .map(|field| TableField { name: field.name.clone(), field_type: field.field_type })
            .collect();
        Ok(Self { name, fields, dimensions: vec![(metric_type, value_type)], alignment: None })
    }

    /// The fields of a grouping without duplicates, with their positions.
    pub(crate) fn grouped_fields(&self, names: &[String]) -> Result<Vec<(usize, TableField)>, PlanError> {
        let mut grouped: Vec<(usize, TableField)> = Vec::new();
        for name in names {
            let Some(position) = self.fields.iter().position(|field| field.name == *name) else {
                return Err(PlanError::GroupField { field: name.clone(), valid: self.sorted_field_names() });
            };
            if grouped.iter().all(|(known, _)| *known != position) {
                grouped.push((position, self.fields[position].clone()));
            }
        }
        Ok(grouped)
    }

    /// All fields with their types, in any order.
    pub(crate) fn described_fields(&self) -> String {
        let describe = |field: &TableField| format!("{}: {:?}", field.name, field.field_type);
        let mut fields: Vec<_> = self.fields.iter().map(describe).collect();
        fields.sort_unstable();
        format!("[{}]", fields.join(", "))
    }

    fn sorted_field_names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.fields.iter().map(|field| field.name.clone()).collect();
        names.sort_unstable();
        names
    }

    fn has_start_times(&self) -> bool {
        self.dimensions.iter().any(|(metric_type, _)| *metric_type != MetricType::Gauge)
    }

    fn has_scalar(&self) -> bool {
        matches!(self.dimensions[..], [(_, value_type)] if !value_type.is_distribution())
    }

    /// An identifier in a filter, resolved.
    fn identifiers(&self) -> Vec<String> {
        let mut identifiers: BTreeSet<String> = self.sorted_field_names().into_iter().collect();
        identifiers.insert(TIMESTAMP.into());
        if self.has_start_times() {
            identifiers.insert(START_TIME.into());
        }
        if self.has_scalar() {
            identifiers.insert(DATUM.into());
        }
        identifiers.into_iter().collect()
    }

    fn is_distribution_part(&self, identifier: &str) -> bool {
        let quantile = |identifier: &str| QUANTILE_PARTS.contains(&identifier);
        self.dimensions.iter().any(|(_, value_type)| value_type.is_distribution())
            && (DISTRIBUTION_PARTS.contains(&identifier)
                || QUANTILES.iter().any(|name| identifier.strip_prefix(name).is_some_and(quantile)))
    }
}

/// A condition with resolved identifiers.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Constant(bool),
    Compare(Resolved),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Odd(Vec<Condition>),
}

/// A comparison with a resolved identifier.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    subject: Subject,
    operator: Operator,
    operand: Operand,
}

#[derive(Clone, Copy, Debug)]
enum Subject {
    Field(usize),
    Timestamp,
    StartTime,
    Datum,
}

impl Condition {
    /// Resolves a filter for a table.
    pub(crate) fn new(filter: &Filter, table: &TableShape) -> Result<Self, PlanError> {
        let mut resolver = Resolver { table, invalid: BTreeSet::new(), errors: Vec::new() };
        let condition = resolver.condition(filter);
        let mut errors = resolver.errors;
        if !resolver.invalid.is_empty() {
            let invalid = resolver.invalid.into_iter().collect();
            let (table, valid) = (table.name.clone(), table.identifiers());
            errors.insert(0, FilterError::Identifier { table, invalid, valid });
        }
        if errors.is_empty() {
            Ok(condition)
        } else {
            Err(PlanError::Filter { filter: filter.to_string(), errors })
        }
    }

    /// Whether a point is in a window.
    pub(crate) fn within(window: &Window) -> Self {
        let bound = |operator, time| {
            Self::Compare(Resolved {
                subject: Subject::Timestamp,
                operator,
                operand: Operand::Timestamp(time),
            })
        };
        Self::All(vec![bound(Operator::GreaterOrEqual, window.from), bound(Operator::LessOrEqual, window.to)])
    }

    /// Simplifies the condition for points of a timeseries with these fields.
    pub(crate) fn for_fields(&self, fields: &[FieldValue]) -> Self {
        let each = |operands: &[Self]| operands.iter().map(|operand| operand.for_fields(fields)).collect();
        match self {
            Self::Constant(_) => self.clone(),
            Self::Compare(resolved) => match resolved.subject {
                Subject::Field(position) => {
                    Self::Constant(resolved.operand.holds_for(&fields[position], resolved.operator))
                }
                _ => self.clone(),
            },
            Self::Not(inner) => match inner.for_fields(fields) {
                Self::Constant(value) => Self::Constant(!value),
                inner => Self::Not(Box::new(inner)),
            },
            Self::All(operands) => Self::all(each(operands)),
            Self::Any(operands) => Self::any(each(operands)),
            Self::Odd(operands) => Self::Odd(each(operands)).without_only_constants(),
        }
    }

    /// Simplifies the condition for these points. They are in order of time, so a bound on time that holds for the
    /// first and the last of them holds for all.
    pub(crate) fn for_times(&self, points: &TablePoints) -> Self {
        let each =
            |operands: &[Self]| operands.iter().map(|operand| operand.for_times(points)).collect::<Vec<_>>();
        match self {
            Self::Compare(resolved) => match resolved.holds_throughout(points) {
                Some(value) => Self::Constant(value),
                None => self.clone(),
            },
            Self::All(operands) => Self::all(each(operands)),
            Self::Any(operands) => Self::any(each(operands)),
            Self::Constant(_) | Self::Not(_) | Self::Odd(_) => self.clone(),
        }
    }

    /// All of these.
    pub(crate) fn all(mut operands: Vec<Self>) -> Self {
        if operands.iter().any(|operand| matches!(operand, Self::Constant(false))) {
            return Self::Constant(false);
        }
        operands.retain(|operand| !matches!(operand, Self::Constant(true)));
        if operands.is_empty() { Self::Constant(true) } else { Self::All(operands) }
    }

    /// At least one of these.
    pub(crate) fn any(mut operands: Vec<Self>) -> Self {
        if operands.iter().any(|operand| matches!(operand, Self::Constant(true))) {
            return Self::Constant(true);
        }
        operands.retain(|operand| !matches!(operand, Self::Constant(false)));
        if operands.is_empty() { Self::Constant(false) } else { Self::Any(operands) }
    }

    fn without_only_constants(self) -> Self {
        let Self::Odd(operands) = &self else { return self };
        let constant = |operand: &Self| if let Self::Constant(value) = operand { Some(*value) } else { None };
        match operands.iter().map(constant).collect::<Option<Vec<_>>>() {
            Some(values) => Self::Constant(values.into_iter().fold(false, |odd, value| odd ^ value)),
            None => self,
        }
    }

    /// Whether the condition, simplified for the fields of the timeseries, holds for a point. `None` if a value is
    /// missing: then neither a comparison with it nor its negation holds.
    pub(crate) fn holds(&self, points: &TablePoints, position: usize) -> Option<bool> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Compare(resolved) => resolved.holds(points, position),
            Self::Not(inner) => inner.holds(points, position).map(|value| !value),
            Self::All(operands) => every(operands, points, position, false),
            Self::Any(operands) => every(operands, points, position, true),
            Self::Odd(operands) => operands
                .iter()
                .try_fold(false, |odd, operand| operand.holds(points, position).map(|value| odd ^ value)),
        }
    }
}

/// The result if any operand has this value; otherwise, if all have the opposite, the opposite.
fn every(operands: &[Condition], points: &TablePoints, position: usize, enough: bool) -> Option<bool> {
    let mut all_known = true;
    for operand in operands {
        match operand.holds(points, position) {
            Some(value) if value == enough => return Some(enough),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!enough)
}

impl Resolved {
    /// Whether a bound on time holds for all points or for none.
    fn holds_throughout(&self, points: &TablePoints) -> Option<bool> {
        let bound = matches!(
            self.operator,
            Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual
        );
        let (Subject::Timestamp, true) = (self.subject, bound) else { return None };
        let (first, last) = (points.timestamps.first()?, points.timestamps.last()?);
        let holds = |time: &i64| self.operand.holds_for_time(*time, self.operator);
        (holds(first) == holds(last)).then(|| holds(first))
    }

    fn holds(&self, points: &TablePoints, position: usize) -> Option<bool> {
        let (operator, operand) = (self.operator, &self.operand);
        match self.subject {
            // Conditions on fields have been simplified before.
            Subject::Field(_) => None,
            Subject::Timestamp => Some(operand.holds_for_time(points.timestamps[position], operator)),
            Subject::StartTime => {
                let start_times = points.start_times.as_ref()?;
                Some(operand.holds_for_time(start_times[position], operator))
            }
            Subject::Datum => match &points.dimensions.first()?.values {
                Values::Integer(values) => {
                    values[position].map(|value| operand.holds_for_integer(value.into(), operator))
                }
                Values::Double(values) => {
                    values[position].map(|value| operand.holds_for_double(value, operator))
                }
                Values::Boolean(values) => {
                    values[position].map(|value| operand.holds_for_boolean(value, operator))
                }
                Values::String(values) => {
                    values[position].as_ref().map(|value| operand.holds_for_string(value, operator))
                }
                Values::IntegerDistribution(_) | Values::DoubleDistribution(_) => None,
            },
        }
    }
}

struct Resolver<'a> {
    table: &'a TableShape,
    invalid: BTreeSet<String>,
    errors: Vec<FilterError>,
}

impl Resolver<'_> {
    fn condition(&mut self, filter: &Filter) -> Condition {
        match filter {
            Filter::Compare(comparison) => {
                self.comparison(comparison).map_or(Condition::Constant(false), Condition::Compare)
            }
            Filter::Not(inner) => Condition::Not(Box::new(self.condition(inner))),
            Filter::All(operands) => Condition::All(self.conditions(operands)),
            Filter::Any(operands) => Condition::Any(self.conditions(operands)),
            Filter::Odd(operands) => Condition::Odd(self.conditions(operands)),
        }
    }

    fn conditions(&mut self, filters: &[Filter]) -> Vec<Condition> {
        filters.iter().map(|filter| self.condition(filter)).collect()
    }

    fn comparison(&mut self, comparison: &Comparison) -> Option<Resolved> {
        let (subject, expected) = self.subject(&comparison.identifier)?;
        match Operand::new(comparison, expected) {
            Ok(operand) => Some(Resolved { subject, operator: comparison.operator, operand }),
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }

    /// The meaning of an identifier, and the name of its type.
    fn subject(&mut self, identifier: &str) -> Option<(Subject, &'static str)> {
        match identifier {
            TIMESTAMP => return Some((Subject::Timestamp, "timestamp")),
            START_TIME if self.table.has_start_times() => return Some((Subject::StartTime, "timestamp")),
            DATUM if self.table.dimensions.len() != 1 => {
                let (table, dimensions) = (self.table.name.clone(), self.table.dimensions.len());
                self.errors.push(FilterError::DatumDimensions { table, dimensions });
                return None;
            }
            DATUM if self.table.has_scalar() => {
                return Some((Subject::Datum, self.table.dimensions[0].1.as_str()));
            }
            _ => {}
        }
        if let Some(position) = self.table.fields.iter().position(|field| field.name == identifier) {
            let expected = match self.table.fields[position].field_type {
                FieldType::String => "string",
                FieldType::IpAddr => "ip_addr",
                FieldType::Uuid => "uuid",
                FieldType::Bool => "boolean",
                _ => "integer",
            };
            return Some((Subject::Field(position), expected));
        }
        if self.table.is_distribution_part(identifier) {
            self.errors.push(FilterError::DistributionPart(identifier.into()));
        } else {
            self.invalid.insert(identifier.into());
        }
        None
    }
}
