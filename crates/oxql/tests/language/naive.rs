//! A naive implementation of the language, row by row and without regard to speed. The evaluator is compared with it.

use std::collections::BTreeMap;

use croft_oxql::{
    Limit,
    language::{Comparison, Filter, Literal, Operation, Operator, Query, Reducer},
};
use regex::Regex;

use crate::kit::{SECOND, now};

/// A point with the fields of its series.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub name: Option<String>,
    pub slot: Option<u32>,
    pub start: Option<i64>,
    pub time: i64,
    pub value: Option<f64>,
}

/// The fields of a series; grouping removes some of them.
pub type Key = (Option<String>, Option<u32>);

impl Row {
    fn key(&self) -> Key {
        (self.name.clone(), self.slot)
    }
}

/// Why a query is refused.
#[derive(Debug, PartialEq)]
pub enum EvaluationError {
    FullScan,
    NothingAligned,
}

/// Comparisons of which all or any must hold. `Open` is one that cannot be decided before reading.
#[derive(Clone, Debug)]
enum Tree {
    Open,
    Leaf(Comparison, bool),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

impl Tree {
    fn new(filter: &Filter, wanted: bool) -> Self {
        let each = |filters: &[Filter]| filters.iter().map(|filter| Self::new(filter, wanted)).collect();
        match filter {
            Filter::Compare(comparison) => Self::Leaf(comparison.clone(), wanted),
            Filter::Not(inner) => Self::new(inner, !wanted),
            Filter::All(filters) if wanted => Self::All(each(filters)),
            Filter::Any(filters) if !wanted => Self::All(each(filters)),
            Filter::All(filters) | Filter::Any(filters) => Self::Any(each(filters)),
            Filter::Odd(filters) => match &filters[..] {
                [only] => Self::new(only, wanted),
                [first, rest @ ..] => {
                    let rest = Filter::Odd(rest.to_vec());
                    let pair = |first_wanted: bool| {
                        Self::All(vec![
                            Self::new(first, first_wanted),
                            Self::new(&rest, wanted ^ first_wanted),
                        ])
                    };
                    Self::Any(vec![pair(true), pair(false)])
                }
                [] => unreachable!("a filter has at least one operand"),
            },
        }
    }

    /// The tree with each leaf replaced.
    fn map_leaves(&self, replace: &dyn Fn(&Comparison, bool) -> Tree) -> Self {
        let each = |trees: &[Self]| trees.iter().map(|tree| tree.map_leaves(replace)).collect();
        match self {
            Self::Open => Self::Open,
            Self::Leaf(comparison, wanted) => replace(comparison, *wanted),
            Self::All(trees) => Self::All(each(trees)),
            Self::Any(trees) => Self::Any(each(trees)),
        }
    }

    fn leaves(&self) -> Vec<(&Comparison, bool)> {
        match self {
            Self::Open => Vec::new(),
            Self::Leaf(comparison, wanted) => vec![(comparison, *wanted)],
            Self::All(trees) | Self::Any(trees) => trees.iter().flat_map(Self::leaves).collect(),
        }
    }

    fn is_open(&self) -> bool {
        match self {
            Self::Open => true,
            Self::Leaf(..) => false,
            Self::All(trees) => trees.iter().all(Self::is_open),
            Self::Any(trees) => trees.iter().any(Self::is_open),
        }
    }

