//! Reads the table of a `get` according to its plan, with differences for cumulative data.

use std::collections::HashSet;

use super::{budget::Budget, cut, delta, keep_points};
use crate::{
    Limit, QueryError, RunError, Series, Source, SourceError, Window,
    condition::{Condition, TIMESTAMP, TableShape},
    language::{Filter, Literal, Operator},
    model::{FieldValue, Points, Schema},
    plan::{Fetch, Term},
    table::{Dimension, MetricType, Table, TableField, TablePoints, TableSeries, Values},
};

/// Reads a `get`.
pub(super) fn fetch(
    fetch: &Fetch,
    source: &dyn Source,
    budget: &mut Budget<'_>,
) -> Result<Table, QueryError> {
    let schema = &*fetch.schema;
    let shape = TableShape::of_schema(schema)?;
    let alternatives = match &fetch.alternatives {
        None => vec![Alternative::everything()],
        Some(rows) => {
            let rows = rows.iter().map(|terms| Alternative::new(terms, schema, &shape));
            rows.collect::<Result<Vec<_>, _>>()?
        }
    };
    let matching = matching(source, schema, &alternatives)?;
    let mut series = Vec::new();
    for (found, reads) in &matching {
        budget.check_time()?;
        let points = read(source, schema, found, reads, &fetch.limits, budget)?;
        let mut one = TableSeries { fields: found.fields.clone(), points };
        if one.points.is_empty() {
            continue;
        }
        if schema.datum_type.is_cumulative() {
            delta::from_cumulative(&mut one.points)?;
        }
        series.push(one);
    }
    let TableShape { name, fields, dimensions, .. } = shape;
    let fields: std::sync::Arc<[TableField]> = fields.into();
    Ok(Table { name, fields, dimensions, series, alignment: None, matched: !matching.is_empty() })
}

/// A conjunction of terms, split by how they are evaluated.
struct Alternative {
    /// Required field values; `None` if one of them is impossible.
    equal: Option<Vec<(usize, FieldValue)>>,
    /// The possible timestamps.
    window: Window,
    /// All other terms.
    rest: Condition,
}

impl Alternative {
    fn everything() -> Self {
        Self { equal: Some(Vec::new()), window: Window::ALL, rest: Condition::Constant(true) }
    }

    fn new(terms: &[Term], schema: &Schema, shape: &TableShape) -> Result<Self, QueryError> {
        let mut this = Self::everything();
        let mut rest = Vec::new();
        for term in terms {
            if let Some(position) = schema.field(&term.comparison.identifier)
                && term.comparison.operator == Operator::Equal
            {
                let field_type = schema.fields[position].field_type;
                match field_value(&term.comparison.literal, field_type) {
                    Some(value) => {
                        this.equal.iter_mut().for_each(|equal| equal.push((position, value.clone())));
                    }
                    None => this.equal = None,
                }
            } else if !narrow(&mut this.window, term) {
                rest.push(term.to_filter());
            }
        }
        let rest = rest.iter().map(|filter: &Filter| Condition::new(filter, shape));
        this.rest = Condition::all(rest.collect::<Result<_, _>>()?);
        Ok(this)
    }

    fn fits(&self, fields: &[FieldValue]) -> bool {
        self.equal
            .as_ref()
            .is_some_and(|equal| equal.iter().all(|(position, value)| fields[*position] == *value))
    }
}

/// The field value for a literal; `None` if no field of the type can have it.
fn field_value(literal: &Literal, field_type: crate::model::FieldType) -> Option<FieldValue> {
    Some(match literal {
        Literal::Integer(value) => return FieldValue::from_integer(field_type, *value),
        Literal::String(value) => FieldValue::String(value.clone()),
        Literal::Boolean(value) => FieldValue::Bool(*value),
        Literal::Uuid(value) => FieldValue::Uuid(*value),
        Literal::IpAddr(value) => FieldValue::IpAddr(*value),
        Literal::Double(_) | Literal::Duration(_) | Literal::Timestamp(_) => return None,
    })
}

/// Narrows a window by a term, if the term can be expressed as a window.
fn narrow(window: &mut Window, term: &Term) -> bool {
    let Literal::Timestamp(time) = term.comparison.literal else { return false };
    if term.comparison.identifier != TIMESTAMP {
        return false;
    }
    let nothing = (i64::MAX, i64::MIN);
    let (from, to) = match term.comparison.operator {
        Operator::Equal => (time, time),
        Operator::GreaterOrEqual => (time, i64::MAX),
        Operator::LessOrEqual => (i64::MIN, time),
        Operator::Greater => time.checked_add(1).map_or(nothing, |from| (from, i64::MAX)),
        Operator::Less => time.checked_sub(1).map_or(nothing, |to| (i64::MIN, to)),
        Operator::NotEqual | Operator::Matches => return false,
    };
    (window.from, window.to) = (window.from.max(from), window.to.min(to));
    true
}

