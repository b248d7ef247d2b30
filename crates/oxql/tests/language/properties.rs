//! Property tests of random queries on random data.

use std::collections::BTreeMap;

use croft_oxql::{
    PlanError, QueryError, RunError,
    model::FieldValue,
    parse,
    table::{Table, Values},
};
use proptest::prelude::*;

use crate::{
    kit::{SECOND, Samples, now, thing},
    naive::{self, EvaluationError, Key, Row},
};

/// Points of one series: seconds since the previous point, increment or value, and whether the producer restarted.
fn points() -> impl Strategy<Value = Vec<(i64, Option<u8>, bool)>> {
    let value = proptest::option::weighted(0.8, 0..9_u8);
    proptest::collection::vec((1..8_i64, value, proptest::bool::weighted(0.1)), 0..12)
}

type GeneratedPoints = Vec<Vec<(i64, Option<u8>, bool)>>;

fn measured() -> impl Strategy<Value = GeneratedPoints> {
    proptest::collection::vec(points(), 0..5)
}

fn fields(series: usize) -> (String, u32) {
    (["a", "b"][series % 2].into(), u32::try_from(series / 2).unwrap())
}

fn rows(measured: &GeneratedPoints, cumulative: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for (series, points) in measured.iter().enumerate() {
        let (name, slot) = fields(series);
        let (mut time, mut start, mut total) = (0, 0, 0);
        for (gap, value, anew) in points {
            if *anew {
                (start, total) = (time, 0);
            }
            time += gap * SECOND;
            total += u64::from(value.unwrap_or_default());
            let number = if cumulative { total as f64 } else { f64::from(value.unwrap_or_default()) };
            rows.push(Row {
                name: Some(name.clone()),
                slot: Some(slot),
                start: cumulative.then_some(start),
                time,
                value: value.map(|_| number),
            });
        }
    }
    rows
}

fn samples(rows: &[Row]) -> Samples {
    let mut samples = Samples::new();
    for row in rows {
        let fields = thing(row.name.as_ref().unwrap(), row.slot.unwrap());
        samples = match row.start {
            Some(start) => samples
                .count(&fields, &[(start / SECOND, row.time / SECOND, row.value.map(|value| value as u64))]),
            None => samples.level(&fields, &[(row.time / SECOND, row.value)]),
        };
    }
    samples
}

fn comparison(cumulative: bool) -> impl Strategy<Value = String> {
    let operator = || proptest::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let time = || (0..60_u8).prop_map(|second| format!("@00:00:{second:02}"));
    let number = if cumulative { "" } else { "." };
    prop_oneof![
        operator().prop_map(|operator| format!("name {operator} 'a'")),
        Just("name ~= '^[b-z]'".to_owned()),
        (operator(), 0..3).prop_map(|(operator, slot)| format!("slot {operator} {slot}")),
        (operator(), time()).prop_map(|(operator, time)| format!("timestamp {operator} {time}")),
        (operator(), 0..9).prop_map(move |(operator, value)| format!("datum {operator} {value}{number}")),
        (operator(), time(), Just(cumulative)).prop_map(|(operator, time, cumulative)| {
            let subject = if cumulative { "start_time" } else { "timestamp" };
            format!("{subject} {operator} {time}")
        }),
    ]
}

fn filter(cumulative: bool) -> impl Strategy<Value = String> {
    comparison(cumulative).prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|filter| format!("!({filter})")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left} && {right})")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left} || {right})")),
            (inner.clone(), inner).prop_map(|(left, right)| format!("({left} ^ {right})")),
        ]
    })
}

fn early_operation(cumulative: bool) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => filter(cumulative).prop_map(|filter| format!("filter {filter}")),
        1 => (1..6).prop_map(|count| format!("first {count}")),
        1 => (1..6).prop_map(|count| format!("last {count}")),
    ]
}

/// A query of one timeseries, and whether that is cumulative.
fn query() -> impl Strategy<Value = (String, bool)> {
    any::<bool>().prop_flat_map(|cumulative| {
        let early = proptest::collection::vec(early_operation(cumulative), 0..4);
        let late = || proptest::collection::vec(early_operation(false), 0..2);
        let align = proptest::sample::select(vec!["1s", "5s", "7s", "20s"])
            .prop_map(|period| format!("align mean_within({period})"));
        let group = proptest::sample::select(vec!["name", "slot", "name, slot"]);
        let group = (group, proptest::sample::select(vec!["mean", "sum"]))
            .prop_map(|(fields, reducer)| format!("group_by [{fields}], {reducer}"));
        let aligned = proptest::option::of((align, late(), proptest::option::of((group, late()))));
        (early, aligned).prop_map(move |(early, aligned)| {
            let name = if cumulative { "get thing:count" } else { "get thing:level" };
            let mut operations = vec![name.to_owned()];
            operations.extend(early);
            if let Some((align, late, grouped)) = aligned {
                operations.push(align);
                operations.extend(late);
                if let Some((group, later)) = grouped {
                    operations.push(group);
                    operations.extend(later);
                }
            }
            (operations.join(" | "), cumulative)
        })
    })
}