    fn may_match(&self, row: &Row) -> bool {
        match self {
            Self::Open => true,
            Self::Leaf(comparison, wanted) => compare(comparison, row) == Some(*wanted),
            Self::All(trees) => trees.iter().all(|tree| tree.may_match(row)),
            Self::Any(trees) => trees.iter().any(|tree| tree.may_match(row)),
        }
    }
}

/// Whether a comparison holds, or `None` if the value is missing.
fn compare(comparison: &Comparison, row: &Row) -> Option<bool> {
    let operator = comparison.operator;
    let fits = |ordering: std::cmp::Ordering| match operator {
        Operator::Equal => ordering.is_eq(),
        Operator::NotEqual => ordering.is_ne(),
        Operator::Less => ordering.is_lt(),
        Operator::LessOrEqual => ordering.is_le(),
        Operator::Greater => ordering.is_gt(),
        Operator::GreaterOrEqual => ordering.is_ge(),
        Operator::Matches => panic!("only text is matched"),
    };
    match (comparison.identifier.as_str(), &comparison.literal) {
        ("name", Literal::String(text)) => {
            let name = row.name.as_ref().unwrap();
            Some(match operator {
                Operator::Matches => Regex::new(text).unwrap().is_match(name),
                _ => fits(name.cmp(text)),
            })
        }
        ("slot", Literal::Integer(value)) => Some(fits(i128::from(row.slot.unwrap()).cmp(value))),
        ("timestamp", Literal::Timestamp(time)) => Some(fits(row.time.cmp(time))),
        ("start_time", Literal::Timestamp(time)) => Some(fits(row.start.unwrap().cmp(time))),
        ("datum", Literal::Integer(value)) => row.value.map(|own| fits(own.total_cmp(&(*value as f64)))),
        ("datum", Literal::Double(value)) => row.value.map(|own| fits(own.partial_cmp(value).unwrap())),
        other => panic!("{other:?}"),
    }
}

/// Whether a condition holds, or `None` if a missing value decides it.
fn evaluate(filter: &Filter, row: &Row) -> Option<bool> {
    match filter {
        Filter::Compare(comparison) => compare(comparison, row),
        Filter::Not(inner) => Some(!evaluate(inner, row)?),
        Filter::All(filters) => evaluate_all(filters, row, false),
        Filter::Any(filters) => evaluate_all(filters, row, true),
        Filter::Odd(filters) => {
            filters.iter().try_fold(false, |odd, filter| Some(odd ^ evaluate(filter, row)?))
        }
    }
}

/// `value` if one of the filters evaluates to it, else `None` if one of them is undecided, else the opposite of `value`.
fn evaluate_all(filters: &[Filter], row: &Row, value: bool) -> Option<bool> {
    let values: Vec<_> = filters.iter().map(|filter| evaluate(filter, row)).collect();
    if values.contains(&Some(value)) {
        Some(value)
    } else if values.contains(&None) {
        None
    } else {
        Some(!value)
    }
}

/// The operator of a comparison, or the opposite one if the comparison must not hold.
fn effective_operator(comparison: &Comparison, wanted: bool) -> Operator {
    match (comparison.operator, wanted) {
        (operator, true) => operator,
        (Operator::Equal, false) => Operator::NotEqual,
        (Operator::NotEqual, false) => Operator::Equal,
        (Operator::Less, false) => Operator::GreaterOrEqual,
        (Operator::LessOrEqual, false) => Operator::Greater,
        (Operator::Greater, false) => Operator::LessOrEqual,
        (Operator::GreaterOrEqual, false) => Operator::Less,
        (Operator::Matches, false) => Operator::Matches,
    }
}

fn is_field(comparison: &Comparison) -> bool {
    matches!(comparison.identifier.as_str(), "name" | "slot")
}

fn passes_limit(comparison: &Comparison, wanted: bool, limit: Limit) -> bool {
    let operator = effective_operator(comparison, wanted);
    is_field(comparison)
        || comparison.identifier == "timestamp"
            && match limit {
                Limit::First(_) => matches!(operator, Operator::Less | Operator::LessOrEqual),
                Limit::Last(_) => matches!(operator, Operator::Greater | Operator::GreaterOrEqual),
            }
}

/// A condition that holds before an operation for every row that meets `tree` after it.
fn pushed_before(tree: &Tree, operation: &Operation) -> Tree {
    tree.map_leaves(&|comparison, wanted| {
        let leaf = Tree::Leaf(comparison.clone(), wanted);
        let passes = match operation {
            Operation::Filter(_) => true,
            Operation::Limit(limit) => passes_limit(comparison, wanted, *limit),
            Operation::GroupBy(grouping) => {
                comparison.identifier == "timestamp" || grouping.fields.contains(&comparison.identifier)
            }
            Operation::Align(_) if is_field(comparison) => true,
            Operation::Align(alignment) if comparison.identifier == "timestamp" => {
                return widen_by_period(comparison, wanted, alignment.period.as_nanoseconds());
            }
            Operation::Align(_) => false,
            Operation::Join => panic!("queries with several tables are not generated"),
        };
        if passes { leaf } else { Tree::Open }
    })
}

fn widen_by_period(comparison: &Comparison, wanted: bool, period: i64) -> Tree {
    let Literal::Timestamp(time) = comparison.literal else { panic!() };
    let leaf = |operator, time| {
        let literal = Literal::Timestamp(time);
        Tree::Leaf(Comparison { identifier: "timestamp".into(), operator, literal }, true)
    };
    match effective_operator(comparison, wanted) {
        operator @ (Operator::Less | Operator::LessOrEqual) => leaf(operator, time + period),
        operator @ (Operator::Greater | Operator::GreaterOrEqual) => leaf(operator, time - period),
        Operator::Equal => Tree::All(vec![
            leaf(Operator::GreaterOrEqual, time - period),
            leaf(Operator::LessOrEqual, time + period),
        ]),
        _ => Tree::Open,
    }
}

/// The conditions and limits that are pushed down to the source.
fn pushed_down(operations: &[Operation], cumulative: bool) -> (Vec<Tree>, Vec<Limit>) {
    let (mut trees, mut limits, mut blocked) = (Vec::new(), Vec::new(), false);
    for (place, operation) in operations.iter().enumerate() {
        let earlier = &operations[..place];
        match operation {
            Operation::Filter(filter) => {
                let mut tree = Tree::new(filter, true);
                for operation in earlier.iter().rev() {
                    tree = pushed_before(&tree, operation);
                }
                if cumulative {
                    tree = tree.map_leaves(&|comparison, wanted| match comparison.identifier.as_str() {
                        "datum" => Tree::Open,
                        _ => Tree::Leaf(comparison.clone(), wanted),
                    });
                }
                if !tree.is_open() {
                    trees.push(tree);
                }
            }
            Operation::Limit(limit) => {
                let passes = earlier.iter().all(|operation| match operation {
                    Operation::Filter(filter) => Tree::new(filter, true)
                        .leaves()
                        .into_iter()
                        .all(|(comparison, wanted)| passes_limit(comparison, wanted, *limit)),
                    Operation::Limit(_) => true,
                    _ => false,
                });
                blocked |= !passes;
                if !blocked {
                    limits.push(*limit);
                }
            }
            _ => {}
        }
    }
    (trees, limits)
}

fn apply_limit(rows: &mut Vec<Row>, limit: Limit) {
    match limit {
        Limit::First(count) => {
            while rows.len() > count {
                rows.pop();
            }
        }
        Limit::Last(count) => {
            while rows.len() > count {
                rows.remove(0);
            }
        }
    }
}

/// The differences between consecutive cumulative values.
fn differences(rows: &[Row]) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let earlier = &rows[..place];
        let counted = earlier.iter().rev().find(|other| other.start == row.start && other.value.is_some());
        let previous = earlier.last().filter(|other| other.start == row.start);
        let mut new = row.clone();
        if let (Some(value), Some(counted)) = (row.value, counted) {
            new.value = Some(value - counted.value.unwrap());
            new.start = previous.map(|previous| previous.time);
        } else if row.value.is_none()
            && let Some(previous) = previous
        {
            new.start = Some(previous.time);
        }
        out.push(new);
    }
    out
}