/// A read of a timeseries: points in a window for which a condition holds.
type Read = (Window, Condition);

/// The timeseries that match at least one alternative, with their reads.
fn matching(
    source: &dyn Source,
    schema: &Schema,
    alternatives: &[Alternative],
) -> Result<Vec<(Series, Vec<Read>)>, QueryError> {
    let (mut seen, mut matching) = (HashSet::new(), Vec::new());
    for equal in alternatives.iter().filter_map(|alternative| alternative.equal.as_ref()) {
        for found in source.series(schema, equal)? {
            if !schema.fits(&found.fields) {
                return Err(QueryError::Unavailable(format!(
                    "{} has other fields than its schema",
                    schema.name
                )));
            }
            if !seen.insert(found.id) {
                continue;
            }
            let fitting = alternatives.iter().filter(|alternative| alternative.fits(&found.fields));
            let reads: Vec<Read> = fitting
                .map(|alternative| (alternative.window, alternative.rest.for_fields(&found.fields)))
                .filter(|(_, rest)| !matches!(rest, Condition::Constant(false)))
                .collect();
            if !reads.is_empty() {
                matching.push((found, reads));
            }
        }
    }
    Ok(matching)
}

/// The union of windows as disjoint windows in ascending order.
fn disjoint(mut windows: Vec<Window>) -> Vec<Window> {
    windows.retain(|window| window.from <= window.to);
    windows.sort_unstable_by_key(|window| window.from);
    let mut disjoint: Vec<Window> = Vec::with_capacity(windows.len());
    for window in windows {
        match disjoint.last_mut() {
            Some(last) if window.from <= last.to.saturating_add(1) => last.to = last.to.max(window.to),
            _ => disjoint.push(window),
        }
    }
    disjoint
}

/// The points of a timeseries that match any of several reads, as stored.
fn read(
    source: &dyn Source,
    schema: &Schema,
    series: &Series,
    reads: &[Read],
    limits: &[Limit],
    budget: &mut Budget<'_>,
) -> Result<TablePoints, QueryError> {
    let exact = reads.iter().all(|(_, rest)| matches!(rest, Condition::Constant(true)));
    let mut windows = disjoint(reads.iter().map(|(window, _)| *window).collect());
    // The limit can be applied to the read only if everything in a single window matches.
    if let [window] = windows.as_mut_slice()
        && exact
    {
        window.limit = limits.first().copied();
    }
    let mut all: Option<TablePoints> = None;
    for window in &windows {
        let points = source.points(schema, series, window, budget.points)?;
        check(&points, schema)?;
        budget.take_fetched(&points.values)?;
        let points = as_stored(points)?;
        match &mut all {
            None => all = Some(points),
            Some(all) => all.append(points),
        }
    }
    let nothing = || Points::empty(schema.datum_type).map(as_stored).transpose();
    let Some(points) = all.map_or_else(nothing, |points| Ok(Some(points)))? else {
        return Err(QueryError::Unavailable(format!("{} has no column", schema.name)));
    };
    let mut one = TableSeries { fields: Vec::new(), points };
    if !exact {
        let wanted =
            reads.iter().map(|(window, rest)| Condition::all(vec![Condition::within(window), rest.clone()]));
        keep_points(&mut one, &Condition::any(wanted.collect()));
    }
    for limit in limits {
        cut(&mut one.points, *limit);
    }
    Ok(one.points)
}

/// Checks what a store returned.
fn check(points: &Points, schema: &Schema) -> Result<(), SourceError> {
    let empty = Points::empty(schema.datum_type);
    let length = points.len();
    let well_formed = empty.is_some_and(|empty| {
        std::mem::discriminant(&empty.values) == std::mem::discriminant(&points.values)
            && empty.start_times.is_some() == points.start_times.is_some()
    }) && points.values.len() == length
        && points.start_times.as_ref().is_none_or(|start_times| start_times.len() == length)
        && points.timestamps.is_sorted_by(|earlier, later| earlier < later);
    let broken = || SourceError::Unavailable(format!("points of {} are not what they must be", schema.name));
    if well_formed { Ok(()) } else { Err(broken()) }
}

fn as_stored(points: Points) -> Result<TablePoints, QueryError> {
    let Points { timestamps, start_times, values } = points;
    let metric_type = if start_times.is_some() { MetricType::Cumulative } else { MetricType::Gauge };
    let values = Values::from_column(values).map_err(|_| RunError::UnsignedTooGreat)?;
    Ok(TablePoints { start_times, timestamps, dimensions: vec![Dimension { metric_type, values }] })
}