/// A query result in the form of the naive implementation.
fn to_reference_rows(tables: &[Table]) -> BTreeMap<Key, Vec<Row>> {
    let mut answer = BTreeMap::new();
    for (table, series) in
        tables.iter().flat_map(|table| table.series.iter().map(move |series| (table, series)))
    {
        let (mut name, mut slot) = (None, None);
        for (field, value) in table.fields.iter().zip(&series.fields) {
            match value {
                FieldValue::String(text) if field.name == "name" => name = Some(text.clone()),
                FieldValue::U32(number) if field.name == "slot" => slot = Some(*number),
                other => panic!("{other:?}"),
            }
        }
        let points = &series.points;
        let value = |place: usize| match &points.dimensions[0].values {
            Values::Integer(values) => values[place].map(|value| value as f64),
            Values::Double(values) => values[place],
            other => panic!("{other:?}"),
        };
        let row = |place: usize| Row {
            name: name.clone(),
            slot,
            start: points.start_times.as_ref().map(|start_times| start_times[place]),
            time: points.timestamps[place],
            value: value(place),
        };
        answer.insert((name.clone(), slot), (0..points.len()).map(row).collect());
    }
    answer
}

/// Whether two results are equal up to rounding errors.
fn approximately_equal(left: &BTreeMap<Key, Vec<Row>>, right: &BTreeMap<Key, Vec<Row>>) -> bool {
    let close = |left: Option<f64>, right: Option<f64>| match (left, right) {
        (Some(left), Some(right)) => (left - right).abs() <= 1e-9 * left.abs().max(1.0),
        (left, right) => left == right,
    };
    left.len() == right.len()
        && left.iter().zip(right).all(|((left_key, left), (right_key, right))| {
            left_key == right_key
                && left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| {
                    (left.start, left.time) == (right.start, right.time) && close(left.value, right.value)
                })
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn evaluator_agrees_with_reference_implementation((text, cumulative) in query(), measured in measured()) {
        let rows = rows(&measured, cumulative);
        let query = parse(&text, now()).unwrap();
        let expected = || naive::answer(&query, &rows, cumulative);
        match samples(&rows).answer(&query) {
            Ok(tables) => {
                let answer = to_reference_rows(&tables);
                let expected = expected().unwrap_or_else(|error| panic!("{text}: {error:?} but {answer:?}"));
                prop_assert!(approximately_equal(&answer, &expected), "{text}\n{answer:?}\n{expected:?}");
            }
            Err(QueryError::Plan(PlanError::FullScan)) => prop_assert_eq!(expected(), Err(EvaluationError::FullScan)),
            Err(QueryError::Run(RunError::GroupUnaligned)) => {
                prop_assert_eq!(expected(), Err(EvaluationError::NothingAligned), "{}", text);
            }
            // A field that was removed by grouping, or more alternatives than the language allows.
            Err(QueryError::Plan(PlanError::WideFilter | PlanError::Filter { .. })) => {}
            Err(error) => prop_assert!(false, "{text}: {error}"),
        }
    }

    #[test]
    fn deltas_add_up_to_the_counter(points in points()) {
        let rows = rows(&vec![points], true);
        let answer = to_reference_rows(&samples(&rows).tables("get thing:count | filter slot == 0").unwrap());
        // The last value for each start time is the sum of all differences since then.
        let mut lasts: BTreeMap<i64, f64> = BTreeMap::new();
        for row in &rows {
            if let Some(value) = row.value {
                lasts.insert(row.start.unwrap(), value);
            }
        }
        let sum: f64 = answer.values().flatten().filter_map(|row| row.value).sum();
        prop_assert_eq!(sum, lasts.values().sum::<f64>());
    }

    #[test]
    fn mean_of_a_constant_is_that_constant(gaps in proptest::collection::vec(1..10_i64, 1..20), value in -1e6..1e6_f64, period in 1..30_u8) {
        let mut time = 0;
        let points: Vec<_> = gaps.iter().map(|gap| { time += gap; (time, Some(value)) }).collect();
        let samples = Samples::new().level(&thing("a", 1), &points);
        let query = format!("get thing:level | filter slot == 1 | align mean_within({period}s)");
        let answer = to_reference_rows(&samples.tables(&query).unwrap());
        for row in answer.values().flatten() {
            prop_assert!(row.value.is_none_or(|mean| (mean - value).abs() <= 1e-9 * value.abs().max(1.0)), "{row:?}");
        }
    }

    #[test]
    fn filter_on_fields_keeps_exactly_the_matching_series(measured in measured(), filter in proptest::sample::select(vec![
        "name == 'a'", "slot != 1", "name ~= 'b' || slot == 0", "!(name == 'a' ^ slot == 1)",
    ])) {
        let rows = rows(&measured, true);
        let samples = samples(&rows);
        let pushed = to_reference_rows(&samples.tables(&format!("get thing:count | filter {filter}")).unwrap());
        let all = to_reference_rows(&samples.tables("get thing:count | filter timestamp >= @1970-01-01").unwrap());
        for (key, rows) in &all {
            let kept = pushed.get(key);
            prop_assert!(kept.is_none_or(|kept| kept == rows));
        }
        let named: Vec<_> = all.keys().filter(|(name, slot)| {
            let (a, one, zero) = (name.as_deref() == Some("a"), *slot == Some(1), *slot == Some(0));
            match filter {
                "name == 'a'" => a,
                "slot != 1" => !one,
                "name ~= 'b' || slot == 0" => !a || zero,
                _ => a == one,
            }
        }).collect();
        prop_assert_eq!(pushed.keys().collect::<Vec<_>>(), named);
    }

    #[test]
    fn printed_query_parses_to_the_same_query((text, _) in query()) {
        let query = parse(&text, now()).unwrap();
        prop_assert_eq!(parse(&query.to_string(), now()).unwrap(), query);
    }
}