fn end(operations: &[Operation]) -> i64 {
    fn of(filter: &Filter) -> Vec<i64> {
        match filter {
            Filter::Compare(comparison) => {
                match (comparison.identifier.as_str(), &comparison.literal, comparison.operator) {
                    (
                        "timestamp",
                        Literal::Timestamp(time),
                        Operator::Less | Operator::LessOrEqual | Operator::Equal,
                    ) => vec![*time],
                    _ => Vec::new(),
                }
            }
            Filter::Not(inner) => of(inner),
            Filter::All(filters) | Filter::Any(filters) | Filter::Odd(filters) => {
                filters.iter().flat_map(of).collect()
            }
        }
    }
    let bounds = operations.iter().flat_map(|operation| match operation {
        Operation::Filter(filter) => of(filter),
        _ => Vec::new(),
    });
    bounds.max().unwrap_or(now().as_second() * SECOND)
}

fn mean(rows: &[Row], time: i64, period: i64) -> Option<f64> {
    let inside = rows.iter().filter(|row| time - period < row.time && row.time <= time).count();
    if rows[0].start.is_none() {
        let present: Vec<f64> = rows
            .iter()
            .filter(|row| time - period < row.time && row.time <= time)
            .filter_map(|row| row.value)
            .collect();
        return (!present.is_empty()).then(|| present.iter().sum::<f64>() / inside as f64);
    }
    let mut parts = Vec::new();
    for row in rows {
        let start = row.start.unwrap();
        let shared = row.time.min(time) - start.max(time - period);
        let Some(value) = row.value else { continue };
        if start == row.time && time - period < row.time && row.time <= time {
            parts.push(value);
        } else if start < row.time && shared > 0 {
            parts.push(value * shared as f64 / (row.time - start) as f64);
        }
    }
    (!parts.is_empty()).then(|| parts.iter().sum::<f64>() / inside.max(1) as f64)
}

/// The series in the result of a query.
pub fn answer(
    query: &Query,
    rows: &[Row],
    cumulative: bool,
) -> Result<BTreeMap<Key, Vec<Row>>, EvaluationError> {
    let operations = &query.operations;
    let (trees, limits) = pushed_down(operations, cumulative);
    if trees.is_empty() && limits.is_empty() {
        return Err(EvaluationError::FullScan);
    }
    let mut series: BTreeMap<Key, Vec<Row>> = BTreeMap::new();
    for row in rows {
        series.entry(row.key()).or_default().push(row.clone());
    }
    // A series is matched if its fields alone do not rule it out.
    let matched = series.values().any(|rows| fields_match(&trees, &rows[0]));
    for rows in series.values_mut() {
        rows.sort_by_key(|row| row.time);
        rows.retain(|row| trees.iter().all(|tree| tree.may_match(row)));
        for limit in &limits {
            apply_limit(rows, *limit);
        }
        if cumulative {
            *rows = differences(rows);
        }
    }
    series.retain(|_, rows| !rows.is_empty());
    let mut aligned = false;
    for operation in operations {
        match operation {
            Operation::Filter(filter) => {
                for rows in series.values_mut() {
                    rows.retain(|row| evaluate(filter, row) == Some(true));
                }
            }
            Operation::Limit(limit) => series.values_mut().for_each(|rows| apply_limit(rows, *limit)),
            Operation::Align(alignment) => {
                let period = alignment.period.as_nanoseconds();
                for rows in series.values_mut() {
                    *rows = align_rows(rows, period, end(operations));
                }
                series.retain(|_, rows| !rows.is_empty());
                aligned = !series.is_empty();
            }
            Operation::GroupBy(grouping) if matched => {
                if !aligned {
                    return Err(EvaluationError::NothingAligned);
                }
                series = group_rows(&series, &grouping.fields, grouping.reducer);
            }
            Operation::GroupBy(_) => {}
            Operation::Join => panic!("queries with several tables are not generated"),
        }
        series.retain(|_, rows| !rows.is_empty());
    }
    Ok(series)
}

/// Whether the fields of a series meet all conditions on fields.
fn fields_match(trees: &[Tree], row: &Row) -> bool {
    let fields_only = |tree: &Tree| {
        tree.map_leaves(&|comparison, wanted| {
            if is_field(comparison) { Tree::Leaf(comparison.clone(), wanted) } else { Tree::Open }
        })
    };
    trees.iter().all(|tree| fields_only(tree).may_match(row))
}

fn align_rows(rows: &[Row], period: i64, end: i64) -> Vec<Row> {
    let mut out = Vec::new();
    let mut time = end;
    while time >= rows[0].time {
        out.insert(0, Row { start: None, time, value: mean(rows, time, period), ..rows[0].clone() });
        time -= period;
    }
    out
}

fn group_rows(
    series: &BTreeMap<Key, Vec<Row>>,
    fields: &[String],
    reducer: Reducer,
) -> BTreeMap<Key, Vec<Row>> {
    let kept = |name: &str| fields.iter().any(|field| field == name);
    let mut groups: BTreeMap<Key, BTreeMap<i64, Vec<f64>>> = BTreeMap::new();
    for row in series.values().flatten() {
        let key = (row.name.clone().filter(|_| kept("name")), row.slot.filter(|_| kept("slot")));
        groups.entry(key).or_default().entry(row.time).or_default().extend(row.value);
    }
    let reduce = |values: &[f64]| {
        let sum: f64 = values.iter().sum();
        let value = if reducer == Reducer::Sum { sum } else { sum / values.len() as f64 };
        (!values.is_empty()).then_some(value)
    };
    let rows = |key: &Key, times: &BTreeMap<i64, Vec<f64>>| -> Vec<Row> {
        let row = |(time, values): (&i64, &Vec<f64>)| Row {
            name: key.0.clone(),
            slot: key.1,
            start: None,
            time: *time,
            value: reduce(values),
        };
        times.iter().map(row).collect()
    };
    groups.iter().map(|(key, times)| (key.clone(), rows(key, times))).collect()
}
